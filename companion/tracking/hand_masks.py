"""Paints over the hands in a picture of the table: what is stored or sent of it shows no standing tile.

A hand stands along its player's edge, and may stand anywhere that is not the middle. So all of the table's
outer part is painted over, as high as tiles stand, but for the tiles that lie there.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.images import Image
from companion.tracking.outlines import TileSize, place_quads
from companion.tracking.sights import SeenTile
from companion.tracking.table_camera import TABLE_MM, TableCamera

FROM_EDGE_MM = 105.0
"""How far from the edge a hand may stand: within it lie melds and flowers, too."""
BEYOND_MM = 60.0
"""And beyond the edge, on the rim."""
STANDING = 1.2
"""As high as a tile stands, in heights of it: some lean, some are held up a little."""
PAINT = (96, 96, 96)
COARSE_PX = 160
"""Longer side of a picture in which no face can be read: a tile has some 4 px in it."""


def hide_hands(image: Image, camera: TableCamera, size: TileSize, lying: Sequence[SeenTile] = ()) -> Image:
    """A copy of a picture (H, W, 3) of this camera in which the hands of all seats are painted over, but for
    the faces of the tiles of that size which lie there."""
    mask = np.zeros(image.shape[:2], np.uint8)
    high = STANDING * size.height_mm
    for edge in _list_zones():
        lower = np.column_stack([edge, np.zeros(4)])
        upper = np.column_stack([edge, np.full(4, high)])
        px = camera.project(np.concatenate([lower, upper]))
        if np.isfinite(px).all():
            hull = cv2.convexHull(px.astype(np.float32))
            cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 1)
    shown = np.zeros_like(mask)
    for quad in _find_quads(lying, size):
        px = camera.project(np.column_stack([quad, np.full(4, size.depth_mm)]))
        cv2.fillConvexPoly(shown, np.floor(px).astype(np.int32), 1)
    painted = image.copy()
    painted[(mask > 0) & (shown == 0)] = PAINT
    return painted


def make_coarse(image: Image) -> Image:
    """The picture (H, W, 3) so coarse that no tile can be read in it, as long as nobody knows where the hands
    are."""
    height, width = image.shape[:2]
    scale = min(1.0, COARSE_PX / max(height, width))
    small = (max(1, round(width * scale)), max(1, round(height * scale)))
    coarse = cv2.resize(image, small, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _list_zones() -> list[np.ndarray]:
    """The four strips (4, 2) mm along the table's edges."""
    inner, outer = TABLE_MM / 2 - FROM_EDGE_MM, TABLE_MM / 2 + BEYOND_MM
    strip = np.array([[-outer, -outer], [outer, -outer], [outer, -inner], [-outer, -inner]])
    turns = [np.array([[c, -s], [s, c]]) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    return [strip @ turn.T for turn in turns]


def _find_quads(lying: Sequence[SeenTile], size: TileSize) -> np.ndarray:
    """The corners (n, 4, 2) mm of the faces of tiles."""
    if not lying:
        return np.zeros((0, 4, 2))
    middles = np.array([[tile.x_mm, tile.y_mm] for tile in lying])
    angles = np.array([tile.angle for tile in lying])
    return place_quads(middles, angles, np.ones(len(lying), bool), size)
