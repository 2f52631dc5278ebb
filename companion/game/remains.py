"""What is left of a damaged game: the entries whose checksums are right, wherever they lie in the file."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import GameFileError
from companion.game import messages, schema
from companion.game.file import GameEntry, GameHeader
from companion.game.opening import JOURNALS, PAGE_BYTES, check_is_file
from companion.game.salvage import Values, find_rows
from companion.game.troubles import make_error, translate_errors
from companion.table.events import VERSION

ENTRY_COLUMNS = ("-?titi", "-?titni", "-?titnd")
"""Until version 3 of the tables; with the probability of the event; with a strong checksum."""
HEADER_COLUMNS = ("titiii", "titidd")
"""Until version 4 of the tables, and since."""
ENTRY_BYTES_MIN = 20


@dataclass(frozen=True, slots=True)
class Remains:
    """What is left of a game.

    header: None where it is damaged. entries: by number, the intact ones. damaged: by number, the text of
    others of which something can be read. last: the number of the last entry that there is a trace of.
    """

    header: GameHeader | None
    entries: dict[int, GameEntry]
    damaged: dict[int, str]
    last: int


def find_remains(path: Path) -> Remains:
    """What is left of the game in the file `path` and in a journal beside it; both are only read.

    GameFileError where no entry is intact, where a newer program kept the game, or nothing can be read.
    """
    contents = list(_read_contents(path))
    most = sum(len(content) for content, _ in contents) // ENTRY_BYTES_MIN
    found: defaultdict[int, list[tuple[tuple[Any, ...], int | bytes]]] = defaultdict(list)
    headers: list[tuple[int, GameHeader]] = []
    for content, page in contents:
        for columns in ENTRY_COLUMNS:
            for number, (_, *values, stored) in find_rows(content, columns, page):
                if 0 < number <= most and isinstance(stored, int | bytes):
                    found[number].append(((number, *_decode_entry(values)), stored))
        for columns in HEADER_COLUMNS:
            for _, row in find_rows(content, columns, page):
                headers += _decode_header(row)
    count, header = max(headers, key=lambda each: each[0], default=(0, None))
    if header is not None and header.format > VERSION:
        raise make_error(path, messages.NEWER, what=messages.EVENTS, given=header.format, known=VERSION)
    entries: dict[int, GameEntry] = {}
    damaged: dict[int, str] = {}
    for number, rows in found.items():
        # Version 2 continued each checksum from that of the entry before.
        before = {0, *(stored for _, stored in found.get(number - 1, ()) if isinstance(stored, int))}
        for fields, stored in rows:
            known = {schema.checksum(fields), *(schema.crc(fields, start) for start in before)}
            if stored in known:
                entries.setdefault(number, GameEntry(*fields))
            elif number <= count:
                damaged.setdefault(number, " ".join(str(each) for each in fields[1:] if each))
    if not entries:
        raise make_error(path, messages.DAMAGED, GameFileError(messages.NO_ENTRY_THERE))
    return Remains(header, entries, damaged, max(count if count <= most else 0, *entries))


def _read_contents(path: Path) -> Iterator[tuple[bytes, int | None]]:
    """The bytes of the file with the size of its pages, then those of what lies beside it."""
    check_is_file(path)
    with translate_errors(path):
        content = path.read_bytes()
        size = int.from_bytes(content[16:18])
        yield content, size if size in (512, 1024, 2048, 4096, 8192, 16384, 32768) else PAGE_BYTES
        for suffix in JOURNALS:
            beside = Path(os.path.realpath(path) + suffix)
            if beside.exists():
                check_is_file(beside)
                yield beside.read_bytes(), None


def _decode_header(values: Values) -> Iterator[tuple[int, GameHeader]]:
    """How many entries there were, and the header, if these are its values."""
    *texts, count, chain, stored = values
    fields = (*map(_decode_text, texts), count, chain)
    sums = schema.STRONG if isinstance(stored, bytes) else schema.CRC
    if isinstance(count, int) and sums.of_row(fields) == stored:
        program, version, begun = fields[:3]
        yield count, GameHeader(program, version, begun)


def _decode_entry(values: Sequence[int | float | bytes | None]) -> Iterator[Any]:
    """The columns of an entry; SQLite writes a probability of 1 as an integer."""
    yield from map(_decode_text, values[:4])
    yield from (float(p) for p in values[4:] if isinstance(p, int | float))


def _decode_text(value: int | float | bytes | None) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
