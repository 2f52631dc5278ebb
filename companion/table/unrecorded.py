"""What stands in the log for the part of a hand that nobody recorded, so that its end can be entered.

A table may record only who won. Then the draws and discards before the win are there as ones that nobody saw.
"""

from __future__ import annotations

from companion.errors import EventError
from companion.table import messages
from companion.table.apply import apply
from companion.table.events import Dealt, Discarded, Drawn, Event, HandStarted
from companion.table.possible import find_way
from companion.table.state import HandState, OfferKind, Phase, State

ROUNDS = 2
"""So often everybody has discarded before the win: in the first round wins have names of their own."""


def begin_unrecorded(state: State) -> tuple[Event, ...]:
    """The beginning of a hand of which nothing is known but who deals. Empty while one is in play."""
    return () if state.playing else (HandStarted(dealer=state.deal.dealer), Dealt())


def pass_turns(state: State, winner: int, discarder: int | None = None) -> tuple[Event, ...]:
    """The draws and discards that nobody saw until `winner` can win: on a discard of `discarder`, which lies
    on offer then, or on a tile just drawn.

    Every player has discarded twice by then. EventError where that cannot be, as before the
    Fortune's indicator is known.
    """
    passed: list[Event] = []
    while not _is_reached(state, winner, discarder):
        seat = _require_hand(state).turn
        event = Discarded(seat=seat) if _has_drawn(state) else Drawn(seat=seat)
        way = find_way(state, event) or (event,)
        for each in way:
            state = apply(state, each)
        passed += way
    return tuple(passed)


def exhaust_wall(state: State) -> tuple[Event, ...]:
    """The draws and discards that nobody saw until nothing is left to draw, so that `hand_drawn` can follow.
    EventError where that cannot be."""
    passed: list[Event] = []
    while (hand := _require_hand(state)).wall.live_left or hand.phase is Phase.TURN:
        seat = state.house.following[hand.turn] if hand.phase is Phase.SEA else hand.turn
        event = Discarded(seat=seat) if _has_drawn(state) else Drawn(seat=seat)
        for each in find_way(state, event) or (event,):
            state = apply(state, each)
            passed.append(each)
    return tuple(passed)


def _is_reached(state: State, winner: int, discarder: int | None) -> bool:
    hand = _require_hand(state)
    if any(hand.players[seat].discarded < ROUNDS for seat in state.house.seats):
        return False
    if discarder is None:
        return _has_drawn(state) and hand.turn == winner
    offer = hand.offer
    return offer is not None and offer.kind is OfferKind.DISCARD and offer.seat == discarder


def _has_drawn(state: State) -> bool:
    """Whether a discard is next: of the dealer, even before the flowers of the deal are out."""
    return _require_hand(state).phase in (Phase.TURN, Phase.READY, Phase.FLOWERS)


def _require_hand(state: State) -> HandState:
    if state.hand is None:
        raise EventError(messages.NO_HAND, event="won")
    return state.hand
