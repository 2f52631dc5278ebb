"""Every kind of file, direction and depth: read as it is meant, or refused; libraries say nothing."""

from __future__ import annotations

import contextlib
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps

from companion.config import models_dir
from companion.errors import PictureError
from companion.vision import Recogniser, annotate, load_picture, pictures
from companion.vision.pictures import load_photo, view_as_stored
from lab.scenes.hand import render_hand
from tests.vision.heavy_pictures import chunk, png, tiff

WIDTH, HEIGHT = 64, 48
GREY = np.tile(np.linspace(0, 1, WIDTH), (HEIGHT, 1))  # black on the left, white on the right
COLOURS = np.stack([GREY, np.full_like(GREY, 0.2), 1 - GREY], axis=2)
BITS, COMPRESSION, PHOTOMETRIC, OFFSETS, SAMPLES, ROWS, SIZES = 258, 259, 262, 273, 277, 278, 279
PLANES, SAMPLE_FORMAT, EXTRA = 284, 339, 338
ORIENTATION = 0x0112


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(models_dir())


def in_tiff(path: Path, bits: int | tuple[int, ...], photometric: int, data: bytes, **tags: object) -> Path:
    samples = len(bits) if isinstance(bits, tuple) else 1
    plain = {256: WIDTH, 257: HEIGHT, BITS: bits, COMPRESSION: 1, PHOTOMETRIC: photometric, OFFSETS: 8}
    own = {int(tag.removeprefix("t")): value for tag, value in tags.items()}
    tiff(path, {**plain, SAMPLES: samples, ROWS: HEIGHT, SIZES: len(data), **own}, data)
    return path


def of_12_bits(values: np.ndarray) -> bytes:
    pairs = (values * 4095).astype(np.uint16).reshape(-1, 2)
    first, second = pairs[:, 0], pairs[:, 1]
    return (
        np.stack([first >> 4, (first & 15) << 4 | second >> 8, second & 255], axis=1).astype("u1").tobytes()
    )


@pytest.mark.parametrize(
    ("bits", "photometric", "data", "tags"),
    [
        (1, 0, np.packbits(GREY < 0.5, axis=1).tobytes(), {}),
        (8, 0, ((1 - GREY) * 255).astype("u1").tobytes(), {}),
        (12, 1, of_12_bits(GREY), {}),
        (16, 1, (GREY * 65535).astype("<u2").tobytes(), {}),
        (16, 0, ((1 - GREY) * 65535).astype("<u2").tobytes(), {}),
        ((8, 8), 1, np.stack([GREY * 255, np.full_like(GREY, 255)], 2).astype("u1").tobytes(), {"t338": 1}),
        ((8, 8, 8), 8, np.stack([GREY * 255, GREY * 0, GREY * 0], 2).astype("u1").tobytes(), {}),
        ((8,) * 4, 5, np.stack([GREY * 0] * 3 + [255 - GREY * 255], 2).astype("u1").tobytes(), {}),
    ],
    ids=["bits", "white is zero", "12", "16", "16 white is zero", "premultiplied", "Lab", "CMYK"],
)
def test_grey_comes_as_it_is_meant(
    tmp_path: Path, bits: int | tuple[int, ...], photometric: int, data: bytes, tags: dict[str, int]
) -> None:
    picture = load_picture(in_tiff(tmp_path / "a.tiff", bits, photometric, data, **tags))
    assert picture[20, 2].max() < 20
    assert picture[20, -2].min() > 230


