"""What a person has set, as it is kept on disk, and how it comes to apply. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass

from companion.app.effects import Announce, Effect, Resize, Wear
from companion.app.look import Look, Shade, Spacing, TextSize
from companion.app.news import CameraChosen, FairGameSet

PERCENTS = (70, 85, 100, 115, 130)
"""Of its true size, everything."""


@dataclass(frozen=True, slots=True)
class KeptSettings:
    """On disk. volume: of the voice, sounds: of the sounds, 0 to 100; muted: both are silent. turns: whether
    whose turn it is is said. voice_zh, voice_en: the ids of the voices, None for the best there is. fair:
    whether counts and coach are off. camera: its id, None for the first there is. percent: how large
    everything is, of its true size."""

    shade: Shade = Shade.DARK
    safe: bool = False
    text: TextSize = TextSize.NORMAL
    spacing: Spacing = Spacing.NORMAL
    percent: int = 100
    volume: int = 60
    sounds: int = 60
    muted: bool = False
    turns: bool = False
    voice_zh: str | None = None
    voice_en: str | None = None
    fair: bool = False
    camera: str | None = None

    @property
    def is_sound(self) -> bool:
        return all(0 <= each <= 100 for each in (self.volume, self.sounds)) and self.percent in PERCENTS

    @property
    def look(self) -> Look:
        return Look(self.shade, self.safe, self.text, self.spacing)

    def tell(self) -> tuple[Effect, ...]:
        """What has all of it apply."""
        camera = () if self.camera is None else (Announce(CameraChosen(self.camera)),)
        fair = Announce(FairGameSet(self.fair))
        return Wear(self.look), Resize(self.percent), SetSound(self), fair, *camera


USUAL = KeptSettings()


@dataclass(frozen=True, slots=True)
class SetSound(Effect):
    """Be heard as the settings say."""

    settings: KeptSettings
