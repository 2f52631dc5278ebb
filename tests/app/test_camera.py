"""The live preview and the pictures taken from it, with a camera that the test holds. No window."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import pytest
from app_driver import ScriptedReader, make_controller

from companion.app.cameras import Cameras, name_camera, say_camera
from companion.app.live_preview import LivePreview
from companion.app.pictures.feature import PicturesFeature
from companion.app.pictures.state import BringPicture
from companion.app.score_photo.state import ScorePhoto
from companion.cameras import CameraInfo, Frame
from companion.live import camera_reading
from companion.words import Language, Words

WAIT_S = 60.0


class Device:
    """A camera that opens once `plugged` is set, gives frames while `sends` is, and counts its users."""

    def __init__(self) -> None:
        self.plugged, self.sends = threading.Event(), threading.Event()
        self.plugged.set()
        self.sends.set()
        self.users = self.users_most = self.opened = 0

    def open(self, _: str) -> Self:
        self.users += 1
        self.users_most = max(self.users, self.users_most)
        self.opened += 1
        assert self.plugged.wait(WAIT_S)
        return self

    def read(self) -> Frame:
        assert self.sends.wait(WAIT_S)
        time.sleep(0.01)
        return Frame(np.zeros((36, 64, 3), np.uint8), time.monotonic_ns())

    def close(self) -> None:
        time.sleep(0.1)  # drivers take their time
        self.users -= 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Table:
    """The controller of a window that is the test."""

    def __init__(self, folder: Path, reader: ScriptedReader | None = None) -> None:
        self.device = Device()
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        cameras = Cameras(lambda: (CameraInfo("cam", "Camera"),), self.device.open)
        self.controller = make_controller(
            folder, (reader or ScriptedReader("")).recognition, cameras, self._calls.put
        )
        pictures = self.controller.features["pictures"]
        assert isinstance(pictures, PicturesFeature)
        self.taken_folder = pictures.taken_folder
        self.controller.start(None)

    @property
    def state(self) -> ScorePhoto:
        state = self.controller.view.states["score_photo"]
        assert isinstance(state, ScorePhoto)
        return state

    @property
    def preview(self) -> LivePreview | None:
        state = self.controller.view.states["pictures"]
        assert isinstance(state, BringPicture)
        return state.preview

    def do(self, step: Callable[[BringPicture], BringPicture]) -> None:
        self.controller.do("pictures", step)

    def open_camera(self, camera: str | None = None) -> None:
        self.do(lambda state: state.open_camera(camera))
        self.wait(lambda: self.preview)

    def take_picture(self) -> None:
        """The newest frame, as soon as there is one."""
        self.wait(lambda: self.preview and self.preview.live)
        assert self.preview is not None
        assert self.preview.live is not None
        image = self.preview.live.image
        self.do(lambda state: state.use_frame(image))
        self.wait(lambda: self.controller.view.busy is None)

    def wait(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + WAIT_S
        while not condition():
            assert time.monotonic() < end
            try:
                self._calls.get(timeout=0.01)()
            except queue.Empty:
                continue

    def take(self) -> Path:
        """Open the camera and take a picture; where it was kept."""
        before = self.state.draft.picture
        self.open_camera()
        self.take_picture()
        assert self.state.draft.picture not in (None, before)
        return Path(str(self.state.draft.picture))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.controller.close()


def test_pictures_taken_one_after_the_other_are_all_kept(table: Table) -> None:
    old = table.taken_folder / "camera-20200101-000000.jpg"
    old.parent.mkdir()
    for number in range(60):
        old.with_stem(f"camera-20200101-{number:06}").write_bytes(b"")
    taken = {table.take() for _ in range(3)}
    assert len(taken) == 3
    assert len(list(old.parent.iterdir())) == 63


def test_no_picture_is_ever_written_over(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    class StoppedClock:
        now = classmethod(lambda cls: cls)
        strftime = classmethod(lambda cls, _: "camera-1.jpg")

    monkeypatch.setattr("companion.app.pictures.feature.datetime", StoppedClock)
    path = table.taken_folder / "camera-1.jpg"
    path.parent.mkdir()
    path.write_bytes(b"the first one")
    table.open_camera()
    table.take_picture()
    assert path.read_bytes() == b"the first one"
    assert table.controller.view.window.banner is not None
    assert "could not be saved" in table.controller.view.window.banner.sentence.template


def test_reopening_a_camera_waits_until_it_is_free(table: Table) -> None:
    for _ in range(4):
        table.open_camera("cam")
    table.wait(lambda: table.preview and table.preview.live)
    assert table.device.users_most == 1
    table.do(BringPicture.step_back)
    table.wait(lambda: table.device.users == 0)


def test_a_camera_is_silent_only_once_it_is_open(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_reading, "SILENT_CAMERA_S", 0.05)
    table.device.plugged.clear()
    table.device.sends.clear()
    table.open_camera()
    preview = table.preview
    assert preview is not None
    table.wait(lambda: table.device.opened)
    time.sleep(0.2)
    assert not preview.is_silent
    table.device.plugged.set()
    table.wait(lambda: preview.is_silent)
    table.device.sends.set()


def test_a_frame_that_cannot_be_read_is_said_and_reading_goes_on(tmp_path: Path) -> None:
    reader = ScriptedReader()
    reader.trouble = RuntimeError("a fault")  # type: ignore[assignment]  # whatever a network may do
    table = Table(tmp_path, reader)
    table.open_camera()
    table.wait(lambda: table.controller.view.window.banner)
    assert table.controller.view.window.banner is not None
    assert str(table.controller.view.window.banner.sentence) == (
        "A picture of the camera could not be read (a fault): the next ones are tried."
    )
    assert table.preview is not None
    assert table.preview.live is not None
    assert table.preview.live.tiles is None
    reader.trouble = None
    table.wait(lambda: table.preview and table.preview.live and table.preview.live.tiles)
    table.controller.close()


def test_a_camera_that_is_not_connected_is_called_by_its_name() -> None:
    link = "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920_1A2B-video-index0"
    assert name_camera(link) == "046d HD Pro Webcam C920 1A2B"
    assert name_camera("file:/films/friday.mp4") == "friday.mp4"
    assert name_camera("/dev/video7") == "/dev/video7"
    assert say_camera(name_camera("pi"), Words(Language.SIMPLIFIED)) == "树莓派摄像头"
