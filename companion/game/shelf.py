"""Kept games as files, `games/NAME.game` in the user's data folder: found, shown at a glance, renamed,
copied, moved to the bin and back. Nothing is deleted, and no game's file is changed here.

What a glance finds is remembered in `index/NAME.json`, so that a list of hundreds need not read each game
again; it is worked out again if the game's file has changed since. Nothing is lost with it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import TypeVar

import msgspec

from companion import __version__, config
from companion.errors import CompanionError, InputError, quote
from companion.files import (
    fold_name,
    list_alike,
    make_folder,
    move_file,
    read_whole,
    replace_file,
    write_whole,
)
from companion.foreign import Undecodable, decode_as
from companion.game import messages
from companion.game.file import GameFile, list_standing, read_entries
from companion.game.log import GameLog
from companion.game.pictures import folder_of
from companion.game.rescue import REPORT_SUFFIX
from companion.game.sqlite import (
    FILE_MB_MAX,
    JOURNALS,
    MB,
    has_journal,
    make_error,
    refuse_if_open,
    translate_errors,
)
from companion.named_files import NamedFiles, check_new
from companion.sentences import Sentence, msgid
from companion.table.events import decode_event
from companion.table.state import State

FILES = NamedFiles(msgid("game"), msgid("games"), "games", ".game")


def folder() -> Path:
    """The folder of games, which need not exist. Raises GameFileError if there can be none."""
    try:
        return config.data_dir() / FILES.folder_name
    except OSError as error:
        raise make_error(Path(error.filename), messages.READ_ONLY) from error


def path_of(name: str) -> Path:
    """The file of the game called `name`, which need not exist; its folder is made. Raises InputError,
    GameFileError."""
    FILES.check_name(name)
    try:
        make_folder(folder())
    except OSError as error:
        raise make_error(Path(error.filename), messages.READ_ONLY) from error
    return FILES.path_of(name)


def find(name: str) -> Path:
    """The file of the game called `name`, in a folder that may be read-only. Raises InputError if it does
    not exist."""
    folder()
    path = FILES.path_of(name)
    if not path.exists():
        raise FILES.make_unknown(name, names())
    return path


def names() -> list[str]:
    """The names of the games, sorted; including damaged ones and entries that are not even files."""
    folder()
    return FILES.names()


INDEX_FOLDER = "index"
INDEX_VERSION = 5
"""Raised when the content of the index changes."""
Stamp = tuple[int, ...]
T = TypeVar("T")


class Remembered(msgspec.Struct, frozen=True):
    """stamp: of the game's file as it was then. parts: what was found out, by its kind, as JSON."""

    make: str
    stamp: Stamp
    parts: dict[str, msgspec.Raw] = {}


def recall(path: Path, part: str, kind: type[T], find_out: Callable[[], T]) -> T:
    """What is remembered as `part` of the game at `path`; where the game has changed since, the result of
    `find_out`, which is then remembered. Raises what `find_out` does."""
    stamp = take_stamp(path)
    known = _read_index(path, stamp)
    if part in known.parts:
        with suppress(Undecodable):
            return decode_as(bytes(known.parts[part]), kind)
    found = find_out()
    parts = {**known.parts, part: msgspec.Raw(msgspec.json.encode(found))}
    if stamp and stamp == take_stamp(path):
        with suppress(OSError, CompanionError):
            make_folder(config.data_dir() / INDEX_FOLDER)
            write_whole(_index_path(path), msgspec.json.encode(Remembered(known.make, stamp, parts)))
    return found


def _read_index(path: Path, stamp: Stamp) -> Remembered:
    make = f"{__version__} {INDEX_VERSION}"
    with suppress(OSError, CompanionError, Undecodable):
        found = decode_as(read_whole(_index_path(path)), Remembered)
        if found.make == make and found.stamp == stamp:
            return found
    return Remembered(make, stamp)


def _index_path(path: Path) -> Path:
    return config.data_dir() / INDEX_FOLDER / f"{path.stem}.json"


def take_stamp(path: Path) -> Stamp:
    """Size and time of the file and of its journals; empty if they cannot be read."""
    found: list[int] = []
    try:
        for each in (path, *(Path(f"{path}{suffix}") for suffix in JOURNALS)):
            if each == path or each.exists():
                stat = each.stat()
                found += [stat.st_size, stat.st_mtime_ns, stat.st_ino]
    except OSError:
        return ()
    return tuple(found)


