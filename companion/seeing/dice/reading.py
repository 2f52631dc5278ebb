"""Reads the dice in a part of the table: patterns of pips, not outlines, are searched.

Shadows and the sides of a die, which from a corner look as bright as its upper face, spoil any outline. So
the nine patterns are compared with a picture from straight above in every turn and size, and the best are
fitted. A pose is (x, y, edge, angle, step, radius): the middle of the face and its edge in px of that
picture, its turn in radians, and the distance and radius of pips as shares of the edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.arrays import Floats
from companion.seeing.sights import Box
from companion.seeing.table_camera import TableCamera

Picture = NDArray[np.float32]

_CORNERS = [(-1, -1), (1, 1)], [(-1, 1), (1, -1)]
PATTERNS: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = (
    (1, ((0, 0),)),
    (2, tuple(_CORNERS[0])),
    (2, tuple(_CORNERS[1])),
    (3, (*_CORNERS[0], (0, 0))),
    (3, (*_CORNERS[1], (0, 0))),
    (4, (*_CORNERS[0], *_CORNERS[1])),
    (5, (*_CORNERS[0], *_CORNERS[1], (0, 0))),
    (6, (*_CORNERS[0], *_CORNERS[1], (-1, 0), (1, 0))),
    (6, (*_CORNERS[0], *_CORNERS[1], (0, -1), (0, 1))),
)
"""The nine patterns of pips on a square turned by less than a right angle, with their numbers."""
PIPS_MAX = 6
FAR = 99.0
STEP, RADIUS = 0.25, 0.1
"""Usual distance of pips from the middle of the face, and their radius, in edges."""
SOFT_MM = 0.4
"""Blur of a pip's edge."""
INNER, FACE_POINTS = 0.44, 11
"""The part of a face that is compared, as a share of the edge to each side, and the number of its points
along a side."""
OUTLINE_POINTS, BEYOND_MM = 24, 1.6
"""Points around the outline of a die, and their distance outside it."""
EDGE_OF_PIPS, EDGE_LEVELS = 0.15, 10.0
"""The surroundings of a die differ from its face by this share of the contrast of its pips, and by these
levels."""
EDGE_WEIGHT, CROSS_WEIGHT = 1.5, 0.5

_PLACES = np.full((len(PATTERNS), PIPS_MAX, 2), FAR)
for _row, (_, _pips) in enumerate(PATTERNS):
    _PLACES[_row, : len(_pips)] = _pips
_along: Floats = np.linspace(-INNER, INNER, FACE_POINTS)
_GRID: Floats = np.stack(np.meshgrid(_along, _along), axis=-1).reshape(-1, 2)
_PLANE: Floats = np.column_stack([np.ones(len(_GRID)), _GRID])
_SLOPE = np.asarray(np.linalg.pinv(_PLANE), np.float64)  # a lamp may light a face from one side
_around = np.linspace(0, 2 * np.pi, OUTLINE_POINTS, endpoint=False)
_WAYS: Floats = np.stack([np.cos(_around), np.sin(_around)], axis=-1)
_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """How well poses fit, each (n,). alike: share of the face's differences that its pips explain; edge,
    crossed: how much the surroundings of the die differ from its face, and from what is seen just inside its
    outline, 0 to 1; contrast: of the pips, grey levels."""

    alike: Floats
    edge: Floats
    crossed: Floats
    contrast: Floats

    @property
    def scores(self) -> Floats:
        """One number for all, at most 1."""
        return self.alike - EDGE_WEIGHT * (1 - self.edge) - CROSS_WEIGHT * (1 - self.crossed)


def draw_pattern(pattern: int, radius: float, side_px: int, edge_px: float) -> Picture:
    """The pips of a pattern (side_px, side_px), 0 to 1, on the inner part of an upright face; radius: of the
    pips, in edges."""
    along = (np.arange(side_px) - (side_px - 1) / 2) / edge_px
    points = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    pips = _mark_pips(points, np.array([pattern]), np.array([STEP]), np.array([radius]), np.array([0.04]))
    return pips.reshape(side_px, side_px).astype(np.float32)


