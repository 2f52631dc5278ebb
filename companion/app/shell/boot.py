"""Settings that Kivy reads when it is first imported: import nothing of Kivy before `prepare` has run."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

from companion.app.shell.freed_memory import limit_kept_memory
from companion.app.shell.geometry import Geometry
from companion.errors import MissingError
from companion.files import make_folder
from companion.screen import leave_bus_alone

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
    """Open the window. Raises MissingError where that fails: the display is gone, or draws no such window."""
    why = ""
    try:
        from kivy.core.window import Window
    except (Exception, SystemExit) as error:  # by which Kivy ends where OpenGL is too old
        log.exception("opening the window")
        Window, why = None, f" ({error})" if isinstance(error, Exception) else ""
    if Window is None:
        raise MissingError(NOT_OPENED, why=why)


def draw_only_in_window() -> None:
    """Where a window manager changes the window's size while that is being opened, Kivy draws a frame at once
    and crashes: nothing can be drawn yet. Have it wait until the window is there."""
    from kivy.base import EventLoop

    draw = EventLoop.idle

    def draw_if_open() -> None:
        if EventLoop.window is not None:
            draw()

    EventLoop.idle = draw_if_open
