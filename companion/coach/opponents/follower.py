"""A player that follows advice: it wins and sets out flowers as a built-in player, the rest is advised."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from companion.coach.advice import BestChoice, Coach
from companion.coach.play.player import Answer, BuiltIn
from companion.coach.results import Level
from companion.coach.seen import SeatView, observe
from companion.coach.value.choices import find_win
from companion.coach.value.judge import Judge
from companion.errors import EventError
from companion.table.apply import apply
from companion.table.claims import list_claims
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Discarded,
    Event,
    ReadyDeclared,
    WinPassed,
    Won,
)
from companion.table.state import OfferKind, Phase, State

Turns = Discarded | ReadyDeclared | ConcealedKong | AddedKong
"""Advised events of a turn, except for winning."""
Chooser = Callable[[SeatView, float], BestChoice | None]
"""The choice for a position, within this number of seconds."""


@dataclass
class Spent:
    """How many decisions there were, and the seconds of the processor that they took."""

    decisions: int = 0
    seconds: float = 0.0


class Follower(BuiltIn):
    """Wins and sets out flowers as a built-in player does; discards, calls ready, declares kongs and claims
    as advised.

    `budget`: seconds of processor time for a decision, about.
    """

    def __init__(self, judge: Judge, choose: Chooser, budget: float) -> None:
        super().__init__(judge)
        self._choose, self._budget = choose, budget
        self.spent = Spent()

    def act(self, state: State, seat: int) -> Event | None:
        """As BuiltIn, but for the tile that is discarded, for kongs, and for calling ready."""
        usual = super().act(state, seat)
        if not isinstance(usual, Turns) or _is_bound(state, seat):
            return usual
        advice = self._ask(state, seat)
        return advice.do if advice is not None and isinstance(advice.do, Turns) else usual

    def _win_or_wait(self, state: State, seat: int) -> Answer:
        """The win on the tile on offer, unless waiting is surely worth more and it may be passed up."""
        passed = WinPassed(seat=seat)
        pay = find_win(observe(state, seat))
        hand = state.hand
        if hand is None or hand.offer is None or hand.offer.kind is not OfferKind.DISCARD or pay is None:
            return Won(seat=seat)
        try:
            apply(state, passed)
        except EventError:
            return Won(seat=seat)
        advice = self._ask(state, seat)
        waits = advice is not None and advice.do is None and advice.value - advice.error > pay
        return passed if waits else Won(seat=seat)

    def answer(self, state: State, seat: int) -> Answer | None:
        """Wins if nothing that is advised is worth more; claims as advised."""
        usual = super().answer(state, seat)
        if isinstance(usual, Won | WinPassed):
            return self._win_or_wait(state, seat)
        hand = state.hand
        if hand is None or not list_claims(state.house, hand, seat):
            return None
        advice = self._ask(state, seat)
        return advice.do if advice is not None and isinstance(advice.do, Claimed) else None

    def _ask(self, state: State, seat: int) -> BestChoice | None:
        began = time.process_time()
        chosen = self._choose(observe(state, seat, calls_known=True), self._budget)
        self.spent.decisions += 1
        self.spent.seconds += time.process_time() - began
        return chosen


def follow_coach(judge: Judge, *, mind_danger: bool = True) -> Chooser:
    """Follows the coach's advice: its first estimate where `budget` is 0."""
    coach = Coach(judge)

    def choose(seen: SeatView, budget: float) -> BestChoice | None:
        if not budget:
            return coach.decide(seen, mind_danger)
        began = time.process_time()
        *_, best = coach.advise(
            seen, Level.FULL, lambda: time.process_time() - began > budget, mind_danger=mind_danger
        )
        chosen = next((each for each in best.choices if not isinstance(each.do, Won)), None)
        if chosen is None or chosen.value is None:
            return None
        wins, deal_in, error = chosen.win_rate or 0.0, chosen.deal_in or 0.0, chosen.value_error or 0.0
        return BestChoice(chosen.do, chosen.then, chosen.value, wins, deal_in, error)

    return choose


def _is_bound(state: State, seat: int) -> bool:
    """Whether what may be discarded is bound to the tile drawn."""
    hand = state.hand
    if hand is None or hand.phase is Phase.READY:
        return False
    return bool(hand.players[seat].ready or hand.players[seat].gambits)
