"""What the reviewed hands of an evening come to, for each player."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from msgspec import Struct

from companion.coach.mistakes import Mistake
from companion.coach.review import Decision, Grade


class ReviewedHand(Struct, frozen=True):
    """The decisions of one hand, in order. number: of the hand, as the score sheet counts; one that does not
    count and the one dealt for it share theirs. counts: whether it does."""

    number: int
    decisions: tuple[Decision, ...]
    counts: bool = True


class PersonReview(Struct, frozen=True):
    """One player's evening.

    decisions: how many could be rated; unrated: discards of hands that are not known. cost: of all rated
    decisions together, in what the game is paid in. worst_hand: the number of the costliest hand that counts
    and what it cost, None where nothing did. grades, mistakes: how often each, of rated decisions, the
    mistakes that cost most first; mistake_costs: what each kind cost. deal_ins: how often a discard was won
    on, `avoidable` of them where a better tile was there.
    """

    person: int
    decisions: int
    unrated: int
    cost: float
    worst_hand: tuple[int, float] | None
    grades: dict[Grade, int]
    mistakes: dict[Mistake, int]
    mistake_costs: dict[Mistake, float]
    deal_ins: int
    avoidable: int

    @property
    def mean_cost(self) -> float:
        """Of a rated decision."""
        return self.cost / self.decisions if self.decisions else 0.0


def sum_up(hands: Iterable[ReviewedHand]) -> tuple[PersonReview, ...]:
    """The evening of everybody who decided anything, in the order of the people."""
    own: dict[int, list[tuple[ReviewedHand, Decision]]] = defaultdict(list)
    for hand in hands:
        for decision in hand.decisions:
            own[decision.person].append((hand, decision))
    return tuple(_sum_up_one(person, own[person]) for person in sorted(own))


def _sum_up_one(person: int, own: list[tuple[ReviewedHand, Decision]]) -> PersonReview:
    rated = [(hand, each) for hand, each in own if each.is_rated]
    costs: dict[int, float] = defaultdict(float)
    for hand, each in rated:
        if hand.counts:
            costs[hand.number] += each.cost
    worst = max(costs.items(), key=lambda each: each[1], default=None)
    mistakes, spent = Counter[Mistake](), defaultdict[Mistake, float](float)
    for _, each in rated:
        if each.mistake is not None:
            mistakes[each.mistake] += 1
            spent[each.mistake] += each.cost
    kinds = sorted(mistakes, key=lambda kind: -spent[kind])
    return PersonReview(
        person=person,
        decisions=len(rated),
        unrated=len(own) - len(rated),
        cost=sum(each.cost for _, each in rated),
        worst_hand=worst if worst is not None and worst[1] > 0 else None,
        grades=dict(Counter(each.grade for _, each in rated)),
        mistakes={kind: mistakes[kind] for kind in kinds},
        mistake_costs={kind: spent[kind] for kind in kinds},
        deal_ins=sum(each.dealt_in for _, each in own),
        avoidable=sum(each.dealt_in and each.mistake is Mistake.DEALT_IN for _, each in rated),
    )
