"""What is known of each tile that was seen lying: its place, and what several looks at its face say."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from companion.tracking.plane import Floats
from companion.tracking.sights import Readings
from companion.vision.candidates import PROBABILITY_MIN, Candidates

NEW_SHARE = 0.3
"""Of each further look at a tile, the share that tells something new: the same light, the same dirt."""
LOOKS_MAX = 8


@dataclass(slots=True, eq=False)
class TileTrack:
    """A tile. quad_mm: (4, 2), from the corner from which `face` counts; angle: of its first side; face: one
    row, the last look with the probabilities of all; None for a plain back. since_s: since when it has lain
    still; held: for how many looks it has not been found though nothing says that it is gone; wall:
    whether it stands in the wall."""

    number: int
    middle_mm: Floats
    angle: float
    quad_mm: Floats
    since_s: float
    face: Candidates | None = None
    back_p: float = 0.0
    looks: int = 0
    logs: Floats = field(default_factory=lambda: np.zeros(0))
    looked_s: float = -np.inf
    held: int = 0
    held_s: float = 0.0
    wall: bool = False
    readings: Readings = ()
    is_tile: bool = True

    def look(self, face: Candidates, t: float) -> None:
        """Take in a look at its face: one row."""
        logs = np.log(face.probabilities[0].astype(np.float64).clip(PROBABILITY_MIN))
        if self.face is None or not len(self.logs):
            self.logs, self.looks = logs, 1
        else:
            self.logs, self.looks = self.logs + logs, self.looks + 1
        self.looked_s = t
        self.face = _with_probabilities(face, self.logs / (1 + (1 - NEW_SHARE) * (self.looks - 1)))

    @property
    def top(self) -> str:
        """The likeliest code, the other tiles left out."""
        if self.face is None:
            return "back"
        return self.face.labels[int(self.face.probabilities[0].argmax())]

    @property
    def glyph_angle(self) -> float:
        """Radians counterclockwise by which its glyph is turned."""
        turns = int(self.face.turns[0]) if self.face is not None else 0
        angle = self.angle - turns * np.pi / 2
        return float(np.arctan2(np.sin(angle), np.cos(angle)))


def _with_probabilities(face: Candidates, logs: Floats) -> Candidates:
    from dataclasses import replace

    raised = np.exp(logs - logs.max())
    return replace(face, probabilities=(raised / raised.sum()).astype(np.float32)[None])
