"""A running game whose subscriber is the test."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from companion.game.deciding import Decision, Verdict
from companion.game.updates import Decided, OperationFailed, Update
from companion.live.running import RunningGame

WAIT_S = 60.0
U = TypeVar("U", bound=Update)


class Follower:
    """Keeps all updates."""

    def __init__(self, game: RunningGame) -> None:
        self.updates: list[Update] = []
        self.threads: set[int] = set()
        game.subscribe(self.take).result(WAIT_S)

    def take(self, update: Update) -> None:
        self.threads.add(threading.get_ident())
        self.updates.append(update)

    def of(self, kind: type[U]) -> list[U]:
        """The updates of that type."""
        return [each for each in self.updates if isinstance(each, kind)]

    @property
    def decisions(self) -> list[Decision]:
        return [each.decision for each in self.of(Decided)]

    @property
    def accepted(self) -> list[Decision]:
        return [each for each in self.decisions if each.verdict is Verdict.ACCEPTED]

    @property
    def troubles(self) -> list[str]:
        return [str(each.sentence) for each in self.of(OperationFailed)]


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)
