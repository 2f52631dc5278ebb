"""A kept game that another process writes, such as the window or `companion track`: watched without a lock.

The writer never waits for a watcher. Whether its file has changed shows in sizes and times; what was read in
the middle of a transaction is read again.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.errors import CompanionError
from companion.game.file import (
    EntriesBesideWriter,
    GameEntry,
    list_standing,
    read_entries,
)
from companion.game.log import GameLog
from companion.game.shelf import Stamp, take_stamp
from companion.table.events import Event, decode_event
from companion.table.state import State

UNSETTLED_S = 2.0
"""A file that cannot be read for this long is not in the middle of a transaction."""
SAME_TIME_NS = 50_000_000
"""Two changes within this time may leave the same time on a file: it is read again."""


@dataclass(frozen=True, slots=True)
class PlayedSoFar:
    """A game at one moment. name: of the kept game. events: those that stand; state: where they lead."""

    name: str
    events: tuple[Event, ...]
    state: State


class WatchedGame:
    """The kept game in the file `path`. One thread at a time; this process must not have the game open.

    entries: all that was entered when `poll` was last called, in order, what was undone included.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: Sequence[GameEntry] = ()
        self._entries = EntriesBesideWriter(path)
        self._stamp: Stamp | None = None
        self._log = GameLog()
        self._standing: list[GameEntry] = []
        self._unsettled_since_s: float | None = None

    def poll(self) -> PlayedSoFar | None:
        """The game if it has changed since the last call. GameFileError if it cannot be read, InputError if
        it is gone or its events cannot have happened: then it may be asked again."""
        stamp = take_stamp(self.path)
        if stamp and stamp == self._stamp:
            return None
        entries = self._read()
        if entries is None:
            return None
        is_old = bool(stamp) and time.time_ns() - max(stamp[1::3]) > SAME_TIME_NS
        self._stamp = stamp if is_old else None
        self.entries = entries
        standing = list_standing(entries)
        if standing == self._standing:
            return None
        self._follow(standing)
        assert self._log.state is not None
        return PlayedSoFar(self.path.stem, tuple(self._log.standing), self._log.state)

    def _read(self) -> list[GameEntry] | None:
        now_s = time.monotonic()
        try:
            entries = self._entries.read()
        except CompanionError:
            if not self.path.exists():
                raise
            entries = None
        if entries is not None:
            self._unsettled_since_s = None
        elif self._unsettled_since_s is None:
            self._unsettled_since_s = now_s
        elif now_s - self._unsettled_since_s > UNSETTLED_S:
            return read_entries(self.path)  # a writer was killed, or the file is of an older program
        return entries

    def _follow(self, standing: Sequence[GameEntry]) -> None:
        """Take back what stands no longer, and enter what is new."""
        same = 0
        for before, now in zip(self._standing, standing, strict=False):
            if before != now:
                break
            same += 1
        if not same:
            self._log, self._standing = GameLog(), []
            self._log.resume([decode_event(entry.event) for entry in standing], ())
            self._standing = list(standing)
            return
        self._log.move(same - len(self._standing))
        del self._standing[same:]
        for entry in standing[same:]:
            self._log.enter(decode_event(entry.event))
            self._standing.append(entry)
