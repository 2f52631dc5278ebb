"""Image files in: decoded, or refused with one sentence. Pixels always stand as the EXIF tag says."""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import BinaryIO

from PIL import Image as PillowImage
from PIL import ImageFile, UnidentifiedImageError

from companion.errors import PictureError
from companion.images import Image
from companion.vision.containers import HeaderError, OverloadError, Parts, split_parts
from companion.vision.pixels import (
    SHRINKS,
    UnreadableError,
    decode,
    estimate_bytes,
    is_decoded_shrunk,
    read_direction,
    stored_size,
)

DECODING_MAX_BYTES = 172_000_000
"""What decoding one picture may take, seven bytes a pixel where nothing is shrunk: `companion read` stays
well under 500 MB, and the window at about that."""
WHOLE_MEGAPIXELS_MAX = 24.6  # what has more is shrunk: the cameras of phones give 24.5
WEBP_MAX_BYTES = 32_000_000  # of the file, which its decoder takes as a whole
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

FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF")
"""What cameras, phones and screenshots give. Pillow opens more, some of it by starting other programs."""
_SPELT = {"WEBP": "WebP"}  # where a format's name is not written as Pillow writes it

ABSENT = "There is no picture at '{path}': check the name."
FOLDER = "'{path}' is a folder: name a picture in it."
NOT_A_FILE = "'{path}' is not a file: save the picture as a file first."
NOT_A_PICTURE = "'{path}' is not a picture that can be read: use a JPEG, PNG, WebP, BMP or TIFF file."
HEIC = (
    "'{path}' is a HEIC picture, as iPhones take them: share it as a JPEG, or choose Most Compatible under "
    "Settings, Camera, Formats."
)
TRUNCATED = "'{path}' is damaged or cut short: copy it again from the camera."
SHUT = "'{path}' cannot be opened ({why}): check its name and whether you may read it."
TOO_LARGE = (
    "'{path}' has {width} × {height} pixels ({megapixels} megapixels), and at most {limit} megapixels of a "
    "{kind} like it can be read: save a smaller copy."
)
TOO_LONG = (
    "'{path}' has {width} × {height} pixels, and at most {limit} a side can be read: save a smaller copy."
)
TOO_HEAVY = (
    "'{path}' is a WebP picture of {megabytes} MB, and at most {limit} MB can be read: save it as a JPEG."
)
UNREAD_TIFF = (
    "'{path}' is a TIFF picture of a kind that is not read: save it with 8 bits a colour, or as a JPEG."
)
TOO_MANY_BYTES = "'{path}' has {megabytes} MB, and at most {limit} MB can be read: save a smaller copy."
NO_MEMORY = "'{path}' needs more memory than is available: close other programs, or save a smaller copy."
OVERLOADED = "'{path}' holds much more beside its pixels than a picture needs: save it anew as a JPEG."


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A picture file, decoded.

    pixels: (h, w, 3) uint8 BGR, upright, `shrink` times smaller than in the file, 1, 2, 4 or 8;
    width, height: px in the file, of the upright picture; least_shrink: with which `load_photo` gives all
    the detail that it can.
    """

    pixels: Image
    width: int
    height: int
    shrink: int
    least_shrink: int


_decoding = threading.Lock()
"""Pictures are decoded one at a time: the window makes small ones beside the one that is read."""


def load_picture(path: Path) -> Image:
    """The pixels of `load_photo`. Raises PictureError."""
    return load_photo(path).pixels


def load_photo(path: Path, side_px: float | None = None, *, if_faster: bool = False) -> Photo:
    """The photo in a picture file, turned upright by its EXIF direction. It is shrunk where it has more than
    WHOLE_MEGAPIXELS_MAX or where decoding would take more than DECODING_MAX_BYTES otherwise; and where
    `side_px` is given, as long as the longer side keeps that many px, `if_faster` only in a format that is
    decoded the faster for it, as JPEG is.

    Raises PictureError for a folder, and for a file that is absent, shut, none of FORMATS, damaged or too
    large.
    """
    with _refuse(path):
        if path.is_dir():
            raise PictureError(FOLDER, path=path)
        if not path.exists():
            raise PictureError(ABSENT, path=path)
        if not path.is_file():
            raise PictureError(NOT_A_FILE, path=path)
        with path.open("rb") as file:
            return _load(path, file, PHOTO, side_px, if_faster)


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


def _load(name: object, file: BinaryIO, limits: Limits, side_px: float | None, if_faster: bool) -> Photo:
    size, head = file.seek(0, SEEK_END), _read_head(file)
    megabytes = math.ceil(size / 1e6)
    if head.startswith(b"RIFF") and size > WEBP_MAX_BYTES:
        raise PictureError(TOO_HEAVY, path=name, megabytes=megabytes, limit=WEBP_MAX_BYTES // 10**6)
    if size > limits.file_bytes:
        raise PictureError(TOO_MANY_BYTES, path=name, megabytes=megabytes, limit=limits.file_bytes // 10**6)
    with _decoding, warnings.catch_warnings(action="ignore"):
        try:
            parts = split_parts(file)
            opened = PillowImage.open(parts.pixels, formats=FORMATS)
        except (UnidentifiedImageError, HeaderError) as error:
            if head.startswith((b"II*\0", b"MM\0*")):
                raise PictureError(UNREAD_TIFF, path=name) from error
            if _is_heic(head):
                raise PictureError(HEIC, path=name) from error
            raise
        with opened:
            return _decode(name, opened, parts, limits, side_px, if_faster)


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
        raise PictureError(TOO_LONG, path=name, width=width, height=height, limit=limits.side_px)
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
            TOO_LARGE, path=name, width=width, height=height, megapixels=math.ceil(megapixels),
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


def _is_heic(head: bytes) -> bool:
    """Whether a file says so in its first box (ISO/IEC 23008-12, brands of HEVC pictures)."""
    return head[4:8] == b"ftyp" and head[8:] in (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1")
