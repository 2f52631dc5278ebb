"""Which plane the table's top is in: how the camera is tilted, by the directions of tiles and edges.

Tiles, their rows and the table's edges run mostly in two directions at right angles. In the picture each of
the two runs towards a vanishing point, and the two points say how the camera looks at the plane (a Manhattan
frame of line segments).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.vision.candidates import Candidates, short_sides
from companion.vision.networks import Finder

Floats = NDArray[np.float64]

LOOK_PX = 1600
"""Longer side of the picture in which tiles are looked for first: a tile of a whole table is then 15 to 30 px
wide."""
WANTED_PX = 30.0
"""Width of a tile from which on no closer look is needed."""
CLOSER_MAX = 2560
"""Longer side of the closer look."""
SURE_SCORE = 0.4
UNSURE_SCORE = 0.3
"""A find of this score says nothing about directions."""
PLAIN_MOST, FAINT_SHARE = 6, 0.55
"""What scores less than this share of the plainest finds but five is none: flowers of a carpet look a little
like tiles, and there are more of them."""
ODD_TIMES = 2.2
"""Near tiles of a table look no more than so many times as wide as usual ones, far ones as narrow."""
LARGEST_SHARE = 0.09
"""Of the longer side: what is wider is no tile of a table seen whole, or nearly so."""
SEGMENTS_PX = 1280
"""Longer side of the picture in which line segments are looked for."""
SEGMENT_MIN_PX = 12.0
SEGMENTS_MAX = 700
FOCAL = 0.76
"""Of the cameras tried, in longer sides: of phones and webcams, between 0.6 and 1."""
FOCAL_SPREAD = 0.2
"""Of its logarithm: so much do cameras differ."""
ELEVATIONS = np.radians(np.arange(18.0, 91.0, 4.0))
TURNS = np.radians(np.arange(0.0, 90.0, 3.0))
ROLLS = np.radians([-8.0, -4.0, 0.0, 4.0, 8.0])
COARSE = np.radians(2.5)
FINE = np.radians(0.6)
"""How far a segment may run off its direction, as a standard deviation."""
LONG_SHARE = 0.3
"""Of the longer side: a segment counts by its length up to that."""
UPRIGHT = 0.4
"""How much a segment counts that stands on the plane: things of the room stand too."""
FEW = 1 / 30
"""The usual focal length says as much as this share of all segments."""
TABLE_OVER_TILES = 2.0
"""How many times as wide as what is seen of its tiles the table is at most."""
APART = np.radians(6)
STEPS = 12
BEST = 6


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """The table's top as seen. to_plane: (3, 3), px → units of the plane, in which a tile is about
    TILE_UNITS wide, its axes along the table's sides; share: of the segments' length, that runs along them;
    tiles_share: the same of the tiles' outlines alone; eye: where the camera stands (3,), units of the plane,
    the last one its height over it.
    """

    to_plane: Floats
    share: float
    tiles_share: float
    eye: Floats


TILE_UNITS = 26.0


def look_for_tiles(finder: Finder, image: Image) -> Candidates:
    """What looks like tiles of a table, in px of the picture."""
    finder = replace(finder, keeps_memory=False)
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
    """Without those that are far fainter, larger or smaller than most: the patterns of a cloth."""
    if not len(found):
        return found
    plain = np.sort(found.scores)[-min(PLAIN_MOST, len(found))]
    found = found[found.scores >= FAINT_SHARE * plain]
    wide = short_sides(found.quads)
    order = np.argsort(wide)
    weights = np.cumsum(measure_trust(found)[order])
    usual = wide[order[np.searchsorted(weights, weights[-1] / 2)]]
    return found[(wide < ODD_TIMES * usual) & (wide > usual / ODD_TIMES)]


def measure_trust(found: Candidates) -> Floats:
    """How much (n,) each find says about the table."""
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
    """Those of the lines (n, 4) that are no farther from the tiles than the table's edge may be: the room
    around has lines of its own."""
    hull = cv2.convexHull(quads.mean(axis=1))
    middle = hull.mean(axis=0)
    hull = (middle + (hull - middle) * TABLE_OVER_TILES).astype(np.float32)
    middles = ((lines[:, :2] + lines[:, 2:]) / 2).tolist()
    near = [cv2.pointPolygonTest(hull, (x, y), False) >= 0 for x, y in middles]
    return np.asarray(lines[np.array(near, bool)])


def make_axes(pose: Floats) -> Floats:
    """The plane's axes and its normal (…, 3, 3), a column each, as cameras see them whose elevation, turn and
    roll (…, 3 or more), radians, are these."""
    elevation, turn, roll = pose[..., 0], pose[..., 1], pose[..., 2]
    zero, one = np.zeros_like(turn), np.ones_like(turn)

    def stack(rows: list[list[Floats]]) -> Floats:
        return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)

    s, c = np.sin(elevation), np.cos(elevation)
    # x to the right, y down, z away: of a camera that looks down at the plane from its elevation
    tilt = stack([[one, zero, zero], [zero, -s, -c], [zero, c, -s]])
    s, c = np.sin(turn), np.cos(turn)
    spin = stack([[c, -s, zero], [s, c, zero], [zero, zero, one]])
    s, c = np.sin(roll), np.cos(roll)
    lean = stack([[c, -s, zero], [s, c, zero], [zero, zero, one]])
    return np.asarray(lean @ tilt @ spin)


def _find_axes(lines: _Lines, longer: int) -> list[tuple[float, Floats, float]]:
    """The plane's axes and its normal (3, 3), a column each, as a camera sees them whose plane many of the
    lines run along, with the share of them that does, and its focal length, px; the best first."""
    grid = np.stack(np.meshgrid(ELEVATIONS, TURNS, ROLLS, indexing="ij"), axis=-1).reshape(-1, 3)
    axes, usual = make_axes(grid), float(np.log(FOCAL * longer))
    rated = np.concatenate([
        lines.rate(part, np.full(len(part), usual), COARSE) for part in np.array_split(axes, 60)
    ])  # fmt: skip
    chosen: list[int] = []
    for index in np.argsort(-rated):
        if all(_angle_between(axes[index], axes[other]) > APART for other in chosen):
            chosen.append(int(index))
            if len(chosen) == BEST:
                break
    found: list[tuple[float, Floats, float]] = []
    for index in chosen:
        fitted, focal = _refine(axes[index], lines, usual)
        share = float(lines.rate(fitted[None], np.array([focal]), FINE)[0])
        found.append((share, fitted, float(np.exp(focal))))
    found.sort(key=lambda each: -each[0])
    apart: list[tuple[float, Floats, float]] = []
    for each in found:
        if all(_angle_between(each[1], other[1]) > APART / 3 for other in apart):
            apart.append(each)
    return apart


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """Segments by their middles (n, 2), from the picture's middle, directions (n, 2) and weights (n,)."""

    middles: Floats
    ways: Floats
    weights: Floats

    @classmethod
    def of(
        cls, lines: Floats, sides: Floats, trust: Floats, lines_weight: float, width: int, height: int
    ) -> _Lines:
        """Of lines (n, 4) in the picture and the sides (m, 4) of tiles, px, that are tiles with this trust
        (m,). lines_weight: how much all lines count against all sides."""
        segments = np.concatenate([lines, sides])
        ways = segments[:, 2:] - segments[:, :2]
        lengths = np.maximum(np.hypot(*ways.T), 1e-6)
        weights = np.minimum(lengths, LONG_SHARE * max(width, height)) ** 1.5
        weights[len(lines) :] *= trust
        for part, times in ((weights[: len(lines)], lines_weight), (weights[len(lines) :], 1.0)):
            part *= times / max(float(part.sum()), 1e-9)
        middles = (segments[:, :2] + segments[:, 2:]) / 2 - [width / 2, height / 2]
        return cls(middles, ways / lengths[:, None], weights / weights.sum())

    def measure(self, axes: Floats, log_focal: Floats) -> Floats:
        """By how many radians (k, n, 3) they run off each of the axes (k, 3, 3) of k cameras."""
        points = axes[:, :2] * np.exp(log_focal)[:, None, None]  # vanishing points, times their depth
        depth = axes[:, 2]
        to_x = points[:, None, 0] - depth[:, None] * self.middles[None, :, :1]
        to_y = points[:, None, 1] - depth[:, None] * self.middles[None, :, 1:]
        cross = to_x * self.ways[None, :, 1:] - to_y * self.ways[None, :, :1]
        return np.asarray(np.arcsin(np.clip(cross / np.maximum(np.hypot(to_x, to_y), 1e-9), -1, 1)))

    def rate(self, axes: Floats, log_focal: Floats, spread: float) -> Floats:
        """How much (k,) of them runs along the plane; what stands upright counts less."""
        near = np.exp(-0.5 * (self.measure(axes, log_focal) / spread) ** 2)
        return np.asarray(np.maximum(near[..., :2].max(axis=2), UPRIGHT * near[..., 2]) @ self.weights)


