"""Flower and season tiles: a plant, and in the upper corners a number, a character, a word or two of
these.
"""

from __future__ import annotations

from lab.art.canvas import FACE_W, Canvas, Colour
from lab.art.characters import NUMERALS, fit_size
from lab.art.glyphs import Writing, make_glyph
from lab.art.inks import Inks
from lab.art.plants import Brush, draw_plant
from lab.art.style import UNDER_LETTERING, Flowers, Lettering

TRADITIONAL = "梅蘭菊竹春夏秋冬"
SIMPLIFIED = "梅兰菊竹春夏秋冬"
WORDS = ("SPR", "SUM", "AUT", "WIN")
MARGIN = 5.0
CLEARED = 1.5  # round a number or character, of whatever grows there
PLANT_ZOOM = 0.55  # plants may stray half a face beyond the edge before they are fitted in


def draw_flower(
    canvas: Canvas, rank: int, seed: int, style: Flowers, lettering: Lettering, inks: Inks
) -> None:
    """Paint flower 1..4 or season 5..8."""
    brush = Brush(inks.leaf, inks.bloom, inks.third, style.line, style.filled)
    canvas.zoom = PLANT_ZOOM
    plant = 1 + seed % len(TRADITIONAL) if style.any_plants else rank
    draw_plant(canvas, plant, seed, brush, style.potted)
    canvas.zoom = 1.0
    season = rank > 4
    numbered = style.season_number if season else style.plant_number
    top = style.plant_top if numbered or style.characters else 8.0
    canvas.fit((5.0, top, 65.0, 95.0 - top), style.fullness)
    number_left = style.season_number_left if season else style.plant_number_left
    if numbered:
        chinese = season and style.season_chinese_number
        digit = (rank - 1) % 4
        writing = lettering.writing if chinese else lettering.latin
        text = NUMERALS[digit] if chinese else str(digit + 1)
        _clear(canvas, style, style.number_size, number_left)
        _corner(
            canvas, text, writing, lettering.font, style.number_size, number_left, _number_ink(season, inks)
        )
    if season and style.season_words:
        for k, letter in enumerate(WORDS[rank - 5]):
            left = MARGIN + k * 8 if not number_left else FACE_W - MARGIN - (3 - k) * 8
            mask = make_glyph(letter, lettering.latin, lettering.font)
            width, height = fit_size(mask, 7, 11)
            canvas.stamp(mask, (left + (7 - width) / 2, MARGIN, width, height), inks.season_text)
    elif style.characters:
        text = (TRADITIONAL if style.traditional else SIMPLIFIED)[rank - 1]
        ink = inks.season_text if season else inks.plant_text
        _clear(canvas, style, style.character_size, not number_left)
        _corner(canvas, text, lettering.writing, lettering.font, style.character_size, not number_left, ink)


def _number_ink(season: bool, inks: Inks) -> Colour:
    return inks.season_number if season else inks.plant_number


def _clear(canvas: Canvas, style: Flowers, size: float, left: bool) -> None:
    """Takes a plant that grows up beside the lettering out of its corner."""
    if style.plant_top < UNDER_LETTERING:
        reach = MARGIN + size + CLEARED
        start = 0.0 if left else FACE_W - reach
        canvas.polygon([(start, 0), (start + reach, 0), (start + reach, reach), (start, reach)], None)


def _corner(
    canvas: Canvas, text: str, writing: Writing, font: int, size: float, left: bool, ink: Colour
) -> None:
    mask = make_glyph(text, writing, font, 3)
    width, height = fit_size(mask, size, size)
    x = MARGIN if left else FACE_W - MARGIN - width
    canvas.stamp(mask, (x, MARGIN, width, height), ink)
