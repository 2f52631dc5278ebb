"""What a picture file says beside its pixels, read without trusting it: nothing here takes more memory than
the picture needs.

Pillow parses every text, colour profile and EXIF tag when it opens a file, and a few kB of them can claim
gigabytes. So it is given only the parts of a JPEG or PNG that make up the pixels, and a TIFF only when its
directory is small.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import BinaryIO

BLOCK_BYTES = 65_536
"""Longest part of the EXIF or XMP data that is looked at; a JPEG's segment holds no more."""
PIECE_BYTES = 2**20
SEGMENTS_MAX = 20_000  # of a JPEG before its pixels: 1.3 GB of metadata
CHUNKS_MAX = 250_000  # of a PNG: a thousand pixels each at 250 megapixels
SCANS_MAX = 64
"""The most scans of a JPEG: each goes through all pixels; cameras and programs write up to some 20."""
TABLES_MAX_BYTES = 1_000_000  # of what decodes the pixels: a JPEG's tables, a PNG's palette
TIFF_TAGS_MAX_BYTES = 16_000_000  # colour profile, XMP and Photoshop's blocks together
TIFF_STRIPS_MAX = 100_000

# JPEG markers, ITU-T T.81 table B.1
_STANDALONE = {0x01, *range(0xD0, 0xD9)}
_TABLES = {*range(0xC0, 0xD0), 0xDB, 0xDD, 0xE0, 0xEE}  # SOF, DHT, DAC; DQT, DRI, JFIF, Adobe
_SCAN, _APP1 = 0xDA, 0xE1
_SCAN_BEGINS = b"\xff\xda"  # never among the bits of pixels
_SEGMENT = re.compile(rb"\xff([^\x00\xff])")

_ORIENTATION = 0x0112
_XMP_ORIENTATION = re.compile(rb'tiff:Orientation(?:="|>)([1-8])')
_TIFF_SIZES = dict(zip(range(1, 19), (1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8), strict=True))
_TIFF_STRIPS = {273, 279, 324, 325}  # offsets and sizes of strips and of tiles


class HeaderError(ValueError):
    """What comes before the pixels is not as the format has it."""


class OverloadError(ValueError):
    """There is more beside the pixels than a picture needs."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A file as Pillow should see it.

    pixels: only what makes up the pixels; exif, xmp: at most BLOCK_BYTES of each, b"" where there is none;
    scan_components: of a JPEG's first scan, 0 for other files.
    """

    pixels: BinaryIO
    exif: bytes = b""
    xmp: bytes = b""
    scan_components: int = 0


