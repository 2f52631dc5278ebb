"""Connections to a game's file, and the refusals of SQLite and the disk, one sentence each. The content of
the file and of its neighbours is not trusted.

A program that was killed while it wrote leaves a journal next to the file, and SQLite applies it as soon as
it opens the file. So a file with a journal is first tried out as a copy: a refused game stays unchanged, byte
for byte. After a refusal, everything acknowledged before is still stored.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten

from companion.errors import CompanionError, GameFileError, InputError
from companion.files import NO_ROOM, check_kind, name_reason
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
"""The damage as a sentence, by SQLite's error; SQLite's own message is the cause of the raised error."""
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
    """Whether this user may write the file and new files next to it."""
    places = [path.parent, path] if path.exists() else [path.parent]
    return all(
        os.access(place, os.W_OK, effective_ids=os.access in os.supports_effective_ids) for place in places
    )


BUSY_WAIT_S = 0.5
"""Seconds that another program may take to close a game that both use."""
MB = 1 << 20
FILE_MB_MAX = 256
"""A long evening's file has 0.5 MB."""
PAGE_BYTES = 4096
"""Page size of new SQLite files."""
VALUE_BYTES_MAX = 16 * MB
"""Maximum size of one entry."""
LEFT_AFTER_S = 3600
"""Age from which a trial copy counts as abandoned, since no trial takes longer."""
JOURNALS = ("-journal", "-wal")
"""Endings of files that SQLite may place next to a game; programs before version 3 of the tables wrote the
second."""
OF_SEVERAL_FILES = bytes.fromhex("d9d505f920a163d7")
"""The end of a journal that names another file, which SQLite may delete then: never one of ours
(https://sqlite.org/atomiccommit.html, section 5.4)."""
PRAGMAS = (
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "mmap_size = 0",
    "temp_store = MEMORY",
    "locking_mode = EXCLUSIVE",
    "synchronous = EXTRA",
)


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection to a file in this mode of SQLite's (ro, rw, rwc). Raises sqlite3.Error.

    Python 3.11 cannot switch SQLite's defensive mode on; the tables are compared in any case
    (schema.version_of_tables).
    """
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}&readonly_shm=1",
        uri=True,
        timeout=BUSY_WAIT_S,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        _distrust(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _distrust(connection: sqlite3.Connection) -> None:
    """Limit what the content of a file can make SQLite do."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


@contextmanager
def open_content(content: bytes) -> Iterator[sqlite3.Connection]:
    """A connection to a file's content in memory, closed at the end. Raises sqlite3.Error."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.deserialize(content)
        _distrust(connection)
        yield connection


def limit_size(connection: sqlite3.Connection) -> None:
    """Let nothing be written that would make the file too large to be opened: SQLite reports a full disk."""
    connection.execute(f"PRAGMA max_page_count = {FILE_MB_MAX * MB // PAGE_BYTES}")


def check_is_file(path: Path) -> None:
    """Refuse what cannot be read before it is opened: a pipe would be waited for without end.

    InputError if nothing is there, GameFileError for anything but a regular file of a fitting size.
    """
    with translate_errors(path, reading=True):
        try:
            check_kind(path)
        except (FileNotFoundError, NotADirectoryError):
            raise InputError(messages.NO_GAME, file=path) from None
        except PermissionError:
            raise
        except OSError as error:
            raise make_error(path, messages.NOT_A_FILE, error.strerror) from None
        size = path.stat().st_size
        if size > FILE_MB_MAX * MB:
            raise make_error(path, messages.TOO_LARGE, size=size // MB, most=FILE_MB_MAX)


@contextmanager
def open_to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file that has no journal, which changes nothing and needs no right to write, closed
    at the end. GameFileError if another program has the file open."""
    with translate_errors(path, reading=True):
        connection = _connect_to_read(path)
        if connection is not None:
            with closing(connection):
                yield connection
            return
    with open_copy(path, journals=()) as connection:
        yield connection


