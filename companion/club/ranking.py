"""What the page of the standings shows, from the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy.orm import Session

from companion.club.competition import find_season
from companion.club.schema import Season
from companion.club.season_standings import StandingsRow, list_season_standings
from companion.club.standings import Json, list_standings
from companion.sentences import write_number
from companion.sheets.wording import write_points
from companion.words import Words


@dataclass(frozen=True, slots=True)
class RowShown:
    """figures: in the order of the columns, after place and name; each with whether it is a gain, a loss or
    neither ("")."""

    place: int
    name: str
    figures: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Ranking:
    """title: of the season; "" for all that was ever played. columns: of the figures."""

    title: str
    columns: Sequence[str]
    rows: Sequence[RowShown]


def show_ranking(session: Session, club: str, words: Words) -> Ranking:
    """Of the season that is on, or was last; of all games in a club that has no season."""
    season = find_season(session, club)
    if season is not None:
        return _show_season(session, season, words)
    found: list[Json] = next(
        (each["standings"] for each in list_standings(session) if each["club"] == club), []
    )
    rows = [
        RowShown(
            row["place"],
            row["name"],
            (_sign(row["points"]), *((write_number(row[each]), "") for each in ("games", "hands", "wins"))),
        )
        for row in found
    ]
    return Ranking("", [words("Points"), words("Games"), words("Hands"), words("Wins")], rows)


def _show_season(session: Session, season: Season, words: Words) -> Ranking:
    found = list_season_standings(session, season)
    columns = [words("Table points"), words("Points"), words("Rounds"), words("Rating"), words("Penalties")]
    return Ranking(season.name, columns, [_show_row(row) for row in found])


def _show_row(row: StandingsRow) -> RowShown:
    penalties = [write_number(each) for each in (row.penalty_points, row.penalty_table_points) if each]
    figures = (
        _sign(row.table_points),
        _sign(row.points),
        (write_number(row.rounds), ""),
        ("" if row.rating is None else write_number(row.rating, places=1), ""),
        (" / ".join(penalties), "loss"),
    )
    return RowShown(row.place, row.name, figures)


def _sign(value: int | Fraction) -> tuple[str, str]:
    return write_share(value), "gain" if value > 0 else "loss" if value < 0 else "even"


def write_share(value: int | Fraction) -> str:
    """Points or table points with their sign; a share of a place has up to two decimals."""
    if isinstance(value, int) or value.denominator == 1:
        return write_points(int(value))
    return write_number(float(value), signed=True, places=1 if (value * 10).denominator == 1 else 2)
