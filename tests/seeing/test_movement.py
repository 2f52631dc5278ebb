"""A camera that is bumped: the table shows its new place, and nothing else does."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest

from companion.coach.play.simulation import play
from companion.config import models_dir
from companion.images import Image
from companion.live.watch_setup import watch_table
from companion.seeing.movement import PLACED_MAX_S, STILL_S, Steadiness, Stillness
from companion.seeing.table_camera import TableCamera
from companion.seeing.top_view import SIDE, Grey, TopView
from companion.table.events import GameStarted
from companion.vision.recogniser import Recogniser
from lab.film.customs import HALF_MM, Pose, list_corners
from lab.film.writing import Shooting, prepare_film
from tests.seeing.table_frames import SIZE, Frame, draw_frame

SEED, SHARE = 3, 0.7
BEGUN_S, BUMPED_S = 37.0, 46.0
NEAR_PX = 2.5
EVERYWHERE = np.ones((SIDE, SIDE), bool)
NOWHERE = np.zeros((SIDE, SIDE), bool)


@pytest.fixture(scope="module")
def frame() -> Frame:
    return draw_frame(Pose.CORNER, SEED, SHARE)


@pytest.fixture(scope="module")
def plane(frame: Frame) -> TopView:
    return TopView.of(TableCamera.from_corners(frame.corners, *SIZE), 20.0)


def push(image: Image, x: float, y: float) -> Image:
    """What a camera sees whose picture was pushed aside by so many px."""
    moved = np.array([[1, 0, x], [0, 1, y]], np.float64)
    return np.asarray(cv2.warpAffine(image, moved, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def leave_traces(grey: Grey, seed: int) -> Grey:
    """The table as it was read, with faint traces of arms that lay still for a moment here and there."""
    rng, traced = np.random.default_rng(seed), grey.copy()
    for _ in range(600):
        x, y = rng.integers(20, SIDE - 20, 2).tolist()
        level = int(grey[y, x]) + int(rng.choice([-60, 60]))
        end = (x + int(rng.integers(-9, 10)), y + int(rng.integers(-9, 10)))
        cv2.line(traced, (x, y), end, min(255, max(0, level)), 1)
    return traced


@pytest.mark.slow
@pytest.mark.parametrize(("x", "y"), [(-9.0, -8.0), (6.0, 3.0)])
@pytest.mark.parametrize("seed", range(3))
def test_a_bump_is_found_whatever_traces_arms_have_left(
    frame: Frame, plane: TopView, seed: int, x: float, y: float
) -> None:
    read = leave_traces(plane.show(frame.image), seed)
    now = plane.show(push(frame.image, x, y))
    moved = Steadiness().align(plane, read, now, EVERYWHERE, EVERYWHERE, 1.0)
    assert moved is not None
    off = moved.corners - (frame.corners + np.array([x, y]))
    assert np.linalg.norm(off, axis=1).max() < NEAR_PX


def test_after_a_bump_nothing_is_read_until_the_place_of_the_camera_is_known(
    frame: Frame, plane: TopView
) -> None:
    steadiness, read = Steadiness(), plane.show(frame.image)
    moving = np.full((SIDE, SIDE), 1.0)
    assert steadiness.is_placed(0.0)
    assert steadiness.is_shaking(read, moving, 1.0)
    assert not steadiness.is_placed(1.0)
    hidden = np.zeros_like(read)  # an arm before all that shows where the camera is
    assert steadiness.align(plane, read, hidden, EVERYWHERE, EVERYWHERE, 1.3) is None
    assert not steadiness.is_placed(1.3)
    assert steadiness.align(plane, read, plane.show(push(frame.image, 6.0, 3.0)), EVERYWHERE, EVERYWHERE, 1.6)
    assert steadiness.is_placed(1.6)
    assert steadiness.is_shaking(read, np.full((SIDE, SIDE), 2.0), 2.0)
    assert steadiness.is_placed(2.1 + PLACED_MAX_S)


def test_a_second_bump_right_after_the_first_is_seen_to_move(frame: Frame, plane: TopView) -> None:
    """Else the table is read at once, from where the camera no longer stands."""
    stillness = Stillness()
    for step in range(4):
        stillness.watch(step / 10, plane.show(frame.image))
    t = 4 / 10
    stillness.begin_with(t, plane.show(frame.image))
    still = stillness.watch(t + STILL_S / 2, plane.show(push(frame.image, -9.0, -8.0)))
    assert still.mean() < 0.9
    assert (stillness.moved_s == t + STILL_S / 2).mean() > 0.1


@pytest.mark.long
def test_a_camera_that_is_bumped_while_lamps_are_switched_is_known_to_stand_where_it_stands() -> None:
    """In this film a lamp moves the shadows from second 38 on, and the camera is bumped in second 46."""
    start = GameStarted(rules="hefei")
    played = next(play(start, 1, random.Random("hefei 20262000")))
    filming = prepare_film(
        played.start, played.steps, Shooting(Pose.CORNER, SIZE, 2.0, seed=20262000)
    ).filming
    watch = watch_table(
        Recogniser(models_dir(), threads=1),
        "hefei",
        corners=filming.find_camera(BEGUN_S).project(list_corners(HALF_MM)),
    )
    for t in np.arange(BEGUN_S, BUMPED_S + 2.5, 0.1).round(1).tolist():
        watch.look(filming.draw(t), t)
        if BUMPED_S <= t < BUMPED_S + 0.5:
            continue  # it takes a moment to be noticed
        off = watch.camera.corners - filming.find_camera(t).project(list_corners(HALF_MM))
        assert np.linalg.norm(off, axis=1).max() < NEAR_PX, t
