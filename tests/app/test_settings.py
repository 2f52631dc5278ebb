"""The settings apply at once, are undone, are kept, and hold in the next window."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_driver import SIZES, Driver, ScriptedReader
from test_screens import cut, too_small

from companion.app.text import Language

pytestmark = pytest.mark.slow


def test_settings_apply_at_once_and_are_kept(companion: Driver) -> None:
    from companion.app.widgets import theme

    dark, usual = theme.FELT, theme.TEXT
    companion.touch(companion.root.bar.buttons["settings"])
    assert companion.page == "settings"
    companion.press("Light")
    assert sum(theme.FELT[:3]) > sum(dark[:3])
    companion.press("Very large")
    assert usual < theme.TEXT
    companion.press("Undo")
    companion.press("繁體中文")
    assert companion.says("設定")
    companion.close()
    again = Driver(companion.folder, ScriptedReader(), SIZES["tablet"])
    assert sum(theme.FELT[:3]) > sum(dark[:3])
    assert again.controller.view.words.language is Language.TRADITIONAL
    again.close()
    fresh = Driver(companion.folder / "fresh", ScriptedReader(), SIZES["tablet"])
    assert dark == theme.FELT
    fresh.close()


@pytest.mark.parametrize("page", ["settings", "help"])
@pytest.mark.parametrize("size", SIZES)
def test_the_pages_fit(kivy_window: None, tmp_path: Path, page: str, size: str) -> None:
    companion = Driver(tmp_path, ScriptedReader(), SIZES[size])
    try:
        companion.touch(companion.root.bar.buttons[page])
        for language in Language:
            companion.controller.set_language(language)
            companion.frames(4)
            companion.shot(f"{page}-{size}-{language}")
            assert (cut(companion), too_small(companion)) == ([], []), language
    finally:
        companion.close()


def test_a_fair_game_shows_no_counts(companion: Driver) -> None:
    from companion.table.events import GameStarted

    companion.controller.do("game", lambda state: state.begin(GameStarted(rules="hefei")))
    companion.wait(lambda: companion.controller.view.states["game"].followed is not None)
    companion.settle()
    companion.press("Counts")
    heading = "Left of each kind, and below it how many were seen"
    assert companion.says(heading)
    companion.touch(companion.root.bar.buttons["settings"])
    companion.touch(companion.pages.settings.fair.button("True"))
    companion.controller.step_back()
    companion.settle()
    assert companion.page == "game"
    assert not companion.says(heading)
    assert "Counts" not in companion.texts()
    companion.controller.do("settings", lambda state: state.take_back())
    companion.settle()
    assert companion.says(heading)
