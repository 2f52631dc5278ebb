"""The way in: `companion app` with a screenshot, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest
from app_driver import draw_picture

RUN = """
import sys
from pathlib import Path
from app_driver import ScriptedSight
from companion.app.main import run
picture, screenshot = Path(sys.argv[1]), Path(sys.argv[2])
sys.exit(run(picture=picture, screenshot=screenshot, language="zh_Hans", sight=ScriptedSight().sight))
"""


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


def companion_app(screenshot: Path, **environment: str) -> tuple[int, str]:
    """Exit status of `companion app`, and what it said."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", "app", "--screenshot", str(screenshot)],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_a_screenshot_that_cannot_be_written_is_one_sentence(display: None, tmp_path: Path) -> None:
    status, said = companion_app(tmp_path, COMPANION_DATA=str(tmp_path / "data"))
    assert status == 2
    assert f"The screenshot '{tmp_path}' cannot be written (Is a directory): choose another file." in said
    assert len(said.splitlines()) == 1


def test_a_data_folder_that_cannot_be_written_is_one_sentence(display: None, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    data = tmp_path / "file" / "data"
    status, said = companion_app(tmp_path / "window.png", COMPANION_DATA=str(data))
    assert status == 3
    assert f"The folder for kept hands cannot be written (Not a directory: '{data}')" in said
    assert len(said.splitlines()) == 1
