"""Bumps of the camera are found and undone; what is no bump is told apart."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.images import Image
from companion.scenes.film.pose import Pose
from companion.tracking.bumps import Movement, Reference, find_bump
from companion.tracking.table_camera import TableCamera
from tests.tracking.table_frames import SIZE, Frame, draw_frame

pytestmark = pytest.mark.slow

SEED = 3021


@pytest.fixture(scope="module")
def before() -> Frame:
    return draw_frame(Pose.CORNER, SEED, 0.4)


@pytest.fixture(scope="module")
def after() -> Frame:
    return draw_frame(Pose.CORNER, SEED, 0.6)


def push(frame: Frame, px: float, degrees: float) -> Frame:
    """The frame after the camera was pushed so far to the side and rolled."""
    height, width = frame.image.shape[:2]
    push = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    push[:, 2] += [px, -px / 2]
    image = np.asarray(cv2.warpAffine(frame.image, push, (width, height)), np.uint8)
    return Frame(image, frame.corners @ push[:, :2].T + push[:, 2])


def stand(frame: Frame) -> TableCamera:
    return TableCamera.from_corners(frame.corners, *SIZE)


@pytest.mark.parametrize(("px", "degrees"), [(3, 0.1), (25, 1.0), (140, 5.0)])
def test_a_bumped_camera_is_followed_to_3_mm(before: Frame, after: Frame, px: float, degrees: float) -> None:
    bumped = push(after, px, degrees)
    bump = find_bump(Reference.of(before.image, stand(before)), bumped.image)
    assert bump.movement is Movement.BUMPED
    assert bumped.measure(stand(before).turn(bump.homography)) < 3


def test_a_camera_that_stands_still_is_not_bumped_by_a_lamp(before: Frame, after: Frame) -> None:
    darker = np.asarray(cv2.convertScaleAbs(after.image, alpha=0.6, beta=5), np.uint8)
    bump = find_bump(Reference.of(before.image, stand(before)), darker)
    assert bump.movement is Movement.STILL
    assert np.array_equal(bump.homography, np.eye(3))


def test_another_scene_is_no_bump(before: Frame) -> None:
    reference = Reference.of(before.image, stand(before))
    others: list[Image] = [
        np.full_like(before.image, 20),
        np.random.default_rng(1).integers(0, 255, before.image.shape, np.uint8),
        draw_frame(Pose.ABOVE, 3020, 0.5).image,
        np.ascontiguousarray(before.image[:540]),
    ]
    assert {find_bump(reference, other).movement for other in others} == {Movement.ELSEWHERE}
