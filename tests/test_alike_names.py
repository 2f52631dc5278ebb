"""Names that some disk takes for the same: told apart or refused before anything of theirs is written."""

from __future__ import annotations

import shutil
import sys
import unicodedata
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from companion import config, moving, profiles
from companion.app.places import write_out
from companion.errors import InputError
from companion.files import fold_name, list_alike
from companion.game import shelf
from companion.game.game import Game
from companion.named_files import NamedFiles
from companion.rules import RULE_SETS
from companion.rules.profile import make_profile
from companion.table.events import GameStarted
from tests.folding_disks import COMMANDS, fold_names_in, mounted

NOTES = NamedFiles("note", "notes", "notes", ".txt")
ALIKE = (
    ("Friday", "friday", "FRIDAY"),
    ("café", "cafe\u0301", "CAFÉ"),
    ("한글", unicodedata.normalize("NFD", "한글")),
    ("Åse", "\u212bse"),
    ("Straße", "STRASSE", "straẞe"),
    ("İzmir", "izmir", "IZMIR", "ızmır"),
    ("Ｆｒｉｄａｙ", "Friday"),
    ("Σίσυφος", "σίσυφοσ"),
    ("類", "\uf9d0"),
    ("K", "\u212a"),
)
"""Of each row some disk takes all for one."""
DIFFERENT = ("Friday", "Fridays", "e", "é", "陈", "陳", "上", "土", "a-1", "a1", "ı'm not")


def begin(name: str) -> Path:
    path = shelf.path_of(name)
    Game.begin(path, GameStarted("hefei", names=(name[:20], "B", "C", "D"))).close()
    return path


@pytest.mark.slow
def test_each_letter_folds_as_its_other_forms_do() -> None:
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        if unicodedata.category(letter) == "Cs":
            continue
        forms = {unicodedata.normalize(form, letter) for form in ("NFC", "NFD", "NFKC", "NFKD")}
        forms |= {letter.upper(), letter.lower(), letter.title(), letter.casefold()}
        assert {fold_name(f"a{form}b") for form in forms} == {fold_name(f"a{letter}b")}, hex(code)


def test_only_names_equal_on_some_disk_fold_together() -> None:
    for row in ALIKE:
        assert len({fold_name(name) for name in row}) == 1, row
    assert len({fold_name(name) for name in DIFFERENT}) == len(DIFFERENT)
    assert fold_name("a. .") == fold_name("a")


@pytest.mark.parametrize("row", ALIKE)
def test_no_file_of_a_name_like_another_one_is_made(own_data_folder: Path, row: tuple[str, ...]) -> None:
    first, *others = row
    NOTES.write(first, b"first")
    begin(first)
    for name in others:
        if unicodedata.normalize("NFC", name) == unicodedata.normalize("NFC", first):
            assert NOTES.read(name) == b"first", "another way to write the same name"
            NOTES.write(name, b"first")
            with pytest.raises(InputError, match="exists already"):
                begin(name)
            continue
        for write in (lambda name: NOTES.write(name, b"second"), NOTES.check_write, begin):
            with pytest.raises(InputError, match=f"too similar to '{first}', which exists"):
                write(name)
    assert (NOTES.names(), NOTES.read(first)) == ([first], b"first")
    assert shelf.names() == [first]


def test_names_are_kept_in_normal_form(own_data_folder: Path) -> None:
    NOTES.write("cafe\u0301", b"")
    assert [each.name for each in (own_data_folder / "notes").iterdir()] == ["café.txt"]
    NOTES.rename("café", "the\u0301")
    assert [each.name for each in (own_data_folder / "notes").iterdir()] == ["thé.txt"]


def test_names_of_files_that_are_there_are_listed_and_opened_each(own_data_folder: Path) -> None:
    """Earlier programs wrote them, or other systems."""
    for row in ALIKE:
        folder = own_data_folder / "notes"
        folder.mkdir()
        for number, name in enumerate(row):
            (folder / f"{name}.txt").write_text(str(number))
        names = NOTES.names()
        assert sorted(NOTES.read(name) for name in names) == [str(n).encode() for n in range(len(row))]
        for name in names:
            NOTES.write(name, NOTES.read(name) + b"!")
        assert sorted(map(NOTES.read, names)) == [f"{n}!".encode() for n in range(len(row))]
        for name in names:
            NOTES.delete(name)
        folder.rmdir()
    (own_data_folder / "notes").mkdir()
    (own_data_folder / "notes/cafe\u0301.txt").write_text("from elsewhere")
    assert NOTES.names() == ["café"]
    assert NOTES.read("café") == NOTES.read("cafe\u0301") == b"from elsewhere"


