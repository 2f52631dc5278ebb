"""One file about a picture that was read wrongly, for a person to send: nothing is sent by the program."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

from companion.files import read_whole, write_whole
from companion.quads import Quad
from companion.vision.reading import Reading

RIGHT = "right.json"
READ = "read.json"


def pack_reading(
    picture: Path, reading: Reading, right: Sequence[tuple[Quad, str | None]], packed: Path
) -> None:
    """Write a zip of the picture as it is, what was read in it, and what was right.

    right: each corrected tile's four corners in px and its code, None where there is no tile. Raises OSError.
    """
    read = [
        {"code": tile.code, "quad": tile.quad, "p": tile.p, "alternatives": tile.alternatives}
        for tile in reading.tiles
    ]
    corrected = [{"quad": quad, "code": code} for quad, code in right]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(f"picture{picture.suffix.lower()}", read_whole(picture))
        file.writestr(READ, json.dumps({"width": reading.width, "height": reading.height, "tiles": read}))
        file.writestr(RIGHT, json.dumps(corrected))
    write_whole(packed, content.getvalue())
