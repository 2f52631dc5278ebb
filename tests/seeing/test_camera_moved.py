"""A camera that is moved during a hand finds the table by itself, and knows the tiles on it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.config import models_dir
from companion.images import Image
from companion.live.table_watch import TableWatch
from companion.live.watch_setup import watch_table
from companion.seeing.sights import MOVED_AWAY, OTHER_SIZE, Sight
from companion.vision.recogniser import Recogniser
from lab.film.customs import Pose
from tests.seeing.table_frames import SIZE, Frame, draw_frame

pytestmark = pytest.mark.slow

SEED = 3
SHARE = 0.5


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(models_dir(), threads=1)


@pytest.fixture(scope="module")
def above() -> Frame:
    return draw_frame(Pose.ABOVE, SEED, SHARE)


def turn_picture(frame: Frame, degrees: float) -> Frame:
    """What a camera sees that is turned over the table, and farther off."""
    width, height = SIZE
    moved = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 0.8), [0, 0, 1]])
    image = cv2.warpPerspective(frame.image, moved, SIZE, borderMode=cv2.BORDER_REPLICATE)
    corners = cv2.perspectiveTransform(frame.corners[None], moved)[0]
    return Frame(np.asarray(image, np.uint8), corners)


class Shown:
    """A watch of a table that is shown pictures, ten a second, until something is seen again."""

    def __init__(self, watch: TableWatch) -> None:
        self.watch = watch
        self.t = 0.0

    def show(self, image: Image, frames: int) -> list[Sight]:
        sights = []
        for _ in range(frames):
            sight = self.watch.look(image, self.t)
            self.t += 0.1
            sights += [] if sight is None else [sight]
        return sights


def name_tiles(sight: Sight) -> dict[int, str]:
    faces = [tile for tile in sight.tiles if tile.readings[0][0] != "back"]
    return {tile.track: tile.readings[0][0] for tile in faces}


@pytest.mark.sampled
@pytest.mark.parametrize("degrees", [25.0, 180.0, None])
def test_a_camera_that_was_moved_finds_the_table_and_knows_its_tiles(
    above: Frame, recogniser: Recogniser, degrees: float | None
) -> None:
    """None: it stands at the corner now, instead of straight above."""
    shown = Shown(watch_table(recogniser, "hong_kong", corners=above.corners))
    before = shown.show(above.image, 15)[-1]
    moved = draw_frame(Pose.CORNER, SEED, SHARE) if degrees is None else turn_picture(above, degrees)
    sights = shown.show(moved.image, 28)
    assert {sight.trouble for sight in sights} == {"", MOVED_AWAY}
    after = sights[-1]
    assert not after.trouble
    known, again = name_tiles(before), name_tiles(after)
    assert len(known) >= 10
    assert len(known.items() & again.items()) >= len(known) - 1
    assert len(again) <= len(known) + 1
    camera = shown.watch.camera
    assert camera is not None
    assert moved.measure(camera) < 30, "seat 0's corner is the same one"


@pytest.mark.long
def test_pictures_of_another_size_are_followed_on(above: Frame, recogniser: Recogniser) -> None:
    shown = Shown(watch_table(recogniser, "hong_kong", corners=above.corners))
    before = shown.show(above.image, 15)[-1]
    smaller = np.asarray(cv2.resize(above.image, (1280, 720), interpolation=cv2.INTER_AREA), np.uint8)
    cut = np.ascontiguousarray(above.image[:, 240:-240])
    zoomed = np.asarray(cv2.resize(above.image[135:-135, 240:-240], (960, 540)), np.uint8)
    for image, trouble in ((smaller, {""}), (cut, {"", OTHER_SIZE})):
        sights = shown.show(image, 20)
        assert {sight.trouble for sight in sights} <= trouble
        assert name_tiles(sights[-1]).keys() == name_tiles(before).keys()
    assert not shown.show(zoomed, 1)[0].tiles, "the same shape is no proof of the same view"
