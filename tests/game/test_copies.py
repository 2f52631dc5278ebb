"""Second copies of kept games: made, pruned, restored from, and nothing else touched."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

import pytest
from sums import START, begin, entries, event, numbers, resume

from companion.cli import run
from companion.errors import GameFileError, InputError
from companion.game import copies, shelf
from companion.game.copies import COPIES_MAX, copied
from companion.game.file import GameFile, read_entries
from companion.game.game import Game
from companion.game.updates import OperationFailed, Update
from companion.live.running import RunningGame
from companion.sentences import Sentence
from tests.read_only import read_only

DAY = date(2026, 11, 20)
WAIT_S = 60


class Today:
    """The day that it is; `pass_by` lets days pass."""

    def __init__(self) -> None:
        self.day = DAY

    def pass_by(self, days: int = 1) -> None:
        self.day += timedelta(days)


@pytest.fixture(autouse=True)
def today(monkeypatch: pytest.MonkeyPatch) -> Today:
    now = Today()

    class Date(date):
        @classmethod
        def today(cls) -> date:  # type: ignore[override]
            return now.day

    monkeypatch.setattr(copies, "date", Date)
    return now


def play(name: str, *points: int) -> Path:
    """Enter these numbers in the game of that name, which is begun if absent."""
    path = shelf.path_of(name)
    with copied(resume(path) if path.exists() else begin(path), fail) as game:
        for number in points:
            game.append(event(number))
    return path


def fail(trouble: Sentence) -> None:
    """Of copies that are kept without trouble."""
    troubles.append(trouble)


troubles: list[Sentence] = []


@pytest.fixture(autouse=True)
def no_trouble() -> Iterator[None]:
    """Nothing went wrong that the test does not ask for."""
    troubles.clear()
    yield
    assert troubles == []


def labels(name: str | None = None) -> list[str]:
    return [copy.label for copy in copies.list_copies(name)]


def copy_of(label: str, name: str = "friday") -> Path:
    return next(copy.path for copy in copies.list_copies(name) if copy.label == label)


def test_after_a_day_of_play_there_is_a_copy_and_ten_stay(own_data_folder: Path, today: Today) -> None:
    for number in range(COPIES_MAX + 3):
        path = play("friday", number)
        path = play("friday", number)
        play("monday", number)
        assert read_entries(copy_of(today.day.isoformat())) == read_entries(path)
        today.pass_by()
    days = [(DAY + timedelta(number)).isoformat() for number in range(COPIES_MAX + 3)]
    assert labels("friday") == labels("monday") == days[:2:-1]
    folder = own_data_folder / copies.FOLDER_NAME
    assert len(list(folder.iterdir())) == 2 * COPIES_MAX
    assert {each.stat().st_mode & 0o777 for each in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700
    play("friday")
    assert labels("friday") == days[:2:-1], "nothing was entered"


def test_another_game_of_the_same_name_and_day_does_not_take_the_place_of_the_copy(today: Today) -> None:
    play("friday", 1, 2).unlink()
    path = play("friday", 3)
    play("friday", 4)
    assert labels() == ["2026-11-20-2", "2026-11-20"]
    assert len(read_entries(copy_of("2026-11-20"))) == 3
    assert read_entries(copy_of("2026-11-20-2")) == read_entries(path)


@pytest.mark.parametrize("is_deleted", [False, True])
def test_the_newest_copy_of_a_day_has_what_was_entered_last(today: Today, is_deleted: bool) -> None:
    """Also after an earlier copy of that day was restored, or deleted by hand."""
    play("friday", 1, 2).unlink()
    path = play("friday", 3)
    copies.restore("friday", "2026-11-20")
    if is_deleted:
        copy_of("2026-11-20").unlink()
    for number in (4, 5):
        play("friday", number)
        assert read_entries(copy_of(labels()[0])) == read_entries(path)
    assert labels() == ["2026-11-20-3", "2026-11-20-2", "2026-11-20"][: 2 if is_deleted else 3]
    path.unlink()
    assert read_entries(copies.restore("friday").path)[-1].event == entries(6)[-1].event


def test_a_clock_that_goes_back_costs_no_copy(today: Today) -> None:
    for _ in range(COPIES_MAX):
        play("friday", 1)
        today.pass_by()
    today.pass_by(-100)
    path = play("friday", 2)
    assert read_entries(copy_of(today.day.isoformat())) == read_entries(path)
    assert len(labels()) == COPIES_MAX


DAMAGE: dict[str, Callable[[Path], object]] = {
    "deleted": lambda path: path.unlink(),
    "emptied": lambda path: path.write_bytes(b""),
    "cut": lambda path: os.truncate(path, path.stat().st_size // 2),
    "changed": lambda path: path.write_bytes(path.read_bytes().replace(b"a number", b"A number", 1)),
    "text": lambda path: path.write_text("no game"),
    "folder": lambda path: (path.unlink(), path.mkdir()),
    "pipe": lambda path: (path.unlink(), os.mkfifo(path)),
    "link": lambda path: (path.unlink(), path.symlink_to("nowhere")),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_game_is_restored_and_what_was_there_is_kept(
    damage: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = play("friday", 1, 2, 3)
    path.with_suffix(".told").write_text("[]")
    DAMAGE[damage](path)
    left = path.read_bytes() if path.is_file() else None
    assert run(["games", "restore", "friday", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["events"], found["copy"]) == (4, "2026-11-20")
    with resume(path) as game:
        assert numbers(game) == (1, 2, 3)
    assert path.with_suffix(".told").exists()
    aside = Path(found["aside"]) if found["aside"] else None
    assert (aside is None) == (damage == "deleted")
    if left is not None and aside is not None:
        assert aside.read_bytes() == left
    assert not list(path.parent.glob("*.copying"))


def test_copies_are_listed_with_hands_and_players(capfd: pytest.CaptureFixture[str], today: Today) -> None:
    play("friday", 1)
    today.pass_by()
    play("friday", 2)
    damaged = copies.list_copies("friday")[0].path
    damaged.write_bytes(b"")
    assert run(["games", "copies", "friday"]) == 0
    said = capfd.readouterr().out.replace("\n", " ")
    assert "friday  2026-11-20  0 hands, You, Right, Across, Left  " in said
    assert "friday  2026-11-21  cannot be read  " in said
    assert run(["games", "copies", "friday", "--json"]) == 0
    newest, oldest = json.loads(capfd.readouterr().out)["copies"]
    assert (newest["hands"], newest["names"]) == (None, None)
    assert (oldest["hands"], oldest["names"]) == (0, [""] * 4)


def test_a_game_with_copies_says_so_and_is_not_begun_again(
    capfd: pytest.CaptureFixture[str], today: Today
) -> None:
    path = play("friday evening", 1, 2)
    offer = "A copy of 2026-11-20 exists: companion games restore 'friday evening'"
    path.write_bytes(b"")
    for command in (["games", "show"], ["games", "export"], ["games", "undo"], ["review"]):
        assert run([*command, "friday evening"]) == 3
        said = capfd.readouterr().err
        assert offer in said
        assert "begin it again" not in said
    found = copies.glance_with_copy("friday evening")
    assert found.copy == "2026-11-20"
    assert "begin it again" not in str(found.trouble)
    path.unlink()
    assert run(["games", "show", "friday evening"]) == 2
    assert offer in capfd.readouterr().err
    path.with_name("other.game").touch()
    assert run(["games", "show", "other"]) == 3
    assert "begin it again under this name" in capfd.readouterr().err


def test_a_copy_in_which_something_was_played_comes_before_a_newer_one_without(
    capfd: pytest.CaptureFixture[str], today: Today
) -> None:
    path = play("friday", 1, 2)
    path.unlink()
    today.pass_by()
    play("friday")
    assert run(["games", "restore", "friday"]) == 0
    said = capfd.readouterr().out
    assert "Restored from the copy of 2026-11-20." in said
    assert "Other copies: 2026-11-21; --copy DAY restores one of them." in said
    with resume(path) as game:
        assert numbers(game) == (1, 2)
    assert run(["games", "restore", "friday", "--copy", "2026-11-21"]) == 0
    with resume(path) as game:
        assert numbers(game) == ()


def test_a_usable_game_is_never_overwritten(capfd: pytest.CaptureFixture[str], today: Today) -> None:
    play("friday", 1)
    today.pass_by()
    path = play("friday", 2)
    assert run(["games", "restore", "friday", "--copy", "2026-11-20"]) == 0
    said = capfd.readouterr().out
    with resume(path) as game:
        assert numbers(game) == (1,)
    (aside,) = shelf.list_archived()
    assert f"The file that was in its place is now {aside.path}." in said
    with resume(aside.path) as game:
        assert numbers(game) == (1, 2)


def test_a_journal_that_was_left_does_not_spoil_the_restored_game() -> None:
    path = play("friday", 1, 2)
    with begin(path.with_name("other.game")) as game:
        connection = game.file._connection
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE game SET entries = entries + 1")
        connection.execute("UPDATE entry SET event = event || zeroblob(100000)")
        journal = Path(f"{game.file.path}-journal").read_bytes()
        connection.rollback()
    assert len(journal) > 4096
    path.unlink()
    Path(f"{path}-journal").write_bytes(journal)
    assert copies.restore("friday").aside is None
    with resume(path) as game:
        assert numbers(game) == (1, 2)


def test_a_game_that_is_open_is_not_restored() -> None:
    path = play("friday", 1)
    with resume(path) as game:
        with pytest.raises(GameFileError, match="is open in another program"):
            copies.restore("friday")
        game.append(event(2))
    assert shelf.list_archived() == ()


def test_the_newest_copy_that_is_whole_is_restored(capfd: pytest.CaptureFixture[str], today: Today) -> None:
    play("friday", 1)
    today.pass_by()
    path = play("friday", 2)
    newest = copy_of("2026-11-21")
    newest.write_bytes(newest.read_bytes().replace(b"a number", b"A number", 1))
    assert run(["games", "restore", "friday"]) == 0
    said = capfd.readouterr()
    assert said.err.startswith(f"companion: The game file '{newest}' is damaged: entry 3 is not valid")
    assert "Restored from the copy of 2026-11-20." in said.out
    assert run(["games", "restore", "friday", "--copy", "2026-11-21"]) == 3
    assert capfd.readouterr().err.startswith("companion: No copy of the game 'friday' can be used. The game")
    with resume(path) as game:
        assert numbers(game) == (1,)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("monday",), "There is no copy of the game 'monday'. Games with copies: friday."),
        (
            ("friday", "--copy", "yesterday"),
            "There is no copy 'yesterday' of the game 'friday'. Its copies",
        ),
        (("../friday",), "'../friday' cannot be the name of a game"),
    ],
)
def test_restoring_without_a_usable_copy_is_refused(
    arguments: tuple[str, ...], why: str, capfd: pytest.CaptureFixture[str]
) -> None:
    play("friday", 1)
    assert run(["games", "restore", *arguments]) == 2
    assert capfd.readouterr().err.startswith(f"companion: {why}")


def test_links_and_other_kinds_of_files_in_the_folder_are_not_followed(
    own_data_folder: Path, tmp_path: Path, today: Today
) -> None:
    outside = tmp_path / "thesis.txt"
    outside.write_text("precious")
    other = tmp_path / "other.game"
    GameFile.create(other, entries(30)).close()
    before = other.read_bytes()
    folder = own_data_folder / copies.FOLDER_NAME
    folder.mkdir()
    (folder / "friday.2026-11-20.game").symlink_to(outside)
    (folder / "friday.2026-11-20-2.game").symlink_to(other)
    os.mkfifo(folder / "friday.2026-11-20-3.game")
    (folder / "friday.2026-11-20-4.game").mkdir()
    (folder / "friday.2099-01-01.game").symlink_to(other)
    (folder / "\x1b[31mred.2026-11-20.game").write_bytes(before)
    for number in range(COPIES_MAX + 2):
        path = play("friday", number)
        today.pass_by()
    assert labels()[-1] == "2026-11-22"
    assert copies.catch_up() == ()
    assert {copy.name for copy in copies.list_copies()} == {"friday"}
    assert len(labels()) == COPIES_MAX
    assert (outside.read_text(), other.read_bytes()) == ("precious", before)
    assert len(list(folder.iterdir())) == COPIES_MAX + 6
    path.unlink()
    copies.restore("friday")
    with resume(path) as game:
        assert numbers(game) == tuple(range(COPIES_MAX + 2))


def test_a_link_in_the_place_of_the_folder_is_refused_and_said(own_data_folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "elsewhere"
    place.mkdir()
    (own_data_folder / copies.FOLDER_NAME).symlink_to(place)
    said: list[Sentence] = []
    path = shelf.path_of("friday")
    with copied(begin(path), said.append) as game:
        game.append(event(1))
    assert "No second copy of the game 'friday' was kept in" in str(said[0])
    assert list(place.iterdir()) == []
    assert read_entries(path)
    assert labels() == []


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk of 64 kB; root alone can mount one."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def test_copies_are_kept_on_another_disk_too_and_its_absence_disturbs_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], own_data_folder: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    assert run(["games", "copies", "--also-in", str(disk), "--json"]) == 0
    place = disk / copies.FOLDER_ELSEWHERE
    found = json.loads(capfd.readouterr().out)
    assert found == {"folders": [str(own_data_folder / copies.FOLDER_NAME), str(place)], "copies": []}
    path = play("friday", 1)
    assert {copy.path.parent for copy in copies.list_copies()} == set(copies.find_folders()[0])
    disk.rename(tmp_path / "unplugged")
    disk.mkdir()
    line = b'{"event":"points_moved","points":[1,-1,0,0],"why":"x"}'
    (tmp_path / "lines").write_bytes(line)
    assert run(["games", "add", "friday", str(tmp_path / "lines"), "--json"]) == 0
    said = capfd.readouterr()
    assert json.loads(said.out) == {"line": 1, "entry": 3, "new": True}
    assert said.err == (
        f"companion: No second copy of the game 'friday' was kept in '{place}' (No such file or directory). "
        "The game itself is kept.\n"
    )
    assert list(disk.iterdir()) == [], "nothing is written to the disk below"
    assert read_entries(copy_of(DAY.isoformat())) == read_entries(path)
    disk.rmdir()
    (tmp_path / "unplugged").rename(disk)
    shutil.rmtree(own_data_folder)
    own_data_folder.mkdir()
    copies.name_folder(disk)
    assert len(read_entries(copies.restore("friday").path)) == 2
    assert run(["games", "copies", "--only-here"]) == 0
    assert copies.find_folders() == ((own_data_folder / copies.FOLDER_NAME,), None)


def test_unremovable_setting_is_named(own_data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    setting = own_data_folder / copies.SETTING
    setting.mkdir()
    assert run(["games", "copies", "--only-here"]) == 2
    assert capsys.readouterr().err == f"companion: The file '{setting}' cannot be used (Is a directory).\n"


def test_a_full_disk_keeps_its_older_copy_and_the_game_goes_on(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        copies.name_folder(disk)
        path = play("friday", 1)
        older = read_entries(path)
        said: list[Sentence] = []
        with copied(resume(path), said.append) as game:
            for number in range(400):
                game.append(event(number))
        assert [str(each).split("'")[1:4:2] for each in said] == [
            ["friday", str(disk / copies.FOLDER_ELSEWHERE)]
        ]
        assert "No space left on device" in str(said[0])
        (there,) = (disk / copies.FOLDER_ELSEWHERE).iterdir()
        assert read_entries(there) == older
        usual = next(each.path for each in copies.list_copies() if disk not in each.path.parents)
        assert read_entries(usual) == read_entries(path)
    copies.name_folder(None)


def test_copies_that_are_missing_are_made(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Of games from before there were copies, and on a disk that was not plugged in."""
    disk = tmp_path / "disk"
    disk.mkdir()
    GameFile.create(shelf.path_of("old"), entries(5)).close()
    (shelf.folder() / "damaged.game").write_bytes(b"damaged")
    play("friday", 1)
    assert run(["games", "copies", "--also-in", str(disk)]) == 0
    assert capfd.readouterr().err == ""
    place = disk / copies.FOLDER_ELSEWHERE
    assert sorted(os.listdir(place)) == ["friday.2026-11-20.game", "old.2026-11-20.game"]
    disk.rename(tmp_path / "unplugged")
    path = play("friday", 2)
    assert "(No such file or directory)" in str(troubles.pop())
    (tmp_path / "unplugged").rename(disk)
    assert len(read_entries(place / "friday.2026-11-20.game")) == 2
    assert copies.catch_up() == ()
    assert read_entries(place / "friday.2026-11-20.game") == read_entries(path)
    before = {each: each.stat().st_mtime_ns for each in place.iterdir()}
    assert copies.catch_up() == ()
    assert {each: each.stat().st_mtime_ns for each in place.iterdir()} == before


