"""How Ctrl-C, SIGTERM and SIGHUP end the program, for all commands and the window.

A handler that raises is not enough: Python drops what is raised while it collects garbage. So a signal is
noted and a socket becomes readable (a pipe would do, but not on Windows). Long-running code runs in
`until_stopped`, and ends where it calls `check` or waits by `wait_readable`; only if it does neither for a
while is it interrupted. Other commands are `interruptible`: KeyboardInterrupt is raised in them at once.
Where it was dropped it is raised again. A second signal ends the process at once.
"""

from __future__ import annotations

import errno
import os
import selectors
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import Enum, auto
from functools import cache
from queue import Empty, SimpleQueue
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

SIGHUP: int | None = getattr(signal, "SIGHUP", None)
"""None on Windows."""
SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)
"""Windows sends SIGBREAK where its console is closed."""
SAME_S = 1.0
"""Signals within this time of the first belong to it: terminals and service managers send several."""
LATE_S = 2.0
"""Code in `until_stopped` that has not noticed a signal within this time is interrupted."""
AGAIN_S = 0.01
"""The pause after which a dropped interrupt is raised again."""
SIGNAL_STATUS = 128
"""Added by shells to a signal's number for the status of a program that it ended."""
CAME_BYTES = 4096
"""More than signals that came, one byte each."""
Selector: type[selectors.BaseSelector] = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""Waits for descriptors of any kind and number; on Windows for sockets only."""


class _Mode(Enum):
    """What a signal does besides being noted."""

    NOTE = auto()
    CHECK = auto()  # `check` raises, and the handler late
    RAISE = auto()  # the handler raises


class _Timer:
    """Interrupts the thread that made it, the main one, after a pause; even a sleep. It may be set anywhere,
    also in a handler and while garbage is collected. is_due: the signal that comes is the timer's; is_wanted:
    whether it is still to interrupt."""

    def __init__(self) -> None:
        self.is_due = self.is_wanted = False
        self._main = threading.get_ident()
        self._is_over = False
        self._pauses: SimpleQueue[float | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="timer", daemon=True)
        self._thread.start()

    def set(self, pause_s: float | None) -> None:
        """Interrupt after this pause and no longer after the one before; None: not at all."""
        self.is_wanted = pause_s is not None
        self._pauses.put(pause_s)

    def end(self) -> None:
        self._is_over = True
        self._pauses.put(None)
        self._thread.join()

    def _run(self) -> None:
        pause_s = None
        while not self._is_over:
            try:
                pause_s = self._pauses.get(timeout=pause_s)
            except Empty:
                pause_s = None
                self.is_due = True
                if sys.platform == "win32":
                    signal.raise_signal(signal.SIGINT)  # there it ends a sleep of the main thread
                else:
                    signal.pthread_kill(self._main, signal.SIGINT)


class _Signals:
    """The signal that came, and the handlers that ours replaced. Only the main thread changes it."""

    def __init__(self) -> None:
        self.came: int | None = None
        self.mode = _Mode.NOTE
        self._came_s = 0.0
        reading, writing = _sockets()
        with suppress(BlockingIOError):
            reading.recv(CAME_BYTES)
        self._wakeup = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        self.timer = _Timer()
        self._hook = sys.unraisablehook
        sys.unraisablehook = self._find_dropped
        # Shells make the background jobs of scripts ignore SIGINT; one that is sent to this program is meant.
        left_out = SIGHUP if SIGHUP and signal.getsignal(SIGHUP) == signal.SIG_IGN else None
        self._handlers = {each: signal.signal(each, self._note) for each in SIGNALS if each != left_out}

    def restore(self) -> None:
        self.timer.end()
        for number, handler in self._handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        signal.set_wakeup_fd(self._wakeup)
        sys.unraisablehook = self._hook

    def _note(self, number: int, _: FrameType | None) -> None:
        if self.timer.is_due and number == signal.SIGINT:
            self.timer.is_due = False
            if self.timer.is_wanted and self.mode is not _Mode.NOTE:
                raise KeyboardInterrupt
            return
        now_s = time.monotonic()
        if number == SIGHUP:
            _leave_terminal()
        if self.came is None:
            self.came, self._came_s = number, now_s
            if self.mode is _Mode.RAISE:
                raise KeyboardInterrupt
            if self.mode is _Mode.CHECK:
                self.timer.set(LATE_S)
        elif now_s - self._came_s > SAME_S:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    def _find_dropped(self, dropped: sys.UnraisableHookArgs) -> None:
        if self.came is not None and issubclass(dropped.exc_type, KeyboardInterrupt):
            self.timer.set(AGAIN_S)
        else:
            self._hook(dropped)


_signals: _Signals | None = None


@cache
def _sockets() -> tuple[socket.socket, socket.socket]:
    """The first becomes readable with the first signal; made once, since threads may wait for it."""
    ends = socket.socketpair()
    for each in ends:
        each.setblocking(False)
    return ends


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
        _signals.timer.set(None)
        raise KeyboardInterrupt


def wait_readable(file: int | None, timeout_s: float) -> bool:
    """Wait until there is something to read from that descriptor, or its other end was closed; whether so
    within the timeout. With None only a signal ends the wait early. Raises as `check`, when a signal comes.
    """
    check()
    awaited: list[FileDescriptorLike] = [] if file is None else [file]
    if _signals is not None and _signals.mode is _Mode.CHECK and _is_main():
        awaited.append(_sockets()[0])
    ready = _wait(awaited, timeout_s)
    check()
    return file in ready


def call_when_stopped(call: Callable[[], None]) -> None:
    """Have `call` called once, on a thread of its own, when a signal comes or if one came before. It is
    called even while the main thread is in a library that does not return to Python.
    """

    def wait() -> None:
        _wait(_sockets()[:1])
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
        _signals.timer.set(None)
        _signals.mode = before


def _wait(files: Sequence[FileDescriptorLike], timeout_s: float | None = None) -> list[FileDescriptorLike]:
    """The files from which something can be read, as soon as there is one; none after the timeout."""
    if not files and timeout_s is not None:
        time.sleep(timeout_s)  # Windows waits for one file at least
        return []
    with Selector() as selector:
        for each in files:
            selector.register(each, selectors.EVENT_READ)
        return [key.fileobj for key, _ in selector.select(timeout_s)]


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
