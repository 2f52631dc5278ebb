"""Of hands that were shown: which they may be, and what a person is asked about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from companion.following.beam import Judged, weigh
from companion.following.notices import Asked, Notice, Stated
from companion.table.events import Won

ASK_BELOW = 0.9
"""What reads more surely is not asked about: of a discard it is then doubtful who discarded it."""
CHOICES_MOST = 4
"""So many answers are named."""
WINNERS_MOST = 3


def weigh_hands(judged: Judged, seat: int) -> Counter[Won]:
    """The wins of that player that may have been, with their weights."""
    hands: Counter[Won] = Counter()
    for (_, hypothesis), weight in zip(judged, weigh(judged), strict=True):
        events = (each.event for each in islice(hypothesis.step.back(), WINNERS_MOST))
        named = next((each for each in events if isinstance(each, Won) and each.seat == seat), None)
        if named is not None:
            hands[named] += weight  # type: ignore[assignment]
    return hands


def ask_about_hands(judged: Judged, notices: Sequence[Notice]) -> list[Notice]:
    """A question about each hand that is stated in `notices`, and of which it is doubtful what it holds."""
    asked: list[Notice] = []
    for each in notices:
        if not isinstance(each, Stated) or not isinstance(each.event, Won) or each.event.hand is None:
            continue
        hands: Counter[str] = Counter()
        for won, weight in weigh_hands(judged, each.event.seat).items():
            hands[" ".join((won.hand or "", *won.kongs))] += weight
        choices = tuple(text for text, _ in hands.most_common(CHOICES_MOST))
        if len(choices) > 1 and hands[choices[0]] < ASK_BELOW * hands.total():
            asked.append(Asked(each.t, each.number, "won", choices))
    return asked
