"""What the coach has computed away from the window's thread: values, and what of them is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.app.effects import Effect
from companion.coach.declared import DeclaredHand, StoredHand
from companion.coach.results import Level
from companion.sheets.hands import Sheet
from companion.table.state import State


@dataclass(frozen=True, slots=True)
class AskTable:
    """What that seat is to do in this state of the game, in which its tiles are known."""

    state: State
    seat: int
    level: Level


@dataclass(frozen=True, slots=True)
class AskHand:
    """What is to be discarded from a hand without a game. fields: as in AdviceWanted."""

    fields: Mapping[str, object]
    level: Level


Question = AskTable | AskHand


@dataclass(frozen=True, slots=True)
class Think(Effect):
    """Answer this in place of what was asked before; None: nothing any more."""

    question: Question | None


@dataclass(frozen=True, slots=True)
class Review(Effect):
    """Review the decisions of these people in these hands of the sheet, by their places, in place of what was
    reviewed before. told: hands that people told in that game; none: those that are kept with `game`."""

    sheet: Sheet
    hands: tuple[tuple[int, tuple[int, ...]], ...]
    told: tuple[DeclaredHand, ...] = ()
    game: str | None = None


@dataclass(frozen=True, slots=True)
class StopReview(Effect):
    """End the review that is under way."""


@dataclass(frozen=True, slots=True)
class KeepTold(Effect):
    """Keep these as all that was told in the kept game of that name."""

    game: str
    told: tuple[DeclaredHand, ...]


@dataclass(frozen=True, slots=True)
class KeptCoach:
    """On disk. on: whether the panel stands beside the table. game: the kept one in which hands were told."""

    on: bool = False
    level: Level = Level.FULL
    game: str | None = None
    told: tuple[StoredHand, ...] = ()

    @property
    def is_sound(self) -> bool:
        return all(each.is_sound for each in self.told)
