"""Games as text. A log is what stands, one event a line, as other programs read and write it. A history is
everything that was entered, with keys, times and what was undone. Lines come in and go out; no files here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct

from companion import __version__
from companion.errors import EventError, InputError, quote
from companion.foreign import Undecodable, decode_by
from companion.game import messages, schema
from companion.game.course import Course
from companion.game.file import GameEntry, GameFile, check_steps, now
from companion.game.game import Game, encode_pinned
from companion.table.events import HEADER, Event, decode_event, decode_header, decode_text, encode_event

FORMAT = "mahjong-companion-history"
VERSION, VERSION_WITHOUT_P = 2, 1
"""Of a history. One in which everything is certain is written as programs read it that know no p."""


class HistoryHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a history."""

    format: str
    version: int
    program: str = __version__
    begun: str = ""


class HistoryLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Any other line of a history: an event, or how many are undone (below 0) or redone.

    at: when it was entered, UTC; "" for now. p: how certain the event is, 0 to 1; None for 1.
    """

    at: str = ""
    key: str | None = None
    event: Event | None = None
    steps: int = 0
    p: Annotated[float, Meta(ge=0, le=1)] | None = None

    @property
    def certainty(self) -> float:
        return schema.CERTAIN if self.p is None else self.p


class ImportedGame(NamedTuple):
    """A game that was read from text, as `GameFile.create` takes it."""

    entries: list[GameEntry]
    program: str
    begun: str | None


class EnteredLine(NamedTuple):
    """What a line of text has become in a game that is kept; new: it had not come before under its key."""

    number: int
    line: HistoryLine
    entry: GameEntry
    new: bool


LOG_HEADER = HistoryHeader(HEADER.format, HEADER.version)
_head = msgspec.json.Decoder(HistoryHeader)
_line = msgspec.json.Decoder(HistoryLine)


def log_lines(file: GameFile) -> Iterator[bytes]:
    """The lines of a log, each with its end: the header, then the events that stand."""
    yield encode_event(HEADER) + b"\n"
    for entry in file.standing:
        yield entry.event.encode() + b"\n"


def history_lines(file: GameFile) -> Iterator[bytes]:
    """The lines of a history, each with its end; the same game can be made of them, undone steps too."""
    is_certain = all(entry.p == schema.CERTAIN for entry in file.entries)
    version = VERSION_WITHOUT_P if is_certain else VERSION
    yield msgspec.json.encode(HistoryHeader(FORMAT, version, file.header.program, file.header.begun)) + b"\n"
    for entry in file.entries:
        event = decode_event(entry.event) if entry.event else None
        p = None if entry.p == schema.CERTAIN else entry.p
        yield msgspec.json.encode(HistoryLine(entry.at, entry.key, event, entry.steps, p)) + b"\n"


def read_game(lines: Iterable[bytes]) -> ImportedGame:
    """The game in a log or a history; blank lines are skipped. Raises InputError, which names the line."""
    course = Course()
    head: HistoryHeader | None = None
    entries: list[GameEntry] = []
    keys: dict[str, int] = {}
    at = now()
    for number, each in enumerate(lines, start=1):
        with name_line(number, messages.NOTHING_IMPORTED):
            text = decode_text(each)
            if not text:
                continue
            if head is None:
                head = _decode_header(text)
                continue
            line = _decode_line(text, head)
            _apply_line(course, line)
            if line.key is not None and keys.setdefault(line.key, number) != number:
                raise InputError(messages.KEY_TWICE, key=quote(line.key), line=keys[line.key])
            event = "" if line.event is None else encode_pinned(line.event)
            entries.append(
                GameEntry(len(entries) + 1, line.key, event, line.steps, line.at or at, line.certainty)
            )
    if head is None or not entries:
        raise InputError(messages.EMPTY)
    return ImportedGame(entries, head.program, head.begun or None)


def enter_lines(game: Game, lines: Iterable[bytes]) -> Iterator[EnteredLine]:
    """Enter what the lines of a log or a history say into a game, one after the other, and yield each.

    It is on the disk when it is yielded. The header may be missing: then they are lines of a log. InputError
    names the line that is wrong, GameFileError says what the disk refused; what came before is kept.
    """
    head = None
    for number, each in enumerate(lines, start=1):
        with name_line(number, messages.ENTERED_BEFORE):
            text = decode_text(each)
            if not text:
                continue
            if head is None:
                head = LOG_HEADER
                if _is_header(text):
                    head = _decode_header(text)
                    continue
            line = _decode_line(text, head)
            new = _enter(game, line)
        yield EnteredLine(number, line, game.file.entry_of(line.key) or game.file.entries[-1], new)


@contextmanager
def name_line(number: int, template: str) -> Iterator[None]:
    """Say which line it is that something is wrong with, and by which ruling."""
    try:
        yield
    except InputError as problem:
        ruling = getattr(problem, "ruling", "")
        shown = InputError(messages.BY_RULING, problem=problem, ruling=ruling) if ruling else problem
        raise InputError(template, number=number, problem=shown) from problem


def _apply_line(course: Course, line: HistoryLine) -> None:
    """Let happen what the line says, as far as it can."""
    _check_line(line)
    if line.event is not None:
        course.enter(line.event)
    elif line.steps < 0:
        check_steps(messages.CANNOT_UNDO, -line.steps, len(course.standing) - 1)
        course.undo(-line.steps)
    else:
        check_steps(messages.CANNOT_REDO, line.steps, len(course.undone))
        course.redo(line.steps)


def _enter(game: Game, line: HistoryLine) -> bool:
    """Keep what the line says; False where it came before under its key."""
    _check_line(line)
    if line.event is not None:
        return game.append(line.event, line.key, line.certainty)
    return game.undo(-line.steps, line.key) if line.steps < 0 else game.redo(line.steps, line.key)


def _check_line(line: HistoryLine) -> None:
    if (line.event is None) == (line.steps == 0):
        raise InputError(messages.NEITHER)


def _is_header(text: str) -> bool:
    try:
        decode_by(_head.decode, text)
    except Undecodable:
        return False
    return True


def _decode_header(text: str) -> HistoryHeader:
    if not _is_header(text):
        raise InputError(messages.NO_HEADER, line=quote(text))
    head = _head.decode(text)
    if head.format != FORMAT:
        decode_header(text)
    elif head.version > VERSION:
        raise InputError(messages.TOO_NEW, given=head.version, known=VERSION)
    return head


def _decode_line(text: str, head: HistoryHeader) -> HistoryLine:
    if head.format != FORMAT:
        return HistoryLine(event=decode_event(text))
    try:
        return decode_by(_line.decode, text)
    except Undecodable as problem:
        raise EventError(messages.NO_ENTRY, line=quote(text), problem=problem.why) from None
