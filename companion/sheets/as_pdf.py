"""A score sheet as a PDF that a club prints: totals, plot, figures, every hand with its tiles. A4.

The font in the file is the bundled one, cut down to the characters that the sheet needs.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import Any
from zlib import crc32

from companion.art import font_path, tile_png
from companion.art.font_choice import SURROGATES, choose_font, is_visible
from companion.money import describe_currency, format_money
from companion.sentences import msgid, write_number
from companion.sheets.figures import DEALS_IN_A_ROW, Figures, calculate_figures, find_best_win
from companion.sheets.hands import Sheet, SheetHand, SheetWin
from companion.sheets.wording import (
    describe_deal,
    describe_hand,
    describe_penalties,
    describe_rules,
    describe_win,
    join_rows,
    list_transfers,
    name_evening,
    name_seated,
    write_points,
)
from companion.table.settling import Settlement, settle_up
from companion.words import Words

logging.getLogger("fontTools").addHandler(logging.NullHandler())
"""Warnings about installed fonts are not shown on the terminal."""

FONT = "Companion"
TILE_PX = 90
"""The width of a tile's picture: 500 dots an inch."""
UNITS_PER_EM = 1000
GLYPH_UNITS_MAX = 8 * UNITS_PER_EM
"""Maximum extent of a glyph of an installed font, in its units."""
BOX = ".notdef"
LICENCE_BITS, NOT_TO_BE_EMBEDDED = 0xF, 0x2
"""Bits of fsType, with which a font states what its licence allows."""


