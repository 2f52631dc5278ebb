"""The real window on a data folder, drawn frame by frame, and a finger on it, to Kivy a touch screen.

A process has one. Import nothing of Kivy before it is made.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Self

from companion.app.cameras import Cameras
from companion.app.recognition import PictureReader
from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.app.news import News
    from companion.app.shell.root import Root
    from companion.app.shell.window_controller import WindowController
    from companion.app.shell.window_state import WindowView

WAIT_S = 60.0
"""The longest wait for a window that does not answer: a busy machine needs seconds."""
SETTLE_FRAMES = 3
"""Drawn after a touch, before anything else is touched."""
PAUSE_S = 0.004
"""Seconds between two frames while waiting: leaves the processor to the awaited work."""
BYTES_PER_MB = 2**20
DOUBLE_TOUCH_S = 0.3
"""Longer than Kivy takes two touches for a double one."""
HOLD_S = 0.45
"""A touch of that length is a hold."""


class WindowSilent(CompanionError):
    """The window did not come to what a person waits for."""


class WindowScreen:
    """draws: whether frames are drawn into the whole window; else only into a corner, which leaves out half
    of the work. frames_ms, work_ms: how long each frame took so far, and how much processor time of the
    window's thread: what it takes if nothing else is at work."""

    def __init__(
        self,
        folder: Path,
        reader: PictureReader,
        cameras: Cameras,
        size: tuple[int, int] = (1280, 800),
        *,
        draws: bool = True,
    ) -> None:
        from companion.app.shell import boot

        os.environ["COMPANION_DATA"] = str(folder)
        folder.mkdir(parents=True, exist_ok=True)
        boot.prepare(folder, size)
        from kivy.base import EventLoop, runTouchApp

        from companion.app.shell.application import get_ready, queue_touches
        from companion.app.shell.features import PAGES_AHEAD
        from companion.app.shell.garbage import Garbage
        from companion.app.shell.root import Root
        from companion.app.shell.startup import make_controller

        EventLoop.ensure_window()
        self._loop = EventLoop
        self.frames_ms: list[float] = []
        self.work_ms: list[float] = []
        self.controller: WindowController = make_controller(folder, reader, cameras, keeps=True)
        self.root: Root = Root(self.controller)
        garbage = Garbage(self.root)

        def show(view: WindowView) -> None:
            self.root.show(view)
            garbage.look(view)

        self.controller.on_view = show
        runTouchApp(self.root, embedded=True)
        queue_touches()
        self._finger = _Finger()
        EventLoop.add_input_provider(self._finger)
        if not draws:
            _draw_corner_only()
        self.draw(SETTLE_FRAMES)
        self.controller.start(None)
        get_ready(self.root, PAGES_AHEAD)
        self.draw(SETTLE_FRAMES)

    def announce(self, news: News) -> None:
        """Have every feature hear it, as on the command line of `companion app`."""
        self.controller.announce(news)

    def touch(self, target: Any) -> None:
        """Touch the middle of that widget, or a point, once it is at rest, and have what follows drawn."""
        self._finger.touch(self._find_place(target))
        self.draw(SETTLE_FRAMES)

    def hold(self, target: Any) -> None:
        """Touch the middle of that widget for as long as a hold takes."""
        touch = self._finger.press(self._find_place(target))
        self.draw(1)
        self._pass(HOLD_S, "the end of a hold")
        self._finger.release(touch)
        self.draw(SETTLE_FRAMES)

    def pause(self) -> None:
        """Let enough time pass that the next touch is no double one."""
        self._pass(DOUBLE_TOUCH_S, "the end of a double touch")

    def _pass(self, time_s: float, what: str) -> None:
        ends = time.monotonic() + time_s
        self.wait(lambda: time.monotonic() > ends, what)

    def drag(self, start: Any, end: Any) -> None:
        """Touch the middle of one widget, and let go in the middle of another."""
        first, last = self._find_place(start), self._find_place(end)
        touch = self._finger.press(first)
        self.draw(1)
        self._finger.release(touch, last)
        self.draw(SETTLE_FRAMES)

    def _find_place(self, target: Any) -> tuple[float, float]:
        """Where it is at rest, in parts of the window's size."""
        width, height = self._loop.window.system_size
        x, y = self._find_resting(target)
        return x / (width - 1), y / (height - 1)

    def _find_resting(self, target: Any) -> tuple[float, float]:
        """Where it is when it moves no more: nobody touches what is just being laid out."""
        if isinstance(target, tuple):
            return target
        before, place = None, target.to_window(*target.center)
        while place != before:
            self.draw(1)
            before, place = place, target.to_window(*target.center)
        return float(place[0]), float(place[1])

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Draw frames until the condition holds. Raises WindowSilent where it never does."""
        end = time.monotonic() + WAIT_S
        while not condition():
            if time.monotonic() > end:
                raise WindowSilent(
                    "waited in vain for {what}; the window says: {texts}",
                    what=what, texts=" | ".join(self.texts()),
                )  # fmt: skip
            self.draw(1)
            time.sleep(PAUSE_S)

    def draw(self, frames: int) -> None:
        """That many frames, and the window system's events before each."""
        for _ in range(frames):
            began, worked = time.monotonic(), time.thread_time()
            self._loop.idle()
            self._loop.window.mainloop()
            self.frames_ms.append(1000 * (time.monotonic() - began))
            self.work_ms.append(1000 * (time.thread_time() - worked))

    def texts(self) -> list[str]:
        """All that the window says."""
        from kivy.uix.label import Label

        walked = self.root.walk(restrict=True)
        return [each.text for each in walked if isinstance(each, Label) and each.text.strip()]

    def write_picture(self, path: Path) -> None:
        """What the window shows, as a PNG."""
        from companion.app.shell.application import write_screenshot

        _draw_all()
        self.draw(SETTLE_FRAMES)
        write_screenshot(path)

    def close(self) -> None:
        """As a person closes the window: what is kept is on disk afterwards."""
        from kivy.base import stopTouchApp

        self.controller.close()
        stopTouchApp()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Finger:
    """An input provider as Kivy has them for touch screens: asked once a frame."""

    def __init__(self) -> None:
        self._waiting: list[tuple[str, Any, tuple[float, float] | None]] = []

    def touch(self, place: tuple[float, float]) -> None:
        """Down and up at that place, in parts of the window's size."""
        self.release(self.press(place))

    def press(self, place: tuple[float, float]) -> Any:
        """Down at that place; the touch."""
        touch = _make_touch(place)
        self._waiting.append(("begin", touch, None))
        return touch

    def release(self, touch: Any, place: tuple[float, float] | None = None) -> None:
        """Up at that place, or where it is."""
        if place is not None:
            self._waiting.append(("update", touch, place))
        self._waiting.append(("end", touch, None))

    def start(self) -> None:
        """Called by Kivy."""

    def stop(self) -> None:
        """Called by Kivy."""

    def update(self, dispatch_fn: Callable[[str, Any], None]) -> None:
        """Called by Kivy: hand on what has come since."""
        waiting, self._waiting = self._waiting, []
        for kind, touch, place in waiting:
            if place is not None:
                touch.move(place)
            dispatch_fn(kind, touch)


