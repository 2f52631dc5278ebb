"""Files from elsewhere that are made to do harm, and what is not a file: each is refused in a sentence, and
nothing in it is changed or obeyed."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from sums import begin, event, numbers, resume

from companion.errors import CompanionError, GameFileError
from companion.game import shelf, sqlite
from companion.game.file import GameFile
from companion.game.rescue import rescue
from companion.game.sqlite import OF_SEVERAL_FILES

TABLES = r"is damaged: its tables are not those of a game\. It was left as it is\.$"
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"


@pytest.fixture
def game(path: Path) -> Path:
    with begin(path) as begun:
        for number in range(20):
            begun.append(event(number), f"key {number}")
    return path


def change(path: Path, script: str) -> bytes:
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
    connection.close()
    return path.read_bytes()


@pytest.mark.parametrize(
    "script",
    [
        f"DROP TABLE entry; CREATE VIEW entry AS {ENDLESS} "
        "SELECT x AS number, NULL AS key, '' AS event, 1 AS steps, '' AS at, 0 AS checksum FROM n",
        f"DROP TABLE game; CREATE VIEW game AS {ENDLESS} SELECT * FROM n",
        "CREATE TRIGGER forget AFTER INSERT ON entry BEGIN DELETE FROM entry WHERE number = new.number; END",
        "CREATE TRIGGER forget AFTER UPDATE ON game BEGIN DELETE FROM entry; END",
        "CREATE INDEX late ON entry (at)",
        "CREATE INDEX partial ON entry (at) WHERE steps > 0",
        "ALTER TABLE entry ADD COLUMN more TEXT",
        "ALTER TABLE entry ADD COLUMN sum INTEGER GENERATED ALWAYS AS (length(event)) VIRTUAL",
        "CREATE TABLE more (x)",
        "CREATE VIRTUAL TABLE words USING fts5(text)",
    ],
)  # fmt: skip
def test_tables_that_are_not_ours_are_not_used(game: Path, script: str) -> None:
    before = change(game, script)
    with pytest.raises(GameFileError, match=TABLES):
        GameFile.open(game)
    assert game.read_bytes() == before
    assert os.listdir(game.parent) == [game.name]


def test_quoted_file_content_is_one_short_line(game: Path) -> None:
    game.write_bytes(game.read_bytes().replace(b"chain BLOB", b"`\x1b[1m\x07BLOB"))
    with pytest.raises(GameFileError) as refused:
        resume(game)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 250 + len(str(game))


@pytest.mark.parametrize(
    "value", ["NULL", "x'00ff'", "1.5", "'text'", "-9223372036854775808", "9223372036854775807", "''"]
)
@pytest.mark.parametrize(
    "column", ["number", "key", "event", "steps", "at", "p", "checksum", "game.format", "game.chain"]
)
def test_values_of_any_type_in_any_column(game: Path, column: str, value: str) -> None:
    """As in a damaged file, where STRICT and NOT NULL no longer hold."""
    table, name = column.split(".") if "." in column else ("entry", column)
    where = "" if table == "game" else " WHERE number = 5"
    connection = sqlite3.connect(game, isolation_level=None)
    sql = dict(connection.execute("SELECT name, sql FROM sqlite_schema"))
    connection.execute("PRAGMA writable_schema = ON")
    for each, text in sql.items():
        plain = text.replace(") STRICT", ")").replace(" NOT NULL", "").replace("CHECK (", "CHECK (1 OR ")
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (plain, each))
    connection.close()
    connection = sqlite3.connect(game, isolation_level=None)
    if name == "number" and not value.lstrip("-").isdigit():
        value = "-5"
    connection.execute(f"UPDATE {table} SET {name} = {value}{where}")
    connection.execute("PRAGMA writable_schema = ON")
    for each, text in sql.items():
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (text, each))
    connection.close()
    before = game.read_bytes()
    with pytest.raises(GameFileError, match=r"is damaged: "):
        resume(game)
    assert game.read_bytes() == before
    rescued = rescue(game, game.with_name("new.game"))
    assert rescued.kept >= 20


KINDS: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "folder": os.mkdir,
    "socket": lambda path: socket.socket(socket.AF_UNIX).bind(str(path)),
    "link that leads nowhere": lambda path: path.symlink_to("nowhere"),
    "link to itself": lambda path: path.symlink_to(path.name),
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_pipe_is_not_waited_for(own_data_folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shelf.path_of("odd").parent)  # the path of a socket is short
    KINDS[kind](Path("odd.game"))
    path = shelf.path_of("odd")
    for action in (resume, lambda path: rescue(path, path.with_name("new.game"))):
        with pytest.raises(
            CompanionError, match=r"^No game can be kept in '.*odd\.game': |^There is no game in"
        ):
            action(path)
    if kind != "link that leads nowhere":  # there the game is begun where it leads to
        with pytest.raises(CompanionError, match="odd"):
            begin(path)
    begin(shelf.path_of("friday")).close()
    assert "friday" in shelf.names()


def test_a_file_far_too_large_is_not_read(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 << 30)
    for action in (resume, begin, lambda path: rescue(path, path.with_name("new.game"))):
        with pytest.raises(GameFileError, match="has 10,240 MB: a game's file has at most 256 MB"):
            action(path)


def test_a_journal_that_names_another_file_is_not_followed(game: Path, tmp_path: Path) -> None:
    """SQLite deletes the file that the end of a journal names where it takes that for a journal, too."""
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("all my work")
    name = str(thesis).encode()
    end = name + len(name).to_bytes(4, "big") + (sum(name) & 0xFFFFFFFF).to_bytes(4, "big") + OF_SEVERAL_FILES
    head = bytes.fromhex("d9d505f920a163d7") + (0).to_bytes(4, "big") * 2 + (1).to_bytes(4, "big")
    head += (512).to_bytes(4, "big") + (4096).to_bytes(4, "big")
    journal = game.with_name("home.game-journal")
    journal.write_bytes(head.ljust(512, b"\0") + (1).to_bytes(4, "big") + end)
    before = (game.read_bytes(), journal.read_bytes())
    with pytest.raises(GameFileError, match="the journal next to it belongs to other files too"):
        resume(game)
    assert (game.read_bytes(), journal.read_bytes()) == before
    assert thesis.read_text() == "all my work"


def test_a_game_is_readable_by_its_owner_only(path: Path) -> None:
    was = os.umask(0)
    try:
        begin(path).close()
        assert path.stat().st_mode & 0o777 == 0o600
        path.chmod(0o664)  # as an older program left it
        with resume(path) as game:
            game.append(event(1))
            assert [each.stat().st_mode & 0o777 for each in path.parent.iterdir()] == [0o600] * 2
    finally:
        os.umask(was)


def test_no_entry_is_kept_that_would_make_the_file_too_large_to_be_opened(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "FILE_MB_MAX", 1)
    with begin(path) as game:
        assert game.append(event(0), "k" * 500_000)
        with pytest.raises(GameFileError, match="is full"):
            game.append(event(1), "l" * 600_000)
        assert game.append(event(2))
    with resume(path) as game:
        assert numbers(game) == (0, 2)


def test_abandoned_trial_copy_is_removed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy names players too."""
    begin(path).close()
    left = path.with_name(".home.try-left")
    left.mkdir()
    (left / path.name).write_bytes(path.read_bytes())
    path.with_name("home.game-journal").write_bytes(bytes(512))
    resume(path).close()
    assert left.exists()  # another program may be at it
    os.utime(left, (0, 0))
    resume(path).close()
    assert not left.exists()
