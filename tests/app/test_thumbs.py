"""Small pictures for the chooser: of whatever lies in the folder, upright; none of what takes too much."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

import pytest
from PIL import Image

from companion.app.pictures.folders import Thumbnails
from companion.images import Image as Pixels
from tests.vision.heavy_pictures import HEAVY

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def small() -> Callable[[Path], Pixels | None]:
    """Waits for the small picture of a file."""
    thumbs = Thumbnails(lambda call: call())

    def want(path: Path) -> Pixels | None:
        made: SimpleQueue[Pixels | None] = SimpleQueue()
        thumbs.want(path, made.put)
        return made.get(timeout=60)

    return want


@pytest.mark.sampled(2)
@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "bmp", "tiff"])
def test_every_kind_of_picture_is_made_small_and_upright(
    tmp_path: Path, small: Callable[[Path], Pixels | None], suffix: str
) -> None:
    exif = Image.Exif()
    exif[0x0112] = 1 if suffix == "bmp" else 6
    stored = Image.new("RGB", (800, 1600) if suffix == "bmp" else (1600, 800), "red")
    stored.save(tmp_path / f"a.{suffix}", exif=exif)
    image = small(tmp_path / f"a.{suffix}")
    assert image is not None
    assert image.shape == (320, 160, 3)
    assert image[200, 80, 2] > 200


@pytest.mark.parametrize("name", ["thin.png", "progressive-444.jpg", "giant-tile.tiff", "itxt-2000.png"])
def test_hostile_pictures_have_no_thumbnail_or_a_small_one(
    tmp_path: Path, small: Callable[[Path], Pixels | None], name: str
) -> None:
    HEAVY[name](tmp_path / name)
    image = small(tmp_path / name)
    assert (image is None) == (name != "itxt-2000.png")


def test_small_picture_is_not_enlarged(tmp_path: Path, small: Callable[[Path], Pixels | None]) -> None:
    Image.new("RGB", (60, 40)).save(tmp_path / "a.png")
    image = small(tmp_path / "a.png")
    assert image is not None
    assert image.shape == (40, 60, 3)
