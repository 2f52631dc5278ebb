"""What becomes of each message of a table: kept once, played by the rules, refused in a sentence.

The caller has the transaction; nothing here is final before it is committed.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import (
    ARRAY,
    Text,
    any_,
    column,
    func,
    insert,
    inspect,
    literal,
    select,
    update,
)
from sqlalchemy.orm import Session
from sqlalchemy.sql.elements import CollectionAggregate
from sqlalchemy.sql.selectable import TableValuedAlias

from companion.club import messages
from companion.club.clocks import Clocks
from companion.club.replay import ReplayedGame
from companion.club.schema import Base, Entry, Game, Table
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

CHANGING = "id", "name", "rules", "begun", "is_practice", "through", "newest"
"""What of a game may change, and which one it is."""
SEEN_EVERY = timedelta(seconds=5)
"""How precisely it is kept when a table was seen."""

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
    """A game in memory, up to the entry with the number `through`. sheet: as it was written last."""

    game: ReplayedGame
    through: int
    sheet: Sheet | None = None


@dataclass(frozen=True, slots=True)
class _Received:
    """A message of a table; content: a sentence where it cannot be read."""

    topics: TableTopics
    content: Alive | _StateNote | EntryMessage | Sentence
    payload: bytes


class Keeper:
    """Keeps messages in the database, with the games in memory. After a transaction that was rolled back
    `forget` comes first."""

    def __init__(self) -> None:
        self._played: OrderedDict[str, _Played] = OrderedDict()
        self._changed: set[str] = set()
        self._clocks = Clocks()

    def forget(self) -> None:
        """Believe the database about the games of the last transaction."""
        for game in self._changed:
            self._played.pop(game, None)

    def keep(self, session: Session, arrived: Iterable[tuple[str, bytes]]) -> Kept:
        """Keep these messages, each with its topic, in order."""
        received = [found for topic, payload in arrived if (found := _read(topic, payload)) is not None]
        rows = _Rows(session, received)
        kept = Kept()
        touched: dict[str, tuple[Game, str]] = {}
        self._changed.clear()
        back: list[Table] = []
        now = datetime.now(UTC)
        for message in received:
            topics, content = message.topics, message.content
            table = rows.find_table(topics)
            if table.seen is None or now - table.seen > SEEN_EVERY:
                table.seen = now
            try:
                if isinstance(content, Sentence):
                    _mark(table, topics, content, kept)
                elif isinstance(content, Alive):
                    table.is_there = content.alive
                    if table.is_there:
                        back.append(table)
                        self._check_clock(table, topics, content, now, kept)
                elif isinstance(content, _StateNote):
                    game = rows.find_game(table, content.game, content.name)
                    self._note_newest(game, topics, content.number, kept)
                elif (played := self._keep_entry(session, rows, table, message, content, kept)) is not None:
                    touched[played.id] = played, topics.club
            except InputError as problem:
                _mark(table, topics, problem.sentence, kept)
        for game, club in touched.values():
            _write_game(session, game, club, self._played[game.id])
        rows.save()
        kept.missing += find_missing(session, back) if back else ()
        while len(self._played) > GAMES_MAX:
            self._played.popitem(last=False)
        return kept

    def mark(self, session: Session, topic: str, trouble: Sentence) -> Kept:
        """Note a trouble of the table with that topic."""
        kept = Kept()
        topics = find_topics(topic)
        if topics is not None:
            table = _Rows(session, [_Received(topics, trouble, b"")]).find_table(topics)
            _mark(table, topics, trouble, kept)
        return kept

    def _keep_entry(
        self,
        session: Session,
        rows: _Rows,
        table: Table,
        message: _Received,
        entry: EntryMessage,
        kept: Kept,
    ) -> Game | None:
        """The game that was played on, if any."""
        topics = message.topics
        game = rows.find_game(table, entry.game, entry.name)
        if entry.number <= game.newest:
            before = rows.find_entry(game, entry.number)
            if before is not None:
                if not _is_same(_decode_entry(before.payload), entry):
                    raise InputError(messages.OTHER_CONTENT, number=str(entry.number), game=game.name)
                return None
        kept_entry = Entry(
            game_id=game.id, number=entry.number, payload=message.payload, received=datetime.now(UTC)
        )
        rows.add_entry(kept_entry)
        if entry.number != game.through + 1:
            self._note_newest(game, topics, entry.number, kept)
            return None
        self._changed.add(game.id)
        try:
            played = self._open(session, game)
        except EventError as problem:
            game.newest = max(game.newest, entry.number)
            raise InputError(messages.CANNOT_GO_ON, game=game.name, problem=problem.sentence) from problem
        _play(played, game, kept_entry, entry, table, topics, kept)
        while game.newest > game.through:
            following = rows.find_entry(game, game.through + 1)
            if following is None:
                break
            _play(played, game, following, _decode_entry(following.payload), table, topics, kept)
        game.newest = max(game.newest, game.through)
        return game

    def _check_clock(
        self, table: Table, topics: TableTopics, alive: Alive, now: datetime, kept: Kept
    ) -> None:
        ahead = None if alive.at is None else self._clocks.note(topics, alive.at, now)
        if ahead is not None:
            template = messages.CLOCK_AHEAD if ahead > timedelta(0) else messages.CLOCK_BEHIND
            _mark(table, topics, Sentence(template, {"minutes": abs(ahead) // timedelta(minutes=1)}), kept)

    def _note_newest(self, game: Game, topics: TableTopics, number: int, kept: Kept) -> None:
        """The table has entries up to that number. Where some are missing since now, they are asked for."""
        was_whole = game.newest <= game.through
        game.newest = max(game.newest, number)
        if was_whole and game.newest > game.through:
            kept.missing.append(Missing(topics, game.id, game.through + 1))
            kept.troubles.append((topics, describe_missing(game)))

    def _open(self, session: Session, game: Game) -> _Played:
        played = self._played.get(game.id)
        if played is None or played.through != game.through:
            resumed = ReplayedGame.resume(list_entries(session, game))
            played = self._played[game.id] = _Played(resumed, game.through)
        self._played.move_to_end(game.id)
        return played


def replay_refused(session: Session) -> None:
    """Play games again of which entries were refused: a newer program may know what they are. A game of which
    it would refuse other entries stays as it is."""
    refused = select(Entry.game_id).where(Entry.refused.is_not(None))
    query = select(Game, Table.club).join(Table, Table.id == Game.table_id).where(Game.id.in_(refused))
    for game, club in session.execute(query).all():
        entries = session.scalars(
            select(Entry).where(Entry.game_id == game.id, Entry.number <= game.through).order_by(Entry.number)
        ).all()
        played = ReplayedGame()
        problems = [_find_problem(played, _decode_entry(each.payload)) for each in entries]
        pairs = list(zip(entries, problems, strict=True))
        if any(problem and each.refused is None for each, problem in pairs):
            continue
        accepted = [each for each, problem in pairs if problem is None and each.refused is not None]
        if accepted:
            for each in accepted:
                each.refused = each.ruling = None
            _write_game(session, game, club, _Played(played, game.through))


def _find_problem(played: ReplayedGame, entry: EntryMessage) -> InputError | None:
    """Play the entry; why that cannot be."""
    try:
        played.take(entry)
    except InputError as problem:
        return problem
    return None


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


def find_missing(session: Session, tables: Sequence[Table] | None = None) -> list[Missing]:
    """What is missing of all games, or of those of some tables."""
    query = select(Table, Game).join(Game, Game.table_id == Table.id).where(Game.newest > Game.through)
    if tables is not None:
        query = query.where(Table.id.in_({each.id for each in tables}))
    found = session.execute(query.order_by(Game.id))
    return [Missing(TableTopics(each.club, each.name), game.id, game.through + 1) for each, game in found]


def describe_missing(game: Game) -> Sentence:
    return Sentence(messages.MISSING, {"game": game.name or game.id, "first": str(game.through + 1)})


def _read(topic: str, payload: bytes) -> _Received | None:
    """The message; None on a topic that no table has."""
    topics = find_topics(topic)
    if topics is None:
        log.warning("a message on the topic %s, which no table has", show(topic))
        return None
    return _Received(topics, _read_content(topics, topic, payload), payload)


def _read_content(
    topics: TableTopics, topic: str, payload: bytes
) -> Alive | _StateNote | EntryMessage | Sentence:
    size = len(payload)
    if size > PAYLOAD_MAX_BYTES:
        return Sentence(messages.OVERSIZED, {"topic": topic, "size": size, "most": PAYLOAD_MAX_BYTES})
    try:
        version = decode_as(payload, _Versioned).version
        if version != VERSION:
            return Sentence(
                messages.OTHER_VERSION, {"topic": topic, "given": str(version), "known": str(VERSION)}
            )
        if topic == topics.alive:
            return decode_as(payload, Alive)
        return decode_as(payload, _StateNote) if topic == topics.state else _decode_entry(payload)
    except Undecodable as problem:
        return Sentence(messages.GARBAGE, {"topic": topic, "why": problem.why})


def _decode_entry(payload: bytes) -> EntryMessage:
    entry = decode_as(payload, EntryMessage)
    if bool(entry.event) == bool(entry.steps):
        raise Undecodable(messages.NEITHER)
    return entry


def _is_same(one: EntryMessage, other: EntryMessage) -> bool:
    """Whether both are the same entry; a game may be renamed."""
    return msgspec.structs.replace(one, name="") == msgspec.structs.replace(other, name="")


class _Rows:
    """The tables and games that messages are about, and their new entries: read and written in statements
    that are the same for any number of them. Missing tables and games are made.

    Games are not the session's: `save` writes what has changed.
    """

    def __init__(self, session: Session, received: Sequence[_Received]) -> None:
        self._session = session
        clubs = _any({each.topics.club for each in received})
        names = _any({each.topics.table for each in received})
        tables = session.scalars(select(Table).where(Table.club == clubs, Table.name == names))
        self._tables = {(each.club, each.name): each for each in tables}
        ids = {each.content.game for each in received if isinstance(each.content, _StateNote | EntryMessage)}
        self._games = {each.id: each for each in session.scalars(select(Game).where(Game.id == _any(ids)))}
        for game in self._games.values():
            session.expunge(game)
        self._new: dict[tuple[str, int], Entry] = {}

    def find_table(self, topics: TableTopics) -> Table:
        table = self._tables.get((topics.club, topics.table))
        if table is None:
            table = Table(club=topics.club, name=topics.table, is_there=False)
            self._session.add(table)
            self._session.flush()
            self._tables[table.club, table.name] = table
        return table

    def find_game(self, table: Table, number: str, name: str) -> Game:
        """InputError where it is another table's."""
        game = self._games.get(number)
        if game is None:
            game = Game(
                id=number,
                table_id=table.id,
                name="",
                rules=None,
                begun=None,
                is_practice=False,
                through=0,
                newest=0,
            )
            self._session.add(game)
            self._session.flush()
            self._session.expunge(game)
            self._games[number] = game
        elif game.table_id != table.id:
            owner = self._session.get_one(Table, game.table_id)
            raise InputError(messages.OTHER_TABLE, game=show(name), table=f"{owner.club}/{owner.name}")
        if game.name != name:
            game.name = show(name)
        return game

    def add_entry(self, entry: Entry) -> None:
        self._new[entry.game_id, entry.number] = entry

    def find_entry(self, game: Game, number: int) -> Entry | None:
        new = self._new.get((game.id, number))
        return new or self._session.get(Entry, (game.id, number))

    def save(self) -> None:
        games = [each for each in self._games.values() if inspect(each).modified]
        if games:
            changed = _list_values(Game, games, *CHANGING)
            is_same = Game.id == changed.c.id
            values = {name: changed.c[name] for name in CHANGING if name != "id"}
            self._session.execute(
                update(Game).where(is_same).values(values).execution_options(synchronize_session=False)
            )
        if self._new:
            columns = [column.name for column in Entry.__table__.columns]
            entries = _list_values(Entry, list(self._new.values()), *columns)
            self._session.execute(insert(Entry).from_select(columns, select(*entries.c)))


def _any(values: Iterable[str]) -> CollectionAggregate[Any]:
    return any_(literal(list(values), ARRAY(Text)))


def _list_values(kind: type[Base], rows: Sequence[Base], *names: str) -> TableValuedAlias:
    """These columns of the rows as a table of the statement, a parameter for each column."""
    columns = [column(name, kind.__table__.c[name].type) for name in names]
    arrays = [literal([getattr(row, each.name) for row in rows], ARRAY(each.type)) for each in columns]
    return func.unnest(*arrays).table_valued(*columns).render_derived()


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
    game.through = played.through = entry.number
    if game.begun is None:
        game.begun = show(entry.at)
    problem = _find_problem(played.game, entry)
    if problem is not None:
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


def _write_game(session: Session, game: Game, club: str, played: _Played) -> None:
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
    played.game.log.forget_states()


def _mark(table: Table, topics: TableTopics, trouble: Sentence, kept: Kept) -> None:
    table.trouble, table.trouble_at = str(trouble), datetime.now(UTC)
    kept.troubles.append((topics, trouble))
