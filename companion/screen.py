"""The screen that a window would open on: whether there is one, and how large it is, in px and in mm, as SDL
knows it from X11, Wayland or the kernel. No Kivy: sizes in dp are fixed when Kivy is first imported.

SDL is asked in a process of its own: a display may accept a connection and never answer.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from math import hypot
from pathlib import Path

import msgspec

from companion.errors import MissingError, quote

ANSWER_S = 10.0
"""The longest wait for a display. One behind a slow network takes seconds."""
DISPLAY_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
"""SDL_VIDEODRIVER is how a person names a screen without a desktop, as kmsdrm on a Raspberry Pi."""
UNSEEN_DRIVERS = frozenset({"offscreen", "dummy", "evdev"})
"""SDL's drivers that show windows nowhere, which it uses if nothing else works or a person wants that."""
NO_DISPLAY = "There is no display to open a window on: start this on a desktop, or run it by xvfb-run."
NOT_SHOWN = (
    "No window can be shown with {named} ({why}): check that the display is there and lets you in (a Wayland "
    "desktop needs XWayland), or run it by xvfb-run."
)
NOT_SHOWN_SO = "No window can be shown with {named} ({why}): unset SDL_VIDEODRIVER, or name another one."
SILENT = "no answer in {seconds:.0f} s"
UNSEEN = "nobody would see it"
NOTHING_THERE = "nothing answers there"
NOT_ASKED = "asking it failed"

DP_PER_INCH = 160
NO_BUS = "disabled:"
"""A D-Bus address that leads nowhere. Where no message bus runs, SDL would otherwise start one, which stays
and leaves a file in ~/.dbus."""
VIDEO = 0x20
"""SDL_INIT_VIDEO."""
MADE_UP_DPI = 96.0
"""X servers report this for screens whose size they do not know."""
DPI_SOUND = (60.0, 450.0)
"""Screens are not coarser or finer: another value is a fault of the screen or its driver."""
HAND_HELD_MAX_IN = 14.0
"""Diagonal. A larger screen stands further away: what has its true size on it would look small."""
ROOM_DP = 860.0, 1530.0
"""Short side and long. On a screen with more room than that everything is larger than its true size: it is
viewed from further away, or, if it does not report its size, its px are small."""


@dataclass(frozen=True, slots=True)
class Screen:
    """size, usable: (width, height) in px, of all of it and without what the desktop keeps for itself;
    dpi: px per inch, None if unknown; driver: SDL's name of what shows windows on it."""

    size: tuple[int, int]
    usable: tuple[int, int]
    dpi: float | None = None
    driver: str = "x11"


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


def find_screen(*, unseen: bool = False) -> Screen | None:
    """The screen that a window opens on; None without SDL, which Kivy may not need.

    unseen: whether a screen that nobody sees is accepted. Raises MissingError if no window can be shown,
    after `ANSWER_S` at the latest.
    """
    named = list_named()
    if sys.platform == "linux" and not named:
        raise MissingError(NO_DISPLAY)
    is_chosen = bool(os.environ.get("SDL_VIDEODRIVER"))
    found = _ask_elsewhere()
    if isinstance(found, Screen) and found.driver in UNSEEN_DRIVERS and not unseen:
        found = UNSEEN if is_chosen else NOTHING_THERE
    if isinstance(found, str):
        raise MissingError(NOT_SHOWN_SO if is_chosen else NOT_SHOWN, named=", ".join(named), why=found)
    return found


def list_named() -> list[str]:
    """The variables that name a display, each with its value."""
    return [f"{name}={quote(os.environ[name])}" for name in DISPLAY_VARIABLES if os.environ.get(name)]


def _ask_elsewhere() -> Screen | str | None:
    """What `_ask` returns, in a process that ends within `ANSWER_S`; None if there is no SDL."""
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "companion.screen"],  # -P: no module of the folder it runs in
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.DEVNULL, capture_output=True, timeout=ANSWER_S, check=True,
        )  # fmt: skip
        return msgspec.json.decode(done.stdout, type=Screen | str | None)
    except subprocess.TimeoutExpired:
        return SILENT.format(seconds=ANSWER_S)
    except (OSError, subprocess.SubprocessError, msgspec.DecodeError):
        return NOT_ASKED


def load_sdl() -> ctypes.CDLL | None:
    """The SDL that Kivy brings or, built by a distribution, uses; None where it is not found."""
    for name in _libraries():
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(name)
            library.SDL_GetError.restype = library.SDL_GetCurrentVideoDriver.restype = ctypes.c_char_p
            return library
    return None


def _libraries() -> Iterator[str]:
    spec = find_spec("kivy")
    if spec and spec.origin:
        kivy = Path(spec.origin).parent
        yield from map(str, sorted((kivy.parent / "Kivy.libs").glob("libSDL2-2-*.so*")))
        yield str(kivy / ".dylibs" / "SDL2")  # macOS
    yield str(Path(sys.prefix, "share", "sdl2", "bin", "SDL2.dll"))  # Windows: the package kivy-deps.sdl2
    if sys.platform == "linux":
        yield "libSDL2-2.0.so.0"


class _Rect(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("x", "y", "w", "h")]


def _ask(sdl: ctypes.CDLL) -> Screen | str:
    """The screen, or why SDL opens none."""
    if sdl.SDL_InitSubSystem(VIDEO) != 0:
        return str(sdl.SDL_GetError().decode(errors="replace"))
    try:
        whole, usable = _Rect(), _Rect()
        if sdl.SDL_GetDisplayBounds(0, ctypes.byref(whole)) != 0 or whole.w <= 0:
            return "it has no screen"
        if sdl.SDL_GetDisplayUsableBounds(0, ctypes.byref(usable)) != 0 or usable.w <= 0:
            usable = whole
        dpi = [ctypes.c_float() for _ in range(3)]
        answered = sdl.SDL_GetDisplayDPI(0, *map(ctypes.byref, dpi)) == 0
        across, down = dpi[1].value, dpi[2].value
        known = answered and abs(across - MADE_UP_DPI) > 1 and abs(across - down) < 0.15 * max(across, down)
        return Screen(
            (whole.w, whole.h),
            (usable.w, usable.h),
            (across + down) / 2 if known else None,
            sdl.SDL_GetCurrentVideoDriver().decode(),
        )
    finally:
        sdl.SDL_QuitSubSystem(VIDEO)


def _answer() -> None:
    """Print what `_ask_elsewhere` reads."""
    leave_bus_alone()
    sdl = load_sdl()
    sys.stdout.buffer.write(msgspec.json.encode(_ask(sdl) if sdl else None))


if __name__ == "__main__":
    _answer()
