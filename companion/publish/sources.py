"""Where the entries that are sent come from: a kept game that another process writes, or this process's."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.errors import CompanionError
from companion.game.file import GameEntry
from companion.game.owner import GameOwner
from companion.game.updates import PlayedGame, Update
from companion.game.watching import PlayedSoFar, WatchedGame
from companion.sentences import Sentence


@dataclass(frozen=True, slots=True)
class KeptSoFar:
    """A kept game at one moment. played: what it has come to, None where no game is kept. entries: all that
    was entered in it, in order. trouble: why nothing newer is known."""

    played: PlayedSoFar | None = None
    entries: Sequence[GameEntry] = ()
    trouble: Sentence | None = None


class Source(Protocol):
    """A kept game, or one after the other."""

    def read(self) -> KeptSoFar:
        """The game to be sent now. Call it again once all of its entries are sent."""


class WatchedSource:
    """The kept game in a file that another process writes. One thread at a time; a process that has the game
    open itself needs a `PlayedSource`, or would lose its lock."""

    def __init__(self, path: Path) -> None:
        self._watched = WatchedGame(path)
        self._newest: PlayedSoFar | None = None

    def read(self) -> KeptSoFar:
        trouble = None
        try:
            self._newest = self._watched.poll() or self._newest
        except CompanionError as problem:
            trouble = problem.sentence
        return KeptSoFar(self._newest, self._watched.entries, trouble)


class PlayedSource:
    """The game that this process plays, until `close`. A game that was left before it was read comes before
    the next one, so that none of its entries has to wait until it is played again."""

    def __init__(self, game: GameOwner) -> None:
        self._game = game
        self._played = PlayedGame()
        self._unread: deque[KeptSoFar] = deque([KeptSoFar()])
        self._changing = threading.Lock()
        game.subscribe(self._receive)

    def read(self) -> KeptSoFar:
        with self._changing:
            return self._unread.popleft() if len(self._unread) > 1 else self._unread[0]

    def close(self) -> None:
        self._game.unsubscribe(self._receive)

    def _receive(self, update: Update) -> None:
        """Runs on the game's thread."""
        before, self._played = self._played, self._played.apply_update(update)
        if self._played is not before:
            self._add(self._describe())

    def _describe(self) -> KeptSoFar:
        progress, name = self._played.progress, self._played.name
        if progress is None or name is None:
            return KeptSoFar()
        return KeptSoFar(PlayedSoFar(name, progress.events, progress.state), self._game.entries)

    def _add(self, kept: KeptSoFar) -> None:
        with self._changing:
            newest = self._unread[-1]
            if newest.entries[:1] == kept.entries[:1]:  # a game is known by its first entry
                self._unread[-1] = kept if _differ(newest, kept) else newest
            else:
                self._unread.append(kept)


def _differ(before: KeptSoFar, after: KeptSoFar) -> bool:
    """Whether a game has changed: not where only a proposal waits, or was refused."""
    if before.played is None or after.played is None:
        return before.played is not after.played
    is_same = before.played.events is after.played.events and before.played.name == after.played.name
    return not is_same or len(before.entries) != len(after.entries)
