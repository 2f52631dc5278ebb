"""One file about a picture that was misread, for a person to send; the program sends nothing.

The picture is written again from its pixels, upright. Nothing else of its file is in the pack: no place,
time, camera, thumbnail or name.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from datetime import datetime
from itertools import count
from pathlib import Path

import cv2
from platformdirs import user_downloads_dir

from companion.files import write_whole
from companion.images import Quad
from companion.sentences import Sentence, msgid
from companion.vision.pictures import load_picture
from companion.vision.reading import TileReading

PICTURE, READ, RIGHT = "picture.png", "read.json", "right.json"
DAY_ZERO = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the pack, the earliest that a zip file can hold."""
CONTENTS = Sentence(
    msgid(
        "This packs the whole photo (without place, time and camera), the tiles as read,"
        " and your corrections."
    )
)
"""Description of the file's contents, shown before it is written."""

Right = Sequence[tuple[Quad, str | None]]
"""Each tile's four corners in px and its code, None if there is no tile or its kind is unknown."""


def choose_packed_path(now: datetime) -> Path:
    """A new file where people look for files: in the downloads folder, else in the home folder."""
    downloads = Path(user_downloads_dir())
    folder = downloads if downloads.is_dir() else Path.home()
    name = f"mahjong-reading-{now:%Y-%m-%d-%H%M}"
    paths = (folder / f"{name}{f'-{number}' if number > 1 else ''}.zip" for number in count(1))
    return next(path for path in paths if not path.exists())


def pack_reading(picture: Path, tiles: Sequence[TileReading], right: Right, packed: Path) -> None:
    """Write a zip of the picture's pixels, the tiles read in them, and the correct ones. Raises OSError, and
    PictureError if the picture can no longer be read."""
    read = [
        {"code": tile.code, "quad": tile.quad, "p": tile.p, "alternatives": tile.alternatives}
        for tile in tiles
    ]
    corrected = [{"quad": quad, "code": code} for quad, code in right]
    _, pixels = cv2.imencode(".png", load_picture(picture))
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(zipfile.ZipInfo(PICTURE, DAY_ZERO), pixels.tobytes(), zipfile.ZIP_STORED)
        for name, part in ((READ, {"tiles": read}), (RIGHT, corrected)):
            file.writestr(zipfile.ZipInfo(name, DAY_ZERO), json.dumps(part), zipfile.ZIP_DEFLATED)
    write_whole(packed, content.getvalue())
