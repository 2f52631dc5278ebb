"""The tables of a game's file, and how the file of an older program becomes one of today's.

Whoever changes TABLES raises VERSION, moves the old tables to OLDER and adds the step between both to
MIGRATIONS; a step that has been released is never changed. `PRAGMA user_version` holds the file's version.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple
from zlib import crc32

import msgspec

from companion.files import make_checksum

APPLICATION_ID = 0x6D6A6763
"""Marks an SQLite file as a game: "mjgc"."""

VERSION = 5

TABLES = (
    """
    CREATE TABLE game (            -- one row
        program TEXT NOT NULL,     -- the version of the program that began it
        format INTEGER NOT NULL,   -- the version of its events
        begun TEXT NOT NULL,       -- UTC
        entries INTEGER NOT NULL,  -- how many there are
        chain BLOB NOT NULL,       -- checksum of all entries, one after the other
        checksum BLOB NOT NULL     -- of the columns before it
    ) STRICT
    """,
    """
    CREATE TABLE entry (           -- rows are only ever added
        number INTEGER PRIMARY KEY,  -- 1, 2, 3 … as they were entered
        key TEXT,                  -- what makes an entry that comes twice be kept once
        event TEXT NOT NULL,       -- one line of JSON, '' for none
        steps INTEGER NOT NULL,    -- where there is no event: events undone (below 0) or redone
        at TEXT NOT NULL,          -- UTC
        p REAL NOT NULL,           -- how certain the event is, 0 to 1
        checksum BLOB NOT NULL,    -- of the columns before it
        CHECK ((event = '') <> (steps = 0))
    ) STRICT
    """,
)

ADD_HEADER = "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?)"
ADD_ENTRY = "INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)"
"""Replaces an entry that was refused but is in the file: a disk may fail after writing all of it."""
READ_NEWER = "SELECT number, key, event, steps, at, p, checksum FROM entry WHERE number > ? ORDER BY number"
SET_HEADER = "UPDATE game SET program = ?, format = ?, begun = ?, entries = ?, chain = ?, checksum = ?"

CERTAIN = 1.0
"""The probability of what was entered by a person, or before probabilities were kept."""

_GAME_1 = "CREATE TABLE game (program TEXT NOT NULL, format INTEGER NOT NULL, begun TEXT NOT NULL) STRICT"
_ENTRY_1 = (
    "CREATE TABLE entry (number INTEGER PRIMARY KEY, key TEXT UNIQUE, event TEXT NOT NULL, "
    "steps INTEGER NOT NULL, at TEXT NOT NULL, {more}CHECK ((event = '') <> (steps = 0)){last}) STRICT"
)
_CHECKSUM_2 = "checksum INTEGER NOT NULL DEFAULT 0"
_GAME_3 = (
    "CREATE TABLE game (program TEXT NOT NULL, format INTEGER NOT NULL, begun TEXT NOT NULL, "
    "entries INTEGER NOT NULL, chain INTEGER NOT NULL, checksum INTEGER NOT NULL) STRICT"
)
_ENTRY_3 = (
    "CREATE TABLE entry (number INTEGER PRIMARY KEY, key TEXT, event TEXT NOT NULL, steps INTEGER NOT NULL, "
    "at TEXT NOT NULL, {more}checksum INTEGER NOT NULL, CHECK ((event = '') <> (steps = 0))) STRICT"
)
_TABLES_3 = (_GAME_3, _ENTRY_3.format(more=""))
_TABLES_4 = (_GAME_3, _ENTRY_3.format(more="p REAL NOT NULL, "))
_ADD_ENTRY_3 = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)"
OLDER: Mapping[int, tuple[tuple[str, ...], ...]] = {
    1: ((_GAME_1, _ENTRY_1.format(more="", last="")),),
    2: (
        (_GAME_1, _ENTRY_1.format(more=_CHECKSUM_2 + ", ", last="")),
        (
            _GAME_1,
            _ENTRY_1.format(more="", last=", " + _CHECKSUM_2),
        ),  # of a file that was of version 1 before
    ),
    3: (_TABLES_3,),
    4: (_TABLES_4,),
}
"""The tables of older versions, in the forms that they may have."""


def checksum(fields: Iterable[Any]) -> bytes:
    """The checksum of these fields as JSON.

    SQLite notices damage to its own structure; this notices damage inside a value, and a row that is missing
    or is in another's place.
    """
    return make_checksum(msgspec.json.encode(tuple(fields)))


def checksums(fields: Iterable[Any], chain: bytes) -> tuple[bytes, bytes]:
    """The checksum of an entry, and that of it and all before it, which is `chain` so far."""
    own = checksum(fields)
    return own, make_checksum(chain + own)


def crc(fields: Iterable[Any], before: int = 0) -> int:
    """CRC-32 of these fields as JSON, continued from `before`: the checksum until version 4."""
    return crc32(msgspec.json.encode(tuple(fields)), before)


def crcs(fields: Iterable[Any], chain: int) -> tuple[int, int]:
    """As `checksums`, until version 4."""
    text = msgspec.json.encode(tuple(fields))
    return crc32(text), crc32(text, chain)


class Checksums(NamedTuple):
    """How a version of the tables is checked. of_row: of one row; of_entry: of an entry, and of it and all
    before it, which is `start` before the first."""

    of_row: Callable[[Iterable[Any]], Any]
    of_entry: Callable[[Iterable[Any], Any], tuple[Any, Any]]
    start: Any


STRONG, CRC = Checksums(checksum, checksums, b""), Checksums(crc, crcs, 0)


def find_checksums(version: int) -> Checksums:
    """Those of that version of the tables."""
    return STRONG if version > 4 else CRC


def make_header_row(*columns: Any) -> tuple[Any, ...]:
    """The header as the table has it, of all columns before the checksum."""
    return (*columns, checksum(columns))


def _add_checksums(connection: sqlite3.Connection) -> None:
    """Version 2: each entry has a checksum of itself and all before it."""
    connection.execute(f"ALTER TABLE entry ADD COLUMN {_CHECKSUM_2}")
    entries = connection.execute("SELECT number, key, event, steps, at FROM entry ORDER BY number").fetchall()
    last = 0
    for entry in entries:
        last = crc(entry, last)
        connection.execute("UPDATE entry SET checksum = ? WHERE number = ?", (last, entry[0]))


def _add_count(connection: sqlite3.Connection) -> None:
    """Version 3: each entry has a checksum of its own, the game counts its entries and sums them up."""
    header = connection.execute("SELECT program, format, begun FROM game").fetchone()
    entries = connection.execute("SELECT number, key, event, steps, at FROM entry ORDER BY number").fetchall()
    _replace_tables(connection, _TABLES_3, _ADD_ENTRY_3, header, entries, CRC)


def _add_p(connection: sqlite3.Connection) -> None:
    """Version 4: each entry has the probability of its event; what was kept without one counts as certain."""
    header = connection.execute("SELECT program, format, begun FROM game").fetchone()
    entries = connection.execute("SELECT number, key, event, steps, at FROM entry ORDER BY number").fetchall()
    _replace_tables(connection, _TABLES_4, ADD_ENTRY, header, [(*entry, CERTAIN) for entry in entries], CRC)


def _strengthen_checksums(connection: sqlite3.Connection) -> None:
    """Version 5: strong checksums in the place of CRC-32."""
    header = connection.execute("SELECT program, format, begun FROM game").fetchone()
    columns = "number, key, event, steps, at, p"
    entries = connection.execute(f"SELECT {columns} FROM entry ORDER BY number").fetchall()
    _replace_tables(connection, TABLES, ADD_ENTRY, header, entries, STRONG)


def _replace_tables(
    connection: sqlite3.Connection,
    tables: Iterable[str],
    add_entry: str,
    header: tuple[Any, ...],
    entries: Collection[tuple[Any, ...]],
    sums: Checksums,
) -> None:
    """Put these entries, with checksums, into these tables, in place of those that there are."""
    connection.execute("DROP TABLE game")
    connection.execute("DROP TABLE entry")
    for table in tables:
        connection.execute(table)
    chain = sums.start
    for entry in entries:
        own, chain = sums.of_entry(entry, chain)
        connection.execute(add_entry, (*entry, own))
    row = (*header, len(entries), chain)
    connection.execute(ADD_HEADER, (*row, sums.of_row(row)))


MIGRATIONS: Mapping[int, Callable[[sqlite3.Connection], None]] = {
    1: _add_checksums,
    2: _add_count,
    3: _add_p,
    4: _strengthen_checksums,
}
"""The migration to the next version, by the version of a file."""


def read_header(connection: sqlite3.Connection, version: int) -> tuple[Any, ...] | None:
    """The row of the game, None where it is gone; `version` is that of the file's tables."""
    sums = ", entries, chain, checksum" if version > 2 else ""
    row: tuple[Any, ...] | None = connection.execute(
        f"SELECT program, format, begun{sums} FROM game"
    ).fetchone()
    return row


