"""The club, as the shell knows it; publishes the running game away from the window's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.club.state import (
    ASK_AGAIN,
    NO_USER,
    Club,
    Destination,
    StartPublishing,
    StopPublishing,
)
from companion.app.effects import Effect
from companion.app.feature import Controller, Page, SavedPart
from companion.app.mirror import GameMirror
from companion.errors import CompanionError, InputError
from companion.game.updates import GameOpened, Post, Update
from companion.live.running import RunningGame

if TYPE_CHECKING:  # which brings paho, and few tables have a club
    from companion.publish.background import Publishing

Step = Callable[[Club], Club]


class ClubFeature:
    """Publishes the running game while it is switched on. It is on again at the next start, unless a password
    is missing then: none is kept."""

    name = "club"
    part: SavedPart | None = SavedPart(Destination, lambda kept: kept.is_valid)

    def __init__(self, game: RunningGame, mirror: GameMirror, post: Post) -> None:
        self._game = game
        self._mirror = mirror
        self._post = post
        self._publishing: Publishing | None = None
        self._is_closed = False
        self._lock = threading.Lock()

    def begin(self, kept: Destination | None, controller: Controller[Club]) -> Club:
        def follow(update: Update) -> None:
            if isinstance(update, GameOpened):
                controller.do(lambda state: state.follow_game(self._mirror.played.name))

        self._mirror.listen(follow)
        if kept is None:
            return Club()
        return Club(kept).also(*[StartPublishing(kept, again=True)] * kept.is_on)

    def keep(self, state: Club) -> Destination:
        return state.destination.without_password()

    def perform(self, effect: Effect, controller: Controller[Club]) -> None:
        match effect:
            case StartPublishing():
                controller.work(lambda: self._start(effect, controller))
            case StopPublishing():
                controller.work(self._stop)

    def offer_pages(self, controller: Controller[Club]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.club.page import ClubPage

        return {"club": partial(ClubPage, controller)}

    def close(self) -> None:
        """The broker learns at once that the table is gone."""
        with self._lock:
            self._is_closed = True
            self._close()

    def _start(self, wanted: StartPublishing, controller: Controller[Club]) -> Step:
        def take(step: Step) -> None:
            self._post(lambda: controller.do(step))

        with self._lock:
            if self._is_closed:
                return lambda state: state.work(None)
            try:
                self._publishing = begin_publishing(self._game, wanted, take)
            except CompanionError as problem:
                why = problem.sentence
                return lambda state: state.fail(why)
        return lambda state: state.work(None)

    def _stop(self) -> Step:
        with self._lock:
            self._close()
        return lambda state: state.work(None)

    def _close(self) -> None:
        publishing, self._publishing = self._publishing, None
        if publishing is not None:
            publishing.close()


def begin_publishing(game: RunningGame, wanted: StartPublishing, take: Callable[[Step], None]) -> Publishing:
    """Publish the game as it is wanted; `take` gets the steps that follow. Raises InputError where something
    is wrong or missing."""
    from companion.publish.background import Publishing
    from companion.publish.connection import CA_FOR_NOTHING, Address
    from companion.publish.topics import TableTopics

    to = wanted.destination
    topics, address = TableTopics(to.club, to.table), Address.parse(to.address)
    if wanted.password:
        if address.user is None:
            raise InputError(NO_USER)
        address = replace(address, password=wanted.password)
    if wanted.again and address.user is not None and address.password is None:
        raise InputError(ASK_AGAIN)
    if to.authority and not address.is_encrypted:
        raise InputError(CA_FOR_NOTHING)
    return Publishing(
        game, address, topics, Path(to.authority).expanduser() if to.authority else None,
        caught_up=lambda name, number: take(lambda state: state.catch_up(name, number)),
        report=lambda trouble: take(lambda state: state.report(trouble)),
        ended=lambda why: take(lambda state: state.fail(why)),
    )  # fmt: skip
