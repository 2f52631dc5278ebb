"""What becomes of each message of a table: kept once, played by the rules, refused in a sentence.

The caller has the transaction; nothing here is final before it is committed.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.club import messages
from companion.club.replay import ReplayedGame
from companion.club.schema import Entry, Game, Table
from companion.club.sheet_rows import write_sheet
from companion.errors import EventError, InputError
from companion.foreign import Undecodable, decode_as
from companion.foreign_text import show
from companion.publish.topics import VERSION, Alive, EntryMessage, GameId, Number, TableTopics
from companion.sentences import Sentence
from companion.sheets.hands import Sheet, make_sheet
from companion.table.events import GameStarted

PAYLOAD_MAX_BYTES = 2**18
"""Many times the longest state of a table; an entry has some hundred bytes."""
GAMES_MAX = 2000
"""Games that are kept in memory; one that is not is played again from its entries when its next one comes."""

log = logging.getLogger(__name__)


class _Versioned(msgspec.Struct, frozen=True):
    version: int


class _StateNote(msgspec.Struct, frozen=True):
    """What of a table's state matters here: up to which entry it has come."""

    game: GameId
    number: Number
    name: str


@dataclass(frozen=True, slots=True)
class Missing:
    """Entries of a game that have not arrived, from number `first` on."""

    topics: TableTopics
    game: str
    first: int


@dataclass(slots=True)
class Kept:
    """What keeping a batch has shown. troubles: sentences, with the table that each is about."""

    missing: list[Missing] = field(default_factory=list)
    troubles: list[tuple[TableTopics, Sentence]] = field(default_factory=list)


@dataclass(slots=True)
class _Played:
    """A game in memory. sheet: as it was written last."""

    game: ReplayedGame
    sheet: Sheet | None = None


class Keeper:
    """Keeps messages in the database, with the games in memory. After a transaction that was rolled back
    `forget` comes first."""

    def __init__(self) -> None:
        self._played: OrderedDict[str, _Played] = OrderedDict()

    def forget(self) -> None:
        """Believe the database alone from now on."""
        self._played.clear()

    def keep(self, session: Session, arrived: Iterable[tuple[str, bytes]]) -> Kept:
        """Keep these messages, each with its topic, in order."""
        kept = Kept()
        touched: dict[str, tuple[Game, str]] = {}
        tables: dict[TableTopics, Table] = {}
        for topic, payload in arrived:
            topics = find_topics(topic)
            if topics is None:
                log.warning("a message on the topic %s, which no table has", show(topic))
                continue
            table = tables.get(topics) or tables.setdefault(topics, _find_table(session, topics))
            table.seen = datetime.now(UTC)
            game = self._keep_one(session, table, topics, topic, payload, kept)
            if game is not None:
                touched[game.id] = game, topics.club
        for game, club in touched.values():
            self._write(session, game, club)
        while len(self._played) > GAMES_MAX:
            self._played.popitem(last=False)
        return kept

    def mark(self, session: Session, topic: str, trouble: Sentence) -> Kept:
        """Note a trouble of the table with that topic."""
        kept = Kept()
        topics = find_topics(topic)
        if topics is not None:
            _mark(_find_table(session, topics), topics, trouble, kept)
        return kept

    def _keep_one(
        self, session: Session, table: Table, topics: TableTopics, topic: str, payload: bytes, kept: Kept
    ) -> Game | None:
        """The game that was played on, if any."""
        try:
            _check(topic, payload)
            if topic == topics.alive:
                table.is_there = decode_as(payload, Alive).alive
                if table.is_there:
                    kept.missing += find_missing(session, table)
            elif topic == topics.state:
                note = decode_as(payload, _StateNote)
                game = _find_game(session, table, note.game, note.name)
                self._note_newest(game, topics, note.number, kept)
            elif topic == topics.events:
                return self._keep_entry(session, table, topics, payload, kept)
        except Undecodable as problem:
            _mark(table, topics, Sentence(messages.GARBAGE, {"topic": topic, "why": problem.why}), kept)
        except InputError as problem:
            _mark(table, topics, problem.sentence, kept)
        return None

    def _keep_entry(
        self, session: Session, table: Table, topics: TableTopics, payload: bytes, kept: Kept
    ) -> Game | None:
        entry = _decode_entry(payload)
        game = _find_game(session, table, entry.game, entry.name)
        if entry.number <= game.newest:
            before = _find_entry(session, game, entry.number)
            if before is not None:
                if not _is_same(_decode_entry(before.payload), entry):
                    raise InputError(messages.OTHER_CONTENT, number=str(entry.number), game=game.name)
                return None
        kept_entry = Entry(game_id=game.id, number=entry.number, payload=payload, received=datetime.now(UTC))
        session.add(kept_entry)
        if entry.number != game.through + 1:
            self._note_newest(game, topics, entry.number, kept)
            return None
        try:
            played = self._open(session, game)
        except EventError as problem:
            game.newest = max(game.newest, entry.number)
            raise InputError(messages.CANNOT_GO_ON, game=game.name, problem=problem.sentence) from problem
        _play(played, game, kept_entry, entry, table, topics, kept)
        while game.newest > game.through:
            following = _find_entry(session, game, game.through + 1)
            if following is None:
                break
            _play(played, game, following, _decode_entry(following.payload), table, topics, kept)
        game.newest = max(game.newest, game.through)
        return game

    def _note_newest(self, game: Game, topics: TableTopics, number: int, kept: Kept) -> None:
        """The table has entries up to that number. Where some are missing since now, they are asked for."""
        was_whole = game.newest <= game.through
        game.newest = max(game.newest, number)
        if was_whole and game.newest > game.through:
            kept.missing.append(Missing(topics, game.id, game.through + 1))
            kept.troubles.append((topics, describe_missing(game)))

    def _open(self, session: Session, game: Game) -> _Played:
        played = self._played.get(game.id)
        if played is None:
            played = self._played[game.id] = _Played(ReplayedGame.resume(list_entries(session, game)))
        self._played.move_to_end(game.id)
        return played

    def _write(self, session: Session, game: Game, club: str) -> None:
        played = self._played[game.id]
        standing = played.game.log.standing
        if not played.game.has_changed or not standing:
            return
        start = standing[0]
        assert isinstance(start, GameStarted)
        session.flush()
        sheet = make_sheet(standing, played.sheet)
        game.rules, game.is_practice = sheet.rules, start.practice is not None
        write_sheet(session, game.id, club, sheet, played.sheet)
        played.sheet, played.game.has_changed = sheet, False