def read_entries(connection: sqlite3.Connection, version: int) -> Iterator[tuple[tuple[Any, ...], Any, bool]]:
    """The fields of each entry of today in order, the checksum up to it as that version has it, and whether
    it is as it was written.

    What version 1 kept has no checksum and counts as intact; before version 4 everything was certain.
    """
    columns = "number, key, event, steps, at" + (", p" if version > 3 else "")
    stored = "checksum" if version > 1 else "0"
    sums = find_checksums(version)
    chain = sums.start
    for *kept, given in connection.execute(f"SELECT {columns}, {stored} FROM entry ORDER BY number"):
        own, chain = sums.of_entry(kept, chain)
        fields = tuple(kept) if version > 3 else (*kept, CERTAIN)
        yield fields, chain, version == 1 or given == (chain if version == 2 else own)


def create(connection: sqlite3.Connection) -> None:
    """Make the tables, inside the caller's transaction."""
    for table in TABLES:
        connection.execute(table)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def migrate(connection: sqlite3.Connection) -> None:
    """Make an older file one of today, or leave it as it was."""
    for version in range(read_user_version(connection), VERSION):
        connection.execute("BEGIN IMMEDIATE")
        try:
            MIGRATIONS[version](connection)
            connection.execute(f"PRAGMA user_version = {version + 1}")
            connection.execute("COMMIT")
        except BaseException:
            connection.rollback()
            raise


