"""Image files in: decoded, or refused with one sentence. Pixels always stand as the EXIF tag says."""

from __future__ import annotations

import math
import threading
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from PIL import Image as PillowImage
from PIL import UnidentifiedImageError

from companion.errors import PictureError
from companion.images import Image
from companion.vision.containers import HeaderError, OverloadError, split_parts
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
SIDE_MAX_PX = 32_000  # OpenCV warps nothing from 32767 px on; phones make panoramas of up to 30000
MEGAPIXELS_MAX = 250  # the largest sensors of phones have 200
WEBP_MAX_BYTES = 32_000_000  # of the file, which its decoder takes as a whole
PillowImage.MAX_IMAGE_PIXELS = None  # Pillow's own limit would warn below ours and speak of attacks above

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
    try:
        if path.is_dir():
            raise PictureError(FOLDER, path=path)
        if not path.exists():
            raise PictureError(ABSENT, path=path)
        if not path.is_file():
            raise PictureError(NOT_A_FILE, path=path)
        with _decoding, warnings.catch_warnings(action="ignore"), path.open("rb") as file:
            return _load(path, file, side_px, if_faster)
    except PictureError:
        raise
    except OverloadError as error:
        raise PictureError(OVERLOADED, path=path) from error
    except (UnidentifiedImageError, HeaderError) as error:
        if _starts_with(path, b"II*\0", b"MM\0*"):
            raise PictureError(UNREAD_TIFF, path=path) from error
        if _is_heic(path):
            raise PictureError(HEIC, path=path) from error
        raise PictureError(NOT_A_PICTURE, path=path) from error
    except UnreadableError as error:
        raise PictureError(UNREAD_TIFF, path=path) from error
    except Exception as error:  # Pillow's decoders raise for damage whatever they run into
        if isinstance(error, OSError) and error.errno:
            raise PictureError(SHUT, path=path, why=error.strerror) from error
        raise PictureError(TRUNCATED, path=path) from error


def _load(path: Path, file: BinaryIO, side_px: float | None, if_faster: bool) -> Photo:
    megabytes = path.stat().st_size / 1e6
    if _starts_with(path, b"RIFF") and megabytes > WEBP_MAX_BYTES / 1e6:
        limit = WEBP_MAX_BYTES // 10**6
        raise PictureError(TOO_HEAVY, path=path, megabytes=math.ceil(megabytes), limit=limit)
    parts = split_parts(file)
    with PillowImage.open(parts.pixels, formats=FORMATS) as opened:
        width, height = opened.size
        if max(width, height) > SIDE_MAX_PX:
            raise PictureError(TOO_LONG, path=path, width=width, height=height, limit=SIDE_MAX_PX)
        if if_faster and not is_decoded_shrunk(opened):
            side_px = None
        needed = {shrink: estimate_bytes(opened, parts, shrink) for shrink in SHRINKS}
        megapixels = width * height / 1e6
        possible = [
            shrink
            for shrink in SHRINKS
            if needed[shrink] <= DECODING_MAX_BYTES and megapixels <= WHOLE_MEGAPIXELS_MAX * shrink**2
        ]
        if not possible or megapixels > MEGAPIXELS_MAX:
            limit = min(MEGAPIXELS_MAX, int(megapixels * DECODING_MAX_BYTES / needed[SHRINKS[-1]]))
            raise PictureError(
                TOO_LARGE, path=path, width=width, height=height, megapixels=math.ceil(megapixels),
                limit=limit, kind=_SPELT.get(opened.format or "", opened.format),
            )  # fmt: skip
        wanted = [shrink for shrink in possible if side_px and max(width, height) // shrink >= side_px]
        shrink = wanted[-1] if wanted else possible[0]
        width, height = stored_size(opened)
        if read_direction(opened, parts) >= 5:
            width, height = height, width
        return Photo(decode(opened, parts, shrink), width, height, shrink, possible[0])


def _is_heic(path: Path) -> bool:
    """Whether a file says so in its first box (ISO/IEC 23008-12, brands of HEVC pictures)."""
    with path.open("rb") as file:
        head = file.read(12)
    return head[4:8] == b"ftyp" and head[8:] in (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1")


def _starts_with(path: Path, *heads: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(4).startswith(heads)
