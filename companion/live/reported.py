"""What others report of a followed game, and what of it a decoder cannot see by itself."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.events import (
    Called,
    CurrencyAgreed,
    DealSet,
    Dealt,
    Drawn,
    EntryCancelled,
    Event,
    FalseWin,
    GameEnded,
    GameStarted,
    HandShown,
    HandStarted,
    HandVoided,
    PointsMoved,
    ReadyDeclared,
    SeatsChanged,
    WinPassed,
)

NEVER_TOLD = (GameStarted, HandShown, PointsMoved, EntryCancelled, CurrencyAgreed)
"""What changes nothing for the tiles on the table."""
SPOKEN = (Called, WinPassed, ReadyDeclared, FalseWin, HandVoided, SeatsChanged, DealSet, GameEnded)
"""What nobody can see: the decoder is told at once."""
SEEN_WITH_OTHERS = (HandStarted, Dealt, Drawn)
"""What nobody sees: the decoder states it together with the next tile that it sees."""


@dataclass(frozen=True, slots=True)
class Reported:
    """An event that others reported, with its number in the game's log; the decoder has not stated it yet."""

    number: int
    event: Event
    since_s: float
