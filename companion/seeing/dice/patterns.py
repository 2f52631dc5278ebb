"""How the upper face of a die looks: where its pips are, and how well a picture shows them there.

A pose is (x, y, edge, angle, step, radius): the middle of the face and its edge in px of a picture of the
table from straight above, its turn in radians, and where pips are and how large, as shares of the edge.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
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
"""The nine ways in which pips lie on a square turned by less than a right angle, with their number."""
PIPS_MOST = 6
FAR = 99.0
STEP, RADIUS = 0.25, 0.1
"""Where pips usually are, from the middle of the face, and how large, in edges."""
SOFT_MM = 0.4
"""How blurred the edge of a pip is."""
INNER, POINTS = 0.44, 11
"""The part of a face that is compared, as a share of the edge to each side, and points of it along a side."""
AROUND, BEYOND_MM = 24, 1.6
"""Points round the outline of a die, and how far outside it they are."""
EDGE_OF_PIPS, EDGE_LEVELS = 0.15, 10.0
"""What surrounds a die differs from its face by such a share of what its pips do, and by so many levels."""
EDGE_WEIGHT, CROSS_WEIGHT = 1.5, 0.5

_PLACES = np.full((len(PATTERNS), PIPS_MOST, 2), FAR)
for _row, (_, _pips) in enumerate(PATTERNS):
    _PLACES[_row, : len(_pips)] = _pips
_along: Floats = np.linspace(-INNER, INNER, POINTS)
_GRID: Floats = np.stack(np.meshgrid(_along, _along), axis=-1).reshape(-1, 2)
_PLANE: Floats = np.column_stack([np.ones(len(_GRID)), _GRID])
_SLOPE = np.asarray(np.linalg.pinv(_PLANE), np.float64)  # of a face that a lamp lights from one side
_around = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
_WAYS: Floats = np.stack([np.cos(_around), np.sin(_around)], axis=-1)
_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """How well poses fit, each (n,). alike: share of the face's differences that its pips explain; edge,
    crossed: how much what surrounds the die differs from its face, and from what is seen just inside its
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
    """The pips of a pattern (side_px, side_px), 0 to 1, on the inner part of an upright face; radius:
    theirs, in edges."""
    along = (np.arange(side_px) - (side_px - 1) / 2) / edge_px
    points = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    pips = _mark_pips(points, np.array([pattern]), np.array([STEP]), np.array([radius]), np.array([0.04]))
    return pips.reshape(side_px, side_px).astype(np.float32)


def fit_poses(
    picture: Picture, patterns: NDArray[np.intp], poses: Floats, lean: Floats, mm_px: float
) -> Fits:
    """How well a picture (H, W, 3) shows these patterns (n,) at these poses (n, 6).

    lean: (2,) from a point of the upper face to where the foot below it is seen, in edges; mm_px: px a mm.
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
    """(n, p) how much of each point (p, 2) of a face a pip covers, 0 to 1."""
    middles = _PLACES[patterns] * steps[:, None, None]
    off = points[None, :, None] - middles[:, None]
    away = np.sqrt((off[..., 0] ** 2 + off[..., 1] ** 2).min(axis=2))
    return np.asarray(1 / (1 + np.exp(np.clip((away - radii[:, None]) / soft[:, None], -30, 30))), np.float64)


def _measure_outline(turns: Floats, edges: Floats, lean: Floats) -> tuple[Floats, Floats]:
    """The middles (n, 1, 2) of the outlines of dice, from those of their upper faces, and how far away the
    outline is from there (n, AROUND), px. turns: (n, 2, 2), the face's directions, as long as its edge."""
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
