"""Played games of which entries are lost: the rest is rescued, and what is not is listed with the reason."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import pairwise

import pytest

from companion.coach.play.simulation import play
from companion.game.file import GameEntry
from companion.game.game import encode_pinned
from companion.game.log import GameLog
from companion.game.rescue import Remains, RescuedGame, reenter
from companion.rules import RULE_SETS
from companion.table.events import (
    Claimed,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    EntryCancelled,
    Event,
    GameStarted,
    HandAbandoned,
    HandStarted,
    PointsMoved,
    Won,
    decode_event,
)  # fmt: skip

SEED = 20261122
HANDS = 4


@pytest.fixture(scope="module", params=list(RULE_SETS))
def played(request: pytest.FixtureRequest) -> list[Event]:
    begun = GameStarted(rules=request.param)
    return [begun, *(step.event for hand in play(begun, HANDS, random.Random(SEED)) for step in hand.steps)]


def without(events: Iterable[Event | int], *lost: int) -> RescuedGame:
    """The rescue of a game of these events, and steps undone or redone, without these entries."""
    entries = {
        number: GameEntry(number, f"key {number}", "", each, "")
        if isinstance(each, int)
        else GameEntry(number, f"key {number}", encode_pinned(each), 0, "")
        for number, each in enumerate(events, start=1)
    }
    last = len(entries)
    return reenter(Remains(None, {n: each for n, each in entries.items() if n not in lost}, {}, last))


def events_of(rescued: RescuedGame) -> list[Event]:
    """The events that stand; they can all happen."""
    log = GameLog()
    for number, entry in enumerate(rescued.entries, start=1):
        assert entry.number == number
        if entry.event:
            log.enter(decode_event(entry.event))
        else:
            log.move(entry.steps)
    return log.standing


def places(events: list[Event], kind: type[Event]) -> list[int]:
    return [number for number, event in enumerate(events, start=1) if isinstance(event, kind)]


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("kind", [Drawn, Discarded])
def test_a_lost_draw_or_discard_does_not_cost_the_hand(played: list[Event], kind: type[Event]) -> None:
    """Somebody drew or discarded, and only nobody knows what: no more than the win of a hand not known in
    full, or on that discard."""
    for number in places(played, kind)[:20]:
        rescued = without(played, number)
        left_out = [each.number for each in rescued.left_out]
        assert left_out[0] == number
        assert all(isinstance(played[each - 1], Won) for each in left_out[1:]), (left_out, SEED)
        events_of(rescued)


@pytest.mark.parametrize("kind", [HandStarted, Dealt, Discarded, Claimed, Won])
def test_whatever_is_lost_the_other_hands_are_kept(played: list[Event], kind: type[Event]) -> None:
    starts = [*places(played, HandStarted), len(played) + 1]
    for number in places(played, kind)[::7][:6]:
        rescued = without(played, number)
        inside = next((a, b) for a, b in pairwise(starts) if a <= number < b)
        left_out = [each.number for each in rescued.left_out]
        assert left_out[0] == number
        assert all(inside[0] <= each < inside[1] for each in left_out), (left_out, inside, SEED)
        kept = [encode_pinned(event) for n, event in enumerate(played, start=1) if n not in left_out]
        put_in = {each.event for each in rescued.put_in}
        assert [text for text in map(encode_pinned, events_of(rescued)) if text not in put_in] == [
            text for text in kept if text not in put_in
        ]


def test_an_entry_that_cannot_have_happened_is_listed_with_the_reason() -> None:
    deal = [HandStarted(dealer=0), Dealt(), Discarded(seat=0, tile="5m"), Discarded(seat=1, tile="6m")]
    start = GameStarted(rules="hebei")
    rescued = without([start, *deal, HandStarted(dealer=0)], 4)
    # The draw of seat 1 is put in only where it is the very entry that is missing.
    assert [each.number for each in rescued.left_out] == [4, 5]
    assert rescued.left_out[0].why == "Nothing of it is left."
    assert "seat 0" in rescued.left_out[1].why
    assert rescued.left_out[1].text == encode_pinned(deal[3])
    assert [decode_event(each.event) for each in rescued.put_in] == [
        HandAbandoned(why="entries of this game were lost")
    ]


def moved(number: int) -> PointsMoved:
    return PointsMoved(points=(number, -number, 0, 0), why="a bet")


START = GameStarted(rules="hefei")


@pytest.mark.parametrize(
    ("entries", "lost", "standing", "left_out"),
    [
        ([START, moved(1), moved(2), -1, moved(3)], 3, [1, 3], [3, 4]),
        ([START, moved(1), moved(2), -2, moved(3)], 3, [3], [3]),
        ([START, moved(1), moved(2), -2, 2, moved(3)], 2, [2, 3], [2]),
        ([START, moved(1), moved(2), -2, 2, moved(3)], 4, [1, 2, 3], [4, 5]),
        ([START, moved(1), -2], 2, [], [2, 3]),
    ],
)
def test_undo_and_redo_survive_a_rescue(
    entries: list[Event | int], lost: int, standing: list[int], left_out: list[int]
) -> None:
    rescued = without(entries, lost)
    assert [each.number for each in rescued.left_out] == left_out
    assert events_of(rescued)[1:] == [moved(number) for number in standing]


def test_corrections_find_their_event_by_its_new_number() -> None:
    right = Corrected(number=4, right=moved(7))
    rescued = without([START, moved(1), moved(2), moved(3), right], 2)
    assert events_of(rescued)[-1] == Corrected(number=3, right=moved(7))
    rescued = without([START, moved(1), moved(2), moved(3), right], 4)
    assert [(each.number, each.why) for each in rescued.left_out][1:] == [
        (5, "It corrects event 4, which is left out.")
    ]


def test_a_payment_is_cancelled_only_where_its_number_is_certain() -> None:
    cancels = [EntryCancelled(entry=0, why="wrong"), EntryCancelled(entry=2, why="wrong")]
    rescued = without([START, moved(1), moved(2), moved(3), *cancels], 3)
    assert [each.number for each in rescued.left_out] == [3, 6]
    assert events_of(rescued)[-1] == cancels[0]
