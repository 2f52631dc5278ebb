"""What `companion bench app` measures."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import CameraError
from companion.window_bench.following import PICTURES_PER_S, Moment, Projector, describe_moments


def make_video(path: Path, grey: int, pictures: int) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for _ in range(pictures):
        writer.write(np.full((48, 64, 3), grey, np.uint8))
    writer.release()
    return path


def test_videos_are_shown_one_after_the_other_at_the_cameras_pace(tmp_path: Path) -> None:
    videos = [make_video(tmp_path / f"{grey}.avi", grey, 3) for grey in (40, 200)]
    began = time.monotonic()
    with Projector(videos) as projector:
        frames = [projector.read() for _ in range(6)]
        with pytest.raises(CameraError):
            projector.read()
    assert time.monotonic() - began >= 6 / PICTURES_PER_S
    assert [round(frame.image.mean() / 40) for frame in frames] == [1, 1, 1, 5, 5, 5]
    assert [frame.t_ns for frame in frames] == [round(1e9 * n / PICTURES_PER_S) for n in range(1, 7)]


def test_frames_from_the_found_table_on_are_counted() -> None:
    searching = [Moment(s=n / 10, cpu_s=0.0, followed=0, mb=100) for n in range(50)]
    following = [
        Moment(s=5 + n / 20, cpu_s=n / 40, followed=60 + n // 2, mb=200 + (20 if n >= 300 else 0))
        for n in range(400)
    ]
    slept = [Moment(each.s + 0.5, each.cpu_s, each.followed, each.mb) for each in following[200:]]
    figures = describe_moments([*searching, *following[:200], *slept], following_s=2.0)
    assert figures == {
        "table_found_after_s": 5.0,
        "seconds": 20,
        "camera_pictures_per_s": 9.7,
        "followed_pictures_per_s": 9.7,
        "following_ms_a_picture": 10.1,
        "window_frames_per_s": 19.5,
        "window_frame_ms_95": 50.0,
        "window_frame_ms_longest": 550,
        "window_frames_over_100_ms": 1,
        "cores_used": 0.49,
        "memory_mb": 220,
        "memory_growth_mb": 20,
    }


def test_a_table_that_was_never_found_is_said() -> None:
    moments = [Moment(s=n / 10, cpu_s=0.0, followed=0, mb=100) for n in range(50)]
    assert describe_moments(moments, following_s=2.0) == {"table_found_after_s": None}
