"""How often a hand is finished in time: a chain over how many tiles it lacks and how many draws are left.

From one own discard to the next a hand comes nearer by another's discard that is claimed, or by the own draw;
between them somebody else may win. Rates of the step at hand are those of the very hand, later ones are what
such hands usually have (companion.coach.course). Outcomes are chances (3,): a self-drawn win, a win on a
discard, a win of somebody else.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach.course import FARTHEST, Course, Rates

Floats = NDArray[np.float64]
DRAWN, TAKEN, LOST = np.eye(3)
"""The three outcomes."""
LASTING = 0.2
"""How far later steps are as narrow as the present one: of 0, 0.2, 0.4 and 0.6 what foresees wins best."""
PACES = (0.25, 0.4, 0.55, 0.7, 0.85, 1.0, 1.2)
"""By how much narrower or wider than usual later steps may be taken to be."""
MOST_LACKING = FARTHEST + 3
_REMEMBERED = 512
"""Tables of courses that are kept: some 50 MB."""


class Way(NamedTuple):
    """How a hand may come nearer: by claims too, and whether the last tile may be another's discard."""

    claims: bool
    taken: bool


WAYS = (Way(False, False), Way(False, True), Way(True, False), Way(True, True))


class Items(NamedTuple):
    """Hands between turns, n of them: how many tiles each lacks (n,), the chances that its next own draw and
    that a claim before it brings it nearer (n,), the way as a number of WAYS, the pace as one of PACES."""

    lacking: NDArray[np.int64]
    draw: Floats
    claim: Floats
    way: NDArray[np.int64]
    pace: NDArray[np.int64]


class Pace:
    """The chances of one position's course."""

    def __init__(self, course: Course, rates: Rates) -> None:
        self.hazards = course.hazards
        self.draws = course.draws
        self._usual = _list_usual(rates)
        self.trust = np.array([1.0, *rates.trust, *[1.0] * (MOST_LACKING + 1)][: MOST_LACKING + 1])
        """By tiles lacking; what falls short of it others win, or nobody."""
        self._table = _make_table(course.hazards, self._usual)

    def find_pace(self, lacking: int, draw: float, lasting: float = LASTING) -> int:
        """How wide later steps are to be taken, by how wide the present one is beside what is usual.

        lasting: 1 where later steps are as much narrower as this one, 0 where they are as usual.
        """
        usual = self._usual[0][min(lacking, MOST_LACKING)]
        wide = (draw / usual) ** lasting if usual > 0 else 1.0
        return int(np.abs(np.array(PACES) - wide).argmin())

    def reach(self, items: Items, draws: int | None = None, *, at_once: bool = False) -> Floats:
        """The outcomes of each hand, (n, 3), before so many own draws, all that are left where None.

        at_once: one more is drawn first, before anybody else plays.
        """
        last = self.draws if draws is None else min(draws, self.draws)
        lacking = np.clip(items.lacking, 1, MOST_LACKING)
        after = self._table[items.pace, items.way, lacking - 1]  # (n, draws + 1, 3)
        ready = (lacking == 1)[:, None]
        now = np.zeros((len(lacking), 3))
        draw, claim = items.draw[:, None], items.claim[:, None]
        for left in range(1, last + 1):
            hazard = self.hazards[self.draws - left]
            drawn = np.where(ready, DRAWN, after[:, left - 1])
            claimed = np.where(ready, TAKEN, (after[:, left] + after[:, left - 1]) / 2)
            later = (1 - hazard) * (draw * drawn + (1 - draw) * now) + hazard * LOST
            now = claim * claimed + (1 - claim) * later
        if at_once:
            now = draw * np.where(ready, DRAWN, after[:, last]) + (1 - draw) * now
        now[:, :2] = np.minimum(now[:, :2] * self.trust[lacking, None], 0.98)
        return now


def _list_usual(rates: Rates) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """What hands usually have that lack 0, 1, 2, ... tiles: the chance to draw a useful tile, and to claim.

    Of hands from which fewer than some dozen were counted, as of those that are one nearer, and more.
    """
    draw, claim = [0.0], [0.0]
    for lacking in range(1, MOST_LACKING + 1):
        at = min(lacking, FARTHEST) - 1
        useful = rates.useful[at] if rates.useful[at] > draw[-1] else min(0.9, draw[-1] * 1.15)
        expected = rates.shown[at] * rates.claimable[at]
        draw.append(useful)
        claim.append(1 - float(np.exp(-expected)) if expected > 0 else claim[-1])
    return tuple(draw), tuple(claim)


@lru_cache(_REMEMBERED)
def _make_table(hazards: tuple[float, ...], usual: tuple[tuple[float, ...], tuple[float, ...]]) -> Floats:
    """Outcomes of usual hands by pace, way, tiles lacking and draws left: (7, 4, 12, draws + 1, 3)."""
    draws = len(hazards)
    table = np.zeros((len(PACES), len(WAYS), MOST_LACKING + 1, draws + 1, 3))
    pace = np.array(PACES)[:, None, None]
    claims = np.array([way.claims for way in WAYS])[:, None]
    taken = np.array([way.taken for way in WAYS])[:, None]
    for lacking in range(1, MOST_LACKING + 1):
        draw = np.minimum(0.95, pace * usual[0][lacking])
        may = taken if lacking == 1 else claims
        claim = np.where(may, 1 - (1 - usual[1][lacking]) ** pace, 0.0)
        after = table[:, :, lacking - 1]
        now = table[:, :, lacking]
        for left in range(1, draws + 1):
            hazard = hazards[draws - left]
            drawn = DRAWN if lacking == 1 else after[:, :, left - 1]
            claimed = TAKEN if lacking == 1 else (after[:, :, left] + after[:, :, left - 1]) / 2
            later = (1 - hazard) * (draw * drawn + (1 - draw) * now[:, :, left - 1]) + hazard * LOST
            now[:, :, left] = claim * claimed + (1 - claim) * later
    return table
