"""What is said of a camera's place."""

from __future__ import annotations

import numpy as np
import pytest

from companion.seeing.pose_advice import judge_pose
from companion.seeing.table_camera import TableCamera
from lab.film.customs import HALF_MM, Pose, list_corners, place_camera


def stand(pose: Pose, width: int = 1920, height: int = 1080) -> TableCamera:
    film = place_camera(pose, np.random.default_rng(2), width, height)
    return TableCamera.from_corners(film.project(list_corners(HALF_MM)), width, height)


@pytest.mark.parametrize(
    ("pose", "size", "good", "said"),
    [
        (Pose.ABOVE, (1920, 1080), True, "stands well: the far tiles are 4"),
        (Pose.CORNER, (1920, 1080), True, "stands well: the far tiles are 2"),
        (Pose.CORNER, (1280, 720), False, "only 17 px high: names there will often be missing"),
        (Pose.CORNER, (1640, 922), False, "only 22 px high: some names there will be missing"),
        (Pose.SIDE, (1920, 1080), False, "degrees above the table: walls and far melds are hidden"),
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
