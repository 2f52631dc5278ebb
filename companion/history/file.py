"""One game in one SQLite file: entries that are added and never changed, and which of them stand.

What is relied on (https://sqlite.org/pragma.html#pragma_synchronous): in WAL mode with synchronous FULL or
more, the log is synced after each commit, so that "transactions are durable across a power loss"; with EXTRA
that holds for the rollback journal too, under which a file is made. The disk must not lie about syncing. Each
entry is one commit, and `append`, `undo` and `redo` return after it.

One program has a game at a time: in exclusive locking mode SQLite holds the file's lock until it is closed or
its process ends, and needs no shared memory. Never open a game's file but through SQLite: closing any other
handle on it would give up that lock (https://sqlite.org/howtocorrupt.html, section 2.2).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Self

from companion import __version__
from companion.errors import GameFileError, InputError, quoted
from companion.history import messages, schema
from companion.history.troubles import told, trouble
from companion.table.events import VERSION

BUSY_WAIT_S = 0.5
"""How long another program may take to close a game that both want."""


@dataclass(frozen=True, slots=True)
class Header:
    """What is kept of a game beside its entries; the house options are in its first event.

    program: the version of the program that began it; format: the newest version of its events; begun: UTC.
    """

    program: str
    format: int
    begun: str


class Entry(NamedTuple):
    """Something that was entered.

    number: from 1; key: what makes it be kept once; event: one line of JSON, "" for none; steps: where there
    is no event, so many undone (below 0) or redone; at: UTC.
    """

    number: int
    key: str | None
    event: str
    steps: int
    at: str


class GameFile:
    """An open game. Close it, or use it in a `with` statement; it may be used by one thread at a time.

    entries: all that was ever entered, in order. standing: the events that stand, in order. undone: those
    that a redo brings back, the next one last; empty after a new event, while they remain in `entries`.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, header: Header) -> None:
        self.path = path
        self.header = header
        self.entries: list[Entry] = []
        self.standing: list[Entry] = []
        self.undone: list[Entry] = []
        self._connection = connection
        self._by_key: dict[str, Entry] = {}
        self._checksum = 0

    @classmethod
    def create(
        cls,
        path: Path,
        entries: Iterable[Entry],
        *,
        program: str = __version__,
        begun: str | None = None,
    ) -> GameFile:
        """Begin a game with these entries, all or nothing. InputError where there is a game already."""
        with _connected(path, "rwc") as connection:
            if not schema.is_empty(connection):
                raise InputError(messages.THERE_ALREADY, name=quoted(path.stem))
            connection.execute("BEGIN IMMEDIATE")
            schema.create(connection)
            connection.execute("INSERT INTO game VALUES (?, ?, ?)", (program, VERSION, begun or now()))
            checksum = 0
            for entry in entries:
                checksum = schema.checksum(entry, checksum)
                connection.execute(schema.ADD_ENTRY, (*entry, checksum))
            connection.execute("COMMIT")
            connection.close()
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> GameFile:
        """The game in the file `path`, as it stood. GameFileError where it cannot be read and written."""
        with _connected(path, "rw") as connection:
            header = _checked(path, connection)
            connection.execute("PRAGMA journal_mode = WAL")
            schema.migrate(connection)
            if header.format < VERSION:
                connection.execute("UPDATE game SET format = ?", (VERSION,))
                header = replace(header, format=VERSION)
            game = cls(path, connection, header)
            for entry, checksum in _entries(path, connection):
                game._take(entry, checksum)
            return game

    def append(self, event: str, key: str | None = None) -> bool:
        """Keep an event, one line of JSON; False where it was entered before, as `came_before` tells.

        On the disk when this returns. InputError as `came_before` raises it, GameFileError where it cannot be
        written: then nothing has changed.
        """
        if self.came_before(key, event):
            return False
        self._enter(key, event=event)
        return True

    def undo(self, steps: int = 1, key: str | None = None) -> bool:
        """Take back the last events; they stay in the file. InputError where there are not so many.

        The first event, which begins the game, always stands. Otherwise as `append`.
        """
        if self.came_before(key, steps=-steps):
            return False
        check_steps(messages.CANNOT_UNDO, steps, len(self.standing) - 1)
        self._enter(key, steps=-steps)
        return True

    def redo(self, steps: int = 1, key: str | None = None) -> bool:
        """Bring back events that were undone, as long as no new one was appended. Otherwise as `append`."""
        if self.came_before(key, steps=steps):
            return False
        check_steps(messages.CANNOT_REDO, steps, len(self.undone))
        self._enter(key, steps=steps)
        return True

    def came_before(self, key: str | None, event: str = "", steps: int = 0) -> bool:
        """Whether this was entered under its key. InputError where the key is another's, or the event that
        was entered under it has been undone."""
        before = self.entry_of(key)
        if before is None:
            return False
        if (before.event, before.steps) != (event, steps):
            raise InputError(messages.KEY_TAKEN, key=quoted(key), number=before.number)
        if event and before not in self.standing:
            raise InputError(messages.KEY_UNDONE, key=quoted(key), number=before.number)
        return True

    def entry_of(self, key: str | None) -> Entry | None:
        """What was entered with that key."""
        return None if key is None else self._by_key.get(key)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _enter(self, key: str | None, *, event: str = "", steps: int = 0) -> None:
        entry = Entry(len(self.entries) + 1, key, event, steps, now())
        checksum = schema.checksum(entry, self._checksum)
        with told(self.path):
            self._connection.execute(schema.ADD_ENTRY, (*entry, checksum))
        self._take(entry, checksum)

    def _take(self, entry: Entry, checksum: int) -> None:
        self.entries.append(entry)
        self._checksum = checksum
        if entry.key is not None:
            self._by_key[entry.key] = entry
        if entry.event:
            self.standing.append(entry)
            self.undone.clear()
        for _ in range(-entry.steps):
            self.undone.append(self.standing.pop())
        for _ in range(entry.steps):
            self.standing.append(self.undone.pop())


