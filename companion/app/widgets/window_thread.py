"""How other threads hand something to the window's, which sleeps while there is nothing to do."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress

from kivy.clock import Clock

WAKE_READ, WAKE_WRITE = socket.socketpair()
"""Bytes that come by the first wake the window's thread."""
for _end in WAKE_READ, WAKE_WRITE:
    _end.setblocking(False)
WAKE_BYTES = 4096
"""The most that are read at a time."""


def wake() -> None:
    """Wake the window's thread, which then runs the pending work; from any thread, or a signal's handler."""
    with suppress(BlockingIOError):  # it is full: the thread wakes anyway
        WAKE_WRITE.send(b"\0")


_is_calling = False


def call_on_window_thread(call: Callable[[], None]) -> None:
    """Run `call` with the next frame; may be called from any thread."""
    Clock.schedule_once(lambda _: _run(call), 0)
    wake()


def is_calling() -> bool:
    """Whether such a call is running now. Others may follow before the frame is drawn."""
    return _is_calling


def _run(call: Callable[[], None]) -> None:
    global _is_calling
    _is_calling = True
    try:
        call()
    finally:
        _is_calling = False