def _connect_to_read(path: Path) -> sqlite3.Connection | None:
    """A connection that has read the file; None if SQLite would write next to it, as for a file of an
    older program with a write-ahead log."""
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(closing(connect(path, "ro")))
            connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR_LOCK):
                return None
            raise
        stack.pop_all()
        return connection


def has_journal(path: Path) -> bool:
    """Whether a journal was left next to the file, by which SQLite would change it."""
    return any(_size_of(_path_beside(path, suffix)) for suffix in JOURNALS)


@contextmanager
def open_copy(path: Path, journals: Iterable[str] = JOURNALS) -> Iterator[sqlite3.Connection]:
    """A connection to a copy of the file with these of its journals, closed at the end. The copy is next to
    the file, or in a temporary folder if nothing can be written there.

    GameFileError if another program has the file open, or a journal is damaged or not of this program.
    """
    refuse_if_open(path)
    prefix = f".{path.stem}.try-"
    _remove_left(path.parent, prefix)
    beside = path.parent if may_write(path.parent) else None
    with translate_errors(path, reading=True), TemporaryDirectory(prefix=prefix, dir=beside) as folder:
        copy = Path(folder, path.name)
        shutil.copyfile(path, copy)
        for suffix in journals:
            journal = _path_beside(path, suffix)
            if _size_of(journal):
                check_is_file(journal)
                shutil.copyfile(journal, _path_beside(copy, suffix))
        if _read_end(_path_beside(copy, "-journal"), len(OF_SEVERAL_FILES)) == OF_SEVERAL_FILES:
            raise make_error(path, messages.DAMAGED, Sentence(messages.OTHER_JOURNAL))
        with closing(connect(copy, "rw")) as connection:
            _check_log(path, _path_beside(copy, "-wal"), connection)
            yield connection


def _remove_left(folder: Path, prefix: str) -> None:
    """Remove the copies that a killed program left there."""
    with suppress(OSError):
        for left in folder.iterdir():
            if left.name.startswith(prefix) and time.time() - left.stat().st_mtime > LEFT_AFTER_S:
                shutil.rmtree(left, ignore_errors=True)


def refuse_if_open(path: Path) -> None:
    """GameFileError if another program has the file. Reads and changes nothing: SQLite refuses to go on
    where a journal would have to be followed first (https://sqlite.org/rescode.html#readonly_rollback)."""
    try:
        with translate_errors(path), closing(connect(path, "ro")) as connection:
            connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except GameFileError as problem:
        if problem.sentence.template == messages.BUSY:
            raise


def _check_log(path: Path, log: Path, connection: sqlite3.Connection) -> None:
    """GameFileError if SQLite passes over pages of a write-ahead log that belong to what it has read.

    It reads up to the first damaged page and takes what follows for leftovers of an older log. Leftovers have
    another salt than the head of the log (https://sqlite.org/fileformat2.html#walformat).
    """
    if not _size_of(log):
        return
    content = log.read_bytes()
    head, frame = struct.Struct(">8xI4x8s"), struct.Struct(">8x4s4s")
    if len(content) <= 32:
        return
    page, salt = head.unpack_from(content)
    salts = [frame.unpack_from(content, at) for at in range(32, len(content) - 23, 24 + max(page, 512))]
    total = max(
        (n for n, each in enumerate(salts, 1) if each[0] == salt[:4] or each[1] == salt[4:]), default=1
    )
    left = max(connection.execute("PRAGMA wal_checkpoint").fetchone()[1], 0)
    if left < total:
        raise make_error(path, messages.DAMAGED, Sentence(messages.LOG_CUT, {"left": left, "total": total}))


def _path_beside(path: Path, suffix: str) -> Path:
    return Path(os.path.realpath(path) + suffix)


def _size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _read_end(path: Path, length: int) -> bytes:
    if _size_of(path) < length:
        return b""
    with path.open("rb") as file:
        file.seek(-length, os.SEEK_END)
        return file.read()
