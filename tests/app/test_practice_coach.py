"""The coach below a practice table: its tiles can be read, and one that is touched is played."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_driver import SIZES, Driver, ScriptedReader
from practice_driver import Newcomer
from sheet_driver import keep_game, open_sheet

from companion.app.news import KeptGameWanted
from companion.table.events import Discarded
from companion.tiles import KINDS

pytestmark = pytest.mark.slow


def test_the_coachs_tiles_can_be_read_and_the_advised_one_played(
    kivy_window: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.app.coach.noted_tiles import Noted

    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    driver = Driver(tmp_path, ScriptedReader(), SIZES["tablet"], home=True)
    try:
        driver.controller.features["practice"].choose_number = lambda: 4  # type: ignore[attr-defined]
        driver.wait(lambda: driver.controller.view.states["home"].is_ready_to_show, "the first page")
        driver.frames(3)
        person = Newcomer(driver)
        person.begin("hong_kong")
        person.begin_hand()
        person.page.pace.pause.dispatch("on_release")
        driver.touch(driver.root.bar.buttons["coach"])
        panel = driver.pages.coach_beside
        driver.wait(lambda: any(tile.raised for tile in panel.hand.tiles), "the advice")
        driver.frames(6)
        driver.shot("practice-coach")
        useful = panel.useful
        assert useful.tiles
        assert 0 < useful.shown_count <= len(useful.tiles)
        assert min(width for _, _, width, _ in useful._cells()) >= 30, "a tile that can be read"
        few = useful.tiles
        useful.show([Noted(kind.code, "×3") for kind in KINDS[:26]])
        assert min(width for _, _, width, _ in useful._cells()) >= 30, "however many they are"
        assert useful.shown_count < 26
        driver.shot("practice-coach-many")
        useful.show(few)
        at, tile = next((at, tile) for at, tile in enumerate(panel.hand.tiles) if tile.raised)
        driver.touch(panel.hand.place_of(at))
        driver.wait(lambda: not person.state.waits, "the table")
        table = person.state.table
        assert table is not None
        own = [e for e in table.progress.events if isinstance(e, Discarded) and e.seat == table.seat]
        assert [event.tile for event in own] == [tile.code]
    finally:
        driver.close()


def test_the_button_of_the_coach_is_that_of_the_page_in_front(companion: Driver) -> None:
    """A hand of the score sheet that is still looked at does not change the table's."""
    keep_game(hands=2)
    companion.controller.announce(KeptGameWanted("friday"))
    companion.settle()
    assert companion.root.bar.buttons["coach"].text == "Coach"
    open_sheet(companion, "friday")
    companion.controller.do("sheet", lambda state: state.open_hand(1))
    companion.frames(4)
    assert companion.root.bar.buttons["coach"].text == "What did it cost?"
    companion.touch(companion.root.bar.buttons["game"])
    companion.settle()
    assert companion.root.bar.buttons["coach"].text == "Coach"
