"""What is known of each tile that was seen lying: its place, and what several looks at its face say."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from companion.seeing.plane import SIDE, Floats, Grey, Mask, to_pixels
from companion.seeing.sights import Readings
from companion.tiles import BACK
from companion.vision.candidates import PROBABILITY_MIN, Candidates

NEW_SHARE = 0.3
"""Of each further look at a tile, the share that tells something new: the same light, the same dirt."""
INNER = 0.9
"""Share of a tile's sides within which its place is watched."""
ALIKE, UNLIKE = 0.85, 0.73
"""Cosines of what the reader sees of two faces: from which on they are one tile's, and up to which not."""
CLEARLY = 0.8
"""Probability of a kind from which on a face is clearly of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Footprint:
    """The pixels of the table's small picture that a tile takes: a window, and which of its pixels."""

    window: tuple[slice, slice]
    inside: Mask

    @staticmethod
    def of(quad_mm: Floats) -> Footprint:
        """Of a tile with these corners (4, 2)."""
        middle = quad_mm.mean(axis=0)
        px = to_pixels(middle + (quad_mm - middle) * INNER)
        left, top = np.floor(px.min(axis=0)).astype(int).clip(0, SIDE - 1).tolist()
        right, bottom = (np.ceil(px.max(axis=0)).astype(int) + 1).clip(1, SIDE).tolist()
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillConvexPoly(mask, (px - [left, top]).round().astype(np.int32), 1)
        return Footprint((slice(top, bottom), slice(left, right)), mask > 0)

    def measure_share(self, mask: Mask) -> float:
        """The share of it that is marked in a mask (SIDE, SIDE)."""
        marked = np.count_nonzero(mask[self.window] & self.inside)
        return float(marked) / max(1, int(np.count_nonzero(self.inside)))


@dataclass(slots=True, eq=False)
class TileTrack:
    """A tile. angle: radians counterclockwise of its first side; quad_mm: (4, 2), from the corner from which
    the turns of its face count; since_s: since when it has lain still; face: one row, the last look, with the
    probabilities that all looks together give, None for a plain back; back_p: how surely it is one; placed:
    how many good looks say where it lies; missing_s: since when it has not been found there though nothing
    says that it is gone; doubted_s: since when something else seems to lie there; in_wall: whether it stands
    in the wall; upon: whether it was laid upon another tile; is_tile: whether all that is known says that it
    is a tile; patch: what the table's small picture showed in its window when it was last found."""

    number: int
    middle_mm: Floats
    angle: float
    quad_mm: Floats
    footprint: Footprint
    patch: Grey
    since_s: float
    face: Candidates | None = None
    back_p: float = 0.0
    placed: float = 0.0
    looks: int = 0
    looked_s: float = -np.inf
    missing_s: float | None = None
    sought_s: float = -np.inf
    doubted_s: float | None = None
    in_wall: bool = False
    upon: bool = False
    is_tile: bool = True
    readings: Readings = ()
    logs: Floats = field(default_factory=lambda: np.zeros(0))

    def look(self, face: Candidates, t: float) -> None:
        """Take in a look at its face: one row."""
        logs = np.log(face.probabilities[0].astype(np.float64).clip(PROBABILITY_MIN))
        self.logs = self.logs + logs if self.looks else logs
        self.looks += 1
        self.looked_s = t
        together = self.logs / (1 + (1 - NEW_SHARE) * (self.looks - 1))
        raised = np.exp(together - together.max())
        self.face = replace(face, probabilities=(raised / raised.sum()).astype(np.float32)[None])

    def may_show(self, face: Candidates | None) -> bool:
        """Whether a face, one row, or a back, may be this tile's."""
        if face is None or self.face is None:
            return face is None and self.face is None
        old, new = self.face.probabilities[0], face.probabilities[0]
        if int(old.argmax()) == int(new.argmax()):
            return True
        one, other = self.face.features[0], face.features[0]
        cosine = float(one @ other) / max(1e-6, float(np.linalg.norm(one) * np.linalg.norm(other)))
        if cosine >= ALIKE:
            return True
        return cosine > UNLIKE and max(float(old.max()), float(new.max())) < CLEARLY

    @property
    def back_share(self) -> float:
        """How likely it is that it shows its back."""
        return 1.0 if self.face is None else float(self.face.probability_of(BACK)[0])

    @property
    def top(self) -> str:
        """The likeliest code."""
        return self.readings[0][0] if self.readings else BACK if self.face is None else ""

    @property
    def glyph_angle(self) -> float:
        """Radians counterclockwise by which its glyph is turned."""
        turns = int(self.face.turns[0]) if self.face is not None else 0
        angle = self.angle - turns * np.pi / 2
        return float(np.arctan2(np.sin(angle), np.cos(angle)))
