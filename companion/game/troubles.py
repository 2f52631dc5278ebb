"""What SQLite and the disk refuse, one sentence each. What was acknowledged before is kept in each case."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import shorten

from companion.errors import CompanionError, GameFileError
from companion.files import NO_ROOM, name_reason
from companion.foreign import find_reason
from companion.game import messages
from companion.sentences import Sentence

_SENTENCES = {sqlite3.SQLITE_FULL: messages.FULL, sqlite3.SQLITE_BUSY: messages.BUSY}
_DAMAGES = {
    sqlite3.SQLITE_READONLY: messages.BAD_HEAD,  # in a file that may be written: its head says otherwise
    sqlite3.SQLITE_ERROR: messages.BAD_PARTS,
    sqlite3.SQLITE_CORRUPT: messages.BAD_PARTS,
    sqlite3.SQLITE_NOTADB: messages.BAD_HEAD,
    sqlite3.SQLITE_TOOBIG: messages.BAD_PARTS,
}
"""What is damaged, in words for people: SQLite's own are the cause of the error that is raised."""
WHY_LETTERS_MAX = 150
_PRIMARY = 0xFF
"""The bits of SQLite's extended result codes that hold the primary code."""


def make_error(path: Path, template: str, why: object = "", **more: object) -> GameFileError:
    """The error of that sentence about the game file `path`."""
    return GameFileError(template, name=path.stem, file=path, folder=path.parent, why=why, **more)


@contextmanager
def translate_errors(path: Path, *, reading: bool = False) -> Iterator[None]:
    """Turn what SQLite or the disk raises about the game file `path` into a GameFileError. reading: whether
    nothing was to be written; then whatever else goes wrong becomes one, too: the file may be foreign."""
    try:
        yield
    except UnicodeDecodeError as error:  # SQLite quotes what it cannot make sense of
        raise make_error(path, messages.DAMAGED, Sentence(messages.NO_TEXT_THERE)) from error
    except OSError as error:
        why, template = name_reason(error), messages.DISK
        if error.errno in NO_ROOM:
            template = messages.FULL
        elif reading:
            template = messages.UNREADABLE
        elif not may_write(path):
            template = messages.READ_ONLY
        raise make_error(path, template, why) from error
    except sqlite3.ProgrammingError:  # as on a game that was closed: not for the person at the table
        raise
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & _PRIMARY
        if code in _DAMAGES and (code != sqlite3.SQLITE_READONLY or may_write(path)):
            raise make_error(path, messages.DAMAGED, Sentence(_DAMAGES[code])) from error
        template = _SENTENCES.get(code, messages.DISK if may_write(path) else messages.READ_ONLY)
        if reading and code not in _SENTENCES:
            template = messages.UNREADABLE
        raise make_error(path, template, shorten_to_line(str(error))) from error
    except CompanionError:
        raise
    except Exception as error:
        if not reading:
            raise
        found = find_reason(error)
        if isinstance(error, MemoryError):
            raise make_error(path, messages.UNREADABLE, found) from error
        raise make_error(path, messages.DAMAGED, Sentence(messages.BAD_PARTS)) from error


def shorten_to_line(text: str) -> str:
    """What SQLite says, which may quote a damaged file, in a short line that can be printed."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return shorten(printable, WHY_LETTERS_MAX, placeholder="…")


def may_write(path: Path) -> bool:
    """Whether this user may write the file, and beside it."""
    places = [path.parent, path] if path.exists() else [path.parent]
    return all(
        os.access(place, os.W_OK, effective_ids=os.access in os.supports_effective_ids) for place in places
    )
