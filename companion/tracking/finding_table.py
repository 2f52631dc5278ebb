"""Where a camera stands over a table, found without a person: see `find_table` and `find_table_in`."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError
from companion.images import Image
from companion.tracking.table_camera import TableCamera
from companion.tracking.table_lines import trace_corners
from companion.tracking.table_plane import find_planes, look_for_tiles
from companion.tracking.table_sides import find_square, look_from_above
from companion.vision.recogniser import Recogniser

Floats = NDArray[np.float64]

TILES_MIN = 6
"""Fewer tiles do not show how the table lies."""
PLANES = 3
"""Of the likeliest planes that are looked at."""
DIAGONAL_DEGREES = 15.0
"""Within this of looking along the table's diagonal, two edges are about equally low in the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundTable:
    """A table as it was found.

    p: how certain it is, 0..1; sides: how many of the table's edges were seen; tiles: how many were seen;
    ambiguous: whether two edges are about equally low in the picture, so that another seat may be meant to
    sit at the lower one.
    """

    camera: TableCamera
    p: float
    sides: int
    tiles: int
    ambiguous: bool


def find_table(image: Image, recogniser: Recogniser, *, bottom: int = 0) -> FoundTable | None:
    """The table in a picture (H, W, 3), None where none is found.

    bottom: the seat that sits at the lower edge, the edge whose middle is lowest in the picture. Where the
    camera looks along the table's diagonal, within DIAGONAL_DEGREES, two edges are about equally low: the
    right one of them is taken for the lower edge, and the table found is `ambiguous`.
    """
    height, width = image.shape[:2]
    quads = look_for_tiles(recogniser.finder, image).quads
    if len(quads) < TILES_MIN:
        return None
    best = None
    for plane in find_planes(image, quads)[:PLANES]:
        flat = cv2.perspectiveTransform(quads.astype(np.float64), plane.to_plane)
        middle = np.median(flat.mean(axis=1), axis=0)
        square = find_square(look_from_above(image, plane.to_plane, middle), quads, plane.to_plane)
        if square is not None and (best is None or square.score + plane.share / 2 > best[0]):
            best = (square.score + plane.share / 2, square, plane)
    if best is None:
        return None
    score, square, plane = best
    corners, seen = trace_corners(image, plane.to_plane, square)
    lower, ambiguous = start_at_lower_edge(corners)
    try:
        camera = TableCamera.from_corners(np.roll(lower, bottom, axis=0), width, height)
    except InputError:
        return None
    p = float(1 / (1 + np.exp(-8 * (score - 0.75))))
    return FoundTable(camera, p, int((seen > 0).sum()), len(quads), ambiguous)


def start_at_lower_edge(corners: Floats) -> tuple[Floats, bool]:
    """A table's corners (4, 2) px, going round either way, counterclockwise from the left end of its lower
    edge; and whether another edge is about as low."""
    edges = np.roll(corners, -1, axis=0) - corners
    area = float((edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)).sum())
    if area > 0:
        corners = corners[::-1]
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    to_square = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    middle = cv2.perspectiveTransform(np.zeros((1, 1, 2)), np.linalg.inv(to_square))[0, 0]
    below = cv2.perspectiveTransform((middle + [0.0, 1.0])[None, None], to_square)[0, 0]
    # how many quarter turns, and parts of one, the direction that looks downwards is from the first edge's
    turns = float(np.arctan2(below[1], below[0]) / (np.pi / 2) + 1)
    near = DIAGONAL_DEGREES / 90
    ambiguous = abs(turns % 1 - 0.5) < near
    # going counterclockwise, the later one of two edges that look downwards is the right one
    lower = int(np.floor(turns)) + 1 if ambiguous else round(turns)
    return np.roll(corners, -lower, axis=0), ambiguous
