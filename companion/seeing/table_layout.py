"""Where the middle of a table is by what lies on it: walls are a square ring round it, hands and melds a
larger one, and discards lie inside, at the beginning of a row all equally far from the middle.

Everything is reckoned in widths of a tile on the ground of a `Plane`, along its two axes. A tile points to
the middle, or across it; so it says how far off its ring is along the one axis, and along the other only
that it lies between the ring's ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.seeing.table_plane import TILE_UNITS, Plane, measure_trust
from companion.vision.candidates import Candidates

Floats = NDArray[np.float64]

DEPTH = 0.77
"""Of a tile, in widths: so high lie faces, and so much higher the backs of a wall of two layers."""
STANDS = 0.67
"""How high the middle of a standing tile is,"""
BEHIND = 0.35
"""and how far behind the face that is seen."""
WALLS = np.arange(4.5, 11.01, 0.5)
"""From the middle of the table to the middles of the walls: half of 9 to 20 stacks."""
HANDS = np.arange(8.0, 17.01, 0.75)
"""From the middle to hands and melds,"""
BETWEEN = 1.5
"""which are at least so much farther from it than the walls."""
RIVERS = np.array([0.0, 2.6, 3.6, 5.0])
"""From the middle to where discards begin: 0 where they lie anywhere, then rows of 5, 6 and 10."""
STEP, REACH = 0.4, 8.0
"""The middles that are tried: so fine, and so far from the middle of what is found."""
ROW, ABREAST = 3.7, 0.4
"""Tiles no farther apart along a row, and across it, are neighbours in it."""
PLAINLY_LONG = 0.2
"""By so much of its width a tile is longer than wide that is not seen at a slant."""
WALL_BLUR, HAND_BLUR = 0.35, 0.5
"""How far tiles lie off their rings."""
BACKS, FACES = (0.6, 0.25, 0.05, 0.09), (0.02, 0.25, 0.5, 0.22)
"""How many backs, and faces, are of walls, of hands or melds, lie inside, and between walls and hands."""
STRAY = 0.004
"""Density, a width, of what is no tile, or lies as no other does."""
TOGETHER = 0.35
"""How much each tile says: those of a row lie there together."""
PLAIN_TRUST = 0.3
"""Of `measure_trust`, from which on a find is a tile."""
HAND_TO_EDGE = 0.7
"""How far the middles of hands are within the table's edge, at least."""
USUAL_HALF = 14.8
"""Half of a table's side: 800 mm and tiles of 27."""
EDGE_BEYOND = 1.2
"""How far beyond the hands a table ends that is no larger than it must be."""
NEAR = 1.2
"""What lies as near to the best middle is the same middle."""
STEEP_FROM, STEEPNESS = 37.0, 0.5
"""Degrees over the table from which on what lies there may be believed: from farther down what stands hides
it, and looks as if it lay elsewhere."""
TRUST_FROM_SIDE = 0.3
"""How much of it may still be believed from there."""
ELSEWHERE = -60.0
"""Nats of a middle that is not tried."""


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Where tiles are along one axis: (n,) widths on the ground, of lying ones, of the backs of walls and of
    standing ones; share: how likely each points along this axis; trust: how much each one says."""

    lying: Floats
    walls: Floats
    standing: Floats
    share: Floats
    trust: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A table by what lies on it. box: (4,) left, right, low and high, units of the plane; spread: how far
    off its middle may be, units, as a standard deviation; hands: how far they are from it, widths."""

    box: Floats
    spread: float
    hands: float


