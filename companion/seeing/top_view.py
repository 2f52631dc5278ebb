"""The table as seen straight from above: a small grey picture of it, wherever the camera is.

Everything that watches for movement works on these pictures, so that places are in mm and a bump changes
nothing but the camera. They show the height of a flat tile's face.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.arrays import Floats, Grey, Mask
from companion.seeing.sights import Box
from companion.seeing.table_camera import TABLE_MM, TableCamera
from companion.vision.candidates import Quads

PX_MM = 2.0
"""Side of a pixel: a tile is some 13 by 17 of them."""
BEYOND_MM = 40.0
"""How far the picture goes beyond the table's edge: arms are seen as they come."""
SIDE = round((TABLE_MM + 2 * BEYOND_MM) / PX_MM)


@dataclass(frozen=True, slots=True, eq=False)
class TopView:
    """How a camera's pictures are turned into small ones of the table.

    seen, of_table: (SIDE, SIDE), what is in the camera's picture, and what is the table itself; maps: the
    source of each pixel in the picture, shrunk by `times`; height_mm: of what is shown, above the table.
    """

    camera: TableCamera
    height_mm: float
    times: int
    maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    seen: Mask
    of_table: Mask

    @staticmethod
    def of(camera: TableCamera, height_mm: float) -> TopView:
        """The view at that height with this camera."""
        middle = (np.arange(SIDE) + 0.5) * PX_MM - SIDE * PX_MM / 2
        x, y = np.meshgrid(middle, -middle)
        places = np.stack([x, y, np.full_like(x, height_mm)], axis=-1).reshape(-1, 3)
        px = camera.project(places).reshape(SIDE, SIDE, 2)
        within = (px > 1) & (px < np.array([camera.width, camera.height]) - 2.0)
        seen = np.asarray(within.all(axis=-1), bool)
        times = 2 if camera.px_a_mm(0, 0) * PX_MM >= 2 else 1
        small = np.nan_to_num(((px + 0.5) / times - 0.5), nan=-1e4).clip(-1e4, 1e4).astype(np.float32)
        first, second = cv2.convertMaps(small[..., 0], small[..., 1], cv2.CV_16SC2)
        maps = np.asarray(first, np.int16), np.asarray(second, np.uint16)
        of_table = np.asarray(seen & (np.maximum(np.abs(x), np.abs(y)) < TABLE_MM / 2), bool)
        return TopView(camera, height_mm, times, maps, seen, of_table)

    def show(self, image: Image) -> Grey:
        """The table (SIDE, SIDE) in a (H, W, 3) picture of the camera."""
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        if self.times > 1:
            size = (grey.shape[1] // self.times, grey.shape[0] // self.times)
            grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.remap(grey, *self.maps, cv2.INTER_LINEAR), np.uint8)

    def mark_sides(self, quads_mm: Floats) -> Mask:
        """(SIDE, SIDE) where the camera sees the sides of flat tiles with faces (n, 4, 2) mm at the view's
        height: they hide what is behind them, but also show that nothing is in front of them."""
        floor = np.concatenate([quads_mm, np.zeros((len(quads_mm), 4, 1))], axis=2).reshape(-1, 3)
        below = self.camera.lift(self.camera.project(floor), self.height_mm).reshape(-1, 4, 2)
        sides = np.stack(
            [quads_mm, np.roll(quads_mm, -1, axis=1), np.roll(below, -1, axis=1), below], axis=2
        ).reshape(-1, 4, 2)
        seen = sides[np.isfinite(sides).all(axis=(1, 2))]
        return np.asarray(fill_quads(seen) & ~fill_quads(quads_mm), bool)


def to_pixels(places_mm: Floats) -> Floats:
    """Places (…, 2) mm as px of the small picture; the middles of pixels are whole numbers."""
    return np.asarray(places_mm * np.array([1 / PX_MM, -1 / PX_MM]) + (SIDE / 2 - 0.5), np.float64)


def to_places(px: Floats) -> Floats:
    """px (…, 2) of the small picture as places in mm."""
    return np.asarray((px - (SIDE / 2 - 0.5)) * np.array([PX_MM, -PX_MM]), np.float64)


def fill_quads(quads_mm: Floats | Quads) -> Mask:
    """(SIDE, SIDE) what is in these quads (n, 4, 2) mm."""
    mask = np.zeros((SIDE, SIDE), np.uint8)
    for quad in to_pixels(np.asarray(quads_mm, np.float64)):
        cv2.fillConvexPoly(mask, quad.round().astype(np.int32), 1)
    return mask.astype(bool)


@cache
def mark_edges(reach_mm: float) -> Mask:
    """(SIDE, SIDE) what is no farther than that from the table's edges, inside or outside."""
    middle = np.abs((np.arange(SIDE) + 0.5) * PX_MM - SIDE * PX_MM / 2)
    out = np.maximum(middle[:, None], middle[None])
    return np.asarray(np.abs(out - TABLE_MM / 2) <= reach_mm, bool)


def cut_boxes(mask: Mask, cell_mm: float) -> tuple[Box, ...]:
    """Boxes that cover the mask, in cells of that side; equal runs of cells above one another are one box."""
    cell = round(cell_mm / PX_MM)
    count = -(-SIDE // cell)
    wide = np.zeros((count * cell, count * cell), bool)
    wide[:SIDE, :SIDE] = mask
    cells = np.asarray(wide.reshape(count, cell, count, cell).any(axis=(1, 3)), bool)
    open_runs: dict[tuple[int, int], int] = {}
    boxes = []
    for row in range(count + 1):
        runs = set(_find_runs(cells[row])) if row < count else set()
        for run in [run for run in open_runs if run not in runs]:
            boxes.append(_make_box(run, open_runs.pop(run), row, cell))
        for run in runs:
            open_runs.setdefault(run, row)
    return tuple(boxes)


def _find_runs(cells: Mask) -> list[tuple[int, int]]:
    """First and last + 1 of the runs of marked cells."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], cells.astype(np.int8), [0]])))
    return [(int(first), int(last)) for first, last in edges.reshape(-1, 2)]


def _make_box(run: tuple[int, int], top: int, bottom: int, cell: int) -> Box:
    corners = np.array([[run[0], bottom], [run[1], top]], np.float64) * cell - 0.5
    (left, near), (right, far) = to_places(corners).tolist()
    return Box(left, near, right, far)
