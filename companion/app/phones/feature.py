"""Phones and television, as the shell knows them; starts and stops the server away from the window's
thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from companion.app.effects import Effect
from companion.app.feature import Controller, Page, SavedPart
from companion.app.phones.state import JudgeEntry, Phones, ServedPage, StartServing, StopServing, TakeAway
from companion.cameras.phone import PhonePictures
from companion.errors import CompanionError
from companion.game.updates import Post
from companion.live.running import RunningGame

if TYPE_CHECKING:  # which brings uvicorn, and few evenings have a television
    from companion.serve.remote import Remote
    from companion.serve.server import Server

Step = Callable[[Phones], Phones]


class PhonesFeature:
    """Serves the running game while it is switched on, with the pictures of a phone to `phone`. Nothing is
    kept: it is off at each start."""

    name = "phones"
    part: SavedPart | None = None

    def __init__(self, game: RunningGame, phone: PhonePictures, post: Post) -> None:
        self._game = game
        self._phone = phone
        self._post = post
        self._server: Server | None = None
        self._is_closed = False
        self._lock = threading.Lock()

    def begin(self, kept: None, controller: Controller[Phones]) -> Phones:
        return Phones()

    def keep(self, state: Phones) -> None:
        """Nothing is kept."""

    def perform(self, effect: Effect, controller: Controller[Phones]) -> None:
        match effect:
            case StartServing():
                controller.work(lambda: self._start(controller))
            case StopServing():
                controller.work(self._stop)
            case JudgeEntry(number, right):
                controller.work(lambda: self._settle(lambda remote: remote.judge_at_table(number, right)))
            case TakeAway(person):
                controller.work(lambda: self._settle(lambda remote: remote.take_away(person)))

    def offer_pages(self, controller: Controller[Phones]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.phones.page import PhonesPage

        def make_entry_page() -> Page:
            from companion.app.phones.entry_page import PhoneEntryPage

            return PhoneEntryPage(controller)

        return {
            "phones": partial(PhonesPage, controller, self.find_served),
            "phone_entry": make_entry_page,
        }

    def find_served(self) -> ServedPage | None:
        """The page as it is served now; None while it is not."""
        server = self._server
        if server is None:
            return None
        encrypted = server.encrypted
        assert encrypted is not None
        return ServedPage(
            server.address, server.viewers, server.in_network, encrypted.camera_address,
            encrypted.fingerprint,
        )  # fmt: skip

    def close(self) -> None:
        """Viewers see at once that the connection is gone."""
        with self._lock:
            self._is_closed = True
            self._close()

    def _start(self, controller: Controller[Phones]) -> Step:
        from companion.serve.server import Server
        from companion.serve.site import Served
        from companion.serve.sources import follow

        def take(step: Step) -> None:
            self._post(lambda: controller.do(step))

        with self._lock:
            if self._is_closed:
                return lambda state: state.work(None)
            try:
                self._server = Server(
                    follow(self._game), Served(port=0, lan=True), self._phone, game=self._game,
                    on_remote=lambda view: take(lambda state: state.follow(view)),
                    on_death=lambda: take(self._die),
                )  # fmt: skip
            except CompanionError as problem:
                why = problem.sentence
                return lambda state: state.fail(why)
        served = self.find_served()
        assert served is not None
        return lambda state: state.serve(served)

    def _stop(self) -> Step:
        with self._lock:
            self._close()
        return lambda state: state.work(None)

    def _settle(self, work: Callable[[Remote], None]) -> Step:
        remote = self._server.remote if self._server is not None else None
        if remote is not None:
            work(remote)
        return lambda state: state.work(None)

    def _die(self, state: Phones) -> Phones:
        with self._lock:
            self._close()
        return state.die()

    def _close(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            server.close()
