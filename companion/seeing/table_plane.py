"""The table's plane, by the directions of tiles and edges; and the table's middle in it, by its tiles.

Tiles, their rows and the table's edges run mostly in two directions at right angles. In the picture each of
the two runs towards a vanishing point, and the two points show how the camera is tilted against the plane (a
Manhattan frame of line segments).

In that plane, walls are a square ring round the middle, hands and melds a larger one, and discards are
inside, the first of each row equally far from the middle (`find_layout`). A tile points to the middle or
across it: it shows how far off its ring is along one axis, and along the other only that it is between the
ring's ends. All of that is in widths of a tile on the ground, along the two axes of a `Plane`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.arrays import Floats
from companion.vision.candidates import Candidates, short_sides
from companion.vision.networks import Finder

LOOK_PX = 1600
"""Longer side of the first picture in which tiles are searched: a tile of a whole table is then 15 to 30 px
wide."""
WANTED_PX = 30.0
"""Tiles of at least this width need no closer look."""
CLOSER_MAX = 2560
"""Longer side of the closer look."""
SURE_SCORE = 0.4
UNSURE_SCORE = 0.3
"""A find with this score shows no directions."""
PLAIN_MAX, FAINT_SHARE = 6, 0.55
"""Finds with less than this share of the score of the sixth best are dropped: flowers of a carpet look a
little like tiles, and there are more of them."""
ODD_TIMES = 2.2
"""Near tiles of a table look at most this many times as wide as usual ones, far ones as narrow."""
LARGEST_SHARE = 0.09
"""Share of the longer side: anything wider is not a tile of a table seen whole, or nearly so."""
SEGMENTS_PX = 1280
"""Longer side of the picture in which line segments are searched."""
SEGMENT_MIN_PX = 12.0
SEGMENTS_MAX = 700
FOCALS = np.array([0.62, 0.85, 1.25, 1.9, 2.9])
"""Focal lengths that are tried, in longer sides of the picture: phones and webcams have between 0.6 and 1,
and more if they are zoomed or their picture was cropped."""
FOCAL_COSTS = np.array([0.0, 0.0, 0.03, 0.06, 0.09])
"""What is taken from the rating of a plane for these: unusual cameras are rare."""
ELEVATIONS = np.radians(np.arange(15.0, 91.0, 5.0))
TURNS = np.radians(np.arange(0.0, 90.0, 4.5))
ROLLS = np.radians([-7.0, 0.0, 7.0])
COARSE = np.radians(3.0)
FINE = np.radians(0.8)
"""Standard deviation of a segment's direction."""
COARSE_LINES = 260
"""Number of the segments of most weight by which planes are first compared."""
LONG_SHARE = 0.3
"""Share of the longer side: a segment's weight is its length up to that."""
UPRIGHT = 0.4
"""Weight of a segment that is upright on the plane: things in the room are upright too."""
LINES_SHARE = 0.5
"""Weight of straight edges anywhere in the picture against those of tiles: a cloth or a floor may have lines
of its own, and loose tiles point anywhere."""
ASPECT = 1.35
"""Height of a tile's face, in widths."""
SQUARE_BLUR, ASPECT_BLUR, SIZE_BLUR = 0.15, 0.15, 0.1
"""How far outlines of flat tiles are off a rectangle (cosine of its angle), off a tile's proportions and off
the size of all others (logarithms)."""
FLAT_WEIGHT = 1.2
"""Weight of the share of tiles that are flat, alike and upright rectangles in a plane."""
SIZED_TILES = 90
"""Number of the surest tiles whose sizes are compared."""
TABLE_OVER_TILES = 2.0
"""The table is at most this many times as wide as its visible tiles."""
APART, SAME_PLANE = np.radians(7), np.radians(2.5)
BEST = 9
CLIMBS, CLIMB_TRIES, CLIMB_SHRINK = 6, 24, 0.6
CLIMB_SPREAD = np.array([0.045, 0.045, 0.045, 0.2])
"""How far a plane is moved at first to fit better: three angles, radians, and the logarithm of the focal
length."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """The table's top as seen. to_plane: (3, 3), px → units of the plane, in which a tile is about TILE_UNITS
    wide, with axes along the table's sides; eye: the camera's place (3,), units of the plane, its height
    last; rating: how likely it is the table's, against others of `find_planes`."""

    to_plane: Floats
    eye: Floats
    rating: float = 0.0

    def map_points(self, points_px: NDArray[np.floating]) -> Floats:
        """Where points (n, 2) px are in the plane, units."""
        return np.asarray(cv2.perspectiveTransform(points_px.astype(np.float64)[None], self.to_plane)[0])


