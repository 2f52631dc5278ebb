"""The settings, as the shell knows them; announces the game that is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from companion.app.effects import Effect
from companion.app.feature import Controller, Page, Part
from companion.app.settings.state import KeptSettings, Settings, SetVoice
from companion.app.text import SEAT_NAMES, Language, Words
from companion.running.announcer.phrases import announce
from companion.running.announcer.speaker import Speaker, find_engine
from companion.running.game import RunningGame
from companion.running.played_game import PlayedGame
from companion.running.updates import Decided, Update


class SettingsFeature:
    """Keeps what a person has set. `speaker` is silent where no speech engine is installed."""

    name = "settings"
    part: Part | None = Part(KeptSettings, lambda kept: kept.is_sound, lambda kept: kept)

    def __init__(self, game: RunningGame, folder: Path) -> None:
        self._game = game
        self._folder = folder
        self._engine = find_engine()
        self.speaker = Speaker(self._engine)
        self._voice = SetVoice(KeptSettings(), False)
        self._played = PlayedGame()

    def begin(self, kept: KeptSettings | None, controller: Controller[Settings]) -> Settings:
        self._game.subscribe(self._hear)
        settings = kept or KeptSettings()
        state = Settings(kept=settings, has_voice=self._engine is not None, data_folder=str(self._folder))
        return state.also(*settings.tell(chinese=False))

    def keep(self, state: Settings) -> KeptSettings:
        return state.kept

    def perform(self, effect: Effect, controller: Controller[Settings]) -> None:
        match effect:
            case SetVoice(settings):
                self._voice = effect
                self.speaker.volume = settings.volume

    def offer_pages(self, controller: Controller[Settings]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.settings.help_page import HelpPage
        from companion.app.settings.page import SettingsPage

        return {"settings": partial(SettingsPage, controller), "help": partial(HelpPage, controller)}

    def close(self) -> None:
        self.speaker.close()

    def _hear(self, update: Update) -> None:
        """On the game's thread: what an accepted event has people hear."""
        before = self._played.progress
        self._played = self._played.take(update)
        if not isinstance(update, Decided) or update.decision.event is None or before is None:
            return
        voice, after = self._voice, update.decision.progress.state
        words = Words(Language.SIMPLIFIED if voice.chinese else Language.ENGLISH)
        seated = (after.names[person] for person in after.seated)
        names = [name or words(seat) for name, seat in zip(seated, SEAT_NAMES, strict=True)]
        self.speaker.say(
            announce(
                before.state, update.decision.event, after, names,
                chinese=voice.chinese, turns=voice.settings.turns,
            )
        )  # fmt: skip