def test_two_games_of_alike_names_are_both_listed_and_opened(own_data_folder: Path) -> None:
    shutil.copyfile(begin("Friday"), own_data_folder / "games/friday.game")
    assert shelf.names() == ["Friday", "friday"]
    for name in shelf.names():
        with Game.resume(shelf.find(name)) as game:
            assert game.file.path.stem == name


@pytest.mark.parametrize("name", ["CON", "nul", "Com1", "LPT9", "aux", "COM¹", "ＣＯＮ"])
def test_names_that_windows_keeps_are_refused_for_new_files_only(own_data_folder: Path, name: str) -> None:
    for write in (lambda name: NOTES.write(name, b""), begin):
        with pytest.raises(InputError, match="Windows reserves it for a device"):
            write(name)
    (own_data_folder / "notes").mkdir()
    (own_data_folder / f"notes/{name}.txt").write_text("old")
    assert NOTES.read(name) == b"old"
    NOTES.write(name, b"new")
    NOTES.write("concert", b"")


def test_games_are_renamed_copied_and_set_aside_without_a_name_like_another_one(
    own_data_folder: Path,
) -> None:
    begin("Friday")
    begin("saturday")
    for change in (shelf.rename_game, shelf.copy_game):
        with pytest.raises(InputError, match="too similar to 'Friday'"):
            change("saturday", "FRIDAY")
    with pytest.raises(InputError, match="too similar to 'Friday'"):
        shelf.copy_game("Friday", "friday")
    report = own_data_folder / "games/Friday.left-out.jsonl"
    report.write_text("{}")
    shelf.rename_game("Friday", "friday")
    assert shelf.names() == ["friday", "saturday"]
    assert (own_data_folder / "games/friday.left-out.jsonl").is_file()
    aside = shelf.remove_game("friday").new
    begin("FRIDAY")
    assert shelf.remove_game("FRIDAY").new.name == "FRIDAY-2.game"
    begin("friDAY")
    assert aside.is_file()
    back = [shelf.bring_back(each).new.stem for each in shelf.list_archived()]
    assert len({fold_name(name) for name in (*back, "friDAY")}) == 3
    assert shelf.suggest_name("monday", ["friday", "monday", "Monday-2"]) == "monday-3"


def test_a_profile_like_another_one_is_refused_and_replaces_nothing() -> None:
    first, other = (make_profile(RULE_SETS[rules], {}) for rules in ("hefei", "hebei"))
    profiles.save("Friday", first)
    with pytest.raises(InputError, match="too similar to 'Friday'"):
        profiles.save("friday", other)
    profiles.FILES.rename("Friday", "friday")
    profiles.save("friday", other)
    assert (profiles.names(), profiles.load("friday").rules) == (["friday"], "hebei")
    with pytest.raises(InputError, match="No profile 'Friday'"):
        profiles.FILES.rename("Friday", "saturday")
    profiles.save("saturday", first)
    for name in ("saturday", "SATURDAY"):
        with pytest.raises(InputError, match="too similar to 'saturday'"):
            profiles.FILES.rename("friday", name)
    assert profiles.names() == ["friday", "saturday"]


def test_nothing_is_exported_over_another_file(tmp_path: Path) -> None:
    for name in ("Friday", "friday", "Friday", "cafe\u0301", "café"):
        write_out(tmp_path, name, {"json": name.encode(), "png": b""})
    assert sorted(each.name for each in tmp_path.glob("*.json")) == [
        "Friday (3).json", "Friday.json", "cafe\u0301.json", "café (2).json", "friday (2).json",
    ]  # fmt: skip
    (tmp_path / "Monday.png").write_text("mine")
    assert write_out(tmp_path, "Monday", {"json": b"", "png": b""}).name == "Monday (2).json"
    assert not (tmp_path / "Monday.json").exists()


# Moving.


def make_library(folder: Path, names: tuple[str, ...]) -> Path:
    for name in names:
        (folder / "games" / f"{name}.pictures").mkdir(parents=True)
        (folder / f"games/{name}.game").write_text(f"game {name}")
        (folder / f"games/{name}.pictures/1.jpg").write_text(f"picture {name}")
        (folder / "index").mkdir(exist_ok=True)
        (folder / f"index/{name}.json").write_text("{}")
    return folder


def read_library(folder: Path) -> list[str]:
    """What the files hold that a move keeps."""
    return sorted(path.read_text() for path in (folder / "games").rglob("*") if path.is_file())


