"""The running game as the whole window knows it: one subscription and one copy, for all features. No Kivy."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.game.updates import Decided, GameOpened, Moved, PlayedGame, Post, Update
from companion.live.running import RunningGame

log = logging.getLogger(__name__)

GameUpdate = GameOpened | Decided | Moved


class GameMirror:
    """`played` is the game after the newest update; read it on the window's thread only."""

    def __init__(self, game: RunningGame, post: Post) -> None:
        self.played = PlayedGame()
        self._post = post
        self._listeners: list[Callable[[GameUpdate], None]] = []
        game.subscribe(self._receive)

    def listen(self, listener: Callable[[GameUpdate], None]) -> None:
        """Call it with every update of the game, on the window's thread, once `played` has it."""
        self._listeners.append(listener)

    def _receive(self, update: Update) -> None:
        """Runs on the game's thread. Reports of devices, possibly thousands, are dropped here."""
        if isinstance(update, GameOpened | Decided | Moved):
            self._post(lambda: self._apply(update))

    def _apply(self, update: GameUpdate) -> None:
        self.played = self.played.apply_update(update)
        for listener in self._listeners:
            try:
                listener(update)
            except Exception:
                log.exception("a feature failed on an update of the running game")
