"""Picture files, good and bad: upright pixels or one sentence."""

from __future__ import annotations

import contextlib
from errno import EACCES, EIO
from os import strerror
from pathlib import Path

import numpy as np
import pytest
from PIL import EpsImagePlugin, Image, ImageFile

from companion.errors import PictureError
from companion.vision import load_picture
from companion.vision.pictures import load_photo

RED_LEFT = np.zeros((40, 60, 3), np.uint8)
RED_LEFT[:, :30, 0] = 255
HEIC = Path(__file__).parent / "heic"
"""120 × 80 px, red on the left, made with pillow-heif; one is stored lying on its left side."""


def saved(path: Path, **options: object) -> Path:
    Image.fromarray(RED_LEFT).save(path, **options)
    return path


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "bmp", "tiff", "avif"])
def test_pictures_come_as_bgr(tmp_path: Path, suffix: str) -> None:
    picture = load_picture(saved(tmp_path / f"a.{suffix}"))
    assert picture.shape == (40, 60, 3)
    assert picture[20, 5, 2] > 200
    assert picture[20, 5, 0] < 60


def test_exif_direction_turns_the_pixels(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # stored lying on its left side: to be turned clockwise
    picture = load_picture(saved(tmp_path / "a.jpg", exif=exif))
    assert picture.shape == (60, 40, 3)
    assert picture[5, 20, 2] > 200
    assert picture[55, 20, 2] < 60


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"not a picture", "is not a picture that can be read"),
        (b"", "is not a picture that can be read"),
        (b"\xff\xd8\xff\xe0", "is not a picture that can be read"),
    ],
)
def test_a_file_that_is_not_a_picture_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(content)
    with pytest.raises(PictureError, match=sentence):
        load_picture(path)


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "avif"])
def test_a_truncated_picture_is_refused_not_half_read(tmp_path: Path, suffix: str) -> None:
    whole = np.random.default_rng(1).integers(0, 256, (200, 300, 3), np.uint8)
    path = tmp_path / f"a.{suffix}"
    Image.fromarray(whole).save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
    with pytest.raises(PictureError, match=r"cut short|not a picture"):
        load_picture(path)


def test_an_absent_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no picture at"):
        load_picture(tmp_path / "none.jpg")


def test_a_folder_is_refused_as_one(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"' is a folder: name a picture in it\.$"):
        load_picture(tmp_path)


@pytest.mark.parametrize("kind", ["EPS", "GIF", "ICO", "PCX", "PPM", "TGA"])
def test_what_no_camera_gives_is_refused_whatever_its_name(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.jpg"
    saved(path, format=kind)
    with pytest.raises(PictureError, match="use a JPEG, HEIC, PNG, WebP, AVIF, BMP or TIFF file"):
        load_picture(path)


@pytest.mark.parametrize(
    ("kind", "quality"), [("jpg", {"progressive": False}), ("jpg", {"progressive": True}), ("png", {})]
)
@pytest.mark.parametrize("share", [0.5, 0.999])
def test_a_picture_that_is_cut_short_is_read_as_far_as_it_goes(
    tmp_path: Path, kind: str, quality: dict[str, bool], share: float
) -> None:
    whole = np.random.default_rng(1).integers(0, 256, (400, 300, 3), np.uint8)
    path = tmp_path / f"a.{kind}"
    Image.fromarray(whole).save(path, **quality)
    expected = load_picture(path)
    assert not load_photo(path, may_be_cut=True).is_cut
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    photo = load_photo(path, may_be_cut=True)
    assert photo.is_cut
    assert photo.pixels.shape == expected.shape
    if not quality.get("progressive"):
        rows = int(400 * share) - 24
        assert np.array_equal(photo.pixels[:rows], expected[:rows])
    with pytest.raises(PictureError, match="cut short"):
        load_picture(path)


def test_a_picture_of_which_nearly_nothing_is_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    Image.fromarray(np.random.default_rng(1).integers(0, 256, (400, 300, 3), np.uint8)).save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 20])
    with pytest.raises(PictureError, match="cut short"):
        load_photo(path, may_be_cut=True)


@pytest.mark.parametrize("name", ["red_left", "turned", "ten_bits"])
def test_a_picture_of_an_iphone_is_read_upright(name: str) -> None:
    picture = load_picture(HEIC / f"{name}.heic")
    right_or_below = (-5, 5) if name == "turned" else (5, -5)
    assert picture.shape == ((120, 80, 3) if name == "turned" else (80, 120, 3))
    assert picture[5, 5].tolist() == pytest.approx([0, 0, 255], abs=3)
    assert picture[right_or_below].tolist() == pytest.approx([0, 0, 0], abs=3)


def test_a_grey_heic_is_read(tmp_path: Path) -> None:
    assert load_photo(HEIC / "grey.heic", 20).pixels[2, 2].tolist() == pytest.approx([76] * 3, abs=3)


