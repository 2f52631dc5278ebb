"""What was found out about kept games, so that a list of hundreds need not read each of them again.

A file `index/NAME.json` in the user's data folder for each game, made anew where the game's file is not as it
was then. Nothing is lost with it: whatever cannot be read or written is worked out again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from companion import __version__, config
from companion.errors import CompanionError
from companion.files import make_folder, read_whole, write_whole
from companion.foreign import Undecodable, decode_as
from companion.game import opening

FOLDER_NAME = "index"
MAKE = 3
"""Raised where what is remembered is made otherwise."""
Stamp = tuple[int, ...]
T = TypeVar("T")


class Remembered(msgspec.Struct, frozen=True):
    """stamp: of the game's file as it was then. parts: what was found out, by its kind, as JSON."""

    make: str
    stamp: Stamp
    parts: dict[str, msgspec.Raw] = {}


def recall(path: Path, part: str, kind: type[T], find_out: Callable[[], T]) -> T:
    """What is remembered as `part` of the game at `path`; where the game has changed since, what `find_out`
    gives, which is remembered. Raises what `find_out` does."""
    stamp = _take_stamp(path)
    known = _read(path, stamp)
    if part in known.parts:
        with suppress(Undecodable):
            return decode_as(bytes(known.parts[part]), kind)
    found = find_out()
    parts = {**known.parts, part: msgspec.Raw(msgspec.json.encode(found))}
    if stamp and stamp == _take_stamp(path):
        with suppress(OSError, CompanionError):
            make_folder(config.data_dir() / FOLDER_NAME)
            write_whole(_path_of(path), msgspec.json.encode(Remembered(known.make, stamp, parts)))
    return found


def _read(path: Path, stamp: Stamp) -> Remembered:
    make = f"{__version__} {MAKE}"
    with suppress(OSError, CompanionError, Undecodable):
        found = decode_as(read_whole(_path_of(path)), Remembered)
        if found.make == make and found.stamp == stamp:
            return found
    return Remembered(make, stamp)


def _path_of(path: Path) -> Path:
    return config.data_dir() / FOLDER_NAME / f"{path.stem}.json"


def _take_stamp(path: Path) -> Stamp:
    """Size and time of the file and of what lies beside it; nothing where it cannot be looked at."""
    found: list[int] = []
    try:
        for each in (path, *(Path(f"{path}{suffix}") for suffix in opening.JOURNALS)):
            if each == path or each.exists():
                stat = each.stat()
                found += [stat.st_size, stat.st_mtime_ns, stat.st_ino]
    except OSError:
        return ()
    return tuple(found)
