"""Events as text: one JSON object a line, the first line of a log its header. Reads and writes no file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from companion.decoding import Undecodable, decode_by
from companion.errors import EventError, quote
from companion.table import messages
from companion.table.events import VERSION, Corrected, Event
from companion.table.fields import Call, Wind

FORMAT = "mahjong-companion-table"
BYTE_ORDER_MARK = "\ufeff"


class LogHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a log."""

    format: str
    version: int


CHOICES = {"round_wind": Wind, "call": Call}
"""The values of the fields of events that have only a few."""
HEADER = LogHeader(FORMAT, VERSION)
_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_header_decoder = msgspec.json.Decoder(LogHeader)


def encode_event(event: Event | LogHeader) -> bytes:
    """The event, or the header of a log, as one line of JSON, without the line's end."""
    return _encoder.encode(event)


def decode_event(line: str | bytes) -> Event:
    """The event on that line; EventError says what is wrong with it."""
    try:
        return decode_by(_decoder.decode, line, CHOICES)
    except Undecodable as problem:
        raise EventError(messages.NO_EVENT, line=_quote_line(line), problem=problem.why) from None


def decode_header(line: str | bytes) -> LogHeader:
    """The header on that line; Raises EventError for anything else, or a newer version."""
    try:
        header = decode_by(_header_decoder.decode, line)
    except Undecodable:
        raise EventError(
            messages.NO_HEADER, line=_quote_line(line), right=_quote_line(encode_event(HEADER))
        ) from None
    if header.format != FORMAT:
        raise EventError(messages.NO_HEADER, line=_quote_line(line), right=_quote_line(encode_event(HEADER)))
    if header.version > VERSION:
        raise EventError(messages.TOO_NEW, given=header.version, known=VERSION)
    return header


def encode_log(events: Iterable[Event]) -> Iterator[bytes]:
    """The lines of a log, each with its end: the header, then the events."""
    yield encode_event(HEADER) + b"\n"
    for event in events:
        yield encode_event(event) + b"\n"


def decode_log(lines: Iterable[str | bytes]) -> Iterator[tuple[int, Event]]:
    """The events of a log, each with the number of its line; blank lines count, and say nothing.

    EventError names the line that is wrong.
    """
    header: LogHeader | None = None
    for number, line in enumerate(lines, start=1):
        try:
            text = decode_text(line)
            if not text:
                continue
            if header is None:
                header = decode_header(text)
            else:
                yield number, decode_event(text)
        except EventError as problem:
            raise EventError(messages.IN_LINE, number=number, problem=problem) from None


def decode_text(line: str | bytes) -> str:
    """The line without spaces around it, and without the mark with which some programs begin UTF-8 text.

    EventError where it is other text.
    """
    try:
        text = line if isinstance(line, str) else line.decode()
    except UnicodeDecodeError:
        raise EventError(messages.NOT_UTF8) from None
    return text.removeprefix(BYTE_ORDER_MARK).strip()


def _quote_line(line: str | bytes) -> str:
    return quote((line if isinstance(line, str) else line.decode("utf-8", "replace")).strip())


def apply_corrections(events: Iterable[Event]) -> list[Event]:
    """The events with all corrections applied; see `number_corrected`."""
    return [event for _, event in number_corrected(events)]


def number_corrected(events: Iterable[Event]) -> list[tuple[int, Event]]:
    """The events with all corrections applied, each in the place of the event that it corrects.

    Each stands with its number in the log, from 1; several that stand for one have its number. A correction
    may itself be corrected. EventError where one names an event that is not before it.
    """
    entered = list(events)
    rights: dict[int, tuple[Event, ...]] = {}
    found: list[tuple[int, Event]] = []
    for number in range(len(entered), 0, -1):
        for event in reversed(rights.get(number, (entered[number - 1],))):
            if not isinstance(event, Corrected):
                found.append((number, event))
                continue
            last = event.upto or event.number
            if not event.number <= last < number:
                raise EventError(messages.NOTHING_TO_CORRECT, number=event.number, at=number)
            rights.setdefault(event.number, event.rights)
            for other in event.others:
                if not isinstance(entered[other - 1], Corrected):
                    rights.setdefault(other, ())
    return found[::-1]
