"""One tile on the table as a value: what was read of it, and what a person made of that."""

from __future__ import annotations

import math
from dataclasses import dataclass

from companion.quads import Quad, centre, short_side
from companion.tiles import BACK, UNKNOWN
from companion.vision.reading import TileReading

ALTERNATIVES_SHOWN = 4
MELD_REACH = 4.0
"""Widths between the middles of two tiles of one meld, at most."""


@dataclass(frozen=True, slots=True)
class PhotoTile:
    """One tile on the table. `quad`: px of the upright picture, None for a tile that was added by hand.

    `code` is a kind, "back" or "?"; `unsure` that it was read so; `settled` that a person named it.
    """

    id: int
    code: str
    quad: Quad | None = None
    p: float = 1.0
    alternatives: tuple[tuple[str, float], ...] = ()
    unsure: bool = False
    settled: bool = False

    @classmethod
    def read(cls, tile_id: int, reading: TileReading) -> PhotoTile:
        alternatives = tuple(reading.alternatives[:ALTERNATIVES_SHOWN])
        return cls(tile_id, reading.code, reading.quad, reading.p, alternatives, reading.is_unsure)

    def as_read(self) -> TileReading:
        """The tile as a reading of its picture, sure of what a person named. Its `quad` must be known."""
        assert self.quad is not None
        if self.settled:
            return TileReading(self.code, self.quad, 1.0, ((self.code, 1.0),))
        return TileReading(self.code, self.quad, self.p, self.alternatives)

    @property
    def is_kind(self) -> bool:
        return self.code not in (BACK, UNKNOWN)

    @property
    def needs_look(self) -> bool:
        return self.unsure and not self.settled

    def lies_near(self, other: PhotoTile) -> bool:
        """Whether both may be of one meld; of a tile that was added by hand nobody knows where it lies."""
        if self.quad is None or other.quad is None:
            return True
        return math.dist(centre(self.quad), centre(other.quad)) < MELD_REACH * short_side(self.quad)