@dataclass(frozen=True, slots=True)
class GameGlance:
    """name: under which the game is kept. at: when something was last entered, UTC. rules: a rule set's name,
    "" if unknown. names, points: by person, as the game began. hands: how many were finished.
    over: whether it has ended. practice: whether it is a practice game. trouble: why the file cannot be read;
    copy: the label of the copy that `copies.restore` would then use, where that was searched for.
    """

    name: str
    at: datetime
    rules: str = ""
    names: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    hands: int = 0
    over: bool = False
    practice: bool = False
    trouble: Sentence | None = None
    copy: str | None = None

    @property
    def was_played(self) -> bool:
        """Whether a hand was finished, or anything paid."""
        return self.hands > 0 or any(self.points)


def glance(name: str) -> GameGlance:
    """The kept game of that name; one that cannot be read says why. Raises nothing."""
    try:
        path = FILES.path_of(name)
    except CompanionError as problem:
        return GameGlance(name, datetime.fromtimestamp(0, UTC), trouble=problem.sentence)
    return _try_to_read(name, path, lambda: recall(path, "glance", Known, lambda: _look(path)))


def _try_to_read(name: str, path: Path, read: Callable[[], Known]) -> GameGlance:
    at = find_time(path)
    try:
        return read().name_it(name)
    except CompanionError as problem:
        said = problem.sentence
        short = {**said.params, "file": name} if "file" in said.params else said.params
        return GameGlance(name, at, trouble=Sentence(said.template, short))
    except (OSError, ValueError) as problem:
        why = Sentence("This game cannot be read ({why}).", {"why": str(problem)})
        return GameGlance(name, at, trouble=why)


def glance_at_file(path: Path, name: str) -> GameGlance:
    """The game of that name in that file, such as a copy; nothing of it is remembered. As `glance` where it
    cannot be read."""
    return _try_to_read(name, path, lambda: _look(path))


@dataclass(frozen=True, slots=True)
class Known:
    """A GameGlance as it is remembered: of a game that can be read, whatever its name."""

    at: datetime
    rules: str
    names: tuple[str, ...]
    points: tuple[int, ...]
    hands: int
    over: bool
    practice: bool

    def name_it(self, name: str) -> GameGlance:
        """The glance at the game of that name."""
        return GameGlance(
            name, self.at, self.rules, self.names, self.points, self.hands, self.over, self.practice
        )


def _look(path: Path) -> Known:
    standing = list_standing(read_entries(path))
    log = GameLog()
    log.resume([decode_event(entry.event) for entry in standing], ())
    assert log.state is not None
    found = describe_state("", datetime.fromisoformat(standing[-1].at), log.state)
    return Known(found.at, found.rules, found.names, found.points, found.hands, found.over, found.practice)


def describe_state(name: str, at: datetime, state: State) -> GameGlance:
    """The game that stands so."""
    house, names, points = state.house, tuple(state.names), tuple(state.points)
    is_practice = house.practice is not None
    return GameGlance(name, at, house.rules.name, names, points, state.hands, state.over, is_practice)


def list_newest() -> list[str]:
    """The names of the kept games by when their files were last written, the newest first. GameFileError."""
    folder = FILES.folder()
    found = FILES.names() if folder.is_dir() else []
    times = {name: find_time(FILES.path_of(name)) for name in found}
    return sorted(found, key=lambda name: times[name], reverse=True)


