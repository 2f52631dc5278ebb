"""How other threads hand something to the window's."""

from __future__ import annotations

from collections.abc import Callable

from kivy.clock import Clock


def call_on_window_thread(call: Callable[[], None]) -> None:
    """Run `call` with the next frame; may be called from any thread."""
    Clock.schedule_once(lambda _: call(), 0)