def fit_poses(
    picture: Picture, patterns: NDArray[np.intp], poses: Floats, lean: Floats, mm_px: float
) -> Fits:
    """How well a picture (H, W, 3) shows these patterns (n,) at these poses (n, 6).

    lean: (2,) from a point of the upper face to its foot as seen, in edges; mm_px: px per mm.
    """
    middles, edges = poses[:, :2], poses[:, 2]
    cosine, sine = np.cos(poses[:, 3]) * edges, np.sin(poses[:, 3]) * edges
    turns = np.stack([np.stack([cosine, sine], axis=-1), np.stack([-sine, cosine], axis=-1)], axis=1)
    face = _sample(picture, _GRID @ turns + middles[:, None])
    pips = _mark_pips(_GRID, patterns, poses[:, 4], poses[:, 5], SOFT_MM * mm_px / edges)
    face_mean, pips_mean = face.mean(axis=1), pips.mean(axis=1)
    off = face - _PLANE @ (_SLOPE @ face)
    marks = pips - (pips @ _SLOPE.T) @ _PLANE.T
    ink = (marks[:, None] @ off)[:, 0] / np.maximum(1e-6, (marks**2).sum(axis=1))[:, None]
    whole = (off**2).sum(axis=(1, 2))
    alike = (ink**2).sum(axis=1) * (marks**2).sum(axis=1) / np.maximum(1.0, whole)
    contrast = np.linalg.norm(ink, axis=1)
    ground = face_mean - ink * pips_mean[:, None]
    middle, reach = _measure_outline(turns, edges, lean)
    outside, inside = (
        _sample(picture, middles[:, None] + middle + _WAYS * (reach + by * BEYOND_MM * mm_px)[:, :, None])
        for by in (1, -1)
    )
    least = (EDGE_OF_PIPS * contrast + EDGE_LEVELS)[:, None]
    edges_seen = np.clip(np.linalg.norm(outside - ground[:, None], axis=2) / least, 0, 1)
    crossed = np.clip(np.linalg.norm(outside - inside, axis=2) / least, 0, 1)
    return Fits(alike, edges_seen.mean(axis=1), crossed.mean(axis=1), contrast)


def _mark_pips(
    points: Floats, patterns: NDArray[np.intp], steps: Floats, radii: Floats, soft: Floats
) -> Floats:
    """(n, p) how much of each point (p, 2) of a face is covered by a pip, 0 to 1."""
    middles = _PLACES[patterns] * steps[:, None, None]
    off = points[None, :, None] - middles[:, None]
    away = np.sqrt((off[..., 0] ** 2 + off[..., 1] ** 2).min(axis=2))
    return np.asarray(1 / (1 + np.exp(np.clip((away - radii[:, None]) / soft[:, None], -30, 30))), np.float64)


def _measure_outline(turns: Floats, edges: Floats, lean: Floats) -> tuple[Floats, Floats]:
    """The middles (n, 1, 2) of the outlines of dice, relative to those of their upper faces, and the
    distance of the outline from there (n, OUTLINE_POINTS), px. turns: (n, 2, 2), the face's directions, as
    long as its edge."""
    squares = _SQUARE @ turns
    feet = squares + (lean * edges[:, None])[:, None]
    corners = np.concatenate([squares, feet], axis=1)
    middle = corners.mean(axis=1, keepdims=True)
    aside = np.broadcast_to(np.array([-lean[1], lean[0] + 1e-9]), (len(edges), 1, 2)) * edges[:, None, None]
    sides = np.concatenate([turns, -turns, aside, -aside], axis=1)
    sides /= np.linalg.norm(sides, axis=2, keepdims=True)
    far = np.einsum("ncx,nsx->nsc", corners - middle, sides).max(axis=2)
    steep = sides @ _WAYS.T
    reach = np.where(steep > 1e-6, far[:, :, None] / np.maximum(steep, 1e-6), np.inf).min(axis=1)
    return middle, reach


