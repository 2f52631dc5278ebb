"""Drawn rolls of dice on a table without tiles, for the tests of reading them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.images import Image
from companion.seeing.sights import Box
from companion.seeing.table_camera import TableCamera
from lab.film.customs import HALF_MM, Pose, list_corners, place_camera
from lab.scenes.club import make_random_setting
from lab.scenes.draw import draw_scene
from lab.scenes.furniture import draw_furniture
from lab.scenes.rooms import NO_TILES
from lab.scenes.things import DieLook, Thing, choose_look, lay_dice, scatter_dice

SIZE = (1920, 1080)
APART_MM = 45.0


@dataclass(frozen=True, eq=False)
class DrawnTable:
    """A picture of a table on which these dice lie, and where they lie, mm."""

    image: Image
    camera: TableCamera
    shown: tuple[int, ...]
    places: tuple[tuple[float, float], ...]

    def bound(self, number: int) -> Box:
        """The die's place on the table."""
        x, y = self.places[number]
        return Box(x - 10, y - 10, x + 10, y + 10)


def draw_throws(
    seed: int, pose: Pose, count: int, look: DieLook | None = None, more: Sequence[Thing] = ()
) -> list[DrawnTable]:
    """So many throws of two dice on one table, grain and blur of a usual camera included."""
    rng = np.random.default_rng(seed)
    camera = place_camera(pose, rng, *SIZE)
    setting = replace(make_random_setting(rng, HALF_MM, 0.0, *SIZE), things=(), vessels=())
    ground = draw_furniture(setting.table, camera, setting.cloth, setting.room)
    seen = TableCamera.from_corners(camera.project(list_corners(HALF_MM)), *SIZE)
    drawn = []
    for _ in range(count):
        chosen = look or choose_look(rng)
        shown = [int(number) for number in rng.integers(1, 7, 2)]
        (x, y, angle), *_ = scatter_dice(rng, chosen, 1, 30.0)
        places = [(x, y, angle), (x - APART_MM, y + APART_MM, float(rng.uniform(0, 6)))]
        dice = [*lay_dice(rng, chosen, shown, places), *more]
        image = draw_scene(ground.copy(), camera, [], NO_TILES, setting.light, dice).image
        grain = rng.normal(0, 1.5, image.shape)
        image = np.clip(cv2.GaussianBlur(image, (0, 0), 0.4) + grain, 0, 255).astype(np.uint8)
        drawn.append(DrawnTable(image, seen, tuple(shown), tuple((x, y) for x, y, _ in places)))
    return drawn
