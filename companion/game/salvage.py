"""Rows of a table in the bytes of a damaged SQLite file, found by the form of a row alone.

No page, tree or index is relied on: every place at which a row could begin is tried, and whoever asks checks
what is found by its checksum. The form is that of https://sqlite.org/fileformat2.html, sections 1.6 and 2.1.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from itertools import accumulate, pairwise

NUMBER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}
"""By the type of a value, of the numbers; 8 and 9 are 0 and 1 themselves, and 7 is a real number, the others
are integers."""
REAL = 7
TEXT = 13
"""The least type of a text; two more for each byte."""
DIGEST = 44
"""The type of 16 bytes that are no text: a checksum."""
_INTEGER = rb"[\x01-\x06\x08\x09]"
_NUMBER = rb"[\x01-\x09]"
_TEXT = rb"(?:[\x0d-\x7f]|[\x81-\xff][\x80-\xff]{0,3}[\x00-\x7f])"
_TYPES = {"i": _INTEGER, "n": _NUMBER, "t": _TEXT, "?": rb"(?:\x00|" + _TEXT + rb")", "-": rb"\x00"}
_TYPES["d"] = bytes([DIGEST])

Values = tuple[int | float | bytes | None, ...]


def find_rows(content: bytes, columns: str, page_bytes: int | None) -> Iterator[tuple[int, Values]]:
    """Each place that has the form of a row: its number (SQLite's rowid) and its values, texts as bytes.

    columns: a letter each: i integer, n number, t text, ? text or null, d 16 bytes, - null. page_bytes: the
    size of the file's pages, over which long rows are spread; None to pass over long rows, as in a journal.
    """
    types = b"".join(_TYPES[column] for column in columns)
    for match in re.finditer(rb"(?=[\x02-\x3f](" + types + rb"))", content):
        at, end = match.span(1)
        kinds = list(_find_varints(content[at:end]))
        head = end - at + 1
        if content[at - 1] != head or any(kind > TEXT and kind % 2 == 0 and kind != DIGEST for kind in kinds):
            continue
        ends = list(accumulate(map(_content_length, kinds), initial=head))
        row = _read_payload(content, at - 1, ends[-1], page_bytes)
        if len(row) == ends[-1]:
            places = pairwise(ends)
            yield (
                _read_number_before(content, at - 1),
                tuple(_decode_value(kind, row[a:b]) for kind, (a, b) in zip(kinds, places, strict=True)),
            )


def _find_varints(content: bytes) -> Iterator[int]:
    value = 0
    for byte in content:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            yield value
            value = 0


def _read_number_before(content: bytes, end: int) -> int:
    """The number that ends there; it begins behind a byte that ends another."""
    start = end - 1
    while start > max(end - 9, 0) and content[start - 1] >= 0x80:
        start -= 1
    return next(_find_varints(content[start:end]), 0)


def _content_length(kind: int) -> int:
    return (kind - TEXT + 1) // 2 if kind >= TEXT else NUMBER_BYTES.get(kind, 0)


def _decode_value(kind: int, content: bytes) -> int | float | bytes | None:
    if kind >= TEXT:
        return content
    if kind == 0:
        return None
    if kind == REAL:
        return float(struct.unpack(">d", content)[0])
    return kind - 8 if kind in (8, 9) else int.from_bytes(content, signed=True)


def _read_payload(content: bytes, at: int, length: int, page_bytes: int | None) -> bytes:
    """The bytes of a row that begins there, those on other pages too (section 1.6, "overflow")."""
    page = page_bytes or 4096
    most, least = page - 35, (page - 12) * 32 // 255 - 23
    if length <= most:
        return content[at : at + length]
    if page_bytes is None or length > len(content):
        return b""
    local = least + (length - least) % (page - 4)
    at_next = at + (local if local <= most else least)
    found = [content[at:at_next]]
    missing = length - len(found[0])
    while missing > 0:
        start = (int.from_bytes(content[at_next : at_next + 4]) - 1) * page
        if not 0 <= start < len(content):
            return b""
        at_next = start
        found.append(content[start + 4 : start + 4 + min(missing, page - 4)])
        missing -= page - 4
    return b"".join(found)
