"""The one thread that owns a running game: it does what it is asked to, in order, and looks around at times.

Whoever asks never waits. Nothing that is done here can end the thread but `close`.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from companion.errors import CompanionError
from companion.sentences import Sentence

T = TypeVar("T")

LOOK_EVERY_S = 0.1
"""How often it looks around while there is something to see: links change their state without waking it."""

log = logging.getLogger(__name__)


class OwnerThread:
    """Calls `look` ten times a second while `is_busy` says that there is something to see, `settle` after
    each look and each task, `say` with what went wrong, and `finish` at the end; all on its thread.
    """

    def __init__(
        self,
        look: Callable[[], None],
        is_busy: Callable[[], bool],
        settle: Callable[[], None],
        say: Callable[[Sentence], None],
        finish: Callable[[], None],
    ) -> None:
        self._look = look
        self._is_busy = is_busy
        self._settle = settle
        self._say = say
        self._finish = finish
        self._tasks: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name="running game", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def post(self, task: Callable[[], None]) -> None:
        """Have `task` done soon; after `close` it is dropped."""
        with self._closing:
            if not self._is_closing:
                self._tasks.put(task)

    def ask(self, task: Callable[[], T]) -> Future[T]:
        """Have `task` done soon. The future holds its result, or its error, which is said too; after `close`
        it is cancelled. Nothing is done for a future that is cancelled before its turn.
        """
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = task()
            except Exception as error:
                self.report(error)
                future.set_exception(error)
            else:
                future.set_result(result)

        with self._closing:
            if self._is_closing:
                future.cancel()
            else:
                self._tasks.put(run)
        return future

    def close(self, seconds: float) -> None:
        """Do what was asked before, then end; waits at most that long."""
        with self._closing:
            if not self._is_closing:
                self._is_closing = True
                self._tasks.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join(seconds)

    def _run(self) -> None:
        look_at = time.monotonic() + LOOK_EVERY_S
        while True:
            wait_s = max(0.0, look_at - time.monotonic()) if self._is_busy() else None
            try:
                task = self._tasks.get(timeout=wait_s)
                if task is None:
                    break
                self.guard(task)
                self.guard(self._settle)
            except queue.Empty:
                pass
            if time.monotonic() >= look_at:
                look_at = time.monotonic() + LOOK_EVERY_S
                self.guard(self._look)
                self.guard(self._settle)
        self.guard(self._finish)

    def guard(self, task: Callable[[], object]) -> None:
        """Do it on this thread, the owner's; the game goes on whatever happens."""
        try:
            task()
        except Exception as error:
            self.report(error)

    def report(self, error: Exception) -> None:
        """Let it be known what went wrong; a fault of the program is logged."""
        if not isinstance(error, CompanionError):
            log.error("a fault in the running game", exc_info=error)
        self._say(describe_error(error))


def describe_error(error: Exception) -> Sentence:
    """What went wrong, in a sentence for people."""
    if isinstance(error, CompanionError):
        return error.sentence
    return Sentence(
        "Something inside the program went wrong ({why}): the game stands as it was.",
        {"why": str(error) or type(error).__name__},
    )
