"""What a person has set, as a frozen value. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from companion.app.effects import Announce, ComeToFront, Effect, Keep, Speak, Wear
from companion.app.feature import BarButton, FeatureState
from companion.app.look import Look, Shade, TextSize
from companion.app.news import FairGameSet, LanguageSpoken, News, SettingsWanted
from companion.app.text import Language
from companion.sentences import Sentence

VOLUMES = (0, 30, 60, 100)
"""Offered in the window; 0 is silent."""


class Page(StrEnum):
    """The pages of this feature."""

    SETTINGS = "settings"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class KeptSettings:
    """On disk. volume: of the voice, 0 to 100. turns: whether whose turn it is is said. fair: whether counts
    and coach are off."""

    shade: Shade = Shade.DARK
    safe: bool = False
    text: TextSize = TextSize.NORMAL
    volume: int = 60
    turns: bool = False
    fair: bool = False

    @property
    def is_sound(self) -> bool:
        return 0 <= self.volume <= 100

    @property
    def look(self) -> Look:
        return Look(self.shade, self.safe, self.text)

    def tell(self, chinese: bool) -> tuple[Effect, ...]:
        """What has all of it apply."""
        return Wear(self.look), SetVoice(self, chinese), Announce(FairGameSet(self.fair))


USUAL = KeptSettings()


@dataclass(frozen=True, slots=True)
class SetVoice(Effect):
    """Announce as the settings say, in that language."""

    settings: KeptSettings
    chinese: bool


@dataclass(frozen=True, slots=True)
class Settings(FeatureState):
    """kept: what is set; past: what was set before, for undo; has_voice: whether a speech engine was
    found."""

    shown: Page = Page.SETTINGS
    kept: KeptSettings = USUAL
    past: tuple[KeptSettings, ...] = ()
    has_voice: bool = False
    data_folder: str = ""
    chinese: bool = False

    @property
    def page(self) -> str:
        return self.shown

    @property
    def bar_buttons(self) -> tuple[BarButton, ...]:
        return (
            BarButton("settings", Sentence("Settings"), "settings", 104, Settings.enter, menu=True),
            BarButton("help", Sentence("Help"), "help", 88, Settings.explain, menu=True),
        )

    def enter(self) -> Settings:
        """Show the settings."""
        return replace(self, shown=Page.SETTINGS).also(ComeToFront())

    def explain(self) -> Settings:
        """Show how an evening goes."""
        return replace(self, shown=Page.HELP).also(ComeToFront())

    def speak(self, language: Language) -> Settings:
        """Have the window speak that language."""
        return self.also(Speak(language))

    def change(self, **changes: object) -> Settings:
        """Set what is named, and have it apply at once."""
        kept = replace(self.kept, **changes)  # type: ignore[arg-type]
        return self._apply(kept, (*self.past, self.kept)[-20:]) if kept != self.kept else self

    def take_back(self) -> Settings:
        """As it was before the last change."""
        return self._apply(self.past[-1], self.past[:-1]) if self.past else self

    def hear(self, news: News) -> Settings:
        match news:
            case SettingsWanted():
                return self.enter()
            case LanguageSpoken(language):
                chinese = language is not Language.ENGLISH
                return replace(self, chinese=chinese).also(SetVoice(self.kept, chinese))
        return self

    def _apply(self, kept: KeptSettings, past: tuple[KeptSettings, ...]) -> Settings:
        applied = replace(self, kept=kept, past=past)
        return applied.also(*kept.tell(self.chinese), Keep())
