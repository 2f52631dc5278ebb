"""A large photo is decoded no larger than its tiles need, and no tile is lost or named otherwise for it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image as PillowImage

from companion.config import models_dir
from companion.vision import Reading, Recogniser, load_picture
from companion.vision import recogniser as reading_module
from companion.vision.pictures import Photo, load_photo
from lab.bench.reading_speed import add_noise
from lab.scenes.hand import render_hand

pytestmark = pytest.mark.slow

ROWS = [["1m", "2m", "3m", "7z", "back", "5p"], ["9s", "4z", "back", "6p", "1z", "8m"]]
SIZE = (4000, 3000)
NEAR = 0.1  # of a tile's width


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(models_dir())


@pytest.fixture
def shrinks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many times smaller the photos were that were decoded to be read, in order."""
    kept: list[int] = []

    def load(path: Path, side_px: float | None, *, if_faster: bool, may_be_cut: bool) -> Photo:
        photo = load_photo(path, side_px, if_faster=if_faster, may_be_cut=may_be_cut)
        kept.append(photo.shrink)
        return photo

    monkeypatch.setattr(reading_module, "load_photo", load)
    return kept


def save(path: Path, width_px: float) -> Path:
    """A photo of 12 megapixels in which tiles are about that wide."""
    near = render_hand(ROWS, seed=3, width=SIZE[0], height=SIZE[1]).image  # tiles of about 235 px
    share = width_px / 235
    small = cv2.resize(near, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    picture = np.full((SIZE[1], SIZE[0], 3), near[:50, :50].mean(axis=(0, 1)), np.uint8)
    left, top = (SIZE[0] - width) // 2, (SIZE[1] - height) // 2
    picture[top : top + height, left : left + width] = small
    cv2.imwrite(str(path), add_noise(picture, 1), [cv2.IMWRITE_JPEG_QUALITY, 92])
    return path


def assert_same(one: Reading, other: Reading) -> None:
    assert (one.width, one.height) == (other.width, other.height) == SIZE
    assert [tile.code for tile in one.tiles] == [tile.code for tile in other.tiles]
    for tile, twin in zip(one.tiles, other.tiles, strict=True):
        width = np.hypot(*np.subtract(tile.quad[0], tile.quad[1]))
        apart = np.mean(tile.quad, axis=0) - np.mean(twin.quad, axis=0)
        assert np.hypot(*apart) < NEAR * width


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("width_px", "decoded"), [(235, [2]), (80, [2, 1]), (45, [2, 1])], ids=["near", "farther", "far"]
)
def test_a_photo_is_decoded_as_large_as_its_tiles_need(
    tmp_path: Path, recogniser: Recogniser, shrinks: list[int], width_px: float, decoded: list[int]
) -> None:
    path = save(tmp_path / "a.jpg", width_px)
    reading = recogniser.read_file(path)
    assert shrinks == decoded
    assert reading.tiles
    assert_same(reading, recogniser.read(load_picture(path)))


def test_a_photo_in_which_nothing_is_seen_is_not_decoded_again(
    tmp_path: Path, recogniser: Recogniser, shrinks: list[int]
) -> None:
    path = tmp_path / "a.jpg"
    cv2.imwrite(str(path), np.full((SIZE[1], SIZE[0], 3), 90, np.uint8))
    assert not recogniser.read_file(path).tiles
    assert shrinks == [2]


def test_only_a_jpeg_is_decoded_small_since_others_are_no_faster(tmp_path: Path) -> None:
    for suffix, shrink in (("jpg", 4), ("png", 1), ("webp", 1)):
        path = tmp_path / f"a.{suffix}"
        PillowImage.new("RGB", (1600, 1200), "red").save(path)
        photo = load_photo(path, 400, if_faster=True)
        assert (photo.shrink, photo.least_shrink) == (shrink, 1)
