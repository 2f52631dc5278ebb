"""Quads in a picture: overlap, suppression, straightening."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.pictures import Picture

Quads = NDArray[np.float32]

SAME_TILE_IOU = 0.3


def short_sides(quads: Quads) -> NDArray[np.float32]:
    """Length of each quad's shorter pair of sides, (n, 4, 2) → (n,) px."""
    sides = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    shorter: NDArray[np.float32] = np.minimum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2
    return shorter


def as_pictured(quads: Quads) -> Quads:
    """The same quads (n, 4, 2), their corners counted from the left end of the side that is uppermost in the
    picture: as most pictures are taken, from the glyph's top left."""
    uppermost = (quads + np.roll(quads, -1, axis=1))[:, :, 1].argmin(axis=1) if len(quads) else []
    turned = [np.roll(quad, -int(first), axis=0) for quad, first in zip(quads, uppermost, strict=True)]
    return np.array(turned, np.float32).reshape(-1, 4, 2)


def overlap(one: Quads, other: Quads) -> float:
    """Intersection over union of two convex quads (4, 2), 0..1."""
    common, _ = cv2.intersectConvexConvex(one, other)
    whole = cv2.contourArea(one) + cv2.contourArea(other) - common
    return float(common / whole) if whole > 0 else 0.0


def distinct(quads: Quads, scores: NDArray[np.float32]) -> NDArray[np.intp]:
    """Indices of the quads that remain when of every two that lie on one tile the better is kept, best
    first."""
    centres = quads.mean(axis=1)
    reach = np.linalg.norm(quads - centres[:, None], axis=2).max(axis=1)
    kept: list[int] = []
    for index in np.argsort(-scores, kind="stable"):
        near = [k for k in kept if np.hypot(*(centres[k] - centres[index])) < reach[k] + reach[index]]
        if all(overlap(quads[index], quads[k]) < SAME_TILE_IOU for k in near):
            kept.append(int(index))
    return np.array(kept, dtype=np.intp)


def straightened(picture: Picture, quad: Quads, size: int) -> Picture:
    """Warps a quad (4, 2) to a `size` square, its first corner to the top left; large tiles are averaged, not
    skipped."""
    side = float(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).max())
    fine = size * int(np.clip(round(side / size), 1, 4))
    square = np.array([[0, 0], [fine, 0], [fine, fine], [0, fine]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32) - 0.5, square)
    crop = cv2.warpPerspective(
        picture, matrix, (fine, fine), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    shrunk = crop if fine == size else cv2.resize(crop, (size, size), interpolation=cv2.INTER_AREA)
    return shrunk.astype(np.uint8, copy=False)