TILE_UNITS = 26.0


def find_tiles_of_table(finder: Finder, image: Image) -> Candidates:
    """What looks like tiles of a table, in px of the picture."""
    longer = max(image.shape[:2])
    seen = _keep_small(finder.find(image, LOOK_PX / longer), longer)
    sure = seen[seen.scores >= SURE_SCORE]
    if not len(sure):
        return sure
    wide = float(np.median(short_sides(sure.quads))) * LOOK_PX / longer
    wanted = min(CLOSER_MAX, LOOK_PX * WANTED_PX / wide)
    if wanted < 1.2 * LOOK_PX and wanted > 0.5 * LOOK_PX:
        return _drop_odd(sure)
    closer = _keep_small(finder.find(image, wanted / longer), longer)
    closer = closer[closer.scores >= SURE_SCORE]
    return _drop_odd(closer if len(closer) > 0.8 * len(sure) else sure)


def _drop_odd(found: Candidates) -> Candidates:
    """Without those that are far fainter, larger or smaller than most: patterns of a cloth."""
    if not len(found):
        return found
    plain = np.sort(found.scores)[-min(PLAIN_MAX, len(found))]
    found = found[found.scores >= FAINT_SHARE * plain]
    wide = short_sides(found.quads)
    order = np.argsort(wide)
    weights = np.cumsum(measure_trust(found)[order])
    usual = wide[order[np.searchsorted(weights, weights[-1] / 2)]]
    return found[(wide < ODD_TIMES * usual) & (wide > usual / ODD_TIMES)]


def measure_trust(found: Candidates) -> Floats:
    """The weight (n,) of each find as evidence of the table."""
    return np.maximum(found.scores.astype(np.float64) - UNSURE_SCORE, 0.05)


def _keep_small(found: Candidates, longer: int) -> Candidates:
    return found[short_sides(found.quads) <= LARGEST_SHARE * longer]


def list_lines(image: Image) -> Floats:
    """Segments (n, 4) px of straight edges in the picture, longest first."""
    height, width = image.shape[:2]
    scale = min(1.0, SEGMENTS_PX / max(height, width))
    size = (round(width * scale), round(height * scale))
    grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    found = cv2.createLineSegmentDetector().detect(grey)[0]
    lines = np.zeros((0, 4)) if found is None else np.asarray(found, np.float64).reshape(-1, 4) / scale
    lines = lines[_lengths(lines) >= SEGMENT_MIN_PX / scale]
    return np.asarray(lines[np.argsort(-_lengths(lines))][:SEGMENTS_MAX])


def _lengths(segments: Floats) -> Floats:
    return np.asarray(np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1]))


def _keep_near(lines: Floats, quads: NDArray[np.float32]) -> Floats:
    """The lines (n, 4) that are no farther from the tiles than the table's edge may be: the room has lines of
    its own."""
    hull = cv2.convexHull(quads.mean(axis=1))
    middle = hull.mean(axis=0)
    hull = (middle + (hull - middle) * TABLE_OVER_TILES).astype(np.float32)
    middles = ((lines[:, :2] + lines[:, 2:]) / 2).tolist()
    near = [cv2.pointPolygonTest(hull, (x, y), False) >= 0 for x, y in middles]
    return np.asarray(lines[np.array(near, bool)])


