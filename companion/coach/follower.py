"""A player that does what the coach advises, for measuring the advice; and players of several kinds at one
table."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.coach.advice import Advice, Coach, Level
from companion.coach.judge import Judge
from companion.coach.player import Answer, BuiltIn
from companion.coach.seen import Seen, look
from companion.table.events import Claimed, Discarded, Event, Won
from companion.table.state import State

Chooser = Callable[[Seen, float], Event | None]
"""What to do by what is seen, within so many seconds."""


@dataclass
class Spent:
    """How many decisions there were, and the seconds of the processor that they took."""

    decisions: int = 0
    seconds: float = 0.0


class Follower(BuiltIn):
    """Wins, sets out flowers, calls ready and lays kongs as a built-in player does; discards and claims as it
    is advised. `budget`: seconds of the processor for a decision, about."""

    def __init__(self, judge: Judge, choose: Chooser, budget: float) -> None:
        super().__init__(judge)
        self._choose, self._budget = choose, budget
        self.spent = Spent()

    def act(self, state: State, seat: int) -> Event | None:
        """As BuiltIn, but for the tile that is discarded."""
        usual = super().act(state, seat)
        if not isinstance(usual, Discarded) or _is_gamble(state, seat):
            return usual
        chosen = self._ask(state, seat)
        return chosen if isinstance(chosen, Discarded) else usual

    def answer(self, state: State, seat: int) -> Answer | None:
        """As BuiltIn for wins; claims as advised, where the built-in player sees anything in the tile."""
        usual = super().answer(state, seat)
        if not isinstance(usual, Claimed):
            return usual
        chosen = self._ask(state, seat)
        return chosen if isinstance(chosen, Claimed) else None

    def _ask(self, state: State, seat: int) -> Event | None:
        began = time.process_time()
        chosen = self._choose(look(state, seat), self._budget)
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
    """Chooses the best of the coach's full advice."""
    coach = Coach(judge)

    def choose(seen: Seen, budget: float) -> Event | None:
        began = time.process_time()
        best: Advice | None = None
        for best in coach.advise(
            seen, Level.FULL, lambda: time.process_time() - began > budget, mind_danger=mind_danger
        ):
            if best.choices[0].value is not None and time.process_time() - began > budget / 2:
                break
        assert best is not None
        return next((each.do for each in best.choices if not isinstance(each.do, Won)), None)

    return choose


def choose_first(seen: Seen, budget: float) -> Event | None:
    """The same in every position: the discard of the lowest kind, and no claim."""
    player = seen.player
    if seen.hand.offer is not None and seen.hand.offer.seat != seen.seat:
        return None
    return Discarded(seat=seen.seat, tile=min(player.concealed).code)


def _is_gamble(state: State, seat: int) -> bool:
    """Whether what may be discarded is bound to the tile drawn."""
    hand = state.hand
    return hand is not None and bool(hand.players[seat].ready or hand.players[seat].gambits)