@pytest.mark.parametrize("content", [b"", b"relative\n", b"/a\0b\n", b"\xff" * 10])
def test_a_setting_that_names_no_folder_is_said_and_the_usual_copy_is_made(
    own_data_folder: Path, content: bytes
) -> None:
    (own_data_folder / copies.SETTING).write_bytes(content)
    said: list[Sentence] = []
    with copied(begin(shelf.path_of("friday")), said.append) as game:
        game.append(event(1))
    assert f"The setting in '{own_data_folder / copies.SETTING}' cannot be read (it names no folder)" in str(
        said[0]
    )
    assert labels() == [DAY.isoformat()]
    for folder in (own_data_folder / "nowhere", own_data_folder / copies.SETTING):
        with pytest.raises(InputError, match="is not a folder: name one"):
            copies.name_folder(folder)
    for folder in (own_data_folder, own_data_folder / copies.FOLDER_NAME):
        with pytest.raises(InputError, match="is in the data folder"):
            copies.name_folder(folder)


def test_a_disk_that_holds_something_else_than_was_written_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = play("friday", 1)
    before = read_entries(path)
    written = os.fsync

    def spoil(descriptor: int) -> None:
        name = os.readlink(f"/proc/self/fd/{descriptor}")
        if name.endswith(".copying"):
            os.pwrite(descriptor, b"spoilt", 5000)
        written(descriptor)

    monkeypatch.setattr("os.fsync", spoil)
    said: list[Sentence] = []
    with copied(resume(path), said.append) as game:
        game.append(event(2))
    assert "(the disk does not hold what was written)" in str(said[0])
    assert read_entries(copy_of(DAY.isoformat())) == before


