"""What is noticed of a game that is followed, as people read it."""

from __future__ import annotations

import pytest

from companion.commands.track import REMIND_S, EventWords, describe_entered, format_moment
from companion.game.proposals import Reporter, SourceKind
from companion.live.noticed import (
    Doubted,
    EventNoticed,
    FollowingLost,
    FollowingResumed,
    LostState,
    Noticed,
    StateShown,
)
from companion.sentences import Sentence
from companion.table.apply import fold
from companion.table.events import (
    Claimed,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandStarted,
)
from companion.table.state import State

START = (GameStarted(rules="hebei"), HandStarted(dealer=0), Dealt())
CAMERA = Reporter(SourceKind.CAMERA, "above")


def after(*events: Event, rules: str = "hebei") -> State:
    state = fold([GameStarted(rules=rules), *START[1:], *events])
    assert state is not None
    return state


def show(capsys: pytest.CaptureFixture[str], *noticed: Noticed) -> list[str]:
    words = EventWords()
    for each in noticed:
        words.show(each)
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("discard", "claim", "said"),
    [
        ("5s", Claimed(seat=1, meld="c345s"), "seat 1 chows 3-4-5s from seat 0"),
        ("6m", Claimed(seat=2, meld="p666m"), "seat 2 pungs 6m from seat 0"),
        ("7z", Claimed(seat=3, meld="k7777z"), "seat 3 kongs 7z from seat 0"),
    ],
)
def test_a_claim_is_named_by_what_people_call_it(discard: str, claim: Claimed, said: str) -> None:
    assert describe_entered(claim, after(Discarded(seat=0, tile=discard), claim)) == said


def test_an_event_that_did_not_happen_is_said_so_once() -> None:
    drawn = (Discarded(seat=0, tile="5m"), Drawn(seat=1))
    assert describe_entered(Corrected(number=5), after(*drawn)) == "event 5 did not happen"
    right = Corrected(number=4, right=Discarded(seat=0, tile="6m"))
    assert describe_entered(right, after(*drawn)) == "event 4 is corrected: seat 0 discards 6m"


def test_a_deal_whose_dice_nobody_saw_says_nothing_of_dice() -> None:
    assert describe_entered(START[1], after()) == "seat 0 deals"


def test_the_tiles_before_the_sea_and_in_it_are_explained_once(capsys: pytest.CaptureFixture[str]) -> None:
    discard = Discarded(seat=0, tile="5m")
    state = after(discard, rules="hefei")
    noticed = [EventNoticed(t, discard, 1.0, True, CAMERA, 4, state) for t in (1.0, 2.0)]
    first, second = show(capsys, *noticed)
    assert first.endswith("; 27+4 left (before the sea, and in it)")
    assert second.endswith("; 27+4 left")


def test_while_the_game_is_lost_that_is_said_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    state = after()
    states = [StateShown(float(t), state) for t in range(1, 70)]
    found = [FollowingResumed(70.0), StateShown(70.0 + 2 * REMIND_S, state)]
    assert show(capsys, FollowingLost(1.0, Sentence("it is dark")), *states, *found) == [
        "0:01.0  ! lost: it is dark",
        "0:31.0  ! still lost: it is dark",
        "1:01.0  ! still lost: it is dark",
        "1:10.0  ! found again",
    ]


def test_loss_shorter_than_a_moment_is_not_reported() -> None:
    standing = LostState()
    assert standing.settle([FollowingLost(1.0, Sentence("a")), FollowingResumed(1.0)]) == []
    assert standing.settle([FollowingLost(2.0, Sentence("a"))]) == [FollowingLost(2.0, Sentence("a"))]
    assert standing.settle([FollowingResumed(3.0), FollowingLost(3.0, Sentence("a"))]) == []
    assert standing.settle([FollowingResumed(4.0), FollowingLost(4.0, Sentence("b"))]) == [
        FollowingLost(4.0, Sentence("b"))
    ]
    assert standing.settle([FollowingLost(5.0, Sentence("c")), FollowingResumed(5.0)]) == [
        FollowingResumed(5.0)
    ]


def test_moments_are_written_as_on_a_clock() -> None:
    assert [format_moment(t) for t in (0.0, 9.96, 59.96, 754.2)] == ["0:00.0", "0:10.0", "1:00.0", "12:34.2"]


def test_a_doubt_is_said_once_and_is_no_loss(capsys: pytest.CaptureFixture[str]) -> None:
    doubt = Doubted(1.0, Sentence("The tiles look like those of another game."))
    state = after()
    said = show(capsys, doubt, StateShown(1.0 + REMIND_S, state), Doubted(40.0, None))
    assert said == [
        "0:01.0  ? doubtful: The tiles look like those of another game.", "0:40.0  ? doubtful no more",
    ]  # fmt: skip
