"""Boxes on a table, the pinhole camera that sees them, and filled or textured quads of a picture.

World axes, in millimetres: x to the right, y away from the viewer, z up; the table top is z = 0. Right-handed
throughout, so that no glyph is ever drawn mirrored.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image

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


SUBPIXEL_BITS = 4
NEAR_MM = 20.0  # nothing nearer to a camera is drawn
FAR_PX = 60_000.0  # no point is drawn farther from a picture's corner


def measure_side(quad: Floats) -> float:
    """The longer of a quad's left and right side, px."""
    return float(max(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[1] - quad[2])))


def grow_quad(quad: Floats, by_px: float) -> Floats:
    """A quad (4, 2) whose corners lie this much farther from its middle."""
    outward = quad - quad.mean(axis=0)
    away = np.maximum(1e-6, np.sqrt((outward**2).sum(axis=1, keepdims=True)))
    longer: Floats = quad + outward * (by_px / away)
    return longer


def shrink_texture(texture: Image, quad: Floats) -> Image:
    """A texture no more than twice as fine as it will be seen."""
    factor = 2 * measure_side(quad) / texture.shape[0]
    if factor >= 0.8:
        return texture
    size = [max(2, round(texture.shape[1] * factor)), max(2, round(texture.shape[0] * factor))]
    return cv2.resize(texture, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def fill_quad(image: Image, quad: Floats, colour: tuple[int, int, int], bright: float) -> None:
    """Fills a quad (4, 2) px with a BGR colour."""
    points = round_to_pixels(quad * (1 << SUBPIXEL_BITS))
    cv2.fillConvexPoly(image, points, [min(255.0, c * bright) for c in colour], cv2.LINE_AA, SUBPIXEL_BITS)


def paint_quad(image: Image, texture: Image, quad: Floats, bright: float) -> None:
    """Warps a BGRA texture onto a quad of the picture."""
    x0, y0, x1, y1 = _find_bounds(image, quad)
    if x1 <= x0 or y1 <= y0:
        return
    warped = _warp(texture, quad, x0, y0, x1, y1)
    alpha = warped[:, :, 3:].astype(np.float32) / 255
    region = image[y0:y1, x0:x1]
    colour = np.minimum(warped[:, :, :3] * np.float32(bright), 255)
    image[y0:y1, x0:x1] = (region * (1 - alpha) + colour * alpha).astype(np.uint8)


def blend_quad(image: Image, texture: Image, quad: Floats) -> None:
    """Warps a premultiplied BGRA texture as it is onto a quad of the picture: fast, and no dark rims."""
    x0, y0, x1, y1 = _find_bounds(image, quad)
    if x1 <= x0 or y1 <= y0:
        return
    warped = _warp(texture, quad, x0, y0, x1, y1)
    share = warped[:, :, 3] * np.float32(1 / 255)
    region = image[y0:y1, x0:x1]
    left = cv2.blendLinear(region, np.zeros_like(region), 1 - share, share)
    region[:] = cv2.add(warped[:, :, :3], left)


def hide_quad(numbers: NDArray[np.int32], texture: Image, quad: Floats) -> None:
    """Sets to 0 what a BGRA texture on a quad of the picture hides."""
    x0, y0, x1, y1 = _find_bounds(numbers, quad)
    if x1 > x0 and y1 > y0:
        numbers[y0:y1, x0:x1][_warp(texture, quad, x0, y0, x1, y1)[:, :, 3] > 0] = 0


def _find_bounds(image: NDArray[Any], quad: Floats) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the part of a picture that a quad covers."""
    height, width = image.shape[:2]
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, [width, height])
    return int(x0), int(y0), int(x1), int(y1)


def _warp(texture: Image, quad: Floats, x0: int, y0: int, x1: int, y1: int) -> Image:
    rows, columns = texture.shape[:2]
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, (quad - [x0, y0] - 0.5).astype(np.float32))
    return np.asarray(
        cv2.warpPerspective(texture, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR), np.uint8
    )


def project_outline(camera: Camera, points_mm: Floats) -> Floats:
    """A flat polygon (n, 3) mm as the camera sees it, (m, 2) px, cut off where it runs behind the camera."""
    depth = (points_mm - camera.position_mm) @ camera.rotation[2]
    kept = []
    for index, point in enumerate(points_mm):
        here, after = depth[index], depth[(index + 1) % len(points_mm)]
        if here >= NEAR_MM:
            kept.append(point)
        if (here >= NEAR_MM) != (after >= NEAR_MM):
            share = (NEAR_MM - here) / (after - here)
            kept.append(point + share * (points_mm[(index + 1) % len(points_mm)] - point))
    if len(kept) < 3:
        return np.zeros((0, 2))
    seen: Floats = np.clip(camera.project(np.array(kept)), -FAR_PX, FAR_PX)
    return seen


def fill_flat(image: Image, camera: Camera, points_mm: Floats, colour: tuple[float, ...]) -> None:
    """Fills a flat polygon (n, 3) mm, convex or not, with a colour of the picture's channels."""
    seen = project_outline(camera, points_mm)
    if len(seen):
        points = round_to_pixels(seen * (1 << SUBPIXEL_BITS))
        cv2.fillPoly(image, [points], colour, cv2.LINE_AA, SUBPIXEL_BITS)


def line_flat(
    image: Image, camera: Camera, points_mm: Floats, colour: tuple[float, ...], width_mm: float, closed: bool
) -> None:
    """Draws lines from point to point (n, 3) mm, each as wide as `width_mm` looks in its middle."""
    ends = np.concatenate([points_mm, points_mm[:1]]) if closed else points_mm
    for start, end in pairwise(ends):
        steps = np.linspace(start, end, 7)
        seen = camera.project(steps)
        for a, b, middle in zip(seen[:-1], seen[1:], (steps[:-1] + steps[1:]) / 2, strict=True):
            if not np.all(np.isfinite([a, b])) or max(np.abs(a).max(), np.abs(b).max()) > FAR_PX:
                continue
            scale = camera.focal_px / max(NEAR_MM, float(np.linalg.norm(middle - camera.position_mm)))
            p, q = round_to_pixels(np.stack([a, b]) * (1 << SUBPIXEL_BITS)).tolist()
            cv2.line(image, p, q, colour, max(1, round(width_mm * scale)), cv2.LINE_AA, SUBPIXEL_BITS)
