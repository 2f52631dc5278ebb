"""Kept games renamed, copied, or set aside into a bin from which they can be had back. Nothing is deleted."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from companion import config
from companion.errors import InputError, quote
from companion.files import fold_name, list_alike, make_folder, restrict_to_owner
from companion.history import opening, pictures, shelf, told
from companion.history.rescue import REPORT_SUFFIX
from companion.history.troubles import translate_errors
from companion.named_files import check_new
from companion.sentences import msgid

BIN_NAME = "removed games"
NAME_TAKEN = msgid("There is a game {name} already: choose another name.")


@dataclass(frozen=True, slots=True)
class MovedGame:
    """A game's file was moved from `old` to `new`, with all that lies beside it; or copied."""

    old: Path
    new: Path
    copied: bool = False


@dataclass(frozen=True, slots=True)
class SetAside:
    """A game in the bin: the name that it had, and when its file was last written, UTC."""

    name: str
    path: Path
    at: datetime


def remove_game(name: str) -> MovedGame:
    """Set the game aside, damaged or not. InputError: there is none; GameFileError: it is in use or the disk
    refuses."""
    path = shelf.find(name)
    with translate_errors(path):
        folder = make_folder(config.data_dir() / BIN_NAME)
    places = (folder / f"{path.stem}{'' if n == 1 else f'-{n}'}{path.suffix}" for n in count(1))
    return _move(path, next(place for place in places if not list_alike(place)))


def rename_game(name: str, new_name: str) -> MovedGame:
    """Give the game another name. InputError also where another game has that one, or one that some file
    system takes for the same."""
    old, new = shelf.find(name), shelf.path_of(new_name)
    check_new(new, but=old)
    return _move(old, new)


def copy_game(name: str, new_name: str) -> MovedGame:
    """Make a second game of it, with its pictures. Raises as `rename_game` does."""
    old, new = shelf.find(name), shelf.path_of(new_name)
    with translate_errors(old):
        check_new(new)
        _check_free(old, new)
        shutil.copyfile(old, new)
        restrict_to_owner(new)
        for source, copy in _list_beside(old, new):
            if source.exists():
                shutil.copyfile(source, copy)
                restrict_to_owner(copy)
        if pictures.folder_of(old).is_dir():
            shutil.copytree(pictures.folder_of(old), pictures.folder_of(new))
    return MovedGame(old, new, copied=True)


def move_back(moved: MovedGame) -> None:
    """Undo any of these; a copy goes into the bin. InputError where another game has the name by now."""
    if moved.copied:
        remove_game(moved.new.stem)
    else:
        _move(moved.new, moved.old)


def list_aside() -> tuple[SetAside, ...]:
    """What lies in the bin, what was played last first."""
    folder = config.data_dir() / BIN_NAME
    found = folder.glob(f"*{shelf.FILES.suffix}") if folder.is_dir() else ()
    games = []
    for path in found:
        with translate_errors(path):
            at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        games.append(SetAside(path.stem, path, at))
    return tuple(sorted(games, key=lambda game: game.at, reverse=True))


def bring_back(aside: SetAside) -> MovedGame:
    """Have a game back out of the bin, under its name, or with a number where that is taken."""
    places = (shelf.path_of(aside.name if n == 1 else f"{aside.name}-{n}") for n in count(1))
    return _move(aside.path, next(place for place in places if not list_alike(place)))


def suggest_name(name: str) -> str:
    """A name for a copy that no game has yet."""
    taken = set(map(fold_name, shelf.names()))
    return next(each for n in count(2) if fold_name(each := f"{name}-{n}") not in taken)


def _move(old: Path, new: Path) -> MovedGame:
    with translate_errors(old):
        _check_free(old, new)
        old.rename(new)
        for source, moved in _list_beside(old, new):
            if source.exists():
                source.rename(moved)
        if pictures.folder_of(old).is_dir():
            pictures.folder_of(old).rename(pictures.folder_of(new))
    return MovedGame(old, new)


def _list_beside(old: Path, new: Path) -> list[tuple[Path, Path]]:
    """The files that may lie beside a game, and where they go."""
    journals = [(Path(f"{old}{suffix}"), Path(f"{new}{suffix}")) for suffix in opening.JOURNALS]
    report = old.with_suffix(REPORT_SUFFIX), new.with_suffix(REPORT_SUFFIX)
    return [*journals, (told.path_of(old), told.path_of(new)), report]


def _check_free(old: Path, new: Path) -> None:
    """InputError where there is another game at `new`; GameFileError where that at `old` is in use."""
    if any(each != old for each in list_alike(new)):
        raise InputError(NAME_TAKEN, name=quote(new.stem))
    if old.is_file():
        opening.refuse_if_open(old)
