"""From where tables are seen: straight above, from a corner, propped at an edge, in somebody's hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from lab.scenes.geometry import Camera
from lab.scenes.tabletop import QUARTER

Rng = np.random.Generator
View = Callable[[Rng, float, int, int], Camera]


def look_from_above(rng: Rng, half_mm: float, width: int, height: int) -> Camera:
    """On a stand over the table, which fills the picture."""
    focal = float(rng.uniform(0.8, 1.4)) * max(width, height)
    distance = focal * 2.1 * half_mm * float(rng.uniform(0.95, 1.3)) / min(width, height)
    turn = float(rng.integers(4)) * QUARTER + float(rng.normal(0, 0.05))
    target = np.array([*rng.normal(0, 0.04 * half_mm, 2), 0.0])
    return Camera.looking_at(
        target,
        distance,
        float(rng.uniform(1.42, 1.565)),
        turn,
        float(rng.normal(0, 0.04)),
        focal,
        width,
        height,
    )


def look_from_corner(rng: Rng, half_mm: float, width: int, height: int) -> Camera:
    """On a stand at a corner, at about 45 degrees."""
    turn = (float(rng.integers(4)) + 0.5) * QUARTER + float(rng.normal(0, 0.1))
    return _look_at_whole(rng, half_mm, width, height, float(rng.uniform(0.65, 0.95)), turn)


def look_from_edge(rng: Rng, half_mm: float, width: int, height: int) -> Camera:
    """A telephone or tablet that leans on something at one side, at about 30 degrees."""
    turn = float(rng.integers(4)) * QUARTER + float(rng.normal(0, 0.12))
    return _look_at_whole(rng, half_mm, width, height, float(rng.uniform(0.42, 0.62)), turn)


def look_from_seat(rng: Rng, half_mm: float, width: int, height: int) -> Camera:
    """In the hand of a player who takes a picture of the whole table or of a part of it."""
    turn = float(rng.integers(4)) * QUARTER + float(rng.normal(0, 0.2))
    c, s = np.cos(turn), np.sin(turn)
    ahead = float(rng.uniform(-0.9, 0.1)) * half_mm  # along the player's line of sight, from the middle
    target = np.array([ahead * s + rng.normal(0, 60), ahead * c + rng.normal(0, 60), 10.0])
    focal = float(rng.uniform(0.75, 1.3)) * max(width, height)
    distance = float(rng.uniform(0.8, 2.2)) * half_mm
    return Camera.looking_at(
        target,
        distance,
        float(rng.uniform(0.45, 1.3)),
        turn,
        float(rng.normal(0, 0.06)),
        focal,
        width,
        height,
    )


VIEWS: Mapping[str, View] = {
    "above": look_from_above,
    "corner": look_from_corner,
    "propped": look_from_edge,
    "seated": look_from_seat,
}


def _look_at_whole(
    rng: Rng, half_mm: float, width: int, height: int, elevation: float, turn: float
) -> Camera:
    """A camera that sees the whole table or nearly, this far up and round it, radians."""
    focal = float(rng.uniform(0.7, 1.3)) * max(width, height)
    across = half_mm * (2.0 + 0.9 * abs(np.sin(2 * turn)))
    distance = max(focal * across * float(rng.uniform(0.85, 1.2)) / width, 1.5 * half_mm)
    target = np.array([*rng.normal(0, 0.06 * half_mm, 2), 0.0])
    return Camera.looking_at(
        target, distance, elevation, turn, float(rng.normal(0, 0.03)), focal, width, height
    )
