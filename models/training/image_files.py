"""Pictures out of files and out of memory, as arrays. What is not a picture is an error here, and not one
line later."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.errors import InputError
from companion.images import Image
from companion.vision.networks import GRID_PX

FIRST_LOOK_PX = 640  # longer side of what the finder sees at first
NOT_A_PICTURE = "'{path}' is not a picture that can be read."


def load_image(path: Path, flags: int = cv2.IMREAD_COLOR) -> Image:
    """The picture in a file, (H, W, 3) BGR, or as OpenCV's `flags` ask for it. Raises InputError."""
    picture = cv2.imread(str(path), flags)
    if picture is None:
        raise InputError(NOT_A_PICTURE, path=path)
    return np.asarray(picture, np.uint8)


def decode_image(content: bytes) -> Image:
    """The decoded picture (H, W, 3) BGR. Raises ValueError if it is not a picture."""
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError("not a picture")
    return np.asarray(picture, np.uint8)


def shrink_for_finder(picture: Image) -> Image:
    """The picture (H, W, 3) as the finder sees it at first: its longer side at most 640 px, both multiples
    of 32."""
    scale = min(1.0, FIRST_LOOK_PX / max(picture.shape[:2]))
    size = [max(1, round(side * scale / GRID_PX)) * GRID_PX for side in picture.shape[1::-1]]
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