def _sample(picture: Picture, points: Floats) -> Floats:
    """The colours (n, p, 3) at points (n, p, 2) px."""
    x, y = points[..., 0].astype(np.float32), points[..., 1].astype(np.float32)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float64)


HEIGHT_MM = 14.0
"""Height of the upper face of a usual die, which the picture shows. Other dice are shifted in it."""
MM_PX = 2.0
MARGIN_MM, NEAR_MM = 26.0, 10.0
"""Around the searched part: a die and its surroundings, shifted."""
EDGES_MM = (9.8, 12.2, 15.2, 19.0)
EDGE_RANGE_MM = (8.5, 21.0)
TURNS = tuple(np.arange(8) * np.pi / 16)
PATTERN_PX, PATTERN_EDGE_PX = 11, 12.0
ALIKE_FROM = 0.5
"""A place at least this much like a pattern is examined more closely."""
PLACE_PX = 6.0
DRAFTS = 50
ROUNDS = ((8, 1.0, 24), (16, 0.6, 16), (16, 0.4, 12), (16, 0.25, 10))
"""Random tries around each draft, their size in SPREADs, and how many drafts are kept then."""
FINE, FINE_ROUNDS, FINER = 0.25, 12, 0.88
"""The last tries, along each axis: their first size, their rounds, and the factor of the size per round."""
SPREAD = np.array([1.6, 1.6, 2.0, 0.1, 0.012, 0.012])
STEPS, RADII, RADIUS_OF_ONE, LARGE_RADIUS = (0.21, 0.29), (0.07, 0.13), 0.22, 0.18


SAME_PLACE = 0.4
"""In sums of two edges: faces with nearer middles are readings of one face."""
SLANT_FROM = 0.3
SIDE_FROM, SIDE_TO, SIDE_ASIDE = 0.6, 1.15, 0.5
"""Where the side of a die seen at a slant is from its upper face, towards the camera and to the side, in
edges: no other die can be nearer, nor its side much farther."""
FACE_ALIKE, FACE_EDGE = 0.5, 0.7
"""Anything this much like an upper face is one, as far as what is below it shows."""
SURE_ALIKE, SURE_EDGE, SURE_MARGIN, SURE_CONTRAST = 0.78, 0.93, 0.1, 25.0
MAYBE_ALIKE, MAYBE_EDGE, MAYBE_CONTRAST = 0.6, 0.8, 25.0


@dataclass(frozen=True, slots=True)
class Die:
    """A die: its upper face at x, y mm, as if HEIGHT_MM high, its edge, mm, and pips.

    alike, edge, contrast: as of Fits; margin: by how much its score exceeds that of any other number there.
    """

    x_mm: float
    y_mm: float
    edge_mm: float
    pips: int
    alike: float
    edge: float
    contrast: float
    margin: float

    @property
    def is_sure(self) -> bool:
        """Whether it is surely a die with this number."""
        return (
            self.alike >= SURE_ALIKE
            and self.edge >= SURE_EDGE
            and self.margin >= SURE_MARGIN
            and self.contrast >= SURE_CONTRAST
        )

    @property
    def may_be(self) -> bool:
        """Whether it may be a die."""
        return self.alike >= MAYBE_ALIKE and self.edge >= MAYBE_EDGE and self.contrast >= MAYBE_CONTRAST


def find_dice(image: Image, camera: TableCamera, part: Box, seed: int = 0) -> list[Die]:
    """What looks most like dice in a part of the table in a picture (H, W, 3) of the camera."""
    left, near, right, far = (
        part.left - MARGIN_MM,
        part.near - MARGIN_MM,
        part.right + MARGIN_MM,
        part.far + MARGIN_MM,
    )
    picture = _view_from_above(image, camera, (left, near, right, far))
    if picture is None:
        return []
    lean = _find_lean(camera, (left + right) / 2, (near + far) / 2)
    around = round((MARGIN_MM - NEAR_MM) * MM_PX)
    patterns, poses = _draft(picture[around:-around, around:-around])
    poses[:, :2] += around
    if not len(poses):
        return []
    patterns, poses, fits = _refine(picture, patterns, poses, lean, np.random.default_rng(seed))
    return list(_choose(patterns, poses, fits, lean, np.array([left, far])))


