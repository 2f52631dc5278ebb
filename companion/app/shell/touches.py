"""Every touch is answered, in order, on what the one before has left on the screen.

Where a frame takes long, several touches come within it. Handed on at once, the second would reach a page
that the first has changed, but whose parts have no place yet.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.input.motionevent import MotionEvent

BUDGET_S = 0.08
"""Touches are answered for so long before a frame is drawn: what was touched is to be seen, too."""

Event = tuple[str, MotionEvent]


class TouchQueue:
    """A step between Kivy's input and its widgets (`EventLoop.postproc_modules`).

    dispatch: hands an event to the widgets. settle: lays out what that has changed.
    """

    def __init__(self, dispatch: Callable[[str, MotionEvent], object], settle: Callable[[], None]) -> None:
        self._dispatch = dispatch
        self._settle = settle
        self._waiting: deque[Event] = deque()

    def process(self, events: list[Event]) -> list[Event]:
        """Answer these events after those that wait; nothing is left for Kivy to hand on."""
        self._waiting.extend(events)
        begun = time.monotonic()
        while self._waiting:
            kind, touch = self._waiting.popleft()
            self._dispatch(kind, touch)
            if kind == "end" and touch.is_touch:
                self._settle()
                if time.monotonic() - begun > BUDGET_S:
                    break
        if self._waiting:
            Clock.schedule_once(lambda _: None)  # another frame follows at once
        return []


def queue_touches() -> TouchQueue:
    """Have every touch of the window answered in order from now on."""
    queue = TouchQueue(EventLoop.post_dispatch_input, Clock.tick_draw)
    EventLoop.postproc_modules.append(queue)
    return queue
