"""The window sleeps while nobody touches it, and wakes for whatever it is to do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lab.window_bench.following import PAGES, read_wake_ups
from tests.programs import started, virtual_screen

pytestmark = pytest.mark.slow

WAKE_UPS_MAX = 10.0
"""A second, of all threads together. Kivy's own loop takes 77."""
CORES_MAX = 0.2
"""A thread that never sleeps does not wake up either."""
FOR_S = 5.0
MOVE = """
import ctypes

x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = x11.XDefaultRootWindow.restype = ctypes.c_void_p
display = ctypes.c_void_p(x11.XOpenDisplay(None))
root = ctypes.c_void_p(x11.XDefaultRootWindow(display))
x11.XWarpPointer(display, None, root, 0, 0, 0, 0, 300, 200)
x11.XSync(display, 0)
"""
"""Moves the mouse of the display."""
MEASURE = """
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
import msgspec
from lab.window_bench.following import measure_idle

print(msgspec.json.encode(measure_idle(Path(sys.argv[1]), float(sys.argv[2]))).decode())
"""
SLEEPER = """
import sys, threading
from companion.app.shell import boot
from companion.app.shell.startup import run

prepare = boot.prepare

def prepare_and_watch(*given):
    prepare(*given)
    from kivy.clock import Clock
    from kivy.core.window import Window
    from companion.app.shell import application as loop
    from companion.app.shell.application import CompanionApp
    from companion.app.widgets.window_thread import call_on_window_thread

    loop.SLEEP_MAX_S = 3600.0
    begin = CompanionApp.on_start

    def on_start(app):
        begin(app)
        Clock.schedule_once(fall_asleep, 3)

    def fall_asleep(_):
        for event in Clock.get_events():
            event.cancel()
        Window.bind(mouse_pos=lambda *_: print("moved", flush=True))
        threading.Thread(target=answer, daemon=True).start()
        print("open", flush=True)

    def answer():
        for line in sys.stdin:
            call_on_window_thread(lambda: print("called", flush=True))

    CompanionApp.on_start = on_start

boot.prepare = prepare_and_watch
sys.exit(run())
"""


@pytest.mark.long
def test_no_page_wakes_up_ten_times_a_second(display: None, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with started(
        [sys.executable, "-c", MEASURE, tmp_path / "data", str(FOR_S)], stdout=subprocess.PIPE, text=True
    ) as program:
        out, _ = program.communicate()
    rests: dict[str, dict[str, Any]] = json.loads(out.splitlines()[-1])
    assert rests.keys() == PAGES.keys()
    assert {page: rest for page, rest in rests.items() if rest["wake_ups"] > WAKE_UPS_MAX} == {}
    assert {page: rest for page, rest in rests.items() if rest["cores"] > CORES_MAX} == {}
    assert {page: rest for page, rest in rests.items() if rest["frames"]} == {}


@contextmanager
def sleeper(display: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The open window, which sleeps for an hour where nothing wakes it."""
    with started(
        [sys.executable, "-c", SLEEPER],
        env=os.environ | {"DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1", "COMPANION_DATA": str(folder)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1,
    ) as program:  # fmt: skip
        assert program.stdout.readline() == "open\n"
        wait_until_asleep(program.pid)
        yield program


def wait_until_asleep(pid: int) -> None:
    """Until none of its threads has woken up for a second."""
    before = None
    while (now := read_wake_ups(pid)) != before:
        before = now
        time.sleep(1)


def test_input_another_thread_and_a_signal_wake_it(tmp_path: Path) -> None:
    with virtual_screen("1280x800x24") as (display, _), sleeper(display, tmp_path) as program:
        subprocess.run([sys.executable, "-c", MOVE], env=os.environ | {"DISPLAY": display}, check=True)
        assert program.stdout.readline() == "moved\n"
        wait_until_asleep(program.pid)
        program.stdin.write("call\n")
        assert "called\n" in iter(program.stdout.readline, "")
        wait_until_asleep(program.pid)
        program.send_signal(signal.SIGINT)
        assert (program.wait(), program.stderr.read()) == (130, "")


def test_the_end_of_the_display_wakes_it(tmp_path: Path) -> None:
    with virtual_screen("1280x800x24") as (display, server), sleeper(display, tmp_path) as program:
        server.kill()
        _, said = program.communicate()
    assert said == "companion: The display is gone, so the window is closed. What was entered is kept.\n"
    assert program.returncode == 3
