"""Files with names that people give: what a wrong or mistyped name is answered with."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from companion.errors import InputError, MissingError
from companion.named_files import NamedFiles

NOTES = NamedFiles("note", "notes", "notes", ".txt")


def test_written_file_is_found_by_its_name(own_data_folder: Path) -> None:
    path = NOTES.write("星期五", b"text")
    assert path == own_data_folder / "notes" / "星期五.txt"
    assert (NOTES.read("星期五"), NOTES.names()) == (b"text", ["星期五"])
    NOTES.delete("星期五")
    assert NOTES.names() == []


def test_names_like_a_mistyped_one_come_first() -> None:
    for name in ("alpha", "home-2", "home", "zeta"):
        NOTES.write(name, b"")
    for ask in (NOTES.read, NOTES.delete):
        with pytest.raises(InputError) as refused:
            ask("hoem")
        assert (
            str(refused.value)
            == "No note 'hoem'. Saved notes: home (did you mean that?), home-2, alpha, zeta."
        )


def test_nothing_saved_yet() -> None:
    with pytest.raises(InputError, match=r"^No note 'home'\. No notes are saved yet\.$"):
        NOTES.read("home")


def test_a_full_disk_is_missing_room_not_wrong_input(
    own_data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fill)
    with pytest.raises(MissingError, match=r"notes/home\.txt' was not written: its disk is full"):
        NOTES.write("home", b"text")
    assert list((own_data_folder / "notes").iterdir()) == []


@pytest.mark.parametrize("name", ["", "../home", "a ", "a" * 61, "home.txt", "\n", "a\u3164", "\u3164"])
def test_a_name_that_no_file_can_have(name: str) -> None:
    for ask in (NOTES.path_of, NOTES.read, NOTES.delete, lambda name: NOTES.write(name, b"")):
        with pytest.raises(InputError, match="cannot be the name of a note: "):
            ask(name)


def test_a_data_folder_that_is_none_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = tmp_path / "data"
    taken.write_bytes(b"")
    monkeypatch.setenv("COMPANION_DATA", str(taken))
    with pytest.raises(InputError) as refused:
        NOTES.names()
    assert str(refused.value).startswith(f"The data folder {taken} cannot be used (")
    assert "name another one in COMPANION_DATA" in str(refused.value)
