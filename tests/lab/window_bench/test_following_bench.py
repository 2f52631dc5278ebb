"""What `companion bench app` measures."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import CameraError
from lab.window_bench.following import PICTURES_PER_S, Moment, Projector, describe_moments, read_core_wait_s


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


def test_the_film_stands_still_while_nobody_watches(tmp_path: Path) -> None:
    projector = Projector([make_video(tmp_path / "film.avi", 40, 3)])
    with projector.open() as camera:
        before = camera.read()
    with projector.open() as camera:
        after = camera.read()
    assert after.t_ns - before.t_ns == pytest.approx(1e9 / PICTURES_PER_S)


FOLLOW = """
import sys
from pathlib import Path
from lab.window_bench.following import follow_in_window

print(follow_in_window([Path(sys.argv[1])], Path(sys.argv[2])))
"""


@pytest.mark.long
def test_the_window_is_closed_once_the_film_is_over(display: None, tmp_path: Path) -> None:
    """No table is found in it."""
    video = make_video(tmp_path / "film.avi", 40, 30)
    done = subprocess.run(
        [sys.executable, "-c", FOLLOW, str(video), str(tmp_path / "data")],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == "{'table_found_after_s': None, 'events': 0}"


def make_moment(s: float, followed: int = 0, mb: float = 100, page: str = "game") -> Moment:
    return Moment(s, s / 2, s / 10, followed, mb, page)


def test_frames_from_the_found_table_on_are_counted() -> None:
    searching = [make_moment(n / 10) for n in range(50)]
    following = [make_moment(5 + n / 20, 60 + n // 2, 200 + (20 if n >= 300 else 0)) for n in range(400)]
    slept = [replace(each, s=each.s + 0.5) for each in following[200:]]
    figures = describe_moments([*searching, *following[:200], *slept], following_s=2.0)
    assert figures == {
        "table_found_after_s": 5.0,
        "seconds": 20,
        "camera_pictures_per_s": 9.7,
        "followed_pictures_per_s": 9.7,
        "following_ms_a_picture": 10.1,
        "window_frames_per_s": 19.5,
        "window_frames_per_s_at_table": 19.5,
        "window_frame_ms_95": 50.0,
        "window_frame_ms_longest": 550,
        "window_frames_over_100_ms": 1,
        "window_frames_over_100_ms_by_page": {"game": 1},
        "window_frames_over_100_ms_without_waits_for_a_core": {"game": 1},
        "window_work_ms_longest": 5,
        "window_work_over_100_ms_by_page": {},
        "pages": 1,
        "cores_used": 0.49,
        "memory_mb": 220,
        "memory_growth_mb": None,
        "memory_growth_with_first_openings_mb": 20,
        "rounds_of_pages": 0,
    }


def test_memory_grows_only_once_each_page_has_been_opened() -> None:
    opening = [make_moment(n / 20, n // 2 + 1, 100 + n) for n in range(300)]
    after = [replace(make_moment(15 + n / 20, 151 + n // 2, 400 + n / 40), rounds=1) for n in range(400)]
    figures = describe_moments([*opening, *after], following_s=2.0)
    assert figures["memory_growth_mb"] == 5
    assert figures["memory_growth_with_first_openings_mb"] == 46


def test_a_wait_for_a_core_is_told_from_what_a_frame_takes() -> None:
    frames = [make_moment(n / 20, n // 2 + 1) for n in range(400)]
    frames = [
        replace(each, s=each.s + 0.1, wait_s=0.08) if n >= 100 else each for n, each in enumerate(frames)
    ]
    frames = [replace(each, s=each.s + 0.1) if n >= 300 else each for n, each in enumerate(frames)]
    figures = describe_moments(frames, following_s=2.0)
    assert figures["window_frames_over_100_ms"] == 2
    assert figures["window_frames_over_100_ms_without_waits_for_a_core"] == {"game": 1}


def test_a_thread_that_is_kept_from_running_is_seen_to_wait() -> None:
    before = read_core_wait_s()
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        cores = os.sched_getaffinity(0)
        one = {min(cores)}
        for pid in (0, *(other.pid for other in others)):
            os.sched_setaffinity(pid, one)
        end = time.monotonic() + 20
        while read_core_wait_s() - before < 0.01 and time.monotonic() < end:
            sum(range(10**5))
        assert read_core_wait_s() - before >= 0.01
    finally:
        os.sched_setaffinity(0, cores)
        for other in others:
            other.kill()
            other.wait()


def test_no_frame_is_late_while_the_table_is_looked_for_again() -> None:
    found = [make_moment(n / 20, 0 if 100 <= n < 160 else n // 2 + 1) for n in range(400)]
    figures = describe_moments(found, following_s=2.0)
    assert figures["window_frame_ms_longest"] == 50
    assert figures["window_frames_over_100_ms"] == 0


def test_late_frames_are_said_by_page_and_the_camera_rests_behind_others() -> None:
    at_table = [make_moment(n / 20, n // 2 + 1) for n in range(200)]
    elsewhere = [make_moment(10.2 + n / 20, 100, page="sheet") for n in range(300)]
    back = [make_moment(15.2 + n / 20, 101 + n // 2) for n in range(200)]
    figures = describe_moments([*at_table, *elsewhere, *back], following_s=2.0)
    assert figures["window_frames_over_100_ms_by_page"] == {"sheet": 1}
    assert figures["camera_pictures_per_s"] == pytest.approx(10, abs=0.2)
    assert figures["pages"] == 2


def test_a_table_that_was_never_found_is_said() -> None:
    searching = [make_moment(n / 10) for n in range(50)]
    assert describe_moments(searching, following_s=2.0) == {"table_found_after_s": None}
