"""Text from elsewhere (names, files, devices, errors of the system) made safe to print, show and keep.

`show` is the one door for it: sentences, quotations, the log and the terminal all go through here.
"""

from __future__ import annotations

import re

from companion.addresses import redact

HIDDEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Printable according to Unicode, but invisible: joiners, fillers, the empty braille pattern."""
IDEOGRAPHIC_SPACE = "\u3000"
IDEOGRAPHS = ("\U00020000", "\U0003fffd")
"""Planes of ideographs alone, some of which are not yet in Python's tables of characters."""
_NOT_ASCII_TEXT = re.compile(r"[^ -~]")


def show(value: object) -> str:
    """`value` as text without credentials, on one line, printable anywhere: see `redact` and `escape`."""
    return redact(escape(str(value)))  # a line break inside an address hides no part of it


def escape(text: str, keep: str = "") -> str:
    """`text` with an escape such as \\x1b or \\u202e for each character that is not seen as one.

    Those are control characters, changes of direction, characters of no width, halves of a surrogate pair and
    all line breaks; what is in `keep` stays.
    """
    return _NOT_ASCII_TEXT.sub(lambda found: _escape_one(found[0], keep), text)


def escape_json(document: str) -> str:
    """A JSON document, or lines of them, with \\u escapes in place of these characters; it means the same."""
    return _NOT_ASCII_TEXT.sub(lambda found: _escape_in_json(found[0]), document)


def clean(name: str) -> str:
    """A name without these characters; line breaks and tabs become spaces. Halves of surrogate pairs stay: no
    text with one can be stored, and the code that stores it refuses it."""
    if all(map(_may_stay, name)):
        return name
    spaced = "".join(each if _may_stay(each) else " " if each.isspace() else "" for each in name)
    return " ".join(spaced.split())


def _is_seen(character: str) -> bool:
    if character in HIDDEN:
        return False
    is_ideograph = IDEOGRAPHS[0] <= character <= IDEOGRAPHS[1]
    return character.isprintable() or character == IDEOGRAPHIC_SPACE or is_ideograph


def _may_stay(character: str) -> bool:
    return _is_seen(character) or "\ud800" <= character <= "\udfff"


def _escape_one(character: str, keep: str) -> str:
    if _is_seen(character) or character in keep:
        return character
    return character.encode("unicode_escape").decode()


def _escape_in_json(character: str) -> str:
    if _is_seen(character) or character == "\n":
        return character
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
