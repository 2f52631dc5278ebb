"""What a window keeps on disk, each feature its own part, so that closing the window loses nothing.

A damaged file is set aside, never overwritten. `place` says which file a window has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from companion.app.shell.features import PARTS
from companion.app.shell.older_sessions import separate_parts
from companion.files import make_checksum, read_whole, set_aside, write_whole
from companion.foreign import Undecodable, decode_as, decode_by
from companion.sentences import Sentence, msgid
from companion.words import Language

FILE = "session.json"
OTHERS = re.compile(r"session-[0-9]+\.json")
FORMAT = 4
CRC_FORMAT = 3
"""Of files of earlier programs, whose checksum is CRC-32."""
FLAT_FORMAT = 2
"""The same, the parts of the features not apart."""
UNCHECKED_FORMAT = 1
"""The same, without a checksum."""
HEAD = re.compile(rb'\{\n "checksum": (?:"([0-9a-f]{32})"|([0-9]{1,10})),')
"""How a file with a checksum begins: that of the bytes that follow, or their CRC-32."""

SET_ASIDE = msgid(
    "The saved hand could not be read; the file was set aside as {file}, and you can start anew."
)
NOT_OURS = "it is not as the program writes it"


@dataclass(frozen=True, slots=True)
class Session:
    """What a window keeps: its language, and what each feature keeps, by the feature's name."""

    language: Language | None = None
    parts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _File:
    """What the file holds, its parts not decoded yet."""

    parts: dict[str, msgspec.Raw]
    language: Language | None = None
    format: int = FORMAT


@dataclass(frozen=True, slots=True)
class _Format:
    format: int = FLAT_FORMAT


def path_of(folder: Path, number: int) -> Path:
    """The file of the window with that number, from 1, in the data folder."""
    return folder / (FILE if number == 1 else f"session-{number}.json")


def save(path: Path, kept: Session) -> None:
    """Write `kept` in one step. Raises OSError."""
    file = {"parts": kept.parts, "language": kept.language, "format": FORMAT}
    text = msgspec.json.format(msgspec.json.encode(file), indent=1)
    body = text.removeprefix(b"{")
    write_whole(path, b'{\n "checksum": "%b",' % make_checksum(body).hex().encode() + body)


def load(path: Path) -> tuple[Session | None, Sentence | None]:
    """What was saved, and what is to be said about it: what cannot be used is renamed and named.

    Raises OSError where it can be neither used nor renamed: whoever goes on must not write there.
    """
    try:
        return read(path), None
    except FileNotFoundError:
        return None, None
    except (OSError, Undecodable):
        return None, Sentence(SET_ASIDE, {"file": str(set_aside(path))})


def read(path: Path) -> Session:
    """What was saved. Raises OSError or Undecodable, and leaves the file as it is."""
    return decode_by(_decode, read_whole(path))


def _decode(content: bytes) -> Session:
    format = decode_as(content, _Format).format
    if not _is_as_written(content, format):
        raise Undecodable(NOT_OURS)
    file = decode_as(content if format >= CRC_FORMAT else separate_parts(content), _File)
    parts = {
        name: decode_as(bytes(raw), PARTS[name].kind) for name, raw in file.parts.items() if name in PARTS
    }
    if not all(PARTS[name].is_sound(part) for name, part in parts.items()):
        raise Undecodable(NOT_OURS)
    return Session(file.language, parts)


def files(folder: Path) -> Iterator[Path]:
    """Where the windows on this data folder keep their hands."""
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.name == FILE or OTHERS.fullmatch(path.name):
            yield path


def _is_as_written(content: bytes, format: int) -> bool:
    """Whether nothing has changed in the file: the checksum at its head is that of the bytes after it."""
    head = HEAD.match(content)
    if head is None:
        return format == UNCHECKED_FORMAT
    body = content[head.end() :]
    if head[1] is not None:
        return format == FORMAT and head[1].decode() == make_checksum(body).hex()
    return format in (FLAT_FORMAT, CRC_FORMAT) and int(head[2]) == crc32(body)
