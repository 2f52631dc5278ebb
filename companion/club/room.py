"""What the room and one of its tables show, from the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session

from companion.club.competition import find_meeting, find_season
from companion.club.live import Json, LiveGames
from companion.club.results import RoundResult, TableResult, list_meeting_results
from companion.club.schema import Game, GamePlayer, Player, Season, Table
from companion.sheets.wording import WINDS
from companion.words import Words

RECENT = timedelta(hours=12)
"""A table that is away is shown in the room for this time."""
FITS = (4, 6, 9, 12, 16, 20, 30)
"""Numbers of tables for which the style has sizes, so that all are on a large screen at once."""


@dataclass(frozen=True, slots=True)
class SeatShown:
    """points: None before the game has begun."""

    name: str
    wind: str
    points: int | None = None
    is_dealer: bool = False
    is_turn: bool = False
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class RoundShown:
    """left_s: on its clock. until: when that is at 0, in seconds since 1970; None while it does not run, and
    `said` is why."""

    number: int
    title: str
    left_s: float
    until: float | None
    said: str


@dataclass(frozen=True, slots=True)
class RoomShown:
    """round: of the meeting that is on, if one was seated. missing: whom the others wait for. byes: who sits
    out."""

    tables: Sequence[TableShown]
    round: RoundShown | None
    missing: Sequence[str]
    byes: Sequence[str]


@dataclass(frozen=True, slots=True)
class TableShown:
    """name: in links. title: as people read it. said: round and hand, or since when it is away."""

    name: str
    title: str
    is_there: bool
    said: str
    seats: Sequence[SeatShown]


def list_clubs(session: Session) -> list[str]:
    """The clubs that have a table, a player or a season."""
    found = select(Table.club).union(select(Player.club), select(Season.club))
    return sorted(session.scalars(found))


def list_newest_games(session: Session, club: str) -> dict[int, Game]:
    """By table, the game of which the newest has begun last."""
    query = (
        select(Game)
        .join(Table, Table.id == Game.table_id)
        .where(Table.club == club, Game.through > 0)
        .ext(distinct_on(Game.table_id))
        .order_by(Game.table_id, Game.begun.desc())
    )
    return {game.table_id: game for game in session.scalars(query)}


def find_table(session: Session, club: str, name: str) -> Table | None:
    return session.scalars(select(Table).where(Table.club == club, Table.name == name)).one_or_none()


def list_linked(session: Session, game: Game, names: Sequence[str]) -> list[str]:
    """These names as far as they are players of the game, "" for the others."""
    query = (
        select(Player.name)
        .join(GamePlayer, GamePlayer.player_id == Player.id)
        .where(GamePlayer.game_id == game.id)
    )
    players = set(session.scalars(query))
    return [name if name in players else "" for name in names]


def find_round(session: Session, club: str) -> RoundResult | None:
    """The newest round of the meeting that is on; None without one."""
    season = find_season(session, club)
    meeting = None if season is None or season.ended is not None else find_meeting(session, season)
    if meeting is None or meeting.ended is not None:
        return None
    results = list_meeting_results(session, meeting)
    return results[-1] if results else None


def write_round(of: RoundResult, words: Words) -> str:
    return words("Final table") if of.is_final else words("Round {number}", number=str(of.number))


def show_round(of: RoundResult, words: Words) -> RoundShown:
    """The round and its clock as they are now."""
    now, clock = datetime.now(UTC), of.clock
    left_s = clock.left_s(now)
    said = ""
    if of.is_over:
        said = words("The round is over.")
    elif clock.started is None:
        said = words("The clock has not started.")
    elif clock.paused is not None:
        said = words("The clock is stopped.")
    until = round(now.timestamp() + left_s, 1) if clock.runs else None
    return RoundShown(of.number, write_round(of, words), left_s, until, said)


def show_room(session: Session, live: LiveGames, club: str, words: Words) -> RoomShown:
    """The tables of the round, and those that are there, or were within `RECENT`."""
    of = find_round(session, club)
    results = {} if of is None or of.is_over else {result.table: result for result in of.tables}
    games = list_newest_games(session, club)
    since = datetime.now(UTC) - RECENT
    known = {table.name: table for table in session.scalars(select(Table).where(Table.club == club))}
    recent = [
        table
        for table in known.values()
        if table.name not in results and (table.is_there or (table.seen is not None and table.seen > since))
    ]
    shown = [
        _show_seated(session, live, result, known.get(name), games, of, words)
        for name, result in results.items()
        if of is not None
    ]
    shown += [_show_table(session, live, table, games.get(table.id), words) for table in sort_tables(recent)]
    return RoomShown(
        tables=shown,
        round=None if of is None else show_round(of, words),
        missing=[seat.name for table in shown for seat in table.seats if seat.is_missing],
        byes=[] if of is None or of.is_over else [player.name for player in of.byes],
    )


def _show_seated(
    session: Session,
    live: LiveGames,
    result: TableResult,
    table: Table | None,
    games: Mapping[int, Game],
    of: RoundResult,
    words: Words,
) -> TableShown:
    """A table of the round: its game where it has begun with those who are seated, else who is seated."""
    game = None if table is None else games.get(table.id)
    if table is not None and game is not None and game.id in result.games:
        return _show_table(session, live, table, game, words)
    said = "" if table is None else say_away(table, words)
    if result.strangers:
        said = words("others play here: {names}", names=words.join(result.strangers))
    elif not said and table is not None and of.clock.started is not None:
        said = words("not begun")
    seats = [
        SeatShown(
            player.name,
            write_wind(wind, words),
            None if result.points is None else result.points[wind],
            is_dealer=wind == 0,
            is_missing=bool(result.strangers) and player.name not in result.strangers,
        )
        for wind, player in enumerate(result.players)
    ]
    return TableShown(
        result.table, write_title(result.table, words), table is None or table.is_there, said, seats
    )


def sort_tables(tables: Sequence[Table]) -> list[Table]:
    """In the order of their numbers, where they have any; then of their names."""
    return sorted(tables, key=lambda table: (not table.name.isdecimal(), _number(table.name), table.name))


def _number(name: str) -> int:
    return int(name) if name.isdecimal() else 0


def find_fit(tables: int) -> int:
    """The first of the sizes that this number fits into; 0 where none is large enough."""
    return next((each for each in FITS if tables <= each), 0)


def write_title(name: str, words: Words) -> str:
    """The name of a table; a bare number is called a table."""
    return words("Table {name}", name=name) if name.isdecimal() else name


def write_time(at: datetime) -> str:
    """The hour here."""
    return at.astimezone().strftime("%H:%M")


def _show_table(
    session: Session, live: LiveGames, table: Table, game: Game | None, words: Words
) -> TableShown:
    shown = live.show(session, game, words) if game is not None else None
    said = say_away(table, words) or (_say_deal(shown, words) if shown is not None else "")
    return TableShown(
        table.name, write_title(table.name, words), table.is_there, said, _list_seats(shown, words)
    )


def say_away(table: Table, words: Words) -> str:
    """Since when the table is away; "" for one that is there."""
    if table.is_there or table.seen is None:
        return ""
    return words("away since {time}", time=write_time(table.seen))


def _say_deal(shown: Json, words: Words) -> str:
    """The round and the number of the hand, or that the game is over."""
    if shown["over"]:
        return words("The game is over.")
    hand = words("Hand {number}", number=str(shown["state"]["hand"]))
    wind = shown["agreed"].get("round_wind")
    return f"{words('{wind} round', wind=words(wind.capitalize()))} · {hand}" if wind else hand


def _list_seats(shown: Json | None, words: Words) -> list[SeatShown]:
    if shown is None:
        return []
    state = shown["state"]
    return [
        SeatShown(
            shown["names"][seat],
            write_wind((seat - state["dealer"]) % len(WINDS), words),
            shown["scores"]["points"][seat],
            is_dealer=seat == state["dealer"],
            is_turn=bool(state["playing"] and state["turn"] == seat),
        )
        for seat in shown["seats"]
    ]


def write_wind(wind: int, words: Words) -> str:
    """The seat's wind in one character, from 0 for East."""
    return words(WINDS[wind])[:1]