def make_axes(pose: Floats) -> Floats:
    """The plane's axes and its normal (…, 3, 3), as columns, in the view of cameras with this elevation, turn
    and roll (…, 3 or more), radians."""
    elevation, turn, roll = pose[..., 0], pose[..., 1], pose[..., 2]
    zero, one = np.zeros_like(turn), np.ones_like(turn)

    def stack(rows: list[list[Floats]]) -> Floats:
        return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)

    s, c = np.sin(elevation), np.cos(elevation)
    # x to the right, y down, z away, for a camera that looks down at the plane
    tilt = stack([[one, zero, zero], [zero, -s, -c], [zero, c, -s]])
    s, c = np.sin(turn), np.cos(turn)
    spin = stack([[c, -s, zero], [s, c, zero], [zero, zero, one]])
    s, c = np.sin(roll), np.cos(roll)
    lean = stack([[c, -s, zero], [s, c, zero], [zero, zero, one]])
    return np.asarray(lean @ tilt @ spin)


def _find_axes(lines: Lines, quads: Floats, trust: Floats, longer: int) -> list[tuple[Floats, float]]:
    """The likeliest planes' axes and normals (3, 3), as columns, with the camera's focal length, px.

    quads: (n, 4, 2) outlines of tiles, px from the middle of the picture, with their trust (n,)."""
    poses = np.stack(np.meshgrid(ELEVATIONS, ROLLS, indexing="ij"), axis=-1).reshape(-1, 2)
    few = lines.choose(COARSE_LINES)
    rated, found = [], []
    for focal, cost in zip(FOCALS * longer, FOCAL_COSTS, strict=True):
        tilts = make_axes(np.column_stack([poses[:, 0], np.zeros(len(poses)), poses[:, 1]]))
        flat = rate_flatness(tilts, np.full(len(tilts), focal), quads, trust)
        turned = np.repeat(poses, len(TURNS), axis=0)
        axes = make_axes(np.column_stack([turned[:, 0], np.tile(TURNS, len(poses)), turned[:, 1]]))
        along = few.rate(axes, np.full(len(axes), np.log(focal)), COARSE)
        rated.append(along + FLAT_WEIGHT * np.repeat(flat, len(TURNS)) - cost)
        found += [(each, float(focal)) for each in axes]
    chosen: list[tuple[Floats, float]] = []
    for index in np.argsort(-np.concatenate(rated)):
        axes, focal = found[int(index)]
        if all(_angle_between(axes, other) > APART or abs(np.log(focal / f)) > 0.6 for other, f in chosen):
            chosen.append((axes, focal))
            if len(chosen) == BEST:
                break
    return chosen