@cache
def read_tile(code: str) -> Any:
    """The picture of a drawn tile, as ReportLab takes it."""
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    with Image.open(tile_png(code)) as opened:
        return ImageReader(opened.convert("RGBA").resize((TILE_PX, TILE_PX * 4 // 3)))


def compose(text: str) -> str:
    """The text with each letter and its accents as one character if there is one, as a PDF needs it."""
    return unicodedata.normalize("NFC", SURROGATES.sub("\ufffd", text))


def register_font(text: str) -> str:
    """Make a font of the letters of `text`, each out of a font that has it; those that no font has are boxes.
    Returns its name, which is another for other letters: ReportLab knows each name once."""
    from reportlab.pdfbase import pdfmetrics

    letters = "".join(sorted({*text, " "}))
    name = f"{FONT}-{crc32(letters.encode()):08x}"
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(_make_font(name, letters))
    return name


def _make_font(font_name: str, letters: str) -> Any:
    """The outlines as TrueType, which PDF writers take, from whatever fonts."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import TTFont as Source

    opened: dict[Path, Any] = {}
    usual = opened[font_path()] = Source(font_path(), lazy=True)
    box = _trace(usual, BOX)
    glyphs = {BOX: box}
    for letter in letters:
        path = choose_font(letter)
        try:
            font = opened.get(path) or opened.setdefault(path, Source(path, fontNumber=0, lazy=True))
            if font["OS/2"].fsType & LICENCE_BITS == NOT_TO_BE_EMBEDDED:
                raise ValueError(f"{path.name} must not be embedded")
            glyph = _trace(font, font.getBestCmap()[ord(letter)])
        except Exception:  # no font has it, or a foreign file: whatever is wrong with it
            glyph = box if is_visible(letter) else (TTGlyphPen(None).glyph(), 0)
        glyphs[f"u{ord(letter):X}"] = glyph
    built = FontBuilder(UNITS_PER_EM, isTTF=True)
    built.setupGlyphOrder(list(glyphs))
    built.setupCharacterMap({ord(letter): f"u{ord(letter):X}" for letter in letters})
    built.setupGlyf({name: outline for name, (outline, _) in glyphs.items()})
    built.setupHorizontalMetrics({name: (width, outline.xMin) for name, (outline, width) in glyphs.items()})
    built.setupHorizontalHeader(ascent=880, descent=-120)
    built.setupNameTable({"familyName": font_name, "styleName": "Regular", "psName": font_name})
    built.setupOS2()
    built.setupPost()
    content = BytesIO()
    built.save(content)
    content.seek(0)
    return _embed(font_name, content)


def _trace(font: Any, name: str) -> tuple[Any, int]:
    """The outline of a glyph as TrueType, and its width. Raises any exception for a damaged font."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    glyphs = font.getGlyphSet()
    scale = UNITS_PER_EM / font["head"].unitsPerEm
    drawn, pen = DecomposingRecordingPen(glyphs), TTGlyphPen(None)
    glyphs[name].draw(drawn)
    drawn.replay(
        TransformPen(Cu2QuPen(pen, 1.0, reverse_direction="CFF " in font), (scale, 0, 0, scale, 0, 0))
    )
    outline, width = pen.glyph(), round(glyphs[name].width * scale)
    outline.compile(None)
    edges = (outline.xMin, outline.yMin, outline.xMax, outline.yMax, width) if drawn.value else (width,)
    if max(map(abs, edges)) > GLYPH_UNITS_MAX:
        raise ValueError(f"glyph {name} reaches too far")
    return outline, width


def _embed(font_name: str, content: BytesIO) -> Any:
    """The font as ReportLab puts it into a PDF: of the letters that are used, no others, and with characters
    beyond U+FFFF as PDF readers expect them, so that they can be searched and copied."""
    from reportlab.pdfbase.ttfonts import TTFont

    class Embedded(TTFont):  # type: ignore[misc]
        def addObjects(self, doc: Any) -> None:
            super().addObjects(doc)
            for key, stored in doc.idToObject.items():
                if key.startswith("toUnicodeCMap:"):
                    stored.content = re.sub("<([0-9A-F]{5,6})>", _encode_far, stored.content)

    return Embedded(font_name, content, asciiReadable=False)


def _encode_far(point: re.Match[str]) -> str:
    return f"<{chr(int(point[1], 16)).encode('utf-16-be').hex()}>"


A4_PT = (595.3, 841.9)
MARGIN_PT, LINE_PT = 42.0, 14.0
TILE_PT = 14.5
TILE_ASPECT = 0.75
PLOT_PT, TICKS_PT = 150.0, 36.0
PATTERNS_MAX = 12
COLUMN_PT = 48.0
COLOURS = ((0.72, 0.53, 0.04), (0.12, 0.42, 0.75), (0.83, 0.33, 0.1), (0.1, 0.55, 0.35))
BLACK, GREY, LIGHT = (0.0, 0.0, 0.0), (0.42, 0.42, 0.42), (0.85, 0.85, 0.85)
HEADS = (
    msgid("Points"), msgid("Wins"), msgid("Self-draws"), msgid("Deal-ins"), DEALS_IN_A_ROW,
)  # fmt: skip


@dataclass
class Paper:
    """A canvas with a place that moves down; a page is begun if there is no room. The texts are written
    twice: first only to know the letters, `letters`, for the font holds no others."""

    words: Words
    title: str
    canvas: Any = None
    font: str = ""
    top: float = A4_PT[1] - MARGIN_PT
    page: int = 1
    letters: list[str] = field(default_factory=list)

    def need(self, height: float) -> None:
        """Begin a page unless there is that much room, pt."""
        if self.top - height < MARGIN_PT:
            self.end_page()
            self.page += 1
            self.top = A4_PT[1] - MARGIN_PT

    def end_page(self) -> None:
        self.write(
            A4_PT[0] - MARGIN_PT, MARGIN_PT * 0.55, f"{self.title}  ·  {self.page}", 8, GREY, right=True
        )
        if self.canvas is not None:
            self.canvas.showPage()

    def write(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: tuple[float, float, float] = BLACK,
        *,
        right: bool = False,
        room: float | None = None,
    ) -> None:
        """One line, its left or right end at x; smaller where it has less room than it needs."""
        text = compose(text)
        self.letters.append(text)
        if self.canvas is None:
            return
        if room is not None:
            size = min(size, size * room / max(self.canvas.stringWidth(text, self.font, size), 1))
        self.canvas.setFillColorRGB(*colour)
        self.canvas.setFont(self.font, size)
        (self.canvas.drawRightString if right else self.canvas.drawString)(x, y, text)

    def rule(self, y: float, colour: tuple[float, float, float] = LIGHT) -> None:
        self.line(MARGIN_PT, y, A4_PT[0] - MARGIN_PT, y, colour, 0.5)

    def line(
        self, x: float, y: float, right: float, up: float, colour: tuple[float, float, float], width: float
    ) -> None:
        if self.canvas is not None:
            self.canvas.setStrokeColorRGB(*colour)
            self.canvas.setLineWidth(width)
            self.canvas.line(x, y, right, up)

    def bar(
        self, x: float, y: float, width: float, height: float, colour: tuple[float, float, float]
    ) -> None:
        if self.canvas is not None:
            self.canvas.setFillColorRGB(*colour)
            self.canvas.rect(x, y, width, height, stroke=0, fill=1)

    def tile(self, code: str, x: float, y: float) -> None:
        if self.canvas is not None:
            height = TILE_PT / TILE_ASPECT
            self.canvas.drawImage(read_tile(code), x, y, TILE_PT * 0.96, height * 0.96, mask="auto")


def encode_pdf(sheet: Sheet, name: str, words: Words, day: date | None = None) -> bytes:
    """The sheet as a PDF in that language, headed by the game's name and the day of the evening. Its text can
    be searched; names may be Chinese."""
    from reportlab.pdfgen.canvas import Canvas

    dated = name_evening(name, day)
    title = "  ·  ".join((*dated, describe_rules(sheet, words)))
    draft = Paper(words, title)
    _fill(draft, sheet)
    font = register_font("".join(draft.letters))
    content = BytesIO()
    canvas = Canvas(content, pagesize=A4_PT)
    canvas.setTitle(title)
    _fill(Paper(words, title, canvas, font), sheet)
    canvas.save()
    return content.getvalue()


def _fill(paper: Paper, sheet: Sheet) -> None:
    words = paper.words
    names = name_seated(sheet, words)
    figures = calculate_figures(sheet)
    settlement = settle_up(sheet.state)
    _fill_head(paper, sheet, settlement, names)
    if settlement is not None:
        _fill_settlement(paper, settlement, names)
    _fill_best(paper, sheet, names)
    _fill_plot(paper, figures.totals, sheet.people)
    _fill_figures(paper, figures, sheet.people, names)
    _fill_patterns(paper, figures)
    paper.top -= 10
    for hand in sheet.hands:
        _fill_hand(paper, sheet, hand, names)
    paper.end_page()


def _fill_head(paper: Paper, sheet: Sheet, settlement: Settlement | None, names: Sequence[str]) -> None:
    """Title, and what each has, in money too."""
    width = A4_PT[0] - 2 * MARGIN_PT
    paper.write(MARGIN_PT, paper.top - 18, paper.title, 18, room=width)
    paper.top -= 44
    column = width / len(sheet.people)
    for at, person in enumerate(sheet.people):
        x = MARGIN_PT + at * column
        paper.write(x, paper.top, names[person], 11, COLOURS[person], room=column - 8)
        points = write_number(sheet.state.points[person])
        paper.write(x, paper.top - 24, points, 22, COLOURS[person])
        if settlement is not None:
            money = format_money(settlement.amounts[person], settlement.currency)
            paper.write(x, paper.top - 40, money, 12, COLOURS[person], room=column - 8)
    paper.top -= 42 if settlement is None else 62


def _fill_settlement(paper: Paper, settlement: Settlement, names: Sequence[str]) -> None:
    """Who pays whom."""
    words = paper.words
    heading = " · ".join((words(msgid("Settle up")), words.say(describe_currency(settlement.currency))))
    paper.write(MARGIN_PT, paper.top, heading, 9, GREY)
    for said in list_transfers(settlement, names, words):
        paper.top -= LINE_PT + 2
        paper.write(MARGIN_PT, paper.top, said, 12, room=A4_PT[0] - 2 * MARGIN_PT)
    paper.top -= LINE_PT * 1.8


def _fill_best(paper: Paper, sheet: Sheet, names: Sequence[str]) -> None:
    """The win that is worth most, with its tiles where they are known."""
    found = find_best_win(sheet)
    if found is None:
        return
    _, win = found
    paper.write(MARGIN_PT, paper.top, paper.words(msgid("Best hand")), 9, GREY)
    paper.top -= LINE_PT + 2
    width = A4_PT[0] - 2 * MARGIN_PT
    paper.write(MARGIN_PT, paper.top, describe_win(win, names, paper.words), 12, room=width)
    paper.top -= LINE_PT
    paper.write(
        MARGIN_PT, paper.top, join_rows(win.score.lines, win.score.rules, paper.words), 8, GREY, room=width
    )
    if win.concealed or win.melds:
        paper.top -= TILE_PT / TILE_ASPECT + 4
        _draw_tiles(paper, win, MARGIN_PT, paper.top)
    paper.top -= LINE_PT * 1.8


def _fill_plot(paper: Paper, totals: Sequence[Sequence[int]], people: Sequence[int]) -> None:
    """The points after each hand."""
    paper.write(MARGIN_PT, paper.top, paper.words(msgid("Points after each hand")), 9, GREY)
    paper.top -= 10
    values = [total[person] for total in totals for person in people]
    low, high = min(*values, 0), max(*values, 1)
    left, wide = MARGIN_PT + TICKS_PT, A4_PT[0] - 2 * MARGIN_PT - TICKS_PT
    bottom = paper.top - PLOT_PT

    def place(at: int, value: float) -> tuple[float, float]:
        x = left + wide * at / max(1, len(totals) - 1)
        return x, bottom + PLOT_PT * (value - low) / (high - low)

    for value in sorted({low, 0, high}):
        y = place(0, value)[1]
        paper.line(left, y, left + wide, y, LIGHT, 0.5)
        paper.write(left - 6, y - 3, write_number(value), 8, GREY, right=True)
    every = max(1, ceil(len(totals) / 16))
    for at in range(0, len(totals), every):
        paper.write(place(at, 0)[0] + 3, bottom - 10, str(at), 7, GREY, right=True)
    for person in people:
        for at in range(1, len(totals)):
            before, after = place(at - 1, totals[at - 1][person]), place(at, totals[at][person])
            paper.line(*before, *after, COLOURS[person], 1.4)
    paper.top = bottom - 28


def _fill_figures(paper: Paper, figures: Figures, people: Sequence[int], names: Sequence[str]) -> None:
    """A row for each person."""
    first, wide = 150.0, A4_PT[0] - 2 * MARGIN_PT
    column = (wide - first) / len(HEADS)
    for at, head in enumerate(HEADS):
        right = MARGIN_PT + first + (at + 1) * column
        paper.write(right, paper.top, paper.words(head), 8, GREY, right=True, room=column - 4)
    for person in people:
        paper.top -= LINE_PT
        one = figures.people[person]
        paper.write(MARGIN_PT, paper.top, names[person], 10, COLOURS[person], room=first - 8)
        for at, value in enumerate(
            (write_points(one.points), one.wins, one.self_draws, one.given, one.dealt)
        ):
            paper.write(MARGIN_PT + first + (at + 1) * column, paper.top, str(value), 10, right=True)
    paper.top -= LINE_PT * 1.8


def _fill_patterns(paper: Paper, figures: Figures) -> None:
    """What was won with: a bar for each row, in two columns."""
    shown = figures.patterns[:PATTERNS_MAX]
    if not shown:
        return
    paper.write(MARGIN_PT, paper.top, paper.words(msgid("Winning patterns")), 9, GREY)
    paper.top -= 4
    rows, most = ceil(len(shown) / 2), shown[0].wins
    half = (A4_PT[0] - 2 * MARGIN_PT) / 2
    for at, each in enumerate(shown):
        column, row = divmod(at, rows)
        x, y = MARGIN_PT + column * half, paper.top - (row + 1) * 12
        paper.write(x, y, paper.words.both(each.name, each.name_zh)[0], 8, room=half - 120)
        paper.bar(x + half - 115, y - 1, max(1.0, 75 * each.wins / most), 7, COLOURS[0])
        paper.write(x + half - 12, y, str(each.wins), 8, right=True)
    paper.top -= rows * 12 + 14


def _fill_hand(paper: Paper, sheet: Sheet, hand: SheetHand, names: Sequence[str]) -> None:
    """What happened, the rows, the winning tiles, and what each got and has."""
    wins = hand.wins or (None,)
    height = 22 + len(hand.wins) * (LINE_PT + TILE_PT / TILE_ASPECT + 4) + 6
    paper.need(max(height, 44))
    paper.rule(paper.top)
    start = paper.top
    points = COLUMN_PT * len(sheet.people)
    room = A4_PT[0] - 2 * MARGIN_PT - points - 34
    paper.write(MARGIN_PT, start - 15, str(hand.number or ""), 14, GREY)
    left = A4_PT[0] - MARGIN_PT - points
    for at, person in enumerate(sheet.people):
        right = left + (at + 1) * COLUMN_PT
        paper.write(right, start - 13, write_points(hand.points[person]), 10, COLOURS[person], right=True)
        total = write_number(hand.totals[person])
        paper.write(right, start - 24, total, 8, GREY, right=True)
    y = start - 12
    for win in wins:
        paper.write(MARGIN_PT + 26, y, _describe_end(hand, win, names, paper.words), 10, room=room)
        if win is not None:
            y -= LINE_PT - 2
            paper.write(
                MARGIN_PT + 26,
                y,
                join_rows(win.score.lines, win.score.rules, paper.words),
                8,
                GREY,
                room=room,
            )
            y -= TILE_PT / TILE_ASPECT + 4
            _draw_tiles(paper, win, MARGIN_PT + 26, y)
            y -= 10
    deal = describe_deal(hand, sheet.rules, names, paper.words)
    paper.write(MARGIN_PT + 26, min(y, start - 24), deal, 8, GREY, room=room)
    paper.top = min(y, start - 24) - 8


def _draw_tiles(paper: Paper, win: SheetWin, x: float, y: float) -> None:
    for group in (win.concealed, *win.melds, win.flowers):
        for code in group:
            paper.tile(code, x, y)
            x += TILE_PT
        x += TILE_PT / 3 if group else 0


def _describe_end(hand: SheetHand, win: SheetWin | None, names: Sequence[str], words: Words) -> str:
    """How it ended; next to the first win the other payments."""
    if win is None:
        return describe_hand(hand, names, words)
    more = describe_penalties(hand, names, words) if win is hand.wins[0] else []
    return " · ".join((describe_win(win, names, words), *more))
