"""A bad reading in one file: the picture as it was, what was read, and what was right."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from companion.photo_hand.packing import pack_reading
from companion.vision import TileReading

QUAD = ((1.0, 2.0), (11.0, 2.0), (11.0, 16.0), (1.0, 16.0))


def test_the_file_holds_the_picture_what_was_read_and_what_was_right(tmp_path: Path) -> None:
    picture = tmp_path / "Hand.JPG"
    picture.write_bytes(b"the picture, byte for byte")
    tile = TileReading("5s", QUAD, 0.6, (("5s", 0.6), ("6s", 0.4)))
    packed = tmp_path / "bad.zip"
    pack_reading(picture, (tile,), [(QUAD, "6s")], packed)
    with zipfile.ZipFile(packed) as file:
        assert sorted(file.namelist()) == ["picture.jpg", "read.json", "right.json"]
        assert file.read("picture.jpg") == picture.read_bytes()
        (read,) = json.loads(file.read("read.json"))["tiles"]
        assert (read["code"], read["p"]) == ("5s", 0.6)
        assert json.loads(file.read("right.json")) == [{"quad": [list(p) for p in QUAD], "code": "6s"}]
