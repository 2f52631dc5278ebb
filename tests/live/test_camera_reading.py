"""Reading a camera's frames: every reading has its frame's time, an error is said and reading goes on."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
from held_camera import HeldCamera, reading_of

from companion.cameras import Frame
from companion.errors import CameraError, ModelError, PictureError
from companion.images import Image
from companion.live.camera_reading import CameraListener, CameraReader, OpenCamera, ReadImage, TimedReading
from companion.live.running import RunningGame
from companion.sentences import Sentence
from companion.vision import Reading

WAIT_S = 60.0


@dataclass
class Heard:
    """All that a reader has called."""

    frames: list[tuple[int, Frame]] = field(default_factory=list)
    readings: list[TimedReading] = field(default_factory=list)
    lost: list[Sentence] = field(default_factory=list)
    troubles: list[Sentence] = field(default_factory=list)

    @property
    def listener(self) -> CameraListener:
        return CameraListener(
            lambda number, frame, _: self.frames.append((number, frame)),
            self.readings.append,
            self.lost.append,
            self.troubles.append,
        )


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def read_times(image: Image) -> Reading:
    return reading_of("1m", int(image[0, 0, 0]))


def start(
    camera: str,
    open_camera: OpenCamera,
    read: ReadImage,
    listener: CameraListener,
    after: tuple[CameraReader, ...] = (),
) -> CameraReader:
    reader = CameraReader(camera, open_camera, read, listener, after=after)
    reader.start()
    return reader


def test_a_reading_has_the_time_of_its_frame() -> None:
    heard = Heard()
    reader = start("cam", lambda _: HeldCamera(), read_times, heard.listener)
    wait_for(lambda: len(heard.readings) > 3)
    reader.stop()
    assert reader.ended.wait(WAIT_S)
    images = {frame.t_ns: int(frame.image[0, 0, 0]) for _, frame in heard.frames}
    for reading in heard.readings:
        assert images[reading.t_ns] == int(reading.tiles[0].quad[0][0])
    assert heard.lost == heard.troubles == []


@pytest.mark.parametrize("error", [RuntimeError("a fault"), PictureError("This frame is broken.")])
def test_a_frame_that_cannot_be_read_is_reported_and_the_next_is_read(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    heard, count = Heard(), 0

    def read(image: Image) -> Reading:
        nonlocal count
        count += 1
        if count in (2, 3, 5):
            raise error
        return read_times(image)

    with caplog.at_level(logging.ERROR):
        reader = start("cam", lambda _: HeldCamera(), read, heard.listener)
        wait_for(lambda: count > 7)
        reader.stop()
    assert len(heard.readings) >= 4
    assert len(heard.troubles) == 2, "once for each row of frames"
    assert str(error) in str(heard.troubles[0])
    assert caplog.records[0].exc_info is not None
    assert heard.lost == []


def test_a_missing_model_ends_reading_with_one_sentence_and_frames_go_on() -> None:
    heard, count = Heard(), 0

    def read(_: Image) -> Reading:
        nonlocal count
        count += 1
        raise ModelError("The model is missing.")

    reader = start("cam", lambda _: HeldCamera(), read, heard.listener)
    wait_for(lambda: heard.troubles)
    before = len(heard.frames)
    wait_for(lambda: len(heard.frames) > before + 3)
    reader.stop()
    assert [str(trouble) for trouble in heard.troubles] == ["The model is missing."]
    assert count == 1


def test_a_lost_camera_is_said_once() -> None:
    heard = Heard()
    reader = start("cam", lambda _: HeldCamera(frames=2), read_times, heard.listener)
    wait_for(lambda: heard.lost)
    reader.lose(Sentence("again"))
    assert [str(each) for each in heard.lost] == ["pulled out"]
    assert reader.ended.wait(WAIT_S)


def test_two_readers_never_hold_a_camera_at_once() -> None:
    game, users, most = RunningGame(), 0, 0
    lock = threading.Lock()

    def change(by: int) -> None:
        nonlocal users, most
        with lock:
            users += by
            most = max(users, most)

    heard = Heard()
    for _ in range(4):
        reader = game.read_camera(
            "cam", lambda _: HeldCamera(changed=change, closing_s=0.05), read_times, heard.listener
        )
        wait_for(lambda: users)
        reader.stop()
    assert reader.ended.wait(WAIT_S)
    assert (users, most) == (0, 1)
    game.close()


def test_a_running_game_reads_a_camera_and_closing_ends_that() -> None:
    game, heard = RunningGame(), Heard()
    reader = game.read_camera("cam", lambda _: HeldCamera(), read_times, heard.listener)
    wait_for(lambda: len(heard.readings) > 2)
    game.close()
    assert reader.ended.wait(WAIT_S)
    assert np.all(np.diff([each.t_ns for each in heard.readings]) > 0)


def test_a_camera_that_cannot_be_opened_is_said(caplog: pytest.LogCaptureFixture) -> None:
    heard = Heard()

    def refuse(_: str) -> HeldCamera:
        raise CameraError("No camera.")

    def fail(_: str) -> HeldCamera:
        raise OSError("a driver")

    for open_camera in (refuse, fail):
        start("cam", open_camera, read_times, heard.listener)
    wait_for(lambda: len(heard.lost) == 2)
    assert any("a driver" in str(each) for each in heard.lost)