@dataclass(frozen=True, eq=False)
class Layout:
    """How well what lies there suits each middle of the table.

    middle: (2,) widths, of the middles that are tried; nats: (h, n, n), for each of HANDS, of middles along
    the first and the second axis; trust: how much of it may be believed, 0..1; best: nats of the best middle.
    """

    middle: Floats
    nats: Floats
    trust: float

    @cached_property
    def best(self) -> float:
        return float(self._over_hands.max())

    def rate(self, boxes: Floats) -> Floats:
        """Nats (m,) of tables (m, 4), left, right, low and high in units of the plane, against the best
        middle, as far as they may be believed."""
        middles = np.column_stack([boxes[:, :2].mean(axis=1), boxes[:, 2:].mean(axis=1)]) / TILE_UNITS
        halves = (boxes[:, 1] - boxes[:, 0] + boxes[:, 3] - boxes[:, 2]) / 4 / TILE_UNITS
        count = self.nats.shape[1]
        at = np.round((middles - self.middle + REACH) / STEP).astype(int)
        tried = ((at >= 0) & (at < count)).all(axis=1)
        x, y = np.clip(at, 0, count - 1).T
        last = np.clip(np.searchsorted(HANDS, halves - HAND_TO_EDGE, "right") - 1, 0, len(HANDS) - 1)
        rated = self._within[last, x, y] - self._within[-1].max()
        return self.trust * np.where(tried, np.maximum(rated, ELSEWHERE), ELSEWHERE)

    @cached_property
    def place(self) -> Place:
        """The likeliest table."""
        grid = _list_steps()
        total = self._over_hands
        chance = np.exp(total - total.max())
        chance /= chance.sum()
        spread = _measure_spread(chance, grid)
        row, column = (int(index) for index in np.unravel_index(total.argmax(), total.shape))
        near = (np.abs(grid[:, None] - grid[row]) < NEAR) & (np.abs(grid[None] - grid[column]) < NEAR)
        chance = np.where(near, chance, 0.0)
        chance /= chance.sum()
        x, y = (self.middle + np.array([chance.sum(axis=1) @ grid, chance.sum(axis=0) @ grid])).tolist()
        hands, blur = self._find_hands(row, column)
        half = max(USUAL_HALF, hands + EDGE_BEYOND) if blur < 1 else USUAL_HALF
        box = np.array([x - half, x + half, y - half, y + half]) * TILE_UNITS
        return Place(box, spread * TILE_UNITS, hands)

    def _find_hands(self, row: int, column: int) -> tuple[float, float]:
        """How far hands are from this middle, and the standard deviation of it."""
        nats = self.nats[:, row, column]
        chance = np.exp(nats - nats.max())
        chance /= chance.sum()
        mean = float(chance @ HANDS)
        return mean, float(np.sqrt(chance @ (HANDS - mean) ** 2))

    @cached_property
    def _over_hands(self) -> Floats:
        return np.asarray(np.logaddexp.reduce(self.nats, axis=0), np.float64)

    @cached_property
    def _within(self) -> Floats:
        """As `nats`, of hands that are no farther out, each distance being equally likely."""
        count = np.arange(1, len(HANDS) + 1)[:, None, None]
        return np.asarray(np.logaddexp.accumulate(self.nats, axis=0) - np.log(count), np.float64)


def find_layout(tiles: Candidates, plane: Plane) -> Layout:
    """What these tiles, at least one, say about the middle of a table in that plane."""
    flat = np.asarray(cv2.perspectiveTransform(tiles.quads.astype(np.float64), plane.to_plane), np.float64)
    lying, walls, standing = _find_feet(flat.mean(axis=1), plane.eye)
    backs = tiles.back_shares > 0.5
    share = _find_ways(flat, backs)
    trust = TOGETHER * np.minimum(measure_trust(tiles) / PLAIN_TRUST, 1)
    middle = np.percentile(lying, [5, 95], axis=0).mean(axis=0)
    rated = []
    for axis, along in ((0, share), (1, 1 - share)):
        total: Floats = np.zeros((len(WALLS), len(HANDS), len(RIVERS), len(_list_steps())))
        for mask, rate in ((backs, _rate_backs), (~backs, _rate_faces)):
            if mask.any():
                parts = [places[mask, axis] for places in (lying, walls, standing)]
                here = _Places(parts[0], parts[1], parts[2], along[mask], trust[mask])
                middles = float(middle[axis]) + _list_steps()
                total = total + np.stack([rate(here, middles, float(wall)) for wall in WALLS])
        rated.append(total)
    away = np.median(flat.mean(axis=1), axis=0) - plane.eye[:2]
    degrees = float(np.degrees(np.arctan2(plane.eye[2], np.hypot(*away))))
    steep = float(_step(np.array(STEEPNESS * (STEEP_FROM - degrees))))
    return Layout(middle, _join(rated[0], rated[1]), TRUST_FROM_SIDE + (1 - TRUST_FROM_SIDE) * steep)


def _join(across: Floats, along: Floats) -> Floats:
    """Nats (h, n, n) of each of HANDS and middles by those of both axes (w, h, r, n)."""
    count = across.shape[-1]
    nats = np.full((len(HANDS), count, count), -1e9)
    for row, hands in enumerate(HANDS):
        fits = hands >= WALLS + BETWEEN
        one, other = (part[fits, row].reshape(-1, count) for part in (across, along))
        both = one[:, :, None] + other[:, None, :]
        most = both.max()
        nats[row] = np.log(np.exp(both - most).sum(axis=0) + 1e-300) + most
    return nats


def _find_feet(seen: Floats, eye: Floats) -> tuple[Floats, Floats, Floats]:
    """Where tiles seen at these places (n, 2), units, are on the ground, in widths: if they lie, lie upon a
    wall, and stand. The plane is at the height of lying faces."""
    high = eye[2] / TILE_UNITS
    off = (seen - eye[:2]) / TILE_UNITS
    ground = high / (high + DEPTH)
    here = eye[:2] / TILE_UNITS

    def find_foot(above: float) -> Floats:
        return np.asarray(here + off * (1 - above / high) * ground, np.float64)

    far = np.linalg.norm(off, axis=1, keepdims=True)
    behind = BEHIND * off / np.maximum(np.hypot(far, high), 1e-9)
    return find_foot(0.0), find_foot(DEPTH), find_foot(STANDS - DEPTH) + behind


