"""Checks whether the data folder can be used; if not, finds the reason and alternatives.

Without a folder the window asks (`data_question`). What is played without keeping is in a scratch folder,
which goes with the window, and begins with what can be read of the data folder.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from companion import config, moving
from companion.app.shell.session import path_of, read
from companion.files import NO_ROOM, make_folder, name_reason, try_writing
from companion.foreign import Undecodable
from companion.sentences import Sentence, msgid
from companion.words import Language

GONE = msgid("The disk with your data is not plugged in: {folder} is missing.")
FULL = msgid("The disk with your data is full: nothing more can be saved in {folder}.")
SHUT = msgid("Your data folder {folder} cannot be written ({why}).")
UNNAMED = msgid("Which folder holds your data cannot be read ({why}: {file}).")
UNREAD = msgid("{n} files of the old folder could not be copied: they are where they were.")
MEMORY = Path("/dev/shm")
"""Linux has a disk in memory there."""
SPARE_BYTES = 2**25
"""Left free in the scratch folder at the least, for what is played."""
PREFIX = "mahjong-companion-"


@dataclass(frozen=True, slots=True)
class DataPlace:
    """A folder that can be written. is_kept: whether it is there the next time. unread: how many files of the
    folder before could not be copied into it."""

    folder: Path
    is_kept: bool = True
    unread: int = 0


@dataclass(frozen=True, slots=True)
class NoPlace:
    """What keeps the data folder from being used. folder: that one, None where nobody knows which it is."""

    sentence: Sentence
    folder: Path | None = None


def find_data_place() -> DataPlace | NoPlace:
    """The user's data folder, tried."""
    try:
        wanted = config.find_wanted_dir()
    except OSError as error:
        params = {"why": name_reason(error), "file": error.filename or ""}
        return NoPlace(Sentence(UNNAMED, params))
    try:
        folder = config.data_dir()
        try_writing(folder)
    except OSError as error:
        params = {"folder": str(wanted), "why": name_reason(error)}
        template = GONE if error.strerror == config.NOT_THERE else SHUT
        return NoPlace(Sentence(FULL if error.errno in NO_ROOM else template, params), wanted)
    return DataPlace(folder)


def use_instead(old: Path | None, new: Path, tell: Callable[[int, int], None]) -> DataPlace:
    """Use `new` from now on, with what can be read of the old folder. Raises InputError and OSError."""
    unread = moving.begin_elsewhere(old, new, tell)
    if os.environ.get("COMPANION_DATA"):
        os.environ["COMPANION_DATA"] = str(new)  # whoever started the program named a folder for each time
    else:
        try:
            config.name_data_dir(new)
        except OSError:  # the next start asks again
            os.environ["COMPANION_DATA"] = str(new)
    return DataPlace(new, unread=unread)


def play_without(old: Path | None, scratch: Path) -> DataPlace:
    """Use the scratch folder in this run, with what can be read of the data folder and has room."""
    folder = make_folder(scratch / "data")
    free = moving.find_free(scratch) or 0
    if old is not None and moving.measure(old, moving.NOT_TO_PLAY) + SPARE_BYTES < free:
        with suppress(OSError):
            moving.copy_readable(old, folder, left_out=moving.NOT_TO_PLAY)
    os.environ[config.SCRATCH] = str(folder)
    return DataPlace(folder, is_kept=False)


def describe_unread(place: DataPlace) -> Sentence | None:
    """What could not be copied, where that is anything."""
    return Sentence(UNREAD, {"n": place.unread}) if place.unread else None


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that goes at the end, on a disk that has room. Raises OSError where none has."""
    made: Path | None = None
    for parent in (Path(tempfile.gettempdir()), MEMORY):
        try:
            made = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
            try_writing(made)
        except OSError:
            if made is not None:
                shutil.rmtree(made, ignore_errors=True)
            made = None
        else:
            break
    if made is None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def guess_language(folder: Path | None) -> Language:
    """The one that was used last, where that can be read; else that of the desktop."""
    with suppress(OSError, Undecodable):
        if folder is not None and (kept := read(path_of(folder, 1)).language):
            return kept
    code = next(filter(None, (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if not code.startswith("zh"):
        return Language.ENGLISH
    traditional = any(part in code for part in ("TW", "HK", "MO", "Hant"))
    return Language.TRADITIONAL if traditional else Language.SIMPLIFIED