@pytest.mark.parametrize("brand", [b"heic", b"heix", b"mif1"])
def test_a_heic_that_holds_nothing_is_damaged(tmp_path: Path, brand: bytes) -> None:
    path = tmp_path / "IMG_0001.HEIC"
    path.write_bytes(b"\x00\x00\x00\x18ftyp" + brand + b"\x00\x00\x00\x00mif1heic" + bytes(200))
    with pytest.raises(PictureError, match="damaged or cut short"):
        load_picture(path)


@pytest.mark.parametrize("content", [b"", b"ftyp", b"\x00\x00\x00\x18ftypmp42" + bytes(200)])
def test_a_file_that_is_not_of_an_iphone_is_not_refused_as_one(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.heic"
    path.write_bytes(content)
    with pytest.raises(PictureError, match="is not a picture that can be read"):
        load_picture(path)


def test_no_picture_starts_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = tmp_path / "started"
    ghostscript = tmp_path / "gs"
    ghostscript.write_text(f'#!/bin/sh\necho "$@" >> "{started}"\n')
    ghostscript.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(EpsImagePlugin, "gs_binary", None)  # looked for anew
    for name in ("a.eps", "a.ps", "a.jpg"):
        with pytest.raises(PictureError):
            load_picture(saved(tmp_path / name, format="EPS"))
    assert not started.exists()


def test_a_phones_jpeg_of_several_pictures_is_read_as_its_first(tmp_path: Path) -> None:
    second = Image.fromarray(RED_LEFT[:, ::-1])
    picture = load_picture(saved(tmp_path / "a.jpg", format="MPO", save_all=True, append_images=[second]))
    assert picture[20, 5, 2] > 200


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    Image.new("1", (20_000, 20_000)).save(path)
    with pytest.raises(
        PictureError,
        match=r"20000 × 20000 pixels \(400 megapixels\), and at most 164 megapixels of PNG pictures like it",
    ):
        load_picture(path)


def test_sixteen_bit_grey_is_scaled_not_clipped(tmp_path: Path) -> None:
    Image.fromarray(np.full((20, 30), 0x8000, np.uint16)).save(tmp_path / "a.png")
    assert load_picture(tmp_path / "a.png").mean() == 128


def test_sixteen_bit_pictures_are_turned_upright_too(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(np.full((20, 30), 0x8000, np.uint16)).save(tmp_path / "a.png", exif=exif)
    assert load_picture(tmp_path / "a.png").shape == (30, 20, 3)


@pytest.mark.parametrize("mode", ["CMYK", "L", "LA", "P", "RGBA"])
def test_pictures_of_every_kind_of_colour_come_as_bgr(tmp_path: Path, mode: str) -> None:
    path = tmp_path / ("a.jpg" if mode == "CMYK" else "a.png")
    Image.fromarray(RED_LEFT).convert(mode).save(path)
    picture = load_picture(path)
    assert picture.shape == (40, 60, 3)
    assert picture[20, 5, 2] > 60 + picture[20, 55, 2]


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "bmp", "tiff", "avif", "heic"])
def test_whatever_is_damaged_is_read_or_refused_with_a_sentence(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    if suffix == "heic":
        path.write_bytes((HEIC / "red_left.heic").read_bytes())
    else:
        Image.fromarray(RED_LEFT).save(path)
    whole, rng = path.read_bytes(), np.random.default_rng(2)
    for _ in range(150):
        spoilt = bytearray(whole)
        for at in rng.integers(0, len(spoilt), 4):
            spoilt[at] = rng.integers(0, 256)
        path.write_bytes(spoilt)
        with contextlib.suppress(PictureError):
            assert load_photo(path, may_be_cut=True).pixels.shape[2] == 3


def test_a_decoder_that_fails_in_its_own_way_is_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path / "a.png")

    def fail(*_: object) -> None:
        raise RuntimeError("Failed to decode image: Not implemented")  # as one of Pillow's decoders does

    monkeypatch.setattr(ImageFile.ImageFile, "load", fail)
    with pytest.raises(PictureError, match="cut short"):
        load_picture(path)


@pytest.mark.parametrize("errno", [EACCES, EIO])
def test_a_file_that_cannot_be_opened_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errno: int
) -> None:
    path = saved(tmp_path / "a.png")

    def shut(*_: object) -> None:
        raise OSError(errno, strerror(errno))

    monkeypatch.setattr("io.open", shut)
    with pytest.raises(PictureError, match=rf"a.png' cannot be opened \({strerror(errno)}\)"):
        load_picture(path)


def test_a_name_that_no_disk_takes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="cannot be opened"):
        load_picture(tmp_path / ("x" * 300 + ".jpg"))


def test_a_damaged_exif_block_does_not_matter(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    exif = Image.Exif()
    exif[0x0112] = 1
    path = saved(tmp_path / "a.jpg", exif=exif)
    content = path.read_bytes()
    at = content.index(b"Exif") + 14
    path.write_bytes(content[:at] + b"\xff\xff" + content[at + 2 :])
    assert load_picture(path).shape == (40, 60, 3)
    assert not recwarn.list