def find_topics(topic: str) -> TableTopics | None:
    """The table that has this topic; None where no table can have it."""
    parts = topic.split("/")
    if len(parts) != 4:
        return None
    try:
        topics = TableTopics(*parts[1:3])
    except InputError:
        return None
    return topics if topic in (topics.events, topics.state, topics.alive) else None


def list_entries(session: Session, game: Game, after: int = 0) -> Iterator[tuple[EntryMessage, bool]]:
    """The entries of a game that were played, from the one behind number `after` on, each with whether the
    rules accepted it."""
    stored = session.execute(
        select(Entry.payload, Entry.refused)
        .where(Entry.game_id == game.id, Entry.number > after, Entry.number <= game.through)
        .order_by(Entry.number)
    )
    return ((_decode_entry(payload), refused is None) for payload, refused in stored)


def find_missing(session: Session, table: Table | None = None) -> list[Missing]:
    """What is missing of all games, or of those of one table."""
    query = select(Table, Game).join(Game, Game.table_id == Table.id).where(Game.newest > Game.through)
    if table is not None:
        query = query.where(Table.id == table.id)
    found = session.execute(query.order_by(Game.id))
    return [Missing(TableTopics(each.club, each.name), game.id, game.through + 1) for each, game in found]


def describe_missing(game: Game) -> Sentence:
    return Sentence(messages.MISSING, {"game": game.name or game.id, "first": str(game.through + 1)})


def _check(topic: str, payload: bytes) -> None:
    size = len(payload)
    if size > PAYLOAD_MAX_BYTES:
        raise InputError(messages.OVERSIZED, topic=topic, size=size, most=PAYLOAD_MAX_BYTES)
    version = decode_as(payload, _Versioned).version
    if version != VERSION:
        raise InputError(messages.OTHER_VERSION, topic=topic, given=str(version), known=str(VERSION))


def _decode_entry(payload: bytes) -> EntryMessage:
    entry = decode_as(payload, EntryMessage)
    if bool(entry.event) == bool(entry.steps):
        raise Undecodable(messages.NEITHER)
    return entry


def _is_same(one: EntryMessage, other: EntryMessage) -> bool:
    """Whether both are the same entry; a game may be renamed."""
    return msgspec.structs.replace(one, name="") == msgspec.structs.replace(other, name="")


def _find_table(session: Session, topics: TableTopics) -> Table:
    """The row of that table, a new one if need be."""
    query = select(Table).where(Table.club == topics.club, Table.name == topics.table)
    table = session.scalars(query).one_or_none()
    if table is None:
        table = Table(club=topics.club, name=topics.table, is_there=False)
        session.add(table)
        session.flush()
    return table


def _find_game(session: Session, table: Table, number: str, name: str) -> Game:
    """The game of that table, a new one if need be. InputError where it is another table's."""
    game = session.get(Game, number)
    if game is None:
        game = Game(id=number, table_id=table.id, name="", is_practice=False, through=0, newest=0)
        session.add(game)
        session.flush()
    elif game.table_id != table.id:
        owner = session.get_one(Table, game.table_id)
        raise InputError(messages.OTHER_TABLE, game=show(name), table=f"{owner.club}/{owner.name}")
    game.name = show(name)
    return game


def _find_entry(session: Session, game: Game, number: int) -> Entry | None:
    query = select(Entry).where(Entry.game_id == game.id, Entry.number == number)
    return session.scalars(query).one_or_none()


def _play(
    played: _Played,
    game: Game,
    kept_entry: Entry,
    entry: EntryMessage,
    table: Table,
    topics: TableTopics,
    kept: Kept,
) -> None:
    """Play the next entry of the game; what the rules refuse is marked with why."""
    game.through = entry.number
    if game.begun is None:
        game.begun = show(entry.at)
    try:
        played.game.take(entry)
    except InputError as problem:
        ruling = problem.ruling if isinstance(problem, EventError) else ""
        kept_entry.refused, kept_entry.ruling = str(problem), ruling or None
        said = Sentence(
            messages.REFUSED_BY if ruling else messages.REFUSED,
            {
                "number": str(entry.number),
                "game": game.name,
                "problem": problem.sentence,
                "ruling": ruling,
            },
        )
        _mark(table, topics, said, kept)


def _mark(table: Table, topics: TableTopics, trouble: Sentence, kept: Kept) -> None:
    table.trouble, table.trouble_at = str(trouble), datetime.now(UTC)
    kept.troubles.append((topics, trouble))
