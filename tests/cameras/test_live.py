"""A live camera behind a driver that works, fails, hangs or crashes: the reader hears of it in time."""

from __future__ import annotations

import time
from functools import partial

import pytest

from companion.cameras import LiveCamera
from companion.errors import CameraError
from tests.cameras.faulty_capture import FAULTY
from tests.cameras.processes import LIMIT_S, list_captures, wait_until_gone

faulty_camera = partial(LiveCamera, "test camera", worker_file=FAULTY)


def read_until_error(camera: LiveCamera) -> float:
    """Seconds that the last call of `read` took to say that the camera is gone."""
    last_call_s = time.monotonic()

    def read_on() -> None:
        nonlocal last_call_s
        while True:
            last_call_s = time.monotonic()
            camera.read()

    with pytest.raises(CameraError, match="test camera sends no more pictures"):
        read_on()
    return time.monotonic() - last_call_s


@pytest.mark.parametrize("then", ["hangs", "fails", "raises", "crashes"])
def test_a_pulled_plug_is_an_error_within_the_timeout(then: str) -> None:
    with faulty_camera(then, read_timeout_s=1.0) as camera:
        assert read_until_error(camera) < LIMIT_S
    wait_until_gone()


def test_frames_are_the_newest_and_time_goes_forward() -> None:
    with faulty_camera("goes on") as camera:
        first = camera.read()
        assert first.image.shape == (48, 64, 3)
        time.sleep(0.5)
        second = camera.read()
        third = camera.read()
    shades = [int(frame.image[0, 0, 0]) for frame in (first, second, third)]
    assert shades[0] < shades[1] < shades[2]
    assert first.t_ns < second.t_ns < third.t_ns < time.monotonic_ns()
    # The driver is read all the time. In a queue of old frames the second would be 5 ms younger.
    assert second.t_ns - first.t_ns > 100_000_000


@pytest.mark.parametrize("does", ["stays shut", "hangs when opened"])
def test_a_camera_that_does_not_open(does: str) -> None:
    with pytest.raises(CameraError, match="cannot be opened"):
        faulty_camera(does, open_timeout_s=0.2)
    wait_until_gone()


def test_after_close_there_are_no_more_frames() -> None:
    camera = faulty_camera("goes on")
    camera.read()
    assert list_captures()
    camera.close()
    camera.close()
    assert not list_captures()
    with pytest.raises(CameraError):
        camera.read()
