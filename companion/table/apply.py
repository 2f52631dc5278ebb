"""`apply(state, event)`: the state after an event, or an EventError: what is wrong, what would be right.

Pure, and the one way in which a state comes about. What each event does stands in the file of its part of
the game; which games do what differently is declared in their rule sets and plays, nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.errors import EventError
from companion.table import (
    between_hands,
    calls,
    claims,
    endings,
    events,
    kongs,
    ledger,
    messages,
    settling,
    turns,
)
from companion.table.events import Event, GameStarted
from companion.table.log import number_corrected
from companion.table.state import HandState, Phase, State

IN_HAND: dict[type, Callable[[State, HandState, Any], State]] = {
    events.Drawn: turns.apply_drawn,
    events.Discarded: turns.apply_discarded,
    events.Called: calls.apply_called,
    events.Claimed: claims.apply_claimed,
    events.ConcealedKong: kongs.apply_concealed_kong,
    events.AddedKong: kongs.apply_added_kong,
    events.FlowerSetOut: turns.apply_flower_set_out,
    events.ReadyDeclared: turns.apply_ready_declared,
    events.Dealt: between_hands.apply_dealt,
    events.IndicatorTurned: between_hands.apply_indicator_turned,
    events.Won: endings.apply_won,
    events.WinPassed: calls.apply_win_passed,
    events.FalseWin: endings.apply_false_win,
    events.HandVoided: endings.apply_hand_voided,
    events.HandDrawn: endings.apply_hand_drawn,
    events.HandAbandoned: between_hands.apply_hand_abandoned,
}
"""What happens in a hand only."""
BEFORE_PLAY: dict[Phase, tuple[type, ...]] = {
    Phase.DEAL: (events.Dealt,),
    Phase.INDICATOR: (events.IndicatorTurned,),
}
"""What alone may come next in these phases, and at no other time."""
ONCE = (events.Dealt, events.IndicatorTurned)
BETWEEN_HANDS: dict[type, Callable[[State, Any], State]] = {
    events.HandStarted: between_hands.apply_hand_started,
    events.SeatsChanged: between_hands.apply_seats_changed,
    events.DealSet: between_hands.apply_deal_set,
    events.GameEnded: between_hands.apply_game_ended,
    events.HandShown: endings.apply_hand_shown,
}
"""What happens between hands only."""
ANY_TIME: dict[type, Callable[[State, Any], State]] = {
    events.PointsMoved: ledger.apply_points_moved,
    events.EntryCancelled: ledger.apply_entry_cancelled,
    events.CurrencyAgreed: settling.apply_currency_agreed,
}


def apply(state: State | None, event: Event) -> State:
    """The state after the event; `state` is None before the first. EventError refuses it, with the ruling."""
    kind = type(event)
    if state is None:
        if isinstance(event, GameStarted):
            return between_hands.apply_game_started(event)
        raise EventError(messages.NO_GAME, event=_name(kind))
    step = IN_HAND.get(kind)
    if step is not None:
        hand = state.hand
        if hand is None or (hand.phase is Phase.OVER and kind is not events.Won):
            raise EventError(messages.NO_HAND, event=_name(kind))
        only = BEFORE_PLAY.get(hand.phase)
        if only is None:
            if kind in ONCE:
                raise EventError(messages.DEALT_ALREADY, event=_name(kind))
        elif kind not in only and kind is not events.HandAbandoned:
            raise EventError(messages.DEAL_FIRST, event=_name(kind), right=_name(only[0]))
        return step(state, hand, event)
    between = BETWEEN_HANDS.get(kind)
    if between is not None:
        if state.playing:
            raise EventError(messages.HAND_IN_PLAY, event=_name(kind))
        if state.over and kind is events.HandStarted:
            ruling = state.house.play.length_ruling
            raise EventError(messages.GAME_OVER, hands=state.hands, ruling=ruling)
        return between(state, event)
    always = ANY_TIME.get(kind)
    if always is not None:
        return always(state, event)
    raise EventError(messages.STARTED_ALREADY if kind is GameStarted else messages.WHOLE_LOG)


def fold(log: Iterable[Event]) -> State | None:
    """The state after a whole log, corrections in their place; None after an empty one."""
    state: State | None = None
    for number, event in number_corrected(log):
        try:
            state = ledger.check_length(apply(state, event))
        except EventError as problem:
            raise EventError(
                messages.AT_EVENT, number=number, problem=problem, ruling=problem.ruling
            ) from None
    return state


def _name(kind: type[Event]) -> str:
    return str(kind.__struct_config__.tag)
