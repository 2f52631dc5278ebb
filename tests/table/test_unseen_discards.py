"""Games with discards that nobody saw: the rest goes on as before, and naming them gives the game back."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.errors import EventError
from companion.table.apply import apply, fold
from companion.table.events import (
    Claimed,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameStarted,
    HandStarted,
    ReadyDeclared,
    Won,
    decode_log,
    encode_log,
)
from companion.table.knowledge import count_unseen, event_as_seen
from companion.table.state import HandState, OfferKind, Phase, State
from tests.table.random_table import Table
from tests.table.test_properties import HOUSES, check_counts, check_tiles, played, seeds, slow

ALL = "all"
"""The viewer who sees every tile."""
views = st.sampled_from([None, 0, 2, ALL])


def as_seen(table: Table, viewer: int | str | None) -> list[Event]:
    """The game's events as this viewer sees them; winners show their hands to all."""
    seen = []
    for event, before in zip(table.log, [None, *table.states], strict=False):
        if viewer != ALL or isinstance(event, Won):
            event = event_as_seen(before, event, None if viewer == ALL else viewer)
        seen.append(event)
    return seen


def blanked(events: list[Event], chance: random.Random, share: float) -> tuple[list[Event], list[int]]:
    """The events without the tiles of some discards, and the numbers of these. A win on one of them says
    which it was."""
    found: list[Event] = []
    numbers = []
    last: str | None = None
    for number, event in enumerate(events, start=1):
        if isinstance(event, Discarded):
            last = event.tile
            if chance.random() < share:
                event = Discarded(seat=event.seat)
                numbers.append(number)
        found.append(event)
        state = fold(found[:-1]) if isinstance(event, Won) else None
        if isinstance(event, Won) and state is not None and state.hand is not None:
            offer = state.hand.offer
            if offer is not None and (offer.kind, offer.tile) == (OfferKind.DISCARD, None):
                found[-1] = replace(event, tile=last)
    return found, numbers


def outline(state: State) -> list[object]:
    """What shows of a game without any discard's tile."""
    hand = state.hand
    if hand is None:
        return [state]
    return [
        hand.phase, hand.turn, hand.wall, hand.deal, hand.discards, hand.claims, hand.calls, hand.owed,
        [(x.count, x.melds, x.flowers, x.void, len(x.discards)) for x in hand.players],
        [(x.winner, x.source, x.discarder, x.tile) for x in hand.results], state.hands, state.over,
    ]  # fmt: skip


def hides_a_value(events: list[Event], numbers: list[int], hand: HandState) -> bool:
    """Whether a discard that nobody saw was a Fortune, or that of a hand called ready: wins may be worth more
    or less with it."""
    fortune = None if hand.fortune is None else hand.fortune.code
    return any(
        isinstance(events[number - 2], ReadyDeclared) or getattr(events[number - 1], "tile", "") == fortune
        for number in numbers
    )


@slow
@given(st.sampled_from(HOUSES), seeds, views, st.sampled_from([0.2, 0.6, 1.0]))
def test_a_game_goes_on_as_it_was(
    house: tuple[str, dict], seed: int, viewer: int | str | None, share: float
) -> None:
    events = as_seen(played(*house, seed, hands=1), viewer)
    unseen, numbers = blanked(events, random.Random(seed), share)
    again = [event for _, event in decode_log(encode_log(unseen))]
    assert again == unseen
    right: State | None = None
    state: State | None = None
    for event, with_tile in zip(again, events, strict=True):
        right, state = apply(right, with_tile), apply(state, event)
        assert outline(state) == outline(right)
        hand, truth = state.hand, right.hand
        if hand is None or truth is None or hand.phase is Phase.DEAL:
            continue
        check_tiles(state, hand)
        if hand.phase is not Phase.OVER:
            check_counts(state, hand)
        assert all(known <= true for known, true in zip(hand.known, truth.known, strict=True))
        for player, true in zip(hand.players, truth.players, strict=True):
            assert all(a in (None, b) for a, b in zip(player.discards, true.discards, strict=True))
    assert state is not None
    assert right is not None
    assert right.hand is not None
    if not hides_a_value(events, numbers, right.hand):
        assert (state.points, state.deal) == (right.points, right.deal)


@slow
@given(st.sampled_from(HOUSES), seeds, views)
def test_naming_what_nobody_saw_gives_the_game_as_it_was(
    house: tuple[str, dict], seed: int, viewer: int | str | None
) -> None:
    """In any order, some before others."""
    events = as_seen(played(*house, seed, hands=2), viewer)
    unseen, numbers = blanked(events, random.Random(seed), 0.5)
    random.Random(seed).shuffle(numbers)
    corrections = [Corrected(number=number, right=events[number - 1]) for number in numbers]
    assert fold([*unseen, *corrections]) == fold(events)
    assert fold([*unseen, *corrections[::2]]) is not None


@slow
@given(st.sampled_from(HOUSES), seeds)
def test_unseen_discard_counts_as_unseen(house: tuple[str, dict], seed: int) -> None:
    events = as_seen(played(*house, seed, hands=1), None)
    unseen, _ = blanked(events, random.Random(seed), 0.5)
    at = next((at for at, event in enumerate(unseen) if isinstance(event, Won)), len(unseen) - 1)
    state, truth = fold(unseen[:at]), fold(events[:at])
    assert state is not None
    assert state.hand is not None
    assert truth is not None
    rivers = [tile for player in state.hand.players for tile in player.discards]
    assert sum(count_unseen(state, None)) == sum(count_unseen(truth, None)) + rivers.count(None)


BEGUN: list[Event] = [GameStarted(rules="hebei"), HandStarted(dealer=0), Dealt(), Discarded(seat=0)]


@pytest.mark.parametrize(
    ("since", "tile", "words"),
    [
        ([Claimed(seat=2, meld="p555m")], "6m", "Event 5: p555m does not hold the tile on offer, 6m."),
        ([Claimed(seat=1, meld="c345m")], "6m", "Event 5: c345m does not hold the tile on offer, 6m."),
        (
            [Won(seat=1, hand="123p456p789p99s345m", tile="5m")],
            "2m",
            "Event 5: Seat 1 cannot win on 5m: the tile is 2m.",
        ),
        (
            [Claimed(seat=2, meld="k5555m"), Drawn(seat=2), Discarded(seat=2, tile="1z")],
            "1z",
            "Event 5: k5555m does not hold the tile on offer, 1z.",
        ),
    ],
)
def test_a_tile_that_what_followed_contradicts_is_refused(since: list[Event], tile: str, words: str) -> None:
    log = [*BEGUN, *since]
    assert fold(log) is not None
    with pytest.raises(EventError) as error:
        fold([*log, Corrected(number=4, right=Discarded(seat=0, tile=tile))])
    assert str(error.value) == words


def test_one_tile_too_many_is_found_where_the_last_of_them_comes() -> None:
    log = [*BEGUN, Drawn(seat=1), Discarded(seat=1, tile="5m"), Claimed(seat=2, meld="p555m")]
    assert fold([*log, Corrected(number=4, right=Discarded(seat=0, tile="5m"))]) is not None
    log = [*log, Discarded(seat=2, tile="5m")]
    with pytest.raises(EventError, match="Event 8: This game has only 4 of 5m"):
        fold([*log, Corrected(number=4, right=Discarded(seat=0, tile="5m"))])
