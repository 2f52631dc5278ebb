"""Where the camera stands: above the table, on a stand at a corner, or propped at one side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from lab.film.customs import HALF_MM
from lab.scenes.geometry import Camera, Floats, rotation_x, rotation_y, rotation_z
from lab.scenes.things import Rng


class Pose(StrEnum):
    """Where the camera stands."""

    ABOVE = "above"
    CORNER = "corner"
    SIDE = "side"


@dataclass(frozen=True, slots=True)
class _Stand:
    """elevation, turn: degrees above the table and round it; focal: of the lens, in widths of the picture."""

    elevation: float
    turn: float
    focal: float


STANDS: Mapping[Pose, _Stand] = {
    Pose.ABOVE: _Stand(89.9, 0.0, 0.76),
    Pose.CORNER: _Stand(45.0, 45.0, 0.76),
    Pose.SIDE: _Stand(30.0, 0.0, 0.66),
}
SPREAD_DEGREES = 1.5  # by which people set a camera up otherwise
SEEN_MM = 20.0  # of the table's rim that the picture holds on all sides
TILTED_SHARE = 0.97  # of the picture's width that the table may take
STEP = 1.02


def place_camera(pose: Pose, rng: Rng, width: int, height: int) -> Camera:
    """A camera in that pose, as near as it sees the whole table; seat 0 is at the lower edge."""
    stand = STANDS[pose]
    spread = rng.normal(0, SPREAD_DEGREES, 3)
    elevation = min(stand.elevation + float(spread[0]), 89.9)
    turn, roll = np.radians(stand.turn + float(spread[1]) * 2), np.radians(float(spread[2]) * 0.5)
    focal = stand.focal * max(width, height)
    distance = HALF_MM
    while True:
        camera = Camera.looking_at(
            np.zeros(3),
            distance,
            float(np.radians(elevation)),
            float(turn),
            float(roll),
            focal,
            width,
            height,
        )
        corners = camera.project(list_corners(HALF_MM + SEEN_MM))
        if np.all(np.isfinite(corners)):
            span = np.ptp(corners, axis=0)
            if np.all(span <= np.array([width, height]) * TILTED_SHARE):
                middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
                return replace(camera, centre_px=camera.centre_px + np.array([width, height]) / 2 - middle)
        distance *= STEP


def list_corners(half_mm: float) -> Floats:
    """The corners (4, 3) mm of a square on the table: seat 0's left one, then counterclockwise."""
    corners: Floats = half_mm * np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    return corners


def widen(camera: Camera, margin_px: int) -> Camera:
    """The camera with this margin round its picture."""
    return replace(camera, centre_px=camera.centre_px + margin_px)


def turn_camera(camera: Camera, yaw: float, pitch: float, roll: float) -> Camera:
    """The camera turned where it stands, radians."""
    turn = rotation_z(roll) @ rotation_x(pitch) @ rotation_y(yaw)
    return replace(camera, rotation=turn @ camera.rotation)


def make_matrix(camera: Camera) -> Floats:
    """The camera's matrix (3, 3)."""
    x, y = camera.centre_px
    return np.array([[camera.focal_px, 0, x], [0, camera.focal_px, y], [0, 0, 1.0]])


def map_pictures(before: Camera, after: Camera) -> Floats:
    """The homography (3, 3) from the picture of a camera to that of the same camera turned."""
    homography: Floats = (
        make_matrix(after) @ after.rotation @ before.rotation.T @ np.linalg.inv(make_matrix(before))
    )
    return homography