def find_time(path: Path) -> datetime:
    """When the file was last written, UTC."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        return datetime.fromtimestamp(0, UTC)


def sort_newest(games: Iterable[GameGlance]) -> tuple[GameGlance, ...]:
    """The newest first."""
    return tuple(sorted(games, key=lambda game: (game.at, game.name), reverse=True))


DECLARED_HANDS_SUFFIX = ".told"


def declared_hands_path(game_path: Path) -> Path:
    """Path of the file with hands entered for the coach in that game, which need not exist."""
    return game_path.with_suffix(DECLARED_HANDS_SUFFIX)


BIN_NAME = "removed games"
NAME_TAKEN = msgid("There is a game {name} already: choose another name.")


@dataclass(frozen=True, slots=True)
class MovedGame:
    """A game was moved from `old` to `new`, with its journals, pictures and reports; or copied."""

    old: Path
    new: Path
    copied: bool = False


@dataclass(frozen=True, slots=True)
class BinnedGame:
    """A game in the bin: the name that it had, and when its file was last written, UTC. game: who played
    what, None while that has not been read."""

    name: str
    path: Path
    at: datetime
    game: GameGlance | None = None


def remove_game(name: str) -> MovedGame:
    """Move the game to the bin, damaged or not. InputError if it does not exist; GameFileError where it is
    in use or the disk refuses."""
    path = find(name)
    return _move(path, _choose_place(path.stem))


def move_file_to_bin(name: str) -> Path | None:
    """Move whatever is in the place of the game's file into the bin, with its journals, and return its new
    path; None if nothing is there. Other files of the game stay. GameFileError as `remove_game`."""
    path = path_of(name)
    left = [path, *(Path(f"{path}{suffix}") for suffix in JOURNALS)]
    if not any(os.path.lexists(each) for each in left):
        return None
    if path.is_file():
        refuse_if_open(path)
        with suppress(CompanionError):
            GameFile.open(path).close()  # after which it needs no journal
    aside = _choose_place(path.stem)
    with translate_errors(path):
        for source in left:
            if os.path.lexists(source):
                move_file(source, Path(f"{aside}{source.name.removeprefix(path.name)}"))
    return aside if os.path.lexists(aside) else None


def rename_game(name: str, new_name: str) -> MovedGame:
    """Give the game another name. InputError also if another game has that one, or one that some file
    system treats as the same."""
    old, new = find(name), path_of(new_name)
    check_new(new, but=old)
    return _move(old, new)


def copy_game(name: str, new_name: str) -> MovedGame:
    """Make a second game of it, with its pictures. Raises as `rename_game` does."""
    old, new = find(name), path_of(new_name)
    with translate_errors(old):
        check_new(new)
        _check_free(new)
        if old.is_file():
            refuse_if_open(old)
        shown, copied = folder_of(old), folder_of(new)
        found = sorted(shown.iterdir()) if shown.is_dir() else []
        kept = [(path, copied / path.name) for path in found if path.is_file() and not path.is_symlink()]
        for source, copy in (*kept, *_list_beside(old, new), (old, new)):  # the game last: then all is there
            if source.exists():
                replace_file(copy, read_whole(source, FILE_MB_MAX * MB))
    return MovedGame(old, new, copied=True)


def move_back(moved: MovedGame) -> None:
    """Undo any of these; a copy goes into the bin. InputError if another game has the name by now."""
    if moved.copied:
        remove_game(moved.new.stem)
    else:
        _move(moved.new, moved.old)


def list_archived() -> tuple[BinnedGame, ...]:
    """The games in the bin, the one that was played last first."""
    folder = config.data_dir() / BIN_NAME
    found = folder.glob(f"*{FILES.suffix}") if folder.is_dir() else ()
    games = []
    for path in found:
        with translate_errors(path):
            at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        games.append(BinnedGame(path.stem, path, at))
    return tuple(sorted(games, key=lambda game: game.at, reverse=True))


def read_archived(aside: BinnedGame) -> BinnedGame:
    """The same with who played what."""
    return replace(aside, game=glance_at_file(aside.path, aside.name))


def bring_back(aside: BinnedGame) -> MovedGame:
    """Move a game back out of the bin, under its name, or with a number where that is taken."""
    places = (path_of(aside.name if n == 1 else f"{aside.name}-{n}") for n in count(1))
    return _move(aside.path, next(place for place in places if not list_alike(place)))


def suggest_name(name: str, names: Iterable[str]) -> str:
    """A name for a copy of that game that none of these games has."""
    taken = set(map(fold_name, names))
    return next(each for n in count(2) if fold_name(each := f"{name}-{n}") not in taken)


def _choose_place(name: str) -> Path:
    """Where a game of that name goes in the bin."""
    with translate_errors(FILES.path_of(name)):
        folder = make_folder(config.data_dir() / BIN_NAME)
    places = (folder / f"{name}{'' if n == 1 else f'-{n}'}{FILES.suffix}" for n in count(1))
    return next(place for place in places if not list_alike(place))


def _move(old: Path, new: Path) -> MovedGame:
    with translate_errors(old):
        _check_free(new, but=old)
        if old.is_file():
            refuse_if_open(old)
        with suppress(CompanionError):  # a damaged one is moved as it is
            GameFile.open(old).close()  # a power failure between the moves would part it from its journal
        move_file(old, new)
        for source, moved in _list_beside(old, new):
            if source.exists():
                move_file(source, moved)
        if folder_of(old).is_dir():
            move_file(folder_of(old), folder_of(new))
    return MovedGame(old, new)


def _list_beside(old: Path, new: Path) -> list[tuple[Path, Path]]:
    """The files that a game may have next to its own, and their targets."""
    journals = [(Path(f"{old}{suffix}"), Path(f"{new}{suffix}")) for suffix in JOURNALS]
    report = old.with_suffix(REPORT_SUFFIX), new.with_suffix(REPORT_SUFFIX)
    return [*journals, (declared_hands_path(old), declared_hands_path(new)), report]


def _check_free(new: Path, but: Path | None = None) -> None:
    """InputError if there is a game at `new` other than `but`, or a journal of one."""
    if any(each != but for each in list_alike(new)) or has_journal(new):
        raise InputError(NAME_TAKEN, name=quote(new.stem))
