"""How much oftener one hand is won than another that is as near to ready: by how wide it is now, and how wide
it will be when it is one tile nearer, which is looked at tile by tile.

The chain of rates knows the width of the step at hand only, and what was learned is of hands of all sorts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.coach.learned import Traits
from companion.coach.outlook import Outlook
from companion.coach.pricing import find_real, place_hand
from companion.coach.reach import PLACES, Reach
from companion.coach.steps import mark_claimable
from companion.rules.waiting import make_hand
from companion.tiles import Meld

KINDS_OF_HANDS = 34
ALONE = 0.46
"""By how many per cent oftener hands are won that are one per cent wider, where no more is known;"""
NOW, NEXT = 0.14, 0.52
"""and that are so now, and when they are one tile nearer. Of 1,000 positions of hands of five sets, and 600
of four, two to four tiles from ready, in a plain simulation: every discard that kept a hand as near was
played out 60 times with players who go by the number of useful tiles. Errors are 0.03 to 0.06."""
WIDE = 0.8
"""Hands that are narrower now than this share of the widest are not looked at a step ahead."""
LEAST_WIDE = 0.5
"""A hand that nothing brings on any more counts as if so many tiles did."""
LEAST = 1e-6
Floats = NDArray[np.float64]


class Widths:
    """Compares hands of one position. left: unseen tiles by place (34,); often: how much oftener than others
    the kind of each place is discarded (36,)."""

    def __init__(self, outlook: Outlook, left: NDArray[np.int64], wild_left: int, often: Floats) -> None:
        self._judge, self._fortune, self._wild = outlook.judge, outlook.fortune, outlook.wild
        self._others, self._chows, self._shown = outlook.course.others, outlook.chows, outlook.rates.shown
        self._left = np.append(left, np.zeros(PLACES - KINDS_OF_HANDS, np.int64)).astype(float)
        self._wild_left, self._often = wild_left, often

    def compare(
        self,
        hands: list[bytes],
        melds: tuple[Meld, ...],
        traits: Traits,
        useful: NDArray[np.bool_],
        looks: int,
    ) -> Floats:
        """How often each of these hands between turns (42 counts) is won for how often the best is (n,), of
        those that are as near to ready as the nearest; 0 of the others.

        useful: the places that bring each nearer (n, 36). looks: how many are looked at a step ahead.
        """
        lacking = int(traits.lacking.min())
        shown = self._find_shown(lacking)
        nearest = traits.lacking == lacking
        now = np.maximum(LEAST, np.where(nearest, traits.live + shown * traits.open, 0.0))
        widest = int(now.argmax())
        wider = np.log(now / now[widest])
        found, first = ALONE * wider, 1.0
        for at in np.argsort(-now, kind="stable")[:looks].tolist():
            if now[at] >= WIDE * now[widest]:
                later = self._look_ahead(hands[at], melds, useful[at], lacking)
                first = later if at == widest else first
                found[at] = NOW * wider[at] + NEXT * np.log(later / first)
        spread: Floats = np.where(nearest, np.exp(found - found[nearest].max()), 0.0)
        return spread

    def _look_ahead(
        self, held: bytes, melds: tuple[Meld, ...], useful: NDArray[np.bool_], lacking: int
    ) -> float:
        """How many tiles will bring on a hand between turns (42 counts) that lacks so many, after the useful
        tile (36,) that comes first and the best discard then: the harmonic mean, as time goes by it."""
        judge, shown = self._judge, self._find_shown(lacking - 1)
        game = judge.rules.game(melds, judge.options)
        hand = make_hand(judge.rules, list(held), melds, judge.options, self._fortune)
        own = np.append(place_hand(hand), np.zeros(PLACES - KINDS_OF_HANDS, np.int64))
        weights = useful * self._left * (1 + shown * self._often * self._count_open(own[None])[0])
        time = 0.0
        for place in np.flatnonzero(weights).tolist():
            more = bytearray(held)
            more[find_real(self._wild, place)] += 1
            reach = Reach(make_hand(judge.rules, list(more), melds, judge.options, self._fortune), game)
            own[place] += 1
            self._left[place] -= 1
            time += weights[place] / self._find_width(reach, own, shown)
            self._left[place] += 1
            own[place] -= 1
        return float(weights.sum() / time) if time else LEAST_WIDE

    def _find_width(self, reach: Reach, own: NDArray[np.int64], shown: float) -> float:
        """How many tiles bring a hand on after the best discard."""
        places = np.flatnonzero(own)
        lacks = reach.after_discards()[places]
        near = places[lacks == lacks.min()]
        useful = (reach.after_exchanges(near) < lacks.min()) * self._left
        after = np.repeat(own[None], len(near), axis=0)
        after[np.arange(len(near)), near] -= 1
        claimable = (useful * self._often * self._count_open(after)).sum(axis=1)
        width = useful.sum(axis=1) + self._wild_left + shown * claimable
        return max(LEAST_WIDE, float(width.max()))

    def _find_shown(self, lacking: int) -> float:
        """How often a tile is discarded that such a hand may claim, of those that are unseen."""
        return self._shown[min(lacking, len(self._shown)) - 1]

    def _count_open(self, held: NDArray[np.int64]) -> Floats:
        """From how many opponents each kind may be claimed by these hands (n, 36)."""
        pungs, chows = mark_claimable(held, self._chows)
        return (self._others * pungs + chows).astype(np.float64)
