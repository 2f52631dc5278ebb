"""Single pictures of drawn tables with the truth about their cameras, for the tests of calibration."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from companion.images import Image
from companion.seeing.table_camera import TableCamera
from lab.film.customs import HALF_MM, Pose, list_corners
from lab.film.writing import Film, Shooting, prepare_film
from tests.lab.scenes.film_hands import play_hand

SIZE = (1920, 1080)
SQUARE = np.array([[-HALF_MM, -HALF_MM], [HALF_MM, -HALF_MM], [HALF_MM, HALF_MM], [-HALF_MM, HALF_MM]])


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture, and the table's corners (4, 2) px in it, as `TableCamera.corners` has them."""

    image: Image
    corners: np.ndarray

    def measure(self, camera: TableCamera) -> float:
        """By how many mm the worst of the table's corners is out."""
        return float(np.linalg.norm(camera.lift(self.corners) - SQUARE, axis=1).max())


@cache
def prepare(pose: Pose, seed: int, rules: str = "hong_kong") -> Film:
    played = play_hand(rules, seed)
    return prepare_film(played.start, played.steps, Shooting(pose, SIZE, 2.0, True, seed))


def draw_frame(pose: Pose, seed: int, share: float) -> Frame:
    """The picture of a table when this share of a hand has been played."""
    film = prepare(pose, seed)
    t = round(film.timeline.end_s * share, 1)
    corners = film.filming.find_camera(t).project(list_corners(HALF_MM))
    return Frame(film.filming.draw(t), corners)
