"""Who sits where in the next round: nobody meets twice while that can be avoided. Pure, and the same for the
same players and rounds.

A schedule that avoids every repeat as long as possible is followed while all its players play
(`schedules.py`). Otherwise a search exchanges players between tables, and where meetings remain that a table
had before, a solver looks for better ones or proves that there are none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

TableSeats = tuple[int, int, int, int]
"""The players of a table by wind, from East."""
Seating = tuple[TableSeats, ...]
"""The tables of a round, in order."""


@dataclass(frozen=True, slots=True)
class Seated:
    """repeats: pairs at a table who have met in this meeting; season_repeats: those who have met in the
    season before it. is_best: whether fewer are impossible in this round, as it is proved."""

    tables: Seating
    repeats: int
    season_repeats: int
    is_best: bool


def seat_players(
    players: Iterable[int], meeting: Sequence[Seating] = (), season: Sequence[Seating] = (), *, seed: int = 0
) -> Seated:
    """Seat these players, a multiple of 4, in a new round. meeting: its rounds until now, in order; season:
    the rounds of earlier meetings. A repeat in the meeting weighs more than any number in the season. Winds
    are shared evenly over meeting and season."""
    raise NotImplementedError


def choose_byes(
    players: Iterable[int],
    n_byes: int,
    meeting: Sequence[Iterable[int]] = (),
    season: Sequence[Iterable[int]] = (),
    *,
    seed: int = 0,
) -> tuple[int, ...]:
    """Who sits the next round out: whoever sat out least in this meeting, then in the season; then lots are
    drawn. meeting, season: who sat out each round."""
    raise NotImplementedError
