"""Speaks phrases through a speech engine that is installed, each as a program of its own, on its own thread.

Nobody waits for it. What is important goes before what is not, and what has waited too long is dropped: a
claim of a turn ago helps nobody. Without an engine it is silent.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Sequence

from companion.running.announcer.phrases import Phrase, Weight

ENGINES = ("espeak-ng", "espeak")
STALE_S = 6.0
"""A phrase that could not begin for so long is dropped; wins and the Sea Floor are not."""
SAY_MAX_S = 30.0
"""A program that speaks longer than this hangs, and is ended."""

log = logging.getLogger(__name__)


def find_engine() -> str | None:
    """The path of the speech engine that is installed, None without one."""
    return next((path for name in ENGINES if (path := shutil.which(name))), None)


def make_command(engine: str, phrase: Phrase, volume: int) -> list[str]:
    """The command that speaks it; volume: 0 to 100. The text comes on its standard input, never as an
    option."""
    return [engine, "-v", "cmn" if phrase.chinese else "en", "-a", str(round(volume * 2)), "--stdin"]


class Speaker:
    """`say` returns at once. volume: 0, silent, to 100."""

    def __init__(
        self, engine: str | None, volume: int = 80, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.volume = volume
        self._engine = engine
        self._clock = clock
        self._changed = threading.Condition()
        self._waiting: list[tuple[float, Phrase]] = []
        self._closed = False
        self._program: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None

    def say(self, phrases: Sequence[Phrase]) -> None:
        """Have them spoken, the most important and then the newest first."""
        if self._engine is None or not phrases:
            return
        with self._changed:
            self._waiting.extend((self._clock(), phrase) for phrase in phrases)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="announcer", daemon=True)
                self._thread.start()
            self._changed.notify()

    def close(self) -> None:
        """Be silent, at once and for good."""
        with self._changed:
            self._closed = True
            self._waiting = []
            if self._program:
                self._program.kill()
            self._changed.notify()

    def _run(self) -> None:
        while (phrase := self._take()) is not None:
            if self.volume > 0:
                try:
                    self._speak(phrase)
                except OSError:
                    log.exception("the speech engine")

    def _take(self) -> Phrase | None:
        """The next phrase, None at the end."""
        with self._changed:
            while not self._closed:
                self._drop_stale()
                if self._waiting:
                    chosen = max(self._waiting, key=lambda waiting: (waiting[1].weight, waiting[0]))
                    self._waiting.remove(chosen)
                    return chosen[1]
                self._changed.wait()
            return None

    def _drop_stale(self) -> None:
        oldest = self._clock() - STALE_S
        self._waiting = [
            (since, phrase)
            for since, phrase in self._waiting
            if since >= oldest or phrase.weight >= Weight.WIN
        ]

    def _speak(self, phrase: Phrase) -> None:
        assert self._engine is not None
        with self._changed:
            if self._closed:
                return
            self._program = subprocess.Popen(
                make_command(self._engine, phrase, self.volume),
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        try:
            self._program.communicate(phrase.text.encode(), timeout=SAY_MAX_S)
        except subprocess.TimeoutExpired:
            self._program.kill()
            self._program.wait()
