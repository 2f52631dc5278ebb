"""What SQLite and the disk refuse, one sentence each. What was acknowledged before is kept in each case."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import GameFileError

FULL = "The disk of '{folder}' is full: nothing of this was kept, all before it was. Make room and try again."
READ_ONLY = "Nothing can be written to '{folder}': a game is kept only where the folder and its file can be."
BUSY = "The game '{name}' is open in another program: close it there first."
DAMAGED = "The game file '{file}' is damaged: {why}. It was left as it is."
NOT_A_GAME = (
    "The file '{file}' is no game of this program, or its beginning is damaged. It was left as it is."
)
NEWER = (
    "The game '{name}' was kept by a newer program (its {what} have version {given}, and this program knows "
    "version {known}): update the program. The file was left as it is."
)
DISK = (
    "The disk of '{folder}' refused ({why}): a quota may be used up, or the disk fails. Nothing of this was "
    "kept, all before it was."
)

_SENTENCES = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_ERROR: DAMAGED,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
}
_PRIMARY = 0xFF
"""The bits of SQLite's extended result codes that hold the primary code."""


def trouble(path: Path, template: str, why: object = "", **more: object) -> GameFileError:
    """The error of that sentence about the game file `path`."""
    return GameFileError(template, name=path.stem, file=path, folder=path.parent, why=why, **more)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what SQLite raises about the game file `path` into a GameFileError."""
    try:
        yield
    except UnicodeDecodeError as error:  # SQLite quotes what it cannot make sense of
        raise trouble(path, DAMAGED, "there is text in it that is none") from error
    except sqlite3.ProgrammingError:  # as on a game that was closed: not for the person at the table
        raise
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & _PRIMARY
        template = _SENTENCES.get(code, DISK)
        if template is DISK and not _writable(path):
            template = READ_ONLY
        raise trouble(path, template, error) from error


def _writable(path: Path) -> bool:
    places = [path.parent, path] if path.exists() else [path.parent]
    return all(
        os.access(place, os.W_OK, effective_ids=os.access in os.supports_effective_ids) for place in places
    )
