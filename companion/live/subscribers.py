"""Who gets the updates of a running game."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from companion.live.posting import Post
from companion.live.updates import Update

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Subscriber:
    """`deliver` is called by way of `post`; without one at once, on the thread of the owner."""

    deliver: Callable[[Update], None]
    post: Post | None = None

    def send(self, update: Update) -> None:
        """Give it the update. One that fails is logged: it must not keep the others from knowing."""
        try:
            if self.post is None:
                self.deliver(update)
            else:
                self.post(lambda: self.deliver(update))
        except Exception:
            log.exception("a subscriber of the running game failed")


class Subscribers:
    """All that there are."""

    def __init__(self) -> None:
        self._all: tuple[Subscriber, ...] = ()

    def add(self, subscriber: Subscriber) -> None:
        self._all = (*self._all, subscriber)

    def remove(self, deliver: Callable[[Update], None]) -> None:
        self._all = tuple(each for each in self._all if each.deliver != deliver)

    def send(self, update: Update) -> None:
        for each in self._all:
            each.send(update)
