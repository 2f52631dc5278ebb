"""Fills people and numbers into a message.

A translation may define after a parameter's name how it is written: in "{seat:* has|You have} no kong" * is
the name of the player in that seat, and the text after the bar is used if that is the reader. A number with
such a format is a seat. Command lines, which know no names, print the message itself: "Seat 2 has no kong".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import Formatter

from companion.sentences import msgid, write_number

SEAT_NAMES = (msgid("You"), msgid("Right"), msgid("Across"), msgid("Left"))
"""Names by seat if no player has a name: counterclockwise, from the person at the window."""
YOU = SEAT_NAMES[0]

COUNT = "count"
FIELD = re.compile(r"\{(\w+)")
BREAKS = ("\u3000", "\u9fff"), ("\uff00", "\uffef")
"""Chinese characters and their punctuation: none is set apart from another one by a space."""


def fill(template: str, params: Mapping[str, object], name_seat: Callable[[int], str]) -> str:
    """The template with its parameters filled in. name_seat: who sits in a seat."""
    said = ""
    for literal, name, written, _ in Formatter().parse(template):
        said = _join(said, literal)
        if name is not None:
            said = _join(said, _write(params[name], written or "", name_seat))
    return said


def find_count(template: str, params: Mapping[str, object]) -> int | None:
    """The number that decides between a message's forms: its count, else the first number; None without."""
    names = FIELD.findall(template)
    numbers = {name: params[name] for name in names if isinstance(params.get(name), int)}
    found = numbers.get(COUNT, next(iter(numbers.values()), None))
    return found if isinstance(found, int) else None


def _write(value: object, written: str, name_seat: Callable[[int], str]) -> str:
    if not written:
        return write_number(value) if type(value) is int else str(value)
    name = name_seat(value) if isinstance(value, int) else str(value)
    of_others, _, of_reader = written.partition("|")
    return (of_reader if of_reader and name == YOU else of_others).replace("*", name)


def _join(left: str, right: str) -> str:
    """Side by side; the space that sets a number or a foreign name apart goes where both are Chinese."""
    if left.endswith(" ") and _is_chinese(left[-2:-1]) and _is_chinese(right[:1]):
        return left[:-1] + right
    if right.startswith(" ") and _is_chinese(right[1:2]) and _is_chinese(left[-1:]):
        return left + right[1:]
    return left + right


def _is_chinese(character: str) -> bool:
    return any(first <= character <= last for first, last in BREAKS)
