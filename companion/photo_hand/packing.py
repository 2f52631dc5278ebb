"""One file about a picture that was read wrongly, for a person to send: nothing is sent by the program."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from datetime import datetime
from itertools import count
from pathlib import Path

from platformdirs import user_downloads_dir

from companion.files import read_whole, write_whole
from companion.quads import Quad
from companion.vision.reading import TileReading

RIGHT = "right.json"
READ = "read.json"

Right = Sequence[tuple[Quad, str | None]]
"""Each tile's four corners in px and its code, None where there is no tile, or nobody knows which."""


def choose_packed_path(now: datetime) -> Path:
    """A file that is not there yet, where people look for files: among the downloads, else at home."""
    downloads = Path(user_downloads_dir())
    folder = downloads if downloads.is_dir() else Path.home()
    name = f"mahjong-reading-{now:%Y-%m-%d-%H%M}"
    paths = (folder / f"{name}{f'-{number}' if number > 1 else ''}.zip" for number in count(1))
    return next(path for path in paths if not path.exists())


def pack_reading(picture: Path, tiles: Sequence[TileReading], right: Right, packed: Path) -> None:
    """Write a zip of the picture as it is, the tiles that were read in it, and what was right. Raises
    OSError."""
    read = [
        {"code": tile.code, "quad": tile.quad, "p": tile.p, "alternatives": tile.alternatives}
        for tile in tiles
    ]
    corrected = [{"quad": quad, "code": code} for quad, code in right]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(f"picture{picture.suffix.lower()}", read_whole(picture))
        file.writestr(READ, json.dumps({"tiles": read}))
        file.writestr(RIGHT, json.dumps(corrected))
    write_whole(packed, content.getvalue())
