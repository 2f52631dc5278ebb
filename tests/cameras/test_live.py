"""A live camera behind a driver that works, fails, hangs or crashes: the reader hears of it in time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from companion.cameras import LiveCamera
from companion.errors import CameraError


class Driver:
    """A capture that gives `good` frames and then does `then`, as a pulled plug makes drivers do."""

    def __init__(self, good: int, then: Callable[[], tuple[bool, None]], opens: bool = True) -> None:
        self.good = good
        self.then = then
        self.opens = opens
        self.released = threading.Event()
        self.reader = ""

    def isOpened(self) -> bool:
        return self.opens

    def read(self) -> tuple[bool, np.ndarray | None]:
        self.reader = threading.current_thread().name
        if self.good == 0:
            return self.then()
        time.sleep(0.005)
        self.good -= 1
        return True, np.zeros((48, 64, 3), np.uint8)

    def release(self) -> None:
        assert threading.current_thread().name == self.reader or not self.reader
        self.released.set()


def hang() -> tuple[bool, None]:
    time.sleep(5)
    return False, None


def fail() -> tuple[bool, None]:
    return False, None


def crash() -> tuple[bool, None]:
    raise RuntimeError("the driver fell over")


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


@pytest.mark.parametrize("then", [hang, fail, crash])
def test_a_pulled_plug_is_an_error_within_the_timeout(then: Callable[[], tuple[bool, None]]) -> None:
    camera = LiveCamera("test camera", lambda: Driver(3, then), read_timeout_s=0.5)
    assert camera.read().image.shape == (48, 64, 3)
    assert read_until_error(camera) < 1.0


def test_frames_are_the_newest_and_time_goes_forward() -> None:
    driver = Driver(1000, fail)
    with LiveCamera("test camera", lambda: driver) as camera:
        first = camera.read()
        time.sleep(0.2)
        left = driver.good
        second = camera.read()
        third = camera.read()
    assert left < 990, "the driver is read all the time, so that no queue of old frames builds up"
    assert first.t_ns < second.t_ns < third.t_ns
    assert driver.released.wait(1)


def test_a_camera_that_does_not_open() -> None:
    driver = Driver(0, fail, opens=False)
    with pytest.raises(CameraError, match="cannot be opened"):
        LiveCamera("test camera", lambda: driver)
    assert driver.released.wait(1)


def test_a_driver_that_hangs_while_opening() -> None:
    release = threading.Event()

    def opening() -> Driver:
        release.wait(5)
        return Driver(0, fail)

    with pytest.raises(CameraError, match="cannot be opened"):
        LiveCamera("test camera", opening, open_timeout_s=0.2)
    release.set()


def test_after_close_there_are_no_more_frames() -> None:
    driver = Driver(1000, fail)
    camera = LiveCamera("test camera", lambda: driver)
    camera.read()
    camera.close()
    camera.close()
    assert driver.released.is_set()
    with pytest.raises(CameraError):
        camera.read()
