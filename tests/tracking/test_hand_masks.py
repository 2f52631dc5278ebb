"""Hands are painted over wherever a camera stands; what lies open stays."""

from __future__ import annotations

import numpy as np
import pytest

from companion.scenes.film.customs import HALF_MM
from companion.scenes.film.pose import Pose, list_corners, place_camera
from companion.tracking.hand_masks import COARSE_PX, PAINT, hide_hands, make_coarse
from companion.tracking.outlines import TileSize
from companion.tracking.sights import SeenTile
from companion.tracking.table_camera import TableCamera

SIZE = (960, 540)


def make_camera(pose: Pose) -> TableCamera:
    film = place_camera(pose, np.random.default_rng(5), *SIZE)
    return TableCamera.from_corners(film.project(list_corners(HALF_MM)), *SIZE)


def is_painted(image: np.ndarray, places_px: np.ndarray) -> np.ndarray:
    x, y = np.round(places_px).astype(int).T
    inside = (x >= 0) & (x < SIZE[0]) & (y >= 0) & (y < SIZE[1])
    return np.asarray((image[y[inside], x[inside]] == PAINT).all(axis=-1))


@pytest.mark.parametrize("pose", Pose)
def test_standing_tiles_are_painted_over_and_discards_and_melds_are_not(pose: Pose) -> None:
    camera = make_camera(pose)
    image = np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)
    along = np.linspace(-200, 200, 40)
    faces = np.array([[x, y, z] for x in along for y in (-345, -365, -385) for z in (2.0, 20.0, 38.0)])
    melds = np.array([[x, -350.0, 20.0] for x in (290.0, 316.0, 342.0)])
    lying = [SeenTile(1, x, y, 0.0, (("5m", 0.99),)) for x, y, _ in melds.tolist()]
    hidden = hide_hands(image, camera, TileSize(), lying)
    for turn in range(4):
        sine, cosine = np.sin(turn * np.pi / 2), np.cos(turn * np.pi / 2)
        turned = faces @ np.array([[cosine, sine, 0], [-sine, cosine, 0], [0, 0, 1]])
        assert is_painted(hidden, camera.project(turned)).all(), turn
    assert not is_painted(hidden, camera.project(melds)).any()
    rivers = np.array([[x, y, 0.0] for x in (-150, 0, 150) for y in (-150, 0, 150)])
    assert not is_painted(hidden, camera.project(rivers)).any()
    assert (image == 200).all(), "the picture itself stays as it is"


def test_a_coarse_picture_has_no_detail_of_a_tile() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (540, 960, 3), dtype=np.uint8)
    coarse = make_coarse(noise)
    assert coarse.shape == noise.shape
    steps = np.abs(np.diff(coarse.astype(int), axis=1))
    assert steps.max() < 256 * COARSE_PX / 960
