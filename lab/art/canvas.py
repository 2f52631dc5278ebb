"""A small antialiased drawing surface for tile faces, in units of a 75 by 100 face.

Pixels are premultiplied BGRA drawn at twice the wanted size; `finish` shrinks them and divides the alpha
out again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.images import Image

Colour = tuple[int, int, int]
Point = tuple[float, float]

FACE_W = 75.0
FACE_H = 100.0
OVERSAMPLING = 2
SHIFT = 4  # cv2 takes coordinates as integers with this many fractional bits
CLEAR = (0.0, 0.0, 0.0, 0.0)


class Canvas:
    """One face being painted; coordinates, radii and widths are face units, angles are degrees, clockwise.

    zoom below 1 draws everything but stamps smaller about the middle, for drawings that may stray beyond the
    face before `fit` brings them back.
    """

    def __init__(self, height_px: int) -> None:
        self.height_px = height_px
        self.width_px = round(height_px * FACE_W / FACE_H)
        self.zoom = 1.0
        self.scale = height_px * OVERSAMPLING / FACE_H
        shape = (height_px * OVERSAMPLING, self.width_px * OVERSAMPLING, 4)
        self.pixels: Image = np.zeros(shape, np.uint8)

    def _at(self, point: Point) -> tuple[int, int]:
        x, y = self._points([point])[0, 0].tolist()
        return x, y

    def _points(self, points: Iterable[Point]) -> npt.NDArray[np.int32]:
        factor = self.scale * (1 << SHIFT)
        middle = np.array([FACE_W / 2, FACE_H / 2])
        zoomed: npt.NDArray[np.float64] = middle + (np.array(list(points)) - middle) * self.zoom
        return np.rint(zoomed * factor).astype(np.int32).reshape(-1, 1, 2)

    def _width(self, width: float) -> int:
        return max(1, round(width * self.scale * self.zoom))

    @staticmethod
    def _ink(colour: Colour | None) -> tuple[float, float, float, float]:
        return CLEAR if colour is None else (float(colour[0]), float(colour[1]), float(colour[2]), 255.0)

    def disc(self, centre: Point, radius: float, colour: Colour | None) -> None:
        """Fill a circle; colour None takes the paint away."""
        r = round(radius * self.scale * self.zoom * (1 << SHIFT))
        if r > 0:
            cv2.circle(self.pixels, self._at(centre), r, self._ink(colour), -1, cv2.LINE_AA, SHIFT)

    def ring(self, centre: Point, radius: float, width: float, colour: Colour | None) -> None:
        """Draw a circle whose outer edge lies at the radius."""
        middle = max(0.1, radius - width / 2)
        r = round(middle * self.scale * self.zoom * (1 << SHIFT))
        cv2.circle(
            self.pixels, self._at(centre), r, self._ink(colour), self._width(width), cv2.LINE_AA, SHIFT
        )

    def polygon(self, points: Iterable[Point], colour: Colour | None) -> None:
        """Fill a polygon; colour None takes the paint away."""
        cv2.fillPoly(self.pixels, [self._points(points)], self._ink(colour), cv2.LINE_AA, SHIFT)

    def line(
        self, points: Iterable[Point], width: float, colour: Colour | None, *, closed: bool = False
    ) -> None:
        """Draw a polyline with round joints."""
        ink = self._ink(colour)
        cv2.polylines(
            self.pixels, [self._points(points)], closed, ink, self._width(width), cv2.LINE_AA, SHIFT
        )

    def shape(self, points: Sequence[Point], fill: Colour | None, edge: Colour | None, width: float) -> None:
        """A closed shape with paint (or none) inside and an outline."""
        self.polygon(points, fill)
        if edge is not None and width > 0:
            self.line(points, width, edge, closed=True)

    def ellipse(
        self, centre: Point, axes: Point, angle: float, colour: Colour | None, width: float = 0
    ) -> None:
        """Fill an ellipse, or draw its outline where a width is given."""
        points = ellipse_points(centre, axes, angle)
        if width > 0:
            self.line(points, width, colour, closed=True)
        else:
            self.polygon(points, colour)

    def stamp(
        self,
        mask: Image,
        box: tuple[float, float, float, float],
        colour: Colour,
        *,
        skew: float = 0.0,
        rise: float = 0.0,
        turn: float = 0.0,
    ) -> None:
        """Paint through a mask (h, w) uint8 stretched to the box (left, top, width, height).

        skew is the sideways shift per unit of height, rise the upward shift per unit of width; turn is in
        degrees about the middle of the box.
        """
        h, w = mask.shape
        left, top, width, height = (v * self.scale for v in box)
        sx, sy = width / w, height / h
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        stretch = np.array([[sx, -skew * sy], [-rise * sx, sy]])
        linear = np.array([[c, -s], [s, c]]) @ stretch
        middle = np.array([left + width / 2, top + height / 2])
        shift = middle - linear @ np.array([w / 2, h / 2])
        matrix = np.hstack([linear, shift[:, None]])
        corners = linear @ np.array([[0, w, w, 0], [0, 0, h, h]], np.float64) + shift[:, None]
        x0, y0 = np.maximum(np.floor(corners.min(axis=1)).astype(int) - 1, 0)
        x1, y1 = np.ceil(corners.max(axis=1)).astype(int) + 1
        area = self.pixels[y0:y1, x0:x1]
        if area.size == 0:
            return
        matrix[:, 2] -= (x0, y0)
        if min(sx, sy) < 0.6:
            mask = cv2.blur(mask, (max(1, round(0.8 / sx)), max(1, round(0.8 / sy)))).astype(np.uint8)
        alpha = cv2.warpAffine(mask, matrix, (area.shape[1], area.shape[0]), flags=cv2.INTER_LINEAR)
        weight = alpha[:, :, None].astype(np.float32) / 255.0
        ink = np.array([*colour, 255], np.float32)
        area[:] = (area * (1 - weight) + ink * weight + 0.5).astype(np.uint8)

    def fit(self, box: tuple[float, float, float, float], share: float = 1.0) -> None:
        """Rescale all that is painted so that it fills a share of the box (left, top, width, height) about
        its middle.
        """
        alpha = self.pixels[:, :, 3]
        rows, columns = np.flatnonzero(alpha.max(axis=1)), np.flatnonzero(alpha.max(axis=0))
        if rows.size == 0:
            return
        left, top, width, height = (v * self.scale for v in box)
        h, w = rows[-1] + 1 - rows[0], columns[-1] + 1 - columns[0]
        factor = share * min(width / w, height / h)
        shift_x = left + width / 2 - factor * (columns[0] + w / 2)
        shift_y = top + height / 2 - factor * (rows[0] + h / 2)
        matrix = np.array([[factor, 0, shift_x], [0, factor, shift_y]])
        size = (self.pixels.shape[1], self.pixels.shape[0])
        self.pixels = cv2.warpAffine(self.pixels, matrix, size, flags=cv2.INTER_LINEAR).astype(np.uint8)

    def finish(self) -> Image:
        """The painted face, (H, W, 4) uint8 BGRA with plain (not premultiplied) colours."""
        size = (self.width_px, self.height_px)
        return unpremultiply(cv2.resize(self.pixels, size, interpolation=cv2.INTER_AREA).astype(np.uint8))


def unpremultiply(premultiplied: Image) -> Image:
    """Divide the alpha out of premultiplied BGRA."""
    alpha = premultiplied[:, :, 3:].astype(np.float32)
    colour = premultiplied[:, :, :3] * (255.0 / np.maximum(alpha, 1.0))
    return np.concatenate([np.clip(colour + 0.5, 0, 255), alpha], axis=2).astype(np.uint8)


def ellipse_points(centre: Point, axes: Point, angle: float, count: int = 28) -> list[Point]:
    """Points on an ellipse with half axes `axes`, the first axis turned by the angle."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    points = []
    for step in range(count):
        t = 2 * math.pi * step / count
        x, y = axes[0] * math.cos(t), axes[1] * math.sin(t)
        points.append((centre[0] + x * c - y * s, centre[1] + x * s + y * c))
    return points


def smooth_curve(points: Sequence[Point], steps: int = 8, *, closed: bool = False) -> list[Point]:
    """A smooth (Catmull-Rom) curve through the points."""
    array = np.asarray(points, np.float64)
    if closed:
        array = np.vstack([array[-1], array, array[:2]])
    else:
        array = np.vstack([2 * array[0] - array[1], array, 2 * array[-1] - array[-2]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    parts = []
    for a, b, c, d in zip(array[:-3], array[1:-2], array[2:-1], array[3:], strict=True):
        parts.append(
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        )
    line = np.vstack(parts if closed else [*parts, array[-2][None]])
    return [(float(x), float(y)) for x, y in line]


def polar(centre: Point, radius: float, angle: float) -> Point:
    """The point at a distance and an angle (0 points right, 90 down)."""
    t = math.radians(angle)
    return centre[0] + radius * math.cos(t), centre[1] + radius * math.sin(t)
