"""What must happen before Kivy is imported: its settings, the window's size and place, and what to do when
the display goes away."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion.app.shell.freed_memory import limit_kept_memory
from companion.errors import MissingError
from companion.files import make_folder, read_whole, write_whole
from companion.foreign import Undecodable, decode_as
from companion.screen import Screen, leave_bus_alone

FILE = "window.json"
USUAL_DP = (1280, 800)
SMALL_DP = (1400, 900)
"""A screen that is no larger is filled."""
PERCENT_MIN, PERCENT_MAX = 50, 200


@dataclass(frozen=True, slots=True)
class Geometry:
    """size: (width, height) in px; place: of the left upper corner in px, None for where the desktop puts it;
    full: without a frame, over the whole screen. percent: how large a person wants everything, of its true
    size. screen: (width, height) in px of the one that it was on, None if unknown."""

    size: tuple[int, int]
    place: tuple[int, int] | None = None
    full: bool = False
    percent: int = 100
    screen: tuple[int, int] | None = None


def read_geometry(folder: Path) -> Geometry | None:
    """As it was left last; None if unknown."""
    with suppress(OSError, Undecodable):
        kept = decode_as(read_whole(folder / FILE), Geometry)
        if min(kept.size) > 0 and PERCENT_MIN <= kept.percent <= PERCENT_MAX:
            return kept
    return None


def write_geometry(folder: Path, geometry: Geometry) -> None:
    """Keep it for the next start. Raises OSError."""
    write_whole(folder / FILE, msgspec.json.encode(geometry))


def fit_window(screen: Screen | None, kept: Geometry | None, density: float) -> Geometry:
    """The window as it opens: all of a small screen, and never more than there is; as it was left last, where
    that was on such a screen."""
    if screen is None:
        return kept or Geometry((round(USUAL_DP[0] * density), round(USUAL_DP[1] * density)))
    width, height = screen.usable
    small = width <= SMALL_DP[0] * density and height <= SMALL_DP[1] * density
    portrait = height > width and width <= SMALL_DP[1] * density
    if kept is None or not _is_of(screen, kept):
        full, percent = (kept.full, kept.percent) if kept else (False, 100)
        if small or portrait:
            return Geometry((width, height), (0, 0), full, percent, screen.size)
        size = min(round(USUAL_DP[0] * density), width), min(round(USUAL_DP[1] * density), height)
        return Geometry(size, None, full, percent, screen.size)
    size = min(kept.size[0], width), min(kept.size[1], height)
    place = kept.place
    if place:
        place = (
            min(max(place[0], 0), screen.size[0] - size[0]),
            min(max(place[1], 0), screen.size[1] - size[1]),
        )
    return Geometry(size, place, kept.full, kept.percent, screen.size)


def _is_of(screen: Screen, kept: Geometry) -> bool:
    """Whether the window was left on such a screen; where that was not noted, whether it has room on it."""
    if kept.screen is not None:
        return kept.screen == screen.size
    return kept.size[0] <= screen.size[0] and kept.size[1] <= screen.size[1]


SIZE_DEFAULT = (1280, 800)
NOT_OPENED = (
    "The window cannot be opened{why}: the display is gone or has no OpenGL 2. Install its driver, or "
    "set LIBGL_ALWAYS_SOFTWARE=1."
)

log = logging.getLogger(__name__)


def prepare(
    folder: Path, size: tuple[int, int] | None = None, geometry: Geometry | None = None, density: float = 1.0
) -> None:
    """Open the window as that geometry says, `density` px to the dp; size: in px, goes before it. Keep the
    files of Kivy and of the graphics driver in `folder`, Kivy's words out of the terminal, and its hands
    off the command line.
    """
    limit_kept_memory()
    shaders = folder / "shaders"  # without them kept, the window opens 0.7 s later
    with suppress(OSError):
        make_folder(shaders)
    os.environ.update(
        KIVY_HOME=str(folder / "kivy"),
        KIVY_NO_ARGS="1",
        KIVY_NO_CONFIG="1",
        KIVY_NO_FILELOG="1",
        KIVY_LOG_MODE="PYTHON",
        KIVY_METRICS_DENSITY=str(density),
        MESA_SHADER_CACHE_DIR=str(shaders),
        __GL_SHADER_DISK_CACHE_PATH=str(shaders),  # NVIDIA's driver
    )
    leave_bus_alone()
    logging.getLogger("kivy").addHandler(logging.NullHandler())
    logging.getLogger("kivy").propagate = False

    import kivy
    from kivy.config import Config

    # Other clipboards are programs, which the window's thread would start to look for them.
    # SDL's decoders, in Kivy's wheel, are years old: whatever Kivy loads itself, Pillow decodes.
    # Without SDL's window Kivy would try one that ends the process by itself where it cannot be opened.
    kivy.kivy_options.update(clipboard=("sdl2", "dummy"), cutbuffer=(), image=("pil",), window=("sdl2",))

    width, height = size or (geometry.size if geometry else SIZE_DEFAULT)
    Config.set("graphics", "width", width)
    Config.set("graphics", "height", height)
    if geometry and geometry.place and not size:
        Config.set("graphics", "position", "custom")
        Config.set("graphics", "left", geometry.place[0])
        Config.set("graphics", "top", geometry.place[1])
    if geometry and geometry.full:
        Config.set("graphics", "fullscreen", "auto")
    Config.set("graphics", "maxfps", 0)  # the loop limits it
    Config.set("graphics", "multisamples", 0)  # smooth shapes are drawn so: sampling takes twice the time
    Config.set("graphics", "minimum_width", 480)
    Config.set("graphics", "minimum_height", 400)
    Config.set(
        "input", "mouse", "mouse,disable_multitouch"
    )  # no red dots: the right button is no second finger
    Config.remove_option("input", "%(name)s")  # the window system's touches would come a second time
    Config.set("kivy", "exit_on_escape", 0)
    Config.set("kivy", "log_level", "error")

    from companion.app.shell.lettering import register_font

    register_font()
    draw_only_in_window()


def open_window() -> None:
    """Open the window. Raises MissingError if that fails: the display is gone, or draws no such window."""
    why = ""
    gc.freeze()  # Kivy searches for garbage as it opens the window, which would take 0.1 s in all that code
    try:
        from kivy.core.window import Window
    except (Exception, SystemExit) as error:  # by which Kivy ends where OpenGL is too old
        log.exception("opening the window")
        Window, why = None, f" ({error})" if isinstance(error, Exception) else ""
    if Window is None:
        raise MissingError(NOT_OPENED, why=why)


def draw_only_in_window() -> None:
    """If a window manager changes the window's size while it is being opened, Kivy draws a frame immediately
    and crashes, since nothing can be drawn yet. Have it wait until the window is open."""
    from kivy.base import EventLoop

    draw = EventLoop.idle

    def draw_if_open() -> None:
        if EventLoop.window is not None:
            draw()

    EventLoop.idle = draw_if_open


GONE = "companion: The display is gone, so the window is closed. What was entered {kept}.\n"
BROKEN = 3
"""Exit status where something that is needed is missing or broken."""

_Handler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_handlers: list[object] = []
"""Callbacks of Xlib, kept here so that they are not collected."""


def end_without_display(finish: Callable[[], bool]) -> None:
    """End the process with one sentence as soon as its X display is lost; elsewhere nothing changes.

    finish: waits for the writers, and returns whether all is on the disk.
    """

    @_Handler
    def end(_: int | None) -> int:
        """Called by Xlib when its connection is lost; must not return (XSetIOErrorHandler(3))."""
        kept = "is kept" if finish() else "last is not kept"
        os.write(2, GONE.format(kept=kept).encode())
        os._exit(BROKEN)

    try:
        ctypes.CDLL("libX11.so.6").XSetIOErrorHandler(end)
    except (OSError, AttributeError):
        return  # no X11 here
    _handlers.append(end)
