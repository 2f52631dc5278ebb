"""Second copies of kept games, from which a game that was deleted or damaged is restored.

`copies/NAME.DAY.game` in the data folder, and in one more folder if the person names one: the state of a game
at the end of each day on which it was changed, the last ten of each game. Entries are only ever added to a
game, so a copy replaces another one of that day if it continues it; else it gets a number.
No link is followed, and nothing but a regular file of such a name is read, replaced or removed.
"""

from __future__ import annotations

import errno
import logging
import os
import re
import shlex
import stat
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from uuid import uuid4

from companion import config, named_files
from companion.errors import CompanionError, GameFileError, InputError, list_names, quote
from companion.files import (
    NOT_A_FILE,
    forget_cached,
    make_folder,
    move_file,
    name_reason,
    new_file,
    read_whole,
    remove_file,
    try_writing,
    write_whole,
)
from companion.game import messages, shelf
from companion.game.file import GameEntry, read_entries, read_snapshot
from companion.game.game import Game
from companion.game.shelf import GameGlance, glance, glance_at_file, move_file_to_bin
from companion.game.sqlite import FILE_MB_MAX, MB, make_error, translate_errors
from companion.sentences import Sentence, msgid

FOLDER_NAME = "copies"
FOLDER_ELSEWHERE = "mahjong-companion copies"
"""Made when a person names a folder, and never again: where it is missing, the disk is not plugged in."""
SETTING = "copies-folder"
"""The file in the data folder that names the other folder."""
COPIES_MAX = 10
"""The most copies of one game."""
NUMBERS_MAX = 100
"""The most copies of one game and day."""
LEFT_AFTER_S = 3600
"""Age at which an unfinished copy counts as left by a program that was killed."""
WAIT_S = 20.0
"""The longest wait for a disk. A slow stick writes the largest game in less."""
NAME = re.compile(r"(?P<name>[^.]+)\.(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})(?:-(?P<number>[0-9]{1,3}))?\.game")
PARTIAL = re.compile(r"[0-9a-f]{32}\.copying")
READ_BYTES_MAX = FILE_MB_MAX * MB

RESTORED = msgid("{name} was restored from the copy of {day}.")
RESTORABLE = (
    messages.DAMAGED, messages.NOT_A_GAME, messages.UNREADABLE, messages.CANNOT_GO_ON, named_files.UNKNOWN,
    named_files.NONE_SAVED,
)  # fmt: skip
"""Said of a game that a copy helps: it is damaged or missing."""

Say = Callable[[Sentence], None]
log = logging.getLogger(__name__)
_one_at_a_time: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)
"""One lock per folder: a copy must not replace a newer one, nor wait for another disk."""


@dataclass(frozen=True, slots=True)
class GameCopy:
    """A copy of the game `name`. label: the day, and for the second and later copies of a day a number."""

    name: str
    day: str
    number: int
    path: Path

    @property
    def label(self) -> str:
        return self.day if self.number == 1 else f"{self.day}-{self.number}"


@dataclass(frozen=True, slots=True)
class RestoredGame:
    """copy: what the game was restored from. aside: where the file in its place was moved to, if there was
    one. unusable: copies that were tried before, each with its fault. others: of other labels, the newest
    first."""

    path: Path
    copy: GameCopy
    aside: Path | None
    unusable: tuple[str, ...]
    others: tuple[GameCopy, ...] = ()


@contextmanager
def copied(game: Game, say: Say, *, waits: bool = True) -> Iterator[Game]:
    """The game, which is closed after the block; if it was changed, a copy of it is kept. Where that fails,
    `say` gets the sentence; the game is not disturbed. waits: whether the block waits for the copy, up to
    `WAIT_S`: a disk may be slow, or never answer."""
    try:
        yield game
    finally:
        content, troubles = b"", tuple[Sentence, ...]()
        try:
            if game.file.has_changed:
                content = game.file.make_snapshot()
        except GameFileError as problem:
            troubles = (problem.sentence,)
        finally:
            game.close()
        for trouble in troubles:
            say(trouble)
        if content:
            copying = keep_on_thread(game.file.path, content, say)
            if waits:
                copying.join(WAIT_S)
                if copying.is_alive():
                    say(Sentence(messages.NO_ANSWER, {"name": game.file.path.stem}))


