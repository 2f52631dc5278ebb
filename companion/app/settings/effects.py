"""What the settings have carried out. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.app.effects import Effect
from companion.live.tones import Cue


@dataclass(frozen=True, slots=True)
class PlayCue(Effect):
    """Have that sound heard."""

    cue: Cue


@dataclass(frozen=True, slots=True)
class TryVoice(Effect):
    """Have the voice say something."""

    chinese: bool


@dataclass(frozen=True, slots=True)
class ListCameras(Effect):
    """Look which cameras are connected."""


@dataclass(frozen=True, slots=True)
class ShowCamera(Effect):
    """Show what that camera sees; None: let the camera go."""

    camera: str | None


@dataclass(frozen=True, slots=True)
class ListSpots(Effect):
    """Look where data could lie, and how much there is."""


@dataclass(frozen=True, slots=True)
class CopyData(Effect):
    """Copy everything to that folder, and check it."""

    to: Path


@dataclass(frozen=True, slots=True)
class KeepCopiesIn(Effect):
    """Keep second copies of games in that folder too; None: in the data folder only."""

    folder: Path | None


@dataclass(frozen=True, slots=True)
class CancelCopy(Effect):
    """Copy no more."""


@dataclass(frozen=True, slots=True)
class PlanSwitch(Effect):
    """Use that folder from the next start on."""

    to: Path
