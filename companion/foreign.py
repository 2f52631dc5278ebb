"""The door for foreign files and streams: limits first, and whatever goes wrong then is one sentence.

Code that reads a file which another program or person may have written does so inside `reading`, or passes
the iterator that reads it through `guard`. No content of a file ends the program or shows a traceback.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TypeVar

from companion.decoding import Undecodable, explain
from companion.errors import CompanionError
from companion.sentences import Sentence

LINE_MAX_BYTES = 2**20
"""The longest line of text; the longest that the program writes have some kB."""
SKIPPED_MAX_BYTES = 2**32
"""The longest line that is skipped, which takes some seconds."""
BLANK_MAX_BYTES = 2**20
"""The most bytes of all blank lines together."""
TOO_LONG = "line {number} has more than {limit} MB"
TOO_MANY_BLANK = "it has more than {limit} MB of blank lines"
TOO_MUCH = "it has more than {limit} MB"
SENTENCES = (TOO_LONG, TOO_MANY_BLANK, TOO_MUCH)
"""For translators."""

T = TypeVar("T")
Refuse = Callable[[object], CompanionError]
"""Makes the error that a person sees, which names the file, from a clause that says why it is refused."""

log = logging.getLogger(__name__)


@contextmanager
def reading(refuse: Refuse) -> Iterator[None]:
    """Turn whatever goes wrong inside into the error of `refuse`; a CompanionError stays as it is."""
    try:
        yield
    except CompanionError:
        raise
    except Exception as error:
        raise refuse(find_reason(error)) from error


def guard(items: Iterable[T], refuse: Refuse) -> Iterator[T]:
    """The items, each made inside `reading`; errors of the code that uses the items pass unchanged."""
    with reading(refuse):
        yield from items


def read_lines(file: IO[bytes], most_bytes: int = sys.maxsize) -> Iterator[bytes]:
    """The lines, each with its end. Raises Undecodable for a line above LINE_MAX_BYTES, for blank lines above
    BLANK_MAX_BYTES, and for more than `most_bytes` altogether."""
    left = most_bytes
    for number, line in enumerate(split_lines(file), start=1):
        if line is None:
            raise Undecodable(Sentence(TOO_LONG, {"number": number, "limit": LINE_MAX_BYTES // 2**20}))
        left -= len(line)
        if left < 0:
            raise Undecodable(Sentence(TOO_MUCH, {"limit": most_bytes // 2**20}))
        yield line


def split_lines(file: IO[bytes]) -> Iterator[bytes | None]:
    """The lines as `read_lines` yields them, with None for one above LINE_MAX_BYTES, which is skipped."""
    blank = 0
    while line := file.readline(LINE_MAX_BYTES + 1):
        if len(line) > LINE_MAX_BYTES:
            _skip_line(file, line)
            yield None
            continue
        if line.isspace():
            blank += len(line)
            if blank > BLANK_MAX_BYTES:
                raise Undecodable(Sentence(TOO_MANY_BLANK, {"limit": BLANK_MAX_BYTES // 2**20}))
        yield line


def _skip_line(file: IO[bytes], piece: bytes) -> None:
    """Read on to the end of the line that `piece` begins."""
    skipped = 0
    while piece and not piece.endswith(b"\n"):
        piece = file.readline(LINE_MAX_BYTES)
        skipped += len(piece)
        if skipped > SKIPPED_MAX_BYTES:
            raise Undecodable(Sentence(TOO_MUCH, {"limit": SKIPPED_MAX_BYTES // 2**20}))


def find_reason(error: Exception) -> object:
    """Why reading failed, as a clause; the details of what nobody foresaw go to the log file."""
    if isinstance(error, Undecodable):
        return error.why
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    log.warning("a foreign file could not be read", exc_info=error)
    return explain(error)
