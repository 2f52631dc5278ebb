"""A Raspberry Pi's own camera: `rpicam-vid` that works, stalls, dies, sends half pictures, or has none."""

from __future__ import annotations

import errno
import json
import os
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cameras import list_cameras, open_camera, pi, sources
from companion.cameras.frames import Frame
from companion.cameras.pi import PI_CAMERA, JpegStream, PiCamera, list_pi_cameras
from companion.cameras.sources import Broken, open_source
from companion.errors import CameraError
from tests.cameras.processes import LIMIT_S, wait_until_gone

FAKE = Path(__file__).with_name("fake_rpicam.py")
SIZE = (600, 640)
GOOD = "10000 goes-on"


def encode(shade: int, size: tuple[int, int] = SIZE) -> bytes:
    return cv2.imencode(".jpg", np.full((*size, 3), shade, np.uint8))[1].tobytes()


PICTURES = [encode(shade) for shade in range(251)]
Fake = Callable[..., Path]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Install a fake rpicam-vid; each line is what one start of it does."""
    monkeypatch.setattr(pi, "SILENT_S", 1.0)
    monkeypatch.setattr(pi, "PAUSES_S", (0.0, 0.01))

    def install(*does: str, name: str = "rpicam-vid") -> Path:
        folder = tmp_path / "bin"
        folder.mkdir()
        command = folder / name
        command.write_text(FAKE.read_text().replace("/usr/bin/python3", sys.executable, 1))
        command.chmod(0o755)
        (folder / "does").write_text("\n".join(does))
        (folder / "pictures.json").write_text(json.dumps([b64encode(each).decode() for each in PICTURES]))
        monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
        return folder

    return install


def count_starts(folder: Path) -> int:
    return len((folder / "starts").read_text().splitlines())


def shade_of(frame: Frame) -> int:
    """Of a picture that is whole: it has one shade."""
    assert frame.image.std() < 1
    return round(float(frame.image.mean()))


def count_sent(folder: Path, *, at_least: int = 0) -> int:
    """The pictures that were sent by now, once there are as many."""
    until_s = time.monotonic() + LIMIT_S
    while (count := (folder / "sent").stat().st_size) < at_least:
        assert time.monotonic() < until_s
        time.sleep(0.01)
    return count


def test_it_is_opened_for_a_table_and_read_like_any_camera(fake: Fake) -> None:
    folder = fake(GOOD)
    with open_camera("pi") as camera:
        frames = [camera.read() for _ in range(5)]
    assert all(frame.image.shape == (*SIZE, 3) for frame in frames)
    times = [frame.t_ns for frame in frames]
    assert times == sorted(set(times))
    (arguments,) = (folder / "starts").read_text().splitlines()
    assert "--timeout 0 --verbose 0 --width 1920 --height 1080 --framerate 15 --codec mjpeg" in arguments
    assert arguments.endswith("us")
    wait_until_gone()


def test_the_newest_picture_is_read_however_slow_the_reader(fake: Fake) -> None:
    folder = fake(GOOD)
    on_the_way = 2 * pi.PIECE_BYTES // min(map(len, PICTURES)) + 2  # in the pipe, and taken out of it
    with PiCamera() as camera:
        for _ in range(2):
            sent = count_sent(folder, at_least=count_sent(folder) + 3 * on_the_way)
            shade = shade_of(camera.read())
            newest = range(sent - on_the_way, count_sent(folder) + 1)
            assert shade in [number % len(PICTURES) for number in newest]


@pytest.mark.parametrize("does", ["half", "garbage"])
def test_cut_off_pictures_and_bytes_between_pictures_are_dropped(fake: Fake, does: str) -> None:
    folder = fake(f"10000 {does}")
    with PiCamera() as camera:
        for _ in range(20):
            shade_of(camera.read())
    assert count_starts(folder) == 1


@pytest.mark.parametrize("does", ["dies", "stalls"])
def test_it_is_started_again_when_it_ends_or_stalls(
    fake: Fake, does: str, caplog: pytest.LogCaptureFixture
) -> None:
    folder = fake(f"5 {does}", "0 dies", GOOD)
    with PiCamera() as camera:
        while count_starts(folder) < 3:
            camera.read()
        for _ in range(5):
            camera.read()
    assert "failed to queue request" in caplog.text


def test_its_sentence_comes_after_some_starts_and_then_it_is_tried_on(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "RETRY_S", 0.01)
    folder = fake("3 dies", "0 dies", "0 dies", "0 dies", GOOD)
    with open_source("pi") as source:
        assert source.name == "pi"
        looks = source.read_frames()
        broken = next(look for look in looks if isinstance(look, Broken))
        assert str(broken.why) == pi.SILENT
        assert count_starts(folder) == 3
        assert isinstance(next(looks), Frame)
    assert count_starts(folder) == 5


@pytest.mark.parametrize(
    ("does", "sentence"),
    [
        ("0 no-camera", pi.NO_CAMERA),
        ("0 in-use", pi.IN_USE),
        ("0 stalls", pi.SILENT),
    ],
)
def test_what_a_person_can_do_where_it_does_not_open(
    fake: Fake, does: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if does == "0 stalls":
        monkeypatch.setattr(pi, "START_S", 0.3)
    folder = fake(does)
    with pytest.raises(CameraError) as caught:
        open_source("pi")
    assert str(caught.value) == sentence
    assert count_starts(folder) == (3 if "stalls" in does else 1)
    wait_until_gone()


def test_without_its_program_a_sentence_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pi").mkdir()  # which is ./pi
    assert list_pi_cameras() == ()
    with pytest.raises(CameraError, match="sudo apt install rpicam-apps"):
        open_source("pi")


def test_where_its_program_cannot_be_started_a_sentence_says_why(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(GOOD)

    def refuse(*_: Any, **options: Any) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(pi.subprocess, "Popen", refuse)
    with pytest.raises(CameraError) as caught:
        PiCamera()
    sentence = "rpicam-vid cannot be started (Resource temporarily unavailable): close other programs."
    assert str(caught.value) == sentence


USE_VIDEO = (
    "This account may not use the Raspberry Pi camera: sudo usermod --append --groups video anna, then log"
    " out and in again."
)


@pytest.mark.parametrize("node", ["media0", "video0", "dma_heap/linux,cma"])
def test_where_a_device_is_closed_to_this_account_it_names_the_group_and_the_command(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, node: str
) -> None:
    fake("0 no-camera")
    closed = tmp_path / "dev" / node
    closed.parent.mkdir(parents=True)
    closed.touch()
    monkeypatch.setattr(pi, "DEVICES", tmp_path / "dev")
    monkeypatch.setattr(pi.os, "access", lambda path, _: path != closed)  # root may open any file
    monkeypatch.setenv("LOGNAME", "anna")
    with pytest.raises(CameraError) as caught:
        PiCamera()
    assert str(caught.value) == USE_VIDEO


def test_where_its_program_is_closed_to_this_account_it_names_the_group_and_the_command(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(GOOD)

    def refuse(*_: Any, **options: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(pi.subprocess, "Popen", refuse)
    monkeypatch.setenv("LOGNAME", "anna")
    with pytest.raises(CameraError) as caught:
        PiCamera()
    assert str(caught.value) == USE_VIDEO


def test_it_is_listed_where_rpicam_finds_it(fake: Fake, tmp_path: Path) -> None:
    fake(GOOD)
    assert list_cameras(tmp_path, tmp_path) == (PI_CAMERA,)


def test_it_is_not_listed_without_a_camera_on_the_ribbon(fake: Fake, tmp_path: Path) -> None:
    fake("0 no-camera")
    assert list_cameras(tmp_path, tmp_path) == ()


def test_an_older_system_has_it_by_another_name(fake: Fake) -> None:
    folder = fake(GOOD, name="libcamera-vid")
    assert list_pi_cameras() == (PI_CAMERA,)
    with PiCamera() as camera:
        camera.read()
    assert "--flicker-period" not in (folder / "starts").read_text()


def test_its_errors_fill_no_memory(fake: Fake) -> None:
    fake("3 prints")
    camera = PiCamera()
    process = camera._process
    assert process is not None
    process._thread.join(LIMIT_S)  # it ends once its file is full
    camera.close()
    assert 0 < len(process.printed) <= pi.PRINTED_BYTES_MAX


def test_closing_ends_a_read_on_another_thread(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi, "SILENT_S", LIMIT_S)
    folder = fake("3 stalls")
    camera = PiCamera()
    ended: list[CameraError] = []

    def read_all() -> None:
        try:
            while True:
                camera.read()
        except CameraError as error:
            ended.append(error)

    reading = threading.Thread(target=read_all)
    reading.start()
    time.sleep(0.1)
    camera.close()
    camera.close()
    reading.join(LIMIT_S)
    assert len(ended) == 1
    assert count_starts(folder) == 1
    wait_until_gone()


@given(st.lists(st.binary(max_size=40)), st.integers(1, 50), st.data())
def test_the_newest_whole_picture_is_found_however_the_bytes_are_cut(
    between: list[bytes], piece: int, data: st.DataObject
) -> None:
    """Bytes between pictures may be anything but the mark of a picture's end or beginning."""
    whole = [b"\xff\xd8\xff" + bytes([number]) * 30 + b"\xff\xd9" for number in range(len(between))]
    sent = b""
    for noise, picture in zip(between, whole, strict=True):
        cut = data.draw(st.integers(0, len(picture) - 2))
        sent += noise.replace(b"\xff", b"") + picture[:cut] + picture
    stream = JpegStream()
    found = [stream.feed(sent[start : start + piece]) for start in range(0, len(sent), piece)]
    assert [each for each in found if each is not None][-1:] == whole[-1:]
    assert set(found) <= {None, *whole}


def test_bytes_without_a_picture_are_not_kept() -> None:
    stream = JpegStream()
    for _ in range(20):
        assert stream.feed(bytes(1_000_000)) is None
    assert len(stream._held) <= pi.PICTURE_BYTES_MAX
    assert stream.feed(PICTURES[0]) is not None