@pytest.mark.parametrize("depth", [8, 16])
@pytest.mark.parametrize("planes", [1, 2])
def test_colours_of_either_depth_come_as_they_are_meant(tmp_path: Path, depth: int, planes: int) -> None:
    pixels = (COLOURS * (2**depth - 1)).astype(f"<u{depth // 8}")
    parts = [
        zlib.compress(part.tobytes()) for part in (np.moveaxis(pixels, 2, 0) if planes == 2 else [pixels])
    ]
    sizes = tuple(len(part) for part in parts)
    offsets = tuple(8 + sum(sizes[:at]) for at in range(len(sizes)))
    own: dict[str, object] = {"t259": 8, "t284": planes, "t279": sizes, "t273": offsets}
    picture = load_picture(in_tiff(tmp_path / "a.tiff", (depth,) * 3, 2, b"".join(parts), **own))
    assert np.abs(picture.astype(float) - COLOURS[:, :, ::-1] * 255).max() < 2


@pytest.mark.parametrize(
    ("kind", "bits", "sample_format"),
    [("i2", 16, 2), ("u4", 32, 1), ("i4", 32, 2), ("f4", 32, 3), ("f8", 64, 3)],
)
def test_numbers_that_are_not_colours_are_refused(
    tmp_path: Path, kind: str, bits: int, sample_format: int
) -> None:
    path = in_tiff(tmp_path / "a.tiff", bits, 1, GREY.astype("<" + kind).tobytes(), t339=sample_format)
    with pytest.raises(PictureError, match="a TIFF picture of a kind that is not read: save it with 8 bits"):
        load_picture(path)


def test_sixteen_bits_a_plane_are_refused_where_they_would_be_read_as_eight(tmp_path: Path) -> None:
    planes = np.moveaxis((COLOURS * 65535).astype("<u2"), 2, 0)
    size = 2 * WIDTH * HEIGHT
    own: dict[str, object] = {"t284": 2, "t279": (size,) * 3, "t273": (8, 8 + size, 8 + 2 * size)}
    with pytest.raises(PictureError, match="a TIFF picture of a kind that is not read"):
        load_picture(in_tiff(tmp_path / "a.tiff", (16,) * 3, 2, planes.tobytes(), **own))


@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "tiff"])
def test_every_direction_is_turned_upright(tmp_path: Path, suffix: str, turn: int) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = turn
    stored = Image.fromarray((COLOURS * GREY[:, :, None] * 255).astype(np.uint8)).rotate(7)
    path = tmp_path / f"a.{suffix}"
    stored.save(path, exif=exif)
    with Image.open(path) as opened:
        upright = np.asarray(ImageOps.exif_transpose(opened).convert("RGB"))[:, :, ::-1]
    assert np.array_equal(load_picture(path), upright)
    photo = load_photo(path)
    assert (photo.height, photo.width) == upright.shape[:2]


