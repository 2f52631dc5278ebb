"""What a table's watch is tested with: pictures, a found table, an observer that sees one tile."""

from __future__ import annotations

import cv2
import numpy as np

from companion.images import Image
from companion.seeing.finding_table import FoundBy, FoundTable, start_at_lower_edge
from companion.seeing.outlines import TileSize
from companion.seeing.sights import Readings, SeenTile, Sight
from companion.seeing.table_camera import TableCamera

CORNERS = np.array([[10.0, 90.0], [90.0, 90.0], [90.0, 10.0], [10.0, 10.0]])
PLACES = ((-60.0, -80.0, "3p"), (-30.0, -80.0, "7s"), (70.0, 40.0, "5z"), (200.0, -330.0, "1m"))
FIRST = TableCamera.from_corners(CORNERS, 100, 100)


def picture(width: int = 100, height: int = 100) -> Image:
    return np.zeros((height, width, 3), np.uint8)


def found_at(corners: np.ndarray, width: int = 100, height: int = 100) -> FoundTable:
    camera = TableCamera.from_corners(corners, width, height)
    return FoundTable(camera, 1.0, FoundBy.TILES_AND_EDGES, 4, 20, start_at_lower_edge(corners)[1])


def find_nothing(image: Image) -> None:
    return None


class Observer:
    """Sees one tile, always its first."""

    def __init__(self, camera: TableCamera, tile_size: TileSize) -> None:
        self.camera = camera
        self.tile_size = TileSize(measured=True)
        self.knows_place = True
        self._readings: Readings = (("1m", 0.99),)

    def teach(self, number: int, code: str) -> None:
        assert number == 1
        self._readings = ((code, 1.0),)

    def look(self, image: Image, t: float) -> Sight | None:
        assert image.shape[:2] == (self.camera.height, self.camera.width)
        return Sight(t, (SeenTile(1, 50, 20, 0, self._readings),))


def draw_table(corners: np.ndarray = CORNERS, size: tuple[int, int] = (100, 100)) -> Image:
    """A green table on a bright floor."""
    image = np.full((size[1], size[0], 3), 200, np.uint8)
    cv2.fillConvexPoly(image, corners.round().astype(np.int32), (40, 90, 40))
    return image


def refuse(image: Image) -> None:
    raise AssertionError("the table is known")
