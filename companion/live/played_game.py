"""The game that is being played, as a subscriber knows it from the updates. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from companion.game.deciding import Progress
from companion.live.updates import Decided, GameOpened, Moved, Update


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """progress: None where no game is played; path: of the file in which it is kept, None where it is not."""

    progress: Progress | None = None
    path: Path | None = None

    @property
    def name(self) -> str | None:
        """Under which the game is kept."""
        return self.path.stem if self.path else None

    def take(self, update: Update) -> PlayedGame:
        """As it is after that update."""
        match update:
            case GameOpened(progress, path):
                return PlayedGame(progress, path)
            case Decided(decision):
                return replace(self, progress=decision.progress)
            case Moved(progress):
                return replace(self, progress=progress)
        return self
