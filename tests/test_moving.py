"""Data are copied and checked before another folder is used, and whatever fails leaves the old one in use."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion import config, moving
from companion.errors import InputError
from companion.files import lock
from tests.programs import started


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The usual data folder, with some of everything in it."""
    monkeypatch.delenv("COMPANION_DATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home/data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home/config"))
    folder = config.data_dir()
    (folder / "pictures").mkdir()
    (folder / "pictures/hand.jpg").write_bytes(bytes(range(256)) * 9000)
    (folder / "session.json").write_text("{}")
    (folder / "session.lock").touch()
    (folder / "shaders").mkdir()
    (folder / "shaders/cache").write_text("made anew")
    with sqlite3.connect(folder / "friday.game") as game:
        game.execute("create table entries (line text)")
        game.execute("insert into entries values ('first')")
    game.close()
    return folder


def read_tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_all_of_it_is_there_and_used_from_the_next_start(old: Path, tmp_path: Path) -> None:
    new, reported = tmp_path / "stick/mahjong", []
    moving.check_target(old, new)
    moving.copy_data(old, new, lambda done, total: reported.append((done, total)))
    assert reported[-1][0] == reported[-1][1] == moving.measure(old)
    with sqlite3.connect(old / "friday.game") as game:  # the evening goes on while it is copied
        game.execute("insert into entries values ('second')")
    game.close()
    (old / "session.json").unlink()
    (old / "session-2.json").write_text("[]")
    assert config.data_dir() == old
    moving.plan_move(old, new)
    assert moving.finish_move(old) == new
    assert config.data_dir() == new
    kept = read_tree(new)
    assert set(kept) == {"pictures/hand.jpg", "session-2.json", "friday.game"}
    assert kept["pictures/hand.jpg"] == (old / "pictures/hand.jpg").read_bytes()
    with sqlite3.connect(new / "friday.game") as game:
        assert game.execute("select * from entries").fetchall() == [("first",), ("second",)]
    game.close()
    assert (old / "friday.game").is_file(), "the old folder is never deleted"


def test_only_folders_that_can_be_chosen_are_offered(old: Path, tmp_path: Path) -> None:
    home = tmp_path / "home" / moving.FOLDER_NAME
    assert [spot.folder for spot in moving.list_spots(old)] == [home]
    home.mkdir()
    assert [spot.folder for spot in moving.list_spots(old)] == [home]
    (home / "session.json").write_text("{}")
    assert moving.list_spots(old) == ()
    assert [spot.folder for spot in moving.list_spots(old, takes_used=True)] == [home]
    (home / "session.json").rename(home / "letter.txt")
    assert moving.list_spots(old, takes_used=True) == ()


def test_a_folder_that_the_environment_names_stays_named(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.name_data_dir(tmp_path / "chosen")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "named"))
    monkeypatch.setenv(config.SCRATCH, str(old))
    new = tmp_path / "new"
    moving.copy_data(old, new)
    moving.plan_move(old, new)
    assert moving.finish_move(old) == new
    assert (new / "friday.game").is_file()
    assert config.chosen_data_dir() == tmp_path / "chosen"
    monkeypatch.delenv(config.SCRATCH)
    assert config.data_dir() == tmp_path / "named"


def test_a_copy_that_fails_leaves_the_old_folder_in_use(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = tmp_path / "stick"
    moving.copy_data(old, new)
    moving.plan_move(old, new)
    (old / "session.json").write_text("{ }")
    monkeypatch.setattr(
        moving, "_digest", lambda held, name: bytes(name, "utf-8")
    )  # what is read again differs
    with pytest.raises(OSError, match="differs"):
        moving.finish_move(old)
    monkeypatch.undo()
    monkeypatch.delenv("COMPANION_DATA", raising=False)
    assert config.chosen_data_dir() is None


def test_a_switch_without_a_plan_does_nothing(old: Path) -> None:
    assert moving.finish_move(old) is None


def test_a_cancelled_copy_can_be_taken_up_again(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "stick"
    with pytest.raises(moving.MoveCancelled):
        moving.copy_data(old, new, is_cancelled=iter((False, False, True)).__next__)
    moving.check_target(old, new)
    moving.copy_data(old, new)
    assert read_tree(new).keys() >= {"friday.game", "session.json"}


def test_a_folder_that_cannot_be_used_is_refused_in_one_sentence(old: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/letter.txt").touch()
    (tmp_path / "file").touch()
    for new, said in (
        (Path("mahjong"), "whole path"), (old, "already"), (old / "inside", "inside the other"),
        (tmp_path / "full", "not empty"), (tmp_path / "file", "is a file"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=said):
            moving.check_target(old, new)
    held = lock(old / "session-2.lock")
    assert held is not None
    with held, pytest.raises(InputError, match="Another window"):
        moving.check_target(old, tmp_path / "new")


def test_a_full_disk_is_seen_before_anything_is_copied(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "find_free", lambda folder: 1000)
    with pytest.raises(InputError, match=r"0 MB free, and \d+ MB are needed, 33 of them as a reserve"):
        moving.check_target(old, tmp_path / "new")


def test_data_on_a_disk_that_is_not_plugged_in_are_not_begun_anew(old: Path, tmp_path: Path) -> None:
    config.name_data_dir(tmp_path / "gone")
    with pytest.raises(FileNotFoundError, match="not plugged in"):
        config.data_dir()
    config.name_data_dir(config.usual_data_dir())
    assert config.data_dir() == old


COPY = """
import sys
from pathlib import Path
from companion import moving

print("copying", flush=True)
moving.copy_data(Path(sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.mark.slow
def test_a_copy_that_is_killed_is_taken_up_and_finished(old: Path, tmp_path: Path, damage: int) -> None:
    chance = random.Random(damage)
    for number in range(60):
        (old / f"pictures/{number}.jpg").write_bytes(chance.randbytes(200_000))
    for kill in range(damage // 20):
        new = tmp_path / f"stick-{kill}"
        with started([sys.executable, "-c", COPY, str(old), str(new)], stdout=subprocess.PIPE) as program:
            assert program.stdout is not None
            program.stdout.readline()
            time.sleep(chance.random() / 2)  # whenever that is: any moment must do
            program.kill()
        moving.check_target(old, new)
        moving.copy_data(old, new)
        moving.plan_move(old, new)
        assert moving.finish_move(old) == new
        kept, was = read_tree(new), read_tree(old)
        assert set(was) - set(kept) == {"session.lock", "shaders/cache"}
        assert {name: was[name] for name in kept} == kept, f"seed {damage}, kill {kill}"
        shutil.rmtree(new)
