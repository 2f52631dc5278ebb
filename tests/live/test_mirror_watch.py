"""A mirrored camera over a table: noticed by what lies there, and every picture flipped from then on."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from companion.cameras.frames import Frame
from companion.config import models_dir
from companion.images import Image
from companion.live.mirror_watch import MirrorWatch, flip_corners
from companion.live.table_watch import TableWatch
from companion.seeing.outlines import TileSize
from companion.seeing.sights import SeenTile, Sight
from companion.seeing.table_camera import TableCamera
from companion.vision import Recogniser
from companion.vision.mirrored import flip
from lab.scenes.hand import render_hand

CODES = ["6m", "7m", "9m", "3p", "7p", "2s", "3z", "6z"]


@cache
def recogniser() -> Recogniser:
    return Recogniser(models_dir())


@pytest.fixture(scope="module")
def image() -> Image:
    return render_hand([CODES], seed=4).image


class Sees:
    """An observer that knows the place of every tile in the picture, whatever they are."""

    def __init__(self, camera: TableCamera, tile_size: TileSize) -> None:
        self.camera = camera
        self.knows_place = True
        self.tile_size = TileSize(24.0, 32.0, measured=True)

    def look(self, image: Image, t: float) -> Sight | None:
        return Sight(t)


@pytest.mark.parametrize("is_mirrored", [False, True])
def test_a_recording_is_judged_before_it_is_followed(image: Image, is_mirrored: bool) -> None:
    watch = MirrorWatch(recogniser())
    shown = flip(image) if is_mirrored else image
    watch.look_ahead([Frame(np.zeros_like(image), 0), Frame(shown, 1)])
    assert watch.is_mirrored is is_mirrored
    assert np.array_equal(watch.straighten(shown), image)


def test_a_camera_that_was_mirrored_is_flipped_until_its_pictures_say_otherwise(image: Image) -> None:
    watch = MirrorWatch(recogniser(), is_mirrored=True)
    assert np.array_equal(watch.straighten(flip(image)), image)
    watch.look_ahead([Frame(image, 0)])
    assert not watch.is_mirrored


def test_corners_that_a_person_gave_are_flipped_with_the_picture() -> None:
    corners = np.array([[10.0, 90], [80, 95], [70, 20], [20, 25]])
    assert flip_corners(corners, 100).tolist() == [[20, 95], [90, 90], [80, 25], [30, 20]]
    assert np.array_equal(flip_corners(flip_corners(corners, 100), 100), corners)


def test_a_table_in_a_mirror_is_watched_in_flipped_pictures(image: Image) -> None:
    seen: list[Image] = []

    class Looks(Sees):
        def look(self, image: Image, t: float) -> Sight | None:
            seen.append(image)
            return super().look(image, t)

    height, width = image.shape[:2]
    corners = np.array([[0.2, 0.9], [0.9, 0.9], [0.8, 0.1], [0.3, 0.1]]) * (width, height)
    watch = TableWatch(lambda: lambda image: None, Looks, corners=corners, mirror=MirrorWatch(recogniser()))
    watch.look_for_mirror([Frame(flip(image), 0)])
    watch.look(flip(image), 0.0)
    assert watch.is_mirrored
    assert np.array_equal(seen[0], image)
    assert watch.camera is not None
    assert np.allclose(watch.camera.corners, flip_corners(corners, width), atol=0.5)


def test_the_tiles_on_the_table_show_that_a_live_camera_is_mirrored(image: Image) -> None:
    """The camera looks straight down, and the tiles are where they are read in the flipped picture."""
    height, width = image.shape[:2]
    square = np.array([[-400.0, 400], [400, 400], [400, -400], [-400, -400]])
    camera = TableCamera.from_corners(np.array([width, height]) / 2 + square, width, height)
    quads = np.array([tile.quad for tile in recogniser().read(image).tiles])
    quads[..., 0] = width - quads[..., 0]
    side_mm = np.linalg.norm(quads[:, 0] - quads[:, 1], axis=1).mean()
    size = TileSize(side_mm, side_mm * 1.33, measured=True)
    lying = []
    for number, quad in enumerate(quads):
        corners = camera.lift(quad, size.depth_mm)
        (x, y), (dx, dy) = corners.mean(axis=0).tolist(), (corners[0] - corners[1]).tolist()
        lying.append(SeenTile(number, x, y, float(np.arctan2(dy, dx)), (("?", 0.5),)))
    watch = MirrorWatch(recogniser())
    assert not watch.is_turned(flip(image), camera, size, lying[:3])
    assert watch.is_turned(flip(image), camera, size, lying)
    assert watch.is_mirrored
    assert not watch.is_turned(image, camera, size, lying)
