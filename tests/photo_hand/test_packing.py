"""A bad reading in one file: the picture's pixels, what was read, what was right; and nothing else."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from companion.errors import PictureError
from companion.photo_hand.packing import pack_reading
from companion.vision import TileReading, load_picture

QUAD = ((1.0, 2.0), (11.0, 2.0), (11.0, 16.0), (1.0, 16.0))
TILE = TileReading("5s", QUAD, 0.6, (("5s", 0.6), ("6s", 0.4)))
SECRET = b"Maker-of-Phones"
TRAILER = b"Maker-of-Phones in a second picture behind the end"
FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "BMP")


def write_photo(path: Path, form: str) -> Path:
    """A photo of that format which says wherever it can which camera took it, and stands on its side."""
    pixels = np.arange(40 * 30 * 3, dtype=np.uint8).reshape(40, 30, 3)
    image = Image.fromarray(pixels)
    said = SECRET.decode()
    exif = image.getexif()
    exif[0x10F], exif[0x112] = said, 6  # make; the direction: a quarter turn
    exif.get_ifd(0x8769)[0x927C] = SECRET  # the maker's notes
    exif.get_ifd(0x8825)[0x1D] = said  # of GPS
    info = PngInfo()
    info.add_text("Comment", said)
    info.add_itxt("XML:com.adobe.xmp", said)
    xmp = SECRET if form in ("JPEG", "WEBP") else None
    more = {"JPEG": {"comment": SECRET}, "PNG": {"pnginfo": info}, "TIFF": {"tiffinfo": exif}, "BMP": {}}
    kept = {} if form in ("TIFF", "BMP") else {"exif": exif.tobytes(), "icc_profile": SECRET * 20}
    kept |= {"xmp": xmp} if xmp else {}
    image.save(path, form, **kept, **more.get(form, {}))
    with path.open("ab") as file:
        file.write(TRAILER)
    assert SECRET in path.read_bytes()
    return path


@pytest.mark.parametrize("form", FORMATS)
def test_the_file_holds_pixels_what_was_read_and_what_was_right(tmp_path: Path, form: str) -> None:
    picture = write_photo(tmp_path / f"Maker-of-Phones at Ann's.{form.lower()}", form)
    packed = tmp_path / "bad.zip"
    pack_reading(picture, (TILE,), [(QUAD, "6s")], packed)
    with zipfile.ZipFile(packed) as file:
        assert sorted(file.namelist()) == ["picture.png", "read.json", "right.json"]
        assert {each.date_time for each in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        held = [file.read(name) for name in file.namelist()]
        assert not any(SECRET in content for content in (*held, packed.read_bytes()))
        with Image.open(io.BytesIO(file.read("picture.png"))) as sent:
            assert not sent.info
            assert np.array_equal(np.array(sent)[..., ::-1], load_picture(picture)), "the pixels, upright"
        (read,) = json.loads(file.read("read.json"))["tiles"]
        assert (read["code"], read["p"]) == ("5s", 0.6)
        assert json.loads(file.read("right.json")) == [{"quad": [list(p) for p in QUAD], "code": "6s"}]


def test_a_photo_that_is_gone_is_not_packed(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no picture at"):
        pack_reading(tmp_path / "gone.jpg", (TILE,), [(QUAD, "6s")], tmp_path / "bad.zip")
    assert not list(tmp_path.iterdir())
