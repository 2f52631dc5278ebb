"""Rows of long lists look as the window does, whatever it looked like when they were built."""

from __future__ import annotations

import pytest
from app_driver import SIZES, Driver
from sheet_driver import keep_game, open_sheet, page

from companion.app.effects import ApplyTheme
from companion.app.look import Look, Shade
from companion.words import Language

pytestmark = pytest.mark.slow


def test_rows_have_the_colours_that_are_worn_now(companion: Driver) -> None:
    from companion.app.widgets import theme

    keep_game()
    keep_game("saturday", hands=2)
    companion.resize(SIZES["tablet"])
    open_sheet(companion, "friday")
    companion.controller.set_language(Language.TRADITIONAL)
    companion.settle()
    open_sheet(companion, "saturday")
    rows = page(companion).hands.list.view_adapter.views.values()
    assert rows, "fewer rows than before: some are left over"
    dark = theme.PANEL
    try:
        companion.controller.do("settings", lambda state: state.also(ApplyTheme(Look(Shade.LIGHT))))
        companion.frames(4)
        open_sheet(companion, "friday")
        rows = page(companion).hands.list.view_adapter.views.values()
        assert dark != theme.PANEL
        assert len(rows) > 2
        assert [row._colour.rgba for row in rows] == [pytest.approx(theme.PANEL)] * len(rows)
        companion.shot("rows_light")
    finally:
        companion.controller.do("settings", lambda state: state.also(ApplyTheme(Look())))
        companion.frames(2)
