"""Full disks, folders that may not be written, two programs on one game, files that are none: real ones.

Each is one sentence, and what was kept before is there afterwards.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import printed, running
from sums import begin, event, numbers, resume

from companion.errors import GameFileError, InputError
from companion.game import schema
from companion.game.sqlite import translate_errors
from tests.programs import may_mount

NOBODY = 65534


FULL_DISK = """
import subprocess, sys
from contextlib import suppress

folder = Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", folder], check=True)
path = folder / "home.game"
pictures = folder / "pictures"
with begin(path) as game:
    pictures.write_bytes(bytes(128 * 1024))
    print(fill(game))
    kept = len(numbers(game))
    assert kept > 10
    with suppress(OSError):
        pictures.write_bytes(bytes(1024 * 1024))
    try:
        game.undo()
    except CompanionError as problem:
        print(problem)
    assert len(numbers(game)) == kept
    pictures.unlink()
    assert game.append(event(kept), f"key {kept}")
with suppress(OSError):
    pictures.write_bytes(bytes(1024 * 1024))
try:
    begin(folder / "other.game")
except CompanionError as problem:
    print(problem)
assert not (folder / "other.game").exists()
with resume(path) as game:
    print(fill(game))
pictures.unlink()
begin(folder / "other.game").close()
with resume(path) as game:
    assert numbers(game)[:kept + 1] == tuple(range(kept + 1)), numbers(game)
    assert len(set(numbers(game))) == len(numbers(game))
print(integrity(path))
"""


@pytest.mark.skipif(not may_mount(), reason="this user may not mount a disk of its own")
def test_a_full_disk_is_reported_and_room_made_the_game_goes_on(tmp_path: Path) -> None:
    """On a disk of half a megabyte, with the game open and before it is opened."""
    full = f"The disk of '{tmp_path}' is full: the last entry was not saved, everything before it was."
    *reported, sound = printed(FULL_DISK, tmp_path, wrapper=("unshare", "-rm"))
    assert reported == [f"{full} Free some space and try again."] * 4
    assert sound == "ok"


QUOTA = """
import sys
from resource import RLIM_INFINITY, RLIMIT_FSIZE, setrlimit

path = Path(sys.argv[1])
with begin(path) as game:
    setrlimit(RLIMIT_FSIZE, (200_000, RLIM_INFINITY))
    print(fill(game))
    kept = len(numbers(game))
    assert kept > 10
    setrlimit(RLIMIT_FSIZE, (RLIM_INFINITY, RLIM_INFINITY))
    assert game.append(event(kept), f"key {kept}")
with resume(path) as game:
    assert numbers(game) == tuple(range(kept + 1)), numbers(game)
print(integrity(path))
"""


@pytest.mark.slow
def test_a_disk_that_takes_no_more_is_reported_and_later_the_game_goes_on(path: Path) -> None:
    reported, sound = printed(QUOTA, path)
    assert reported.startswith(
        f"Could not write to '{path.parent}' (disk I/O error): the quota may be used up"
    )
    assert sound == "ok"


@pytest.fixture
def shut_folder() -> Iterator[Path]:
    """A folder with a game that nobody may write to; root's rights, whom none keeps out, are laid down."""
    was = os.geteuid()
    if was == 0:
        os.seteuid(NOBODY)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with begin(folder / "home.game") as game:
            game.append(event(1))
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)
        with resume(folder / "home.game") as game:
            assert numbers(game) == (1,)
    os.seteuid(was)


def test_a_folder_that_may_not_be_written(shut_folder: Path) -> None:
    for action in (begin, resume):
        with pytest.raises(GameFileError, match=f"^Nothing can be written to '{shut_folder}'"):
            action(shut_folder / ("new.game" if action is begin else "home.game"))
    assert os.listdir(shut_folder) == ["home.game"]


@pytest.mark.parametrize("mode", [0o444, 0o000])
def test_a_file_that_may_not_be_written(shut_folder: Path, mode: int) -> None:
    shut_folder.chmod(0o755)
    path = shut_folder / "home.game"
    path.chmod(mode)
    with pytest.raises(GameFileError, match=f"^Nothing can be written to '{shut_folder}'"):
        resume(path)
    path.chmod(0o644)


