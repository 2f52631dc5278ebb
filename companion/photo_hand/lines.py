"""Which tiles of a picture stand side by side in one line, and how far apart.

Every tile is measured by its own outline, so that lines may run in any direction and be seen at a slant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from companion.quads import Quad

REACH = 4.0
"""Widths of a tile between two of one line, at most."""
IN_LINE = 0.5
"""Share of a tile's height beside its neighbour, at least."""
SUNK = 0.45
"""How far outlines of neighbours may overlap, in widths: those of tiles that lean."""
SIDEWAYS = 1.35
"""Width of a tile that lies sideways by its height, as its upright neighbour measures it, at least."""
RIGHT, LEFT, DOWN, UP = range(4)
OPPOSITE = (LEFT, RIGHT, UP, DOWN)
Floats = NDArray[np.float64]
FAR = 1e9
"""Widths: no tile is that far away."""


@dataclass(frozen=True, slots=True)
class Line:
    """Tiles side by side: their indices along the line, the gaps between them in widths of a tile, and which
    of the tiles lie sideways in it."""

    tiles: tuple[int, ...]
    gaps: tuple[float, ...] = ()
    sideways: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """n tiles, each with a frame of its own: its middle, and its width and height as axes.

    middles (n, 2) px, axes (n, 2, 2) px: columns are along the width and down the height; corners (n, 4, 2).
    """

    middles: Floats
    axes: Floats
    corners: Floats

    @classmethod
    def of(cls, quads: Sequence[Quad], backs: Sequence[bool], any_way_up: Sequence[bool]) -> Outlines:
        """Of these outlines. A back says not which way up it lies: its width is taken to be along the way to
        its nearest neighbour. That of a face which looks alike any way up follows from its shape as its
        nearest neighbour measures it."""
        corners = np.array(quads, np.float64).reshape(-1, 4, 2)
        middles = corners.mean(axis=1)
        along = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
        down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
        outlines = cls(middles, np.stack([along, down], axis=2), corners)
        plain = ~(np.array(backs, bool) | np.array(any_way_up, bool))
        for index in np.flatnonzero(backs):
            neighbour = outlines._nearest(int(index), np.ones(len(corners), bool))
            if neighbour is not None:
                way = outlines.middles[neighbour] - outlines.middles[index]
                outlines._turn(int(index), along=way)
        for index in np.flatnonzero(any_way_up):
            neighbour = outlines._nearest(int(index), plain)
            if neighbour is not None:
                x, y = np.ptp(outlines.seen_from(neighbour)[index], axis=0)
                outlines._turn(int(index), along=outlines.axes[neighbour][:, int(x > SIDEWAYS * y)])
        return outlines

    def _nearest(self, index: int, among: NDArray[np.bool_]) -> int | None:
        apart = self.middles - self.middles[index]
        distance = np.where(among, np.hypot(apart[:, 0], apart[:, 1]), np.inf)
        distance[index] = np.inf
        nearest = int(distance.argmin())
        return nearest if np.isfinite(distance[nearest]) else None

    def _turn(self, index: int, along: Floats) -> None:
        """Takes for a tile's width whichever of its axes runs more along that way."""
        x, y = _solve(self.axes[index], along[None])[0]
        if abs(y) > abs(x):
            self.axes[index] = self.axes[index][:, ::-1].copy()

    def __len__(self) -> int:
        return len(self.middles)

    def seen_from(self, index: int) -> Floats:
        """The corners (n, 4, 2) in the frame of one tile, whose own reach from -0.5 to 0.5."""
        return _solve(self.axes[index], self.corners - self.middles[index])

    def is_sideways(self, index: int, other: int) -> bool:
        """Whether the width of `other` runs along the height of tile `index`."""
        x, y = _solve(self.axes[index], self.axes[other][:, 0][None])[0]
        return bool(abs(y) > abs(x))


def _solve(axes: Floats, points: Floats) -> Floats:
    """Points (…, 2) px in the frame of these axes. An outline without an area has no frame, and nothing lies
    near it."""
    if abs(np.linalg.det(axes)) < 1e-6:
        return np.full_like(points, FAR)
    turned: Floats = points @ np.linalg.inv(axes).T
    return turned


