"""The coach above a practice table: it writes below the tiles of the page, and its own can be read."""

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
        panel = driver.pages.coach_above
        driver.wait(lambda: person.state.best is not None, "the advice")
        driver.frames(6)
        driver.shot("practice-coach")
        assert not panel.hand.tiles, "the hand is on the page alone"
        assert set(person.page.hand.codes) == set(person.state.notes)
        useful = panel.useful
        assert useful.tiles
        assert 0 < useful.shown_count <= len(useful.tiles)
        assert min(width for _, _, width, _ in useful._cells()) >= 30, "a tile that can be read"
        few = useful.tiles
        useful.show([Noted(kind.code, "×3") for kind in KINDS[:26]])
        assert min(width for _, _, width, _ in useful._cells()) >= 30, "however many they are"
        driver.shot("practice-coach-many")
        useful.show(few)
        best = person.state.best
        assert best is not None
        driver.touch(person.page.hand.find(best))
        driver.wait(lambda: not person.state.waits, "the table")
        table = person.state.table
        assert table is not None
        own = [e for e in table.progress.events if isinstance(e, Discarded) and e.seat == table.seat]
        assert [event.tile for event in own] == [best]
        driver.touch(driver.root.bar.buttons["coach"])
        driver.wait(lambda: not person.state.notes, "the notes are gone with the coach")
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
