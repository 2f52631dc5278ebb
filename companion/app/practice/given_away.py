"""What the person gave away in a practice game: the decisions of each finished hand, rated by the coach, and
their sums. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from companion.coach.advice import make_coach
from companion.coach.results import RatedDecision
from companion.coach.review import Reviewer
from companion.live.practice_hand import PERSON
from companion.sheets.hands import SheetHand, list_steps, make_sheet
from companion.table.events import Event

WORST_SHOWN = 2


@dataclass(frozen=True, slots=True)
class HandCost:
    """What the person's decisions in one hand cost. number: of the hand on the score sheet; events: all of
    it, each with its number; decisions: of the person. A decision costs the difference between the coach's
    best choice and the person's, in points; 0 where it is within the error of the coach's value."""

    number: int
    events: tuple[tuple[int, Event], ...]
    decisions: tuple[RatedDecision, ...]

    @property
    def cost(self) -> float:
        """Points given away, expected payments."""
        return sum(each.cost for each in self.decisions)

    @property
    def costly(self) -> tuple[RatedDecision, ...]:
        """The decisions that cost something, the worst first."""
        return tuple(sorted((each for each in self.decisions if each.cost), key=lambda each: -each.cost))


@dataclass(frozen=True, slots=True)
class GivenAway:
    """hands: those that are rated, in order. due: the numbers of all finished hands. rated: how many
    decisions of the hand that is being rated are."""

    hands: tuple[HandCost, ...] = ()
    due: tuple[int, ...] = ()
    rated: int = 0

    @property
    def is_done(self) -> bool:
        return len(self.hands) == len(self.due)

    @property
    def last(self) -> HandCost | None:
        """The last hand, once it is rated: it is rated first."""
        return next((hand for hand in self.hands if hand.number == self.due[-1]), None)

    @property
    def cost(self) -> float:
        """Points given away in all hands that are rated."""
        return sum(hand.cost for hand in self.hands)

    @property
    def best_share(self) -> float:
        """How often the person made the best choice, 0 to 1."""
        decisions = [each for hand in self.hands for each in hand.decisions]
        return sum(not each.cost for each in decisions) / max(1, len(decisions))

    @property
    def best_hand(self) -> HandCost | None:
        """The one that cost least."""
        return min(self.hands, key=lambda hand: hand.cost, default=None)

    @property
    def worst_hand(self) -> HandCost | None:
        """The one that cost most."""
        return max(self.hands, key=lambda hand: hand.cost, default=None)


def rate_game(
    events: Sequence[Event], known: Sequence[HandCost], stop: Callable[[], bool]
) -> Iterator[GivenAway]:
    """Rate the person's decisions in every finished hand of the game, the last hand first; what is `known` of
    hands that have not changed is kept. Answers as they come."""
    hands = [hand for hand in make_sheet(list(events)).hands if hand.finished and not hand.abandoned]
    before = {cost.events: cost for cost in known}
    due = tuple(hand.number for hand in hands)
    found = {hand.number: before[hand.events] for hand in hands if hand.events in before}

    def tell(rated: int = 0) -> GivenAway:
        return GivenAway(tuple(found[number] for number in sorted(found)), due, rated)

    yield tell()
    for hand in reversed(hands):
        if hand.number in found:
            continue
        decisions: tuple[RatedDecision, ...] = ()
        for decision in _rate(hand, stop):
            decisions = (*decisions, decision)
            yield tell(len(decisions))
        if stop():
            return
        found[hand.number] = HandCost(hand.number, hand.events, decisions)
        yield tell()


def _rate(hand: SheetHand, stop: Callable[[], bool]) -> Iterator[RatedDecision]:
    steps = [(step.number, step.event, step.state) for step in list_steps(hand)]
    seat = (hand.after.hand or hand.after).seated.index(PERSON)
    for decision in Reviewer(make_coach(hand.before.house), stop).review_hand(hand.before, steps, (seat,)):
        if decision.is_rated:
            yield decision
