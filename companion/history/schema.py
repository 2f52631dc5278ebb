"""The tables of a game's file, and how an older file becomes one of today.

Whoever changes TABLES raises VERSION and adds to MIGRATIONS what makes the difference; a step that has been
released is never changed. `PRAGMA user_version` holds the file's version.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any
from zlib import crc32

import msgspec

APPLICATION_ID = 0x6D6A6763
"""Tells a game from other SQLite files: "mjgc"."""

VERSION = 2

TABLES = (
    """
    CREATE TABLE game (            -- one row
        program TEXT NOT NULL,     -- the version of the program that began it
        format INTEGER NOT NULL,   -- the version of its events
        begun TEXT NOT NULL        -- UTC
    ) STRICT
    """,
    """
    CREATE TABLE entry (           -- rows are only ever added
        number INTEGER PRIMARY KEY,  -- 1, 2, 3 … as they were entered
        key TEXT UNIQUE,           -- what makes an entry that comes twice be kept once
        event TEXT NOT NULL,       -- one line of JSON, '' for none
        steps INTEGER NOT NULL,    -- where there is no event: so many undone (below 0) or redone
        at TEXT NOT NULL,          -- UTC
        checksum INTEGER NOT NULL DEFAULT 0,  -- of this entry and all before it
        CHECK ((event = '') <> (steps = 0))
    ) STRICT
    """,
)

READ_HEADER = "SELECT program, format, begun FROM game"
READ_ENTRIES = "SELECT number, key, event, steps, at, checksum FROM entry ORDER BY number"
ADD_ENTRY = "INSERT INTO entry (number, key, event, steps, at, checksum) VALUES (?, ?, ?, ?, ?, ?)"


def checksum(entry: tuple[Any, ...], before: int) -> int:
    """CRC-32 of an entry's fields as JSON, going on from that of the entry before it, the first from 0.

    SQLite notices damage to its own structure; this notices it inside a text, and entries that are missing.
    """
    return crc32(msgspec.json.encode(entry), before)


def _with_checksums(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE entry ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0")
    entries = connection.execute("SELECT number, key, event, steps, at FROM entry ORDER BY number").fetchall()
    last = 0
    for entry in entries:
        last = checksum(entry, last)
        connection.execute("UPDATE entry SET checksum = ? WHERE number = ?", (last, entry[0]))


MIGRATIONS: Mapping[int, Callable[[sqlite3.Connection], None]] = {1: _with_checksums}
"""By the version that a file has: what makes it one of the next."""


def create(connection: sqlite3.Connection) -> None:
    """Make the tables, inside the caller's transaction."""
    for table in TABLES:
        connection.execute(table)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def migrate(connection: sqlite3.Connection) -> None:
    """Make an older file one of today, or leave it as it was."""
    for version in range(user_version(connection), VERSION):
        connection.execute("BEGIN IMMEDIATE")
        try:
            MIGRATIONS[version](connection)
            connection.execute(f"PRAGMA user_version = {version + 1}")
            connection.execute("COMMIT")
        except BaseException:
            connection.rollback()
            raise


def user_version(connection: sqlite3.Connection) -> int:
    return _pragma(connection, "user_version")


def is_game(connection: sqlite3.Connection) -> bool:
    return _pragma(connection, "application_id") == APPLICATION_ID


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing is in the file: a game whose beginning was interrupted."""
    return connection.execute("SELECT * FROM sqlite_schema").fetchone() is None


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value
