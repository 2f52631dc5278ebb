"""A player that does what the coach advises, for measuring the advice; and players of several kinds at one
table."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.coach.advice import Coach, Decision, Level
from companion.coach.choices import find_win
from companion.coach.judge import Judge
from companion.coach.player import Answer, BuiltIn
from companion.coach.seen import Seen, look
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
"""What is done on a turn but winning, as it is advised."""
Chooser = Callable[[Seen, float], Decision | None]
"""What to do by what is seen, within so many seconds."""


@dataclass
class Spent:
    """How many decisions there were, and the seconds of the processor that they took."""

    decisions: int = 0
    seconds: float = 0.0


class Follower(BuiltIn):
    """Wins and sets out flowers as a built-in player does; discards, calls ready, lays kongs and claims as it
    is advised. `budget`: seconds of the processor for a decision, about."""

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
        pay = find_win(look(state, seat))
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
        """Wins where nothing that is advised is worth more; claims as advised."""
        usual = super().answer(state, seat)
        if isinstance(usual, Won | WinPassed):
            return self._win_or_wait(state, seat)
        hand = state.hand
        if hand is None or not list_claims(state.house, hand, seat):
            return None
        advice = self._ask(state, seat)
        return advice.do if advice is not None and isinstance(advice.do, Claimed) else None

    def _ask(self, state: State, seat: int) -> Decision | None:
        began = time.process_time()
        chosen = self._choose(look(state, seat, calls_told=True), self._budget)
        self.spent.decisions += 1
        self.spent.seconds += time.process_time() - began
        return chosen


@dataclass
class Seated:
    """Players by seat, in the place of one that plays all."""

    players: tuple[BuiltIn, ...] = field(default_factory=tuple)

    def act(self, state: State, seat: int) -> Event | None:
        """What the player of that seat does on its turn."""
        return self.players[seat].act(state, seat)

    def answer(self, state: State, seat: int) -> Answer | None:
        """What the player of that seat would do with the tile on offer."""
        return self.players[seat].answer(state, seat)

    def wins_by_flowers(self, state: State, seat: int) -> bool:
        """Whether the player of that seat wins by flowers alone."""
        return self.players[seat].wins_by_flowers(state, seat)

    def declines(self, state: State, seat: int) -> bool:
        """Whether the player of that seat leaves the last tile."""
        return self.players[seat].declines(state, seat)


def follow_coach(judge: Judge, *, mind_danger: bool = True) -> Chooser:
    """Does what the coach's advice says: by its first estimate where `budget` is 0."""
    coach = Coach(judge)

    def choose(seen: Seen, budget: float) -> Decision | None:
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
        return Decision(chosen.do, chosen.then, chosen.value, wins, deal_in, error)

    return choose


def choose_first(seen: Seen, budget: float) -> Decision | None:
    """The same in every position: the discard of the lowest kind, and no claim."""
    player = seen.player
    if seen.hand.offer is not None and seen.hand.offer.seat != seen.seat:
        return None
    return Decision(Discarded(seat=seen.seat, tile=min(player.concealed).code), None, 0.0, 0.0, 0.0)


def _is_bound(state: State, seat: int) -> bool:
    """Whether what may be discarded is bound to the tile drawn."""
    hand = state.hand
    if hand is None or hand.phase is Phase.READY:
        return False
    return bool(hand.players[seat].ready or hand.players[seat].gambits)
