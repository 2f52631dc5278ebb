"""The way in: `companion app` with a screenshot, in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pytest
from app_driver import WIN, draw_picture

from companion.app.look import DARK
from lab.scenes.hand import render_hand
from tests.programs import started

pytestmark = pytest.mark.slow

RUN = """
import sys
from pathlib import Path
from app_driver import ScriptedReader
from companion.app.shell.startup import run
picture, screenshot = Path(sys.argv[1]), Path(sys.argv[2])
recognition = ScriptedReader().recognition
sys.exit(run(picture=picture, screenshot=screenshot, language="zh_Hans", recognition=recognition))
"""


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["hand.png", "absent.png"])
def test_a_screenshot_is_written_and_the_terminal_stays_clean(
    display: None, tmp_path: Path, name: str
) -> None:
    draw_picture(tmp_path / "hand.png")
    screenshot = tmp_path / "window.png"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path / name), str(screenshot)],
        env=environment, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    image = cv2.imread(str(screenshot))
    assert image is not None
    assert image.shape == (800, 1280, 3)
    assert image.std() > 20


FIRST_SCREEN = """
import gc
import sys
from companion.cli import run
status = run(["app", "--screenshot", sys.argv[1]])
print(gc.isenabled(), gc.get_freeze_count(), *sys.modules)
sys.exit(status)
"""
LATER = {
    "companion.live.table_watch", "companion.seeing.finding_table", "companion.seeing.observer",
    "companion.serve.application", "companion.sheets.as_pdf", "cryptography", "fontTools", "numpy.random",
    "onnxruntime", "pi_heif", "reportlab", "starlette", "uvicorn",
}  # fmt: skip
"""What takes long to load, or brings such modules, and is not needed before a page other than the first."""


def test_what_the_first_screen_does_not_need_is_loaded_later(display: None, tmp_path: Path) -> None:
    assert {name for name in LATER if find_spec(name) is None} == set()
    done = subprocess.run(
        [sys.executable, "-c", FIRST_SCREEN, str(tmp_path / "window.png")],
        env={**os.environ, "COMPANION_DATA": str(tmp_path)},
        capture_output=True, text=True, timeout=180, check=True,
    )  # fmt: skip
    searches, frozen, *loaded = done.stdout.split()
    assert "companion.app.home.pages" in loaded
    assert LATER.intersection(loaded) == set()
    assert (searches, int(frozen) > 100_000) == ("True", True), "garbage is searched for, but not in the code"


def companion_app(screenshot: Path, *flags: str, **environment: str) -> tuple[int, str]:
    """Exit status of `companion app`, and what it said."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", "app", "--screenshot", str(screenshot), *flags],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_a_screenshot_that_cannot_be_written_is_one_sentence(display: None, tmp_path: Path) -> None:
    status, said = companion_app(tmp_path, COMPANION_DATA=str(tmp_path / "data"))
    assert status == 2
    assert f"The file '{tmp_path}' cannot be written (Is a directory): choose another place." in said
    assert len(said.splitlines()) == 1


def test_a_screenshot_without_a_data_folder_is_one_sentence(display: None, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    data = tmp_path / "file" / "data"
    status, said = companion_app(tmp_path / "window.png", COMPANION_DATA=str(data))
    assert status == 3
    assert f"Your data folder {data} cannot be written (Not a directory). Free it" in said
    assert len(said.splitlines()) == 1


def test_a_recording_is_shown_live_with_its_tiles_outlined(display: None, tmp_path: Path) -> None:
    recorded = tmp_path / "recorded"
    recorded.mkdir()
    cv2.imwrite(str(recorded / "hand.png"), render_hand([WIN.split()], width=960, height=540).image)
    data, clip = str(tmp_path / "data"), f"file:{recorded}"
    shown = {}
    for name, flags, more in (("live", ("--camera", clip), {}), ("home", (), {"COMPANION_CAMERA": clip})):
        status, said = companion_app(tmp_path / f"{name}.png", *flags, COMPANION_DATA=data, **more)
        assert (status, said) == (0, "")
        sure = np.array(DARK.sure[2::-1]) * 255
        image = cv2.imread(str(tmp_path / f"{name}.png"))
        shown[name] = int((np.abs(image - sure).max(axis=2) < 12).sum())
    assert shown["live"] > 3000 > 4 * shown["home"], shown


def test_a_camera_that_is_not_there_is_reported_in_the_window(display: None, tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    assert companion_app(tmp_path / "a.png", "--camera", "file:/none.avi", COMPANION_DATA=data) == (0, "")
    assert (tmp_path / "a.png").stat().st_size > 5000


@pytest.mark.sampled
@pytest.mark.parametrize("between_s", [0.0, 0.3])
def test_two_quick_interrupts_close_the_window_without_a_word(
    display: None, tmp_path: Path, between_s: float
) -> None:
    draw_picture(tmp_path / "hand.png")
    data = tmp_path / "data"
    with started(
        [sys.executable, "-m", "companion", "app", "--picture", str(tmp_path / "hand.png")],
        env={**os.environ, "COMPANION_DATA": str(data)}, stderr=subprocess.PIPE, text=True,
    ) as window:  # fmt: skip
        wait_for_hand(window, data)
        window.send_signal(signal.SIGINT)
        time.sleep(between_s)
        window.send_signal(signal.SIGINT)
        _, said = window.communicate()
    assert (window.returncode, said) == (130, "")


def wait_for_hand(window: subprocess.Popen[str], data: Path) -> None:
    """Until the picture that the window was opened with is kept as a hand."""
    while not (data / "session.json").exists():
        assert window.poll() is None
        time.sleep(0.1)


@pytest.mark.sampled
@pytest.mark.parametrize("umask", [0o022, 0o000])
def test_the_hand_that_is_left_can_be_read_by_its_owner_only(
    display: None, tmp_path: Path, umask: int
) -> None:
    draw_picture(tmp_path / "hand.png")
    data = tmp_path / "data"
    with started(
        [sys.executable, "-m", "companion", "app", "--picture", str(tmp_path / "hand.png")],
        env={**os.environ, "COMPANION_DATA": str(data)}, umask=umask,
    ) as window:  # fmt: skip
        wait_for_hand(window, data)
        window.terminate()
        window.wait()
    shaders = data / "shaders"  # closed to others; the modes of what the driver writes into it are its own
    kept = [path for path in (data, *data.rglob("*")) if shaders not in path.parents]
    assert shaders in kept
    assert [path for path in kept if path.stat().st_mode & 0o077] == []
