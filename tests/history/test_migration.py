"""Files of older programs become files of today, all that was in them kept, or stay as they were."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sums import AT, START, begin, event, integrity, lines, numbers, resume

from companion.errors import GameFileError, InputError
from companion.history import GameFile, schema
from companion.history import file as of_file
from companion.history.game import encode_pinned
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
    begin(path).close()
    first = [(1, None, encode_pinned(START), 0, AT), (2, "a", *lines(1), 0, AT), (3, None, "", -1, AT)]
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE game")
        connection.execute("DROP TABLE entry")
        for table in schema.OLDER[3][0]:
            connection.execute(table)
        chain = 0
        for entry in first:
            own, chain = schema.checksums(entry, chain)
            connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", (*entry, own))
        row = ("0.1.0", 1, AT, len(first), chain)
        connection.execute(schema.ADD_HEADER, (*row, schema.checksum(row)))
        connection.execute("PRAGMA user_version = 3")
    connection.close()
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


def test_what_goes_wrong_on_the_way_leaves_the_old_file(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    with pytest.raises(InputError, match="cannot go on after 3 of its events"):
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
    with pytest.raises(
        (GameFileError, InputError), match=f"is damaged: it says that its tables have version {version}"
    ):
        resume(path)
