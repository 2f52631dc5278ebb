"""A new game made of what is left of a damaged one: the entries whose checksums are right, wherever they are
in the file.

No page, tree or index of the file is relied on: every place at which a row could begin is tried, by the form
of a row (https://sqlite.org/fileformat2.html, sections 1.6 and 2.1), and what is found is checked by its
checksum. The intact entries are entered again, and each that can still happen is kept. Where entries are
missing, the hand in play often cannot continue: then it is abandoned when the next one starts.
"""

from __future__ import annotations

import os
import re
import struct
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion import __version__
from companion.errors import EventError, GameFileError, InputError
from companion.game import messages, schema
from companion.game.file import GameEntry, GameFile, GameHeader
from companion.game.game import encode_pinned
from companion.game.log import GameLog, UndoList
from companion.game.sqlite import JOURNALS, PAGE_BYTES, check_is_file, make_error, translate_errors
from companion.sentences import Sentence, msgid
from companion.table.apply import apply
from companion.table.events import (
    VERSION,
    Corrected,
    DealSet,
    Dealt,
    Discarded,
    Drawn,
    EntryCancelled,
    Event,
    GameEnded,
    GameStarted,
    HandAbandoned,
    HandStarted,
    SeatsChanged,
    decode_event,
)
from companion.table.state import State

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


ENTRY_COLUMNS = ("-?titi", "-?titni", "-?titnd")
"""Until version 3 of the tables; with the probability of the event; with a strong checksum."""
HEADER_COLUMNS = ("titiii", "titidd")
"""Until version 4 of the tables, and since."""
ENTRY_BYTES_MIN = 20


