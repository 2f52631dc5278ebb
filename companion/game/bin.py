"""Kept games renamed, copied, or set aside into a bin from which they can be had back. Nothing is deleted."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from companion import config
from companion.errors import CompanionError, InputError, quote
from companion.files import fold_name, list_alike, make_folder, move_file, read_whole, replace_file
from companion.game import opening, pictures, shelf, told
from companion.game.file import GameFile
from companion.game.glance import GameGlance, glance_at_file
from companion.game.rescue import REPORT_SUFFIX
from companion.game.troubles import translate_errors
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
    """A game in the bin: the name that it had, and when its file was last written, UTC. game: who played
    what, None while that has not been read."""

    name: str
    path: Path
    at: datetime
    game: GameGlance | None = None


def remove_game(name: str) -> MovedGame:
    """Set the game aside, damaged or not. InputError: there is none; GameFileError: it is in use or the disk
    refuses."""
    path = shelf.find(name)
    return _move(path, _choose_place(path.stem))


def set_file_aside(name: str) -> Path | None:
    """Move whatever is in the place of the game's file into the bin, with its journals, and return its new
    path; None if nothing is there. Other files of the game stay. GameFileError as `remove_game`."""
    path = shelf.path_of(name)
    left = [path, *(Path(f"{path}{suffix}") for suffix in opening.JOURNALS)]
    if not any(os.path.lexists(each) for each in left):
        return None
    if path.is_file():
        opening.refuse_if_open(path)
        with suppress(CompanionError):
            GameFile.open(path).close()  # after which it needs no journal
    aside = _choose_place(path.stem)
    with translate_errors(path):
        for source in left:
            if os.path.lexists(source):
                move_file(source, Path(f"{aside}{source.name.removeprefix(path.name)}"))
    return aside if os.path.lexists(aside) else None


def rename_game(name: str, new_name: str) -> MovedGame:
    """Give the game another name. InputError also where another game has that one, or one that some file
    system treats as the same."""
    old, new = shelf.find(name), shelf.path_of(new_name)
    check_new(new, but=old)
    return _move(old, new)


def copy_game(name: str, new_name: str) -> MovedGame:
    """Make a second game of it, with its pictures. Raises as `rename_game` does."""
    old, new = shelf.find(name), shelf.path_of(new_name)
    with translate_errors(old):
        check_new(new)
        _check_free(new)
        if old.is_file():
            opening.refuse_if_open(old)
        shown, copied = pictures.folder_of(old), pictures.folder_of(new)
        found = sorted(shown.iterdir()) if shown.is_dir() else []
        kept = [(path, copied / path.name) for path in found if path.is_file() and not path.is_symlink()]
        for source, copy in (*kept, *_list_beside(old, new), (old, new)):  # the game last: then all is there
            if source.exists():
                replace_file(copy, read_whole(source, opening.FILE_MB_MAX * opening.MB))
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


def read_aside(aside: SetAside) -> SetAside:
    """With who played what."""
    return replace(aside, game=glance_at_file(aside.path, aside.name))


def bring_back(aside: SetAside) -> MovedGame:
    """Have a game back out of the bin, under its name, or with a number where that is taken."""
    places = (shelf.path_of(aside.name if n == 1 else f"{aside.name}-{n}") for n in count(1))
    return _move(aside.path, next(place for place in places if not list_alike(place)))


def suggest_name(name: str, names: Iterable[str]) -> str:
    """A name for a copy of that game that none of these games has."""
    taken = set(map(fold_name, names))
    return next(each for n in count(2) if fold_name(each := f"{name}-{n}") not in taken)


def _choose_place(name: str) -> Path:
    """Where a game of that name goes in the bin."""
    with translate_errors(shelf.FILES.path_of(name)):
        folder = make_folder(config.data_dir() / BIN_NAME)
    places = (folder / f"{name}{'' if n == 1 else f'-{n}'}{shelf.FILES.suffix}" for n in count(1))
    return next(place for place in places if not list_alike(place))


def _move(old: Path, new: Path) -> MovedGame:
    with translate_errors(old):
        _check_free(new, but=old)
        if old.is_file():
            opening.refuse_if_open(old)
        with suppress(CompanionError):  # a damaged one is moved as it is
            GameFile.open(old).close()  # a power failure between the moves would part it from its journal
        move_file(old, new)
        for source, moved in _list_beside(old, new):
            if source.exists():
                move_file(source, moved)
        if pictures.folder_of(old).is_dir():
            move_file(pictures.folder_of(old), pictures.folder_of(new))
    return MovedGame(old, new)


def _list_beside(old: Path, new: Path) -> list[tuple[Path, Path]]:
    """The files that may lie beside a game, and where they go."""
    journals = [(Path(f"{old}{suffix}"), Path(f"{new}{suffix}")) for suffix in opening.JOURNALS]
    report = old.with_suffix(REPORT_SUFFIX), new.with_suffix(REPORT_SUFFIX)
    return [*journals, (told.path_of(old), told.path_of(new)), report]


def _check_free(new: Path, but: Path | None = None) -> None:
    """InputError where there is a game at `new` other than `but`, or a journal of one."""
    if any(each != but for each in list_alike(new)) or opening.has_journal(new):
        raise InputError(NAME_TAKEN, name=quote(new.stem))
