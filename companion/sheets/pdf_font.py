"""The font and the tiles of a PDF: only the letters that are needed, and tiles at a size that prints well."""

from __future__ import annotations

import logging
import re
import unicodedata
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from zlib import crc32

from companion.art import font_path, tile_png
from companion.art.font_choice import SURROGATES, choose_font, is_visible

logging.getLogger("fontTools").addHandler(logging.NullHandler())
"""Warnings about installed fonts are not shown on the terminal."""

FONT = "Companion"
TILE_PX = 90
"""The width of a tile's picture: 500 dots an inch."""
UNITS_PER_EM = 1000
GLYPH_UNITS_MAX = 8 * UNITS_PER_EM
"""How far a glyph of an installed font may extend."""
BOX = ".notdef"
LICENCE_BITS, NOT_TO_BE_EMBEDDED = 0xF, 0x2
"""Of fsType, by which a font says what its licence allows."""


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
