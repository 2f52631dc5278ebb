"""Speaks phrases with an installed voice, each by a program of its own, on its own thread.

Nobody waits for it. What is important goes before what is not, and what has waited too long is dropped: a
claim of a turn ago helps nobody. Without a voice it is silent.
"""

from __future__ import annotations

import logging
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.live.announcer.phrases import Phrase, Weight
from companion.live.announcer.voices import Voice

STALE_S = 6.0
"""A phrase that could not begin for so long is dropped; wins and the Sea Floor are not."""
SAY_MAX_S = 30.0
"""A program that speaks longer than this hangs, and is ended."""

log = logging.getLogger(__name__)


PlayFile = Callable[[Path, int], None]
"""Plays a WAV file at a volume of 0 to 100, and returns when it is over."""


class Speaker:
    """`say` returns at once. volume: 0, silent, to 100. voices: of Mandarin, True, and of English, False;
    a language without one is not spoken. play: for voices that write a file."""

    def __init__(
        self,
        voices: Mapping[bool, Voice] | None = None,
        volume: int = 80,
        *,
        play: PlayFile = lambda path, volume: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.volume = volume
        self.voices = voices or {}
        self._play = play
        self._clock = clock
        self._changed = threading.Condition()
        self._waiting: list[tuple[float, Phrase]] = []
        self._closed = False
        self._program: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None

    def say(self, phrases: Sequence[Phrase]) -> None:
        """Have them spoken, the most important and then the newest first."""
        spoken = [phrase for phrase in phrases if phrase.chinese in self.voices]
        if not spoken or self.volume <= 0:
            return
        with self._changed:
            self._waiting.extend((self._clock(), phrase) for phrase in spoken)
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
        voice = self.voices.get(phrase.chinese)
        if voice is None:
            return
        if voice.model is None:
            self._run_program(voice.make_command(phrase, self.volume), phrase)
            return
        with TemporaryDirectory(prefix="voice-") as folder:
            wav = Path(folder) / "said.wav"
            if self._run_program(voice.make_command(phrase, self.volume, wav), phrase) and wav.is_file():
                self._play(wav, self.volume)

    def _run_program(self, command: list[str], phrase: Phrase) -> bool:
        """Whether the program ran to its end, and nobody wants silence since."""
        with self._changed:
            if self._closed:
                return False
            self._program = program = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        try:
            program.communicate(phrase.text.encode(), timeout=SAY_MAX_S)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
        return not self._closed and program.returncode == 0