def _view_from_above(
    image: Image, camera: TableCamera, sides: tuple[float, float, float, float]
) -> Picture | None:
    left, near, right, far = sides
    width, height = round((right - left) * MM_PX), round((far - near) * MM_PX)
    places = np.array([[left, far], [right, far], [right, near], [left, near]])
    px = camera.project(np.column_stack([places, np.full(4, HEIGHT_MM)]))
    if not np.isfinite(px).all():
        return None
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    above = cv2.getPerspectiveTransform((px - 0.5).astype(np.float32), corners)
    view = cv2.warpPerspective(
        image, above, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return view.astype(np.float32)


def _find_lean(camera: TableCamera, x_mm: float, y_mm: float) -> Floats:
    """From a point of an upper face to its foot as seen, in edges: px, y down."""
    away = (np.array([x_mm, y_mm]) - camera.position_mm[:2]) / camera.position_mm[2]
    return np.array([-away[0], away[1]])


@cache
def _list_patterns() -> tuple[tuple[int, Picture], ...]:
    """The patterns for drafts: a single pip is often larger."""
    drawn = [(at, RADIUS) for at in range(len(PATTERNS))]
    return tuple(
        (at, draw_pattern(at, radius, PATTERN_PX, PATTERN_EDGE_PX))
        for at, radius in [*drawn, (0, LARGE_RADIUS)]
    )


def _draft(picture: Picture) -> tuple[NDArray[np.intp], Floats]:
    """The patterns (n,) that places resemble most, and their poses (n, 6)."""
    # The minimum of the three colours shows red and black pips on white alike, and white ones on any colour.
    dark = np.ascontiguousarray(picture.min(axis=2))
    height, width = dark.shape
    found: list[Floats] = []
    for edge_mm in EDGES_MM:
        times = PATTERN_EDGE_PX / (edge_mm * MM_PX)
        side = int(np.hypot(width, height) * times) + 1
        for turn in TURNS:
            cosine, sine = times * np.cos(turn), times * np.sin(turn)
            there = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0]])
            there[:, 2] = (side - 1) / 2 - there[:, :2] @ [(width - 1) / 2, (height - 1) / 2]
            turned = cv2.warpAffine(dark, there, (side, side), borderMode=cv2.BORDER_REPLICATE)
            back = cv2.invertAffineTransform(there)
            for at, pattern in _list_patterns():
                alike = np.abs(cv2.matchTemplate(turned, pattern, cv2.TM_CCOEFF_NORMED))
                peaks = (alike > ALIKE_FROM) & (alike >= cv2.dilate(alike, np.ones((5, 5), np.uint8)))
                ys, xs = np.nonzero(peaks)
                if len(ys):
                    places = np.column_stack([xs, ys]) + (PATTERN_PX - 1) / 2
                    middles = places @ back[:, :2].T + back[:, 2]
                    rest = np.tile([edge_mm * MM_PX, turn, 0.0, at], (len(ys), 1))
                    rest[:, 2] = alike[ys, xs]
                    found.append(np.column_stack([middles, rest]))
    if not found:
        return np.zeros(0, np.intp), np.zeros((0, 6))
    drafts = np.concatenate(found)
    drafts = drafts[np.argsort(-drafts[:, 4], kind="stable")]
    inside = (drafts[:, :2] >= 0).all(axis=1) & (drafts[:, 0] < width) & (drafts[:, 1] < height)
    drafts = drafts[inside]
    cells = np.column_stack([drafts[:, 5], (drafts[:, :2] / PLACE_PX).round()])
    _, first = np.unique(cells, axis=0, return_index=True)
    drafts = drafts[np.sort(first)[:DRAFTS]]
    ones = np.ones(len(drafts))
    return drafts[:, 5].astype(np.intp), np.column_stack([drafts[:, :4], STEP * ones, RADIUS * ones])


