"""The standings of a season."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.club.ratings import Rating, rate
from companion.club.results import RoundResult, list_rated_games, list_season_results
from companion.club.schema import Meeting, Penalty, Player, Season
from companion.club.table_points import find_mean


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


@dataclass(slots=True)
class _Sums:
    """The sums of a player's rounds and penalties, while they are added up."""

    name: str
    table_points: Fraction = Fraction(0)
    points: int = 0
    rounds: int = 0
    byes: int = 0
    penalty_points: int = 0
    penalty_table_points: int = 0
    is_finalist: bool = False

    @property
    def order(self) -> tuple[bool, Fraction, int]:
        return self.is_finalist, self.table_points, self.points


def find_ratings(session: Session, club: str) -> Mapping[int, Rating]:
    """The rating of each player of a club, over all of its games and rounds until now."""
    return rate(list_rated_games(session, club))


def list_season_standings(
    session: Session, season: Season, ratings: Mapping[int, Rating] | None = None
) -> list[StandingsRow]:
    """By table points, then points, as tournaments in Chinese Official rules are ranked; the four of the
    final are in front, in this order. The rating does not decide. ratings: those of the club, if the caller
    has them."""
    sums: dict[int, _Sums] = {}
    for of_round in list_season_results(session, season):
        if of_round.is_over:
            _add_round(sums, of_round, season.uma)
    _deduct_penalties(session, sums, season)
    if ratings is None:
        ratings = find_ratings(session, season.club)
    ordered = sorted(sums.items(), key=lambda item: item[1].order, reverse=True)
    rows: list[StandingsRow] = []
    for _, tied in groupby(ordered, key=lambda item: item[1].order):
        place = len(rows) + 1
        rows += (
            StandingsRow(
                place=place,
                player=player,
                name=each.name,
                table_points=each.table_points,
                points=each.points,
                rounds=each.rounds,
                byes=each.byes,
                penalty_points=each.penalty_points,
                penalty_table_points=each.penalty_table_points,
                rating=ratings[player].ordinal if player in ratings else None,
                is_finalist=each.is_finalist,
            )
            for player, each in sorted(tied, key=lambda item: item[1].name)
        )
    return rows


def _add_round(sums: dict[int, _Sums], of_round: RoundResult, uma: list[int]) -> None:
    for table in of_round.tables:
        table_points = table.find_table_points(uma)
        if table.points is None or table_points is None:
            continue
        for player, points, of_place in zip(table.players, table.points, table_points, strict=True):
            row = sums.setdefault(player.absent_id or player.id, _Sums(player.absent or player.name))
            row.is_finalist |= of_round.is_final
            if player.absent_id is None:
                row.points += points
                row.table_points += of_place
                row.rounds += 1
    for player in of_round.byes:
        row = sums.setdefault(player.id, _Sums(player.name))
        row.byes += 1
        row.table_points += find_mean(uma)


def _deduct_penalties(session: Session, sums: dict[int, _Sums], season: Season) -> None:
    query = (
        select(Penalty, Player.name)
        .join(Player, Player.id == Penalty.player_id)
        .join(Meeting, Meeting.id == Penalty.meeting_id)
        .where(Meeting.season_id == season.id, Penalty.undone_at.is_(None))
    )
    for penalty, name in session.execute(query):
        row = sums.setdefault(penalty.player_id, _Sums(name))
        row.points -= penalty.points
        row.table_points -= penalty.table_points
        row.penalty_points += penalty.points
        row.penalty_table_points += penalty.table_points