def find_lines(outlines: Outlines) -> tuple[Line, ...]:
    """Every tile in one line, alone where nothing stands beside it."""
    nearest = [_look_about(outlines, index) for index in range(len(outlines))]
    links: list[dict[int, tuple[int, float]]] = [{} for _ in nearest]
    for index, seen in enumerate(nearest):
        for side in (RIGHT, LEFT):
            if side not in seen or outlines.is_sideways(index, seen[side][0]):
                continue
            other, gap = seen[side]
            back = _side_towards(nearest[other], index, (RIGHT, LEFT))
            if back is not None:
                links[index][side], links[other][back] = (other, gap), (index, gap)
    _attach_sideways(outlines, nearest, links)
    return tuple(_make_line(outlines, links, chain) for chain in _follow(links))


def _look_about(outlines: Outlines, index: int) -> dict[int, tuple[int, float]]:
    """The nearest tile in line on each side of a tile, and the gap to it in widths."""
    seen = outlines.seen_from(index)
    low, high = seen.min(axis=1), seen.max(axis=1)
    middle = (low + high) / 2
    found = {}
    for axis, sides in ((0, (RIGHT, LEFT)), (1, (DOWN, UP))):
        across = 1 - axis
        common = np.minimum(high[:, across], 0.5) - np.maximum(low[:, across], -0.5)
        in_line = common >= IN_LINE * np.minimum(high[:, across] - low[:, across], 1.0)
        for side, gaps, beyond in (
            (sides[0], low[:, axis] - 0.5, middle[:, axis] > 0),
            (sides[1], -0.5 - high[:, axis], middle[:, axis] < 0),
        ):
            gaps = np.where(in_line & beyond & (gaps > -SUNK) & (gaps < REACH), gaps, np.inf)
            gaps[index] = np.inf
            nearest = int(gaps.argmin())
            if np.isfinite(gaps[nearest]):
                found[side] = nearest, float(gaps[nearest])
    return found


def _side_towards(
    nearest: dict[int, tuple[int, float]], index: int, sides: Sequence[int] = (RIGHT, LEFT, DOWN, UP)
) -> int | None:
    """The side on which a tile has the tile `index` as its nearest."""
    return next((side for side in sides if side in nearest and nearest[side][0] == index), None)


def _attach_sideways(
    outlines: Outlines,
    nearest: list[dict[int, tuple[int, float]]],
    links: list[dict[int, tuple[int, float]]],
) -> None:
    """Link single tiles that lie sideways to the lines at whose ends they lie, or whose parts they join."""
    single = [not link for link in links]
    ends = [index for index, link in enumerate(links) if len(link) < 2]
    for index in sorted(ends, key=lambda each: single[each]):
        for side in (RIGHT, LEFT):
            if (
                side in links[index]
                or side not in nearest[index]
                or DOWN in links[index]
                or UP in links[index]
            ):
                continue
            other, gap = nearest[index][side]
            back = _side_towards(nearest[other], index)
            if not single[other] or not outlines.is_sideways(index, other) or back is None:
                continue
            if any(taken not in (back, OPPOSITE[back]) or taken == back for taken in links[other]):
                continue
            links[index][side], links[other][back] = (other, gap), (index, gap)


def _follow(links: Sequence[dict[int, tuple[int, float]]]) -> Iterator[list[int]]:
    """The tiles of each line from one end to the other."""
    left = set(range(len(links)))
    for start in sorted(left, key=lambda index: len(links[index])):
        if start not in left:
            continue
        chain = []
        here: int | None = start
        while here is not None:
            chain.append(here)
            left.remove(here)
            here = next((other for other, _ in links[here].values() if other in left), None)
        yield chain


def _make_line(outlines: Outlines, links: Sequence[dict[int, tuple[int, float]]], chain: list[int]) -> Line:
    """The line of a chain, from its glyphs' left to their right."""
    way = outlines.middles[chain[-1]] - outlines.middles[chain[0]]
    if float(way @ outlines.axes[chain][:, :, 0].sum(axis=0)) < 0:
        chain = chain[::-1]
    gaps = tuple(dict(links[one].values())[other] for one, other in pairwise(chain))
    turned = (
        index for index in chain if sum(outlines.is_sideways(index, each) for each in chain) * 2 > len(chain)
    )
    return Line(tuple(chain), gaps, frozenset(turned))