def _refine(
    picture: Picture, patterns: NDArray[np.intp], poses: Floats, lean: Floats, rng: np.random.Generator
) -> tuple[NDArray[np.intp], Floats, Fits]:
    """The best of these poses, fitted."""
    numbers = np.array([PATTERNS[at][0] for at in patterns])
    for tries, reach, kept in ROUNDS:
        off = rng.normal(0, 1, (len(poses), tries, 6)) * SPREAD * reach
        off[:, 0] = 0
        poses, scores = _improve(picture, patterns, numbers, poses, off, lean)
        order = np.argsort(-scores, kind="stable")[:kept]
        poses, patterns, numbers = poses[order], patterns[order], numbers[order]
    reach = FINE
    for _ in range(FINE_ROUNDS):
        off = np.concatenate([np.zeros((1, 6)), np.diag(SPREAD), -np.diag(SPREAD)]) * reach
        poses, _ = _improve(picture, patterns, numbers, poses, np.tile(off, (len(poses), 1, 1)), lean)
        reach *= FINER
    return patterns, poses, fit_poses(picture, patterns, poses, lean, MM_PX)


def _improve(
    picture: Picture,
    patterns: NDArray[np.intp],
    numbers: NDArray[np.intp],
    poses: Floats,
    off: Floats,
    lean: Floats,
) -> tuple[Floats, Floats]:
    """The best pose (n, 6) of those with these offsets (n, t, 6), and its score (n,)."""
    tries = off.shape[1]
    tried = (poses[:, None] + off).reshape(-1, 6)
    who = np.repeat(np.arange(len(poses)), tries)
    tried[:, 2] = tried[:, 2].clip(EDGE_RANGE_MM[0] * MM_PX, EDGE_RANGE_MM[1] * MM_PX)
    tried[:, 4] = tried[:, 4].clip(*STEPS)
    most = np.where(numbers[who] == 1, RADIUS_OF_ONE, RADII[1])
    tried[:, 5] = tried[:, 5].clip(RADII[0], most)
    scores = fit_poses(picture, patterns[who], tried, lean, MM_PX).scores.reshape(len(poses), tries)
    best = scores.argmax(axis=1)
    rows = np.arange(len(poses))
    return tried.reshape(len(poses), tries, 6)[rows, best], scores[rows, best]


def _choose(
    patterns: NDArray[np.intp], poses: Floats, fits: Fits, lean: Floats, corner_mm: Floats
) -> Iterator[Die]:
    """One die for each place, best first. corner_mm: of the picture's upper left corner."""
    scores = fits.scores
    numbers = np.array([PATTERNS[at][0] for at in patterns])
    taken: list[int] = []
    for row in np.argsort(-scores, kind="stable").tolist():
        here = np.linalg.norm(poses[:, :2] - poses[row, :2], axis=1) < SAME_PLACE * (
            poses[:, 2] + poses[row, 2]
        )
        if here[taken].any():
            continue
        taken.append(row)
        if _is_side(row, poses, fits, lean):
            continue
        others = scores[here & (numbers != numbers[row])]
        x, y = corner_mm + (poses[row, :2] + 0.5) * [1 / MM_PX, -1 / MM_PX]
        yield Die(
            float(x), float(y), float(poses[row, 2] / MM_PX), int(numbers[row]),
            float(fits.alike[row]), float(fits.edge[row]), float(fits.contrast[row]),
            float(scores[row] - others.max(initial=-1.0)),
        )  # fmt: skip


def _is_side(row: int, poses: Floats, fits: Fits, lean: Floats) -> bool:
    """Whether it is a side of a die whose upper face is seen beyond it."""
    slant = float(np.linalg.norm(lean))
    if slant < SLANT_FROM:
        return False
    away = (
        (poses[row, :2] - poses[:, :2]) / poses[:, 2:3] @ np.column_stack([lean, [-lean[1], lean[0]]]) / slant
    )
    beyond = (away[:, 0] > SIDE_FROM) & (away[:, 0] < SIDE_TO) & (np.abs(away[:, 1]) < SIDE_ASIDE)
    return bool((beyond & (fits.alike > FACE_ALIKE) & (fits.edge > FACE_EDGE)).any())
