"""Ends of hands and bookings, as the shell knows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from companion.app.effects import Effect
from companion.app.feature import Controller, Page, SavedPart
from companion.app.hand_end.state import EnterEnd, HandEnd, TakeBackEnd
from companion.app.mirror import GameMirror
from companion.game.owner import enter_together
from companion.live.running import RunningGame
from companion.sentences import Sentence
from companion.table.events import Event


class HandEndFeature:
    """Keeps nothing: the game does."""

    name = "hand_end"
    part: SavedPart | None = None

    def __init__(self, game: RunningGame, mirror: GameMirror) -> None:
        self._game = game
        self._mirror = mirror

    def begin(self, kept: None, controller: Controller[HandEnd]) -> HandEnd:
        self._mirror.listen(lambda update: self._on_game(controller))
        return HandEnd()

    def keep(self, state: HandEnd) -> None:
        """Nothing is kept."""

    def perform(self, effect: Effect, controller: Controller[HandEnd]) -> None:
        match effect:
            case EnterEnd(events):
                controller.work(lambda: self._tell(events))
            case TakeBackEnd(steps):
                self._game.undo(steps)

    def offer_pages(self, controller: Controller[HandEnd]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.hand_end.page import HandEndPage

        return {"hand_end": lambda: HandEndPage(controller)}

    def close(self) -> None:
        """Nothing runs."""

    def _on_game(self, controller: Controller[HandEnd]) -> None:
        played = self._mirror.played
        controller.do(lambda state: replace(state, played=played))

    def _tell(self, events: Sequence[Event]) -> Callable[[HandEnd], HandEnd]:
        outcome = enter_together(self._game, events)
        if isinstance(outcome, Sentence):
            why = outcome
            return lambda state: state.on_refused(why)
        return lambda state: state.on_entered(len(events), outcome)
