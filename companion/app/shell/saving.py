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
        self._unwritten: list[T] = []
        self._writing = False

    def put(self, value: T) -> None:
        """Have `value` written, and nothing older any more; returns at once."""
        with self._changed:
            self._next = [value]
            self._unwritten = []
            if not self._writing:
                self._writing = True
                threading.Thread(target=self._run, name="saving", daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait until no write is under way, but no longer than that; whether the newest value is written."""
        with self._changed:
            self._changed.wait_for(lambda: not self._writing, seconds)
            return not (self._writing or self._unwritten)

    def finish(self, seconds: float) -> bool:
        """Try once more to write a value that could not be written, and wait; whether all is written."""
        with self._changed:
            if self._unwritten:
                self.put(self._unwritten[0])
        return self.wait(seconds)

    def _run(self) -> None:
        """Write until there is nothing more; the thread then ends, and with it its hold on the window."""
        while taken := self._take():
            try:
                self._write(taken[0])
            except Exception as error:
                if not isinstance(error, OSError):
                    log.exception("saving")
                with self._changed:
                    self._unwritten = [] if self._next else taken
                self._failed(error)

    def _take(self) -> list[T]:
        """The value to be written, as a list of one; an empty one where there is none."""
        with self._changed:
            taken, self._next = self._next, []
            if not taken:
                self._writing = False
                self._changed.notify_all()
            return taken