def test_a_direction_in_xmp_or_in_an_old_profile_counts_too(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    old = f"\nexif\n  {len(exif.tobytes())}\n{exif.tobytes().hex()}\n".encode()
    for at, extra in enumerate(
        [
            chunk(b"iTXt", b'XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation="6"/>'),
            chunk(b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(old)),
            chunk(b"eXIf", exif.tobytes()[6:]),
        ]
    ):
        png(tmp_path / f"{at}.png", 30, 20, extra=extra)
        assert load_picture(tmp_path / f"{at}.png").shape == (30, 20, 3), at


@pytest.mark.parametrize("colour", [0, 2, 3, 4, 6])
@pytest.mark.parametrize("interlaced", [False, True])
def test_a_png_whose_data_end_early_is_damaged_not_black(
    tmp_path: Path, colour: int, interlaced: bool
) -> None:
    png(tmp_path / "whole.png", 500, 301, colour=colour, interlaced=interlaced)
    assert load_picture(tmp_path / "whole.png").shape == (301, 500, 3)
    png(tmp_path / "cut.png", 500, 301, colour=colour, interlaced=interlaced, rows=5)
    with pytest.raises(PictureError, match="damaged or cut short"):
        load_picture(tmp_path / "cut.png")


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "bmp", "tiff"])
@pytest.mark.parametrize("shrink", [2, 4, 8])
def test_a_picture_is_shrunk_where_less_is_enough(tmp_path: Path, suffix: str, shrink: int) -> None:
    path = tmp_path / f"a.{suffix}"
    Image.fromarray((COLOURS * 255).astype(np.uint8)).resize((803, 602)).save(path, quality=95)
    whole = load_picture(path)
    photo = load_photo(path, side_px=803 // shrink)
    assert (photo.width, photo.height, photo.shrink) == (803, 602, shrink)
    assert photo.pixels.shape == (-(-602 // shrink), -(-803 // shrink), 3)
    small = cv2.resize(whole, photo.pixels.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert np.abs(small.astype(float) - photo.pixels).mean() < 3


def test_a_thin_picture_is_shrunk_too(tmp_path: Path) -> None:
    for suffix in ("jpg", "png"):
        Image.new("RGB", (3, 20_000), "red").save(tmp_path / f"a.{suffix}")
        assert load_photo(tmp_path / f"a.{suffix}", side_px=320).pixels.shape == (2500, 1, 3)


def test_quads_of_a_shrunk_picture_are_of_the_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recogniser: Recogniser
) -> None:
    path = tmp_path / "a.jpg"
    scene = render_hand([["1m", "2m", "3m", "7z"]], seed=3, width=1600, height=1200)
    cv2.imwrite(str(path), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    whole = recogniser.read_file(path)
    monkeypatch.setattr(pictures, "DECODING_MAX_BYTES", 5_000_000)
    assert load_picture(path).shape == (600, 800, 3)
    shrunk = recogniser.read_file(path)
    assert (shrunk.width, shrunk.height) == (1600, 1200)
    assert (
        [tile.code for tile in shrunk.tiles]
        == [tile.code for tile in whole.tiles]
        == ["1m", "2m", "3m", "7z"]
    )
    for one, other in zip(shrunk.tiles, whole.tiles, strict=True):
        assert np.abs(np.array(one.quad) - np.array(other.quad)).max() < 8
    drawn = annotate(load_picture(path), shrunk) != load_picture(path)
    assert not drawn[:, :80].any()
    assert drawn.any()


@pytest.mark.parametrize(
    "compression", ["tiff_lzw", "tiff_adobe_deflate", "jpeg", "packbits", "group4", "zstd"]
)
def test_damage_in_a_tiff_is_said_by_us_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], compression: str
) -> None:
    path = tmp_path / "a.tiff"
    noise = Image.fromarray(np.random.default_rng(5).integers(0, 256, (300, 400, 3), np.uint8))
    (noise.convert("1") if compression == "group4" else noise).save(path, compression=compression)
    whole, rng = path.read_bytes(), np.random.default_rng(6)
    refused = 0
    for _ in range(20):
        spoilt = bytearray(whole)
        for at in rng.integers(8, len(spoilt), 200):
            spoilt[at] = rng.integers(0, 256)
        path.write_bytes(spoilt)
        try:
            load_picture(path)
        except PictureError:
            refused += 1
    assert capfd.readouterr() == ("", "")
    assert refused or compression == "packbits"


@pytest.mark.parametrize("turn", range(1, 9))
def test_the_view_of_stored_pixels_is_of_the_same_memory(turn: int) -> None:
    upright = np.zeros((4, 6, 3), np.uint8)
    view_as_stored(upright, turn)[0, 0] = 1
    assert upright.sum() == 3


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "bmp", "tiff"])
def test_hostile_headers_are_read_or_refused_quickly(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], suffix: str
) -> None:
    path = tmp_path / f"a.{suffix}"
    Image.fromarray((COLOURS * 255).astype(np.uint8)).save(path)
    whole, rng = path.read_bytes(), np.random.default_rng(7)
    for _ in range(300):
        spoilt = bytearray(whole)
        for at in rng.integers(4, min(len(spoilt), 200), 3):
            spoilt[at] = rng.choice([0, 1, 255, rng.integers(0, 256)])
        path.write_bytes(spoilt)
        with contextlib.suppress(PictureError):
            assert load_picture(path).shape[2] == 3
    assert capfd.readouterr() == ("", "")
