"""Table points: what the places at a table are worth. Pure.

Which places there are follows from the points of the round; players with equal points share their places and
what these are worth, as in tournaments of the European Mahjong Association.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from companion.club import messages
from companion.errors import InputError

SEATS = 4
UMA_MAX = 1_000_000
DEFAULT_UMA = (15, 5, -5, -15)
"""Of the European Mahjong Association's riichi rules (2016), in thousands there. Since it adds up to 0, a
round sat out costs nothing. Chinese Official tournaments use 4, 2, 1, 0."""


def check_uma(uma: Sequence[int]) -> list[int]:
    """`uma` for the first to the fourth place. Raises InputError for anything but four whole numbers, none
    above the one before."""
    values = list(uma)
    is_uma = len(values) == SEATS and all(type(each) is int and abs(each) <= UMA_MAX for each in values)
    if not is_uma or values != sorted(values, reverse=True):
        raise InputError(messages.WRONG_UMA)
    return values


def find_places(points: Sequence[int]) -> tuple[int, ...]:
    """The place of each, from 1; players with equal points share the best of their places."""
    return tuple(1 + sum(other > own for other in points) for own in points)


def share_uma(points: Sequence[int], uma: Sequence[int]) -> tuple[Fraction, ...]:
    """The table points of each of four players: the mean of what the places are worth that they share. They
    always add up to the sum of `uma`; where nobody's points differ (a drawn round), all have the same."""
    ordered = sorted(points, reverse=True)
    shares = {
        own: Fraction(sum(uma[at] for at, each in enumerate(ordered) if each == own), ordered.count(own))
        for own in ordered
    }
    return tuple(shares[own] for own in points)


def find_mean(uma: Sequence[int]) -> Fraction:
    """The table points of a present player who sits a round out: the mean of `uma`."""
    return Fraction(sum(uma), len(uma))
