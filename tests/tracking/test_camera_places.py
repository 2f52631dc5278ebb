"""What is said of a camera's place, and how it is kept in files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.errors import InputError
from companion.scenes.film.customs import HALF_MM
from companion.scenes.film.pose import Pose, list_corners, place_camera
from companion.tracking.kept_cameras import load_camera, path_of, save_camera
from companion.tracking.pose_advice import judge_pose
from companion.tracking.table_camera import TableCamera

ID = "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam-video-index0"


def stand(pose: Pose, width: int = 1920, height: int = 1080) -> TableCamera:
    film = place_camera(pose, np.random.default_rng(2), width, height)
    return TableCamera.from_corners(film.project(list_corners(HALF_MM)), width, height)


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))


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


def test_a_camera_is_kept_as_it_stands() -> None:
    camera = stand(Pose.CORNER)
    assert load_camera(ID) is None
    save_camera(ID, stand(Pose.ABOVE))
    save_camera(ID, camera)
    kept = load_camera(ID)
    assert kept is not None
    assert np.array_equal(kept.projection, camera.projection)
    assert (kept.width, kept.height) == (1920, 1080)
    assert load_camera(ID + "1") is None


@pytest.mark.parametrize("camera_id", ["rtsp://table/1?x=ü", "0", "../../etc/passwd", "", "a" * 500])
def test_any_id_has_a_file_of_its_own_in_the_folder(camera_id: str, tmp_path: Path) -> None:
    path = save_camera(camera_id, stand(Pose.ABOVE))
    assert path.parent == tmp_path / "cameras"
    assert load_camera(camera_id) is not None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda kept: b"", "it is not JSON"),
        (lambda kept: b"\xff\xfe", "it is not JSON"),
        (lambda kept: json.dumps(kept | {"version": 2}).encode(), "version"),
        (lambda kept: json.dumps(kept | {"width": 0}).encode(), "width"),
        (lambda kept: json.dumps(kept | {"projection": [[1, 2, 3, 4]] * 2}).encode(), "projection"),
        (lambda kept: json.dumps(kept | {"projection": [[0, 0, 0, 0]] * 3}).encode(), "its numbers"),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(change: object, why: str) -> None:
    path = save_camera(ID, stand(Pose.ABOVE))
    path.write_bytes(change(json.loads(path.read_bytes())))  # type: ignore[operator]
    with pytest.raises(InputError, match=why) as refused:
        load_camera(ID)
    assert "find the table again" in str(refused.value)
    assert path_of(ID) == path
