"""Webcams as drivers show them: which mode is chosen, what comes, and the errors where nothing does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

import pytest

from companion.cameras import LiveCamera, v4l2
from companion.cameras.capture_process import Holding
from companion.cameras.mains import find_mains_hz
from companion.cameras.sources import LiveSource
from companion.cameras.v4l2 import Mode, rank_modes
from companion.errors import CameraError
from tests.cameras.fake_cameras import EXPOSURE_AUTO, FOCUS_AUTO, FULL, HALF, MAINS, SMALL, FakeCameras
from tests.cameras.processes import LIMIT_S, wait_until_gone
from tests.programs import started

SLOW = ("YUYV", 1920, 1080, 5)
YUYV_ONLY = ("YUYV", 1280, 720, 10)
SMALL_JPEG = ("MJPG", 640, 480, 30)
DEVICE = "/dev/video0"


@pytest.fixture(autouse=True)
def capture_processes_see_them(fake_cameras: FakeCameras, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in fake_cameras.env.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ([SMALL, HALF, FULL, (*FULL[:3], 15), ("MJPG", 3840, 2160, 30)], (*FULL[:3], 15)),
        ([SMALL, HALF, ("YUYV", 1920, 1080, 15)], ("YUYV", 1920, 1080, 15)),
        ([SMALL, ("MJPG", 3840, 2160, 30), HALF], ("MJPG", 3840, 2160, 30)),
        ([SMALL, SLOW, HALF], HALF),
        ([SMALL, ("MJPG", 1920, 1080, 10), SLOW], ("MJPG", 1920, 1080, 10)),
        ([SMALL, SLOW], SLOW),
        ([("YUYV", 320, 240, 30), SMALL_JPEG, SMALL], SMALL_JPEG),
    ],
)
def test_the_best_mode(offered: list[tuple[str, int, int, int]], chosen: tuple[str, int, int, int]) -> None:
    assert rank_modes(Mode(*each) for each in offered)[0] == Mode(*chosen)


@pytest.mark.parametrize(
    ("modes", "does", "size", "set_last"),
    [
        ([SMALL, SLOW, HALF, FULL], (), (1080, 1920), "format MJPG 1920 1080"),
        ([SMALL, HALF], (), (720, 1280), "format MJPG 1280 720"),
        ([SMALL], (), (480, 640), "format YUYV 640 480"),
        ([SMALL, YUYV_ONLY], (), (720, 1280), "format YUYV 1280 720"),
        ([SMALL, HALF, FULL], ("crowded 1920 1080",), (720, 1280), "format MJPG 1280 720"),
        ([FULL, HALF, SMALL], ("refuses 1920 1080",), (720, 1280), "format MJPG 1280 720"),
    ],
)
def test_a_camera_is_opened_as_large_as_it_can(
    fake_cameras: FakeCameras,
    modes: list[tuple[str, int, int, int]],
    does: tuple[str, ...],
    size: tuple[int, int],
    set_last: str,
) -> None:
    fake_cameras.plug(0, *modes, does=does)
    with LiveCamera("a camera", DEVICE) as camera:
        assert (camera.opened.height, camera.opened.width) == size
        assert camera.read().image.shape == (*size, 3)
    assert [line for line in fake_cameras.log if line.startswith("format")][-1] == set_last


def test_what_comes_counts_not_what_the_driver_states(fake_cameras: FakeCameras) -> None:
    small = fake_cameras.make_picture(640, 480)
    fake_cameras.plug(0, SMALL, HALF, FULL, pictures={(1920, 1080): small})
    with LiveCamera("a camera", DEVICE) as camera:
        assert (camera.opened.width, camera.opened.height) == (1280, 720)
    fake_cameras.unplug(0)
    fake_cameras.plug(0, FULL, pictures={(1920, 1080): small})
    with LiveCamera("a camera", DEVICE) as camera:
        assert (camera.opened.width, camera.opened.height) == (640, 480)
        assert camera.read().image.shape == (480, 640, 3)


def test_a_size_that_worked_before_is_tried_first(fake_cameras: FakeCameras) -> None:
    fake_cameras.plug(0, SMALL, HALF, FULL)
    with LiveCamera("a camera", DEVICE, first_size=(1280, 720)) as camera:
        assert camera.opened.width == 1280
    with LiveCamera("a camera", DEVICE, first_size=(800, 600)) as camera:
        assert camera.opened.width == 1920


@pytest.mark.parametrize(
    ("does", "within_s", "sentence"),
    [
        ("busy", 20, "is used by another program: close that program"),
        ("silent", 20, "sends no pictures: plug it in again"),
        ("hangs", 0.5, "cannot be opened: close what else uses it"),
    ],
)
def test_a_camera_that_gives_nothing(
    fake_cameras: FakeCameras, does: str, within_s: float, sentence: str
) -> None:
    fake_cameras.plug(0, SMALL, FULL, does=(does,))
    with pytest.raises(CameraError, match=f"The camera a camera {sentence}"):
        LiveCamera("a camera", DEVICE, open_timeout_s=within_s)
    wait_until_gone()


def test_a_camera_that_is_pulled_out(fake_cameras: FakeCameras) -> None:
    fake_cameras.plug(0, SMALL, FULL, does=("frames 12",))
    camera = LiveCamera("a camera", DEVICE)
    with camera, pytest.raises(CameraError, match="sends no more pictures"):
        deque((camera.read() for _ in range(100)), maxlen=0)


CONTROLS = {FOCUS_AUTO: 1, EXPOSURE_AUTO: 3, MAINS: 0}


def test_focus_and_light_are_held_and_freed_and_all_is_left_as_it_was(fake_cameras: FakeCameras) -> None:
    fake_cameras.plug(0, FULL, controls=CONTROLS)
    mains: list[int] = []
    camera = LiveCamera("a camera", DEVICE, mains_hz=60, keep_mains=mains.append)
    with LiveSource("a camera", lambda: camera) as source:
        source.hold(Holding.FOCUS, True)
        source.hold(Holding.LIGHT, True)
        source.hold(Holding.LIGHT, False)
        source.hold(Holding.LIGHT, True)
        source.switch_mains()
        next(source.read_frames())
    assert mains == [50]
    changes = [line.removeprefix("control ") for line in fake_cameras.log if line.startswith("control")]
    assert changes == [
        f"{MAINS:#010x} 2", f"{FOCUS_AUTO:#010x} 0", f"{EXPOSURE_AUTO:#010x} 1", f"{EXPOSURE_AUTO:#010x} 3",
        f"{EXPOSURE_AUTO:#010x} 1", f"{MAINS:#010x} 1",
        f"{EXPOSURE_AUTO:#010x} 3", f"{FOCUS_AUTO:#010x} 1", f"{MAINS:#010x} 0",
    ]  # fmt: skip


HOLDS_AND_ENDS = f"""
import os
from companion.cameras import LiveCamera, v4l2
from companion.cameras.capture_process import Holding
camera = LiveCamera("a camera", "{DEVICE}")
camera.hold(Holding.FOCUS, True)
camera.read()
os._exit(0)
"""


def test_a_program_that_is_gone_leaves_the_camera_as_it_was(fake_cameras: FakeCameras) -> None:
    fake_cameras.plug(0, FULL, controls=CONTROLS)
    fake_cameras.run(sys.executable, "-c", HOLDS_AND_ENDS)
    end_s = time.monotonic() + LIMIT_S
    while fake_cameras.log[-1] != f"control {MAINS:#010x} 0":
        assert time.monotonic() < end_s, fake_cameras.log
        time.sleep(0.02)


def test_a_camera_without_controls_is_used_without_a_word(
    fake_cameras: FakeCameras, caplog: pytest.LogCaptureFixture
) -> None:
    fake_cameras.plug(0, FULL)
    with LiveCamera("a camera", DEVICE) as camera:
        camera.hold(Holding.FOCUS, True)
        camera.read()
    assert not caplog.records
    assert not [line for line in fake_cameras.log if line.startswith("control")]


LIST = """
import json
from companion.cameras import find_id, list_cameras
listed = [(each.id, each.name) for each in list_cameras()]
print(json.dumps([listed, find_id("{0}"), find_id("/dev/video{0}")]))
"""


def test_a_camera_keeps_its_id_when_it_is_plugged_in_elsewhere(fake_cameras: FakeCameras) -> None:
    link = "/dev/v4l/by-id/usb-HD_Webcam-video-index0"
    fake_cameras.plug(0, FULL)
    fake_cameras.plug(1, FULL, does=("metadata",), id="usb-HD_Webcam_metadata")
    for number in (0, 2):
        listed, *ids = json.loads(fake_cameras.run(sys.executable, "-c", LIST.format(number)).stdout)
        assert listed == [[link, "HD Webcam"]]
        assert ids == [link, link]
        if number == 0:
            fake_cameras.unplug(0)
            fake_cameras.plug(2, FULL)


ZONES = """# a table
CN	+3114+12128	Asia/Shanghai	Beijing time
DE,DK	+5230+01322	Europe/Berlin
TW	+2503+12130	Asia/Taipei
US	+404251-0740023	America/New_York	Eastern (most areas)
"""


@pytest.mark.parametrize(
    ("zone", "hz"),
    [
        ("Asia/Taipei", 60),
        ("US/Eastern", 60),
        ("Asia/Shanghai", 50),
        ("Europe/Berlin", 50),
        ("Mars/Base", 50),
    ],
)
def test_the_mains_of_a_time_zone(
    zone: str, hz: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "zone.tab").write_text(ZONES)
    for name in ("America/New_York", "US/Eastern"):
        (tmp_path / name).parent.mkdir()
    (tmp_path / "America/New_York").touch()
    (tmp_path / "US/Eastern").symlink_to("../America/New_York")
    monkeypatch.setenv("TZ", zone)
    assert find_mains_hz(tmp_path) == hz
    assert find_mains_hz(tmp_path / "absent") == 50


def test_ranges_of_sizes_and_rates_are_asked_for_what_a_table_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a loopback device offers them: any size up to 2592×1944, 1 to 60 pictures a second."""
    ranges = {
        2: (int.from_bytes(b"YUYV", "little"),),
        74: (3, 2, 2592, 2, 2, 1944, 2),
        75: (3, 1, 60, 1, 1, 1, 60),
    }

    def answer(structure: v4l2._Structure, _: int, index: int, *__: int) -> tuple[int, ...]:
        if index:
            raise OSError
        return ranges[structure._code & 0xFF]

    monkeypatch.setattr(v4l2._Structure, "ask", answer)
    best = rank_modes(v4l2.list_modes(0))
    assert best[0] == Mode("YUYV", 1920, 1080, 15)
    assert {(mode.width, mode.height) for mode in best} == {(1920, 1080), (1280, 720), (2592, 1944)}


REPLUGGED = """
from companion.cameras.sources import Broken, open_source
source = open_source("0")
for look in source.read_frames():
    if isinstance(look, Broken):
        print("lost", look.why, flush=True)
        break
input()
for look in source.read_frames():
    if not isinstance(look, Broken):
        print(source.name, look.image.shape, flush=True)
        break
"""


@pytest.mark.slow
def test_a_camera_is_found_again_where_another_one_has_taken_its_number(fake_cameras: FakeCameras) -> None:
    fake_cameras.plug(0, FULL, does=("frames 12",))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", REPLUGGED]
    with started(command, env=os.environ | fake_cameras.env, **pipes) as program:
        assert "sends no more pictures" in program.stdout.readline()
        fake_cameras.unplug(0)
        fake_cameras.plug(0, HALF, name="Another Webcam", id="usb-Another_Webcam")
        fake_cameras.plug(2, FULL)
        program.stdin.write("\n")
        program.stdin.flush()
        assert "/dev/v4l/by-id/usb-HD_Webcam-video-index0 (1080, 1920, 3)" in program.stdout.readline()
