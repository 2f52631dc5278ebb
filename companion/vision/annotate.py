"""Draws a reading over its picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.tiles import BACK
from companion.vision.candidates import short_sides
from companion.vision.reading import Reading, TileReading

READ, UNSURE, FACE_DOWN = (80, 200, 60), (30, 140, 255), (200, 160, 60)  # BGR
FONT = cv2.FONT_HERSHEY_DUPLEX
LEAST_SCALE, MOST_SCALE = 0.3, 2.0  # of the font: smaller letters cannot be read, larger ones hide much
ABOVE_SHARE, ON_SHARE = 0.9, 0.6  # of a tile's shorter side: how wide a label is, above a tile or on it
FROM_MIDDLE = 0.7  # of the way from a tile's middle to its upper edge: where a label on the tile lies
MARGIN_PX = 2
Points = NDArray[np.float64]


def annotate(image: Image, reading: Reading) -> Image:
    """A copy of the (H, W, 3) BGR picture, which may be smaller than the one that was read, with every tile
    outlined, and its number, from 1 in reading order, and its code above it, or on it where they would hide
    another tile; always inside the picture."""
    drawn = image.copy()
    scale_down = image.shape[1] / reading.width
    quads = np.array([tile.quad for tile in reading.tiles], np.float64).reshape(-1, 4, 2) * scale_down
    for tile, quad in zip(reading.tiles, quads, strict=True):
        thick = max(1, round(float(np.linalg.norm(quad[0] - quad[1])) / 28))
        corners = np.round(quad).astype(np.int32)
        cv2.polylines(drawn, [corners], True, _choose_colour(tile), thick, cv2.LINE_AA)
    for index, tile in enumerate(reading.tiles):
        _draw_label(drawn, f"{index + 1} {tile.code}", _choose_colour(tile), quads, index)
    return drawn


def _choose_colour(tile: TileReading) -> tuple[int, int, int]:
    return UNSURE if tile.is_unsure else FACE_DOWN if tile.code == BACK else READ


def _draw_label(drawn: Image, text: str, colour: tuple[int, int, int], quads: Points, index: int) -> None:
    """Draws the label of the tile `index` of quads (n, 4, 2) px."""
    quad = quads[index]
    side = float(short_sides(quad[None].astype(np.float32))[0])
    scale, size = _fit(text, ABOVE_SHARE * side)
    low, high = quad.min(axis=0), quad.max(axis=0)
    place = _keep_inside(drawn, np.array([(low[0] + high[0] - size[0]) / 2, low[1] - size[1]]), size)
    if _hides(place, place + size, np.delete(quads, index, axis=0)):
        scale, size = _fit(text, ON_SHARE * side)
        middle = quad.mean(axis=0)
        edges = (quad + np.roll(quad, -1, axis=0)) / 2
        upper = edges[edges[:, 1].argmin()]
        place = _keep_inside(drawn, middle + FROM_MIDDLE * (upper - middle) - size / 2, size)
    (left, top), (right, bottom) = place.astype(int).tolist(), (place + size).astype(int).tolist()
    cv2.rectangle(drawn, (left, top), (right, bottom), colour, -1)
    at = left + MARGIN_PX, bottom - MARGIN_PX
    cv2.putText(drawn, text, at, FONT, scale, (0, 0, 0), 1, cv2.LINE_AA)


def _fit(text: str, width: float) -> tuple[float, Points]:
    """The scale of the font with which the text has that width, px, if it can be read so, and its size with
    the margin, (2,) px."""
    (usual, _), _ = cv2.getTextSize(text, FONT, 1, 1)
    scale = float(np.clip((width - 2 * MARGIN_PX) / usual, LEAST_SCALE, MOST_SCALE))
    size, _ = cv2.getTextSize(text, FONT, scale, 1)
    return scale, np.array(size, np.float64) + 2 * MARGIN_PX


def _keep_inside(drawn: Image, place: Points, size: Points) -> Points:
    """Where a box of that size lies inside the picture, as near to `place` as it can."""
    inside: Points = place.clip(0, (np.array(drawn.shape[1::-1]) - size).clip(0))
    return inside


def _hides(low: Points, high: Points, quads: Points) -> bool:
    """Whether a box from `low` to `high` (2,) px reaches into the bounds of one of the quads (n, 4, 2) px."""
    inside = (quads.min(axis=1) < high) & (quads.max(axis=1) > low)
    return bool(inside.all(axis=1).any())
