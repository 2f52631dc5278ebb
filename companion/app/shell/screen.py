"""How large the screen is, in px and in mm, as SDL knows it from X11, Wayland or the kernel. No Kivy:
sizes in dp are fixed when Kivy is first imported.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from math import hypot
from pathlib import Path

DP_PER_INCH = 160
NO_BUS = "disabled:"
"""A D-Bus address that leads nowhere. Where no message bus runs, SDL would otherwise start one, which stays
and leaves a file in ~/.dbus."""
VIDEO = 0x20
"""SDL_INIT_VIDEO."""
MADE_UP_DPI = 96.0
"""X servers say this of screens whose size they do not know."""
DPI_SOUND = (60.0, 450.0)
"""Screens are not coarser or finer: another value is a fault of the screen or its driver."""
HAND_HELD_MAX_IN = 14.0
"""Diagonal. A larger screen stands further away: what has its true size on it would look small."""
ROOM_DP = 860.0, 1530.0
"""Short side and long. On a screen with more room than that everything is larger than its true size: it is
looked at from further away, or, where it does not say its size, its px are small."""


@dataclass(frozen=True, slots=True)
class Screen:
    """size, usable: (width, height) in px, of all of it and without what the desktop keeps for itself;
    dpi: px per inch, None where that is not known."""

    size: tuple[int, int]
    usable: tuple[int, int]
    dpi: float | None = None


def choose_density(screen: Screen | None) -> float:
    """px per dp, so that what a finger touches has its true size on a screen up to 14 inches, or a larger
    one."""
    if screen is None:
        return 1.0
    short, long = sorted(screen.size)
    roomy = min(short / ROOM_DP[0], long / ROOM_DP[1])
    if screen.dpi is None or not DPI_SOUND[0] <= screen.dpi <= DPI_SOUND[1]:
        return round(max(1.0, roomy), 2)
    is_hand_held = hypot(*screen.size) / screen.dpi <= HAND_HELD_MAX_IN
    true = screen.dpi / DP_PER_INCH
    return round(max(true, roomy) if is_hand_held else max(true, roomy, 1.0), 2)


def leave_bus_alone() -> None:
    """Where no message bus runs, have SDL start none: to be called before SDL is used."""
    folder = os.environ.get("XDG_RUNTIME_DIR")
    if not (os.environ.get("DBUS_SESSION_BUS_ADDRESS") or (folder and Path(folder, "bus").exists())):
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = NO_BUS


def find_screen() -> Screen | None:
    """The screen that a window would open on, None where there is none or SDL is not found."""
    leave_bus_alone()
    for name in _libraries():
        with suppress(OSError, AttributeError):
            return _ask(ctypes.CDLL(name))
    return None


def _libraries() -> Iterator[str]:
    """The SDL that Kivy brings or, built by a distribution, uses."""
    spec = find_spec("kivy")
    if spec and spec.origin:
        beside = Path(spec.origin).parents[1] / "Kivy.libs"
        yield from map(str, sorted(beside.glob("libSDL2-2-*.so*")))
    if sys.platform == "linux":
        yield "libSDL2-2.0.so.0"


class _Rect(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("x", "y", "w", "h")]


def _ask(sdl: ctypes.CDLL) -> Screen | None:
    if sdl.SDL_InitSubSystem(VIDEO) != 0:
        return None
    try:
        whole, usable = _Rect(), _Rect()
        if sdl.SDL_GetDisplayBounds(0, ctypes.byref(whole)) != 0 or whole.w <= 0:
            return None
        if sdl.SDL_GetDisplayUsableBounds(0, ctypes.byref(usable)) != 0 or usable.w <= 0:
            usable = whole
        dpi = [ctypes.c_float() for _ in range(3)]
        told = sdl.SDL_GetDisplayDPI(0, *map(ctypes.byref, dpi)) == 0
        across, down = dpi[1].value, dpi[2].value
        known = told and abs(across - MADE_UP_DPI) > 1 and abs(across - down) < 0.15 * max(across, down)
        return Screen((whole.w, whole.h), (usable.w, usable.h), (across + down) / 2 if known else None)
    finally:
        sdl.SDL_QuitSubSystem(VIDEO)
