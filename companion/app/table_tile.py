"""One tile on the table as a value: what was read of it, and what a person made of that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from companion.tiles import BACK, UNKNOWN

ALTERNATIVES_SHOWN = 4

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]


class ReadTile(Protocol):
    """What is needed of a tile reading."""

    @property
    def code(self) -> str: ...
    @property
    def quad(self) -> Quad: ...
    @property
    def p(self) -> float: ...
    @property
    def alternatives(self) -> tuple[tuple[str, float], ...]: ...
    @property
    def is_unsure(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class TableTile:
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
    def read(cls, tile_id: int, reading: ReadTile) -> TableTile:
        alternatives = tuple(reading.alternatives[:ALTERNATIVES_SHOWN])
        return cls(tile_id, reading.code, reading.quad, reading.p, alternatives, reading.is_unsure)

    @property
    def is_kind(self) -> bool:
        return self.code not in (BACK, UNKNOWN)

    @property
    def needs_look(self) -> bool:
        return self.unsure and not self.settled


def same_place(a: Quad, b: Quad) -> bool:
    """Whether two outlines are of one tile: their centres are closer than half of the shorter side of `a`."""
    ax, ay = centre(a)
    bx, by = centre(b)
    return _distance((ax, ay), (bx, by)) < short_side(a) / 2


def centre(quad: Quad) -> Point:
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def short_side(quad: Quad) -> float:
    """Length of the shorter pair of sides, whichever corner is the first."""
    a, b, c, d = quad
    return min(_distance(a, b) + _distance(c, d), _distance(b, c) + _distance(d, a)) / 2


def edge_point(quad: Quad, way: Point) -> Point:
    """Where a line from the middle of the convex `quad` leaves it, going `way` (x, y)."""
    (x, y), (way_x, way_y) = centre(quad), way
    lengths = []
    for (ax, ay), (bx, by) in zip(quad, (*quad[1:], quad[0]), strict=True):
        if across := (bx - ax) * way_y - (by - ay) * way_x:
            lengths.append(((by - ay) * (x - ax) - (bx - ax) * (y - ay)) / across)
    length = min((each for each in lengths if each > 0), default=0.0)
    return x + length * way_x, y + length * way_y


def _distance(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)
