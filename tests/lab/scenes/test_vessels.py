"""Cups and bottles: round, seeded, standing where they are put."""

from __future__ import annotations

import numpy as np

from lab.scenes.geometry import Camera
from lab.scenes.things import Vessel, draw_vessel, place_random_vessels

RED = Vessel(50.0, -20.0, 20.0, 30.0, 80.0, (20, 20, 220), (20, 20, 220), (10, 10, 10))


def seen_from(elevation: float) -> Camera:
    return Camera.looking_at(np.zeros(3), 900.0, elevation, 0.0, 0.0, 1200.0, 800, 600)


def test_a_vessel_is_drawn_where_it_stands_and_its_mouth_is_dark() -> None:
    camera = seen_from(0.9)
    drawn = draw_vessel(RED, camera)
    assert drawn is not None
    picture, quad = drawn
    foot, mouth = camera.project(np.array([[50.0, -20.0, 0.0], [50.0, -20.0, 80.0]])) - quad[0]
    assert picture[int(foot[1]), int(foot[0]), 2] > 120
    assert picture[int(mouth[1]), int(mouth[0])].tolist() == [10, 10, 10, 255]
    assert picture[0, 0, 3] == 0


def test_a_vessel_behind_the_camera_is_not_drawn() -> None:
    assert draw_vessel(Vessel(0.0, -900.0, 20, 30, 80, *RED_COLOURS), seen_from(0.3)) is None


RED_COLOURS = (RED.colour, RED.band, RED.drink)


def test_vessels_stand_at_the_sides_and_repeat_by_seed() -> None:
    found = 0
    for seed in range(30):
        once, again = (place_random_vessels(np.random.default_rng(seed), 400.0) for _ in range(2))
        assert once == again
        for vessel in once:
            assert max(abs(vessel.x_mm), abs(vessel.y_mm)) > 380
        found += len(once)
    assert found > 5