def split_parts(file: BinaryIO) -> Parts:
    """The parts of a picture file; what is neither JPEG nor PNG is left whole. Raises HeaderError,
    OverloadError, and OSError as the file does."""
    file.seek(0)
    head = file.read(8)
    file.seek(0)
    if head.startswith(b"\xff\xd8\xff"):
        return _split_jpeg(file)
    if head == b"\x89PNG\r\n\x1a\n":
        return _split_png(file)
    if head[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"):
        _check_tiff(file, head)
        file.seek(0)
    return Parts(file)


def read_orientation(exif: bytes, xmp: bytes) -> int:
    """How the pixels are to be turned, 1 to 8 as EXIF counts; 1 where neither says it soundly."""
    data = re.sub(rb"^(Exif\0\0){1,2}", b"", exif)
    try:
        order = {b"II": "<", b"MM": ">"}[data[:2]]
        (start,) = struct.unpack_from(order + "I", data, 4)
        (count,) = struct.unpack_from(order + "H", data, start)
        for at in range(start + 2, start + 2 + 12 * count, 12):
            tag, kind = struct.unpack_from(order + "HH", data, at)
            if tag == _ORIENTATION and kind in (3, 4):
                (value,) = struct.unpack_from(order + ("H" if kind == 3 else "I"), data, at + 8)
                return value if 1 <= value <= 8 else 1
    except (KeyError, struct.error):
        pass
    found = _XMP_ORIENTATION.search(xmp)
    return int(found[1]) if found else 1


def _split_jpeg(file: BinaryIO) -> Parts:
    kept, exif, xmp = [(0, 2)], b"", b""
    at = 2
    for _ in range(SEGMENTS_MAX):
        file.seek(at)
        found = _SEGMENT.search(file.read(1024))
        if not found:
            raise HeaderError("no marker")
        if sum(length for _, length in kept) > TABLES_MAX_BYTES:
            raise OverloadError("tables")
        start, marker = at + found.start(), found[1][0]
        if marker in _STANDALONE:
            at = start + 2
            continue
        file.seek(start + 2)
        length = int.from_bytes(file.read(2), "big")
        at = start + 2 + length
        if length < 2:
            raise HeaderError("no length")
        if marker == _SCAN:
            components = int.from_bytes(file.read(1), "big")
            kept.append((start, file.seek(0, io.SEEK_END) - start))
            _check_scans(file, start)
            return Parts(_join(file, kept), exif, xmp, components)
        if marker in _TABLES:
            kept.append((start, at - start))
        elif marker == _APP1:
            data = file.read(length - 2)
            if data.startswith(b"Exif\0\0"):
                exif = exif or data
            elif data.startswith(b"http://ns.adobe.com/xap/1.0/\0"):
                xmp = xmp or data
    raise OverloadError("segments")


def _check_scans(file: BinaryIO, start: int) -> None:
    """Raises OverloadError where more scans begin in the file than a picture needs."""
    file.seek(start)
    scans, last = 0, b""
    while piece := file.read(PIECE_BYTES):
        scans += (last + piece).count(_SCAN_BEGINS)
        last = piece[-1:]
        if scans > SCANS_MAX:
            raise OverloadError("scans")


def _split_png(file: BinaryIO) -> Parts:
    tables, exif, xmp = [(0, 8)], b"", b""
    pixels = (0, 0)  # from, to
    for at, kind, length in _png_chunks(file):
        after = at + 12 + length
        if kind == b"IDAT":
            if pixels[1] in (0, at):
                pixels = (pixels[0] or at, after)
        elif kind in (b"IHDR", b"PLTE", b"tRNS"):
            tables.append((at, 12 + length))
            if sum(length for _, length in tables) > TABLES_MAX_BYTES:
                raise OverloadError("tables")
        elif kind in (b"eXIf", b"iTXt", b"tEXt", b"zTXt"):
            file.seek(at + 8)
            data = file.read(min(length, BLOCK_BYTES))
            exif = exif or (data if kind == b"eXIf" else _decode_raw_profile(data))
            if data.startswith(b"XML:com.adobe.xmp\0"):
                xmp = xmp or data
    return Parts(_join(file, [*tables, (pixels[0], pixels[1] - pixels[0])]), exif, xmp)


def _png_chunks(file: BinaryIO) -> Iterator[tuple[int, bytes, int]]:
    """Place, kind and length of each chunk. Raises OverloadError where there are too many."""
    at = 8
    for _ in range(CHUNKS_MAX):
        file.seek(at)
        head = file.read(8)
        if len(head) < 8 or head[4:] == b"IEND":
            return
        length = int.from_bytes(head[:4], "big")
        yield at, head[4:], length
        at += 12 + length
    raise OverloadError("chunks")


def _decode_raw_profile(chunk: bytes) -> bytes:
    """EXIF data as ImageMagick writes it into a text chunk: hexadecimal digits after three lines."""
    keyword, _, text = chunk.partition(b"\0")
    if keyword != b"Raw profile type exif":
        return b""
    try:
        unpacked = zlib.decompressobj().decompress(text[1:], 2 * BLOCK_BYTES) if text[:1] == b"\0" else text
        return bytes.fromhex("".join(unpacked.decode("ascii").split("\n")[3:]))
    except (zlib.error, ValueError):
        return b""


def _check_tiff(file: BinaryIO, head: bytes) -> None:
    """Raises OverloadError where the directory of the first picture would take much memory to read."""
    order = "<" if head[:2] == b"II" else ">"
    big = 43 in head[2:4]  # BigTIFF: eight bytes where there were four
    number, entry = ("Q", "HHQQ") if big else ("I", "HHII")
    try:
        file.seek(8 if big else 4)
        (start,) = struct.unpack(order + number, file.read(8 if big else 4))
        file.seek(start)
        (count,) = struct.unpack(order + ("Q" if big else "H"), file.read(8 if big else 2))
        size = struct.calcsize("=" + entry)
        directory = file.read(size * min(count, 65_535))
        total = 0
        whole = len(directory) // size * size
        for tag, kind, length, _ in struct.iter_unpack(order + entry, directory[:whole]):
            total += length * _TIFF_SIZES.get(kind, 0)
            if tag in _TIFF_STRIPS and length > TIFF_STRIPS_MAX:
                raise OverloadError("strips")
    except struct.error as error:
        raise HeaderError("directory") from error
    if total > TIFF_TAGS_MAX_BYTES:
        raise OverloadError("tags")


def _join(file: BinaryIO, pieces: Sequence[tuple[int, int]]) -> BinaryIO:
    return io.BufferedReader(_Pieces(file, pieces))


class _Pieces(io.RawIOBase):
    """Pieces of a file, each (start, length) in bytes, read as if nothing lay between them."""

    def __init__(self, file: BinaryIO, pieces: Sequence[tuple[int, int]]) -> None:
        super().__init__()
        self._file = file
        self._pieces = pieces
        self._ends = list(accumulate(length for _, length in pieces))
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        origin = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._ends[-1]}[whence]
        self._at = max(0, origin + offset)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        number = bisect_right(self._ends, self._at)
        if number == len(self._ends):
            return 0
        start, length = self._pieces[number]
        left = self._ends[number] - self._at
        self._file.seek(start + length - left)
        data = self._file.read(min(left, len(buffer)))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)
