"""Tells systemd, where that started the window, that it is open and that its thread moves: sd_notify(3),
Type=notify and WatchdogSec."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Callable
from typing import TypeAlias

Schedule: TypeAlias = Callable[[Callable[[float], None], float], object]
"""Calls a function at an interval, s, on the window's thread, as Kivy's Clock.schedule_interval does."""
MICROSECONDS = 1_000_000


def report_open(schedule: Schedule) -> None:
    """Say that the window is open, and from now on twice within WatchdogSec that it moves. Without systemd,
    nothing."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    _send(address, "READY=1")
    if limit_us := os.environ.get("WATCHDOG_USEC", ""):
        schedule(lambda _: _send(address, "WATCHDOG=1"), int(limit_us) / MICROSECONDS / 2)


def _send(address: str, message: str) -> None:
    if sys.platform == "win32":  # has neither systemd nor such sockets
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender, contextlib.suppress(OSError):
        sender.setblocking(False)
        sender.sendto(message.encode(), address.replace("@", "\0", 1) if address.startswith("@") else address)
