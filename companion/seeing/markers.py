"""Printed markers at the table's corners: they show where the camera is.

Each player puts a card into the table's corner at their left, so that they can read it. A marker's middle is
then MIDDLE_MM from two edges. The size of the table follows from the size of the markers on it; a printer
that scales the sheet scales card and marker alike, and does no harm.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError
from companion.images import Image
from companion.seeing.arrays import Floats
from companion.seeing.lens import BENDS, Lens, choose_lens
from companion.seeing.table_camera import TableCamera

DICTIONARY = cv2.aruco.DICT_4X4_50
"""Few large cells: they are read even if a marker is 20 px wide."""
MARKERS = 4
MARKER_MM = 70.0
"""Side of a marker's black square."""
CARD_MM = 90.0
"""Side of the card, with the marker in the middle and white all round."""
MIDDLE_MM = CARD_MM / 2
SIDE_OFF = 0.01
"""How far a square's sides may seem too long or too short, or not at right angles, as a share: a third of a
px, and cards not exactly in the corners."""
SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
TABLES_MM = (500.0, 1500.0)
"""Sides of tables; others are a misprint, or cards in other places."""


def draw_marker(number: int, side_px: int) -> NDArray[np.uint8]:
    """The marker (side_px, side_px) uint8 of seat 0 to 3, black and white."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, side_px), np.uint8)


def find_markers(image: Image, *, bottom: int = 0) -> TableCamera | None:
    """The camera over a table with the four markers at its corners; None unless all are seen, in their order.
    bottom: the seat of the player with marker 0, at the lower edge of the picture."""
    found = _detect(image)
    if len(found) < MARKERS:
        return None
    height, width = image.shape[:2]
    seen = np.array([found[number] for number in range(MARKERS)])
    rated = [_rate(_rectify(Lens(bend).straighten(seen, width, height))[0]) for bend in BENDS.tolist()]
    lens = choose_lens(np.array(rated))
    flat, to_square = _rectify(lens.straighten(seen, width, height))
    sides = np.linalg.norm(flat - np.roll(flat, -1, axis=1), axis=2)
    between_mm = 2 * MARKER_MM / float(np.median(sides))  # the middles of neighbouring markers are 2 apart
    table_mm = between_mm + 2 * MIDDLE_MM
    if not TABLES_MM[0] <= table_mm <= TABLES_MM[1]:
        return None
    corners = cv2.perspectiveTransform(SQUARE[None] * table_mm / between_mm, np.linalg.inv(to_square))[0]
    corners = lens.distort(np.roll(corners, bottom, axis=0), width, height)
    try:
        return TableCamera.from_corners(corners, width, height, lens=lens)
    except InputError:
        return None


def _rectify(seen: Floats) -> tuple[Floats, Floats]:
    """The outlines (4, 4, 2) of markers seen at these px (4, 4, 2), in the table's plane, with their middles
    at those of SQUARE; and what takes px there (3, 3)."""
    middles = np.array([_find_middle(outline) for outline in seen])
    to_square = cv2.getPerspectiveTransform(middles.astype(np.float32), SQUARE.astype(np.float32))
    flat = cv2.perspectiveTransform(seen.reshape(1, -1, 2), to_square)
    return np.asarray(flat.reshape(MARKERS, 4, 2), np.float64), np.asarray(to_square, np.float64)


def _rate(flat: Floats) -> float:
    """How unlikely outlines (4, 4, 2) are as squares of one size, as the logarithm of its inverse."""
    along = (flat[:, 1] - flat[:, 0] + flat[:, 2] - flat[:, 3]) / 2
    down = (flat[:, 3] - flat[:, 0] + flat[:, 2] - flat[:, 1]) / 2
    sides = np.linalg.norm(np.concatenate([along, down]), axis=1)
    slant = (along * down).sum(axis=1) / sides.mean() ** 2
    off = np.concatenate([sides / sides.mean() - 1, slant])
    return float(0.5 * (off**2).sum() / SIDE_OFF**2)


def _detect(image: Image) -> dict[int, Floats]:
    """The outlines (4, 2) px of the markers seen, by number, without any that is seen twice."""
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    options.cornerRefinementWinSize = 3
    options.minMarkerPerimeterRate = 0.02
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    outlines, numbers, _ = cv2.aruco.ArucoDetector(dictionary, options).detectMarkers(image)
    seen: dict[int, list[Floats]] = {}
    for outline, number in zip(outlines, [] if numbers is None else numbers.ravel().tolist(), strict=True):
        if number < MARKERS:
            seen.setdefault(int(number), []).append(np.asarray(outline, np.float64).reshape(4, 2))
    return {number: each[0] for number, each in seen.items() if len(each) == 1}


def _find_middle(outline: Floats) -> Floats:
    """The crossing of the diagonals of an outline (4, 2) px."""
    a, b, c, d = (np.array([x, y, 1.0]) for x, y in outline)
    point = np.cross(np.cross(a, c), np.cross(b, d))
    return np.asarray(point[:2] / point[2], np.float64)
