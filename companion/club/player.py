"""What a player's page shows, from the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import accumulate
from typing import Any

from sqlalchemy import and_, func, select, union
from sqlalchemy.orm import Session

from companion.club.competition import find_season, list_meetings
from companion.club.plot import draw_chart
from companion.club.ranking import show_ranking, write_share
from companion.club.results import list_season_results
from companion.club.room import write_round
from companion.club.schema import GamePlayer, Payment, Player, Season
from companion.club.standings import Json, find_player
from companion.rules import RULE_SETS
from companion.sentences import write_number
from companion.sheets.wording import write_points
from companion.words import Words


@dataclass(frozen=True, slots=True)
class GameShown:
    begun: str
    table: str
    rules: str
    place: str
    points: int
    hands: int
    wins: int


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """A round of the season that the player finished. said: which one it is."""

    said: str
    table: str
    place: int
    points: int
    table_points: Fraction


def show_player(session: Session, club: str, name: str, words: Words) -> dict[str, Any] | None:
    """The values of the page; None where the club has no player of that name."""
    player = session.scalars(select(Player).where(Player.club == club, Player.name == name)).one_or_none()
    if player is None:
        return None
    played: list[Json] = next(
        (each["games"] for each in find_player(session, name) if each["club"] == club), []
    )
    places = find_places(session, [game["game"] for game in played], name)
    games = [_show_game(game, places, words) for game in played]
    season = find_season(session, club)
    rounds = [] if season is None else list_rounds_played(session, season, player.id, words)
    charts = []
    if rounds:
        totals = list(accumulate(each.table_points for each in rounds))
        said = [
            f"{each.said}: {write_share(each.table_points)} → {write_share(total)}"
            for each, total in zip(rounds, totals, strict=True)
        ]
        charts.append(draw_chart(words("Table points over the season"), [*map(float, totals)], said))
    if games:
        points = list(accumulate(game.points for game in games))
        said = [
            f"{game.begun} · {game.table}: {write_points(game.points)} → {write_number(total)}"
            for game, total in zip(games, points, strict=True)
        ]
        charts.append(draw_chart(words("Points over all games"), points, said))
    ranking = show_ranking(session, club, words)
    row = next((row for row in ranking.rows if row.name == name), None)
    figures = [] if row is None else [(words("Place"), str(row.place), "")]
    if row is not None:
        figures += [(title, *said) for title, said in zip(ranking.columns, row.figures, strict=True)]
    return {
        "club": club,
        "name": name,
        "season": ranking.title,
        "figures": [each for each in figures if each[1]],
        "charts": charts,
        "rounds": list(reversed(rounds)),
        "games": list(reversed(games)),
        "write_share": write_share,
    }


def list_rounds_played(session: Session, season: Season, player: int, words: Words) -> list[RoundPlayed]:
    """The rounds of the season that are over and count for the player, in order of time."""
    days = {meeting.id: meeting.name for meeting in list_meetings(session, season)}
    played = []
    for of in list_season_results(session, season):
        for table in of.tables if of.is_over else ():
            shares, places = table.find_table_points(season.uma), table.places
            if shares is None or places is None or table.points is None:
                continue
            for wind, seated in enumerate(table.players):
                if seated.id == player and seated.absent_id is None:
                    title = write_round(of, words)
                    played.append(
                        RoundPlayed(
                            f"{days[of.meeting_id]} · {title}", table.table, places[wind],
                            table.points[wind], shares[wind],
                        )
                    )  # fmt: skip
    return played


def find_places(session: Session, games: Sequence[str], name: str) -> dict[str, int]:
    """In each of these games the place of the player of that name by points, from 1; those with the same
    points share the best of their places."""
    people = union(
        select(GamePlayer.game_id, GamePlayer.person).where(GamePlayer.game_id.in_(games)),
        select(Payment.game_id, Payment.person).where(Payment.game_id.in_(games)),
    ).subquery()
    points = func.coalesce(func.sum(Payment.points), 0)
    placed = (
        select(
            people.c.game_id,
            people.c.person,
            func.rank().over(partition_by=people.c.game_id, order_by=points.desc()).label("place"),
        )
        .outerjoin(Payment, and_(Payment.game_id == people.c.game_id, Payment.person == people.c.person))
        .group_by(people.c.game_id, people.c.person)
        .subquery()
    )
    query = (
        select(placed.c.game_id, func.min(placed.c.place))
        .join(
            GamePlayer,
            and_(GamePlayer.game_id == placed.c.game_id, GamePlayer.person == placed.c.person),
        )
        .join(Player, Player.id == GamePlayer.player_id)
        .where(Player.name == name)
        .group_by(placed.c.game_id)
    )
    return dict(session.execute(query).all())


def _show_game(game: Json, places: dict[str, int], words: Words) -> GameShown:
    rules = RULE_SETS.get(game["rules"] or "")
    place = places.get(game["game"])
    return GameShown(
        begun=write_day(game["begun"]),
        table=game["table"],
        rules=words.both(rules.title, rules.title_zh)[0] if rules is not None else "",
        place="" if place is None else str(place),
        points=game["points"],
        hands=game["hands"],
        wins=game["wins"],
    )


def write_day(at: str | None) -> str:
    """The day and hour here, of a time as tables send it; as it is where it is none."""
    try:
        return datetime.fromisoformat(at or "").astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return at or ""
