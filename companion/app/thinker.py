"""Long jobs on a thread of their own, whose results come one by one: a newer job ends the one before."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from companion.game.updates import Post

T = TypeVar("T")
END_S = 1.0
"""The longest wait for a thread to end with the window: it asks several times a second whether to stop."""
log = logging.getLogger(__name__)


class Thinker(Generic[T]):
    """Runs one job after the other; a newer one ends the one before. The results of a job go to `tell`, on
    the window's thread, while it is the newest."""

    def __init__(self, post: Post, name: str, niceness: int = 0) -> None:
        """niceness: of the threads, 0 to 19; with a higher one the window and the table go first."""
        self._post = post
        self._name = name
        self._niceness = niceness
        self._number = 0
        self._threads: list[threading.Thread] = []

    def begin(self, job: Callable[[Callable[[], bool]], Iterator[T]], tell: Callable[[T], None]) -> None:
        """Run `job`, which asks what it is given often whether to stop."""
        self._number += 1
        number = self._number

        def is_over() -> bool:
            return number != self._number

        def work() -> None:
            if self._niceness and sys.platform == "linux":  # elsewhere threads have none of their own
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), self._niceness)
            try:
                for found in job(is_over):
                    if is_over():
                        return
                    self._post(lambda found=found: None if is_over() else tell(found))  # type: ignore[misc]
            except Exception:
                log.exception("a job of %s", self._name)

        thread = threading.Thread(target=work, name=self._name, daemon=True)
        self._threads = [*(each for each in self._threads if each.is_alive()), thread]
        thread.start()

    def stop(self) -> None:
        """End what runs; nothing of it is reported any more."""
        self._number += 1

    def close(self) -> None:
        """End what runs, and wait for it, but no longer than END_S."""
        self.stop()
        for thread in self._threads:
            thread.join(END_S)
