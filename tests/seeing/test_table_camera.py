"""Places on the table from px and back, by corners that a person touched; advice on the camera's place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.errors import InputError
from companion.seeing.lens import Lens
from companion.seeing.table_camera import TableCamera, judge_pose
from lab.film.customs import HALF_MM, Pose, list_corners, place_camera

SIZE = (1920, 1080)
CORNERS = np.array([[460, 1020], [1440, 1030], [1460, 50], [470, 40]])


@pytest.mark.parametrize("pose", Pose)
@pytest.mark.parametrize("seed", range(4))
def test_four_touched_corners_place_the_tops_of_tiles_within_half_a_tile(pose: Pose, seed: int) -> None:
    rng = np.random.default_rng(seed)
    film = place_camera(pose, rng, *SIZE)
    touched = film.project(list_corners(HALF_MM)) + rng.normal(0, 1.0, (4, 2))
    camera = TableCamera.from_corners(touched, *SIZE)
    tops = np.column_stack([rng.uniform(-380, 380, (50, 2)), np.full(50, 20.0)])
    assert np.abs(camera.lift(film.project(tops), 20.0) - tops[:, :2]).max() < 6


def test_lift_undoes_project_with_a_lens_that_bends_lines() -> None:
    flat = TableCamera.from_corners(CORNERS, *SIZE)
    camera = replace(flat, lens=Lens(-0.1))
    places = np.random.default_rng(1).uniform(-400, 400, (40, 2))
    px = camera.project(np.column_stack([places, np.full(40, 36.0)]))
    assert np.abs(px - flat.project(np.column_stack([places, np.full(40, 36.0)]))).max() > 5
    assert np.abs(camera.lift(px, 36.0) - places).max() < 1e-6


def test_corners_given_through_a_lens_are_those_that_it_shows() -> None:
    camera = TableCamera.from_corners(CORNERS, *SIZE, lens=Lens(-0.1))
    assert np.allclose(camera.corners, CORNERS)
    assert np.abs(camera.project(np.array([[0.0, -400, 0]])) - (CORNERS[0] + CORNERS[1]) / 2).max() > 5


def test_a_straightened_camera_sees_the_same_places() -> None:
    camera = TableCamera.from_corners(CORNERS, *SIZE, lens=Lens(-0.1))
    straight, seen = camera.straighten(np.zeros((SIZE[1], SIZE[0], 3), np.uint8))
    assert straight.shape[:2] == (seen.height, seen.width)
    px = np.array([[500.0, 300], [1300, 900], [960, 540]])
    shift = (np.array([seen.width, seen.height]) - SIZE) / 2
    assert np.allclose(seen.lift(camera.lens.straighten(px, *SIZE) + shift, 20), camera.lift(px, 20))
    again = seen.see_through(camera.lens, *SIZE)
    assert np.allclose(again.lift(px, 20), camera.lift(px, 20))


def test_a_camera_can_be_resized_and_bumped() -> None:
    camera = TableCamera.from_corners(CORNERS, *SIZE)
    assert np.allclose(camera.resize(960, 540).corners, CORNERS / 2)
    bump = np.array([[1, 0.01, 7], [-0.01, 1, -3], [0, 0, 1.0]])
    assert np.allclose(camera.turn(bump).corners, np.column_stack([CORNERS, np.ones(4)]) @ bump[:2].T)


def test_a_camera_whose_places_are_moved_sees_the_same() -> None:
    camera = TableCamera.from_corners(CORNERS, *SIZE)
    turn = np.array([[0.2, -1.1, 40.0], [1.1, 0.2, -15.0], [0, 0, 1]])
    places = np.random.default_rng(1).uniform(-400, 400, (40, 2))
    moved = places @ turn[:2, :2].T + turn[:2, 2]
    scale = np.hypot(0.2, 1.1)
    before = camera.project(np.column_stack([places, np.full(40, 20.0)]))
    after = camera.move_places(turn).project(np.column_stack([moved, np.full(40, 20.0 * scale)]))
    assert np.allclose(before, after)


@pytest.mark.parametrize(
    "corners", [CORNERS[::-1], CORNERS[:3], np.zeros((4, 2)), CORNERS * np.nan, CORNERS[[0, 2, 1, 3]]]
)
def test_corners_of_no_table_are_refused(corners: np.ndarray) -> None:
    with pytest.raises(InputError, match="four corners counterclockwise"):
        TableCamera.from_corners(corners, *SIZE)


def stand(pose: Pose, width: int = 1920, height: int = 1080) -> TableCamera:
    film = place_camera(pose, np.random.default_rng(2), width, height)
    return TableCamera.from_corners(film.project(list_corners(HALF_MM)), width, height)


@pytest.mark.parametrize(
    ("pose", "size", "good", "said"),
    [
        (Pose.ABOVE, (1920, 1080), True, "in a good place: the far tiles are 4"),
        (Pose.CORNER, (1920, 1080), True, "in a good place: the far tiles are 2"),
        (Pose.CORNER, (1280, 720), False, "only 17 px high: many of them will not be read"),
        (Pose.CORNER, (1640, 922), False, "only 22 px high: some of them will not be read"),
        (Pose.SIDE, (1920, 1080), False, "degrees above the table: standing tiles hide walls"),
    ],
)
def test_a_place_is_judged_in_one_sentence(pose: Pose, size: tuple[int, int], good: bool, said: str) -> None:
    advice = judge_pose(stand(pose, *size))
    assert said in str(advice.sentence)
    assert advice.good == good
    assert advice.far_px <= advice.near_px


def test_a_table_that_is_cut_off_is_not_well_seen() -> None:
    corners = stand(Pose.ABOVE).corners - [600, 0]
    assert "cuts the table off" in str(judge_pose(TableCamera.from_corners(corners, 1920, 1080)).sentence)