def test_a_disk_that_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    copies.name_folder(disk)
    answers, keep_in = threading.Event(), copies._keep_in

    def hang(folder: Path, *arguments: object) -> None:
        if disk in folder.parents:
            answers.wait(WAIT_S)
        keep_in(folder, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(copies, "_keep_in", hang)
    monkeypatch.setattr(copies, "WAIT_S", 0.2)
    path = play("friday", 1)
    assert "does not answer. The game itself is kept." in str(troubles.pop())
    assert read_entries(copy_of(DAY.isoformat())) == read_entries(path)
    answers.set()
    for thread in threading.enumerate():
        if thread.name == "copying":
            thread.join(WAIT_S)


def test_nothing_is_restored_where_nothing_can_be_written(
    own_data_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = play("friday", 1)
    before = path.read_bytes()
    with read_only(own_data_folder):
        assert run(["games", "copies", "--json"]) == 0
        assert json.loads(capfd.readouterr().out)["copies"][0]["name"] == "friday"
        assert run(["games", "restore", "friday"]) == 3
        assert capfd.readouterr().err.startswith(f"companion: Nothing can be written to '{path.parent}'")
    assert path.read_bytes() == before


def test_games_elsewhere_have_no_copies(path: Path, own_data_folder: Path) -> None:
    with copied(begin(path), fail) as game:
        game.append(event(1))
    assert list(own_data_folder.iterdir()) == []


def test_a_game_that_is_played_is_copied_when_it_is_opened_and_closed(
    own_data_folder: Path, tmp_path: Path
) -> None:
    """When it is opened, because the program may have been killed before."""
    path = shelf.path_of("friday")
    GameFile.create(path, entries(5)).close()
    updates: list[Update] = []
    game = RunningGame()
    game.subscribe(updates.append).result(WAIT_S)
    game.resume(path).result(WAIT_S)
    game.undo(2).result(WAIT_S)
    (own_data_folder / copies.SETTING).write_text(str(tmp_path / "gone"))
    game.leave().result(WAIT_S)
    game.close(WAIT_S)
    assert len(read_entries(path)) == 7
    assert read_entries(copy_of(DAY.isoformat())) == read_entries(path)
    (own_data_folder / copies.SETTING).write_text(str(tmp_path / "gone"))
    game = RunningGame()
    done = game.subscribe(updates.append)
    done.result(WAIT_S)
    game.resume(path).result(WAIT_S)
    game._copying.join(WAIT_S)  # type: ignore[union-attr]
    game.subscribe(lambda update: None).result(WAIT_S)
    troubles = [update for update in updates if isinstance(update, OperationFailed)]
    assert "No second copy of the game 'friday' was kept in" in str(troubles[-1].sentence)
    game.close(WAIT_S)
    assert Game.read(path).state.names == START.names
