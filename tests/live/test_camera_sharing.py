"""Several readers of one camera, and what fails around them."""

from __future__ import annotations

import threading
import time

import pytest
from followed import WAIT_S, wait_for
from held_camera import HeldCamera, reading_of

from companion.errors import CameraError
from companion.images import Image
from companion.live import camera_reading
from companion.live.camera_reading import CameraListener, CameraReader
from companion.live.running import RunningGame
from companion.sentences import Sentence
from companion.vision import Reading


class Users:
    """How many hold the camera, and how many did at most."""

    def __init__(self, closing_s: float = 0.0) -> None:
        self.now = self.most = 0
        self._closing_s = closing_s
        self._lock = threading.Lock()

    def open(self, _: str) -> HeldCamera:
        return HeldCamera(changed=self._change, closing_s=self._closing_s)

    def _change(self, by: int) -> None:
        with self._lock:
            self.now += by
            self.most = max(self.now, self.most)


def listener(lost: list[Sentence], readings: list[object] | None = None) -> CameraListener:
    return CameraListener(
        lambda *_: None,
        lambda reading: None if readings is None else readings.append(reading),
        lost.append,
        lambda _: None,
    )


def read(_: Image) -> Reading:
    return reading_of("1m", 0.0)


def test_a_reader_gives_way_to_another_of_its_camera(game: RunningGame) -> None:
    users, lost, readings = Users(closing_s=0.05), list[Sentence](), list[object]()
    first = game.read_camera("cam", users.open, read, listener(lost))
    wait_for(lambda: users.now)
    second = game.read_camera("cam", users.open, read, listener(lost, readings))
    assert first.is_stopped
    wait_for(lambda: readings)
    other = game.read_camera("other", lambda _: HeldCamera(), read, listener(lost))
    assert not second.is_stopped
    second.stop()
    other.stop()
    assert second.ended.wait(WAIT_S)
    assert (users.now, users.most, lost) == (0, 1, [])


def test_a_reader_gives_way_to_one_that_names_its_camera_otherwise(game: RunningGame) -> None:
    users = Users(closing_s=0.05)
    first = game.read_camera("0", users.open, read, listener([]))
    wait_for(lambda: users.now)
    second = game.read_camera("/dev/video0", users.open, read, listener([]))
    assert first.is_stopped
    second.stop()
    assert second.ended.wait(WAIT_S)
    assert users.most == 1


def test_a_closed_game_opens_no_camera() -> None:
    game, users = RunningGame(), Users()
    game.close()
    reader = game.read_camera("cam", users.open, read, listener([]))
    assert reader.ended.wait(WAIT_S)
    assert users.most == 0


@pytest.mark.parametrize(("camera", "is_lost"), [("cam", True), ("other", False)])
def test_a_camera_that_hangs_is_not_waited_for_without_end(
    game: RunningGame, monkeypatch: pytest.MonkeyPatch, camera: str, is_lost: bool
) -> None:
    monkeypatch.setattr(camera_reading, "FREED_WITHIN_S", 0.1)
    gate, begun = threading.Event(), threading.Event()

    def hang(_: str) -> HeldCamera:
        begun.set()
        assert gate.wait(WAIT_S)
        raise CameraError("It was pulled out.")

    game.read_camera("cam", hang, read, listener([])).stop()
    hanging = game.read_camera("cam", hang, read, listener([]))
    assert begun.wait(WAIT_S)
    hanging.stop()
    lost, readings = list[Sentence](), list[object]()
    following = game.read_camera(camera, lambda _: HeldCamera(), read, listener(lost, readings))
    wait_for(lambda: lost or readings)
    following.stop()
    assert [str(each).split(":")[0] for each in lost] == ["The camera cam cannot be opened"] * is_lost
    gate.set()
    assert hanging.ended.wait(WAIT_S)


def test_a_listener_that_fails_ends_no_reading() -> None:
    images: list[Image] = []

    def fail(image: Image) -> Reading:
        images.append(image)
        raise RuntimeError(f"fault {len(images)}")

    def fail_too(_: Sentence) -> None:
        raise RuntimeError("a window that is gone")

    deaf = CameraListener(lambda *_: None, lambda _: None, fail_too, fail_too)
    reader = CameraReader("cam", lambda _: HeldCamera(frames=50), fail, deaf)
    reader.start()
    wait_for(lambda: len(images) > 10)
    assert reader.ended.wait(WAIT_S)


def test_faults_of_one_sort_are_said_once_though_their_words_differ() -> None:
    images, troubles = list[Image](), list[Sentence]()

    def fail(image: Image) -> Reading:
        images.append(image)
        raise RuntimeError(f"fault {len(images)}")

    hears = CameraListener(lambda *_: None, lambda _: None, lambda _: None, troubles.append)
    reader = CameraReader("cam", lambda _: HeldCamera(), fail, hears)
    reader.start()
    wait_for(lambda: len(images) > 20)
    reader.stop()
    assert reader.ended.wait(WAIT_S)
    assert len(troubles) == 1


class SlowReader(CameraReader):
    """Takes its time to stop."""

    def stop(self) -> None:
        time.sleep(0.05)
        super().stop()


def test_when_two_lose_a_camera_at_once_it_is_said_once() -> None:
    lost: list[Sentence] = []
    reader = SlowReader("cam", lambda _: HeldCamera(), read, listener(lost))
    losing = [threading.Thread(target=reader.lose, args=(Sentence("gone"),)) for _ in range(2)]
    for each in losing:
        each.start()
    for each in losing:
        each.join()
    assert len(lost) == 1
