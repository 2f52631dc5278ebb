"""What a practice table shows and asks: frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.live.deciding import Progress
from companion.sentences import Sentence
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Discarded,
    Event,
    HandDrawn,
    ReadyDeclared,
)

PERSON = 0
"""Who of the four people of a practice game is the one that plays; the others are built in."""


class Stage(StrEnum):
    """What a practice table waits for."""

    PLAYING = "playing"
    """For the moment at which the next player acts."""
    ASKING = "asking"
    """For the person, whose turn it is, or who may take a tile."""
    HALTED = "halted"
    """For a touch: a person took something back that was not the person's own."""
    BETWEEN = "between"
    """For a touch: the next hand may begin."""
    OVER = "over"
    """For nothing: the game is over."""


class Pace(StrEnum):
    """How fast the built-in players act. skip: at once, until the person is asked something."""

    PAUSED = "paused"
    CALM = "calm"
    QUICK = "quick"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the person in that seat may do now; everything in it is legal.

    wins: whether the hand wins, on the tile that was drawn or the one that lies there. leave: where the last
    tile of the wall need not be taken. passes: whether to do nothing is a choice; on the own turn it is not.
    """

    seat: int
    discards: tuple[Discarded, ...] = ()
    claims: tuple[Claimed, ...] = ()
    kongs: tuple[ConcealedKong | AddedKong, ...] = ()
    ready: ReadyDeclared | None = None
    leave: HandDrawn | None = None
    wins: bool = False
    passes: bool = False

    def allows(self, event: Event) -> bool:
        """Whether it is one of these."""
        return event in (*self.discards, *self.claims, *self.kongs, self.ready, self.leave)


@dataclass(frozen=True, slots=True)
class PracticeView:
    """A practice table at one moment. progress: of its game; seat: of the person; asked: what the person may
    do, while the stage is to ask; wins: whether the person has called a win that stands, and is about to
    enter it. said: what a person has to know, once."""

    progress: Progress
    seat: int
    stage: Stage
    pace: Pace
    asked: Asked | None = None
    wins: bool = False
    said: Sentence | None = None
