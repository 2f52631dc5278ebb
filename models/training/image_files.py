"""Pictures out of files and out of memory, as arrays. What is not a picture is an error here, and not one
line later."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.errors import InputError
from companion.images import Image

NOT_A_PICTURE = "'{path}' is not a picture that can be read."


def load_image(path: Path, flags: int = cv2.IMREAD_COLOR) -> Image:
    """The picture in a file, (H, W, 3) BGR, or as OpenCV's `flags` ask for it. Raises InputError."""
    picture = cv2.imread(str(path), flags)
    if picture is None:
        raise InputError(NOT_A_PICTURE, path=path)
    return np.asarray(picture, np.uint8)


def decode_image(content: bytes) -> Image:
    """The picture (H, W, 3) BGR of an encoded one. Raises ValueError where it is none."""
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError("not a picture")
    return np.asarray(picture, np.uint8)
