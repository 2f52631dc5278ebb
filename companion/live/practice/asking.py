"""What the person at a practice table may do now. Pure; `apply` alone says what is legal."""

from __future__ import annotations

from companion.coach.play.simulation import find_actor
from companion.coach.seen import SeatView, observe
from companion.coach.value.choices import list_branches
from companion.coach.value.judge import Judge, make_hand_view
from companion.errors import EventError, InputError
from companion.live.practice.values import Asked
from companion.table.apply import apply
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Discarded,
    Event,
    HandDrawn,
    ReadyDeclared,
)
from companion.table.moves import find_flower
from companion.table.state import Phase, State
from companion.table.wins import would_win


def ask(state: State, seat: int, judge: Judge) -> Asked | None:
    """What that seat may do in `state`, of which all is known; None where there is nothing to choose."""
    if state.hand is None or not state.playing:
        return None
    seen = observe(state, seat)
    if find_actor(state) == seat:
        return _ask_on_turn(state, seen, judge)
    return _ask_aside(state, seen)


def _ask_on_turn(state: State, seen: SeatView, judge: Judge) -> Asked | None:
    seat, hand = seen.seat, seen.hand
    if find_flower(seen.player) is not None:
        return None  # it is set out at once
    wins = hand.phase is not Phase.READY and would_win(seen.state, seat) is not None
    if hand.phase is Phase.SEA:
        return Asked(seat, wins=True, passes=True) if wins else None
    events = _list_events(state, seen)
    discards = tuple(event for event in events if isinstance(event, Discarded))
    ready = _find_ready(state, seen, judge)
    if hand.phase is Phase.READY:
        discards = _keep_ready(seen, discards, judge)
    kongs = tuple(event for event in events if isinstance(event, ConcealedKong | AddedKong))
    return Asked(seat, discards, (), kongs, ready, wins=wins)


def _ask_aside(state: State, seen: SeatView) -> Asked | None:
    """Of another's tile, and of the last one in the wall."""
    seat, hand = seen.seat, seen.hand
    offered = hand.offer is not None and hand.offer.seat != seat
    wins = offered and would_win(seen.state, seat) is not None
    claims = tuple(event for event in _list_events(state, seen) if isinstance(event, Claimed))
    leave: HandDrawn | None = None
    is_last = hand.phase is Phase.CLAIM and hand.turn == seat and hand.wall.live_left == 1
    if is_last and state.house.policy.last_tile.may_decline:
        leave = HandDrawn(declined_by=seat)
    if not wins and not claims and leave is None:
        return None
    return Asked(seat, claims=claims, leave=leave, wins=wins, passes=True)


def _list_events(state: State, seen: SeatView) -> list[Event]:
    """All that the seat may do but win, ready calls and the last tile left aside."""
    try:
        branches = list_branches(seen)
    except InputError:
        return []
    return [branch.do for branch in branches if branch.do is not None and _can_happen(state, branch.do)]


def _can_happen(state: State, event: Event) -> bool:
    try:
        apply(state, event)
    except EventError:
        return False
    return True


def _find_ready(state: State, seen: SeatView, judge: Judge) -> ReadyDeclared | None:
    """The call that the hand is ready, where some discard leaves it so."""
    if seen.hand.phase is not Phase.TURN or not state.house.policy.ready.declared or seen.player.ready:
        return None
    event = ReadyDeclared(seat=seen.seat)
    best = judge.discards(make_hand_view(seen))[0].after
    return event if best.shanten == 0 and best.live and _can_happen(state, event) else None


def _keep_ready(seen: SeatView, discards: tuple[Discarded, ...], judge: Judge) -> tuple[Discarded, ...]:
    """Those after which a hand that was called ready is."""
    found = {each.discard.code for each in judge.discards(make_hand_view(seen)) if each.after.shanten == 0}
    return tuple(event for event in discards if event.tile in found) or discards
