"""Phones and television, as the shell knows them; starts and stops the server away from the window's
thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from companion.app.effects import Effect
from companion.app.feature import Controller, Page, SavedPart
from companion.app.phones.state import Phones, ServedPage, StartServing, StopServing
from companion.cameras.phone import PhonePictures
from companion.errors import CompanionError
from companion.live.running import RunningGame

if TYPE_CHECKING:  # which brings uvicorn, and few evenings have a television
    from companion.serve.server import Server

CAMERA_VIEW = "&view=camera"
Step = Callable[[Phones], Phones]


class PhonesFeature:
    """Serves the running game while it is switched on, with the pictures of a phone to `phone`. Nothing is
    kept: it is off at each start."""

    name = "phones"
    part: SavedPart | None = None

    def __init__(self, game: RunningGame, phone: PhonePictures) -> None:
        self._game = game
        self._phone = phone
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
                controller.work(self._start)
            case StopServing():
                controller.work(self._stop)

    def offer_pages(self, controller: Controller[Phones]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.phones.page import PhonesPage

        return {"phones": partial(PhonesPage, controller, self.find_served)}

    def find_served(self) -> ServedPage | None:
        """The page as it is served now; None while it is not."""
        server = self._server
        if server is None:
            return None
        encrypted = server.encrypted
        assert encrypted is not None
        return ServedPage(
            server.address, server.viewers, server.in_network, encrypted.address + CAMERA_VIEW,
            encrypted.fingerprint,
        )  # fmt: skip

    def close(self) -> None:
        """Viewers see at once that the connection is gone."""
        with self._lock:
            self._is_closed = True
            self._close()

    def _start(self) -> Step:
        from companion.serve.server import Served, Server
        from companion.serve.sources import follow

        with self._lock:
            if self._is_closed:
                return lambda state: state.work(None)
            try:
                self._server = Server(follow(self._game), Served(port=0, lan=True), self._phone)
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

    def _close(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            server.close()
