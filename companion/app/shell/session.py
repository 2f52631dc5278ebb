"""The hand of a window on disk, so that closing the window loses nothing.

A damaged file is set aside, never overwritten. `place` says which file a window has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from zlib import crc32

import msgspec

from companion.app.shell.text import Language
from companion.app.tile_sets.lesson import PHOTOS_MAX, Lesson
from companion.decoding import Undecodable, decode_as
from companion.files import read_whole, set_aside, write_whole
from companion.photo_hand.draft import WinDraft
from companion.running.device_views import Choice
from companion.sentences import Sentence, as_text, msgid
from companion.tiles import BACK, KINDS, UNKNOWN

FILE = "session.json"
OTHERS = re.compile(r"session-[0-9]+\.json")
FORMAT = 2
UNCHECKED_FORMAT = 1
"""Of files of earlier programs, which have no checksum."""
HEAD = re.compile(rb'\{\n "checksum": ([0-9]{1,10}),')
"""How a file with a checksum begins: CRC-32 of the bytes that follow."""
KINDS_CODES = frozenset(tile.code for tile in KINDS)
KNOWN_CODES = KINDS_CODES | {BACK, UNKNOWN}

SET_ASIDE = msgid(
    "The saved hand could not be read; the file was set aside as {file}, and you can start anew."
)
NOT_OURS = "it is not as the program writes it"


@dataclass(frozen=True, slots=True)
class Saved:
    """What the file holds; `tile_set` is the name of the set that pictures are read with."""

    facts: WinDraft
    language: Language | None = None
    tile_set: str | None = None
    lesson: Lesson = field(default_factory=Lesson)
    devices: Choice = field(default_factory=Choice)
    format: int = FORMAT


def path_of(folder: Path, number: int) -> Path:
    """The file of the window with that number, from 1, in the data folder."""
    return folder / (FILE if number == 1 else f"session-{number}.json")


def save(path: Path, saved: Saved) -> None:
    """Write `saved` in one step. Raises OSError.

    The name of a picture that is not UTF-8, which JSON cannot hold, is kept with ? for what is not.
    """
    facts, lesson = saved.facts, saved.lesson
    photos = tuple(replace(photo, path=as_text(photo.path)) for photo in lesson.photos)
    picture = None if facts.picture is None else as_text(facts.picture)
    saved = replace(saved, facts=replace(facts, picture=picture), lesson=replace(lesson, photos=photos))
    text = msgspec.json.format(msgspec.json.encode(replace(saved, format=FORMAT)), indent=1)
    body = text.removeprefix(b"{")
    write_whole(path, b'{\n "checksum": %d,' % crc32(body) + body)


def load(path: Path) -> tuple[Saved | None, Sentence | None]:
    """What was saved, and what is to be said about it: what cannot be used is renamed and named.

    Raises OSError where it can be neither used nor renamed: whoever goes on must not write there.
    """
    try:
        return read(path), None
    except FileNotFoundError:
        return None, None
    except (OSError, Undecodable):
        return None, Sentence(SET_ASIDE, {"file": str(set_aside(path))})


def read(path: Path) -> Saved:
    """What was saved. Raises OSError or Undecodable, and leaves the file as it is."""
    content = read_whole(path)
    saved = decode_as(content, Saved)
    if not (_is_as_written(content, saved.format) and _is_ours(saved)):
        raise Undecodable(NOT_OURS)
    return saved


def files(folder: Path) -> Iterator[Path]:
    """Where the windows on this data folder keep their hands."""
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.name == FILE or OTHERS.fullmatch(path.name):
            yield path


def reason(error: OSError) -> str:
    """Why, in a few words."""
    return error.strerror or type(error).__name__


def _is_as_written(content: bytes, format: int) -> bool:
    """Whether nothing has changed in the file: the checksum at its head is that of the bytes after it."""
    head = HEAD.match(content)
    if head is None:
        return format == UNCHECKED_FORMAT
    return format == FORMAT and int(head[1]) == crc32(content[head.end() :])


def _is_ours(saved: Saved) -> bool:
    """Whether the window can have written it."""
    return saved.facts.is_sound and _is_whole(saved.lesson) and saved.devices.is_sound


def _is_whole(lesson: Lesson) -> bool:
    """Whether `lesson` can have come from the window."""
    ids = [tile.id for tile in lesson.tiles]
    return (
        len(lesson.photos) <= PHOTOS_MAX
        and 0 <= lesson.front < max(len(lesson.photos), 1)
        and len(ids) == len(set(ids))
        and {*lesson.doubted} <= {*ids}
        and (lesson.selected is None or lesson.selected in ids)
        and {tile.code for tile in lesson.tiles} <= KNOWN_CODES
        and all(tile.quad is not None for tile in lesson.tiles)
        and all(photo.rows and min(photo.rows) > 0 for photo in lesson.photos)
        and all(sum(photo.rows) == len(photo.tiles) for photo in lesson.photos)
    )
