"""Bytes as values of a type; whatever is wrong with them is one error, in words for people.

Imports nothing of companion but `sentences`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from companion.sentences import Sentence

T = TypeVar("T")
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
"""For translators."""

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
"""What msgspec says, and what a person is told instead."""
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
            params: dict[str, object] = inside | match.groupdict()
            if template is NOT_ALLOWED and params.get("field") in choices:
                template = NOT_ONE_OF
                params["allowed"] = " or ".join(choices[str(params["field"])])
            if "kind" in params:
                params["kind"] = Sentence(KINDS[match["kind"]])
            return Sentence(template, params) if "field" in params else Sentence(NOT_AS_EXPECTED)
    return Sentence(WRONG, inside) if inside else Sentence(NOT_AS_EXPECTED)
