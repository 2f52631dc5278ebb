"""Games are read where nothing can be written; where the disk fails, the others are listed."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import printed
from sums import entries, event, keep_as_version, lines
from test_damage import left_by_version_2, read, write

from companion.cli import run
from companion.errors import GameFileError
from companion.game import schema
from companion.game.file import GameFile, read_entries
from companion.game.game import Game
from tests.read_only import read_only

COUNT = 40
FOLDER = "games"


def closed(path: Path) -> None:
    GameFile.create(path, entries(COUNT)).close()


def killed(path: Path) -> None:
    """Half of the next entry is in the file, and a journal that removes it is next to it."""
    with GameFile.create(path, entries(COUNT)) as game:
        connection = game._connection
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE game SET entries = entries + 1")
        for entry in entries(COUNT + 20)[COUNT + 1 :]:
            connection.execute(schema.ADD_ENTRY, (*entry, schema.checksum(entry)))
        files = read(path)
        connection.rollback()
    write(files, path.parent)


def with_log(path: Path) -> None:
    """The last entries are in the log of an older program that was killed."""
    write(left_by_version_2(path, entries(COUNT)), path.parent)


def closed_with_log(path: Path) -> None:
    """An older program closed it; SQLite still tries to make a log next to it."""
    keep_as_version(path, 2, entries(COUNT))
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    assert path.read_bytes()[18:20] == b"\x02\x02"


LEFT: tuple[Callable[[Path], None], ...] = (closed, killed, with_log, closed_with_log)


@pytest.fixture
def game(own_data_folder: Path, request: pytest.FixtureRequest) -> Path:
    """A game that was left so."""
    path = own_data_folder / FOLDER / "friday.game"
    path.parent.mkdir()
    request.param(path)
    return path


@pytest.mark.parametrize("game", LEFT, indirect=True)
def test_a_game_is_read_where_nothing_can_be_written(
    game: Path, own_data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    before = read(game)
    with read_only(own_data_folder):
        assert read_entries(game) == entries(COUNT)
        assert Game.read(game).state.ledger[-1].points[0] == COUNT - 1
        with pytest.raises(GameFileError, match=r"^Nothing can be written to "):
            Game.resume(game)
        assert read(game) == before
    assert list(temporary.iterdir()) == []
    assert read_entries(game) == entries(COUNT)


def test_game_opened_for_reading_accepts_no_entry(own_data_folder: Path) -> None:
    path = own_data_folder / "friday.game"
    closed(path)
    game = Game.read(path)
    before = path.read_bytes()
    with pytest.raises(Exception, match="closed database"):
        game.append(event(1))
    game.close()
    assert path.read_bytes() == before


def test_reading_a_game_that_this_program_plays_does_not_let_another_have_it(
    own_data_folder: Path, tmp_path: Path
) -> None:
    """To close any handle on a file is to give up its locks, but through SQLite."""
    path = own_data_folder / "friday.game"
    with GameFile.create(path, entries(3)) as game:
        for _ in range(3):
            with pytest.raises(GameFileError, match="is open in another program"):
                read_entries(path)
            game.append(*lines(4))
        (answer,) = printed(
            "import sys\ntry: resume(Path(sys.argv[1]))\nexcept Exception as problem: print(problem)", path
        )
        assert "is open in another program" in answer


COMMANDS = (
    ("list", "--json"),
    ("list",),
    ("show", "friday", "--json"),
    ("export", "friday"),
    ("export", "friday", "--as", "history"),
    ("export", "friday", "--as", "csv"),
    ("export", "friday", "--as", "json"),
    ("figures", "--json"),
)


@pytest.mark.parametrize("game", LEFT, indirect=True)
def test_every_command_that_only_reads_answers_where_nothing_can_be_written(
    game: Path, own_data_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def call(*command: str) -> tuple[int, str]:
        return run(command), "".join(capfd.readouterr())

    with read_only(own_data_folder):
        before = read(game)
        for command in COMMANDS:
            status, said = call("games", *command)
            assert status == 0, (command, said)
            assert "cannot be" not in said, command
        status, said = call("games", "undo", "friday")
        assert (status, said.startswith("companion: Nothing can be written to '")) == (3, True), said
        status, said = call("games", "show", "monday")
        assert (status, said) == (2, "companion: No game 'monday'. Saved games: friday.\n")
        assert read(game) == before


@pytest.mark.slow
def test_a_disk_with_read_errors_is_named_and_the_other_games_are_listed(
    own_data_folder: Path, strace_works: None, tmp_path: Path
) -> None:
    folder = own_data_folder / FOLDER
    folder.mkdir()
    for name in ("friday", "monday", "tuesday"):
        closed(folder / f"{name}.game")
    bad = folder / "monday.game"
    inject = "inject=pread64,read:error=EIO:when=2+"
    command = ["strace", "-f", "-o", os.devnull, "-P", bad, "-e", "trace=pread64,read", "-e", inject]
    companion = [sys.executable, "-m", "companion", "games"]
    done = subprocess.run(
        [*command, *companion, "list", "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = {each["name"]: each for each in json.loads(done.stdout)}
    assert list(found) == ["friday", "monday", "tuesday"]
    assert [name for name in found if "error" in found[name]] == ["monday"]
    assert found["monday"]["error"].startswith(f"The game file '{bad}' cannot be read (")
    assert not found["monday"]["damaged"]
    for asked in (("show", "monday"), ("export", "monday"), ("undo", "monday")):
        done = subprocess.run([*command, *companion, *asked], capture_output=True, text=True, check=False)
        assert done.returncode == 3, (asked, done)
        assert f"The game file '{bad}' cannot be read (" in done.stderr, asked
        assert len(done.stderr.splitlines()) == 1
