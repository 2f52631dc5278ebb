"""Kept games renamed, or set aside into a bin from which they can be had back. Nothing is deleted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path

from companion import config
from companion.errors import InputError, quote
from companion.files import make_folder
from companion.history import opening, pictures, shelf
from companion.history.troubles import translate_errors
from companion.sentences import msgid

BIN_NAME = "removed games"
NAME_TAKEN = msgid("There is a game {name} already: choose another name.")


@dataclass(frozen=True, slots=True)
class MovedGame:
    """A game's file was moved from `old` to `new`, with all that lies beside it."""

    old: Path
    new: Path


def remove_game(name: str) -> MovedGame:
    """Set the game aside, damaged or not. InputError: there is none; GameFileError: it is in use or the disk
    refuses."""
    path = shelf.find(name)
    with translate_errors(path):
        folder = make_folder(config.data_dir() / BIN_NAME)
    places = (folder / f"{name}{'' if n == 1 else f'-{n}'}{path.suffix}" for n in count(1))
    return _move(path, next(place for place in places if not place.exists()))


def rename_game(name: str, new_name: str) -> MovedGame:
    """Give the game another name. InputError also where another game has that one."""
    return _move(shelf.find(name), shelf.path_of(new_name))


def move_back(moved: MovedGame) -> None:
    """Undo either. InputError where another game has the name by now."""
    _move(moved.new, moved.old)


def _move(old: Path, new: Path) -> MovedGame:
    with translate_errors(old):
        if new.exists():
            raise InputError(NAME_TAKEN, name=quote(new.stem))
        if old.is_file():
            opening.refuse_if_open(old)
        old.rename(new)
        for suffix in opening.JOURNALS:
            beside = Path(f"{old}{suffix}")
            if beside.exists():
                beside.rename(f"{new}{suffix}")
        if pictures.folder_of(old).is_dir():
            pictures.folder_of(old).rename(pictures.folder_of(new))
    return MovedGame(old, new)
