"""Frames of the real window, drawn whole or only in a corner, and a finger that touches it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


def draw_corners_only() -> None:
    """Have every frame drawn with all its instructions, but only into a corner of the window.

    Filling the window's pixels in software is half of the work, and few tests look at them.
    """
    from kivy.graphics.opengl import GL_SCISSOR_TEST, glEnable, glScissor

    glScissor(0, 0, 8, 8)
    glEnable(GL_SCISSOR_TEST)


@contextmanager
def whole_frames() -> Iterator[None]:
    """The next frame, and those after it until the end, are drawn into the whole window."""
    from kivy.core.window import Window
    from kivy.graphics.opengl import GL_SCISSOR_TEST, glDisable

    glDisable(GL_SCISSOR_TEST)
    Window.canvas.ask_update()  # else Kivy draws nothing where nothing has changed
    try:
        yield
    finally:
        draw_corners_only()


def make_finger(x: float, y: float):  # type: ignore[no-untyped-def]
    from kivy.base import EventLoop
    from kivy.input.motionevent import MotionEvent

    width, height = EventLoop.window.width - 1, EventLoop.window.height - 1

    class Finger(MotionEvent):  # type: ignore[misc]
        def depack(self, args: tuple[float, float]) -> None:
            self.profile = ["pos"]
            self.sx, self.sy = args
            super().depack(args)

        def down(self) -> None:
            EventLoop.post_dispatch_input("begin", self)

        def to(self, x: float, y: float) -> None:
            self.move((x / width, y / height))
            EventLoop.post_dispatch_input("update", self)

        def up(self) -> None:
            EventLoop.post_dispatch_input("end", self)

    return Finger("finger", time.monotonic_ns(), (x / width, y / height), is_touch=True, type_id="touch")
