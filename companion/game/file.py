"""One game in one SQLite file: entries that are added and never changed, and which of them stand.

Each entry is one transaction, and `append`, `undo` and `redo` return after it: then the entry is on the disk
and in this one file, with a checksum, and the file's count and checksum of all entries agree with it. So a
flip, a cut or a missing page is noticed when the file is opened next. What is relied on: with a rollback
journal and synchronous FULL or EXTRA a transaction is durable "following a power loss"
(https://sqlite.org/pragma.html#pragma_synchronous), and the journal is emptied within the transaction. The
disk must really sync when it says that it did.

One program has a game at a time: in exclusive locking mode SQLite holds the file's lock until it is closed or
its process ends. Never open the file of an open game but through SQLite: closing any other handle on it would
give up that lock (https://sqlite.org/howtocorrupt.html, section 2.2).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

import msgspec

from companion import __version__
from companion.errors import GameFileError, InputError, quote
from companion.files import open_owner_only, restrict_to_owner, try_writing
from companion.game import messages, schema
from companion.game.log import UndoList
from companion.game.sqlite import (
    check_is_file,
    connect,
    has_journal,
    limit_size,
    make_error,
    may_write,
    open_content,
    open_copy,
    open_to_read,
    translate_errors,
)
from companion.named_files import check_new
from companion.sentences import Sentence
from companion.table.events import VERSION

HeaderRow = tuple[str, int, str]
EntryRow = tuple[int, str | None, str, int, str, Annotated[float, msgspec.Meta(ge=0, le=1)]]


@dataclass(frozen=True, slots=True)
class GameHeader:
    """What is kept of a game next to its entries; the house options are in its first event.

    program: the version of the program that began it; format: the newest version of its events; begun: UTC.
    """

    program: str
    format: int
    begun: str


class GameEntry(NamedTuple):
    """Something that was entered.

    number: from 1. key: an entry that comes twice under its key is kept once. event: one line of JSON, "" for
    none. steps: if there is no event, how many are undone (below 0) or redone. at: UTC, the same for all
    that were entered at once. p: how certain the event is, 0 to 1.
    """

    number: int
    key: str | None
    event: str
    steps: int
    at: str
    p: float = schema.CERTAIN


class GameFile:
    """An open game. Close it, or use it in a `with` statement; it may be used by one thread at a time.

    entries: all that was ever entered, in order; those that were undone remain. has_changed: whether anything
    was entered since it was opened, or whether it is new.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, header: GameHeader) -> None:
        """A game without entries; use `create` and `open`."""
        self.path = path
        self.header = header
        self.entries: list[GameEntry] = []
        self._events: UndoList[GameEntry] = UndoList()
        self._connection = connection
        self._by_key: dict[str, GameEntry] = {}
        self._chain = schema.STRONG.start
        self._of_today = False
        self.has_changed = False

    @property
    def standing(self) -> list[GameEntry]:
        """The events that stand, in order."""
        return self._events.standing

    @property
    def undone(self) -> list[GameEntry]:
        """The events that a redo brings back, the next one last."""
        return self._events.undone

    @classmethod
    def create(
        cls,
        path: Path,
        entries: Iterable[GameEntry],
        *,
        program: str = __version__,
        begun: str | None = None,
    ) -> GameFile:
        """Start a game with these entries, all or nothing. InputError if there is a game already, or one
        whose name some file system treats as the same."""
        header = GameHeader(program, VERSION, begun or now())
        with translate_errors(path):
            check_new(path)
            if not path.exists():
                try_writing(path.parent)  # a full disk keeps the name of an empty file
            with suppress(FileExistsError):
                open(path, "xb", opener=open_owner_only).close()
            check_is_file(path)
            if has_journal(path):
                with open_copy(path) as connection:
                    if not schema.is_empty(connection):
                        raise InputError(messages.THERE_ALREADY, name=quote(path.stem))
            with closing(connect(path, "rw")) as connection:
                connection.execute("BEGIN EXCLUSIVE")
                if path.stat().st_size:
                    raise InputError(messages.THERE_ALREADY, name=quote(path.stem))
                limit_size(connection)
                schema.create(connection)
                count, chain = 0, schema.STRONG.start
                for entry in entries:
                    count += 1
                    own, chain = schema.checksums(entry, chain)
                    connection.execute(schema.ADD_ENTRY, (*entry, own))
                connection.execute(schema.ADD_HEADER, schema.make_header_row(*astuple(header), count, chain))
                connection.execute("COMMIT")
        game = cls.open(path)
        game.has_changed = True
        return game

    @classmethod
    def open(cls, path: Path) -> GameFile:
        """The game in the file `path`, in its last state. GameFileError if it cannot be read and written:
        then neither the file nor its neighbours have changed. A file of an older program is one until
        something is entered."""
        check_is_file(path)
        with translate_errors(path, reading=True):
            if not path.stat().st_size:
                raise _make_damage_error(path, messages.NOTHING_IN_IT)
            if has_journal(path):
                _try_with_journal(path)
            if not may_write(path):
                raise make_error(path, messages.READ_ONLY)
            connection = connect(path, "rw")
            try:
                connection.execute("BEGIN EXCLUSIVE")
                connection.execute("COMMIT")
                header, entries = _read(path, connection)
                restrict_to_owner(path)
                game = cls(path, connection, GameHeader(header.program, VERSION, header.begun))
                for entry in entries:
                    game._record(entry)
                return game
            except BaseException:
                connection.close()
                raise

    @classmethod
    def read(cls, path: Path) -> GameFile:
        """The game in the file `path`, closed: only for reading. Nothing is changed, so that the file and its
        folder may be read-only. GameFileError if it cannot be read, or another program has it open."""
        header, entries, connection = _read_closed(path)
        game = cls(path, connection, header)
        for entry in entries:
            game._record(entry)
        return game

    def append(self, event: str, key: str | None = None, p: float = schema.CERTAIN) -> bool:
        """Keep an event, one line of JSON, that is certain to the degree `p`, 0 to 1; False where it was
        entered before (`came_before`).

        On the disk when this returns. InputError as `came_before` raises it, GameFileError if it cannot be
        written: then nothing has changed, unless the disk failed at the very end; what is entered next takes
        the place of such an entry.
        """
        if self.came_before(key, event):
            return False
        self._enter(self._make_entry(key, event=event, p=p))
        return True

    def append_all(self, events: Sequence[str], instead_of: int = 0) -> None:
        """Keep certain events, all of them or none whatever happens, in the place of the last `instead_of`
        ones, which are undone. Otherwise as `append` and `undo`."""
        made: list[GameEntry] = []
        if instead_of:
            self._events.check_undo(instead_of)
            made.append(self._make_entry(steps=-instead_of))
        made += [self._make_entry(event=event) for event in events]
        at, first = now(), len(self.entries) + 1
        self._enter(*(entry._replace(number=number, at=at) for number, entry in enumerate(made, first)))

    def undo(self, steps: int = 1, key: str | None = None) -> bool:
        """Take back the last events; they stay in the file. Raises InputError if there are fewer.

        The first event, which begins the game, always stands. Otherwise as `append`.
        """
        if self.came_before(key, steps=-steps):
            return False
        self._events.check_undo(steps)
        self._enter(self._make_entry(key, steps=-steps))
        return True

    def redo(self, steps: int = 1, key: str | None = None) -> bool:
        """Redo events that were undone, as long as no new one was appended. Otherwise as `append`."""
        if self.came_before(key, steps=steps):
            return False
        self._events.check_redo(steps)
        self._enter(self._make_entry(key, steps=steps))
        return True

    def came_before(self, key: str | None, event: str = "", steps: int = 0) -> bool:
        """Whether this was entered under its key. InputError where the key is another's, or the event that
        was entered under it has been undone."""
        before = self.entry_of(key)
        if before is None:
            return False
        if (before.event, before.steps) != (event, steps):
            raise InputError(messages.KEY_TAKEN, key=quote(key), number=before.number)
        if event and before not in self.standing:
            raise InputError(messages.KEY_UNDONE, key=quote(key), number=before.number)
        return True

    def entry_of(self, key: str | None) -> GameEntry | None:
        """What was entered with that key."""
        return None if key is None else self._by_key.get(key)

    def make_snapshot(self) -> bytes:
        """The content of the file. GameFileError if it cannot be read."""
        with translate_errors(self.path, reading=True):
            return self._connection.serialize()

    def close(self) -> None:
        """Close the file and remove its empty journal."""
        if self._of_today:
            with suppress(sqlite3.Error):  # closed already, or a disk that fails: an empty one does no harm
                self._connection.execute("PRAGMA locking_mode = NORMAL")
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _make_entry(
        self,
        key: str | None = None,
        *,
        event: str = "",
        steps: int = 0,
        p: float = schema.CERTAIN,
    ) -> GameEntry:
        """The next one."""
        return GameEntry(len(self.entries) + 1, key, event, steps, now(), float(p))

    def _enter(self, *entries: GameEntry) -> None:
        """All of them or none."""
        chain = self._chain
        with translate_errors(self.path):
            self._bring_up_to_date()
        with translate_errors(self.path), _transaction(self._connection):
            for entry in entries:
                own, chain = schema.checksums(entry, chain)
                self._connection.execute(schema.ADD_ENTRY, (*entry, own))
            row = schema.make_header_row(*astuple(self.header), entries[-1].number, chain)
            self._connection.execute(schema.SET_HEADER, row)
        for entry in entries:
            self._record(entry)
        self.has_changed = True

    def _bring_up_to_date(self) -> None:
        """Before the first entry, and out of a log before the tables change: what a kill leaves of a
        transaction in a log looks like damage."""
        if not self._of_today:
            limit_size(self._connection)
            self._connection.execute("PRAGMA journal_mode = TRUNCATE")
            schema.migrate(self._connection)
            self._of_today = True

    def _record(self, entry: GameEntry) -> None:
        self.entries.append(entry)
        _, self._chain = schema.checksums(entry, self._chain)
        if entry.key is not None:
            self._by_key[entry.key] = entry
        _follow(self._events, entry)


