"""Picture files in: decoded whole or refused with one sentence. Pixels always stand as the EXIF tag says."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from companion.errors import PictureError

Picture = NDArray[np.uint8]

# 240 MB of pixels, and thrice that while they are decoded and turned: what a small computer can hold.
MAX_MEGAPIXELS = 80
Image.MAX_IMAGE_PIXELS = None  # Pillow's own limit would warn below ours and speak of attacks above

FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF")
"""What cameras, phones and screenshots give. Pillow opens more, some of it by starting other programs."""

ABSENT = "There is no picture at '{path}': check the name."
FOLDER = "'{path}' is a folder: name a picture in it."
NOT_A_PICTURE = "'{path}' is not a picture that can be read: use a JPEG, PNG, WebP, BMP or TIFF file."
HEIC = (
    "'{path}' is a HEIC picture, as iPhones take them: share it as a JPEG, or choose Most Compatible under "
    "Settings, Camera, Formats."
)
TRUNCATED = "'{path}' is damaged or cut short: copy it again from the camera."
SHUT = "'{path}' cannot be opened ({why}): check its name and whether you may read it."
TOO_LARGE = "'{path}' has {megapixels} megapixels and at most {limit} can be read: save a smaller copy."


def load_picture(path: Path) -> Picture:
    """Reads a picture file into shape (H, W, 3) uint8 BGR, turned upright by its EXIF direction.

    Raises PictureError for a folder, and for a file that is absent, shut, none of FORMATS, damaged or of over
    80 megapixels.
    """
    try:
        if path.is_dir():
            raise PictureError(FOLDER, path=path)
        if not path.is_file():
            raise PictureError(ABSENT, path=path)
        with (
            warnings.catch_warnings(action="ignore"),
            path.open("rb") as file,
            Image.open(file, formats=FORMATS) as opened,
        ):
            megapixels = opened.width * opened.height / 1e6
            if megapixels > MAX_MEGAPIXELS:
                raise PictureError(TOO_LARGE, path=path, megapixels=round(megapixels), limit=MAX_MEGAPIXELS)
            upright = _eight_bit(ImageOps.exif_transpose(opened)).convert("RGB")
    except PictureError:
        raise
    except UnidentifiedImageError as error:
        if _is_heic(path):
            raise PictureError(HEIC, path=path) from error
        raise PictureError(NOT_A_PICTURE, path=path) from error
    except Exception as error:  # Pillow's decoders raise for damage whatever they run into
        if isinstance(error, OSError) and error.errno:
            raise PictureError(SHUT, path=path, why=error.strerror) from error
        raise PictureError(TRUNCATED, path=path) from error
    return np.ascontiguousarray(np.asarray(upright)[:, :, ::-1])


def _eight_bit(picture: Image.Image) -> Image.Image:
    """Sixteen-bit grey scaled to eight; Pillow's own conversion would clip it to white."""
    if picture.mode.startswith("I;16"):
        return Image.fromarray((np.asarray(picture) >> 8).astype(np.uint8))
    return picture


def _is_heic(path: Path) -> bool:
    """Whether a file says so in its first box (ISO/IEC 23008-12, brands of HEVC pictures)."""
    with path.open("rb") as file:
        head = file.read(12)
    return head[4:8] == b"ftyp" and head[8:] in (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1")