def recognise_tables(connection: sqlite3.Connection) -> int | None:
    """The version whose tables are in the file, exactly those and nothing else; None if no version's.

    So that no view, trigger or other table of a file from elsewhere is ever used.
    """
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT 9").fetchall()
    found = frozenset((*row[:3], _normalise(row[3])) for row in rows)
    return _versions().get(found)


@cache
def _versions() -> Mapping[frozenset[tuple[Any, ...]], int]:
    known = {}
    for version, forms in {**OLDER, VERSION: (TABLES,)}.items():
        for tables in forms:
            names = [("game", tables[0]), ("entry", tables[1])]
            rows: set[tuple[Any, ...]] = {("table", name, name, _normalise(sql)) for name, sql in names}
            if "UNIQUE" in tables[1]:
                rows.add(("index", "sqlite_autoindex_entry_1", "entry", None))
            known[frozenset(rows)] = version
    return known


def _normalise(sql: object) -> object:
    """The text of a table without comments, and with each space where it makes a difference only."""
    if not isinstance(sql, str):
        return sql
    return re.sub(r"\s*([(),])\s*", r"\1", " ".join(re.sub(r"--[^\n]*", "", sql).split()))


def read_user_version(connection: sqlite3.Connection) -> int:
    return _read_pragma(connection, "user_version")


def is_game(connection: sqlite3.Connection) -> bool:
    return _read_pragma(connection, "application_id") == APPLICATION_ID


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing is in the file: a game whose beginning was interrupted."""
    return _read_pragma(connection, "page_count") == 0


def _read_pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value
