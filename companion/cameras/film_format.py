"""How the pictures of an MP4 or MOV film are stored, as far as FFmpeg does not undo it well: HLG and PQ.

FFmpeg 8 cuts off all light above the white of ordinary pictures, and takes a quarter of a second for each. So
it is made to believe that the film is an ordinary one: the bytes that say something else, in the `colr` box,
in the decoder's parameters and in messages among the pictures, are replaced on their way to it, and
`map_tones` maps its pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from companion.files import open_file
from companion.vision.tone_mapping import HLG, PQ

BOXES_MAX = 1000  # before the header; a film in fragments has one for each second or so
HEADER_MAX_BYTES = 2**26  # ten hours of a film have some 20 MB
PARAMETERS_MAX_BYTES = 4096
FILM_MAX_BYTES = 2**50
COLOURS = re.compile(rb"colrncl[xc]\0(.)\0([\x10\x12])\0(.)", re.DOTALL)
"""ISO/IEC 14496-12, section 12.1.5: primaries, transfer, matrix."""
PARAMETERS = re.compile(rb"(.{4})(?:hvcC|avcC)", re.DOTALL)
ORDINARY = 1
"""BT.709, of primaries and transfer alike: H.273."""
MESSAGE = bytes([0x4E, 0x01, 147, 1, HLG])
"""That the transfer is HLG whatever the parameters say: ITU-T H.265, section D.2.38. One encoder sends it
before every picture that begins anew."""
MESSAGE_WITHIN = 2**20  # bytes of the film's data, in which it has come if it comes
MESSAGES_MAX = 400  # each takes two open files
PIECE_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class FilmFormat:
    """transfer, primaries: of an HLG or PQ film, as `map_tones` takes them; None of an ordinary one. patches:
    where in the file, and by which bytes, what says so is replaced."""

    transfer: int | None = None
    primaries: int = ORDINARY
    patches: tuple[tuple[int, bytes], ...] = ()


def read_film_format(path: Path) -> FilmFormat:
    """Of a film; that of an ordinary film where the file says nothing, or is not MP4 or MOV."""
    with suppress(OSError), open_file(path, FILM_MAX_BYTES) as file:
        boxes = list(_list_boxes(file))
        for start, length in (box[1:] for box in boxes if box[0] == b"moov"):
            file.seek(start)
            header = file.read(min(length, HEADER_MAX_BYTES))
            if found := COLOURS.search(header):
                data = next((box[1] for box in boxes if box[0] == b"mdat"), 0)
                messages = _find_messages(file, data)
                return FilmFormat() if messages is None else _read_colours(found, header, start, messages)
    return FilmFormat()


def _list_boxes(file: IO[bytes]) -> Iterator[tuple[bytes, int, int]]:
    """Kind, place and length of each box: ISO/IEC 14496-12, section 4.2."""
    at = 0
    for _ in range(BOXES_MAX):
        if at > FILM_MAX_BYTES:
            return
        file.seek(at)
        head = file.read(16)
        if len(head) < 16:
            return
        length, kind = int.from_bytes(head[:4], "big"), head[4:8]
        if length == 1:
            length = int.from_bytes(head[8:], "big")
        yield kind, at, length
        if length < 8:
            return
        at += length


def _find_messages(file: IO[bytes], start: int) -> list[int] | None:
    """Where the film says that it is HLG, after that place; None where it says so too often."""
    file.seek(start)
    places: list[int] = []
    at, last = start, b""
    while piece := file.read(PIECE_BYTES):
        content = last + piece
        found = -1
        while (found := content.find(MESSAGE, found + 1)) >= 0:
            places.append(at - len(last) + found)
            if len(places) > MESSAGES_MAX:
                return None
        at += len(piece)
        last = content[1 - len(MESSAGE) :]
        if not places and at - start >= MESSAGE_WITHIN:
            return []
    return places


def _read_colours(found: re.Match[bytes], header: bytes, start: int, messages: Iterable[int]) -> FilmFormat:
    primaries, transfer, matrix = (value[0] for value in found.groups())
    assert transfer in (PQ, HLG)
    patches = [(place + len(MESSAGE) - 1, bytes([ORDINARY])) for place in messages]
    patches += [(start + each.start(1), bytes([ORDINARY, 0, ORDINARY])) for each in COLOURS.finditer(header)]
    stated, replaced = bytes([primaries, transfer, matrix]), bytes([ORDINARY, ORDINARY, matrix])
    for box in PARAMETERS.finditer(header):
        length = min(int.from_bytes(box[1], "big"), PARAMETERS_MAX_BYTES)
        content = header[box.end() : box.start() + length]
        changed = _replace_bits(content, stated, replaced)
        if changed != content:
            patches.append((start + box.end(), changed))
    return FilmFormat(transfer, primaries, tuple(sorted(patches)))


def _replace_bits(content: bytes, old: bytes, new: bytes) -> bytes:
    """The content with `old` replaced by `new` wherever it begins, between two bytes or at any bit."""
    size = 8 * len(content)
    for shift in range(8):
        value = int.from_bytes(content, "big")
        moved = (value << shift) & ((1 << size) - 1)
        at = moved.to_bytes(len(content), "big").find(old)
        if at >= 0:
            change = int.from_bytes(old, "big") ^ int.from_bytes(new, "big")
            value ^= change << (size - 8 * (at + len(old)) - shift)
            content = value.to_bytes(len(content), "big")
    return content
