"""A score sheet as a PDF to hang on the wall: totals, a plot, every hand with its tiles. A4, upright."""

from __future__ import annotations

import itertools
from functools import cache
from io import BytesIO
from typing import Any

from companion.art import font_path, tile_png
from companion.rules import RULE_SETS
from companion.sheets.hands import Sheet, SheetHand, SheetWin

A4_PT = (595.3, 841.9)
MARGIN_PT, LINE_PT = 40.0, 14.0
HAND_PT, TILE_PT = 62.0, 13.0
PLOT_PT = 150.0
COLOURS = ((0.72, 0.53, 0.04), (0.12, 0.42, 0.75), (0.83, 0.33, 0.1), (0.1, 0.55, 0.35))
FONT = "Companion"
TILE_PX = 90
"""The width of a tile's picture: 500 dots an inch."""
UNITS_PER_EM = 1000


def encode_pdf(sheet: Sheet) -> bytes:
    """The sheet as a PDF. Its text can be searched; names may be Chinese."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfgen.canvas import Canvas

    names = tuple(name or f"player {person + 1}" for person, name in enumerate(sheet.names))
    rules = RULE_SETS[sheet.rules]
    title = f"{rules.title} {rules.title_zh}"
    texts = [title, *names, *(_describe(hand, names) for hand in sheet.hands), *map(_list_rows, sheet.hands)]
    pdfmetrics.registerFont(_make_font("".join(texts)))
    content = BytesIO()
    canvas = Canvas(content, pagesize=A4_PT)
    canvas.setTitle(title)
    top = _draw_head(canvas, sheet, title, names)
    for hand in sheet.hands:
        if top < MARGIN_PT + HAND_PT:
            canvas.showPage()
            top = A4_PT[1] - MARGIN_PT
        top = _draw_hand(canvas, sheet, hand, names, top)
    canvas.save()
    return content.getvalue()


def _draw_head(canvas: Any, sheet: Sheet, title: str, names: tuple[str, ...]) -> float:
    """Title, totals and plot; returns how high the next thing begins, in pt."""
    width, height = A4_PT
    top = height - MARGIN_PT
    _write(canvas, MARGIN_PT, top - 16, title, 18)
    top -= 46
    column = (width - 2 * MARGIN_PT) / len(sheet.people)
    for at, person in enumerate(sheet.people):
        canvas.setFillColorRGB(*COLOURS[person])
        _write(canvas, MARGIN_PT + at * column, top, names[person], 11)
        _write(canvas, MARGIN_PT + at * column, top - 22, str(sheet.state.points[person]), 20)
    canvas.setFillColorRGB(0, 0, 0)
    top -= 40
    totals = (sheet.start, *(hand.totals for hand in sheet.hands))
    values = [total[person] for total in totals for person in sheet.people]
    low, span = min(values), max(1, max(values) - min(values))
    wide = (width - 2 * MARGIN_PT) / max(1, len(totals) - 1)
    for person in sheet.people:
        canvas.setStrokeColorRGB(*COLOURS[person])
        places = [
            (MARGIN_PT + at * wide, top - PLOT_PT + (total[person] - low) / span * PLOT_PT)
            for at, total in enumerate(totals)
        ]
        for (x, y), (right, up) in itertools.pairwise(places):
            canvas.line(x, y, right, up)
    return top - PLOT_PT - 20


def _draw_hand(canvas: Any, sheet: Sheet, hand: SheetHand, names: tuple[str, ...], top: float) -> float:
    canvas.setStrokeColorRGB(0.8, 0.8, 0.8)
    canvas.line(MARGIN_PT, top, A4_PT[0] - MARGIN_PT, top)
    _write(canvas, MARGIN_PT, top - LINE_PT, _describe(hand, names), 10)
    _write(canvas, MARGIN_PT + 24, top - 2 * LINE_PT, _list_rows(hand)[:90], 8)
    column = 45.0
    left = A4_PT[0] - MARGIN_PT - column * len(sheet.people)
    for at, person in enumerate(sheet.people):
        canvas.setFillColorRGB(*COLOURS[person])
        _write(canvas, left + at * column, top - 3 * LINE_PT, f"{hand.points[person]:+d}", 10)
        _write(canvas, left + at * column, top - 3 * LINE_PT - 12, str(hand.totals[person]), 8)
    canvas.setFillColorRGB(0, 0, 0)
    for win in hand.wins[:1]:
        _draw_tiles(canvas, win, MARGIN_PT + 24, top - HAND_PT + 4)
    return top - HAND_PT


def _draw_tiles(canvas: Any, win: SheetWin, x: float, y: float) -> None:
    for group in (*win.melds, win.concealed, win.flowers):
        for code in group:
            canvas.drawImage(_read_tile(code), x, y, TILE_PT, TILE_PT / 0.75, mask="auto")
            x += TILE_PT
        x += TILE_PT / 3 if group else 0


def _describe(hand: SheetHand, names: tuple[str, ...]) -> str:
    parts = [f"{hand.number}." if hand.number else ""]
    for win in hand.wins:
        how = "self-draw" if win.giver is None else f"on {names[win.giver]}"
        parts.append(f"{names[win.winner]}, {how}: {win.value} {win.unit}")
    if hand.drawn:
        parts.append("nobody won")
    if hand.abandoned:
        parts.append("does not count")
    if hand.dealer is not None:
        parts.append(f"({names[hand.dealer]} dealt)")
    return "  ".join(part for part in parts if part)


def _list_rows(hand: SheetHand) -> str:
    return ", ".join(f"{line.name} {line.name_zh}" for win in hand.wins for line in win.lines)


def _write(canvas: Any, x: float, y: float, text: str, size: float) -> None:
    canvas.setFont(FONT, size)
    canvas.drawString(x, y, text)


@cache
def _read_tile(code: str) -> Any:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    with Image.open(tile_png(code)) as opened:
        return ImageReader(opened.convert("RGBA").resize((TILE_PX, TILE_PX * 4 // 3)))


def _make_font(text: str) -> Any:
    """The bundled font with the letters of `text` only, its outlines as TrueType, which PDF writers take."""
    from fontTools import subset
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from reportlab.pdfbase.ttfonts import TTFont

    font = subset.load_font(str(font_path()), subset.Options())
    subsetter = subset.Subsetter(subset.Options(notdef_outline=True, layout_features=[]))
    subsetter.populate(text=text + "".join(map(chr, range(0x20, 0x7F))))
    subsetter.subset(font)
    order, glyphs, outlines = font.getGlyphOrder(), font.getGlyphSet(), {}
    for name in order:
        pen = TTGlyphPen(None)
        glyphs[name].draw(Cu2QuPen(pen, 1.0, reverse_direction=True))
        outlines[name] = pen.glyph()
    built = FontBuilder(UNITS_PER_EM, isTTF=True)
    built.setupGlyphOrder(order)
    built.setupCharacterMap(font.getBestCmap())
    built.setupGlyf(outlines)
    built.setupHorizontalMetrics({name: font["hmtx"][name] for name in order})
    built.setupHorizontalHeader(ascent=880, descent=-120)
    built.setupNameTable({"familyName": FONT, "styleName": "Regular", "psName": FONT})
    built.setupOS2()
    built.setupPost()
    content = BytesIO()
    built.save(content)
    content.seek(0)
    return TTFont(FONT, content)
