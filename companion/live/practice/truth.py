"""The hand in play with everything that is hidden, built again from a log that says what one player saw.

The order of the wall follows from the game's number and the hand's. Where the log says something that cannot
have happened so, as after a correction, it does not fit: EventError.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from companion.coach.simulation import deal_tiles, lay_out, list_tiles
from companion.errors import EventError
from companion.live.deciding import Progress
from companion.live.practice.values import PERSON
from companion.sentences import msgid
from companion.table.apply import apply, fold
from companion.table.events import (
    AddedKong,
    Called,
    Claimed,
    ConcealedKong,
    Corrected,
    Dealt,
    Discarded,
    Drawn,
    Event,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    Won,
    apply_corrections,
)
from companion.table.knowledge import event_as_seen
from companion.table.state import State, changed
from companion.tiles import Tile

NO_FIT = msgid("What is recorded of this hand does not fit its tiles any more.")
KONG_TILES = 4
OWN = (Discarded, Claimed, ConcealedKong, AddedKong, ReadyDeclared, Won)
"""What the person does by a touch."""


@dataclass(frozen=True, slots=True)
class Truth:
    """state: of which all is known; before_win: the one before the first win of the hand, once there is one.
    hand: the number of the hand, the first being 1; events: all that the game's log says by now."""

    state: State
    hand: int
    events: tuple[Event, ...]
    before_win: State | None = None

    @property
    def seat(self) -> int:
        """Of the person."""
        return find_seat(self.state)


def find_seat(state: State) -> int:
    """Where the person sits."""
    return state.seated.index(PERSON)


def shuffle_deck(state: State, hand: int) -> tuple[Tile, ...]:
    """The tiles of that hand's wall, in the order of its places."""
    deck = list_tiles(state.house)
    random.Random(f"{state.house.practice}:{hand}").shuffle(deck)
    return tuple(deck)


def rebuild(progress: Progress, before: Truth | None = None) -> Truth:
    """The truth of a game that stands there. before: the truth of an earlier moment of it, which may be built
    on.

    Raises EventError where the hand in play does not fit.
    """
    events = progress.events
    if before is not None and before.events == events[: len(before.events)]:
        new = events[len(before.events) :]
        if not any(isinstance(event, Corrected) for event in new):
            return _add(before, new, events)
    standing = apply_corrections(events)
    starts = [at for at, event in enumerate(standing) if isinstance(event, HandStarted)]
    if not progress.state.playing:
        return Truth(progress.state, len(starts), events)
    state = fold(standing[: starts[-1]])
    assert state is not None
    return _add(Truth(state, len(starts) - 1, ()), standing[starts[-1] :], events)


def count_own_steps(state: State, events: Sequence[Event]) -> int:
    """How many events at the end of the log have to go for what the person did last not to have happened: a
    move, the beginning of a hand, or a correction. 0 where the game has only begun."""
    seat = find_seat(state)
    for steps, event in enumerate(reversed(events), 1):
        own = isinstance(event, OWN) and event.seat == seat
        if own or isinstance(event, HandStarted | Corrected):
            while isinstance(event, Claimed | Won) and isinstance(events[-steps - 1], Called):
                steps += 1
            return steps
    return 0


def _add(truth: Truth, new: Sequence[Event], events: tuple[Event, ...]) -> Truth:
    """The truth after these events more."""
    state, hand, before_win = truth.state, truth.hand, truth.before_win
    deck = shuffle_deck(state, hand)
    for event in new:
        if isinstance(event, HandStarted):
            hand, before_win = hand + 1, None
            deck = shuffle_deck(state, hand)
        after = apply(state, _reveal(state, event, deck))
        if before_win is None and after.hand is not None and after.hand.results and state.playing:
            before_win = state
        state = after
    return Truth(state, hand, events, before_win)


def _reveal(state: State, event: Event, deck: tuple[Tile, ...]) -> Event:
    """The event with what the person did not see of it. EventError where it was another one."""
    hand, true = state.hand, event
    if hand is None or not state.playing:
        return event
    wall = lay_out(hand.wall, deck)
    match event:
        case Dealt():
            true = deal_tiles(state.house, hand, wall)
        case Drawn(seat=seat):
            tile = wall.replacement_tile if hand.owed else wall.next_tile
            true = Drawn(seat=seat, tile=tile.code if tile else None)
        case IndicatorTurned(dice=dice) if dice is not None:
            tile = wall.turn_indicator(dice).indicator_tile
            true = changed(event, tile=tile.code if tile else event.tile)
        case ConcealedKong(seat=seat, tile=None):
            held = hand.players[seat].concealed
            true = next(
                (changed(event, tile=tile.code) for tile in held if held.count(tile) == KONG_TILES), event
            )
    if event_as_seen(state, true, find_seat(state)) != event_as_seen(state, event, find_seat(state)):
        raise EventError(NO_FIT)
    return true