def _angle_between(one: Floats, other: Floats) -> float:
    """By how many radians one camera's axes are turned against another's, whichever axis is the first."""
    both = one.T @ other
    traces = [both[0, 0] + both[1, 1], both[0, 1] - both[1, 0]]
    return float(np.arccos(np.clip((max(map(abs, traces)) + both[2, 2] - 1) / 2, -1, 1)))


def _refine(axes: Floats, lines: _Lines, usual: float) -> tuple[Floats, float]:
    """The axes nearby, and the logarithm of the focal length, that fit best: least squares with weights that
    fall with the distance. usual: that logarithm of usual cameras."""
    focal = usual
    small = 1e-4
    rows = np.arange(len(lines.weights))
    for step in range(STEPS):
        spread = max(FINE, COARSE * 0.7**step)
        turned = np.stack([axes, *(_turn(small * unit) @ axes for unit in np.eye(3)), axes])
        off = lines.measure(turned, np.array([focal] * 4 + [focal + small]))
        nearest = np.abs(off[0]).argmin(axis=1)
        off = off[:, rows, nearest]
        trust = lines.weights * np.exp(-0.5 * (off[0] / spread) ** 2) * np.where(nearest == 2, UPRIGHT, 1.0)
        jacobian = ((off[1:] - off[0]) / small).T
        normal = (jacobian.T * trust) @ jacobian / FINE**2 + np.diag([1e-6] * 3 + [FEW / FOCAL_SPREAD**2])
        wanted = (jacobian.T * trust) @ off[0] / FINE**2
        wanted[3] += FEW * (focal - usual) / FOCAL_SPREAD**2
        move = np.clip(-np.linalg.solve(normal, wanted), -0.15, 0.15)
        axes, focal = _turn(move[:3]) @ axes, focal + float(move[3])
    return axes, focal


