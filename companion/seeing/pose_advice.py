"""Whether a camera stands well for following a game: how large tiles are in its picture, and what hides
them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.seeing.table_camera import TABLE_MM, TableCamera
from companion.sentences import Sentence, msgid

Floats = NDArray[np.float64]

TILE_MM = (26.0, 35.0)
"""Width and height of usual tiles."""
HANDS_MM = 0.43 * TABLE_MM
"""How far hands and melds are from the middle of the table."""
MELDS_MM = 0.32 * TABLE_MM
"""How far to a player's right melds lie."""
READ_PX = 23.0
"""Height from which on nearly every tile of drawn tables is read."""
LEGIBLE_PX = 20.0
"""Height below which nearly none is."""
LOW_DEGREES = 38.0
"""A camera that looks from lower does not see over hands and walls: from 30 degrees most walls are hidden,
from 45 few."""

GOOD = msgid("The camera stands well: the far tiles are {far} px high.")
SMALL = msgid(
    "The far tiles are only {far} px high: some names there will be missing. Put the camera nearer, or"
    " higher."
)
TOO_SMALL = msgid(
    "The far tiles are only {far} px high: names there will often be missing. Put the camera nearer, or"
    " higher."
)
LOW = msgid(
    "The camera looks from only {degrees} degrees above the table: walls and far melds are hidden behind what"
    " stands before them. Put the camera higher."
)
CUT_OFF = msgid(
    "The picture cuts the table off: tiles beyond its edge are not seen. Turn the camera, or put it farther"
    " away."
)
SENTENCES = (GOOD, SMALL, TOO_SMALL, LOW, CUT_OFF)


@dataclass(frozen=True, slots=True)
class PoseAdvice:
    """near_px, far_px: height of the largest and the smallest of the players' tiles; elevation_degrees: how
    high above the table the camera stands, 90 straight above; good: whether it may stay; sentence: which
    says so, or what to do."""

    near_px: float
    far_px: float
    elevation_degrees: float
    good: bool
    sentence: Sentence


def judge_pose(camera: TableCamera) -> PoseAdvice:
    """Whether names and walls are seen from there, and what would be better."""
    heights = [measure_tile(camera, x, y) for x, y in _list_places()]
    near, far = max(heights), min(heights)
    x, y, z = camera.position_mm
    elevation = float(np.degrees(np.arctan2(z, np.hypot(x, y))))
    corners = camera.corners
    inside = (corners >= 0) & (corners <= [camera.width, camera.height])
    shown = {"far": round(far), "degrees": round(elevation)}
    good = False
    if not inside.all():
        template = CUT_OFF
    elif elevation < LOW_DEGREES:
        template = LOW
    elif far < LEGIBLE_PX:
        template = TOO_SMALL
    elif far < READ_PX:
        template = SMALL
    else:
        template, good = GOOD, True
    named = {name: value for name, value in shown.items() if f"{{{name}}}" in template}
    return PoseAdvice(near, far, elevation, good, Sentence(template, named))


def measure_tile(camera: TableCamera, x_mm: float, y_mm: float) -> float:
    """How many px high a tile is that lies at this place, by the side that is foreshortened most."""
    wide, high = TILE_MM[0] / 2, TILE_MM[1] / 2
    seen = []
    for a, b in ((wide, high), (high, wide)):
        quad = np.array([[-a, -b, 0], [a, -b, 0], [a, b, 0], [-a, b, 0]])
        corners = camera.project(quad + np.array([x_mm, y_mm, 0]))
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        across, along = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
        seen.append(min(across * high / a, along * high / b))
    return float(min(seen))


def _list_places() -> list[tuple[float, float]]:
    """The middle of each player's hand, and of the melds at their right."""
    own = [(0.0, -HANDS_MM), (MELDS_MM, -HANDS_MM)]
    return [turned for x, y in own for turned in ((x, y), (-y, x), (-x, -y), (y, -x))]
