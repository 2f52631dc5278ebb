"""The program's window while it plays a film, ended by signals and by its close button at any moment."""

from __future__ import annotations

import ctypes
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.cameras.processes import list_captures, wait_until_gone
from tests.programs import LIMIT_S, started

pytestmark = pytest.mark.long

WAYS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, None)
"""None: by its close button."""
STATUSES = {signal.SIGINT: 130}


def close_window(title: str) -> bool:
    """Ask the window with that title to close, as a window manager does; whether there is one."""
    x = ctypes.CDLL("libX11.so.6")
    for name in ("XOpenDisplay", "XDefaultRootWindow", "XInternAtom"):
        getattr(x, name).restype = ctypes.c_void_p if name == "XOpenDisplay" else ctypes.c_ulong
    display = ctypes.c_void_p(x.XOpenDisplay(None))
    window = find_window(x, display, x.XDefaultRootWindow(display), title.encode())
    if window:
        event = (ctypes.c_long * 24)()  # XClientMessageEvent, in an XEvent
        ctypes.cast(event, ctypes.POINTER(ctypes.c_int))[0] = 33  # ClientMessage
        event[4] = window
        event[5] = x.XInternAtom(display, b"WM_PROTOCOLS", 0)
        event[6] = 32
        event[7] = x.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
        x.XSendEvent(display, ctypes.c_ulong(window), 0, ctypes.c_long(0), ctypes.byref(event))
    x.XCloseDisplay(display)
    return bool(window)


class Name(ctypes.Structure):
    """An XTextProperty."""

    _fields_ = (
        ("value", ctypes.c_char_p), ("encoding", ctypes.c_ulong), ("format", ctypes.c_int),
        ("length", ctypes.c_ulong),
    )  # fmt: skip


def find_window(x: ctypes.CDLL, display: ctypes.c_void_p, above: int, title: bytes) -> int:
    """The window with that title below another one; 0 without one."""
    name = Name()
    if x.XGetWMName(display, ctypes.c_ulong(above), ctypes.byref(name)) and name.value == title:
        return above
    root, parent, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
    below = ctypes.POINTER(ctypes.c_ulong)()
    x.XQueryTree(display, ctypes.c_ulong(above), *map(ctypes.byref, (root, parent, below, count)))
    found = (find_window(x, display, below[each], title) for each in range(count.value))
    return next(filter(None, found), 0)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("films") / "film.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 30.0, (960, 540))
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 255, (540, 960, 3), dtype=np.uint8)
    for number in range(60):
        writer.write(np.roll(picture, number * 8, axis=1))
    writer.release()
    return path


def test_a_window_with_a_film_is_ended_at_any_moment(
    display: None, film: Path, tmp_path: Path, signals: int
) -> None:
    """Nothing is printed, no capture is left, and the data folder is free for the next window."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    for number in range(max(4, signals)):
        how = WAYS[number % 4]
        with started(
            [sys.executable, "-m", "companion", "app", "--camera", f"file:{film}"],
            env=os.environ | {"COMPANION_DATA": str(tmp_path), "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        ) as window:  # fmt: skip
            while how is None and not close_window("Mahjong Companion"):
                assert window.poll() is None
                time.sleep(0.2)
            if how is not None:
                time.sleep(rng.uniform(1.0, 9.0))
                window.send_signal(how)
            said, _ = window.communicate(timeout=LIMIT_S)
        if how is None or window.returncode not in (-how, 128 + how):  # before it opened
            assert (window.returncode, said) == (STATUSES.get(how, 0), ""), how
        wait_until_gone(*list_captures(tmp_path) or [-1])
    assert not list(tmp_path.glob("session-2*"))