def list_standing(entries: Iterable[GameEntry]) -> list[GameEntry]:
    """Those of the entries that are events and stand, in order."""
    events: UndoList[GameEntry] = UndoList()
    for entry in entries:
        _follow(events, entry)
    return events.standing


def _follow(events: UndoList[GameEntry], entry: GameEntry) -> None:
    """Do what the entry says."""
    if entry.event:
        events.add(entry)
    else:
        events.move(entry.steps)


def read_entries(path: Path) -> list[GameEntry]:
    """All entries of a game, in order. Changes nothing, so the file and its folder may be read-only.

    Raises what `GameFile.read` does.
    """
    return _read_closed(path)[1]


class EntriesBesideWriter:
    """The entries of a game that another process may be writing; each reading goes on from the one before.

    Takes no lock, so that the writer never waits; the checksums show whether the content is of one moment.
    A process that has the game open itself must not use this: it would give up its own lock.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._entries: list[GameEntry] = []
        self._chain = schema.STRONG.start

    def read(self) -> list[GameEntry] | None:
        """All entries, in order; None in the middle of a transaction. Raises what `GameFile.read` does; an
        error that is gone a moment later was a transaction, too."""
        check_is_file(self._path)
        with translate_errors(self._path, reading=True):
            if has_journal(self._path):
                return None
            content = self._path.read_bytes()
            if has_journal(self._path):
                return None
            with open_content(content) as connection:
                if not self._read_on(connection):
                    self._entries = _read(self._path, connection)[1]
                    self._chain = schema.STRONG.start
                    for entry in self._entries:
                        _, self._chain = schema.checksums(entry, self._chain)
                return self._entries.copy()

    def _read_on(self, connection: sqlite3.Connection) -> bool:
        """Whether the entries are those of before and the new ones, which the checksum of all shows."""
        if not self._entries or _find_version(self._path, connection) != schema.VERSION:
            return False
        header = schema.read_header(connection, schema.VERSION)
        found: list[GameEntry] = []
        chain = self._chain
        for *fields, given in connection.execute(schema.READ_NEWER, (len(self._entries),)):
            if not _fits_row(tuple(fields), EntryRow):
                return False
            found.append(GameEntry(*fields))
            own, chain = schema.checksums(fields, chain)
            if own != given:
                return False
        if header is None or header[3:5] != (len(self._entries) + len(found), chain):
            return False
        self._entries += found
        self._chain = chain
        return True


def read_snapshot(path: Path) -> bytes:
    """The content of an intact game's file, its journal included. Raises as `GameFile.read` does."""
    check_is_file(path)
    with translate_errors(path, reading=True):
        opened = open_copy(path) if has_journal(path) else open_to_read(path)
        with opened as connection:
            _read(path, connection)
            return connection.serialize()


