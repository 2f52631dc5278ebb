"""Signs that a tile was drawn, and how far each of them can be believed at this table.

Nobody sees which tile is drawn, and from many places nobody sees that one is. A draw is inferred: a hand that
reaches out may draw or claim. What follows shows which it was, and so the table itself teaches what each sign
is worth there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class DrawSign(Enum):
    """Why a tile counts as drawn before its player does anything with it."""

    COUNTED = "the walls hold one tile fewer"
    TAKEN = "a tile went from a wall"
    OWED = "a kong or a flower has to be replaced"
    REACHED = "the next player reached out, and the discard is still there"
    UNCLAIMED = "nobody has claimed the discard for some time"


OF_WALLS = (DrawSign.COUNTED, DrawSign.TAKEN)
"""Evidence of the draw's own; every other sign is a guess about people."""
EXPECTED: Mapping[DrawSign, tuple[float, float]] = {
    DrawSign.COUNTED: (99.5, 0.5),
    DrawSign.TAKEN: (29.1, 0.9),
    DrawSign.OWED: (99.3, 0.7),
    DrawSign.REACHED: (9.0, 1.0),
    DrawSign.UNCLAIMED: (9.2, 0.8),
}
"""How often each sign is right and wrong before the table has shown anything, in draws. On the films that
chose these numbers 22 of some 360 tiles that seemed to go from a wall were not drawn then."""
SEEN_SHARE, UNNOTICED_SHARE, SEEN_MIN_DRAWS = 0.8, 0.5, 4
"""The walls are in sight if the first share of at least this number of draws was noticed in them; nothing
shows draws at this table if the second share was noticed only by what followed."""


@dataclass(frozen=True, slots=True)
class StatedDraw:
    """A draw that was stated before anything followed it. sign: why; since_s: when the discard before it
    came."""

    sign: DrawSign | None
    since_s: float


@dataclass(slots=True)
class DrawSigns:
    """What the signs were worth at one table. right, wrong: how often each was; drawn: how many draws there
    were; seen, unnoticed: how many of them were noticed in the walls, or only by what followed."""

    right: Counter[DrawSign] = field(default_factory=Counter)
    wrong: Counter[DrawSign] = field(default_factory=Counter)
    drawn: int = 0
    seen: int = 0
    unnoticed: int = 0

    def probability(self, sign: DrawSign) -> float:
        """How often it is right, 0 to 1: as expected at first, and more and more as it was here."""
        right, wrong = EXPECTED[sign]
        right, wrong = right + self.right[sign], wrong + self.wrong[sign]
        return right / (right + wrong)

    @property
    def sees_walls(self) -> bool:
        """Whether nearly every draw is noticed in the walls: then none that is not has happened."""
        return self.drawn >= SEEN_MIN_DRAWS and self.seen >= SEEN_SHARE * self.drawn

    @property
    def sees_nothing(self) -> bool:
        """Whether neither walls nor arms show most draws at this table."""
        return self.drawn >= SEEN_MIN_DRAWS and self.unnoticed >= UNNOTICED_SHARE * self.drawn

    def learn(self, draw: StatedDraw, *, happened: bool, taken_s: float) -> None:
        """It is known now whether that draw happened. taken_s: when a tile last went from a wall."""
        if draw.sign is not None:
            (self.right if happened else self.wrong)[draw.sign] += 1
        if happened and draw.sign is not DrawSign.OWED:
            in_walls = draw.sign in OF_WALLS or taken_s > draw.since_s
            self.drawn += 1
            self.seen += in_walls
            self.unnoticed += not in_walls and draw.sign is not DrawSign.REACHED
