"""What subscribers of a running game get: immutable values, in the order in which things happened.

Devices and cameras add updates of their own (live/devices.py); all of them are `Update`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from companion.game.deciding import Decision, Progress
from companion.sentences import Sentence

Post = Callable[[Callable[[], None]], None]
"""Schedules a call on the thread that owns the state; returns immediately, from any
thread."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Update:
    """Something happened in a running game."""


@dataclass(frozen=True, slots=True)
class GameOpened(Update):
    """A game was opened. Also sent to a new subscriber, with None if no game is open.
    path: of the file in which it is kept.
    """

    progress: Progress | None
    path: Path | None


@dataclass(frozen=True, slots=True)
class Decided(Update):
    """A proposal was decided about; an accepted one is on the disk."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class Moved(Update):
    """Events were undone or redone, or proposals wait no longer."""

    progress: Progress


@dataclass(frozen=True, slots=True)
class OperationFailed(Update):
    """Something could not be done. The game continues as it was."""

    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Closed(Update):
    """The last update."""


@dataclass(frozen=True, slots=True)
class Subscriber:
    """`deliver` is called by way of `post`; without one immediately, on the thread of the owner."""

    deliver: Callable[[Update], None]
    post: Post | None = None

    def send(self, update: Update) -> None:
        """Deliver the update. A subscriber that fails is logged: it must not keep the others from knowing."""
        try:
            if self.post is None:
                self.deliver(update)
            else:
                self.post(lambda: self.deliver(update))
        except Exception:
            log.exception("a subscriber of the running game failed")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """The game that is being played, as a subscriber knows it from the updates.

    progress: None if no game is played; path: of the file in which it is kept, None where it is not.
    """

    progress: Progress | None = None
    path: Path | None = None

    @property
    def name(self) -> str | None:
        """The name of the kept game; None if it is not kept."""
        return self.path.stem if self.path else None

    def apply_update(self, update: Update) -> PlayedGame:
        """The game after that update."""
        match update:
            case GameOpened(progress, path):
                return PlayedGame(progress, path)
            case Decided(decision):
                return replace(self, progress=decision.progress)
            case Moved(progress):
                return replace(self, progress=progress)
        return self