def check_move(old: Path, new: Path) -> bool:
    """Whether the move was made: then all of it is there, and else refused with two names and nothing
    copied."""
    config.name_data_dir(old)
    try:
        moving.copy_data(old, new)
    except InputError as refused:
        said = str(refused)
        pairs = combinations(sorted(path.name for path in (old / "games").iterdir()), 2)
        assert any(f"'games/{first}' and 'games/{second}'" in said for first, second in pairs), said
        assert "Rename one of them" in said
        assert list(new.iterdir()) == []
        unread = moving.begin_elsewhere(old, new)
        kept = read_library(new)
        assert unread + len(kept) == len(read_library(old))
        assert set(kept) < set(read_library(old))
        return False
    moving.plan_move(old, new)
    assert moving.finish_move(old) == new
    assert read_library(new) == read_library(old)
    return True


@pytest.fixture
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_DATA", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


FOLDS: dict[str, Callable[[str], str]] = {
    "capitals": str.upper,
    "NFC": lambda name: unicodedata.normalize("NFC", name),
    "capitals and NFD": lambda name: unicodedata.normalize("NFD", name).casefold(),
    "compatibility": lambda name: unicodedata.normalize("NFKC", name).casefold(),
}


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("row", ALIKE)
def test_a_move_to_a_disk_that_takes_names_for_one_is_refused(
    own_settings: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fold: str, row: tuple[str, ...]
) -> None:
    old, new = make_library(tmp_path / "old", row), tmp_path / "new"
    new.mkdir()
    fold_names_in(new, FOLDS[fold], monkeypatch)
    assert check_move(old, new) == (len({FOLDS[fold](name) for name in row}) == len(row))


def test_a_disk_that_writes_names_in_another_form_keeps_all(
    own_settings: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = make_library(tmp_path / "old", ("café", "한글", "Friday")), tmp_path / "new"
    new.mkdir()
    fold_names_in(new, FOLDS["NFC"], monkeypatch, writes=lambda name: unicodedata.normalize("NFD", name))
    assert check_move(old, new)


def test_a_move_to_a_disk_that_keeps_names_apart_keeps_both(own_settings: None, tmp_path: Path) -> None:
    assert check_move(make_library(tmp_path / "old", ("Friday", "friday", "FRIDAY")), tmp_path / "new")


def test_copies_that_collapse_unforeseen_are_found_at_the_end(
    own_settings: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk may fold as no other does: the files that are there are counted and compared."""
    old, new = make_library(tmp_path / "old", ("friday", "monday")), tmp_path / "new"
    new.mkdir()
    config.name_data_dir(old)
    fold_names_in(new, lambda name: name.replace("monday", "friday"), monkeypatch)
    for _ in range(2):
        with pytest.raises(OSError, match="the copy is missing"):
            moving.copy_data(old, new)
    moving.plan_move(old, new)
    with pytest.raises(OSError, match="the copy is missing"):
        moving.finish_move(old)
    assert config.chosen_data_dir() == old
    assert len(read_library(old)) == 4


@pytest.mark.slow
@pytest.mark.parametrize("kind", COMMANDS)
def test_moves_to_real_disks_keep_all_or_are_refused(own_settings: None, tmp_path: Path, kind: str) -> None:
    with mounted(kind, tmp_path) as disk:
        made = [
            check_move(make_library(tmp_path / f"{n}", row), disk / f"{n}") for n, row in enumerate(ALIKE)
        ]
        assert not made[0], "each of these disks takes Friday for friday"
        assert check_move(make_library(tmp_path / "old", DIFFERENT), disk / "new")


@pytest.mark.slow
@pytest.mark.parametrize("kind", COMMANDS)
def test_a_data_folder_on_a_real_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    with mounted(kind, tmp_path) as disk:
        monkeypatch.setenv("COMPANION_DATA", str(disk / "data"))
        NOTES.write("friday", b"first")
        begin("friday")
        for write in (
            lambda name: NOTES.write(name, b"second"),
            begin,
            lambda name: shelf.copy_game("friday", name),
        ):
            with pytest.raises(InputError, match="too similar to 'friday'"):
                write("FRIDAY")
        write_out(disk, "friday", {"txt": b"1"})
        write_out(disk, "Friday", {"txt": b"2"})
        assert sorted(path.read_bytes() for path in disk.glob("*.txt")) == [b"1", b"2"]
        assert list_alike(disk / "FRIDAY.txt") == [disk / "friday.txt"]
        assert shelf.rename_game("friday", "FRIDAY").new.name == "FRIDAY.game"
        NOTES.rename("friday", "FRIDAY")
        shown = ["friday" if kind == "ntfs" else "FRIDAY"]  # that driver lists small letters only
        assert (shelf.names(), NOTES.names()) == (shown, shown)
        assert NOTES.read("FRIDAY") == b"first"
