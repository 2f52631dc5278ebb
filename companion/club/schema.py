"""The tables of the club's database. Whoever changes one adds a migration (`migrations/versions`).

People of a game are numbered as in its first event, 0 to 3. Hands, wins, payments and corrections are written
from the game's score sheet and can be made again from its entries, which are only ever added. Seasons and
what belongs to them are what organisers enter; results of rounds are calculated (`results.py`), not stored.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    DateTime,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from companion.publish.topics import NAME_MAX

GAME_DIGITS = 16


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012  # read by SQLAlchemy
        datetime: DateTime(timezone=True),
        str: Text,
        list[Any]: JSONB,
        list[int]: JSONB,
        list[str]: JSONB,
    }


class Collector(Base):
    """One row. session: the name under which the broker keeps what this database has not received yet."""

    __tablename__ = "collector"

    session: Mapped[str] = mapped_column(primary_key=True)


class Table(Base):
    """trouble, trouble_at: the newest sentence about what it sent, and since when."""

    __tablename__ = "tables"
    __table_args__ = (UniqueConstraint("club", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    club: Mapped[str] = mapped_column(String(NAME_MAX))
    name: Mapped[str] = mapped_column(String(NAME_MAX))
    is_there: Mapped[bool] = mapped_column(default=False)
    seen: Mapped[datetime | None]
    trouble: Mapped[str | None]
    trouble_at: Mapped[datetime | None]


class Game(Base):
    """id: as the table sends it. through: every entry up to this number is here and was played. newest: the
    number of the last entry that the table has, as far as it is known. begun: as the first entry has it."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(GAME_DIGITS), primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey(Table.id), index=True)
    name: Mapped[str] = mapped_column(default="")
    rules: Mapped[str | None]
    begun: Mapped[str | None]
    is_practice: Mapped[bool] = mapped_column(default=False)
    through: Mapped[int] = mapped_column(default=0)
    newest: Mapped[int] = mapped_column(default=0)


