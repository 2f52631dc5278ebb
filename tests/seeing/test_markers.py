"""Markers at the table's corners show the camera's place, whatever the size of the table and the print."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.images import Image
from companion.seeing.lens import PERFECT
from companion.seeing.markers import CARD_MM, MARKER_MM, draw_marker, find_markers
from companion.seeing.table_camera import TableCamera
from lab.film.customs import HALF_MM, Pose, list_corners, place_camera
from lab.film.filming import WideLens
from tests.seeing.table_frames import SIZE, Frame

CARD_PX = 360
SIDE_PX = round(CARD_PX * MARKER_MM / CARD_MM)


def lay_cards(pose: Pose, table_mm: float, numbers: tuple[int, ...] = (0, 1, 2, 3)) -> Frame:
    """A table of that side with the cards of these numbers in its corners, the first at seat 0's left."""
    rng = np.random.default_rng(4)
    film = place_camera(pose, rng, *SIZE)
    corners = film.project(list_corners(HALF_MM))
    camera = TableCamera.from_corners(corners, *SIZE)
    image = np.full((SIZE[1], SIZE[0], 3), (70, 90, 60), np.uint8)
    wide = CARD_MM * 2 * HALF_MM / table_mm
    for seat, number in enumerate(numbers):
        card = np.full((CARD_PX, CARD_PX), 235, np.uint8)
        border = (CARD_PX - SIDE_PX) // 2
        card[border : border + SIDE_PX, border : border + SIDE_PX] = np.clip(
            draw_marker(number, SIDE_PX), 25, 235
        )
        places = np.array([[0, wide], [wide, wide], [wide, 0], [0, 0]]) - HALF_MM
        angle = seat * np.pi / 2
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        px = camera.project(np.column_stack([places @ turn.T, np.zeros(4)])).astype(np.float32)
        whole = np.array([[0, 0], [CARD_PX, 0], [CARD_PX, CARD_PX], [0, CARD_PX]], np.float32)
        lens = cv2.getPerspectiveTransform(whole, px)
        there = cv2.warpPerspective(np.full_like(card, 255), lens, SIZE)
        seen = cv2.warpPerspective(card, lens, SIZE, flags=cv2.INTER_AREA)
        image[there > 127] = seen[there > 127, None]
    return Frame(blur(image, rng), corners)


def blur(image: Image, rng: np.random.Generator) -> Image:
    soft = cv2.GaussianBlur(image, (0, 0), 0.9)
    return np.clip(soft + rng.normal(0, 4, image.shape), 0, 255).astype(np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize("pose", Pose)
@pytest.mark.parametrize("table_mm", [700, 950])
def test_markers_place_the_table_within_5_mm(pose: Pose, table_mm: float) -> None:
    frame = lay_cards(pose, table_mm)
    camera = find_markers(frame.image)
    assert camera is not None
    assert frame.measure(camera) < 5


@pytest.mark.parametrize("pose", [Pose.ABOVE, Pose.CORNER])
def test_markers_show_a_lens_that_bends_them(pose: Pose) -> None:
    frame = lay_cards(pose, 800)
    lens = WideLens(-0.3, 0.76 * SIZE[0], *SIZE)
    camera = find_markers(lens.bend_picture(frame.image))
    assert camera is not None
    assert -0.2 < camera.lens.bend < -0.1
    assert Frame(frame.image, lens.bend(frame.corners)).measure(camera) < 5


@pytest.mark.parametrize("pose", Pose)
def test_markers_that_a_perfect_lens_shows_show_none_that_bends(pose: Pose) -> None:
    camera = find_markers(lay_cards(pose, 800).image)
    assert camera is not None
    assert camera.lens == PERFECT


def test_the_first_marker_lies_with_the_seat_at_the_lower_edge() -> None:
    frame = lay_cards(Pose.ABOVE, 800)
    camera = find_markers(frame.image, bottom=2)
    assert camera is not None
    assert Frame(frame.image, np.roll(frame.corners, 2, axis=0)).measure(camera) < 5


@pytest.mark.parametrize("numbers", [(0, 1, 2), (0, 2, 1, 3), (1, 0, 3, 2), (0, 1, 2, 2)])
def test_missing_and_exchanged_markers_show_no_table(numbers: tuple[int, ...]) -> None:
    assert find_markers(lay_cards(Pose.ABOVE, 800, numbers).image) is None
