"""A newcomer without tiles: begins a practice game, wins, corrects, exports; by touches alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from app_driver import SIZES, Driver, ScriptedReader
from frames import make_finger
from practice_driver import Newcomer

from companion.running.practice.values import Stage
from companion.table.events import Discarded, Won
from companion.words import Language

pytestmark = pytest.mark.slow

Open = Callable[..., Newcomer]


@pytest.fixture
def open_window(kivy_window: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """A window on its first page; again on the same folder after it was closed. number: of the next practice
    game."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    opened: list[Driver] = []

    def open_it(
        size: tuple[int, int] = SIZES["tablet"], language: Language | None = None, number: int = 4
    ) -> Newcomer:
        for driver in opened:
            driver.close()
        opened.clear()
        driver = Driver(tmp_path, ScriptedReader(), size, language=language, home=True)
        opened.append(driver)
        driver.controller.features["practice"].choose_number = lambda: number  # type: ignore[attr-defined]
        driver.wait(lambda: driver.controller.view.states["home"].is_settled, "the first page")
        driver.frames(3)
        return Newcomer(driver)

    yield open_it
    for driver in opened:
        driver.close()


def win(person: Newcomer, most_hands: int = 12) -> None:
    """Play until the newcomer wins, and confirm the win."""
    for _ in range(most_hands):
        if person.stage is Stage.BETWEEN:
            person.begin_hand()
        if person.play_hand(claims=True):
            break
    driver = person.driver
    assert driver.page == "win_result", driver.page
    driver.shot("practice-win")
    person.touch(driver.pages.win_result.confirm)
    driver.wait(lambda: driver.page == "practice" and person.stage is Stage.BETWEEN, "the table again")


@pytest.mark.parametrize(("rules", "number"), [("hong_kong", 4), ("hefei", 1)])
def test_a_newcomer_wins_a_hand(open_window: Open, rules: str, number: int) -> None:
    person = open_window(number=number)
    driver = person.driver
    person.begin(rules)
    win(person)
    table = person.state.table
    assert table is not None
    won = [event for event in table.progress.events if isinstance(event, Won)]
    assert won[-1].seat == table.seat
    assert driver.says("You win with ")
    assert driver.says("Next hand")


def test_what_is_touched_twice_counts_once(open_window: Open) -> None:
    person = open_window()
    person.begin("hefei")
    person.begin_hand()
    person.page.pace.pause.dispatch("on_release")
    asked = person.state.asked
    assert asked is not None
    place = person.page.hand.find(person.choose(asked))
    for _ in range(3):
        finger = make_finger(*place)
        finger.down()
        finger.up()
    person.driver.frames(4)
    person.driver.wait(lambda: not person.state.waits, "the table")
    table = person.state.table
    assert table is not None
    own = [each for each in table.progress.events if isinstance(each, Discarded) and each.seat == table.seat]
    assert len(own) == 1
    assert person.driver.banner is None
