"""How Ctrl-C, SIGTERM and SIGHUP end the program, for all commands and the window.

A handler that raises is not enough: Python drops what is raised while it collects garbage. So a signal is
noted and a pipe becomes readable. Long-running code runs in `until_stopped`, and ends where it calls `check`
or waits by `wait_readable`; only if it does neither for a while is it interrupted. Other commands
are `interruptible`: KeyboardInterrupt is raised in them at once. Where it was dropped it is raised again. A
second signal ends the process at once.
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum, auto
from functools import cache
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SAME_S = 1.0
"""Signals within this time of the first belong to it: terminals and service managers send several."""
LATE_S = 2.0
"""Code in `until_stopped` that has not noticed a signal within this time is interrupted."""
AGAIN_S = 0.01
"""The pause after which a dropped interrupt is raised again."""
SIGNAL_STATUS = 128
"""Added by shells to a signal's number for the status of a program that it ended."""


class _Mode(Enum):
    """What a signal does besides being noted."""

    NOTE = auto()
    CHECK = auto()  # `check` raises, and the handler late
    RAISE = auto()  # the handler raises


class _Signals:
    """The signal that came, and the handlers that ours replaced. Only the main thread changes it."""

    def __init__(self) -> None:
        self.came: int | None = None
        self.mode = _Mode.NOTE
        self._came_s = 0.0
        reading, writing = _pipe()
        with suppress(BlockingIOError):
            os.read(reading, select.PIPE_BUF)
        self._wakeup = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        self._hook = sys.unraisablehook
        sys.unraisablehook = self._find_dropped
        # Shells make the background jobs of scripts ignore SIGINT; one that is sent to this program is meant.
        left_out = signal.SIGHUP if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN else None
        self._handlers = {each: signal.signal(each, self._note) for each in SIGNALS if each != left_out}
        self._handlers[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._interrupt)

    def restore(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        signal.set_wakeup_fd(self._wakeup)
        sys.unraisablehook = self._hook

    def _note(self, number: int, _: FrameType | None) -> None:
        now_s = time.monotonic()
        if number == signal.SIGHUP:
            _leave_terminal()
        if self.came is None:
            self.came, self._came_s = number, now_s
            if self.mode is _Mode.RAISE:
                raise KeyboardInterrupt
            if self.mode is _Mode.CHECK:
                signal.setitimer(signal.ITIMER_REAL, LATE_S)
        elif now_s - self._came_s > SAME_S:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    def _find_dropped(self, dropped: sys.UnraisableHookArgs) -> None:
        if self.came is not None and issubclass(dropped.exc_type, KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, AGAIN_S)
        else:
            self._hook(dropped)

    def _interrupt(self, *_: object) -> None:
        if self.mode is not _Mode.NOTE:
            raise KeyboardInterrupt


_signals: _Signals | None = None


@cache
def _pipe() -> tuple[int, int]:
    """Its reading end becomes readable with the first signal; made once, since threads may wait for it."""
    ends = os.pipe()
    # Not in the place of a standard stream that is closed.
    reading, writing = (fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 3) for each in ends)
    for each in ends:
        os.close(each)
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    return reading, writing


def heed_signals() -> Callable[[], None]:
    """Note signals from now on; returns what ends that. Changes nothing where they are heeded already, and
    on other threads than the main one. SIGHUP stays ignored where it is, as by nohup.
    """
    global _signals
    if _signals is not None or not _is_main():
        return lambda: None
    heeded = _signals = _Signals()

    def restore() -> None:
        global _signals
        heeded.restore()
        _signals = None

    return restore


def came() -> int | None:
    """The signal that asked the program to end; None as long as none did."""
    return _signals.came if _signals else None


def exit_status() -> int:
    """The exit status of a command that a signal ended before it was done: 130 for Ctrl-C."""
    return SIGNAL_STATUS + (came() or signal.SIGINT)


@contextmanager
def interruptible() -> Iterator[None]:
    """Within it the first signal raises KeyboardInterrupt, once."""
    with _in(_Mode.RAISE):
        yield


@contextmanager
def noted() -> Iterator[None]:
    """Within it nothing is raised: `came` and `call_when_stopped` tell when to end."""
    restore = heed_signals()
    try:
        with _in(_Mode.NOTE):
            yield
    finally:
        restore()


@contextmanager
def until_stopped() -> Iterator[None]:
    """Within it the first signal makes `check` and `wait_readable` raise KeyboardInterrupt, which ends the
    block without an error.
    """
    restore = heed_signals()
    try:
        with _in(_Mode.CHECK), suppress(KeyboardInterrupt):
            yield
    finally:
        restore()


def check() -> None:
    """Raise KeyboardInterrupt where a signal asked a block of `until_stopped` to end; on the main thread."""
    if _signals is not None and _signals.mode is _Mode.CHECK and _signals.came is not None and _is_main():
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise KeyboardInterrupt


def wait_readable(file: int | None, timeout_s: float) -> bool:
    """Wait until there is something to read from that descriptor, or its other end was closed; whether so
    within the timeout. With None only a signal ends the wait early. Raises as `check`, when a signal comes.
    """
    check()
    poll = select.poll()
    if file is not None:
        poll.register(file, select.POLLIN)
    if _signals is not None and _signals.mode is _Mode.CHECK and _is_main():
        poll.register(_pipe()[0], select.POLLIN)
    ready = poll.poll(1000 * timeout_s)
    check()
    return any(each == file for each, _ in ready)


def call_when_stopped(call: Callable[[], None]) -> None:
    """Have `call` called once, on a thread of its own, when a signal comes or if one came before. It is
    called even while the main thread is in a library that does not return to Python.
    """

    def wait() -> None:
        poll = select.poll()
        poll.register(_pipe()[0], select.POLLIN)
        poll.poll()
        call()

    threading.Thread(target=wait, name="signals", daemon=True).start()


@contextmanager
def _in(mode: _Mode) -> Iterator[None]:
    if _signals is None or not _is_main():
        yield
        return
    before, _signals.mode = _signals.mode, mode
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        _signals.mode = before


def _leave_terminal() -> None:
    """Discard all further output once the terminal is gone: writing to it would be an error."""
    for file in (1, 2):
        try:
            os.get_terminal_size(file)
        except OSError as error:
            if error.errno == errno.EIO:
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, file)
                os.close(nowhere)


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()
