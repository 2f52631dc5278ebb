"""Paints over what players hold in pictures that are shown or kept: hands are private.

Hands stand along the table's edges. All that is there is painted over, but for tiles that are known to lie
open: melds and flowers lie at the same edges.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.tracking.table_camera import TABLE_MM, TableCamera

Floats = NDArray[np.float64]

INNER_MM, OUTER_MM = 308.0, 425.0
"""From the middle of the table: behind the walls, and a little beyond its edge."""
HIGH_MM = 50.0
"""A standing tile of 40 mm on a rack."""
PAINT = (38, 51, 14)
"""BGR, a dark felt."""
COARSE_PX = 160
"""Longer side of a picture in which no face can be read: a tile has some 4 px in it."""


def hide_hands(image: Image, camera: TableCamera, open_tiles: Iterable[Floats] = ()) -> Image:
    """A copy of the picture (H, W, 3) with the places of the hands painted over. open_tiles: the outlines
    (4, 2) px of tiles that lie open, which stay."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for zone in _list_zones():
        px = camera.project(zone)
        if np.isfinite(px).all():
            cv2.fillConvexPoly(mask, cv2.convexHull(_to_pixels(px)), 255)
    for quad in open_tiles:
        cv2.fillConvexPoly(mask, _to_pixels(np.asarray(quad)), 0)
    hidden = image.copy()
    hidden[mask > 0] = PAINT
    return hidden


def make_coarse(image: Image) -> Image:
    """The picture so coarse that no tile can be read in it, as long as nobody knows where the hands are."""
    height, width = image.shape[:2]
    scale = min(1.0, COARSE_PX / max(height, width))
    small = (max(1, round(width * scale)), max(1, round(height * scale)))
    coarse = cv2.resize(image, small, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _list_zones() -> list[Floats]:
    """The corners (8, 3) mm of the room in which each player's hand stands."""
    half = TABLE_MM / 2
    room = np.array(
        [[x, y, z] for x in (-half, half) for y in (-OUTER_MM, -INNER_MM) for z in (0.0, HIGH_MM)], np.float64
    )
    quarter = np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    zones = [room]
    for _ in range(3):
        zones.append(zones[-1] @ quarter)
    return zones


def _to_pixels(px: Floats) -> NDArray[np.int32]:
    return np.round(np.clip(px, -1e5, 1e5)).astype(np.int32)