def _make_touch(place: tuple[float, float]) -> Any:
    from kivy.input.motionevent import MotionEvent

    class Touch(MotionEvent):  # type: ignore[misc]
        def depack(self, args: tuple[float, float]) -> None:
            self.profile = ["pos"]
            self.sx, self.sy = args
            super().depack(args)

    return Touch("finger", time.monotonic_ns(), place, is_touch=True, type_id="touch")


def _draw_corner_only() -> None:
    from kivy.graphics.opengl import GL_SCISSOR_TEST, glEnable, glScissor

    glScissor(0, 0, 8, 8)
    glEnable(GL_SCISSOR_TEST)


def _draw_all() -> None:
    from kivy.core.window import Window
    from kivy.graphics.opengl import GL_SCISSOR_TEST, glDisable

    glDisable(GL_SCISSOR_TEST)
    Window.canvas.ask_update()


def read_memory_mb() -> float:
    """What this process has in memory now (resident), MB of 2^20 bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / BYTES_PER_MB


def measure_growth(used_mb: Sequence[float]) -> int:
    """From the second quarter of what was measured to the last, medians, MB."""
    quarter = max(1, len(used_mb) // 4)
    return round(median(used_mb[-quarter:]) - median(used_mb[quarter : 2 * quarter] or used_mb))
