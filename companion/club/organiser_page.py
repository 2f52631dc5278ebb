"""What the organiser's page shows, from the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.club import competition
from companion.club.competition import find_meeting, find_season
from companion.club.keeping import describe_missing
from companion.club.results import RoundResult, list_meeting_results
from companion.club.room import show_round, sort_tables, write_time, write_title, write_wind
from companion.club.schema import Game, Meeting, Player, Presence, Table
from companion.club.table_points import DEFAULT_UMA
from companion.words import Words

MINUTES = 90
"""What is suggested for the rounds of a club's first meeting."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """since: the hour; "" for what is missing, which comes by itself. is_kept: whether it stays until it was
    seen."""

    table: str
    title: str
    said: str
    since: str
    is_kept: bool


def show_organiser(session: Session, club: str, words: Words) -> dict[str, Any]:
    """The values of the page."""
    season = find_season(session, club) if club else None
    meeting = None if season is None else find_meeting(session, season)
    results = [] if meeting is None else list_meeting_results(session, meeting)
    newest = results[-1] if results else None
    return {
        "troubles": list_troubles(session, club, words),
        "season": season,
        "uma": list(DEFAULT_UMA) if season is None else season.uma,
        "meeting": meeting,
        "minutes": MINUTES if meeting is None else meeting.minutes,
        "tables": _list_table_names(session, club, meeting),
        "presences": [] if meeting is None else _list_presences(session, meeting),
        "known": list(session.scalars(select(Player.name).where(Player.club == club).order_by(Player.name))),
        "rounds": list(reversed(results)),
        "following": len(results) + 1,
        "round": None if newest is None else show_round(newest, words),
        "newest": newest,
        "again": count_repeats(results),
        "penalties": [] if meeting is None else competition.list_penalties(session, meeting),
        "adjustments": [] if meeting is None else competition.list_adjustments(session, meeting),
        "title_of": lambda name: write_title(name, words),
        "wind": lambda at: write_wind(at, words),
        "time": write_time,
    }


def list_troubles(session: Session, club: str, words: Words) -> list[Trouble]:
    """What is wrong with what tables have sent."""
    found = []
    for table in sort_tables(session.scalars(select(Table).where(Table.club == club)).all()):
        title = write_title(table.name, words)
        if table.trouble is not None and table.trouble_at is not None:
            found.append(Trouble(table.name, title, table.trouble, write_time(table.trouble_at), True))
        gaps = select(Game).where(Game.table_id == table.id, Game.newest > Game.through)
        found += [
            Trouble(table.name, title, words.say(describe_missing(game)), "", False)
            for game in session.scalars(gaps)
        ]
    return found


def _list_table_names(session: Session, club: str, meeting: Meeting | None) -> list[str]:
    """Those of the meeting; before the first one those that have sent something."""
    if meeting is not None:
        return meeting.tables
    found = session.scalars(select(Table).where(Table.club == club)).all()
    return [table.name for table in sort_tables(found)]


def _list_presences(session: Session, meeting: Meeting) -> Sequence[tuple[Player, Presence]]:
    """Who is there for the next round first, then who has gone."""
    return sorted(competition.list_presences(session, meeting), key=lambda each: each[1].last is not None)


def count_repeats(results: Sequence[RoundResult]) -> int:
    """The pairs at the tables of the last round who have met in an earlier one of the meeting."""
    if not results:
        return 0
    met = {pair for each in results[:-1] for pair in _list_pairs(each)}
    return sum(pair in met for pair in _list_pairs(results[-1]))


def _list_pairs(of: RoundResult) -> list[frozenset[int]]:
    return [
        frozenset((one.id, other.id)) for table in of.tables for one, other in combinations(table.players, 2)
    ]
