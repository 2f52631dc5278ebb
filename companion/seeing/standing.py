"""Where hands stand, and where a face that stands there may pass for that of a lying tile.

A picture shows of a tile only its outline. Seen from behind its player, 45 degrees above it, a standing face
looks just as a lying one does; seen from across it is sheared, and from above it is not seen at all. So the
camera's place says at which places an outline proves that a tile lies; at all others nothing is read.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from companion.seeing.table_camera import TABLE_MM, TableCamera

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

STRIP_WIDTHS = 10.0
"""From the middle of the table to where hands begin, in widths of a tile: the outer side of a wall of 17
stacks, which people build before their hands."""
STRIP_LEAST_MM = 105.0
"""And this near the table's edge hands may stand, however large the tiles are."""
LEANS_DEGREES = (0.0, 10.0)
"""By how much a tile leans back towards the table."""
TURNS_DEGREES = (-10.0, 0.0, 10.0)
"""By how much a row is turned from along its player's edge."""
FACING = 0.05
"""Cosine between a face and the look at it below which nothing can be told on it."""
ALIKE = 0.2
"""In widths of a tile, root of the mean square of its corners: where standing faces are nearer to what lies,
nothing is read. Outlines that the finder gives are off by some 0.05."""


def find_strip_mm(width_mm: float) -> float:
    """How far from the middle of the table hands begin where tiles are so wide, mm."""
    return min(STRIP_WIDTHS * width_mm, TABLE_MM / 2 - STRIP_LEAST_MM)


def mark_strips(places_mm: Floats, width_mm: float) -> Mask:
    """Which of the places (n, 2) hands may stand at (n,), beyond the table's edge too."""
    return np.asarray(np.abs(places_mm).max(axis=1) > find_strip_mm(width_mm), bool)


def mark_mistakable(places_mm: Floats, camera: TableCamera, size_mm: tuple[float, float, float]) -> Mask:
    """At which of the places (n, 2) of lying tiles' middles a hand may stand whose face would look like a
    lying tile to this camera (n,). size_mm: width, height and depth of a tile."""
    return np.asarray(measure_difference(places_mm, camera, size_mm) < ALIKE, bool)


def measure_difference(places_mm: Floats, camera: TableCamera, size_mm: tuple[float, float, float]) -> Floats:
    """How much the face of a hand's tile, or a part of it, would look unlike every lying tile at these places
    (n, 2): (n,), in widths, infinite where none can be seen. size_mm: width, height and depth of a tile."""
    return np.asarray(measure_differences(places_mm, camera, size_mm).min(axis=0), np.float64)


def measure_differences(
    places_mm: Floats, camera: TableCamera, size_mm: tuple[float, float, float]
) -> Floats:
    """The same for the hands of each seat (4, n)."""
    strip_mm = find_strip_mm(size_mm[0])
    least: Floats = np.full((4, len(places_mm)), np.inf)
    for seat in range(4):
        quarter = _turn(seat * np.pi / 2)
        own = places_mm @ quarter  # turned so that this seat's edge is the lower one
        eye = np.append(camera.position_mm[:2] @ quarter, camera.position_mm[2])
        here = -own[:, 1] > strip_mm
        for lean, turn in product(np.radians(LEANS_DEGREES), np.radians(TURNS_DEGREES)):
            differs = _differ(own[here], eye, size_mm, lean, turn)
            least[seat, here] = np.minimum(least[seat, here], differs)
    return least


def _differ(
    places: Floats, eye: Floats, size_mm: tuple[float, float, float], lean: float, turn: float
) -> Floats:
    """How much faces that stand along the lower edge, seen at these places (n, 2) at the height of a lying
    tile, look unlike one (n,); infinite where they are turned away."""
    width, height, depth = size_mm
    along = np.array([np.cos(turn), np.sin(turn), 0.0])
    away = np.array([-np.sin(turn), np.cos(turn), 0.0])
    up = np.sin(lean) * away + np.cos(lean) * np.array([0.0, 0.0, 1.0])
    looks = eye - np.column_stack([places, np.full(len(places), depth)])
    facing = looks @ np.cross(along, up) > FACING * np.linalg.norm(looks, axis=1)
    # the side that goes up, as it is seen in the plane of lying faces
    side = height * (up[:2] - up[2] * looks[:, :2] / looks[:, 2:])
    lengths = np.linalg.norm(side, axis=1, keepdims=True)
    side = side * np.minimum(1.0, height / np.maximum(lengths, 1e-9))  # a part of it may pass, too
    foot = np.broadcast_to(width * along[:2], side.shape)
    return np.where(facing, _measure_skew(foot, side, width, height), np.inf)


def _measure_skew(foot: Floats, side: Floats, width: float, height: float) -> Floats:
    """How far parallelograms with these sides (n, 2) are from a tile's rectangle (n,), in widths."""
    directions = foot / np.linalg.norm(foot, axis=1, keepdims=True)
    directions += _turn_back(side) / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-9)
    directions /= np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-9)
    upwards = np.stack([-directions[:, 1], directions[:, 0]], axis=1)
    off = np.stack([foot - width * directions, side - height * upwards])
    return np.asarray(np.sqrt((off**2).sum(axis=(0, 2)) / 4) / width, np.float64)


def _turn_back(vectors: Floats) -> Floats:
    """Vectors (n, 2) turned a quarter clockwise."""
    return np.stack([vectors[:, 1], -vectors[:, 0]], axis=1)


def _turn(angle: float) -> Floats:
    """What makes places (n, 2) @ it those that a player sees who sits turned by that angle."""
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
