"""Image files in: decoded, or refused with one sentence. Pixels always stand as the EXIF tag says.

Files from elsewhere are taken apart first (JPEG, PNG, TIFF containers), limits apply before pixels are
decoded, and large pictures are decoded smaller. libheif decodes HEIC, Pillow and OpenCV all other formats.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import math
import re
import struct
import threading
import warnings
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import SEEK_END, BytesIO
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import BmpImagePlugin, ImageFile, JpegImagePlugin, TiffImagePlugin, UnidentifiedImageError, _imaging
from PIL import Image as PillowImage

from companion.errors import PictureError
from companion.images import Image
from companion.vision.tone_mapping import HLG, PQ, map_tones

BLOCK_BYTES = 65_536
"""Longest part of the EXIF or XMP data that is read; a JPEG's segment holds no more."""
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

_EXIF_ORIENTATION = 0x0112
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

    pixels: only what makes up the pixels; exif, xmp: at most BLOCK_BYTES of each, b"" without one;
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
    """How the pixels are to be turned, 1 to 8 as EXIF counts; 1 where neither is sound."""
    data = re.sub(rb"^(Exif\0\0){1,2}", b"", exif)
    try:
        order = {b"II": "<", b"MM": ">"}[data[:2]]
        (start,) = struct.unpack_from(order + "I", data, 4)
        (count,) = struct.unpack_from(order + "H", data, start)
        for at in range(start + 2, start + 2 + 12 * count, 12):
            tag, kind = struct.unpack_from(order + "HH", data, at)
            if tag == _EXIF_ORIENTATION and kind in (3, 4):
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


SHRINKS = (1, 2, 4, 8)  # what a JPEG's decoder can do
MARKS = 64  # pixels
STRIP_PIXELS = 500_000  # converted at a time

BGR_BYTES = 3  # a pixel
COEFFICIENT_BYTES = 2  # in libjpeg, which keeps all of a JPEG of several scans
WEBP_BYTES, ANIMATED_WEBP_BYTES = 9, 12  # a pixel, as measured: lossless and with transparency
AVIF_BYTES = 12  # a pixel; 9 were measured of 4:2:0, 10 of 4:4:4
HEIF_BYTES, DEEP_HEIF_BYTES = 7, 16  # a pixel, as measured: of 4:4:4 with 8 bits a colour, and with more
HALVED_HEIF_BYTES, HALVED_DEEP_HEIF_BYTES = 5, 12  # and of 4:2:0, as phones take them
RLE_BYTES = 2  # a pixel, besides its one, while Pillow unpacks a BMP
TILE_PIXELS_MAX = 4096 * 4096  # of a TIFF whose picture is smaller than that
PIXEL_BYTES = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I;16B": 2, "I;16L": 2}  # by Pillow's mode; others: 4
NUMBERS = frozenset({"I", "F"})  # Pillow's modes of 32 bits, which do not say what is black and what white

_WIDTH, _HEIGHT, _BITS, _PHOTOMETRIC, _ORIENTATION, _ROWS = 256, 257, 258, 262, 274, 278
_COMPRESSION, _SAMPLES, _PLANES, _TILE_WIDTH, _TILE_LENGTH = 259, 277, 284, 322, 323  # tags of TIFF 6.0
_WHITE_IS_ZERO = 0
_JPEGS = (6, 7)

with contextlib.suppress(AttributeError, OSError):  # where Pillow's own libtiff is out of reach it writes on
    _silence = ctypes.CDLL(_imaging.__file__).TIFFSetErrorHandler
    _silence.argtypes, _silence.restype = [ctypes.c_void_p], ctypes.c_void_p
    _silence(None)  # else it writes to the screen what we say in a sentence


class UnreadableError(ValueError):
    """The pixels are numbers, and it is unknown which of them is black and which white."""


