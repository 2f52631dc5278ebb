"""Who watches a table, and the newest of its documents for them: a viewer that falls behind skips the rest.

Everything here is on the server's event loop, except `Publisher`, which makes documents on its own thread so
that neither the game nor the loop waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import msgspec

from companion.errors import CompanionError
from companion.game.watching import PlayedSoFar
from companion.sentences import Sentence
from companion.serve.messages import BROKEN, NO_GAME
from companion.serve.remote import RemoteView
from companion.serve.shown import show_game, show_trouble
from companion.serve.wins import show_remote
from companion.sheets.hands import Sheet, make_sheet
from companion.words import Language, Words

VIEWERS_MAX = 200
log = logging.getLogger(__name__)

Watched = PlayedSoFar | Sentence
"""A game at one moment, or why there is none to show."""
NO_GAME_YET = Sentence(NO_GAME)


@dataclass(frozen=True, slots=True)
class Documents:
    """The answer to `GET /state` as JSON, by language. number: greater in every newer one."""

    number: int
    by_language: Mapping[Language, bytes]


@dataclass(eq=False, slots=True)
class Viewer:
    """One open page. `wake` is set when there is something newer, or when the viewer has left."""

    wake: asyncio.Event = field(default_factory=asyncio.Event)
    has_left: bool = False


class Viewers:
    """The viewers of one table, at most `VIEWERS_MAX`."""

    def __init__(self, newest: Documents) -> None:
        self.newest = newest
        self._viewers: set[Viewer] = set()

    def publish(self, documents: Documents) -> None:
        """Show it to all, in the place of what they have not been sent yet."""
        self.newest = documents
        for viewer in self._viewers:
            viewer.wake.set()

    @property
    def count(self) -> int:
        return len(self._viewers)

    def close(self) -> None:
        """Let all of them leave."""
        for viewer in self._viewers:
            viewer.has_left = True
            viewer.wake.set()

    @contextmanager
    def join(self) -> Iterator[Viewer | None]:
        """A new viewer until the block ends; None where the table has all it can have."""
        if len(self._viewers) >= VIEWERS_MAX:
            yield None
            return
        viewer = Viewer()
        self._viewers.add(viewer)
        try:
            yield viewer
        finally:
            self._viewers.discard(viewer)


class Publisher:
    """Makes documents of the newest game that it was handed, and hands them on to `publish`, on its thread.

    `hand_over` returns at once, from any thread: games that come meanwhile replace each other.
    """

    def __init__(self, publish: Callable[[Documents], None]) -> None:
        self._publish = publish
        self._changed = threading.Condition()
        self._next: Watched | None = None
        self._newest: Watched = NO_GAME_YET
        self._remote: RemoteView | None = None
        self._is_closed = False
        self._sheet: Sheet | None = None
        self._number = time.time_ns() // 1_000_000  # greater than before a restart
        self._thread = threading.Thread(target=self._run, name="served page", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def hand_over(self, watched: Watched) -> None:
        """Show this next."""
        with self._changed:
            self._next = self._newest = watched
            self._changed.notify()

    def hand_over_remote(self, remote: RemoteView) -> None:
        """Show these seats next, with the same game."""
        with self._changed:
            self._remote, self._next = remote, self._newest
            self._changed.notify()

    def close(self) -> None:
        """Publish no more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def make_documents(self, watched: Watched) -> Documents:
        """What viewers are shown of it, in every language."""
        self._number += 1
        if isinstance(watched, Sentence):
            return self._encode(lambda words: show_trouble(watched, self._number, words))
        try:
            sheet = self._sheet = make_sheet(watched.events, self._sheet)
            remote = self._remote
            return self._encode(
                lambda words: (
                    show_game(watched, sheet, self._number, words) | {"remote": show_remote(remote, words)}
                )
            )
        except CompanionError as problem:
            return self.make_documents(problem.sentence)
        except Exception:
            log.exception("a game could not be shown")
            return self.make_documents(Sentence(BROKEN))

    def _encode(self, show: Callable[[Words], object]) -> Documents:
        return Documents(self._number, {each: msgspec.json.encode(show(Words(each))) for each in Language})

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._next is not None or self._is_closed)
                watched, self._next = self._next, None
                if watched is None or self._is_closed:
                    return
            self._publish(self.make_documents(watched))
