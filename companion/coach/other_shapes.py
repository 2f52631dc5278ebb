"""What hands lack to shapes other than sets and a pair, after a discard or a draw, many hands at once.

Hands are counts of the 36 places of companion.coach.reach, without wildcards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.coach.reach import PLACES, Lacks
from companion.rules.distance import UNREACHABLE
from companion.rules.hand import Hand
from companion.rules.many import measure_lacks
from companion.rules.shapes import Game, Shape
from companion.rules.tables import COPIES

KINDS_OF_HANDS = 34
Places = NDArray[np.intp]
_EVERY = np.arange(PLACES)


class OtherShape:
    """One shape, and one hand's distance from it."""

    def __init__(self, shape: Shape, hand: Hand, game: Game) -> None:
        self._shape, self._game = shape, game
        self._hand = np.array([sum(hand.suits, ()) + (0,) * (PLACES - KINDS_OF_HANDS)], np.uint8)

    @property
    def now(self) -> int:
        """What the hand lacks."""
        return int(self._measure(self._hand)[0])

    def after_discards(self, places: Places) -> Lacks:
        """After taking out one tile of each of `places` (n,), of which there is one: (n,)."""
        return self._measure(self._remove_each(places))

    def after_draws(self) -> Lacks:
        """After putting in one tile of each place, (36,)."""
        more = np.repeat(self._hand, PLACES, axis=0)
        more[_EVERY, _EVERY] += 1
        return self._measure(more)

    def after_exchanges(self, places: Places) -> Lacks:
        """After taking out one of each of `places` (n,) and putting in one of each place, (n, 36)."""
        both = np.repeat(self._remove_each(places)[:, None], PLACES, axis=1)
        both[:, _EVERY, _EVERY] += 1
        return self._measure(both.reshape(-1, PLACES)).reshape(len(places), PLACES)

    def _remove_each(self, places: Places) -> NDArray[np.uint8]:
        less = np.repeat(self._hand, len(places), axis=0)
        less[np.arange(len(places)), places] -= 1
        return less

    def _measure(self, hands: NDArray[np.uint8]) -> Lacks:
        """UNREACHABLE for hands with too many of a kind, or a tile in a place without a kind."""
        kinds = hands[:, :KINDS_OF_HANDS]
        possible = (kinds <= COPIES).all(axis=1) & (hands[:, KINDS_OF_HANDS:] == 0).all(axis=1)
        lacks = measure_lacks(self._shape, np.minimum(kinds, COPIES), self._game)
        return np.where(possible, lacks, np.uint8(UNREACHABLE))