def now() -> str:
    """The time, UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def rescue(damaged: Path, path: Path) -> GameFile:
    """A new game in the file `path` of the entries of a damaged one that stand before the first broken one.

    The damaged file is left as it is. GameFileError where no entry in it can be read.
    """
    entries: list[Entry] = []
    with _connected(damaged, "rw") as connection:
        _recognise(damaged, connection)
        header = _header(damaged, connection)
        with suppress(sqlite3.Error, UnicodeDecodeError, GameFileError):
            for entry, _ in _entries(damaged, connection):
                entries.append(entry)
        if not entries:
            raise trouble(damaged, messages.DAMAGED, messages.NO_ENTRY_THERE)
        connection.close()
    return GameFile.create(path, entries, program=header.program, begun=header.begun)


@contextmanager
def _connected(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """A connection that is closed where something goes wrong."""
    if mode == "rw" and not path.exists():
        raise InputError(messages.NO_GAME, file=path)
    with told(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=BUSY_WAIT_S,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA synchronous = EXTRA")
            yield connection
        except BaseException:
            connection.close()
            raise


def _recognise(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse what is no game, or a newer program's; nothing is changed in the file."""
    if not schema.is_game(connection):
        if schema.is_empty(connection):
            raise InputError(messages.NO_GAME, file=path)
        raise trouble(path, messages.NOT_A_GAME)
    version = schema.user_version(connection)
    if version > schema.VERSION:
        raise trouble(path, messages.NEWER, what=messages.TABLES, given=version, known=schema.VERSION)
    if version not in (schema.VERSION, *schema.MIGRATIONS):
        raise trouble(path, messages.DAMAGED, GameFileError(messages.NO_VERSION, version=version))


def _checked(path: Path, connection: sqlite3.Connection) -> Header:
    """The header of a game that this program may read and write; nothing is changed in the file."""
    _recognise(path, connection)
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise trouble(path, messages.DAMAGED, found)
    return _header(path, connection)


def _header(path: Path, connection: sqlite3.Connection) -> Header:
    row = connection.execute(schema.READ_HEADER).fetchone()
    if row is None:
        raise trouble(path, messages.DAMAGED, messages.NO_HEADER_THERE)
    header = Header(*row)
    if header.format > VERSION:
        raise trouble(path, messages.NEWER, what=messages.EVENTS, given=header.format, known=VERSION)
    return header


def _entries(path: Path, connection: sqlite3.Connection) -> Iterator[tuple[Entry, int]]:
    """The entries in order, each with its checksum; GameFileError at the first that is not as written."""
    checksum = 0
    for number, row in enumerate(connection.execute(schema.READ_ENTRIES), start=1):
        entry = Entry(*row[:-1])
        checksum = schema.checksum(entry, checksum)
        if (entry.number, row[-1]) != (number, checksum):
            raise trouble(path, messages.DAMAGED, GameFileError(messages.OTHER_ENTRY, number=number))
        yield entry, checksum


def check_steps(refusal: str, steps: int, most: int) -> None:
    """InputError, this one, where there are not so many."""
    if not 1 <= steps <= most:
        raise InputError(refusal, steps=steps, most=max(most, 0))