def keep_on_thread(path: Path, content: bytes, say: Say, *, missing: bool = False) -> threading.Thread:
    """The thread that keeps a copy as `keep` does, and if `missing`, then those that are missing, as
    `catch_up`; `say` gets the sentences, on that thread."""

    def copy() -> None:
        for trouble in keep(path, content) or (catch_up() if missing else ()):
            log.warning("%s", trouble)
            say(trouble)

    thread = threading.Thread(target=copy, name="copying", daemon=True)
    thread.start()
    return thread


def keep(path: Path, content: bytes) -> tuple[Sentence, ...]:
    """Keep `content`, a snapshot of the game in the file `path`, in each folder of copies; games that are not
    in the data folder have no copies. Returns why a copy could not be kept, a sentence for each folder."""
    try:
        if path.parent != shelf.folder():
            return ()
        folders, trouble = find_folders()
    except CompanionError as problem:
        return (problem.sentence,)
    troubles = [_try_to_keep(folder, path.stem, content, date.today().isoformat()) for folder in folders]
    return tuple(each for each in (trouble, *troubles) if each)


def catch_up() -> tuple[Sentence, ...]:
    """Keep a copy of each game that has none, such as games of earlier versions, and in the other folder the
    newest of each, which may be missing while its disk is not plugged in. Returns what `keep` does."""
    troubles: list[Sentence] = []
    try:
        has_copy = {copy.name for copy in list_copies()}
        for name in shelf.names():
            if name not in has_copy:
                with suppress(CompanionError):  # damaged, or open in another program
                    path = shelf.find(name)
                    troubles += keep(path, read_snapshot(path))
        here, *others = find_folders()[0]
        newest = {copy.name: copy for copy in reversed(list_copies()) if copy.path.parent == here}
    except CompanionError as problem:
        return (problem.sentence,)
    for folder in others:
        for copy in newest.values():
            content = _read_if_there(copy.path)
            if content and content != _read_if_there(folder / copy.path.name):
                trouble = _try_to_keep(folder, copy.name, content, copy.day)
                if trouble:
                    return (*troubles, trouble)
    return tuple(troubles)


def _try_to_keep(folder: Path, name: str, content: bytes, day: str) -> Sentence | None:
    """Keep a copy there; returns why that failed, else None."""
    try:
        with _one_at_a_time[folder]:
            if folder == shelf.folder().with_name(FOLDER_NAME):
                make_folder(folder)
            _keep_in(folder, name, content, day)
    except CompanionError as problem:
        return _make_trouble(name, folder, problem.sentence)
    except OSError as problem:
        return _make_trouble(name, folder, name_reason(problem))
    return None


def _read_if_there(path: Path) -> bytes:
    """The content of the file; nothing if it cannot be read."""
    try:
        return _read_regular(path)
    except OSError:
        return b""


def _make_trouble(name: str, folder: Path, why: str | Sentence) -> Sentence:
    return Sentence(messages.NOT_COPIED, {"name": name, "folder": str(folder), "why": why})


def find_folders() -> tuple[tuple[Path, ...], Sentence | None]:
    """The folders of copies, which need not exist: that in the data folder, and that which a person named;
    and why that one is unknown. GameFileError if there is no data folder."""
    default = shelf.folder().with_name(FOLDER_NAME)
    setting = default.with_name(SETTING)
    try:
        text = os.fsdecode(read_whole(setting)).strip("\n")
    except FileNotFoundError:
        return (default,), None
    except OSError as error:
        return (default,), _make_unread(setting, name_reason(error))
    if "\0" in text or not os.path.isabs(text):
        return (default,), _make_unread(setting, Sentence(messages.NO_PATH))
    return (default, Path(text)), None


def _make_unread(setting: Path, why: str | Sentence) -> Sentence:
    return Sentence(messages.NO_SETTING, {"file": str(setting), "why": why})


