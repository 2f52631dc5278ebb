"""The standings of a season."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy.orm import Session

from companion.club.schema import Season


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A player in a season. place: from 1; those with the same table points and points share it.

    points, table_points: of all rounds that are over, without penalties, which are already deducted. rounds:
    played for themselves. byes: sat out; each gives the mean of the uma. rating: the ordinal over all of the
    club's games and rounds until now, None before the first.
    """

    place: int
    player: int
    name: str
    table_points: Fraction
    points: int
    rounds: int
    byes: int
    penalty_points: int
    penalty_table_points: int
    rating: float | None
    is_finalist: bool


def list_season_standings(session: Session, season: Season) -> list[StandingsRow]:
    """By table points, then points, as in the rules of the European Mahjong Association; the four of the
    final are in front, in this order. The rating does not decide."""
    raise NotImplementedError
