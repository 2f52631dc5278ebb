"""Which font writes a character: bundled ones that have what people are called, then installed ones, whatever
their files hold."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from companion.art import BUNDLED_FONTS, font_path
from companion.art.font_choice import (
    choose_font,
    list_font_folders,
    list_fonts,
    read_ranges,
    split_runs,
)
from tests.made_fonts import HOSTILE, LISU, OTHER_LISU, damage, forget_fonts, make_font

STANDARD_BEYOND_BMP = (
    "𠅤𠙶𠳐𡎚𡐓𣗋𣲗𣲘𣸣𤧛𤩽𤫉𥔲𥕢𥖨𥻗𦈡𦒍𦙶𦝼𦭜𦰡𧿹𨐈𨙸𨚕𨟠𨭉𨱇𨱏𨱑𨱔𨺙𩽾𩾃𩾌𪟝𪣻𪤗𪨰𪨶𪩘𪾢𫄧𫄨𫄷𫄸𫇭𫌀𫍣𫍯𫍲𫍽𫐄𫐐𫐓𫑡𫓧𫓯𫓶𫓹𫔍𫔎𫔶𫖮𫖯𫖳𫗧"
    "𫗴𫘜𫘝𫘦𫘧𫘨𫘪𫘬𫚕𫚖𫚭𫛭𫞩𫟅𫟦𫟹𫟼𫠆𫠊𫠜𫢸𫫇𫭟𫭢𫭼𫮃𫰛𫵷𫶇𫷷𫸩𬀩𬀪𬂩𬃊𬇕𬇙𬇹𬉼𬊈𬊤𬌗𬍛𬍡𬍤𬒈𬒔𬒗𬕂𬘓𬘘𬘡𬘩𬘫𬘬𬘭𬘯𬙂𬙊𬙋𬜬𬜯𬞟𬟁𬟽𬣙𬣞𬣡𬣳𬤇𬤊𬤝𬨂𬨎𬩽"
    "𬪩𬬩𬬭𬬮𬬱𬬸𬬹𬬻𬬿𬭁𬭊𬭎𬭚𬭛𬭤𬭩𬭬𬭯𬭳𬭶𬭸𬭼𬮱𬮿𬯀𬯎𬱖𬱟𬳵𬳶𬳽𬳿𬴂𬴃𬴊𬶋𬶍𬶏𬶐𬶟𬶠𬶨𬶭𬶮𬷕𬸘𬸚𬸣𬸦𬸪𬹼𬺈𬺓"
)
"""Of the 8,105 standard characters of China (通用规范汉字表, 2013) those beyond U+FFFF; all others are in the
blocks that are tested whole."""
NAMES = (
    "瑋瑄鈺瑀煒燁鄺喆旻祎珺赟垚芃彧堃凃凃𠮷",
    "Łukasz Čapek Şükrü Yıldız Jānis Őry Þór Nguyễn Thị Ánh x̂",
    "Юлія Коваленко Ђорђе Ўладзімір Ελένη",
    "김민준 さくら ヴァイオレット",
)
MEANINGLESS = "\ue000"


def lacking(characters: Iterable[str]) -> str:
    """Those that no bundled font has."""
    known = {point for font in BUNDLED_FONTS for point in TTFont(font).getBestCmap()}
    return "".join(each for each in characters if ord(each) not in known)


@pytest.mark.slow
@pytest.mark.parametrize(
    "encoding",
    ["gb2312", "gbk", "big5", "big5hkscs", "shift_jis_2004", "cp949", "cp1258", "koi8_u",
     *(f"iso8859_{number}" for number in (1, 2, 3, 4, 5, 7, 9, 10, 13, 14, 15, 16))],
)  # fmt: skip
def test_the_bundled_fonts_have_all_letters_of_the_encodings_that_names_are_kept_in(encoding: str) -> None:
    letters = [each for each in map(chr, range(0x80, 0x30000)) if unicodedata.category(each)[0] == "L"]
    encoded = [each for each in letters if each.encode(encoding, "ignore")]
    assert len(encoded) > 40
    assert lacking(encoded) == ""


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (0x4E00, 0x9FEF),
        (0x3400, 0x4DB5),
        (0xAC00, 0xD7A3),
        (0x3041, 0x3096),
        (0x30A1, 0x30FA),
        (0x100, 0x17F),
    ],
)
def test_the_bundled_fonts_have_whole_blocks(first: int, last: int) -> None:
    assert lacking(map(chr, range(first, last + 1))) == ""


def test_the_bundled_fonts_have_the_standard_characters_beyond_the_blocks() -> None:
    assert len(STANDARD_BEYOND_BMP) == 196
    assert lacking(STANDARD_BEYOND_BMP) == ""


@pytest.mark.parametrize("name", NAMES)
def test_names_are_written_by_bundled_fonts(font_folder: Path, name: str) -> None:
    runs = split_runs(name)
    assert "".join(part for part, _ in runs) == name
    for part, font in runs:
        known = TTFont(font).getBestCmap()
        assert [each for each in unicodedata.normalize("NFC", part) if ord(each) not in known] == []


@pytest.mark.parametrize("font", BUNDLED_FONTS)
def test_the_characters_of_a_font_are_read_as_fonttools_reads_them(font: Path) -> None:
    read = {point for first, last in zip(*read_ranges(font), strict=True) for point in range(first, last + 1)}
    assert read - {0xFFFF} == set(TTFont(font).getBestCmap())


def test_a_word_is_written_by_one_font_and_marks_and_spaces_stay_with_it(font_folder: Path) -> None:
    latin, usual = BUNDLED_FONTS[1], font_path()
    assert split_runs("Ann Bao") == (("Ann Bao", usual),)
    assert split_runs("Łukasz 瑋瑄") == (("Łukasz", latin), (" 瑋瑄", usual))
    assert split_runs("x\u0302y e\u0301") == (("x\u0302y", latin), (" e\u0301", usual))
    assert split_runs("Őry Őry") == (("Őry Őry", latin),)
    assert split_runs("瑋\ufe00 \u200b") == (("瑋\ufe00 \u200b", usual),)
    assert split_runs("a\ud800") == (("a", usual), ("\ufffd", latin))
    assert split_runs("") == (("", usual),)


def test_an_installed_font_writes_what_the_bundled_ones_lack(font_folder: Path) -> None:
    text = "瑋" + LISU
    assert split_runs(text) == ((text, font_path()),)
    forget_fonts()
    for name in ("A-Bold.ttf", "B-Serif.ttf", "C.ttf", "D-Sans.ttf"):
        make_font(font_folder / name, LISU + MEANINGLESS)
    make_font(font_folder / "A-Sans.ttf", "a", empty=LISU)
    assert split_runs(text) == (("瑋", font_path()), (LISU, font_folder / "D-Sans.ttf"))
    assert choose_font(MEANINGLESS) == font_path()
    assert choose_font("𠮷") == font_path()


def test_damaged_fonts_are_as_good_as_none(font_folder: Path) -> None:
    seed = random.randrange(2**32)
    print("seed", seed)
    chance = random.Random(seed)
    content = make_font(font_folder / "whole.ttf", LISU).read_bytes()
    for number in range(300):
        (font_folder / f"a{number:03d}-sans.ttf").write_bytes(damage(content, chance))
    assert choose_font(LISU).parent == font_folder
    assert choose_font(OTHER_LISU) == font_path()


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_file_that_is_not_a_usable_font_is_passed_over(font_folder: Path, kind: str) -> None:
    HOSTILE[kind](font_folder / "a-sans.ttf")
    assert choose_font(LISU) == font_path()
    forget_fonts()
    good = make_font(font_folder / "b-sans.ttf", LISU)
    assert choose_font(LISU) == good


def test_folders_that_hold_themselves_end(font_folder: Path) -> None:
    (font_folder / "again").symlink_to(font_folder)
    good = make_font(font_folder / "b.otf", LISU)
    assert list_fonts() == [good]


def test_folders_of_fonts_are_those_of_the_person_and_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.setenv("XDG_DATA_HOME", "")
    monkeypatch.setenv("XDG_DATA_DIRS", "/usr/share:here:/opt/share")
    assert [str(each) for each in list_font_folders()] == [
        "/home/ann/.local/share/fonts", "/usr/share/fonts", "/opt/share/fonts", "/home/ann/.fonts"
    ]  # fmt: skip
