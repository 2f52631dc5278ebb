"""The type of every picture in memory, and the outline (quad) of a tile in it: four corners in px.

Imports nothing of companion, and no picture library.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""(height, width, 3) uint8, BGR, upright; where a docstring says so, with opacity, 0..255, as a fourth."""


Point = tuple[float, float]
"""x to the right and y down, px."""
Quad = tuple[Point, Point, Point, Point]
"""Convex; the glyph's top left, top right, bottom right, bottom left."""


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
