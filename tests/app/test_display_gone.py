"""The display that goes away while the camera's live picture is read: one sentence, and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest
from app_driver import WIN

from lab.scenes.hand import render_hand
from tests.programs import started, virtual_screen

pytestmark = pytest.mark.slow

RUN = """
import sys
from dataclasses import replace
from companion.app.recognition import use_models
from companion.app.shell.startup import run

recognition = use_models()

def read_next(*given):
    read = recognition.read_next(*given)
    print("read", flush=True)
    return read

sys.exit(run(camera=f"file:{sys.argv[1]}", live=True, recognition=replace(recognition, read_next=read_next)))
"""


def test_a_display_that_goes_away_leaves_one_sentence(tmp_path: Path) -> None:
    clip = tmp_path / "clip"
    clip.mkdir()
    cv2.imwrite(str(clip / "hand.png"), render_hand([WIN.split()], width=960, height=540).image)
    with (
        virtual_screen("1280x800x24") as (display, server),
        started(
            [sys.executable, "-c", RUN, str(clip)],
            env=os.environ | {"DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1"},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as program,
    ):  # fmt: skip
        for _ in range(3):
            assert program.stdout.readline() == "read\n"
        server.kill()
        server.wait()
        _, said = program.communicate(timeout=60)
    assert said == "companion: The display is gone, so the window is closed. What was entered is kept.\n"
    assert program.returncode == 3