def name_folder(folder: Path | None) -> None:
    """Keep copies in a folder of that folder too, from now on; with None in the data folder only. InputError
    if nothing can be written there."""
    try:
        setting = config.data_dir() / SETTING
        if folder is None:
            remove_file(setting)
            return
        if not folder.is_dir():
            raise InputError(messages.NO_FOLDER, folder=folder)
        if config.data_dir().resolve() in (folder.resolve(), *folder.resolve().parents):
            raise InputError(messages.IN_DATA, folder=folder)
        place = make_folder(folder.resolve() / FOLDER_ELSEWHERE)
        _check_folder(place)
        try_writing(place)
        write_whole(setting, os.fsencode(f"{place}\n"))
    except OSError as error:
        if folder is None:
            raise named_files.make_unusable(error.filename, error) from error
        why = name_reason(error)
        raise InputError(messages.NO_COPIES_THERE, folder=folder, why=why) from error


def list_copies(name: str | None = None) -> tuple[GameCopy, ...]:
    """The copies of that game, or of all, the newest first; those in folders that cannot be read are left
    out. GameFileError if there is no data folder."""
    found: list[GameCopy] = []
    for folder in find_folders()[0]:
        with suppress(OSError):
            _check_folder(folder)
            found += _list_in(folder)
    wanted = (copy for copy in found if name in (None, copy.name))
    return tuple(sorted(wanted, key=lambda copy: (copy.day, copy.number), reverse=True))


def glance_copy(copy: GameCopy) -> GameGlance:
    """Who plays in that copy, and how far it is; one that cannot be read has its trouble. Raises nothing."""
    try:
        _check_regular(copy.path)
    except OSError as error:
        trouble = Sentence(messages.UNREADABLE, {"file": str(copy.path), "why": name_reason(error)})
        return GameGlance(copy.name, datetime.fromtimestamp(0, UTC), trouble=trouble)
    return glance_at_file(copy.path, copy.name)


def glance_with_copy(name: str) -> GameGlance:
    """The kept game of that name as `glance` describes it; of a damaged one also which copy
    restores it."""
    found = glance(name)
    best = _find_best(name) if found.trouble is not None else None
    if found.trouble is None or best is None:
        return found
    return replace(found, trouble=_omit_advice(found.trouble), copy=best.label)


def name_copy(name: str, problem: Sentence) -> Sentence:
    """What is wrong with the game of that name, with how to restore it where it is damaged or missing and has
    a copy."""
    best = _find_best(name) if problem.template in RESTORABLE else None
    if best is None:
        return problem
    params = {"problem": _omit_advice(problem), "day": best.label, "name": shlex.quote(name)}
    return Sentence(messages.COPY_EXISTS, params)


def _find_best(name: str) -> GameCopy | None:
    """The copy that `restore` tries first."""
    with suppress(CompanionError, OSError):
        return next(iter(_sort_played(list_copies(name))), None)
    return None


def _omit_advice(problem: Sentence) -> Sentence:
    """Without the advice to begin the game again, which has copies."""
    why = problem.params.get("why")
    if isinstance(why, Sentence) and why.template == messages.NOTHING_IN_IT:
        return Sentence(problem.template, {**problem.params, "why": Sentence(messages.EMPTY_FILE)})
    return problem


def _sort_played(found: Sequence[GameCopy]) -> list[GameCopy]:
    """Copies in which nothing was played come last: they are of a game that was begun again."""
    return sorted(found, key=_was_begun_only)


def _was_begun_only(copy: GameCopy) -> bool:
    found = glance_copy(copy)
    return found.trouble is None and not found.was_played  # that one is damaged shows when it is tried


