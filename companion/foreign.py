"""The door for foreign files and streams: limits first, then decoding; whatever goes wrong is one sentence.

Code that reads a file which another program or person may have written does so inside `reading`, or passes
the iterator that reads it through `guard`; bytes become values by `decode_as`. No content of a file ends the
program or shows a traceback.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, TypeVar

import msgspec

from companion.errors import QUOTED_LENGTH_MAX, CompanionError
from companion.sentences import Sentence

Content = TypeVar("Content", str, bytes, str | bytes)

TOO_DEEP = "it is nested too deeply"
DAMAGED = "it is damaged"
NO_MEMORY = "it needs more memory than is available"
NOT_JSON = "it is not JSON"
LONG_NUMBER = "a number in it has too many digits"
NOT_AS_EXPECTED = "it is not what it should be"
MISSING = "{field} is missing"
UNKNOWN = "there is no field {field}"
NOT_ALLOWED = "{field} cannot be {value}"
NOT_ONE_OF = "{field} must be {allowed}, not {value}"
AT_MOST = "{field} must be at most {limit}"
AT_LEAST = "{field} must be at least {limit}"
OTHER_LENGTH = "{field} must have {length} entries"
OTHER_TYPE = "{field} must be {kind}"
WRONG = "{field} is not what it should be"
KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
"""Types as msgspec names them, in words."""
SENTENCES = (
    TOO_DEEP, DAMAGED, NO_MEMORY, NOT_JSON, LONG_NUMBER, NOT_AS_EXPECTED, MISSING, UNKNOWN, NOT_ALLOWED,
    NOT_ONE_OF, AT_MOST, AT_LEAST, OTHER_LENGTH, OTHER_TYPE, WRONG, *KINDS.values(),
)  # fmt: skip
"""Marked for translation."""

_PLACE = re.compile(r" - at `(?:key in )?\$\.?(?P<field>.*)`$")
_PATTERNS = (
    (re.compile(r"Object missing required field `(?P<field>.*)`"), MISSING),
    (re.compile(r"Object contains unknown field `(?P<field>.*)`"), UNKNOWN),
    (re.compile(r"Invalid value (?P<value>.*)"), NOT_ALLOWED),
    (re.compile(r"Invalid enum value (?P<value>.*)"), NOT_ALLOWED),
    (re.compile(r"Expected `(?:int|float)` <= (?P<limit>\S+)"), AT_MOST),
    (re.compile(r"Expected `(?:int|float)` >= (?P<limit>\S+)"), AT_LEAST),
    (re.compile(r"Expected `array` of length (?P<length>\d+)"), OTHER_LENGTH),
    (re.compile(rf"Expected `(?P<kind>{'|'.join(KINDS)})(?: \| null)?`, got"), OTHER_TYPE),
)
"""Messages of msgspec, and the sentence that a person sees instead."""
_CAUSES: tuple[tuple[type[Exception], str], ...] = (
    (RecursionError, TOO_DEEP), (MemoryError, NO_MEMORY), (UnicodeDecodeError, NOT_JSON),
    (msgspec.DecodeError, NOT_JSON),
)  # fmt: skip


NO_CHOICES: Mapping[str, Iterable[str]] = {}


class Undecodable(ValueError):
    """Content that is not what it should be; `why` is a clause that says so, its text the same in English."""

    def __init__(self, why: Sentence | str) -> None:
        super().__init__(str(why))
        self.why = why


def decode_as(content: bytes | str, kind: type[T], decode: Callable[..., T] = msgspec.json.decode) -> T:
    """`content` as a value of that type; decode: of msgspec. Raises Undecodable, whatever the content."""
    return decode_by(lambda content: decode(content, type=kind), content)


def decode_by(
    decode: Callable[[Content], T], content: Content, choices: Mapping[str, Iterable[str]] = NO_CHOICES
) -> T:
    """What `decode` makes of the content. Raises Undecodable, whatever the content.

    choices: the values of fields that have only a few, for the error.
    """
    try:
        return decode(content)
    except Undecodable:
        raise
    except Exception as error:
        raise Undecodable(explain(error, choices)) from error


def load_json(content: str | bytes, line: int = 1) -> Any:
    """The plain values in JSON text. Raises Undecodable, whatever the content.

    `line`: the number of its first line in the file that it is from, which the error then names.
    """
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno + line - 1} column {error.colno}"
        raise Undecodable(f"{error.msg}: {where} (char {error.pos})") from error
    except Exception as error:
        is_number = isinstance(error, ValueError) and not isinstance(error, UnicodeError)
        raise Undecodable(Sentence(LONG_NUMBER) if is_number else explain(error)) from error


def explain(error: Exception, choices: Mapping[str, Iterable[str]] = NO_CHOICES) -> Sentence:
    """What reading a file raised, as a clause in plain words. choices: as in `decode_by`."""
    if not isinstance(error, msgspec.ValidationError):
        found = (template for kind, template in _CAUSES if isinstance(error, kind))
        return Sentence(next(found, DAMAGED))
    text = str(error)
    place = _PLACE.search(text)
    inside = {"field": place["field"]} if place and place["field"] else {}
    for pattern, template in _PATTERNS:
        match = pattern.match(_PLACE.sub("", text))
        if match:
            params: dict[str, object] = {
                name: _shorten(value) for name, value in (inside | match.groupdict()).items()
            }
            if template is NOT_ALLOWED and params.get("field") in choices:
                template = NOT_ONE_OF
                params["allowed"] = " or ".join(choices[str(params["field"])])
            if "kind" in params:
                params["kind"] = Sentence(KINDS[match["kind"]])
            return Sentence(template, params) if "field" in params else Sentence(NOT_AS_EXPECTED)
    return Sentence(WRONG, inside) if inside else Sentence(NOT_AS_EXPECTED)


def _shorten(text: str) -> str:
    """Foreign text for a sentence, the quotation mark at its end kept."""
    return text if len(text) <= QUOTED_LENGTH_MAX else f"{text[: QUOTED_LENGTH_MAX - 1]}…{text[-1]}"


LINE_MAX_BYTES = 2**20
"""The longest line of text; the longest that the program writes have some kB."""
SKIPPED_MAX_BYTES = 2**32
"""The longest line that is skipped, which takes some seconds."""
BLANK_MAX_BYTES = 2**20
"""The most bytes of all blank lines together."""
TOO_LONG = "line {number} has more than {limit} MB"
TOO_MANY_BLANK = "it has more than {limit} MB of blank lines"
TOO_MUCH = "it has more than {limit} MB"
LIMIT_SENTENCES = (TOO_LONG, TOO_MANY_BLANK, TOO_MUCH)
"""Marked for translation."""

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