def estimate_bytes(opened: ImageFile.ImageFile, parts: Parts, shrink: int) -> float:
    """The most memory, bytes, that `decode` will take, but for a strip. Raises UnreadableError for pixels
    that are not colours."""
    if opened.mode in NUMBERS or _is_halved(opened):
        raise UnreadableError(opened.mode)
    pixels = float(math.prod(opened.size))
    result = BGR_BYTES * pixels / shrink**2
    decoded = PIXEL_BYTES.get(opened.mode, 4) * pixels
    if isinstance(opened, JpegImagePlugin.JpegImageFile):
        decoded /= shrink**2
        return max(_coefficients(opened, parts) + decoded, decoded + result)
    if opened.format == "HEIF":
        is_deep = opened.info["bit_depth"] > 8
        if opened.info.get("chroma") == 420:
            return (HALVED_DEEP_HEIF_BYTES if is_deep else HALVED_HEIF_BYTES) * pixels
        return (DEEP_HEIF_BYTES if is_deep else HEIF_BYTES) * pixels
    if opened.format == "AVIF":
        return AVIF_BYTES * pixels
    if opened.format == "WEBP":
        animated = getattr(opened, "is_animated", False)
        each = ANIMATED_WEBP_BYTES if animated else WEBP_BYTES
        return max(each * pixels, BGR_BYTES * pixels + result)
    if isinstance(opened, TiffImagePlugin.TiffImageFile):
        return decoded + max(_longest_strip(opened), result)
    if isinstance(opened, BmpImagePlugin.BmpImageFile) and opened.tile[0][0] == "bmp_rle":
        return decoded + max(RLE_BYTES * pixels, result)
    return decoded + result


def is_decoded_shrunk(opened: ImageFile.ImageFile) -> bool:
    """Whether the decoder can decode fewer pixels directly, in less time than all of them."""
    return isinstance(opened, JpegImagePlugin.JpegImageFile)


def read_direction(opened: ImageFile.ImageFile, parts: Parts) -> int:
    """How the stored pixels are to be turned, 1 to 8 as EXIF counts."""
    if isinstance(opened, TiffImagePlugin.TiffImageFile):
        stored = opened.tag_v2.get(_ORIENTATION, 1)
        return stored if stored in range(1, 9) else 1
    if opened.format == "HEIF":  # libheif has turned it, and EXIF need not say so: ISO/IEC 23008-12, 6.5.10
        return 1
    exif, xmp = (opened.info.get(name) or b"" for name in ("exif", "xmp"))  # of a WebP or AVIF
    return read_orientation(parts.exif or exif, parts.xmp or xmp)


def stored_size(opened: ImageFile.ImageFile) -> tuple[int, int]:
    """Width and height of the pixels before they are turned."""
    if isinstance(opened, TiffImagePlugin.TiffImageFile):  # Pillow's size is that of the upright picture
        return opened.tag_v2[_WIDTH], opened.tag_v2[_HEIGHT]
    return opened.size


