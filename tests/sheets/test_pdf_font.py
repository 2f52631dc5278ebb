"""The fonts in a PDF: the glyphs that it uses, whatever scripts people's names are in."""

from __future__ import annotations

import random
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fontTools.ttLib import TTFont
from pypdf import PdfReader

from companion.art.font_choice import choose_font
from companion.coach.play.simulation import play
from companion.sheets.as_pdf import compose, encode_pdf
from companion.sheets.hands import make_sheet
from companion.table.events import Event, GameStarted
from companion.words import Language, Words
from tests.made_fonts import HOSTILE, LISU, forget_fonts, make_font

CHINESE = ("瑋瑄", "鄺喆", "祎珺", "𠮷野")
NO_FONT = "\U0003ffd0"
"""No font is asked for it: what is drawn of it is a box."""


def write(names: tuple[str, str, str, str], title: str = "friday", hands: int = 1) -> PdfReader:
    start = GameStarted(rules="hong_kong", names=names)
    events: list[Event] = [start]
    for hand in play(start, hands, random.Random(5)):
        events += [step.event for step in hand.steps]
    content = encode_pdf(make_sheet(events), title, Words(Language.TRADITIONAL))
    return PdfReader(BytesIO(content))


def read_text(pdf: PdfReader) -> str:
    return "".join(page.extract_text() for page in pdf.pages)


def list_embedded(pdf: PdfReader) -> list[tuple[TTFont, int]]:
    """The fonts in the file, each with its size in bytes."""
    found: dict[str, Any] = {}
    for page in pdf.pages:
        for name, font in page["/Resources"]["/Font"].items():  # type: ignore[index]
            descriptor = font.get_object().get("/FontDescriptor")
            if descriptor:
                found[name] = descriptor["/FontFile2"].get_data()
    return [(TTFont(BytesIO(content)), len(content)) for content in found.values()]


def test_a_pdf_holds_the_glyphs_that_it_uses_and_no_others() -> None:
    pdf = write(CHINESE, "瑋瑄 及 鄺喆 的 牌局", hands=4)
    used = {each for each in read_text(pdf) if not each.isspace()}
    fonts = list_embedded(pdf)
    assert {*"".join(CHINESE)} <= used
    glyphs = [font["glyf"][name] for font, _ in fonts for name in font.getGlyphOrder()]
    drawn = sum(glyph.numberOfContours != 0 for glyph in glyphs)
    assert drawn == len(used) + len(fonts), "each character once, and the box of each font"
    assert sum(size for _, size in fonts) < 600 * len(used)


@pytest.mark.parametrize(
    "names",
    [
        CHINESE,
        ("Łukasz Őry", "Nguyễn Thị Ánh", "Юлія Коваленко", "김민준"),
        ("赟垚芃彧堃凃", "Şükrü", "さくら", "Ελένη"),
        ("瑋" * 40, "𠮷" * 20, "", "W" * 40),
    ],
)
def test_names_can_be_searched_and_copied(names: tuple[str, str, str, str]) -> None:
    text = read_text(write(names))
    assert [name for name in names if name not in text] == []


def test_accents_that_are_written_apart_become_one_letter() -> None:
    assert compose("Lukáš") == "Lukáš"
    assert compose("a\ud800") == "a\ufffd"
    assert "Lukáš" in read_text(write(("Lukáš", "B", "C", "D")))


def find_outline(pdf: PdfReader, character: str) -> list[tuple[int, int]]:
    """The corners that are drawn for it, from the fonts in the file."""
    shapes = []
    for page in pdf.pages:
        for font in page["/Resources"]["/Font"].values():  # type: ignore[index]
            font = font.get_object()
            if "/ToUnicode" not in font:
                continue
            embedded = TTFont(BytesIO(font["/FontDescriptor"]["/FontFile2"].get_data()))
            table = font["/ToUnicode"].get_data().decode().lower()
            written = character.encode("utf-16-be").hex()
            codes = [line[1:3] for line in table.splitlines() if line.endswith(f"<{written}>")]
            for code in codes:
                glyph = embedded["cmap"].tables[0].cmap[int(code, 16)]
                shapes.append(list(getattr(embedded["glyf"][glyph], "coordinates", ())))
    return shapes[0]


def test_installed_font_draws_missing_characters(font_folder: Path) -> None:
    make_font(font_folder / "made.ttf", LISU)
    pdf = write(("a" + LISU, "b" + NO_FONT, "c", "d"))
    assert find_outline(pdf, LISU) == [(100, 0), (100, 600), (700, 600), (700, 0)]
    assert len(find_outline(pdf, NO_FONT)) > 4, "a box"
    text = read_text(pdf)
    assert all(name in text for name in ("a" + LISU, "b" + NO_FONT))


def test_a_font_whose_licence_forbids_it_is_not_embedded(font_folder: Path) -> None:
    font = TTFont(make_font(font_folder / "made.ttf", LISU))
    font["OS/2"].fsType = 2
    font.save(font_folder / "made.ttf")
    assert len(find_outline(write(("not" + LISU, "b", "c", "d")), LISU)) > 4, "a box"


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_file_that_is_not_a_font_changes_nothing(font_folder: Path, kind: str) -> None:
    HOSTILE[kind](font_folder / "made.ttf")
    assert "a" + LISU in read_text(write(("a" + LISU, "b", "c", kind)))


def test_a_font_that_has_gone_or_is_damaged_since_leaves_boxes(font_folder: Path) -> None:
    font = make_font(font_folder / "made.ttf", LISU)
    for damaged in (b"", font.read_bytes()[:-40], None):
        make_font(font, LISU)
        forget_fonts()
        assert choose_font(LISU) == font
        if damaged is None:
            font.unlink()
        else:
            font.write_bytes(damaged)
        name = f"{LISU}{len(damaged or b'')}"
        assert name in read_text(write((name, "b", "c", "d")))
