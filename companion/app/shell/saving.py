"""Writes what is kept away from the window's thread: in order, the newest value wins. No Kivy."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

log = logging.getLogger(__name__)


class Writer(Generic[T]):
    """Begins to write a value as soon as it is put; one that is put meanwhile is written next.

    write: raises OSError where it cannot. failed: called on the writer's thread with what was raised.
    """

    def __init__(self, write: Callable[[T], None], failed: Callable[[Exception], None]) -> None:
        self._write = write
        self._failed = failed
        self._changed = threading.Condition()
        self._next: list[T] = []
        self._writing = False

    def put(self, value: T) -> None:
        """Have `value` written; returns at once."""
        with self._changed:
            self._next = [value]
            if not self._writing:
                self._writing = True
                threading.Thread(target=self._run, name="saving", daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait until all is written, but no longer than that; whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._writing, seconds)

    def _run(self) -> None:
        """Write until there is nothing more; the thread then ends, and with it its hold on the window."""
        while (value := self._take()) is not None:
            try:
                self._write(value)
            except Exception as error:
                if not isinstance(error, OSError):
                    log.exception("saving")
                self._failed(error)

    def _take(self) -> T | None:
        with self._changed:
            if self._next:
                return self._next.pop()
            self._writing = False
            self._changed.notify_all()
            return None