class Entry(Base):
    """payload: as it came. refused: why the rules refuse it, with the id of the ruling where there is one."""

    __tablename__ = "entries"

    game_id: Mapped[str] = mapped_column(ForeignKey(Game.id), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    payload: Mapped[bytes] = mapped_column(LargeBinary)
    received: Mapped[datetime]
    refused: Mapped[str | None] = mapped_column()
    ruling: Mapped[str | None]

    __table_args__ = (Index("ix_entries_refused", game_id, postgresql_where=refused.is_not(None)),)


class Player(Base):
    """The same name in a club is the same player."""

    __tablename__ = "players"
    __table_args__ = (UniqueConstraint("club", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    club: Mapped[str] = mapped_column(String(NAME_MAX))
    name: Mapped[str]


class GamePlayer(Base):
    """Who a person of a game is; a person without a name has no row. points, hands, wins: of the finished
    hands, as the sheet has them; points are None until one is finished."""

    __tablename__ = "game_players"

    game_id: Mapped[str] = mapped_column(ForeignKey(Game.id), primary_key=True)
    person: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[int] = mapped_column(ForeignKey(Player.id), index=True)
    points: Mapped[int | None] = mapped_column(BigInteger)
    hands: Mapped[int] = mapped_column(default=0)
    wins: Mapped[int] = mapped_column(default=0)


class Hand(Base):
    """place: in the score sheet, from 0. number: of the hand, as `SheetHand` has it."""

    __tablename__ = "hands"

    game_id: Mapped[str] = mapped_column(ForeignKey(Game.id), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int]
    round_wind: Mapped[str | None]
    dealer: Mapped[int | None]
    streak: Mapped[int]
    finished: Mapped[bool]
    abandoned: Mapped[bool]
    drawn: Mapped[bool]


class Win(Base):
    """hand: its place. place: among the wins of the hand. number: of the event. rows: as objects with id,
    name, name_zh, count and value. Tiles are codes, the winning one last where it is known."""

    __tablename__ = "wins"

    game_id: Mapped[str] = mapped_column(ForeignKey(Game.id), primary_key=True)
    hand: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    place: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int]
    winner: Mapped[int]
    giver: Mapped[int | None]
    source: Mapped[str]
    tile: Mapped[str | None]
    concealed: Mapped[list[Any]]
    melds: Mapped[list[Any]]
    flowers: Mapped[list[Any]]
    value: Mapped[int] = mapped_column(BigInteger)
    unit: Mapped[str]
    rows: Mapped[list[Any]]


class Payment(Base):
    """What one person got by an entry of the ledger, below 0 for what was paid; never 0. number: of the entry
    of the ledger, from 0. cancels: the number of the one that it takes back."""

    __tablename__ = "payments"

    game_id: Mapped[str] = mapped_column(ForeignKey(Game.id), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    hand: Mapped[int]
    reason: Mapped[str]
    points: Mapped[int] = mapped_column(BigInteger)
    why: Mapped[str]
    cancels: Mapped[int | None]


class Correction(Base):
    """number: of the first corrected event; at: of the correction. was, right: events."""

    __tablename__ = "corrections"

    game_id: Mapped[str] = mapped_column(ForeignKey(Game.id), primary_key=True)
    at: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int]
    was: Mapped[list[Any]]
    right: Mapped[list[Any]]
    why: Mapped[str]


class Organiser(Base):
    """Who may change a competition. password: its argon2 hash."""

    __tablename__ = "organisers"

    name: Mapped[str] = mapped_column(primary_key=True)
    password: Mapped[str]


class Season(Base):
    """uma: the table points of the first to the fourth place of a table. A club has one season that has not
    ended, or none."""

    __tablename__ = "seasons"
    __table_args__ = (UniqueConstraint("club", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    club: Mapped[str] = mapped_column(String(NAME_MAX))
    name: Mapped[str]
    uma: Mapped[list[int]]
    began: Mapped[datetime]
    ended: Mapped[datetime | None]


class Meeting(Base):
    """An evening or a day of a season. minutes: of each round, unless a round has others. tables: their
    names, in the order in which they are filled; one that sends no games has its results typed in."""

    __tablename__ = "meetings"

    id: Mapped[int] = mapped_column(primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey(Season.id), index=True)
    name: Mapped[str]
    minutes: Mapped[int]
    tables: Mapped[list[str]]
    began: Mapped[datetime]
    ended: Mapped[datetime | None]


class Presence(Base):
    """A player is seated in the rounds `first` to `last` of a meeting; last: None until the player has gone.
    fills_in: seated only where a table would lack a player."""

    __tablename__ = "presences"

    meeting_id: Mapped[int] = mapped_column(ForeignKey(Meeting.id), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey(Player.id), primary_key=True)
    first: Mapped[int]
    last: Mapped[int | None]
    fills_in: Mapped[bool] = mapped_column(default=False)


class Round(Base):
    """number: in the meeting, from 1. seated: when the seating was made. started: when its clock first ran.
    paused: since when the clock stands; paused_s: for how long it stood before that. It is over once `ended`
    is set; only then it counts."""

    __tablename__ = "rounds"
    __table_args__ = (UniqueConstraint("meeting_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    meeting_id: Mapped[int] = mapped_column(ForeignKey(Meeting.id))
    number: Mapped[int]
    is_final: Mapped[bool] = mapped_column(default=False)
    minutes: Mapped[int]
    seated: Mapped[datetime]
    started: Mapped[datetime | None]
    paused: Mapped[datetime | None]
    paused_s: Mapped[float] = mapped_column(default=0.0)
    ended: Mapped[datetime | None]


class Seat(Base):
    """table: its name. wind: 0 East to 3 North. absent_id: the player whom this one substitutes; the seat
    then counts for neither."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("round_id", "player_id"),)

    round_id: Mapped[int] = mapped_column(ForeignKey(Round.id), primary_key=True)
    table: Mapped[str] = mapped_column(String(NAME_MAX), primary_key=True)
    wind: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[int] = mapped_column(ForeignKey(Player.id), index=True)
    absent_id: Mapped[int | None] = mapped_column(ForeignKey(Player.id))


class Bye(Base):
    """A present player who sat out a round."""

    __tablename__ = "byes"

    round_id: Mapped[int] = mapped_column(ForeignKey(Round.id), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey(Player.id), primary_key=True)


class _Decision:
    """What an organiser decided: why, who and when. One that was taken back stays, with why, by whom and
    when, and does not count."""

    why: Mapped[str]
    who: Mapped[str]
    at: Mapped[datetime]
    undone_why: Mapped[str | None]
    undone_by: Mapped[str | None]
    undone_at: Mapped[datetime | None]


class Penalty(_Decision, Base):
    """points, table_points: deducted from the player's, 0 or more; the places at the table stay. round_id:
    None where it is for the whole meeting."""

    __tablename__ = "penalties"

    id: Mapped[int] = mapped_column(primary_key=True)
    meeting_id: Mapped[int] = mapped_column(ForeignKey(Meeting.id), index=True)
    round_id: Mapped[int | None] = mapped_column(ForeignKey(Round.id))
    player_id: Mapped[int] = mapped_column(ForeignKey(Player.id))
    points: Mapped[int] = mapped_column(BigInteger)
    table_points: Mapped[int]


class Adjustment(_Decision, Base):
    """points: added to what the table sent, by wind; they add up to 0. Where a table sent nothing they are
    its result. What a table sent is never altered."""

    __tablename__ = "adjustments"

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey(Round.id), index=True)
    table: Mapped[str] = mapped_column(String(NAME_MAX))
    points: Mapped[list[int]]
