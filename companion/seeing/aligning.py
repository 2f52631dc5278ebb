"""How a camera that was bumped has moved: one movement of the table's picture explains what is seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.seeing.lens import PERFECT
from companion.seeing.plane import PX_MM, SIDE, Floats, Grey, Mask, Plane, to_places
from companion.seeing.table_camera import TableCamera

Points = NDArray[np.float32]
POINTS, POINTS_MIN = 240, 24
APART_PX = 8
QUALITY = 0.02
WINDOW_PX = (21, 21)
LEVELS = 3
RETURN_PX = 0.5
"""A point that is followed there and back must come back so near to where it began: what is gone does not."""
INLIER_PX = 1.0
AGREEING_MIN = 0.5
"""Share of the points that must move alike; fewer, and something else is in the picture."""
LEAST_MM = 0.5
"""A camera that moved the picture by less than this has not moved."""
MOST_MM = 120.0


def find_movement(before: Grey, now: Grey, seen: Mask) -> Floats | None:
    """The movement (3, 3) in px from one small picture of the table to another; None where none is seen."""
    corners = cv2.goodFeaturesToTrack(before, POINTS, QUALITY, APART_PX, mask=seen.astype(np.uint8))
    if corners is None or len(corners) < POINTS_MIN:
        return None
    points = np.asarray(corners, np.float32).reshape(-1, 1, 2)
    found, there = _follow_points(before, now, points)
    back, again = _follow_points(now, before, found)
    kept = there & again & (np.linalg.norm(back - points, axis=2).ravel() < RETURN_PX)
    if kept.sum() < POINTS_MIN:
        return None
    movement, agreeing = cv2.findHomography(points[kept], found[kept], cv2.RANSAC, INLIER_PX)
    if movement is None or agreeing.sum() < AGREEING_MIN * kept.sum():
        return None
    return np.asarray(movement, np.float64)


def _follow_points(before: Grey, now: Grey, points: Points) -> tuple[Points, Mask]:
    """Where points (n, 1, 2) px of one picture are in another, and which of them (n,) were found."""
    found, status, _ = cv2.calcOpticalFlowPyrLK(
        before, now, points, np.empty_like(points), winSize=WINDOW_PX, maxLevel=LEVELS
    )
    return np.asarray(found, np.float32), np.asarray(status.ravel() == 1, bool)


def measure_movement_mm(movement: Floats) -> float:
    """How far it moves the table's picture at most, mm."""
    edge = SIDE * 0.1
    corners = np.array([[edge, edge], [SIDE - edge, edge], [SIDE - edge, SIDE - edge], [edge, SIDE - edge]])
    moved = cv2.perspectiveTransform(corners[None], movement)[0]
    return float(np.linalg.norm(moved - corners, axis=1).max()) * PX_MM


def turn_camera(plane: Plane, movement: Floats) -> TableCamera:
    """The camera of a plane after such a movement of its small picture, px."""
    corners = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float64)
    moved = cv2.perspectiveTransform(corners[None], movement)[0]
    before, after = (_project(plane, px) for px in (corners, np.asarray(moved, np.float64)))
    picture = cv2.getPerspectiveTransform(before.astype(np.float32), after.astype(np.float32))
    return plane.camera.turn(np.asarray(picture, np.float64))


def _project(plane: Plane, px: Floats) -> Floats:
    """Where a perfect lens would show px (n, 2) of the plane's small picture."""
    places = to_places(px)
    return replace(plane.camera, lens=PERFECT).project(
        np.column_stack([places, np.full(len(places), plane.height_mm)])
    )
