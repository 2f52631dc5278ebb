"""The font and the tiles of a PDF: only the letters that are needed, and tiles at a size that prints well."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import Any
from zlib import crc32

from companion.art import font_path, tile_png

FONT = "Companion"
TILE_PX = 90
"""The width of a tile's picture: 500 dots an inch."""
UNITS_PER_EM = 1000


@cache
def read_tile(code: str) -> Any:
    """The picture of a drawn tile, as ReportLab takes it."""
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    with Image.open(tile_png(code)) as opened:
        return ImageReader(opened.convert("RGBA").resize((TILE_PX, TILE_PX * 4 // 3)))


def register_font(text: str) -> str:
    """Make a font of the letters of `text` out of the bundled one, its outlines as TrueType, which PDF
    writers take. Returns its name, which is another for other letters: ReportLab knows each name once."""
    from reportlab.pdfbase import pdfmetrics

    letters = "".join(sorted({*text, *map(chr, range(0x20, 0x7F))}))
    name = f"{FONT}-{crc32(letters.encode('utf-8', 'replace')):08x}"
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(_make_font(name, letters))
    return name


def _make_font(font_name: str, text: str) -> Any:
    from fontTools import subset
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from reportlab.pdfbase.ttfonts import TTFont

    font = subset.load_font(str(font_path()), subset.Options())
    subsetter = subset.Subsetter(subset.Options(notdef_outline=True, layout_features=[]))
    subsetter.populate(text=text)
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
    built.setupNameTable({"familyName": font_name, "styleName": "Regular", "psName": font_name})
    built.setupOS2()
    built.setupPost()
    content = BytesIO()
    built.save(content)
    content.seek(0)
    return TTFont(font_name, content)
