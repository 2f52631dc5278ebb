"""Plays the sounds of the table, on a thread of its own: nobody waits for a sound card.

Kivy plays them through SDL, which finds PipeWire, PulseAudio or ALSA. Where there is no sound card, or it
does not answer, it is silent.
"""

from __future__ import annotations

import ctypes
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from companion.files import write_whole
from companion.live.tones import Cue, make_wav

log = logging.getLogger(__name__)

LoadSound = Callable[[Path], Any]
"""A sound that can be played, as Kivy's `Sound`; None where it cannot be."""


def load_with_kivy(path: Path) -> Any:
    """The sound of that file. The first one opens the sound card, which may take seconds."""
    _hush_alsa()
    from kivy.core.audio import SoundLoader

    sound = SoundLoader.load(str(path))
    return sound if sound is not None and sound.length > 0 else None


@cache
def _hush_alsa() -> None:
    """Have ALSA say nothing on the terminal: it lists there what a computer without a sound card lacks.

    What it calls instead is a function of C, which does nothing with what it is given. One of Python's would
    wait for ever as the window closes: SDL then waits for its own thread, which may be calling it.
    """
    with suppress(OSError, AttributeError):
        nothing = ctypes.cast(ctypes.CDLL(None).getpid, ctypes.c_void_p)
        ctypes.CDLL("libasound.so.2").snd_lib_error_set_handler(nothing)


class SoundPlayer:
    """`play` returns at once. volume: 0, silent, to 100. folder: where the sounds are kept as files, made
    where they are not."""

    def __init__(self, folder: Path, load: LoadSound = load_with_kivy) -> None:
        self.volume = 0
        self._folder = folder
        self._load = load
        self._changed = threading.Condition()
        self._loading = threading.Lock()
        self._waiting: Cue | None = None
        self._closed = False
        self._sounds: dict[Cue, Any] = {}
        self._thread: threading.Thread | None = None

    def play(self, cue: Cue) -> None:
        """Have it heard; of those that wait for a slow sound card, only the one that matters most."""
        if self.volume <= 0:
            return
        with self._changed:
            self._waiting = cue if self._waiting is None else max(cue, self._waiting)
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="sounds", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def play_file(self, path: Path, volume: int) -> None:
        """Play a WAV file, and return when it is over, or this is closed. volume: 0 to 100."""
        try:
            with self._loading:
                sound = self._load(path)
            if sound is None:
                return
            sound.volume = volume / 100
            sound.play()
            with self._changed:
                self._changed.wait_for(lambda: self._closed, sound.length)
            sound.stop()
            sound.unload()
        except Exception:
            log.exception("the sound %s", path.name)

    def close(self) -> None:
        """Be silent, at once and for good."""
        with self._changed:
            self._closed = True
            self._waiting = None
            self._changed.notify_all()

    def _run(self) -> None:
        while (cue := self._take()) is not None:
            try:
                self._play_now(cue)
            except Exception:
                log.exception("the sound %s", cue.name)

    def _take(self) -> Cue | None:
        """What is played next, None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._waiting is not None)
            cue, self._waiting = self._waiting, None
            return None if self._closed else cue

    def _play_now(self, cue: Cue) -> None:
        if cue not in self._sounds:
            self._sounds[cue] = self._make(cue)
        sound = self._sounds[cue]
        if sound is not None:
            sound.volume = self.volume / 100
            sound.play()

    def _make(self, cue: Cue) -> Any:
        path, content = self._folder / f"{cue.name.lower()}.wav", make_wav(cue)
        if not path.is_file() or path.read_bytes() != content:
            write_whole(path, content)
        with self._loading:
            return self._load(path)
