"""A recorded camera plays real files: a video written by OpenCV, a folder of pictures."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cameras import RecordedCamera, open_camera
from companion.cameras.recorded import DecodingError
from companion.errors import CameraError

SHADES = (20, 90, 160, 230)


def flat(shade: int) -> np.ndarray:
    return np.full((48, 64, 3), shade, np.uint8)


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "four.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    assert writer.isOpened()
    for shade in SHADES:
        writer.write(flat(shade))
    writer.release()
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "pictures"
    path.mkdir()
    for number, shade in enumerate(SHADES):
        cv2.imwrite(str(path / f"{number}.png"), flat(shade))
    (path / "2.5.txt").write_text("not a picture")
    (path / "2.6.png").write_bytes(b"damaged")
    return path


@pytest.mark.parametrize("source", ["video", "folder"])
def test_frames_come_in_order_and_then_the_recording_ends(
    source: str, request: pytest.FixtureRequest
) -> None:
    with RecordedCamera(request.getfixturevalue(source), loop=False, paced=False) as camera:
        frames = [camera.read() for _ in SHADES]
        with pytest.raises(CameraError, match="at its end"):
            camera.read()
    assert [round(float(frame.image.mean()), -1) for frame in frames] == [20, 90, 160, 230]
    assert all(frame.image.shape == (48, 64, 3) and frame.image.dtype == np.uint8 for frame in frames)
    steps_ns = set(np.diff([frame.t_ns for frame in frames]).tolist())
    assert frames[0].t_ns == 0
    assert steps_ns == {100_000_000 if source == "video" else 1_000_000_000}


def test_looping_starts_again_and_time_goes_on(video: Path) -> None:
    with RecordedCamera(video, loop=True, paced=False) as camera:
        frames = [camera.read() for _ in range(10)]
    shades = [round(float(frame.image.mean()), -1) for frame in frames]
    assert shades == [20, 90, 160, 230, 20, 90, 160, 230, 20, 90]
    assert [frame.t_ns for frame in frames] == [100_000_000 * n for n in range(10)]


def test_it_keeps_the_pace_of_the_recording(video: Path) -> None:
    with open_camera(f"file:{video}") as camera:
        start_s = time.monotonic()
        for _ in range(6):
            camera.read()
        assert time.monotonic() - start_s >= 0.49  # five frames after the first, at ten a second


@pytest.mark.parametrize("name", ["absent.avi", "empty", "text.avi"])
def test_opening_refuses_what_holds_nothing_to_play(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.avi").write_text("this is no video")
    with pytest.raises(CameraError, match="recording") as caught:
        open_camera(f"file:{tmp_path / name}")
    assert name in str(caught.value)
    assert caught.value.exit_status == 3


def test_a_video_of_absurd_size_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "huge.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (8000, 4000))
    writer.write(np.zeros((4000, 8000, 3), np.uint8))
    writer.release()
    with pytest.raises(CameraError, match=r"huge.avi' has 8000 × 4000 pixels, and at most 16 megapixels"):
        open_camera(f"file:{path}")


def test_a_name_that_is_not_utf_8_is_played_too(video: Path) -> None:
    named = video.rename(os.fsdecode(os.fsencode(video.parent) + b"/\xff\xe4.avi"))
    with RecordedCamera(named, loop=False, paced=False) as camera:
        assert len(list(camera.frames())) == 4


def test_a_recording_for_which_no_process_starts_is_one_sentence(video: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    opened = {int(name) for name in os.listdir("/proc/self/fd")}
    free = [number for number in range(soft) if number not in opened]
    resource.setrlimit(resource.RLIMIT_NOFILE, (free[2], hard))  # which leaves two
    try:
        with pytest.raises(DecodingError, match="memory or processes have run out"):
            RecordedCamera(video)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    with RecordedCamera(video) as camera:
        assert camera.read()


def test_a_closed_recording_gives_nothing_more(video: Path) -> None:
    camera = open_camera(f"file:{video}")
    camera.read()
    camera.close()
    camera.close()
    with pytest.raises(CameraError):
        camera.read()
