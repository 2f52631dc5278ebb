"""Large windows are used: larger text and tiles, no page with large parts empty."""

from __future__ import annotations

import pytest
from app_driver import SIZES, Driver
from sheet_driver import keep_declared

from companion.app.news import KeptGameWanted

pytestmark = pytest.mark.slow

LARGE = (1920, 1080)


def test_text_gaps_and_tiles_are_larger_in_a_large_window(companion: Driver) -> None:
    from companion.app.widgets import theme

    assert companion.root
    usual, tile, touch = theme.TEXT, theme.TILE_WIDTH_MAX, theme.TOUCH
    companion.resize(LARGE)
    assert pytest.approx(1.25 * usual) == theme.TEXT
    assert pytest.approx(1.25 * tile) == theme.TILE_WIDTH_MAX
    assert pytest.approx(1.25 * touch) == theme.TOUCH
    companion.controller.do("settings", lambda state: state.change(text="very_large"))
    companion.frames(3)
    assert 1.5 * usual >= theme.TEXT
    companion.controller.do("settings", lambda state: state.undo())
    companion.resize(SIZES["tablet"])
    assert (usual, touch) == (theme.TEXT, theme.TOUCH)


def test_between_hands_the_coach_takes_no_room_and_the_last_hand_is_shown(companion: Driver) -> None:
    keep_declared()
    companion.controller.announce(KeptGameWanted("told"))
    companion.settle()
    companion.controller.do("coach", lambda state: state.toggle())
    companion.settle()
    assert not companion.says("No hand is in play.")
    assert companion.page == "game"
    assert companion.says("Ann wins")
    assert companion.says("now −"), "what everybody has"
    companion.controller.do("coach", lambda state: state.enter())
    companion.settle()
    assert companion.says("On your turn, the coach suggests a discard")
    companion.press("To the table")
    assert companion.page == "game"
