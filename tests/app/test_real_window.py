"""The program itself on real screens: it fits, goes over the whole screen and back, and is remembered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from tests.programs import started, virtual_screen

pytestmark = pytest.mark.slow

RUN = """
import json, sys
from companion.app.shell import boot
from companion.app.shell.startup import run

prepare = boot.prepare

def prepare_and_watch(*given):
    prepare(*given)
    from kivy.clock import Clock
    from kivy.core.window import Window
    from companion.app.shell.application import KEY_F11, CompanionApp
    begin = CompanionApp.on_start

    def on_start(app):
        begin(app)
        seen = []
        steps = iter(sys.argv[1].split())

        def act(_):
            step = next(steps, None)
            if step == "look":
                bar = app.root.bar
                shown = [button for button in bar.buttons.values() if button.get_parent_window()]
                fits = bar.right <= Window.width and bar.top <= Window.height and bar.menu.right <= bar.right
                wordy = all(button.text.strip() for button in shown)
                seen.append([*map(round, Window.system_size), bool(Window.fullscreen), fits and wordy])
            elif step == "resize":
                Window.size = (1000, 590)
            elif step == "f11":
                Window.dispatch("on_keyboard", KEY_F11, 0, "", [])
            else:
                print(json.dumps(seen), flush=True)
                app.stop()
                return False

        Clock.schedule_interval(act, 0.4)

    CompanionApp.on_start = on_start

boot.prepare = prepare_and_watch
sys.exit(run())
"""


def act(display: str, data: Path, steps: str) -> list[list[object]]:
    """What the program's window saw at each `look` of these steps: its size, whether over the whole
    screen, and whether the bar is in it, in words."""
    with started(
        [sys.executable, "-c", RUN, steps],
        env=os.environ | {"DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1", "COMPANION_DATA": str(data)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as program:  # fmt: skip
        out, said = program.communicate(timeout=90)
    assert program.returncode == 0, said
    seen: list[list[object]] = json.loads(out.splitlines()[-1])
    return seen


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("screen", "size"),
    [("1024x600", [1024, 600]), ("800x1280", [800, 1280]), ("1280x800", [1280, 800]),
     ("1920x1080", [1280, 800])],
)  # fmt: skip
def test_the_window_fits_the_screen(tmp_path: Path, screen: str, size: list[int]) -> None:
    with virtual_screen(f"{screen}x24") as (display, _):
        picture = tmp_path / "window.png"
        with started(
            [sys.executable, "-m", "companion", "app", "--screenshot", str(picture)],
            env=os.environ
            | {"DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1", "COMPANION_DATA": str(tmp_path / "data")},
        ) as program:
            assert program.wait(90) == 0
    height, width = cv2.imread(str(picture)).shape[:2]
    assert [width, height] == size


def test_a_window_that_was_left_on_another_screen_fills_a_small_one(tmp_path: Path) -> None:
    for width, height in ((1024, 600), (800, 1280)):
        with virtual_screen(f"{width}x{height}x24") as (display, _):
            assert act(display, tmp_path, "look") == [[width, height, False, True]]


def test_f11_and_a_change_of_size_are_remembered(tmp_path: Path) -> None:
    with virtual_screen("1920x1080x24") as (display, _):
        first = act(display, tmp_path, "look f11 look f11 look resize look")
        again = act(display, tmp_path, "look f11 look")
        full = act(display, tmp_path, "look f11 look")
    usual, whole, small = [1600, 1000, False, True], [1920, 1080, True, True], [1000, 590, False, True]
    assert first == [usual, whole, usual, small]
    assert again == [small, whole]
    assert full == [whole, small], "F11 leads back to the size from before"
