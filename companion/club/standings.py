"""What the pages show, as JSON values, from the database. Practice games do not count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import BigInteger, Select, Subquery, and_, cast, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from companion.club.competition import find_season
from companion.club.keeping import describe_missing
from companion.club.ratings import Rating
from companion.club.schema import Game, GamePlayer, Player, Season, Table
from companion.club.season_standings import find_ratings, list_season_standings

Json = dict[str, Any]


def list_standings(session: Session) -> list[Json]:
    """The players of each club by their points over all finished hands, the first in front; those with the
    same points have the same place. rating: their strength, as `ratings.py` has it. season: the standings of
    the newest season, None where there never was one."""
    figures = _figures().subquery()
    place = func.rank().over(partition_by=Player.club, order_by=figures.c.points.desc())
    query = (
        select(Player.club, Player.id, place, Player.name, *_shown(figures))
        .join(figures, figures.c.player_id == Player.id)
        .order_by(Player.club, place, Player.name)
    )
    found = session.execute(query).all()
    with_season = session.scalars(select(Season.club).distinct())
    clubs: dict[str, list[Json]] = {club: [] for club in sorted({row[0] for row in found} | set(with_season))}
    ratings = {club: find_ratings(session, club) for club in clubs}
    for club, player, at, name, points, games, hands, wins in found:
        rating = ratings[club].get(player)
        row = {
            "place": at,
            "name": name,
            "points": points,
            "games": games,
            "hands": hands,
            "wins": wins,
            "rating": rating and rating.ordinal,
        }
        clubs[club].append(row)
    return [
        {"club": club, "standings": rows, "season": _describe_season(session, club, ratings[club])}
        for club, rows in clubs.items()
    ]


def list_tables(session: Session) -> list[Json]:
    """Every table with the game that it began last, and what is wrong with what it sent."""
    games: dict[int, list[Game]] = {}
    for game in session.scalars(select(Game).order_by(Game.begun.nulls_first())):
        games.setdefault(game.table_id, []).append(game)
    return [
        _describe_table(table, games.get(table.id, []))
        for table in session.scalars(select(Table).order_by(Table.club, Table.name))
    ]


def find_player(session: Session, name: str) -> list[Json]:
    """What the player of that name has played, by club; nothing where there is none."""
    figures = _figures(GamePlayer.game_id).subquery()
    query = (
        select(Player.club, Table.name, Game, *_shown(figures))
        .join(figures, figures.c.player_id == Player.id)
        .join(Game, Game.id == figures.c.game_id)
        .join(Table, Table.id == Game.table_id)
        .where(Player.name == name)
        .order_by(Player.club, Game.begun)
    )
    clubs: dict[str, list[Json]] = {}
    for club, table, game, points, _, hands, wins in session.execute(query):
        row = {
            "table": table,
            "game": game.id,
            "name": game.name,
            "rules": game.rules,
            "begun": game.begun,
            "points": points,
            "hands": hands,
            "wins": wins,
        }
        clubs.setdefault(club, []).append(row)
    return [
        {"club": club, "points": sum(row["points"] for row in rows), "games": rows}
        for club, rows in clubs.items()
    ]


def _figures(*apart: InstrumentedAttribute[Any]) -> Select[Any]:
    """Points, games, hands and wins of each player; apart: columns by which they are split."""
    return (
        select(
            GamePlayer.player_id,
            *apart,
            func.sum(GamePlayer.points).label("points"),
            func.count(GamePlayer.game_id.distinct()).label("games"),
            func.sum(GamePlayer.hands).label("hands"),
            func.sum(GamePlayer.wins).label("wins"),
        )
        .join(Game, and_(Game.id == GamePlayer.game_id, Game.is_practice.is_(False)))
        .where(GamePlayer.points.is_not(None))
        .group_by(GamePlayer.player_id, *apart)
    )


def _shown(figures: Subquery) -> list[Any]:
    """As whole numbers: sums of PostgreSQL are of a type that JSON does not have."""
    columns = figures.c
    return [cast(columns[name], BigInteger) for name in ("points", "games", "hands", "wins")]


def _describe_season(session: Session, club: str, ratings: Mapping[int, Rating]) -> Json | None:
    """The newest season with its standings; table points are rounded to hundredths."""
    season = find_season(session, club)
    if season is None:
        return None
    return {
        "name": season.name,
        "uma": season.uma,
        "began": season.began.isoformat(),
        "ended": None if season.ended is None else season.ended.isoformat(),
        "standings": [
            {
                "place": row.place,
                "name": row.name,
                "table_points": round(float(row.table_points), 2),
                "points": row.points,
                "rounds": row.rounds,
                "sat_out": row.byes,
                "penalty_points": row.penalty_points,
                "penalty_table_points": row.penalty_table_points,
                "rating": row.rating,
                "finalist": row.is_finalist,
            }
            for row in list_season_standings(session, season, ratings)
        ],
    }


def _describe_table(table: Table, games: list[Game]) -> Json:
    troubles = [] if table.trouble is None else [table.trouble]
    troubles += [str(describe_missing(game)) for game in games if game.newest > game.through]
    last = games[-1] if games else None
    return {
        "club": table.club,
        "table": table.name,
        "is_there": table.is_there,
        "seen": None if table.seen is None else table.seen.isoformat(),
        "game": last and {"game": last.id, "name": last.name, "rules": last.rules, "number": last.through},
        "troubles": troubles,
    }
