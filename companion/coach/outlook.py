"""What estimates of one position start from: what is left, how the hand goes on by chance, what hands pay."""

from __future__ import annotations

from typing import NamedTuple

from companion.coach.course import Course, Rates, foresee, load_rates
from companion.coach.judge import Judge
from companion.coach.payoff import Memory, Payoff
from companion.coach.seen import Seen, count_left
from companion.coach.standing import Standings
from companion.rules.hand import Wild
from companion.tiles import MeldKind, Tile


class Outlook(NamedTuple):
    """One player's position. left: of each of the 42 kinds, how many are unseen. chows: whether they
    may be claimed in this game. standings: how its hands stand."""

    judge: Judge
    payoff: Payoff
    course: Course
    rates: Rates
    fortune: Tile | None
    left: tuple[int, ...]
    chows: bool
    standings: Standings

    @classmethod
    def of(cls, judge: Judge, seen: Seen, memory: Memory | None = None) -> Outlook:
        """Of the position that is seen; `memory` of what hands were found to pay."""
        payoff, fortune, left = Payoff(seen, memory), seen.hand.fortune, count_left(seen)
        return cls(
            judge, payoff, foresee(seen), load_rates(judge.rules.name), fortune, left,
            MeldKind.CHOW in seen.state.house.melds, Standings(judge, payoff, fortune, left),
        )  # fmt: skip

    @property
    def wild(self) -> Wild | None:
        """The kind that is wild, if the game has one."""
        return self.judge.rules.wild(self.judge.options, self.fortune)