def now() -> str:
    """The time, UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _read_closed(path: Path) -> tuple[GameHeader, list[GameEntry], sqlite3.Connection]:
    """The header and all entries of a game, and the connection that they were read by, which is closed."""
    check_is_file(path)
    with translate_errors(path, reading=True):
        if not path.stat().st_size:
            raise _make_damage_error(path, messages.NOTHING_IN_IT)
        if has_journal(path):
            return _try_with_journal(path)
        with open_to_read(path) as connection:
            return *_read(path, connection), connection


def _try_with_journal(path: Path) -> tuple[GameHeader, list[GameEntry], sqlite3.Connection]:
    """As `_read_closed`, of a game with a journal. GameFileError where the file is not a whole game with what
    is next to it, or has more entries without that.

    What was entered last, at once, may be missing with a journal: a program that was killed had not
    acknowledged it.
    """
    with open_copy(path) as connection:
        header, entries = _read(path, connection)
    alone: list[GameEntry] = []
    with suppress(GameFileError, InputError), open_copy(path, journals=()) as connection:
        _, alone = _read(path, connection)
    at_once = takewhile(lambda entry: entry.at == alone[-1].at, reversed(alone))
    acknowledged = alone[: len(alone) - len(list(at_once))]
    if entries[: len(acknowledged)] != acknowledged:
        raise _make_damage_error(path, messages.TAKES_AWAY)
    return header, entries, connection


def _read(path: Path, connection: sqlite3.Connection) -> tuple[GameHeader, list[GameEntry]]:
    """The header and all entries of a game that is whole and that this program knows.

    Changes nothing.
    """
    version = _find_version(path, connection)
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise _make_damage_error(path, messages.BAD_PARTS)
    row = schema.read_header(connection, version)
    sums = schema.find_checksums(version)
    if row is None or not _fits_row(row[:3], HeaderRow) or (row[3:] and sums.of_row(row[:-1]) != row[-1]):
        raise _make_damage_error(path, messages.OTHER_HEADER)
    header = GameHeader(*row[:3])
    if header.format > VERSION:
        raise make_error(path, messages.NEWER, what=messages.EVENTS, given=header.format, known=VERSION)
    entries: list[GameEntry] = []
    standing = undone = 0
    chain = sums.start
    for number, (fields, chain_to, intact) in enumerate(schema.read_entries(connection, version), start=1):
        if not intact or not _fits_row(fields, EntryRow) or fields[0] != number:
            raise _make_damage_error(path, messages.OTHER_ENTRY, number=number)
        entry = GameEntry(*fields)
        standing, undone = _count_after(entry, standing, undone)
        if standing < 1 or undone < 0:
            raise _make_damage_error(path, messages.OTHER_ENTRY, number=number)
        entries.append(entry)
        chain = chain_to
    if not entries:
        raise _make_damage_error(path, messages.NO_ENTRY_THERE)
    if row[3:] and row[3] != len(entries):
        raise _make_damage_error(path, messages.OTHER_COUNT, given=len(entries), right=row[3])
    if row[3:] and row[4] != chain:
        raise _make_damage_error(path, messages.OTHER_CHAIN)
    return header, entries


def _find_version(path: Path, connection: sqlite3.Connection) -> int:
    """The version of the tables. Refuses anything but a game, and games of a newer program."""
    version, tables = schema.read_user_version(connection), schema.recognise_tables(connection)
    if not schema.is_game(connection):
        if schema.is_empty(connection):
            raise _make_damage_error(path, messages.NOTHING_IN_IT)
        raise make_error(path, messages.NOT_A_GAME)
    if tables is None and version > schema.VERSION:
        raise make_error(path, messages.NEWER, what=messages.TABLES, given=version, known=schema.VERSION)
    if tables is None:
        raise _make_damage_error(path, messages.OTHER_TABLES)
    if tables != version:
        raise _make_damage_error(path, messages.OTHER_VERSION, given=version, right=tables)
    return tables


def _count_after(entry: GameEntry, standing: int, undone: int) -> tuple[int, int]:
    """How many events stand and how many are undone after this entry."""
    return (standing + 1, 0) if entry.event else (standing + entry.steps, undone - entry.steps)


def _fits_row(fields: tuple[Any, ...], row: Any) -> bool:
    """Whether the values are of the types that a row has; in a damaged file they may be of any."""
    try:
        msgspec.convert(fields, row)
    except msgspec.ValidationError:
        return False
    return True


def _make_damage_error(path: Path, why: str, **more: object) -> GameFileError:
    return make_error(path, messages.DAMAGED, Sentence(why, more))
