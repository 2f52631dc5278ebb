"""Scoring a photographed hand, alone or as a win in the game that is played, as the shell knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.app.effects import Effect
from companion.app.feature import Controller, Page, Part
from companion.app.score_photo.game_win import TakeBack, TellWin
from companion.app.score_photo.keeping import make_storable
from companion.app.score_photo.packing import PackReading, pack
from companion.app.score_photo.state import ScorePhoto
from companion.photo_hand.draft import WinDraft
from companion.running.game import RunningGame
from companion.running.played_game import PlayedGame
from companion.running.posting import Post
from companion.running.telling import tell
from companion.running.updates import Update
from companion.sentences import Sentence
from companion.table.events import Event


class ScorePhotoFeature:
    """Keeps a draft of a win. A win in a game is kept by the game once it is confirmed, and asked for again
    where the window was closed before."""

    name = "score_photo"
    part: Part | None = Part(WinDraft, lambda draft: draft.is_sound)

    def __init__(self, game: RunningGame, post: Post) -> None:
        self._game = game
        self._post = post
        self._played = PlayedGame()

    def begin(self, kept: WinDraft | None, controller: Controller[ScorePhoto]) -> ScorePhoto:
        self._game.subscribe(lambda update: self._hear(update, controller), self._post)
        return ScorePhoto.resume(kept or WinDraft())

    def keep(self, state: ScorePhoto) -> WinDraft:
        return make_storable(state.game_win.loose if state.game_win else state.draft)

    def perform(self, effect: Effect, controller: Controller[ScorePhoto]) -> None:
        match effect:
            case TellWin(events):
                controller.work(lambda: self._tell(events))
            case PackReading():
                controller.work(lambda: pack(effect))
            case TakeBack(steps):
                self._game.undo(steps)

    def offer_pages(self, controller: Controller[ScorePhoto]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.score_photo.pages import offer_pages

        return offer_pages(controller)

    def close(self) -> None:
        """Nothing runs."""

    def _hear(self, update: Update, controller: Controller[ScorePhoto]) -> None:
        played = self._played.take(update)
        if played is not self._played:
            self._played = played
            controller.do(lambda state: state.know(played))

    def _tell(self, events: Sequence[Event]) -> Callable[[ScorePhoto], ScorePhoto]:
        """Have the game take all events, or none; the step that says what came of it."""
        outcome = tell(self._game, events)
        if isinstance(outcome, Sentence):
            why = outcome
            return lambda state: state.take_refusal(why)
        after = outcome.state
        return lambda state: state.take_told(len(events), after)