@dataclass(frozen=True, slots=True)
class Remains:
    """What is left of a game.

    header: None where it is damaged. entries: by number, the intact ones. damaged: by number, the text of
    entries that can be read in part. last: highest entry number found.
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
    """The bytes of the file with the size of its pages, then those of its journals."""
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


PLAYERS = 4
REPORT_SUFFIX = ".left-out.jsonl"
"""Suffix of the file beside a rescued game that lists the entries left out of it."""
WHY = msgid("entries of this game were lost")
"""What stands in the game itself of an event that was put in."""


class LeftOutEntry(NamedTuple):
    """An entry of the damaged game that is not in the new one. text: what can be read of it, or ""."""

    number: int
    why: str
    text: str


class InsertedEvent(NamedTuple):
    """An event without which the entry `before` of the damaged game could not have been kept."""

    before: int
    event: str


class RescuedGame(NamedTuple):
    """What became of a damaged game. entries: those of the new one."""

    entries: list[GameEntry]
    left_out: list[LeftOutEntry]
    put_in: list[InsertedEvent]

    @property
    def kept(self) -> int:
        """How many entries of the damaged game are in the new one."""
        return len(self.entries) - len(self.put_in)

    def report(self) -> bytes:
        """What was left out and put in, a line of JSON each."""
        lines = [*(each._asdict() for each in self.left_out), *(each._asdict() for each in self.put_in)]
        return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def rescue(damaged: Path, path: Path, start: GameStarted | None = None) -> RescuedGame:
    """Make a new game in the file `path` of what is left of a damaged one, which stays as it is.

    start: how the game began, used where that entry is lost. GameFileError where nothing is left, or the
    first entry is lost and `start` is not given; InputError where there is a game in `path` already.
    """
    remains = find_remains(damaged)
    if 1 not in remains.entries:
        if start is None:
            raise make_error(damaged, messages.DAMAGED, Sentence(messages.FIRST_LOST))
        remains.entries[1] = GameEntry(
            1, None, encode_pinned(start), 0, remains.entries[min(remains.entries)].at
        )
    rescued = reenter(remains)
    if not rescued.entries:
        raise make_error(damaged, messages.DAMAGED, Sentence(messages.FIRST_LOST))
    header = remains.header
    program, begun = (header.program, header.begun) if header else (__version__, rescued.entries[0].at)
    GameFile.create(path, rescued.entries, program=program, begun=begun).close()
    return rescued


def reenter(remains: Remains) -> RescuedGame:
    """The entries that can still happen, in order, and what became of the others."""
    again = _Reentry()
    for number in range(1, remains.last + 1):
        entry = remains.entries.get(number)
        if entry is None:
            again.miss(number, remains.damaged.get(number, ""))
        elif entry.event:
            again.enter(entry)
        else:
            again.move(entry)
    return again.rescued


class _Reentry:
    """The new game as it grows.

    _log: of the new game. _events: for each event that would stand, or be undone, if nothing had been lost,
    how many events of the new game it became: 0 where it is left out, more than 1 with those put in before
    it.
    """

    def __init__(self) -> None:
        self.rescued = RescuedGame([], [], [])
        self._log = GameLog()
        self._events: UndoList[int] = UndoList()
        self._lost = 0
        """How many entries of the hand in play are lost, as far as no event was put in for them."""
        self._payments_known: int | None = None
        """How many payments of the ledger have the number that they had; None while all have."""

    def miss(self, number: int, text: str) -> None:
        """Continue without an entry that is lost. It counts as an event: most entries are."""
        self._leave_out(number, messages.NOT_AS_WRITTEN if text else messages.LOST, text)
        self._lost += 1

    def enter(self, entry: GameEntry) -> None:
        """Enter an event, with what must have happened before it; leave it out where it cannot happen."""
        try:
            event = self._renumber(decode_event(entry.event))
        except EventError as problem:
            self._leave_out(entry.number, str(problem), entry.event)
            return
        refusal: EventError | None = None
        for others in _guess_lost_events(self._state, event, self._lost):
            try:
                states = self._states_after((*others, event))
            except EventError as problem:
                refusal = refusal or problem
                continue
            for each, state in zip((*others, event), states, strict=True):
                self._log.record(each, state)
            for each in others:
                self.rescued.put_in.append(InsertedEvent(entry.number, encode_pinned(each)))
                self._keep(GameEntry(0, None, encode_pinned(each), 0, entry.at))
            text = encode_pinned(event) if isinstance(event, Corrected) else entry.event
            self._keep(entry._replace(event=text))
            self._events.add(len(others) + 1)
            self._lost = 0 if isinstance(event, HandStarted) else self._lost - len(others)
            return
        self._leave_out(entry.number, str(refusal), entry.event)

    def move(self, entry: GameEntry) -> None:
        """Undo or redo as many events of the new game as became of those that were undone or redone."""
        is_undo = entry.steps < 0
        try:
            (self._events.check_undo if is_undo else self._events.check_redo)(abs(entry.steps))
        except InputError:
            self.rescued.left_out.append(LeftOutEntry(entry.number, messages.STEPS_LOST, str(entry.steps)))
            return
        steps = sum(self._events.move(entry.steps))
        if not steps:
            self.rescued.left_out.append(LeftOutEntry(entry.number, messages.STEPS_OF_LOST, str(entry.steps)))
            return
        steps = -steps if is_undo else steps
        self._log.move(steps)
        self._keep(entry._replace(steps=steps))

    def _leave_out(self, number: int, why: str, text: str) -> None:
        self.rescued.left_out.append(LeftOutEntry(number, why, text))
        self._events.add(0)
        if self._payments_known is None:
            self._payments_known = len(self._state.ledger) if self._state else 0

    @property
    def _state(self) -> State | None:
        return self._log.state

    def _states_after(self, events: tuple[Event, ...]) -> list[State]:
        states: list[State] = []
        for event in events:
            before = states[-1] if states else self._state
            states.append(
                self._log.state_after(event) if isinstance(event, Corrected) else apply(before, event)
            )
        return states

    def _renumber(self, event: Event) -> Event:
        """The event as it names others in the new game. EventError where what it names is left out."""
        if isinstance(event, EntryCancelled):
            if self._payments_known is not None and event.entry >= self._payments_known:
                raise EventError(messages.PAYMENT_LOST)
        elif isinstance(event, Corrected) and event.number <= len(self._events.standing):
            standing = self._events.standing
            if not standing[event.number - 1]:
                raise EventError(messages.CORRECTS_LOST, number=event.number)
            upto = None if event.upto is None else sum(standing[: event.upto])
            return msgspec.structs.replace(event, number=sum(standing[: event.number]), upto=upto)
        return event

    def _keep(self, entry: GameEntry) -> None:
        self.rescued.entries.append(entry._replace(number=len(self.rescued.entries) + 1))


def _guess_lost_events(state: State | None, event: Event, lost: int) -> Iterator[tuple[Event, ...]]:
    """What may be inserted before an event, the least first: nothing; the end of a hand that could not
    continue, and who deals next; what must have happened in any case, without dice and tiles."""
    yield ()
    if state is None:
        return
    if isinstance(event, HandStarted | SeatsChanged | DealSet | GameEnded):
        end = (HandAbandoned(why=WHY),) if state.playing else ()
        if end:
            yield end
        if isinstance(event, HandStarted):
            yield (*end, DealSet(dealer=event.dealer, why=WHY))
    elif lost:
        yield (HandStarted(dealer=state.deal.dealer),)
        yield (Dealt(),)
        for seat in range(PLAYERS):
            yield (Drawn(seat=seat),)
            yield (Discarded(seat=seat),)
