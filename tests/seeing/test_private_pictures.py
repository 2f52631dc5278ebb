"""Hands are painted over wherever a camera is; surely open tiles stay visible while they are open."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.images import Image
from companion.seeing.lens import Lens
from companion.seeing.outlines import TileSize
from companion.seeing.private_pictures import NONE_OPEN, PAINT, OpenTiles, hide_hands
from companion.seeing.sights import SeenTile
from companion.seeing.table_camera import TableCamera
from lab.film.customs import HALF_MM, Pose, list_corners, place_camera

SIZE = (960, 540)
TILE = TileSize(measured=True)


def make_camera(pose: Pose, bend: float = 0.0) -> TableCamera:
    film, lens = place_camera(pose, np.random.default_rng(5), *SIZE), Lens(bend)
    corners = lens.distort(film.project(list_corners(HALF_MM)), *SIZE)
    return TableCamera.from_corners(corners, *SIZE, lens=lens)


def find_inside(places_px: np.ndarray) -> np.ndarray:
    px = np.round(places_px).astype(int)
    return px[((px >= 0) & (px < np.array(SIZE))).all(axis=1)]


def is_painted(image: Image, places_px: np.ndarray) -> np.ndarray:
    x, y = find_inside(places_px).T
    return np.asarray((image[y, x] == PAINT).all(axis=-1))


def turn_places(places: np.ndarray, seat: int) -> np.ndarray:
    sine, cosine = np.sin(seat * np.pi / 2), np.cos(seat * np.pi / 2)
    return places @ np.array([[cosine, sine, 0], [-sine, cosine, 0], [0, 0, 1]])


def make_grainy(seed: int) -> Image:
    grain = np.random.default_rng(seed).integers(30, 220, (54, 96, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(grain, SIZE, interpolation=cv2.INTER_CUBIC), np.uint8)


def lay_meld(seat: int) -> tuple[np.ndarray, list[SeenTile]]:
    """The middles of three tiles at the right of a seat, and the tiles."""
    middles = turn_places(np.array([[x, -350.0, 20.0] for x in (240.0, 266.0, 292.0)]), seat)
    angle = seat * np.pi / 2
    tiles = [
        SeenTile(seat * 3 + number, x, y, angle, (("5m", 0.99),))
        for number, (x, y, _) in enumerate(middles.tolist())
    ]
    return middles, tiles


@pytest.mark.parametrize("bend", [0.0, -0.2, 0.05])
@pytest.mark.parametrize("pose", Pose)
def test_standing_tiles_are_painted_over_and_discards_and_sure_melds_are_not(pose: Pose, bend: float) -> None:
    camera, image = make_camera(pose, bend), np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)
    along = np.linspace(-230, 160, 40)
    faces = np.array([[x, y, z] for x in along for y in (-280, -345, -385, -420) for z in (2.0, 20.0, 40.0)])
    melds = [lay_meld(seat) for seat in range(4)]
    lying = [tile for _, tiles in melds for tile in tiles]
    hidden = hide_hands(image, camera, TILE, NONE_OPEN.renew(image, camera, TILE, lying))
    for seat in range(4):
        assert is_painted(hidden, camera.project(turn_places(faces, seat))).all(), seat
        may_stand = pose is Pose.SIDE and seat == 0
        assert is_painted(hidden, camera.project(melds[seat][0])).all() == may_stand, seat
    rivers = np.array([[x, y, 0.0] for x in (-150, 0, 150) for y in (-150, 0, 150)])
    assert not is_painted(hidden, camera.project(rivers)).any()
    assert (image == 200).all(), "the picture itself stays as it is"


@pytest.mark.parametrize("pose", [Pose.ABOVE, Pose.CORNER])
def test_an_open_tile_is_painted_over_once_its_place_looks_otherwise(pose: Pose) -> None:
    camera, (middles, lying) = make_camera(pose), lay_meld(0)
    before, after = make_grainy(1), make_grainy(2)
    opened = NONE_OPEN.renew(before, camera, TILE, lying)
    px = camera.project(middles)
    darker = np.asarray(cv2.convertScaleAbs(before, alpha=0.8), np.uint8)
    for same in (before, darker):
        assert not is_painted(hide_hands(same, camera, TILE, opened), px).any()
    assert is_painted(hide_hands(after, camera, TILE, opened), px).all()
    late = opened.renew(after, camera, TILE, lying)
    assert is_painted(hide_hands(after, camera, TILE, late), px).all(), "no other tile was read there"
    anew = late.renew(after, camera, TILE, []).renew(after, camera, TILE, lying)
    assert not is_painted(hide_hands(after, camera, TILE, anew), px).any()


@pytest.mark.parametrize("reading", [("?", 1.0), ("back", 0.8), ("5m", 0.8)])
def test_what_is_not_surely_a_tile_is_painted_over(reading: tuple[str, float]) -> None:
    camera, (middles, lying) = make_camera(Pose.ABOVE), lay_meld(0)
    image = make_grainy(1)
    unsure = [replace(tile, readings=(reading,)) for tile in lying]
    opened = NONE_OPEN.renew(image, camera, TILE, unsure)
    assert is_painted(hide_hands(image, camera, TILE, opened), camera.project(middles)).all()


def test_all_is_painted_over_where_a_part_of_the_table_lies_behind_the_camera() -> None:
    low = np.array([[-4000.0, 500.0], [4960.0, 500.0], [530.0, 100.0], [430.0, 100.0]])
    camera = TableCamera.from_corners(low, *SIZE)
    painted = hide_hands(make_grainy(1), camera, TILE, OpenTiles())
    assert (painted == PAINT).all()
