"""What `companion track` says at the end: how far the hands came, what to check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.commands.track import Ending
from companion.errors import MissingError
from companion.game.deciding import begin_progress
from companion.game.proposals import Reporter, SourceKind
from companion.live.noticed import Doubted, EventNoticed, FollowingLost
from companion.sentences import Sentence
from companion.table.events import Corrected, Event
from tests.cli.filmed import first_hand, make_session

Call = Callable[..., Any]
CAMERA = Reporter(SourceKind.CAMERA, "above")


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The beginning of a hand."""
    return make_session(tmp_path_factory.mktemp("sessions") / "short", seconds=30)


@pytest.fixture(scope="module")
def log() -> list[Event]:
    """A hand that was won."""
    hand = first_hand("hefei", 1)
    return [hand.start, *(step.event for step in hand.steps)]


def describe(log: list[Event], ps: dict[int, float], game: str | None = None) -> list[str]:
    """What is said of a game. ps: how certain events are that are not certain at all, by their numbers."""
    ending = Ending(begin_progress(log[:1]), game)
    ending.note(EventNoticed(1.0, log[1], 1.0, True, CAMERA, 2, begin_progress(log[:2]).state))
    all_ps = tuple(ps.get(number, 1.0) for number in range(1, len(log) + 1))
    return list(ending.describe(replace(begin_progress(log), ps=all_ps)))


def test_a_recording_that_ends_in_a_hand_says_so(call: Call, short: Path) -> None:
    run = call("track", short)
    assert run.status == 0
    assert run.out.splitlines()[-1].startswith("It ended in the middle of a hand: seat ")
    assert run.out.splitlines()[-1].endswith(" tiles left.")


def test_a_kept_game_says_what_was_entered_and_that_it_goes_on(call: Call, short: Path) -> None:
    run = call("track", short, "--game", "friday")
    entered = len(call("games", "export", "friday").out.splitlines()) - 2
    said = run.out.splitlines()
    assert f"{entered} events entered in 'friday'." in said
    assert "The next recording goes on with this hand if it is given with --game friday." in said


def test_a_hand_that_was_followed_to_its_end_is_told_with_its_result(log: list[Event]) -> None:
    (said,) = describe(log, {})
    assert said.startswith("1 hand was followed to its end: seat ")
    assert " wins with " in said


def test_a_win_that_is_not_certain_is_to_be_checked_until_it_is_corrected(log: list[Event]) -> None:
    number = len(log)
    *_, check = describe(log, {number: 0.7})
    assert check.startswith(f"Check this win, which is 70% sure: event {number}, seat ")
    right = Corrected(number=number, right=log[-1])
    said = describe([*log, right], {number: 0.7})
    assert not any("Check" in each for each in said)
    *_, check = describe([*log, right], {number + 1: 0.8})
    assert check.startswith(f"Check this win, which is 80% sure: event {number}, seat ")


def test_a_kept_game_says_how_many_events_are_to_be_checked_and_where_they_are_marked(
    log: list[Event],
) -> None:
    said = describe(log, {4: 0.8, 9: 0.9}, "friday")
    assert said[-1] == ("2 events in it to be checked: companion games show friday marks what is doubtful.")
    assert not any("to be checked" in each for each in describe(log, {}, "friday"))


def test_a_game_that_seems_to_be_another_is_to_be_looked_at(log: list[Event]) -> None:
    ending = Ending(begin_progress(log[:1]), None)
    ending.note(Doubted(1.0, Sentence("The tiles look like those of another game.")))
    assert "To check: The tiles look like those of another game." in list(
        ending.describe(begin_progress(log))
    )
    ending.note(Doubted(2.0, None))
    assert not any("looked at" in each for each in ending.describe(begin_progress(log)))


def test_a_source_in_which_nothing_could_be_followed_is_an_error(log: list[Event]) -> None:
    ending = Ending(begin_progress(log[:1]), None)
    ending.note(FollowingLost(0.0, Sentence("the table is not found")))
    with pytest.raises(MissingError, match=r"Nothing was followed: the table is not found\.") as caught:
        ending.check()
    assert caught.value.exit_status == 3