HOLD = """
import sys
with begin(Path(sys.argv[1])) as game:
    game.append(event(1))
    print("held", flush=True)
    sys.stdin.read()
    game.append(event(2))
"""


def test_two_programs_on_one_game(path: Path) -> None:
    """The second is told; the first goes on, and when it has ended the second may."""
    busy = "^The game 'home' is open in another program: close it there first.$"
    with running(HOLD, path) as other:
        assert other.stdout.readline() == "held\n"
        with pytest.raises(GameFileError, match=busy):
            resume(path)
        with pytest.raises(GameFileError, match=busy):
            begin(path)
        assert other.communicate("go on\n") == ("", "")
    with resume(path) as game:
        assert numbers(game) == (1, 2)
        with pytest.raises(GameFileError, match=busy):  # and twice in one program
            resume(path)
        game.append(event(3))


def test_a_program_that_was_killed_holds_no_game(path: Path) -> None:
    with running(HOLD, path) as other:
        assert other.stdout.readline() == "held\n"
        other.kill()
    with resume(path) as game:
        assert numbers(game) == (1,)


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        (
            f"PRAGMA user_version = {schema.VERSION + 1}; CREATE TABLE camera (name TEXT)",
            f"its tables have version {schema.VERSION + 1}, and this program knows version {schema.VERSION}",
        ),
        (
            "UPDATE game SET format = 99, checksum = {checksum}",
            "its events have version 99, and this program knows version 1",
        ),
    ],
)
def test_a_game_of_a_newer_program_is_refused_and_not_touched(path: Path, tables: str, said: str) -> None:
    with begin(path) as game:
        game.append(event(1))
        row = (game.file.header.program, 99, game.file.header.begun, 2, game.file._chain)
        game.file._connection.executescript(tables.format(checksum=f"x'{schema.checksum(row).hex()}'"))
    before = path.read_bytes()
    with pytest.raises(GameFileError, match=f"^The game 'home' was kept by a newer program .{said}.: update"):
        resume(path)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_a_database_of_another_program_is_refused_and_not_touched(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE game (program)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(GameFileError, match="is not a game of this program"):
        resume(path)
    with pytest.raises(InputError, match="A game 'home' exists already"):
        begin(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database(path: Path) -> None:
    path.write_bytes(b"East, South, West, North. " * 1000)
    before = path.read_bytes()
    for action in (resume, begin):
        with pytest.raises(
            GameFileError, match=r"is damaged: its beginning is not that of a game's file\. It was left"
        ):
            action(path)
    assert path.read_bytes() == before


class Doubtful:
    """A connection whose next commit succeeds and is reported as failed: the last sync was refused."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._fails = True

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)

    def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
        done = self._connection.execute(sql, *values)
        if sql == "COMMIT" and self._fails:
            self._fails = False
            raise sqlite3.OperationalError("disk I/O error")
        return done


@pytest.mark.parametrize("again", [1, 2])
def test_an_entry_that_was_refused_though_it_is_on_the_disk_is_in_nobodys_way(path: Path, again: int) -> None:
    with begin(path) as game:
        game.append(event(0))
        game.file._connection = Doubtful(game.file._connection)  # type: ignore[assignment]
        with pytest.raises(GameFileError):
            game.append(event(1), "key")
        assert numbers(game) == (0,)
        assert game.append(event(again), "other key")
    with resume(path) as game:
        assert numbers(game) == (0, again)
        assert game.append(event(3), "key")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "cannot be read (it needs more memory than is available)"),
        (OverflowError(), "is damaged: parts of it cannot be read"),
        (RecursionError(), "is damaged: parts of it cannot be read"),
    ],
)
def test_unexpected_error_while_reading_is_one_sentence(tmp_path: Path, error: Exception, said: str) -> None:
    path = tmp_path / "home.game"
    with pytest.raises(GameFileError) as caught, translate_errors(path, reading=True):
        raise error
    assert said in str(caught.value)
    assert f"'{path}'" in str(caught.value)
    with pytest.raises(type(error)), translate_errors(path):  # a fault of the program, when it writes
        raise error