def decode(opened: ImageFile.ImageFile, parts: Parts, shrink: int) -> NDArray[np.uint8]:
    """The pixels, (h, w, 3) BGR, upright, 1, 2, 4 or 8 times smaller than in the file, sides rounded up.
    Raises whatever Pillow raises for damage."""
    turn = read_direction(opened, parts)
    width, height = stored_size(opened)
    columns, rows = -(-width // shrink), -(-height // shrink)
    result = np.empty((columns, rows, 3) if turn >= 5 else (rows, columns, 3), np.uint8)
    stored = view_as_stored(result, turn)
    if isinstance(opened, JpegImagePlugin.JpegImageFile):
        opened.draft(None, (max(1, width // shrink), max(1, height // shrink)))
        shrink //= opened.decoderconfig[0]  # by less where a side is but a few pixels
    row = 0
    for strip in _read_strips(opened, parts, shrink):
        if shrink > 1:
            strip = _shrink(strip, shrink)
        stored[row : row + len(strip)] = strip
        row += len(strip)
    return result


def view_as_stored(upright: NDArray[np.uint8], turn: int) -> NDArray[np.uint8]:
    """A view of an upright picture as it lies in a file of EXIF direction `turn`."""
    if turn in (2, 3, 6, 7):
        upright = upright[:, ::-1]
    if turn in (3, 4, 7, 8):
        upright = upright[::-1]
    return upright.swapaxes(0, 1) if turn >= 5 else upright


def _coefficients(opened: JpegImagePlugin.JpegImageFile, parts: Parts) -> float:
    """What libjpeg keeps while it decodes: all coefficients where they come in several scans."""
    if not opened.info.get("progressive") and parts.scan_components == len(opened.layer):
        return 0
    widest, highest = (max(layer[at] for layer in opened.layer) for at in (1, 2))
    samples = sum(layer[1] * layer[2] for layer in opened.layer) / (widest * highest)
    return COEFFICIENT_BYTES * samples * math.prod(opened.size)


def _is_halved(opened: ImageFile.ImageFile) -> bool:
    """Whether Pillow would read sixteen bits as eight: in an unpacked TIFF with a plane for each colour."""
    tags = getattr(opened, "tag_v2", {})
    return tags.get(_PLANES) == 2 and opened.tile[0][0] == "raw" and max(tags.get(_BITS, (8,))) > 8


def _longest_strip(opened: TiffImagePlugin.TiffImageFile) -> float:
    """Bytes of a strip or tile, which is unpacked as a whole, RGBA where libtiff converts colours. Raises
    OverloadError for tiles that are far larger than the picture."""
    offsets = sorted(tile[2] for tile in opened.tile)
    if opened.tile[0][0] == "raw":  # Pillow reads on to where the next begins, and joins what it has read
        return 2.0 * max((end - start for start, end in pairwise(offsets)), default=0)
    width, height = stored_size(opened)
    tags = opened.tag_v2
    pixels = max(
        width * min(height, tags.get(_ROWS, height)), tags.get(_TILE_WIDTH, 0) * tags.get(_TILE_LENGTH, 0)
    )
    if pixels > max(TILE_PIXELS_MAX, width * height):
        raise OverloadError("tiles")
    each = max(4, sum(tags.get(_BITS, (1,))) / 8)
    if tags.get(_COMPRESSION) in _JPEGS:  # of several scans, at worst
        each += COEFFICIENT_BYTES * tags.get(_SAMPLES, 1)
    return float(pixels * each)


def _read_strips(opened: ImageFile.ImageFile, parts: Parts, shrink: int) -> Iterator[NDArray[np.uint8]]:
    """The stored pixels, BGR, some rows at a time, of which but for the last there are whole multiples of
    `shrink`."""
    width, height = opened.size
    if opened.format == "HEIF":
        yield from _decode_heif(parts.pixels)
        return
    if opened.format == "WEBP":
        parts.pixels.seek(0)
        content = np.frombuffer(parts.pixels.read(), np.uint8)
        whole = cv2.imdecode(content, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
        if whole is None or whole.shape != (height, width, 3):
            raise ValueError("not decoded")
        yield whole.astype(np.uint8, copy=False)
        return
    if isinstance(opened, TiffImagePlugin.TiffImageFile):
        opened.load_end = lambda: None  # type: ignore[method-assign]  # it would turn a copy, and read more tags
    must_be_whole = not ImageFile.LOAD_TRUNCATED_IMAGES
    marks = _mark_last_pixels(opened) if opened.format == "PNG" and must_be_whole else []
    opened.load()
    width, height = opened.im.size
    if marks and marks == _read_last_pixels(opened, len(marks)):
        raise ValueError("the data ended early")  # which Pillow takes for black
    rows = max(1, STRIP_PIXELS // width // shrink) * shrink
    for top in range(0, height, rows):
        strip = opened.crop((0, top, width, min(height, top + rows)))
        yield cv2.cvtColor(_to_rgb(strip, opened), cv2.COLOR_RGB2BGR).astype(np.uint8, copy=False)


def _decode_heif(file: BinaryIO) -> Iterator[NDArray[np.uint8]]:
    """The pixels of the main picture, BGR, of 8 bits, which are freed with this iterator. Raises whatever
    libheif raises for damage."""
    from pi_heif import open_heif

    found = open_heif(file, bgr_mode=True)
    pixels = np.asarray(found[found.primary_index])
    grey = pixels.ndim == 2
    colours = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR) if grey else pixels[:, :, :3], np.uint8)
    stated = found.info.get("nclx_profile") or {}
    transfer = stated.get("transfer_characteristics")
    if transfer in (PQ, HLG):
        yield map_tones(colours, transfer, stated["color_primaries"])
    else:
        yield colours


def _mark_last_pixels(opened: ImageFile.ImageFile) -> list[Any]:
    """The marks that it paints over what will be the last pixels; no picture has the same there by chance."""
    opened.im = PillowImage.new(opened.mode, opened.size).im
    width, height = opened.size
    count = MARKS if width >= MARKS else 0
    bands = len(opened.getbands())
    for at in range(count):
        value = 255 if at * at % 7 % 3 == 1 else 0
        colour = value if bands == 1 else (value,) * bands
        opened.im.putpixel((width - count + at, height - 1), colour)
    return _read_last_pixels(opened, count)


def _read_last_pixels(opened: ImageFile.ImageFile, count: int) -> list[Any]:
    width, height = opened.im.size
    return [opened.im.getpixel((width - count + at, height - 1)) for at in range(count)]


def _to_rgb(strip: PillowImage.Image, opened: ImageFile.ImageFile) -> NDArray[np.uint8]:
    """The pixels of a strip as (h, w, 3) RGB; sixteen-bit grey is scaled, where Pillow would clip it to
    white."""
    if strip.mode.startswith("I;16"):
        tags = getattr(opened, "tag_v2", {})
        grey = (np.asarray(strip) >> tags.get(_BITS, (16,))[0] - 8).astype(np.uint8)
        if tags.get(_PHOTOMETRIC) == _WHITE_IS_ZERO:
            grey = ~grey
        return np.repeat(grey[:, :, None], 3, axis=2)
    if strip.mode == "La":
        strip = strip.convert("LA")
    return np.asarray(strip.convert("RGB"))


def _shrink(strip: NDArray[np.uint8], shrink: int) -> NDArray[np.uint8]:
    """Means of shrink × shrink pixels; the last column and row are repeated where a side is not a
    multiple."""
    height, width = strip.shape[:2]
    below, beside = -height % shrink, -width % shrink
    if below or beside:
        strip = np.pad(strip, ((0, below), (0, beside), (0, 0)), mode="edge")
    size = (strip.shape[1] // shrink, strip.shape[0] // shrink)
    return np.asarray(cv2.resize(strip, size, interpolation=cv2.INTER_AREA), np.uint8)


DECODING_MAX_BYTES = 172_000_000
"""What decoding one picture may take, seven bytes a pixel where nothing is shrunk: `companion read` stays
well under 500 MB, and the window at about that."""
WHOLE_MEGAPIXELS_MAX = 24.6  # larger pictures are shrunk: cameras of phones make 24.5
TAKEN_WHOLE_MAX_BYTES = 32_000_000  # of a WebP, HEIC or AVIF file, which its decoder takes as a whole
PillowImage.MAX_IMAGE_PIXELS = None  # Pillow's own limit would warn below ours and speak of attacks above


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest picture that is decoded: bytes of its file, megapixels, and px of its longer side."""

    file_bytes: int
    megapixels: float
    side_px: int


PHOTO = Limits(2**31, 250, 32_000)
"""The largest sensors of phones have 200 megapixels. OpenCV warps nothing from 32767 px on; phones make
panoramas of up to 30000."""
FRAME = Limits(2**26, 24, 8_192)
"""Frames of cameras and pictures of winning hands. The largest frame that is recorded has 16 megapixels."""
CROP = Limits(2**20, 1, 2_048)
"""Small pictures of one tile."""

FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "AVIF")
"""What cameras, phones and screenshots produce. Pillow opens more, some of it by starting other programs."""
HEIF = ("HEIF",)
"""Pillow's name of HEIC, which `pi_heif` adds when the first one is read."""
CUT_FORMATS = ("JPEG", "PNG")
"""Of these, a file that was cut short is read as far as it goes: their pixels are stored from top to bottom,
or coarsely at first."""
SHOWN_MIN = 0.1  # share of its rows, from which such a picture is read
SPARSE = 8  # every eighth pixel of a row says whether the row is there
_SPELT = {"WEBP": "WebP", "HEIF": "HEIC"}  # where a format's name is not written as Pillow writes it

ABSENT = "There is no picture at '{path}': check the name."
FOLDER = "'{path}' is a folder: name a picture in it."
NOT_A_FILE = "'{path}' is not a file: save the picture as a file first."
NOT_A_PICTURE = (
    "'{path}' is not a picture that can be read: use a JPEG, HEIC, PNG, WebP, AVIF, BMP or TIFF file."
)
TRUNCATED = "'{path}' is damaged or cut short: copy it again from the camera."
SHUT = "'{path}' cannot be opened ({why}): check its name and whether you may read it."
TOO_LARGE = (
    "'{path}' has {width} × {height} pixels ({megapixels} megapixels), and at most {limit} megapixels of "
    "{kind} pictures like it can be read: save a smaller copy."
)
TOO_LONG = (
    "'{path}' has {width} × {height} pixels, and at most {limit} a side can be read: save a smaller copy."
)
TOO_HEAVY = (
    "'{path}' is a picture of {megabytes} MB in the format {kind}, and at most {limit} MB can be read: save "
    "it as a JPEG."
)
UNREAD_TIFF = (
    "'{path}' is a TIFF picture of a kind that is not read: save it with 8 bits a colour, or as a JPEG."
)
TOO_MANY_BYTES = "'{path}' has {megabytes} MB, and at most {limit} MB can be read: save a smaller copy."
NO_MEMORY = "'{path}' needs more memory than is available: close other programs, or save a smaller copy."
OVERLOADED = "'{path}' contains too much data besides the picture: save it again as a JPEG."


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A picture file, decoded.

    pixels: (h, w, 3) uint8 BGR, upright, `shrink` times smaller than in the file, 1, 2, 4 or 8;
    width, height: px in the file, of the upright picture; least_shrink: with which `load_photo` gives all
    the detail that it can; is_cut: whether the file was cut short, and the rest of the picture is missing.
    """

    pixels: Image
    width: int
    height: int
    shrink: int
    least_shrink: int
    is_cut: bool = False


_decoding = threading.Lock()
"""Pictures are decoded one at a time: the window makes small ones beside the one that is read."""


def load_picture(path: Path) -> Image:
    """The pixels of `load_photo`. Raises PictureError."""
    return load_photo(path).pixels


def load_photo(
    path: Path, side_px: float | None = None, *, if_faster: bool = False, may_be_cut: bool = False
) -> Photo:
    """The photo in a picture file, turned upright by its EXIF direction. It is shrunk where it has more than
    WHOLE_MEGAPIXELS_MAX or where decoding would take more than DECODING_MAX_BYTES otherwise; and where
    `side_px` is given, as long as the longer side keeps that many px, `if_faster` only in a format that is
    decoded the faster for it, as JPEG is. may_be_cut: whether a file of CUT_FORMATS that was cut short is
    decoded as far as it goes.

    Raises PictureError for a folder, and for a file that is absent, shut, none of FORMATS and HEIF, damaged
    or too large.
    """
    with _refuse(path):
        if path.is_dir():
            raise PictureError(FOLDER, path=path)
        if not path.exists():
            raise PictureError(ABSENT, path=path)
        if not path.is_file():
            raise PictureError(NOT_A_FILE, path=path)
        with path.open("rb") as file:
            return _load(path, file, PHOTO, side_px, if_faster, may_be_cut)


def decode_photo(content: bytes, limits: Limits, name: object, side_px: float | None = None) -> Photo:
    """The picture in the bytes of a foreign file, as `load_photo` decodes one; name: what errors call it.

    Raises PictureError for everything that is not a picture within these limits.
    """
    with _refuse(name):
        return _load(name, BytesIO(content), limits, side_px, if_faster=False)


@contextmanager
def _refuse(name: object) -> Iterator[None]:
    """Turn whatever decoding raises, which may be anything for a damaged file, into a PictureError."""
    try:
        yield
    except PictureError:
        raise
    except OverloadError as error:
        raise PictureError(OVERLOADED, path=name) from error
    except (UnidentifiedImageError, HeaderError) as error:
        raise PictureError(NOT_A_PICTURE, path=name) from error
    except UnreadableError as error:
        raise PictureError(UNREAD_TIFF, path=name) from error
    except MemoryError as error:
        raise PictureError(NO_MEMORY, path=name) from error
    except Exception as error:
        if isinstance(error, OSError) and error.errno:
            raise PictureError(SHUT, path=name, why=error.strerror) from error
        raise PictureError(TRUNCATED, path=name) from error


def _load(
    name: object,
    file: BinaryIO,
    limits: Limits,
    side_px: float | None,
    if_faster: bool,
    may_be_cut: bool = False,
) -> Photo:
    size, head = file.seek(0, SEEK_END), _read_head(file)
    megabytes = math.ceil(size / 1e6)
    if (kind := _taken_whole(head)) and size > TAKEN_WHOLE_MAX_BYTES:
        limit = TAKEN_WHOLE_MAX_BYTES // 10**6
        raise PictureError(TOO_HEAVY, path=name, kind=kind, megabytes=megabytes, limit=limit)
    if size > limits.file_bytes:
        raise PictureError(TOO_MANY_BYTES, path=name, megabytes=megabytes, limit=limits.file_bytes // 10**6)
    with _decoding, warnings.catch_warnings(action="ignore"):
        parts, opened = _open(name, file, head)
        with opened:
            try:
                return _decode(name, opened, parts, limits, side_px, if_faster)
            except (OSError, ValueError, SyntaxError, struct.error) as error:
                is_cut = opened.format in CUT_FORMATS and not getattr(error, "errno", None)
                if not (may_be_cut and is_cut) or isinstance(error, PictureError | OverloadError):
                    raise
                cut = error
        parts, opened = _open(name, file, head)
        with opened, _decoding_as_far_as_it_goes():
            photo = _decode(name, opened, parts, limits, side_px, if_faster)
    if _shown_share(view_as_stored(photo.pixels, read_direction(opened, parts))) < SHOWN_MIN:
        raise cut
    return replace(photo, is_cut=True)


def _open(name: object, file: BinaryIO, head: bytes) -> tuple[Parts, ImageFile.ImageFile]:
    try:
        parts = split_parts(file)
        if _taken_whole(head) == "HEIC":
            from pi_heif import register_heif_opener

            register_heif_opener(thumbnails=False, depth_images=False, aux_images=False)
            return parts, PillowImage.open(parts.pixels, formats=FORMATS + HEIF)
        return parts, PillowImage.open(parts.pixels, formats=FORMATS)
    except (UnidentifiedImageError, HeaderError) as error:
        if head.startswith((b"II*\0", b"MM\0*")):
            raise PictureError(UNREAD_TIFF, path=name) from error
        if _taken_whole(head):
            raise PictureError(TRUNCATED, path=name) from error
        raise


def _taken_whole(head: bytes) -> str | None:
    """The format of a file that begins like this, where its decoder takes the file as a whole. HEIC and AVIF
    name themselves in their first box: ISO/IEC 23008-12, annex B; a file for both decoders counts as HEIC."""
    if head.startswith(b"RIFF"):
        return "WebP"
    if head[4:8] != b"ftyp":
        return None
    if head[8:] in (b"avif", b"avis"):
        return "AVIF"
    return (
        "HEIC"
        if head[8:] in (b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1")
        else None
    )


@contextmanager
def _decoding_as_far_as_it_goes() -> Iterator[None]:
    """Pillow decodes what there is of a picture that was cut short; only while `_decoding` is held."""
    ImageFile.LOAD_TRUNCATED_IMAGES = True
    try:
        yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = False


def _shown_share(stored: NDArray[np.uint8]) -> float:
    """The share of the rows of a picture, as stored, above those that are all like the last one: decoders
    fill what is missing with one colour a row."""
    sparse = stored[:, ::SPARSE]
    differs = np.flatnonzero((sparse != sparse[-1:]).any(axis=(1, 2)))
    return float(differs[-1] + 1) / len(stored) if len(differs) else 0.0


def _decode(
    name: object,
    opened: ImageFile.ImageFile,
    parts: Parts,
    limits: Limits,
    side_px: float | None,
    if_faster: bool,
) -> Photo:
    width, height = opened.size
    if max(width, height) > limits.side_px:
        raise PictureError(
            TOO_LONG, path=name, width=str(width), height=str(height), limit=str(limits.side_px)
        )
    if if_faster and not is_decoded_shrunk(opened):
        side_px = None
    needed = {shrink: estimate_bytes(opened, parts, shrink) for shrink in SHRINKS}
    megapixels = width * height / 1e6
    possible = [
        shrink
        for shrink in SHRINKS
        if needed[shrink] <= DECODING_MAX_BYTES and megapixels <= WHOLE_MEGAPIXELS_MAX * shrink**2
    ]
    if not possible or megapixels > limits.megapixels:
        limit = min(limits.megapixels, int(megapixels * DECODING_MAX_BYTES / needed[SHRINKS[-1]]))
        raise PictureError(
            TOO_LARGE, path=name, width=str(width), height=str(height), megapixels=math.ceil(megapixels),
            limit=limit, kind=_SPELT.get(opened.format or "", opened.format),
        )  # fmt: skip
    wanted = [shrink for shrink in possible if side_px and max(width, height) // shrink >= side_px]
    shrink = wanted[-1] if wanted else possible[0]
    width, height = stored_size(opened)
    if read_direction(opened, parts) >= 5:
        width, height = height, width
    return Photo(decode(opened, parts, shrink), width, height, shrink, possible[0])


def _read_head(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read(12)
