"""Files of older programs become files of today, all that was in them kept, or stay as they were."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sums import AT, START, begin, entries, event, integrity, keep_as_version, lines, numbers, resume

from companion.errors import GameFileError, InputError
from companion.files import CHECKSUM_BYTES
from companion.game import file as of_file
from companion.game import schema
from companion.game.file import GameEntry, GameFile, read_entries
from companion.game.game import encode_pinned
from companion.game.rescue import rescue
from companion.table.events import Discarded

VERSION_1 = """
CREATE TABLE game (
    program TEXT NOT NULL,
    format INTEGER NOT NULL,
    begun TEXT NOT NULL
) STRICT;
CREATE TABLE entry (
    number INTEGER PRIMARY KEY,
    key TEXT UNIQUE,
    event TEXT NOT NULL,
    steps INTEGER NOT NULL,
    at TEXT NOT NULL,
    CHECK ((event = '') <> (steps = 0))
) STRICT;
PRAGMA application_id = 1835689827;
PRAGMA user_version = 1;
INSERT INTO game VALUES ('0.1.0', 1, '2026-01-02T03:04:05.678Z');
"""
ENTRIES_1 = [
    (1, None, encode_pinned(START), 0, "2026-01-02T03:04:05.678Z"),
    (2, "a", *lines(1), 0, "2026-01-02T03:04:06.000Z"),
    (3, None, *lines(2), 0, "2026-01-02T03:04:07.000Z"),
    (4, None, "", -1, "2026-01-02T03:04:08.000Z"),
    (5, "b", *lines(3), 0, "2026-01-02T03:04:09.000Z"),
]


@pytest.fixture
def old(path: Path) -> Path:
    """A game as the first version of the tables kept it; the text above is what that program made."""
    with sqlite3.connect(path) as connection:
        connection.executescript(VERSION_1)
        connection.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", ENTRIES_1)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    return path


def columns(path: Path) -> list[tuple[object, ...]]:
    with GameFile.open(path) as file:
        ask = (
            'SELECT m.name, c.name, c.type, c."notnull", c.pk '
            "FROM sqlite_schema m, pragma_table_info(m.name) c"
        )
        return sorted(file._connection.execute(ask).fetchall())


def test_a_game_of_the_first_version_goes_on(old: Path, tmp_path: Path) -> None:
    with resume(old) as game:
        assert numbers(game) == (1, 3)
        assert [tuple(entry) for entry in game.file.entries] == [(*entry, 1.0) for entry in ENTRIES_1]
        assert (game.file.header.program, game.file.header.begun) == ("0.1.0", "2026-01-02T03:04:05.678Z")
        assert not game.append(event(3), "b")
        game.undo()
        game.append(event(4))
    with resume(old) as game:
        assert numbers(game) == (1, 4)
        assert schema.read_user_version(game.file._connection) == schema.VERSION
    assert integrity(old) == "ok"
    begin(tmp_path / "new.game").close()
    assert columns(old) == columns(tmp_path / "new.game")


def test_a_game_without_probabilities_goes_on_and_keeps_them_from_then_on(path: Path) -> None:
    """As the third version of the tables kept it."""
    undone = GameEntry(3, None, "", -1, AT)
    first = [GameEntry(1, None, encode_pinned(START), 0, AT), GameEntry(2, "a", *lines(1), 0, AT), undone]
    keep_as_version(path, 3, first)
    before = path.read_bytes()
    with resume(path) as game:
        assert [entry.p for entry in game.file.entries] == [1, 1, 1]
    assert path.read_bytes() == before
    with resume(path) as game:
        game.append(event(2), p=0.4)
    with resume(path) as game:
        assert [(entry.key, entry.p) for entry in game.file.entries] == [
            (None, 1), ("a", 1), (None, 1), (None, 0.4),
        ]  # fmt: skip
        assert schema.read_user_version(game.file._connection) == schema.VERSION
    assert integrity(path) == "ok"


@pytest.mark.parametrize("version", sorted(schema.OLDER))
def test_a_game_of_any_version_is_read_goes_on_and_is_rescued(path: Path, version: int) -> None:
    keep_as_version(path, version, entries(20))
    if version > 1:  # which has no checksums
        assert rescue(path, path.with_name("new.game")).kept == 21
    assert read_entries(path) == entries(20)
    with resume(path) as game:
        game.append(event(20), "key 20")
    with resume(path) as game:
        assert numbers(game) == tuple(range(21))
        stored = game.file._connection.execute("SELECT checksum FROM entry").fetchall()
        assert {len(checksum) for (checksum,) in stored} == {CHECKSUM_BYTES}


def test_a_change_that_crc_32_lets_pass_is_noticed(path: Path) -> None:
    """Four bytes more make any text one of a given CRC-32: here the entry says 1 where it said 0."""
    GameFile.create(path, entries(3)).close()
    with sqlite3.connect(path) as connection:
        row = connection.execute(
            "SELECT number, key, event, steps, at, p FROM entry WHERE number = 2"
        ).fetchone()
        changed = find_same_crc(row, row[2].replace("[0,0,", "[1,-1,"))
        assert schema.crc(changed) == schema.crc(row)
        connection.execute("UPDATE entry SET event = ? WHERE number = 2", (changed[2],))
    connection.close()
    with pytest.raises(GameFileError, match="entry 2 is not valid"):
        resume(path)


def find_same_crc(row: tuple[object, ...], event: str) -> tuple[object, ...]:
    """The row with another event, whose reason is chosen so that the CRC-32 is the same.

    CRC-32 is linear: each bit of a text changes the same bits of it, whatever else is there.
    """
    width, right = 48, schema.crc(row)

    def make(reason: int) -> tuple[object, ...]:
        letters = "".join("ap"[reason >> bit & 1] for bit in range(width))
        return (*row[:2], event.replace("a number", letters), *row[3:])

    base, rows = schema.crc(make(0)), []
    for bit in range(width):
        rows.append((schema.crc(make(1 << bit)) ^ base, 1 << bit))
    wanted, reason = base ^ right, 0
    for place in reversed(range(32)):
        pivot = next((each for each in rows if each[0] >> place & 1), None)
        if pivot is None:
            continue
        rows = [
            (a ^ pivot[0], b ^ pivot[1]) if a >> place & 1 else (a, b) for a, b in rows if (a, b) != pivot
        ]
        if wanted >> place & 1:
            wanted, reason = wanted ^ pivot[0], reason ^ pivot[1]
    assert not wanted
    return make(reason)


def test_failed_migration_leaves_the_old_file(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    step = schema.MIGRATIONS[1]

    def fails(connection: sqlite3.Connection) -> None:
        step(connection)
        raise KeyboardInterrupt

    monkeypatch.setattr(schema, "MIGRATIONS", {1: fails})
    with resume(old) as game:
        with pytest.raises(KeyboardInterrupt):
            game.append(event(4))
        assert schema.read_user_version(game.file._connection) == 1
    monkeypatch.undo()
    with resume(old) as game:
        assert numbers(game) == (1, 3)
        assert game.append(event(4))


def test_a_game_is_not_changed_before_something_is_entered(old: Path) -> None:
    """Neither one that is only looked at, nor one that cannot go on by the rules of this program."""
    before = old.read_bytes()
    with resume(old) as game:
        assert numbers(game) == (1, 3)
    assert old.read_bytes() == before
    with sqlite3.connect(old) as connection:
        assert schema.read_user_version(connection) == 1
        row = (6, None, encode_pinned(Discarded(seat=0, tile="5m")), 0, AT)
        connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", row)
    connection.close()
    before = old.read_bytes()
    with pytest.raises(InputError, match="cannot continue after event 3"):
        resume(old)
    assert old.read_bytes() == before


def test_a_kill_while_the_tables_change_leaves_a_whole_game(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No half of them is in a log: there it would be taken for damage."""
    step = schema.MIGRATIONS[2]
    left: dict[str, bytes] = {}

    def copies(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA cache_size = 1")
        step(connection)
        left.update({each.name: each.read_bytes() for each in old.parent.iterdir()})

    monkeypatch.setattr(schema, "MIGRATIONS", {**schema.MIGRATIONS, 2: copies})
    with resume(old) as game:
        game.append(event(4))
    assert len(left) == 2
    for name, content in left.items():
        old.with_name(name).write_bytes(content)
    with resume(old) as game:
        assert numbers(game) == (1, 3)


def test_a_game_with_older_events_tells_older_programs_that_there_are_newer(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(path).close()
    monkeypatch.setattr(of_file, "VERSION", 7)
    with resume(path) as game:
        game.append(event(1))
    monkeypatch.setattr(of_file, "VERSION", 6)
    with pytest.raises(GameFileError, match="its events have version 7, and this program knows version 6"):
        resume(path)


@pytest.mark.parametrize("version", [0, -1])
def test_a_version_that_never_was_is_damage(path: Path, version: int) -> None:
    with begin(path) as game:
        game.file._connection.execute(f"PRAGMA user_version = {version}")
    with pytest.raises((GameFileError, InputError), match="is damaged: its tables are marked as version"):
        resume(path)
