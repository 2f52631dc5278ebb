"""Boxes on a table and the pinhole camera that sees them.

World axes, in millimetres: x to the right, y away from the viewer, z up; the table top is z = 0. Right-handed
throughout, so that no glyph is ever drawn mirrored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Corners of a box's six sides in its own frame, in units of half its size, each in the order
# top left, top right, bottom right, bottom left as seen from outside.
SIDES: dict[str, Floats] = {
    "face": np.array([[-1, 1, 1], [1, 1, 1], [1, -1, 1], [-1, -1, 1]], float),
    "back": np.array([[1, 1, -1], [-1, 1, -1], [-1, -1, -1], [1, -1, -1]], float),
    "top": np.array([[-1, 1, -1], [1, 1, -1], [1, 1, 1], [-1, 1, 1]], float),
    "bottom": np.array([[1, -1, -1], [-1, -1, -1], [-1, -1, 1], [1, -1, 1]], float),
    "left": np.array([[-1, -1, -1], [-1, 1, -1], [-1, 1, 1], [-1, -1, 1]], float),
    "right": np.array([[1, 1, -1], [1, -1, -1], [1, -1, 1], [1, 1, 1]], float),
}
NORMALS: dict[str, Floats] = {
    "face": np.array([0, 0, 1.0]),
    "back": np.array([0, 0, -1.0]),
    "top": np.array([0, 1.0, 0]),
    "bottom": np.array([0, -1.0, 0]),
    "left": np.array([-1.0, 0, 0]),
    "right": np.array([1.0, 0, 0]),
}


def round_to_pixels(points: NDArray[Any]) -> NDArray[np.int32]:
    """Points (n, 2) rounded to whole pixels, as OpenCV's drawing takes them."""
    whole: NDArray[np.int32] = np.round(points).astype(np.int32)
    return whole


def rotation_x(angle: float) -> Floats:
    """Rotation about x by `angle` radians, shape (3, 3)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def rotation_y(angle: float) -> Floats:
    """Rotation about y by `angle` radians, shape (3, 3)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def rotation_z(angle: float) -> Floats:
    """Rotation about z by `angle` radians, shape (3, 3)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """A cuboid: half sizes (3,) in mm, rotation (3, 3), centre (3,) in mm."""

    half_mm: Floats
    rotation: Floats
    centre_mm: Floats

    @staticmethod
    def resting(size_mm: Floats, rotation: Floats, x_mm: float, y_mm: float, base_mm: float = 0.0) -> Box:
        """A box of `size_mm` (width, height, depth) turned by `rotation`, its lowest point at height
        `base_mm`."""
        half = np.asarray(size_mm, float) / 2
        reach = np.abs(rotation) @ half
        return Box(half, rotation, np.array([x_mm, y_mm, base_mm + reach[2]]))

    def side(self, name: str) -> Floats:
        """Corners of one side in the world, shape (4, 3), mm."""
        return SIDES[name] * self.half_mm @ self.rotation.T + self.centre_mm

    def normal(self, name: str) -> Floats:
        """Outward unit normal of one side, shape (3,)."""
        normal: Floats = self.rotation @ NORMALS[name]
        return normal

    def corners(self) -> Floats:
        """All eight corners, shape (8, 3), mm."""
        return np.concatenate([self.side("face"), self.side("back")])

    def footprint(self) -> Floats:
        """The box seen from straight above as a rectangle round its outline, shape (4, 2), mm."""
        horizontal = [name for name in SIDES if abs(self.normal(name)[2]) > 0.7]
        return self.side(horizontal[0])[:, :2]


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A pinhole camera: position (3,) mm, rotation world → camera (3, 3), focal length and centre in px."""

    position_mm: Floats
    rotation: Floats
    focal_px: float
    centre_px: Floats

    @staticmethod
    def looking_at(
        target_mm: Floats,
        distance_mm: float,
        elevation: float,
        azimuth: float,
        roll: float,
        focal_px: float,
        width: int,
        height: int,
    ) -> Camera:
        """A camera `distance_mm` from the target, `elevation` radians above the table; azimuth 0 looks along
        +y."""
        forward = np.array(
            [np.cos(elevation) * np.sin(azimuth), np.cos(elevation) * np.cos(azimuth), -np.sin(elevation)]
        )
        right = np.array([np.cos(azimuth), -np.sin(azimuth), 0.0])
        down = np.cross(forward, right)
        rotation = rotation_z(roll) @ np.stack([right, down, forward])
        return Camera(
            target_mm - distance_mm * forward, rotation, focal_px, np.array([width / 2, height / 2])
        )

    def project(self, points_mm: Floats) -> Floats:
        """World points (n, 3) mm → picture points (n, 2) px; points behind the camera come out as nan."""
        local = (points_mm - self.position_mm) @ self.rotation.T
        depth = np.where(local[:, 2:] > 1.0, local[:, 2:], np.nan)
        return self.focal_px * local[:, :2] / depth + self.centre_px
