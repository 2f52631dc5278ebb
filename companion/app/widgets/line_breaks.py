"""Where a line of text may end, in English and in Chinese. No Kivy.

No line begins with closing punctuation or ends with an opening mark: the prohibition rules for the start and
end of a line of the W3C's "Requirements for Chinese Text Layout" (https://www.w3.org/TR/clreq/). Numbers stay
whole, and with the currency before them or the Chinese character after them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable

CHINESE = "\u2e80"
"""The first character of Chinese, Japanese and Korean: a line may end on either side of one."""
QUOTES = "\"'"
"""They open and close alike."""
NEVER_FIRST = frozenset("，。、：；！？）」』》〉】〕〗］｝％～…—·,.:;!?)]}%’”" + QUOTES)
NEVER_LAST = frozenset("（「『《〈【〔〖［｛([{‘“$¥￥€£" + QUOTES)
CURRENCIES = frozenset("$¥￥€£")


def cut(text: str) -> list[str]:
    """The parts of a text after each of which a line may end; together they are the text."""
    parts: list[str] = []
    begun = 0
    for at in range(1, len(text)):
        if _may_break(text, at):
            parts.append(text[begun:at])
            begun = at
    return [*parts, text[begun:]] if text else []


def break_lines(text: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """One paragraph in lines no wider than `width`, as full as they can be, without the spaces at their ends.
    A part that is wider by itself, such as an address, is broken between any two letters but those that must
    stay together. measure: the width of a text, in the unit of `width`."""
    if measure(text) <= width:
        return [text]
    parts = [piece for whole in cut(text) for piece in _cut_wide(whole, width, measure)]
    lines = []
    begun = 0
    while begun < len(parts):
        ends = range(begun + 2, len(parts) + 1)  # the first part is on the line in any case

        def is_too_wide(end: int, begun: int = begun) -> bool:
            return measure("".join(parts[begun:end]).rstrip(" ")) > width

        end = begun + 1 + bisect_left(ends, True, key=is_too_wide)
        line = "".join(parts[begun:end])
        lines.append(line.rstrip(" ") if end < len(parts) else line)
        begun = end
    return lines or [""]


def _cut_wide(part: str, width: float, measure: Callable[[str], float]) -> list[str]:
    """A part in pieces that fit, as far as it may be broken."""
    pieces = []
    while len(part) > 1 and measure(part.rstrip(" ")) > width:
        fitting = bisect_right(range(1, len(part)), width, key=lambda at: measure(part[:at]))
        allowed = [at for at in range(1, len(part)) if not _must_stay(part[at - 1], part[at])]
        at = max((at for at in allowed if at <= fitting), default=min(allowed, default=len(part)))
        pieces.append(part[:at])
        part = part[at:]
    return [*pieces, part] if part else pieces


def _must_stay(last: str, first: str) -> bool:
    """Whether no line may end between these two characters, however narrow it is."""
    return first == " " or first in NEVER_FIRST or last in NEVER_LAST


def _may_break(text: str, at: int) -> bool:
    """Whether a line may end before the character at that place, which is not the first."""
    last, first = text[at - 1], text[at]
    if _must_stay(last, first):
        return False
    if last == " ":
        before = text[:at].rstrip(" ")[-1:]
        return not (before in CURRENCIES and first.isdigit())
    if last.isdigit():
        return False
    return last >= CHINESE or first >= CHINESE