def rate_flatness(axes: Floats, focal: Floats, quads: Floats, trust: Floats) -> Floats:
    """The share (k,) of outlines (n, 4, 2), px from the middle of the picture, that are rectangles of a
    tile's proportions and all of one size in the planes of k cameras with these axes (k, 3, 3) and focal
    lengths (k,) px. Only flat tiles are, wherever they point, and only in the table's plane."""
    surest = np.argsort(-trust)[:SIZED_TILES]
    quads, trust = quads[surest], trust[surest]
    rays = np.concatenate([
        np.broadcast_to(quads, (len(axes), *quads.shape)) / focal[:, None, None, None],
        np.ones((len(axes), *quads.shape[:2], 1)),
    ], axis=-1)  # fmt: skip
    seen = np.einsum("knci,kij->kncj", rays, axes)
    depth = seen[..., 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        flat = np.where(depth[..., None] < 0, seen[..., :2] / depth[..., None], np.nan)
    return measure_flatness(flat, trust)


def measure_flatness(flat: Floats, trust: Floats) -> Floats:
    """The share (k,) of outlines of n tiles, as k planes have them (k, n, 4, 2) in any unit, that are
    rectangles of a tile's proportions and all of one size. trust: (n,) of each tile; nan: of what is behind
    the camera."""
    with np.errstate(divide="ignore", invalid="ignore"):
        u = (flat[:, :, 1] - flat[:, :, 0] + flat[:, :, 2] - flat[:, :, 3]) / 2
        v = (flat[:, :, 3] - flat[:, :, 0] + flat[:, :, 2] - flat[:, :, 1]) / 2
        one, other = np.linalg.norm(u, axis=2), np.linalg.norm(v, axis=2)
        cosine = (u * v).sum(axis=2) / (one * other)
        ratio = np.log(np.maximum(one, other) / np.minimum(one, other) / ASPECT)
        fits = np.exp(-0.5 * ((cosine / SQUARE_BLUR) ** 2 + (ratio / ASPECT_BLUR) ** 2))
        size = np.log(one * other) / 2
    sound = np.isfinite(fits) & np.isfinite(size)
    fits, size = np.where(sound, fits, 0.0) * trust, np.where(sound, size, 99.0)
    alike = np.exp(-0.5 * ((size[:, :, None] - size[:, None]) / SIZE_BLUR) ** 2)
    return np.asarray((alike @ fits[..., None])[..., 0].max(axis=1) / trust.sum(), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Segments by their middles (n, 2), from the picture's middle, directions (n, 2) and weights (n,)."""

    middles: Floats
    ways: Floats
    weights: Floats

    @classmethod
    def of(
        cls, lines: Floats, sides: Floats, trust: Floats, lines_weight: float, width: int, height: int
    ) -> Lines:
        """Of lines (n, 4) in the picture and the sides (m, 4) of finds, px, with their trust (m,).
        lines_weight: of all lines against all sides."""
        segments = np.concatenate([lines, sides])
        ways = segments[:, 2:] - segments[:, :2]
        lengths = np.maximum(np.hypot(*ways.T), 1e-6)
        weights = np.minimum(lengths, LONG_SHARE * max(width, height)) ** 1.5
        weights[len(lines) :] *= trust
        for part, times in ((weights[: len(lines)], lines_weight), (weights[len(lines) :], 1.0)):
            part *= times / max(float(part.sum()), 1e-9)
        middles = (segments[:, :2] + segments[:, 2:]) / 2 - [width / 2, height / 2]
        return cls(middles, ways / lengths[:, None], weights / weights.sum())

    def measure(self, vanishing: Floats) -> Floats:
        """The angle, radians, between them and the ways to each of these vanishing points (k, 3, m),
        homogeneous px from the picture's middle: (k, n, m)."""
        points, depth = vanishing[:, :2], vanishing[:, 2]
        to_x = points[:, None, 0] - depth[:, None] * self.middles[None, :, :1]
        to_y = points[:, None, 1] - depth[:, None] * self.middles[None, :, 1:]
        cross = to_x * self.ways[None, :, 1:] - to_y * self.ways[None, :, :1]
        return np.asarray(np.arcsin(np.clip(cross / np.maximum(np.hypot(to_x, to_y), 1e-9), -1, 1)))

    def rate(self, axes: Floats, log_focal: Floats, spread: float) -> Floats:
        """How much (k,) of them runs along the plane; upright ones have less weight."""
        points = axes.copy()
        points[:, :2] *= np.exp(log_focal)[:, None, None]
        near = np.exp(-0.5 * (self.measure(points) / spread) ** 2)
        return np.asarray(np.maximum(near[..., :2].max(axis=2), UPRIGHT * near[..., 2]) @ self.weights)

    def rate_corners(self, corners: Floats, width: int, height: int) -> Floats:
        """How much (k,) of them runs along the sides of tables with these corners (k, 4, 2) px, in order
        round each."""
        places = np.concatenate([corners - [width / 2, height / 2], np.ones((len(corners), 4, 1))], axis=2)
        sides = np.cross(places, np.roll(places, -1, axis=1))
        vanishing = np.stack([np.cross(sides[:, 0], sides[:, 2]), np.cross(sides[:, 1], sides[:, 3])], axis=2)
        near = np.exp(-0.5 * (self.measure(vanishing) / FINE) ** 2)
        return np.asarray(near.max(axis=2) @ self.weights)

    def choose(self, count: int) -> Lines:
        """That number of them with the most weight."""
        most = np.argsort(-self.weights)[:count]
        weights = self.weights[most]
        return Lines(self.middles[most], self.ways[most], weights / weights.sum())


def _angle_between(one: Floats, other: Floats) -> float:
    """The angle, radians, between two cameras' axes, in either order of the axes."""
    both = one.T @ other
    traces = [both[0, 0] + both[1, 1], both[0, 1] - both[1, 0]]
    return float(np.arccos(np.clip((max(map(abs, traces)) + both[2, 2] - 1) / 2, -1, 1)))


def _climb(axes: Floats, focal: float, lines: Lines, quads: Floats, trust: Floats) -> tuple[Floats, float]:
    """The axes nearby, and the focal length, px, that fit lines and tiles best: steps in random directions,
    each time smaller ones, the same for every picture."""
    rng = np.random.default_rng(0)
    log_focal = float(np.log(focal))
    moves = rng.standard_normal((CLIMBS, CLIMB_TRIES, 4))
    moves[:, 0] = 0.0
    for number, tries in enumerate(moves):
        tries = tries * CLIMB_SPREAD * CLIMB_SHRINK**number
        turned = np.stack([_turn(move[:3]) @ axes for move in tries])
        focals = log_focal + tries[:, 3]
        rated = lines.rate(turned, focals, max(FINE, COARSE * 0.6**number))
        rated = rated + FLAT_WEIGHT * rate_flatness(turned, np.exp(focals), quads, trust)
        best = int(rated.argmax())
        axes, log_focal = turned[best], float(focals[best])
    return axes, float(np.exp(log_focal))


def _turn(by: Floats) -> Floats:
    """The rotation (3, 3) about this vector by its length in radians."""
    return np.asarray(cv2.Rodrigues(np.asarray(by, np.float64))[0], np.float64)


def gather_lines(image: Image, tiles: Candidates) -> Lines:
    """The straight edges near these tiles, and the tiles' own."""
    quads = tiles.quads
    height, width = image.shape[:2]
    sides = np.concatenate([quads, np.roll(quads, -1, axis=1)], axis=2).reshape(-1, 4).astype(np.float64)
    edges = _keep_near(list_lines(image), quads)
    return Lines.of(edges, sides, np.repeat(measure_trust(tiles), 4), LINES_SHARE, width, height)


def find_planes(lines: Lines, tiles: Candidates, width: int, height: int) -> list[Plane]:
    """The planes in which these tiles may be, in a picture of that size, likeliest first."""
    quads = tiles.quads
    longer = max(width, height)
    trust = measure_trust(tiles)
    middle = np.median(quads.mean(axis=1), axis=0)
    centred = quads.astype(np.float64) - [width / 2, height / 2]
    planes: list[Plane] = []
    kept: list[Floats] = []
    for start, usual in _find_axes(lines, centred, trust, longer):
        axes, focal = _climb(start, usual, lines, centred, trust)
        if any(_angle_between(axes, other) < SAME_PLANE for other in kept):
            continue
        lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
        ray = np.linalg.solve(lens, [*middle, 1.0])
        if not FOCALS[0] / 1.5 < focal / longer < 1.5 * FOCALS[-1] or float(axes[:, 2] @ ray) >= 0:
            continue
        to_plane = np.linalg.inv(lens @ np.column_stack([axes[:, 0], axes[:, 1], ray]))
        widths = measure_widths(quads, to_plane)
        if len(widths):
            kept.append(axes)
            times = TILE_UNITS / float(np.median(widths))
            along = float(lines.rate(axes[None], np.array([np.log(focal)]), FINE)[0])
            flat = float(rate_flatness(axes[None], np.array([focal]), centred, trust)[0])
            cost = float(np.interp(np.log(focal / longer), np.log(FOCALS), FOCAL_COSTS))
            rating = along + FLAT_WEIGHT * flat - cost
            planes.append(Plane(np.diag([times, times, 1.0]) @ to_plane, -times * (axes.T @ ray), rating))
    return sorted(planes, key=lambda plane: -plane.rating)


def measure_widths(quads: NDArray[np.float32], to_plane: Floats) -> Floats:
    """The shorter sides of the outlines that look like flat tiles, in units of the plane."""
    flat = cv2.perspectiveTransform(quads.astype(np.float64), to_plane)
    sides = np.linalg.norm(flat - np.roll(flat, -1, axis=1), axis=2)
    a, b = (sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2
    ratio = np.maximum(a, b) / np.minimum(a, b)
    lying = (ratio > 1.15) & (ratio < 1.6) & np.isfinite(ratio)
    return np.asarray(np.minimum(a, b)[lying if lying.sum() >= 4 else np.isfinite(ratio)], np.float64)


DEPTH = 0.77
"""Depth of a tile, in widths: the height of faces; backs of a wall of two layers are as much higher."""
STANDS = 0.67
"""How high the middle of a standing tile is,"""
BEHIND = 0.35
"""and how far behind the face that is seen."""
WALLS = np.arange(4.5, 11.01, 0.5)
"""From the middle of the table to the middles of the walls: half of 9 to 20 stacks."""
HANDS = np.arange(8.0, 17.01, 0.75)
"""From the middle to hands and melds,"""
BETWEEN = 1.5
"""which are at least this much farther from it than the walls."""
RIVERS = np.array([0.0, 2.6, 3.6, 5.0])
"""From the middle to the beginning of the discards: 0 if they may be anywhere, then rows of 5, 6 and 10."""
STEP, REACH = 0.4, 8.0
"""The middles that are tried: their distance from each other, and the farthest from the middle of the
finds."""
ROW, ABREAST = 3.7, 0.4
"""Tiles no farther apart along a row, and across it, are neighbours in it."""
PLAINLY_LONG = 0.2
"""Share of its width by which a tile not seen at a slant is longer than wide."""
WALL_BLUR, HAND_BLUR = 0.35, 0.5
"""Spread of tiles about their rings."""
BACKS, FACES = (0.6, 0.25, 0.05, 0.09), (0.02, 0.25, 0.5, 0.22)
"""Shares of backs, and of faces, that are in walls, in hands or melds, inside, and between walls and
hands."""
STRAY = 0.004
"""Density per width of finds that are not tiles, or are in unusual places."""
TOGETHER = 0.35
"""Weight of each tile: those of a row are not independent."""
PLAIN_TRUST = 0.3
"""A find with this `measure_trust` is a tile."""
HAND_TO_EDGE = 0.7
"""How far the middles of hands are inside the table's edge, at least."""
USUAL_HALF = 14.8
"""Half of a table's side: 800 mm, with tiles of 27."""
EDGE_BEYOND = 1.2
"""How far beyond the hands a table ends that is no larger than it must be."""
NEAR = 1.2
"""Middles as near as this to the best one count as the same."""
STEEP_FROM, STEEPNESS = 37.0, 0.5
"""Degrees over the table from which the tiles may be believed: from lower down standing tiles hide what is
behind them, and seem displaced."""
TRUST_FROM_SIDE = 0.3
"""How much of it may still be believed from there."""
ELSEWHERE = -60.0
"""Nats of a middle that is not tried."""


@dataclass(frozen=True, slots=True, eq=False)
class _TilesAlong:
    """Where tiles are along one axis: (n,) widths on the ground, of flat ones, of the backs of walls and of
    standing ones; share: how likely each points along this axis; trust: its weight."""

    lying: Floats
    walls: Floats
    standing: Floats
    share: Floats
    trust: Floats


@dataclass(frozen=True, slots=True, eq=False)
class TableInPlane:
    """A table by its tiles. box: (4,) left, right, low and high, units of the plane; spread: standard
    deviation of its middle, units; hands: their distance from it, widths."""

    box: Floats
    spread: float
    hands: float


@dataclass(frozen=True, eq=False)
class Layout:
    """How well the tiles fit each middle of the table.

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
    def place(self) -> TableInPlane:
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
        return TableInPlane(box, spread * TILE_UNITS, hands)

    def _find_hands(self, row: int, column: int) -> tuple[float, float]:
        """The distance of hands from this middle, and its standard deviation."""
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
        """As `nats`, for hands up to each distance, all distances being equally likely."""
        count = np.arange(1, len(HANDS) + 1)[:, None, None]
        return np.asarray(np.logaddexp.accumulate(self.nats, axis=0) - np.log(count), np.float64)


def find_layout(tiles: Candidates, plane: Plane) -> Layout:
    """The evidence of these tiles, at least one, for the middle of a table in that plane."""
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
                here = _TilesAlong(parts[0], parts[1], parts[2], along[mask], trust[mask])
                middles = float(middle[axis]) + _list_steps()
                total = total + np.stack([rate(here, middles, float(wall)) for wall in WALLS])
        rated.append(total)
    away = np.median(flat.mean(axis=1), axis=0) - plane.eye[:2]
    degrees = float(np.degrees(np.arctan2(plane.eye[2], np.hypot(*away))))
    steep = float(_step(np.array(STEEPNESS * (STEEP_FROM - degrees))))
    return Layout(middle, _join(rated[0], rated[1]), TRUST_FROM_SIDE + (1 - TRUST_FROM_SIDE) * steep)


def _join(across: Floats, along: Floats) -> Floats:
    """Nats (h, n, n) for each of HANDS and each middle, from those of both axes (w, h, r, n)."""
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
    """Where tiles seen at these places (n, 2), units, are on the ground, in widths: if they lie flat, are
    upon a wall, and stand. The plane is at the height of flat faces."""
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


def _rate_backs(places: _TilesAlong, middles: Floats, walls: float) -> Floats:
    """Nats (h, r, n) for hands, rivers and middles (n,) along one axis, with the walls at this distance from
    the middle, by the backs."""
    across = _step((np.abs(places.walls - middles[:, None]) - walls - 0.8) / 0.3)
    return _rate(places, middles, walls, BACKS, 0.97 / (walls + 0.8) * across + 0.002)


def _rate_faces(places: _TilesAlong, middles: Floats, walls: float) -> Floats:
    """As `_rate_backs`, by the faces."""
    hands, rivers = HANDS[:, None, None, None], RIVERS[:, None, None]
    off = np.abs(places.lying - middles[:, None])
    end = np.where(rivers == 0, walls, rivers + 0.7)
    inside = 0.6 / end * _step((off - end) / 0.3)
    at_edge = 0.37 / (hands + 0.8) * _step((off - hands - 0.8) / 0.3)
    return _rate(places, middles, walls, FACES, inside + at_edge + 0.002)


def _rate(
    places: _TilesAlong,
    middles: Floats,
    walls: float,
    kinds: tuple[float, float, float, float],
    across: Floats,
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
    """The standard deviation of places with these probabilities (n, n), over both axes."""
    parts = [chance.sum(axis=1), chance.sum(axis=0)]
    return float(np.sqrt(sum(float(part @ grid**2) - float(part @ grid) ** 2 for part in parts)))


def _step(values: Floats) -> Floats:
    """1 far below 0, 0 far above."""
    return np.asarray(1 / (1 + np.exp(np.clip(values, -30, 30))), np.float64)


def _bell(off: Floats, blur: float) -> Floats:
    """The density of a normal distribution."""
    return np.asarray(np.exp(-0.5 * (off / blur) ** 2) / (blur * np.sqrt(2 * np.pi)), np.float64)
