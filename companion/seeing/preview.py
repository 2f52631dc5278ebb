"""What the live preview shows of each tile, from one reading to the next: names do not flicker because one
frame in five was blurred, and outlines follow a camera that moved while a frame was being read.

Only for the preview: a picture that is taken is read by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image, Quad, same_place
from companion.vision.reading import TileReading

if TYPE_CHECKING:
    from cv2.typing import MatLike

HELD_READINGS = 5
"""For this many readings in a row a tile keeps its sure name while it is not read surely: about a second."""


@dataclass(frozen=True, slots=True)
class SteadyTile:
    """A tile with its shown name. doubts: readings since it was surely read with it; rival: its last reading
    if that was different; missed: the last reading did not find it."""

    code: str
    quad: Quad
    unsure: bool
    doubts: int = 0
    rival: str | None = None
    missed: bool = False


def steady_tiles(before: Iterable[SteadyTile], tiles: Iterable[TileReading]) -> tuple[SteadyTile, ...]:
    """The tiles of a new reading, merged with those before, in px of the new picture.

    A sure name stays while the tile is hardly read, and changes to another sure one that is read twice in a
    row; the same with unsure names. A tile that is not found stays for one reading.
    """
    left = list(before)
    result = []
    for tile in tiles:
        old = next((old for old in left if same_place(tile.quad, old.quad)), None)
        if old:
            left.remove(old)
        result.append(_name_tile(old, tile))
    return (*result, *(replace(old, missed=True) for old in left if not old.missed))


def _name_tile(old: SteadyTile | None, tile: TileReading) -> SteadyTile:
    fresh = SteadyTile(tile.code, tile.quad, tile.is_unsure)
    if old is None or (old.unsure and not tile.is_unsure):
        return fresh
    if tile.is_unsure and not old.unsure:
        held = replace(old, quad=tile.quad, doubts=old.doubts + 1, missed=False)
        return held if held.doubts <= HELD_READINGS else fresh
    if tile.code in (old.code, old.rival):
        return fresh
    return replace(old, quad=tile.quad, rival=tile.code, missed=False)


SIDE_PX = 320
"""Longer side of the picture that is compared: three milliseconds a frame on a slow core, and exact to a
pixel of a tablet's screen."""
WINDOW_PX = (21, 21)
LEVELS = 3
INLIER_PX = 1.5
POINTS_MIN = 4
PLANE_FROM = 20
"""This many points, those of four tiles, show the movement of a plane."""
AGREEING_MIN = 0.5
"""Share of the points that must move alike; with fewer, the picture shows another scene."""


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
    """The quads of the frame `then` at their places in the frame `now`; unchanged if no common movement is
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
    """The movement (3, 3) of most points (n, 1, 2), or None, and which of them it explains. With many points
    it is that of a plane, a table or a row, seen by a moving camera; with few a simpler one."""
    if len(before) >= PLANE_FROM:
        return cv2.findHomography(before, after, cv2.RANSAC, INLIER_PX)
    flat, agreeing = cv2.estimateAffinePartial2D(
        before, after, method=cv2.RANSAC, ransacReprojThreshold=INLIER_PX
    )
    return (None if flat is None else np.vstack([flat, (0, 0, 1)])), agreeing
