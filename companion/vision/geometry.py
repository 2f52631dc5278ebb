"""Quads in a picture: overlap, suppression, straightening."""

from __future__ import annotations

import math
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image

Quads = NDArray[np.float32]

NEXT_CORNERS = [1, 2, 3, 0]
"""Of each corner of a quad the one that follows it: indexing by these is quicker than rolling the array."""
SAME_TILE_IOU = 0.3
CANDIDATES_MAX = 1000
"""Seven whole sets of tiles. What is compared with one another takes memory by the square of its number."""


def short_sides(quads: Quads) -> NDArray[np.float32]:
    """Length of each quad's shorter pair of sides, (n, 4, 2) → (n,) px."""
    return np.minimum(*_measure_sides(quads))


def long_sides(quads: Quads) -> NDArray[np.float32]:
    """Length of each quad's longer pair of sides, (n, 4, 2) → (n,) px."""
    return np.maximum(*_measure_sides(quads))


def _measure_sides(quads: Quads) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mean length of first and third side, and of second and fourth: (n, 4, 2) → two arrays (n,), px."""
    sides = np.linalg.norm(quads - quads[:, NEXT_CORNERS], axis=2)
    return (sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2


def start_at_top_left(quads: Quads) -> Quads:
    """The same quads (n, 4, 2), each from the left end of the side that is uppermost in the picture: in most
    pictures that is the glyph's top left corner."""
    if not len(quads):
        return quads
    uppermost = (quads + quads[:, NEXT_CORNERS])[:, :, 1].argmin(axis=1)
    corners = (uppermost[:, None] + np.arange(4)) % 4
    turned: Quads = np.take_along_axis(quads, corners[:, :, None], axis=1)
    return turned


def overlap(one: Quads, other: Quads) -> float:
    """Intersection over union of two convex quads (4, 2), 0..1."""
    common, _ = cv2.intersectConvexConvex(one, other)
    whole = cv2.contourArea(one) + cv2.contourArea(other) - common
    return float(common / whole) if whole > 0 else 0.0


def suppress_overlaps(quads: Quads, scores: NDArray[np.float32]) -> NDArray[np.intp]:
    """Indices (k,) of the quads (n, 4, 2) that remain, best first, when of every two that lie on one tile the
    one of the better score (n,) is kept (non-maximum suppression). Of more than CANDIDATES_MAX only the best
    are looked at."""
    best = np.argsort(-scores, kind="stable")[:CANDIDATES_MAX]
    quads = quads[best]
    centres = quads.mean(axis=1)
    reach = np.linalg.norm(quads - centres[:, None], axis=2).max(axis=1)
    apart = np.hypot(*(centres[:, None] - centres).transpose(2, 0, 1))
    near = apart < reach[:, None] + reach
    kept: list[int] = []
    for index in range(len(quads)):
        rivals = [k for k in kept if near[index, k]]
        if all(overlap(quads[index], quads[k]) < SAME_TILE_IOU for k in rivals):
            kept.append(index)
    return best[kept]


def straighten_quad(picture: Image, quad: Quads, size_px: int) -> Image:
    """A quad (4, 2) px of a picture warped to a square (size_px, size_px, 3), its first corner to the top
    left. A large tile is shrunk by a whole number first, so that no pixel is skipped."""
    corners = [*quad.tolist(), quad[0].tolist()]
    side = max(math.dist(one, other) for one, other in pairwise(corners))
    whole = max(1, round(side / size_px))
    if whole > 1:
        left, top = (max(0, math.floor(min(axis)) - whole) for axis in zip(*corners, strict=True))
        right, bottom = (math.ceil(max(axis)) for axis in zip(*corners, strict=True))
        around = picture[top : bottom + whole, left : right + whole]
        height, width = (length // whole for length in around.shape[:2])
        if height and width:
            around = around[: height * whole, : width * whole]
            picture = np.asarray(cv2.resize(around, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
            quad = (quad - np.array([left, top])) / whole
    square = np.array([[0, 0], [size_px, 0], [size_px, size_px], [0, size_px]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform((quad - 0.5).astype(np.float32), square)
    crop = cv2.warpPerspective(
        picture, matrix, (size_px, size_px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return crop.astype(np.uint8, copy=False)
