"""Pixels out of opened files: what decoding will take, and decoding that copies no more than a strip at once.

A JPEG's decoder gives a half, a quarter or an eighth of the size at once; other formats are decoded whole,
by Pillow into its own memory, and shrunk strip by strip on the way to an array. WebP is left to OpenCV, which
decodes the same pixels in a third of the memory.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import BmpImagePlugin, Image, ImageFile, JpegImagePlugin, TiffImagePlugin, _imaging

from companion.vision.containers import OverloadError, Parts, read_orientation

SHRINKS = (1, 2, 4, 8)  # what a JPEG's decoder can do
MARKS = 64  # pixels
STRIP_PIXELS = 500_000  # converted at a time

BGR_BYTES = 3  # a pixel
COEFFICIENT_BYTES = 2  # in libjpeg, which keeps all of a JPEG of several scans
WEBP_BYTES, ANIMATED_WEBP_BYTES = 9, 12  # a pixel, as measured: lossless and with transparency
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
    """The pixels are numbers, and nothing says which of them is black and which white."""


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
    """Whether the decoder gives small pixels at once, in less time than all of them."""
    return isinstance(opened, JpegImagePlugin.JpegImageFile)


def read_direction(opened: ImageFile.ImageFile, parts: Parts) -> int:
    """How the stored pixels are to be turned, 1 to 8 as EXIF counts."""
    if isinstance(opened, TiffImagePlugin.TiffImageFile):
        stored = opened.tag_v2.get(_ORIENTATION, 1)
        return stored if stored in range(1, 9) else 1
    exif, xmp = (opened.info.get(name, b"") for name in ("exif", "xmp"))  # of a WebP
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
    marks = _mark_last_pixels(opened) if opened.format == "PNG" else []
    opened.load()
    width, height = opened.im.size
    if marks and marks == _read_last_pixels(opened, len(marks)):
        raise ValueError("the data ended early")  # which Pillow takes for black
    rows = max(1, STRIP_PIXELS // width // shrink) * shrink
    for top in range(0, height, rows):
        strip = opened.crop((0, top, width, min(height, top + rows)))
        yield cv2.cvtColor(_to_rgb(strip, opened), cv2.COLOR_RGB2BGR).astype(np.uint8, copy=False)


def _mark_last_pixels(opened: ImageFile.ImageFile) -> list[Any]:
    """The marks that it paints over what will be the last pixels; no picture has the same there by chance."""
    opened.im = Image.new(opened.mode, opened.size).im
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


def _to_rgb(strip: Image.Image, opened: ImageFile.ImageFile) -> NDArray[np.uint8]:
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
