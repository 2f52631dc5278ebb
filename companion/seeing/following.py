"""Where outlines of one frame lie in a later one: the camera has moved while the first was being read.

The tiles lie still, so that one movement of the picture explains all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image, Quad

if TYPE_CHECKING:
    from cv2.typing import MatLike

SIDE_PX = 320
"""Longer side of the picture that is compared: three milliseconds a frame on a slow core, and to the pixel
of a tablet's screen."""
WINDOW_PX = (21, 21)
LEVELS = 3
INLIER_PX = 1.5
POINTS_MIN = 4
PLANE_FROM = 20
"""This many points, those of four tiles, show the movement of a plane."""
AGREEING_MIN = 0.5
"""Share of the points that must move alike; fewer, and another scene is in the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class SmallFrame:
    """A frame made small and grey, (h, w) uint8; `scale`: px of it a px of the frame."""

    grey: NDArray[np.uint8]
    scale: float

    @classmethod
    def of(cls, image: Image) -> SmallFrame:
        height, width = image.shape[:2]
        scale = min(1.0, SIDE_PX / max(height, width))
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        return cls(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8), scale)


def follow_quads(quads: Sequence[Quad], then: SmallFrame, now: SmallFrame) -> list[Quad]:
    """The quads of the frame `then` as they lie in the frame `now`; unchanged where no common movement is
    seen."""
    if not quads or then is now or then.grey.shape != now.grey.shape:
        return list(quads)
    corners = np.array(quads, np.float32) * then.scale
    points = np.concatenate([corners, corners.mean(axis=1, keepdims=True)], axis=1).reshape(-1, 1, 2)
    found, status, _ = cv2.calcOpticalFlowPyrLK(
        then.grey, now.grey, points, np.empty_like(points), winSize=WINDOW_PX, maxLevel=LEVELS
    )
    kept = status.ravel() == 1
    if kept.sum() < POINTS_MIN:
        return list(quads)
    movement, agreeing = _movement(points[kept], found[kept])
    if movement is None or agreeing.mean() < AGREEING_MIN:
        return list(quads)
    moved = cv2.perspectiveTransform(corners, movement) / then.scale
    return [_to_quad(quad) for quad in moved]


def _to_quad(corners: MatLike) -> Quad:
    """Four corners (4, 2) as an outline."""
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def _movement(before: MatLike, after: MatLike) -> tuple[MatLike | None, MatLike]:
    """The movement (3, 3) of most points (n, 1, 2), None where there is none, and which of them it explains:
    of many points that of a plane, a table or a row, seen by a moving camera; of few a simpler one."""
    if len(before) >= PLANE_FROM:
        return cv2.findHomography(before, after, cv2.RANSAC, INLIER_PX)
    flat, agreeing = cv2.estimateAffinePartial2D(
        before, after, method=cv2.RANSAC, ransacReprojThreshold=INLIER_PX
    )
    return (None if flat is None else np.vstack([flat, (0, 0, 1)])), agreeing
