"""The committed pictures and fonts: present, sized, licensed, and exactly what the drawing code draws."""

import subprocess
import sys

import cv2
import numpy as np
import pytest
from fontTools.ttLib import TTFont

from companion.art import BUNDLED_FONTS, font_path, icon_png, tile_png
from lab.art.house import HEIGHT_PX, WIDTH_PX, draw_house_tile
from lab.art.make import PICTURES, draw_icon
from tests.programs import LIMIT_S

MEGABYTE = 1_000_000


@pytest.mark.parametrize("code", PICTURES)
def test_every_picture_is_there_with_transparent_corners(code):
    picture = cv2.imread(str(tile_png(code)), cv2.IMREAD_UNCHANGED)
    assert picture.shape == (HEIGHT_PX, WIDTH_PX, 4)
    assert picture[0, 0, 3] == 0
    assert picture[HEIGHT_PX // 2, WIDTH_PX // 2, 3] == 255


@pytest.mark.parametrize("code", ["5m", "7p", "1s", "8s", "5z", "6z", "2f", "7f", "back", "?"])
def test_the_committed_picture_is_what_the_code_draws(code):
    committed = cv2.imread(str(tile_png(code)), cv2.IMREAD_UNCHANGED).astype(np.int16)
    # other versions of freetype and OpenCV round edges differently, so single pixels may differ a little
    assert np.abs(committed - draw_house_tile(code)).mean() < 1.0


def test_the_icon_is_what_the_code_draws():
    committed = cv2.imread(str(icon_png()), cv2.IMREAD_UNCHANGED).astype(np.int16)
    assert committed.shape == (512, 512, 4)
    assert np.abs(committed - draw_icon()).mean() < 1.0


def test_the_pictures_together_stay_small():
    assert sum(tile_png(code).stat().st_size for code in PICTURES) < 2 * MEGABYTE


def test_tiles_differ_at_40_px():
    pictures = [cv2.imread(str(tile_png(code)), cv2.IMREAD_UNCHANGED) for code in PICTURES]
    small = [
        cv2.resize(picture, (30, 40), interpolation=cv2.INTER_AREA).astype(np.int16) for picture in pictures
    ]
    for i, first in enumerate(small):
        for j in range(i):
            assert np.abs(first - small[j]).mean() > 2.0, (PICTURES[i], PICTURES[j])


@pytest.mark.parametrize(
    "text",
    [
        "Score a photo: 34 × 2 − 1 = €67 → “done” …",
        "合肥 河北 台湾 杭州 香港 暗杠 清一色 十三幺",
        "臺灣 麻將 槓 對對胡 門清 海底撈月 莊家",
        "、。「」《》（）！？：；",
    ],
)
def test_the_font_has_what_the_screens_write(text):
    known = TTFont(font_path()).getBestCmap()
    assert [sign for sign in text if ord(sign) not in known] == []


def test_fonts_stand_beside_their_licence():
    folder = font_path().parent
    assert "SIL OPEN FONT LICENSE Version 1.1" in (folder / "OFL.txt").read_text(encoding="utf-8")
    fonts = sorted(folder.glob("*.?tf"))
    assert {*BUNDLED_FONTS, folder / "tile-kai.ttf"} == set(fonts)
    licences = (folder.parent / "LICENCES.md").read_text(encoding="utf-8")
    for font in fonts:
        assert font.name in (folder / "OFL.txt").read_text(encoding="utf-8")
        assert f"{font.stat().st_size:,} bytes" in next(
            line for line in licences.splitlines() if line.startswith(f"| `fonts/{font.name}`")
        )
    assert sum(font.stat().st_size for font in fonts) < 10 * MEGABYTE


def test_bundled_fonts_are_parts_under_names_of_their_own():
    for path in (font_path().parent).glob("*.?tf"):
        names = TTFont(path)["name"]
        assert {names.getDebugName(number).split("-")[0].replace(" ", "") for number in (1, 3, 4, 6)} == {
            {"companion-cjk.otf": "CompanionCJK", "companion-latin.ttf": "CompanionLatin"}.get(
                path.name, "CompanionTileKai"
            )
        }
        assert "SIL Open Font License" in names.getDebugName(13)


def test_the_glyphs_of_the_large_font_are_quick_to_load():
    font = TTFont(font_path())["CFF "].cff
    top = font.topDictIndex[0]
    assert top.charset[1:] == [f"cid{number:05d}" for number in range(1, len(top.charset))]
    assert len(font.GlobalSubrs) == 0
    assert not any(hasattr(each.Private, "Subrs") for each in top.FDArray)


def test_asking_for_a_picture_imports_no_picture_library():
    program = (
        "import sys, companion.art; companion.art.tile_png('5m');"
        "sys.exit(bool({'cv2', 'PIL', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=LIMIT_S).returncode == 0


def test_a_contact_sheet_is_written(tmp_path):
    out = tmp_path / "sheet.png"
    command = [
        sys.executable,
        "-m",
        "lab.art.sheet",
        "--styles",
        "2",
        "--codes",
        "1s,5z",
        "--height",
        "40",
        "--out",
        str(out),
    ]
    subprocess.run(command, check=True, timeout=LIMIT_S)
    assert cv2.imread(str(out)).shape == (80, 60, 3)
