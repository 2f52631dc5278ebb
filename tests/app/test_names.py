"""Names of people in the window, in whatever script."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from app_driver import Driver
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.ttLib import TTFont
from numpy.typing import NDArray
from sheet_driver import keep_game, open_sheet
from test_game_win import begin, enter_first

from companion.art.font_choice import choose_font
from tests.made_fonts import HOSTILE, LISU, OTHER_LISU, damage, forget_fonts, make_font

SIZE = 40
CHINESE = ("瑋瑄", "鄺喆", "祎珺", "𠮷野")
MIXED = ("瑋瑄 Łukasz-Maximilian", "歐陽鄺喆 (Yıldız)", "祎珺 & Юлія", "𠮷野さくら 김민준")
OTHERS = ("Łukasz", "Nguyễn Thị Ánh", "Юлія", "김민준")
NO_FONT = "\ue000"
"""No font is asked for it: what is drawn of it is a box."""


def write(text: str) -> NDArray[np.uint8]:
    """What a label draws of one line: (height, width) opacity."""
    from kivy.core.text import Label

    label: Any = Label(text=text, font_size=SIZE)
    width, height = label._size = label.get_extents(text)
    label._render_begin()
    label._render_text(text, 0, 0)
    pixels = np.frombuffer(label._surface.get_data().data, np.uint8)
    return pixels.reshape(height, width, 4)[:, :, 3]


def is_box(text: str) -> bool:
    return np.array_equal(write(text), write(NO_FONT))


@pytest.mark.parametrize("name", CHINESE + OTHERS)
def test_no_letter_of_a_name_is_a_box(kivy_window: None, name: str) -> None:
    assert is_box("\ue001")
    assert [letter for letter in name if is_box(letter)] == []


def test_letters_of_several_fonts_stand_side_by_side_on_one_line(kivy_window: None) -> None:
    parts = [write(each) for each in ("Łukasz", " 瑋瑄")]
    whole = write("Łukasz 瑋瑄")
    assert {each.shape[0] for each in parts} == {whole.shape[0]} == {write("Ann").shape[0]}
    assert np.array_equal(whole, np.hstack(parts))


def test_installed_font_writes_missing_characters(kivy_window: None, font_folder: Path) -> None:
    assert is_box(LISU)
    forget_fonts()
    make_font(font_folder / "made.ttf", LISU)
    ink = np.argwhere(write("一" + LISU)[:, SIZE:] > 128)
    assert np.ptp(ink, axis=0) == pytest.approx((0.6 * SIZE, 0.6 * SIZE), abs=2)


def test_the_letters_of_a_font_that_has_gone_are_boxes(kivy_window: None, font_folder: Path) -> None:
    font = make_font(font_folder / "made.ttf", LISU)
    assert choose_font(LISU) == font
    font.unlink()
    assert is_box(LISU)


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_file_that_is_not_a_font_changes_nothing(kivy_window: None, font_folder: Path, kind: str) -> None:
    HOSTILE[kind](font_folder / "a.ttf")
    assert is_box(LISU)


def test_a_word_with_a_damaged_glyph_is_boxes_not_nothing(kivy_window: None, font_folder: Path) -> None:
    """Two letters together have a glyph of their own, which is damaged: each alone is drawn."""
    path = make_font(font_folder / "made.ttf", LISU + OTHER_LISU)
    font = TTFont(path)
    rule = f"feature ccmp {{ sub u{ord(LISU):X} u{ord(LISU):X} by u{ord(OTHER_LISU):X}; }} ccmp;"
    addOpenTypeFeaturesFromString(font, rule)
    font.save(path)
    assert not is_box(LISU)
    double = write(LISU + LISU)
    assert not np.array_equal(double, write(NO_FONT * 2))
    saved = TTFont(path)
    start = saved.reader.tables["glyf"].offset + saved["loca"][saved.getGlyphID(f"u{ord(OTHER_LISU):X}")]
    content = bytearray(path.read_bytes())
    content[start : start + 2] = b"\x7f\xff"  # contours
    damaged = font_folder / "damaged.ttf"
    damaged.write_bytes(content)
    path.unlink()
    forget_fonts()
    assert choose_font(LISU) == damaged
    assert np.array_equal(write(LISU + LISU), write(NO_FONT * 2))


def test_damaged_fonts_write_letters_or_boxes(kivy_window: None, font_folder: Path) -> None:
    seed = random.randrange(2**32)
    print("seed", seed)
    chance = random.Random(seed)
    content = make_font(font_folder / "made.ttf", LISU).read_bytes()
    for number in range(150):
        forget_fonts()
        (font_folder / "made.ttf").unlink(missing_ok=True)
        (font_folder / f"{number}.ttf").write_bytes(damage(content, chance))
        drawn = write("瑋" + LISU)
        assert drawn.shape[0] == write("瑋").shape[0]
        assert SIZE < drawn.shape[1] < 10 * SIZE
        assert drawn[:, SIZE:].any()
        (font_folder / f"{number}.ttf").unlink()


@pytest.mark.parametrize("ascent", [0, 1, 32767])
def test_a_font_with_senseless_heights_leaves_the_line_as_high_as_others(
    kivy_window: None, font_folder: Path, ascent: int
) -> None:
    font = TTFont(make_font(font_folder / "made.ttf", LISU))
    font["hhea"].ascent = font["OS/2"].usWinAscent = font["OS/2"].sTypoAscender = ascent
    font["hhea"].descent = font["OS/2"].usWinDescent = font["OS/2"].sTypoDescender = 0
    font.save(font_folder / "made.ttf")
    drawn = write("一" + LISU)
    assert drawn.shape[0] == write("一").shape[0]


def test_names_are_typed_in_letters_of_several_fonts(kivy_window: None, font_folder: Path) -> None:
    from kivy.base import EventLoop

    from companion.app.widgets.name_field import NameField

    make_font(font_folder / "made.ttf", LISU)
    field = NameField(lambda _: None)
    name = "瑋Łx\u0302" + LISU + NO_FONT
    for letter in name:
        EventLoop.idle()
        field.insert_text(letter)
    widths = [write(part).shape[1] for part in ("瑋", "Łx\u0302", LISU, NO_FONT)]
    assert field.text == name
    assert field.cursor_offset() == pytest.approx(sum(widths) * field.font_size / SIZE, abs=5)
    field.do_backspace()
    assert field.text == name[:-1]


@pytest.mark.parametrize(("width", "shrinks"), [(200, False), (95, True), (60, False)])
def test_a_name_shrinks_where_that_keeps_its_words_whole(
    kivy_window: None, width: int, shrinks: bool
) -> None:
    from companion.app.widgets.name_tag import NameTag

    tag = NameTag("瑋瑄 Maximilian", size=20)
    tag.size = (width, 200)
    assert (tag.font_size < 20) == shrinks


@pytest.mark.slow
@pytest.mark.parametrize("names", [CHINESE, MIXED], ids=["chinese", "mixed"])
def test_names_are_whole_on_the_pages_that_have_them(
    companion: Driver, tmp_path: Path, names: tuple[str, str, str, str]
) -> None:
    def list_missing(page: str) -> list[str]:
        assert companion.page == page
        missing = []
        for size in ((800, 480), (1280, 800)):
            companion.resize(size)
            companion.settle()
            companion.shot(f"names-{page}-{size[0]}-{len(names[0])}")
            missing += [name for name in names if not companion.says(name)]
        return missing

    keep_game(names=names)
    open_sheet(companion, "friday")
    assert list_missing("sheet") == []
    begin(companion, tmp_path / "friday.game", names=names)
    enter_first(companion, tmp_path)
    assert list_missing("win_result") == []
    companion.touch(companion.root.bar.buttons["game"])
    companion.settle()
    list_missing("game")  # its names are drawn, they are no labels