def _find_ways(flat: Floats, backs: NDArray[np.bool_]) -> Floats:
    """How likely (n,) tiles with these outlines (n, 4, 2) point along the first axis rather than the second:
    those of a row point across it, single ones along their longer side."""
    one = np.abs(flat[:, 1] - flat[:, 0] + flat[:, 2] - flat[:, 3]) / 2
    other = np.abs(flat[:, 3] - flat[:, 0] + flat[:, 2] - flat[:, 1]) / 2
    first, second = np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1)
    longer = np.where((first > second)[:, None], one, other)
    ratio = np.maximum(first, second) / np.maximum(np.minimum(first, second), 1e-6)
    by_shape = np.sign(longer[:, 0] - longer[:, 1]) * np.clip((ratio - 1) / PLAINLY_LONG, 0, 1)
    middles = flat.mean(axis=1) / TILE_UNITS
    apart = np.abs(middles[:, None] - middles[None])
    alike = backs[:, None] == backs[None]
    in_row = [
        ((apart[..., 1 - axis] < ABREAST) & (apart[..., axis] < ROW) & alike).sum(axis=1) for axis in (0, 1)
    ]
    return np.asarray(_step(-3 * ((in_row[1] - in_row[0]) / 2 + 0.7 * by_shape)), np.float64)


def _rate_backs(places: _Places, middles: Floats, walls: float) -> Floats:
    """Nats (h, r, n) of hands, rivers and middles (n,) along one axis, the walls being so far from the
    middle, by the backs there."""
    across = _step((np.abs(places.walls - middles[:, None]) - walls - 0.8) / 0.3)
    return _rate(places, middles, walls, BACKS, 0.97 / (walls + 0.8) * across + 0.002)


def _rate_faces(places: _Places, middles: Floats, walls: float) -> Floats:
    """As `_rate_backs`, by the faces there."""
    hands, rivers = HANDS[:, None, None, None], RIVERS[:, None, None]
    off = np.abs(places.lying - middles[:, None])
    end = np.where(rivers == 0, walls, rivers + 0.7)
    inside = 0.6 / end * _step((off - end) / 0.3)
    at_edge = 0.37 / (hands + 0.8) * _step((off - hands - 0.8) / 0.3)
    return _rate(places, middles, walls, FACES, inside + at_edge + 0.002)


def _rate(
    places: _Places, middles: Floats, walls: float, kinds: tuple[float, float, float, float], across: Floats
) -> Floats:
    """kinds: as BACKS; across: the density of tiles that point along the other axis."""
    hands, rivers = HANDS[:, None, None, None], RIVERS[:, None, None]
    of_wall, of_hand, inside, between = kinds
    lying, wall, stands = (
        np.abs(each - middles[:, None]) for each in (places.lying, places.walls, places.standing)
    )
    room = np.where(rivers == 0, walls - 0.6, np.maximum(walls - 0.6 - rivers, 0.8))
    begun = np.where(rivers == 0, 1.0, _step((rivers - 0.1 - lying) / 0.15))
    ring = 0.6 * _bell(stands - hands, HAND_BLUR) + 0.4 * _bell(lying - hands, HAND_BLUR)
    outer = _step((walls + 0.6 - lying) / 0.2) * _step((lying - hands - 0.9) / 0.2)
    along = (
        of_wall * _bell(wall - walls, WALL_BLUR)
        + of_hand * ring
        + inside * _step((lying - walls + 0.6) / 0.2) * begun / room
        + between * outer / np.maximum(hands - walls + 0.3, 0.5)
        + STRAY
    )
    density = places.share * along + (1 - places.share) * across
    return np.asarray(np.log(density.astype(np.float32)) @ places.trust.astype(np.float32), np.float64)


def _list_steps() -> Floats:
    return np.arange(-REACH, REACH + STEP / 2, STEP)


def _measure_spread(chance: Floats, grid: Floats) -> float:
    """The standard deviation of places with these chances (n, n), over both axes."""
    parts = [chance.sum(axis=1), chance.sum(axis=0)]
    return float(np.sqrt(sum(float(part @ grid**2) - float(part @ grid) ** 2 for part in parts)))


def _step(values: Floats) -> Floats:
    """1 far below 0, 0 far above."""
    return np.asarray(1 / (1 + np.exp(np.clip(values, -30, 30))), np.float64)


def _bell(off: Floats, blur: float) -> Floats:
    """The density of a normal distribution."""
    return np.asarray(np.exp(-0.5 * (off / blur) ** 2) / (blur * np.sqrt(2 * np.pi)), np.float64)
