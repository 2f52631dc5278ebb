"""What `companion track` says at the end: how far the hands came, what to check."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.commands.track_end import Ending
from companion.errors import MissingError
from companion.running.noticed import EventNoticed, ThreadLost
from companion.running.proposals import Source, SourceKind
from companion.sentences import Sentence
from companion.table.apply import fold
from companion.table.events import Corrected, Event
from companion.table.log import apply_corrections
from tests.cli.filmed import first_hand, make_session

Call = Callable[..., Any]
CAMERA = Source(SourceKind.CAMERA, "above")


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The beginning of a hand."""
    return make_session(tmp_path_factory.mktemp("sessions") / "short", seconds=30)


@pytest.fixture(scope="module")
def log() -> list[Event]:
    """A hand that was won."""
    hand = first_hand("hefei", 1)
    return [hand.start, *(step.event for step in hand.steps)]


def describe(log: list[Event], *noticed: tuple[float, bool, int], then: tuple[Event, ...] = ()) -> list[str]:
    """What is said of a game. noticed: p of an event, whether it is certain, and its number."""
    ending = Ending(log[:1], state_of(log[:1]), None)
    for p, certain, number in noticed:
        after = state_of([*log, *then][:number])
        ending.note(EventNoticed(1.0, [*log, *then][number - 1], p, certain, CAMERA, number, after))
    return list(ending.describe([*log, *then], state_of([*log, *then])))


def state_of(log: list[Event]) -> Any:
    state = fold(log)
    assert state is not None
    return state


def test_a_recording_that_ends_in_a_hand_says_so(call: Call, short: Path) -> None:
    run = call("track", short)
    assert run.status == 0
    assert run.out.splitlines()[-1].startswith("It ended in the middle of a hand: seat ")
    assert run.out.splitlines()[-1].endswith(" tiles left.")


def test_a_kept_game_says_what_was_entered_and_that_it_goes_on(call: Call, short: Path) -> None:
    run = call("track", short, "--game", "friday")
    entered = len(call("games", "export", "friday").out.splitlines()) - 2
    assert run.out.splitlines()[-2:] == [
        f"{entered} events entered in 'friday'.",
        "The next recording goes on with this hand if it is given with --game friday.",
    ]


def test_a_hand_that_was_followed_to_its_end_is_told_with_its_result(log: list[Event]) -> None:
    (said,) = describe(log, (1.0, True, 3))
    assert said.startswith("1 hand was followed to its end: seat ")
    assert " wins with " in said


def test_a_win_that_is_not_certain_is_to_be_checked_until_it_is_corrected(log: list[Event]) -> None:
    number = len(log)
    *_, check = describe(log, (0.7, False, number))
    assert check.startswith(f"Check this win, which is 70% sure: event {number}, seat ")
    right = Corrected(number=number, right=log[-1])
    said = describe(log, (0.7, False, number), (1.0, True, number + 1), then=(right,))
    assert not any("Check" in each for each in said)
    assert apply_corrections([*log, right]) == log


def test_a_source_in_which_nothing_could_be_followed_is_an_error(log: list[Event]) -> None:
    ending = Ending(log[:1], state_of(log[:1]), None)
    ending.note(ThreadLost(0.0, Sentence("the table is not found")))
    with pytest.raises(MissingError, match=r"Nothing was followed: the table is not found\.") as caught:
        list(ending.describe(log[:1], state_of(log[:1])))
    assert caught.value.exit_status == 3