def restore(name: str, label: str | None = None) -> RestoredGame:
    """Put the newest intact copy in which something was played, else the newest intact one, or the one of
    that label, in the place of the game `name`. A file that is there goes into the bin first. InputError if
    there is no such copy; GameFileError if none is intact, the game is open, or the disk refuses."""
    shelf.FILES.check_name(name)
    copies = list_copies(name)
    if not copies:
        others = list_names(name, sorted({copy.name for copy in list_copies()}))
        raise InputError(messages.NO_COPY, name=quote(name), known=others or "-")
    wanted = _sort_played([copy for copy in copies if label in (None, copy.label)])
    if not wanted:
        known = list(dict.fromkeys(copy.label for copy in copies))
        raise InputError(
            messages.NO_COPY_OF, name=quote(name), label=quote(label or ""), known=", ".join(known)
        )
    path = shelf.path_of(name)
    with suppress(OSError):
        _remove_left(path.parent)
    unusable: list[str] = []
    for copy in wanted:
        partial = path.with_name(f"{uuid4().hex}.copying")
        try:
            try:
                with translate_errors(copy.path, reading=True):
                    content = _read_regular(copy.path)
            except GameFileError as problem:
                unusable.append(str(problem))
                continue
            with translate_errors(path):
                _write_checked(partial, content)
            try:
                read_entries(partial)
            except CompanionError as problem:
                unusable.append(str(problem).replace(str(partial), str(copy.path)))
                continue
            aside = move_file_to_bin(name)
            with translate_errors(path):
                move_file(partial, path)
            rest = tuple(each for each in copies if each.label != copy.label)
            return RestoredGame(path, copy, aside, tuple(unusable), rest)
        finally:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
    raise make_error(path, messages.NO_WHOLE_COPY, why=" ".join(unusable))


def _keep_in(folder: Path, name: str, content: bytes, day: str) -> None:
    """Keep the copy of that day there. Raises OSError, CompanionError."""
    _check_folder(folder)
    _remove_left(folder)
    partial = _write_checked(folder / f"{uuid4().hex}.copying", content)
    try:
        entries = read_entries(partial)
        path = _choose_place(folder, name, entries, day)
        if path is None:
            return
        move_file(partial, path)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
    kept = sorted((c for c in _list_in(folder) if c.name == name), key=lambda copy: (copy.day, copy.number))
    older = [copy.path for copy in kept if copy.path != path]
    for old in older[: max(0, len(kept) - COPIES_MAX)]:
        old.unlink()


def _choose_place(folder: Path, name: str, entries: list[GameEntry], day: str) -> Path | None:
    """The path for the copy of that day: the newest older copy, if it continues that, else the one after it.
    None if one of the copies has all its entries already."""
    suffix = shelf.FILES.suffix
    paths = [folder / f"{name}.{day}{f'-{n}' if n > 1 else ''}{suffix}" for n in range(1, NUMBERS_MAX)]
    newest, goes_on = -1, False
    for number, path in enumerate(paths):
        if not os.path.lexists(path):
            continue
        newest, goes_on = number, False
        try:
            _check_regular(path)
            before = read_entries(path)
        except (OSError, CompanionError):
            continue  # damaged, or not ours: left as it is
        if before[: len(entries)] == entries:
            return None
        goes_on = entries[: len(before)] == before
    if goes_on:
        return paths[newest]
    if newest + 1 == len(paths):
        raise GameFileError(messages.TOO_MANY_COPIES)
    return paths[newest + 1]


def _list_in(folder: Path) -> Iterator[GameCopy]:
    for entry in os.scandir(folder):
        match = NAME.fullmatch(entry.name)
        if match and named_files.NAME.fullmatch(match["name"]) and entry.is_file(follow_symlinks=False):
            yield GameCopy(match["name"], match["day"], int(match["number"] or 1), Path(entry.path))


def _check_folder(folder: Path) -> None:
    """OSError for anything but a folder; a link to one could lead anywhere."""
    if not stat.S_ISDIR(folder.lstat().st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))


def _check_regular(path: Path) -> None:
    if not stat.S_ISREG(path.lstat().st_mode):
        raise OSError(errno.EINVAL, NOT_A_FILE, str(path))


def _read_regular(path: Path) -> bytes:
    _check_regular(path)
    return read_whole(path, READ_BYTES_MAX)


def _write_checked(path: Path, content: bytes) -> Path:
    """Write a new file, and read it again from the disk. Raises OSError."""
    with new_file(path) as file:
        file.write(content)
    try:
        with path.open("rb") as file:
            forget_cached(file)
            if file.read() != content:
                raise GameFileError(messages.OTHER_CONTENT)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def _remove_left(folder: Path) -> None:
    """Remove what killed programs left there while they copied."""
    for entry in os.scandir(folder):
        if PARTIAL.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
            with suppress(OSError):
                if time.time() - entry.stat().st_mtime > LEFT_AFTER_S:
                    os.unlink(entry.path)