def _turn(by: Floats) -> Floats:
    """The rotation (3, 3) about this vector by its length in radians."""
    return np.asarray(cv2.Rodrigues(np.asarray(by, np.float64))[0], np.float64)


def find_planes(image: Image, tiles: Candidates, lines_weight: float = 1.0) -> list[Plane]:
    """The planes on which these tiles may lie, the likeliest first.

    lines_weight: how much straight edges anywhere in the picture count, against those of the tiles: a cloth
    or a floor may have lines of its own.
    """
    quads = tiles.quads
    height, width = image.shape[:2]
    sides = np.concatenate([quads, np.roll(quads, -1, axis=1)], axis=2).reshape(-1, 4).astype(np.float64)
    middle = np.median(quads.mean(axis=1), axis=0)
    planes = []
    edges = _keep_near(list_lines(image), quads)
    lines = _Lines.of(edges, sides, np.repeat(measure_trust(tiles), 4), lines_weight, width, height)
    outlines = _Lines(*(part[len(edges) :] for part in (lines.middles, lines.ways, lines.weights)))
    for share, axes, focal in _find_axes(lines, max(width, height)):
        lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
        ray = np.linalg.solve(lens, [*middle, 1.0])
        to_plane = np.linalg.inv(lens @ np.column_stack([axes[:, 0], axes[:, 1], ray]))
        widths = measure_widths(quads, to_plane)
        if len(widths):
            times = TILE_UNITS / float(np.median(widths))
            along = float(outlines.rate(axes[None], np.array([np.log(focal)]), COARSE)[0])
            of_tiles = along / max(float(outlines.weights.sum()), 1e-9)
            eye = -times * (axes.T @ ray)
            planes.append(Plane(np.diag([times, times, 1.0]) @ to_plane, share, of_tiles, eye))
    return planes


def measure_widths(quads: NDArray[np.float32], to_plane: Floats) -> Floats:
    """The shorter sides of those outlines that look like lying tiles, in units of the plane."""
    flat = cv2.perspectiveTransform(quads.astype(np.float64), to_plane)
    sides = np.linalg.norm(flat - np.roll(flat, -1, axis=1), axis=2)
    a, b = (sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2
    ratio = np.maximum(a, b) / np.minimum(a, b)
    lying = (ratio > 1.15) & (ratio < 1.6) & np.isfinite(ratio)
    return np.asarray(np.minimum(a, b)[lying if lying.sum() >= 4 else np.isfinite(ratio)], np.float64)
