"""Data are moved to folders that others prepared, and out of such: nothing outside of them is touched."""

from __future__ import annotations

import os
import random
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from companion import config, moving
from companion.errors import InputError
from companion.held_folder import UNFINISHED, HeldFolder

NAMES = ("session.json", "games/friday.game", "games/friday.told", "games/friday.pictures/1-ab.jpg",
         "profiles/home.json", "sets/bamboo.tiles", "pictures/a.jpg")  # fmt: skip


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with work in it that must stay as it is."""
    home = tmp_path / "home"
    monkeypatch.delenv("COMPANION_DATA", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    (home / "folder").mkdir(parents=True)
    (home / "thesis.txt").write_text("years of work")
    (home / "folder/friday.game").write_text("another game")
    (home / "folder" / UNFINISHED).write_text("another file")
    return home


def make_old(folder: Path) -> Path:
    for name in NAMES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"what {name} holds")
    return folder


def look_at(folder: Path) -> dict[str, object]:
    """Everything in the folder but the settings of this program: what it is, holds, and who may read it."""
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else None
        found[str(path)] = (status.st_mode, status.st_ino, status.st_mtime_ns, content)
    return found


def hold(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in NAMES if (folder / name).is_file()}


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        for each in path.iterdir():
            remove(each)
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


def link_to(target: Path) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def make_socket(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # the name of a socket may have 107 letters
    try:
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind(path.name)
    finally:
        os.chdir(here)


def plant(random_: random.Random, home: Path, new: Path) -> str:
    """Put something hostile in the place of a file or folder of a copy, and return what it is."""
    hostile: dict[str, Callable[[Path], None]] = {
        "link to a file": link_to(home / "thesis.txt"),
        "link to a folder": link_to(home / "folder"),
        "link upwards": link_to(Path("..")),
        "link to itself": lambda path: path.symlink_to(path),
        "link to nothing": link_to(home / "nothing"),
        "hard link": lambda path: os.link(home / "thesis.txt", path),
        "pipe": os.mkfifo,
        "socket": make_socket,
        "folder": lambda path: path.mkdir(),
        "file": lambda path: path.write_text("mine") and None,
    }
    kind = random_.choice(sorted(hostile))
    name = random_.choice((*NAMES, "games", "games/friday.pictures", "profiles", UNFINISHED, "move.json"))
    path = new / name
    with suppress(OSError):
        remove(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        hostile[kind](path)
    return f"{kind} at {name}"


@pytest.mark.slow
@pytest.mark.parametrize("is_begun", [False, True])
def test_nothing_outside_of_the_new_folder_is_touched(
    tmp_path: Path, home: Path, damage: int, is_begun: bool
) -> None:
    refused = 0
    for seed in range(damage):
        chance = random.Random(seed)
        old, new = make_old(tmp_path / f"{seed}/old"), tmp_path / f"{seed}/stick/new"
        new.mkdir(parents=True)
        if is_begun:  # else the folder is another one, and refused
            left = chance.randint(1, len(NAMES))
            with pytest.raises(moving.MoveCancelled):
                moving.copy_data(old, new, is_cancelled=iter([False] * left + [True]).__next__)
        planted = [plant(chance, home, new) for _ in range(chance.randint(1, 4))]
        message = f"seed {seed}: {planted}"
        foreign = set(os.listdir(new)) - {UNFINISHED}
        before = look_at(home), look_at(old)
        try:
            moving.check_target(old, new)
            moving.copy_data(old, new)
        except (InputError, OSError):
            refused += 1
        else:
            assert is_begun or not foreign, message
            assert hold(new) == hold(old), message
            for name in NAMES:
                for part in (new / name, *(new / name).relative_to(new).parents):
                    assert not (new / part).is_symlink(), message
                assert (new / name).stat().st_nlink == 1, message
        after = look_at(home), look_at(old)
        assert after[0] == before[0], message
        marks = {str(old / "move.json"), str(old)}
        assert {k: v for k, v in after[1].items() if k not in marks} == {
            k: v for k, v in before[1].items() if k not in marks
        }, message
    assert refused > damage / 5, "hostile enough"
    assert refused < damage or not is_begun, "some copies are finished all the same"


@pytest.mark.parametrize("files", [
    ["../../home/thesis.txt"], ["{home}/thesis.txt"], ["games/../../../home/thesis.txt"], ["home/thesis.txt"],
    [""], ["."],
])  # fmt: skip
@pytest.mark.parametrize("knows_token", [False, True])
def test_a_prepared_list_deletes_nothing(
    tmp_path: Path, home: Path, files: list[str], knows_token: bool
) -> None:
    old, new = make_old(tmp_path / "old"), tmp_path / "new"
    names = [name.format(home=home) for name in files]
    if knows_token:
        with pytest.raises(moving.MoveCancelled):
            moving.copy_data(old, new, is_cancelled=lambda: True)
        token = msgspec.json.decode((old / "move.json").read_bytes())["token"]
        (new / "home").symlink_to(home)
        made = {
            "token": token,
            "files": [msgspec.json.decode(msgspec.json.encode(each.encode())) for each in names],
        }
    else:
        new.mkdir()
        made = {"to": str(old.resolve()), "files": names}
    (new / "move.json").write_bytes(msgspec.json.encode(made))
    before = look_at(home)
    with suppress(InputError, OSError):
        moving.check_target(old, new)
        moving.copy_data(old, new)
    assert look_at(home) == before


def test_a_folder_that_is_not_ours_is_not_empty_whatever_its_list_says(tmp_path: Path) -> None:
    old, new = make_old(tmp_path / "old"), tmp_path / "new"
    new.mkdir()
    token = msgspec.json.decode(msgspec.json.encode(bytes(moving.TOKEN_BYTES)))
    for made in (
        {"to": str(old)},
        {"token": None, "files": []},
        {"token": "", "files": []},
        {"token": token, "files": []},
    ):
        (new / "move.json").write_bytes(msgspec.json.encode(made))
        for ask in (moving.check_target, moving.copy_data, moving.begin_elsewhere):
            with pytest.raises(InputError, match="is not empty"):
                ask(old, new)
    assert [each.name for each in new.iterdir()] == ["move.json"]


def test_a_copy_of_the_old_folder_is_no_unfinished_copy(tmp_path: Path) -> None:
    """A backup holds what the old folder does, its token too, and older games, which stay."""
    old, backup = make_old(tmp_path / "old"), make_old(tmp_path / "backup")
    with pytest.raises(moving.MoveCancelled):
        moving.copy_data(old, tmp_path / "new", is_cancelled=lambda: True)
    (backup / "move.json").write_bytes((old / "move.json").read_bytes())
    (backup / "games/friday.game").write_text("older")
    with pytest.raises(InputError, match="is not empty"):
        moving.copy_data(old, backup)
    assert (backup / "games/friday.game").read_text() == "older"


def test_a_file_that_has_another_name_elsewhere_is_copied_though_it_is_the_same(
    tmp_path: Path, home: Path
) -> None:
    """What is written to it later would be written to that one, too."""
    old, new = make_old(tmp_path / "old"), tmp_path / "new"
    moving.copy_data(old, new)
    (new / "session.json").rename(home / "session.json")
    os.link(home / "session.json", new / "session.json")
    moving.copy_data(old, new)
    assert (new / "session.json").stat().st_nlink == 1


def test_a_copy_that_was_killed_before_its_first_file_is_taken_up(tmp_path: Path) -> None:
    old, new = make_old(tmp_path / "old"), tmp_path / "new"
    new.mkdir()
    (new / UNFINISHED).write_text("half of the mark")
    moving.check_target(old, new)
    moving.copy_data(old, new)
    assert hold(new) == hold(old)
    assert not (new / UNFINISHED).exists()


def test_a_plan_that_comes_with_a_folder_is_not_carried_out(tmp_path: Path) -> None:
    old, evil = make_old(tmp_path / "old"), tmp_path / "evil"
    (old / "move.json").write_text(f'{{"to": "{evil}", "files": []}}')
    assert moving.finish_move(old) is None
    assert not evil.exists()
    assert config.chosen_data_dir() is None


def test_links_in_the_old_folder_are_not_followed_but_named(tmp_path: Path, home: Path) -> None:
    old, new = make_old(tmp_path / "old"), tmp_path / "new"
    (old / "games/saturday.game").symlink_to(home / "thesis.txt")
    (old / "more").symlink_to(home)
    (old / "round").symlink_to(old)
    os.mkfifo(old / "pictures/pipe")
    assert moving.copy_data(old, new) == ("more", "round", "games/saturday.game", "pictures/pipe")
    assert set(look_at(new)) & {str(new / each) for each in ("more", "round", "games/saturday.game")} == set()
    assert hold(new) == hold(old)


def test_a_link_as_the_new_folder_is_refused(tmp_path: Path, home: Path) -> None:
    old, new = make_old(tmp_path / "old"), tmp_path / "new"
    for target in (home / "folder", home / "nothing", tmp_path / "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        new.symlink_to(target)
        with pytest.raises(InputError, match="is a link"):
            moving.check_target(old, new)
        with pytest.raises(OSError, match=r"is a link|exists"):
            moving.copy_data(old, new)
        new.unlink()
    assert not list((tmp_path / "empty").iterdir())
    assert not (home / "nothing").exists()
    new.symlink_to(new)
    with pytest.raises(InputError, match="is a link"):
        moving.check_target(old, new)
    with pytest.raises(OSError, match=r"symbolic links|exists"):
        moving.copy_data(old, new / "inside")


@pytest.mark.slow
def test_a_folder_that_becomes_a_link_meanwhile_leads_nowhere(tmp_path: Path, home: Path) -> None:
    """Another program exchanges a folder of the copy for a link, and back, as quickly as it can."""
    old, new = make_old(tmp_path / "old"), tmp_path / "new"
    moving.copy_data(old, new)
    before = look_at(home)
    ended = threading.Event()

    def exchange() -> None:
        aside, link = new / "aside", new / "link"
        while not ended.is_set():
            with suppress(OSError):
                link.symlink_to(home / "folder")
                (new / "games").rename(aside)
                link.rename(new / "games")
                (new / "games").unlink()
                aside.rename(new / "games")

    other = threading.Thread(target=exchange)
    other.start()
    try:
        for number in range(60):
            (old / "games/friday.game").write_text(f"changed {number}")
            with suppress(OSError):
                moving.copy_data(old, new)
    finally:
        ended.set()
        other.join()
    assert look_at(home) == before


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../thesis.txt", "a/../../thesis.txt", "", ".", "a//b", "a/", "a\0b"]
)
def test_a_name_that_leads_out_of_a_held_folder_is_refused(home: Path, name: str) -> None:
    with HeldFolder(home / "folder") as held:
        for ask in (held.open, held.find, held.remove, lambda name: held.replace(name).__enter__()):
            with pytest.raises(OSError, match="leads out"):
                ask(name)


def test_odd_names_are_refused_immediately_and_replaced_whole(tmp_path: Path) -> None:
    folder = tmp_path / "held"
    folder.mkdir()
    (tmp_path / "outside").write_text("outside")
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to(tmp_path / "outside")
    (folder / "away").symlink_to(tmp_path)
    os.link(tmp_path / "outside", folder / "hard")
    with HeldFolder(folder) as held:
        for name, why in (
            ("pipe", "it is a pipe"), ("link", "it is a link"), ("away/outside", "it is a link"),
            ("pipe/x", "it is not a folder"),
        ):  # fmt: skip
            with pytest.raises(OSError, match=why) as refused:
                held.read(name)
            assert str(refused.value.filename).startswith(str(folder))
        for name in ("pipe", "link", "hard"):
            with held.replace(name) as file:
                file.write(b"new")
            assert (folder / name).read_bytes() == b"new"
        with pytest.raises(OSError, match="it is a link"), held.replace("away/outside") as file:
            file.write(b"new")
        with pytest.raises(TypeError), held.replace("hard") as file:
            file.write("no bytes")  # type: ignore[arg-type]
    assert (folder / "hard").read_bytes() == b"new"
    assert (tmp_path / "outside").read_text() == "outside"
    assert sorted(os.listdir(folder)) == ["away", "hard", "link", "pipe"]


@pytest.mark.parametrize("planted", ["session-3.json", "log", "games/monday.game"])
def test_a_copy_with_a_link_that_is_not_of_ours_is_not_used(tmp_path: Path, home: Path, planted: str) -> None:
    """The program would write what it keeps there later to where the link leads."""
    old, new = make_old(tmp_path / "old"), tmp_path / "stick/new"
    moving.copy_data(old, new)
    (new / planted).symlink_to(home / "thesis.txt")
    moving.plan_move(old, new)
    with pytest.raises(OSError, match="it is a link") as refused:
        moving.finish_move(old)
    assert refused.value.filename == str(new / planted)
    assert config.chosen_data_dir() is None
    moving._forget(new)
    with pytest.raises(OSError, match="it is a link"):
        moving.begin_elsewhere(old, new)
    (new / planted).unlink()
    assert moving.begin_elsewhere(old, new) == 0
