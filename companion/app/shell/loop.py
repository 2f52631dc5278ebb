"""The window's loop: it sleeps until there is something to do, while Kivy's own loop wakes 60 times a second.

It wakes when Kivy's clock has something due, when the display sends something, and when another thread or a
signal's handler calls `wake`. At most `FRAMES_PER_S` frames are drawn.
"""

from __future__ import annotations

import ctypes
import math
import os
import select
import time
from contextlib import suppress

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window.window_info import WindowInfoX11

from companion.app.widgets.window_thread import WAKE_READ
from companion.screen import load_sdl

FRAMES_PER_S = 60
SLEEP_MAX_S = 0.5
"""The longest sleep, for events that come by an unknown connection, such as messages of the desktop."""
ALL_EVENTS = 0, 0xFFFF
"""SDL_FIRSTEVENT, SDL_LASTEVENT."""


class Loop:
    """In place of `EventLoop.mainloop`."""

    def __init__(self) -> None:
        self._sdl = load_sdl()
        self._drawn_s = 0.0
        self._waiting = select.poll()
        self._waiting.register(WAKE_READ, select.POLLIN)
        display = find_display()
        self._has_display = display is not None
        if display is not None:
            self._waiting.register(display, select.POLLIN)
        if self._sdl is not None:
            self._sdl.SDL_StopTextInput()  # on from the start: a field that is touched turns it on

    def run(self) -> None:
        """Run until the window is closed."""
        while not EventLoop.quit and EventLoop.status == "started":
            self._sleep()
            Clock.idle()  # only reads the time: the work for an event begins when the event came
            EventLoop.window.mainloop()
            EventLoop.idle()

    def _sleep(self) -> None:
        """Sleep until something is due, and at least until a frame after the last one."""
        while not self._has_events():
            pause_s = self._pause_s()
            if pause_s <= 0 or self._waiting.poll(math.ceil(1000 * pause_s)):
                break
        with suppress(BlockingIOError):
            os.read(WAKE_READ, select.PIPE_BUF)
        time.sleep(max(0.0, self._drawn_s + 1 / FRAMES_PER_S - time.monotonic()))
        self._drawn_s = time.monotonic()

    def _has_events(self) -> bool:
        """Whether the display has sent something: it may be read already, with the answer to a question."""
        if self._sdl is None:
            return True
        self._sdl.SDL_PumpEvents()
        return bool(self._sdl.SDL_HasEvents(*ALL_EVENTS))

    def _pause_s(self) -> float:
        """Seconds until something is due; 0 or less if something is."""
        if EventLoop.quit or EventLoop.window.canvas.needs_redraw:
            return 0.0
        is_typing = self._sdl is not None and self._sdl.SDL_IsTextInputActive()
        longest_s = SLEEP_MAX_S if self._has_display and not is_typing else 1 / FRAMES_PER_S
        due_s: float = Clock.get_min_timeout() - Clock.time()
        return min(due_s, longest_s)


def find_display() -> int | None:
    """The descriptor by which the X server sends events; None if the window is shown in another way."""
    window = EventLoop.window.get_window_info()
    if not isinstance(window, WindowInfoX11):
        return None
    try:
        x11 = ctypes.CDLL("libX11.so.6")
        x11.XConnectionNumber.argtypes = [ctypes.c_void_p]
        return int(x11.XConnectionNumber(window.display))
    except (OSError, AttributeError):
        return None
