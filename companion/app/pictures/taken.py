"""Pictures taken with the camera: the person's own files, of which none is ever deleted or written over."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import cv2

from companion.files import make_folder, new_file
from companion.images import Image

QUALITY_PERCENT = 95


def write_picture(image: Image, folder: Path) -> Path:
    """Write `image` to a new JPEG in `folder`, named after the time, and give its place. Raises OSError."""
    path = folder / datetime.now().strftime("camera-%Y%m%d-%H%M%S-%f.jpg")
    make_folder(folder)
    done, content = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY_PERCENT])
    if not done:
        raise OSError("JPEG")
    with new_file(path) as file:
        file.write(content.tobytes())
    return path
