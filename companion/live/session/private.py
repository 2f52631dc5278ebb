"""A recorded session without what names a person: for a file that is made to be sent.

Players are numbered, what people wrote is left out, and a source is named by its kind alone.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePath
from typing import Any

import cv2
import msgspec

from companion.files import read_whole
from companion.foreign_text import redact
from companion.live.own_touches import TAKEN_BACK
from companion.live.reasons import OWN as OWN_REASONS
from companion.live.session.folder import Header, make_id
from companion.live.session.lines import Line
from companion.table.events import Corrected, CurrencyAgreed, Event, GameStarted
from companion.vision.pictures import load_picture

OWN = OWN_REASONS | {TAKEN_BACK}
ID = re.compile("[0-9a-f]{32}")
UNNAMED_SET = "learned set"
PATH = re.compile(r"(?<![\w.])(?:~|[a-z]:)?[/\\][^\s'\"<>/\\]+[/\\][^\s'\"<>]*", re.IGNORECASE)
QUOTED = re.compile("'.*'")
SUFFIX = re.compile(r"\.[a-z0-9]{1,5}")
BARE_MARKERS = {*range(0xC0, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xD0), 0xC4, 0xDA, 0xDB, 0xDD, 0xE0}
"""Markers of the segments of a JPEG file that hold its pixels (ISO/IEC 10918-1), and of JFIF's."""
START, END, SCAN, JFIF, JFIF_BYTES = b"\xff\xd8", b"\xff\xd9", 0xDA, 0xE0, 16
AFTER_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7]", re.DOTALL)
"""The first marker that is not of the scan itself."""
QUALITY = 95


def make_private(header: Header) -> Header:
    """The header, with nobody named."""
    return msgspec.structs.replace(
        header,
        id=header.id if ID.fullmatch(header.id) else make_id(),  # another program may have put a name there
        log=tuple(map(_strip_event, header.log)),
        source=_name_kind(header.source),
        tile_set=UNNAMED_SET if header.tile_set else None,
    )


def strip_line(line: Line, source: str) -> Line:
    """A line of the session of that source, with nobody named."""
    stripped = {
        name: _strip_texts(getattr(line, name), source) for name in ("question", "lost", "found", "doubt")
    }
    sight = line.sight
    if sight is not None and sight.trouble:
        sight = msgspec.structs.replace(sight, trouble=_strip_text(sight.trouble, source))
    event = None if line.event is None else _strip_event(line.event)
    question = stripped["question"]
    if question and "sources" in question:
        question["sources"] = [each.partition(" ")[0] for each in question["sources"]]
    by = line.by and line.source
    return msgspec.structs.replace(line, event=event, by=by, sight=sight, **stripped)


def strip_picture(path: Path) -> bytes:
    """The JPEG file unchanged if it holds pixels only, as the program's own do; else a new one of its pixels.

    Raises OSError, and PictureError for what is not a picture.
    """
    jpeg = read_whole(path)
    if _is_bare(jpeg):
        return jpeg
    return cv2.imencode(".jpg", load_picture(path), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def _strip_event(event: Event) -> Event:
    """The event, with players numbered and without what people wrote or the currency."""
    if isinstance(event, GameStarted):
        a, b, c, d = (f"Player {at}" if name else "" for at, name in enumerate(event.names, start=1))
        return msgspec.structs.replace(event, names=(a, b, c, d), currency=None)
    if isinstance(event, CurrencyAgreed):
        return CurrencyAgreed()
    if isinstance(event, Corrected):
        right = None if event.right is None else _strip_event(event.right)
        more = tuple(map(_strip_event, event.more))
        event = msgspec.structs.replace(event, right=right, more=more)
    why = getattr(event, "why", "")
    return msgspec.structs.replace(event, why="") if why and why not in OWN else event


def _name_kind(source: str) -> str:
    """What a source is, without its name: "rtsp stream", "camera", "recording.mp4"."""
    scheme, is_address, _ = source.partition("://")
    if is_address:
        return f"{scheme} stream"
    if source.startswith("/dev/"):
        return "camera"
    suffix = PurePath(source).suffix.lower()
    return "recording" + (suffix if SUFFIX.fullmatch(suffix) else "")


def _strip_texts(value: Any, source: str) -> Any:
    """Every text in it stripped."""
    if isinstance(value, str):
        return _strip_text(value, source)
    if isinstance(value, dict):
        return {name: _strip_texts(each, source) for name, each in value.items()}
    return [_strip_texts(each, source) for each in value] if isinstance(value, list | tuple) else value


def _strip_text(text: str, source: str) -> str:
    said = redact(text)
    said = said.replace(source, _name_kind(source)) if source else said
    return QUOTED.sub("'…'", PATH.sub("…", said))


def _is_bare(jpeg: bytes) -> bool:
    """Whether nothing but pixels is in the file: no comment, no thumbnail, nothing behind its end."""
    if not jpeg.startswith(START):
        return False
    at = len(START)
    while at + 4 <= len(jpeg) and jpeg[at] == 0xFF and jpeg[at + 1] in BARE_MARKERS:
        marker, length = jpeg[at + 1], int.from_bytes(jpeg[at + 2 : at + 4])
        if marker == JFIF and length != JFIF_BYTES:
            return False
        at += 2 + length
        if marker == SCAN:
            found = AFTER_SCAN.search(jpeg, at)
            return found is not None and found[0] == END and found.end() == len(jpeg)
    return False
