"""Tile faces: `draw_face` paints any of the 42 kinds in a style, as paint on nothing, never mirrored."""

from __future__ import annotations

from companion.images import Image
from lab.art.bamboo import draw_bamboo, draw_stick
from lab.art.birds import draw_bird
from lab.art.canvas import FACE_W, Canvas
from lab.art.chance import japanese_style, random_style, vary_style
from lab.art.characters import draw_character, draw_honour, draw_index, index_text, make_room_for_index
from lab.art.dots import draw_dots
from lab.art.dragons import PICTURE_PAINTS, draw_dragon
from lab.art.finish import place, weather
from lab.art.flowers import draw_flower
from lab.art.style import FaceStyle
from lab.art.white import draw_white

__all__ = ["CODES", "FaceStyle", "draw_face", "japanese_style", "random_style", "vary_style"]

CODES: tuple[str, ...] = tuple(
    f"{rank}{suit}"
    for suit, count in (("m", 9), ("p", 9), ("s", 9), ("z", 7), ("f", 8))
    for rank in range(1, count + 1)
)


def draw_face(code: str, style: FaceStyle, height_px: int) -> Image:
    """The painted face of a kind, (height_px, 0.75 height_px, 4) uint8 BGRA, transparent where there is no
    paint.

    Raises ValueError for a code that is not in CODES.
    """
    if code not in CODES:
        raise ValueError(
            f"no face for {code!r}: use one of the 42 codes 1m..9m, 1p..9p, 1s..9s, 1z..7z, 1f..8f"
        )
    rank, suit = int(code[0]), code[1]
    seed = style.seed + 7919 * CODES.index(code)
    canvas = Canvas(height_px)
    _paint(canvas, suit, rank, seed, style)
    text = index_text(suit, rank, style.index)
    room = make_room_for_index(style.index) if text else (1.0, 0.0)
    canvas.pixels = place(canvas.pixels, style.finish, seed, canvas.scale, *room)
    draw_index(canvas, text, style.index)
    return weather(canvas.finish(), style.finish, seed)


def _paint(canvas: Canvas, suit: str, rank: int, seed: int, style: FaceStyle) -> None:
    inks = style.inks
    if suit == "m":
        draw_character(canvas, rank, style.lettering, inks.numeral, inks.wan)
    elif suit == "p":
        draw_dots(canvas, rank, style.dots, inks.dots)
    elif suit == "s" and rank > 1:
        draw_bamboo(canvas, rank, style.bamboo, inks.sticks)
    elif suit == "s" and style.bamboo.one_stick:
        middle = FACE_W / 2
        draw_stick(
            canvas, (middle, 14.0), (middle, 86.0), 2.2 * style.bamboo.width, style.bamboo, inks.sticks[0]
        )
    elif suit == "s":
        bamboo = style.bamboo
        draw_bird(canvas, seed, inks.bird, bamboo)
    elif suit == "f":
        draw_flower(canvas, rank, seed, style.flowers, style.lettering, inks)
    elif rank == 5:
        draw_white(
            canvas,
            style.white,
            style.white_margin,
            style.white_line,
            style.white_letter,
            style.index.font,
            inks.white_dragon,
            inks.white_inner,
            inks.white_letter,
        )
    elif rank > 5 and style.lettering.dragon_pictures:
        draw_dragon(canvas, seed, PICTURE_PAINTS[rank], style.bamboo.line)
    else:
        colour = inks.wind if rank <= 4 else inks.green_dragon if rank == 6 else inks.red_dragon
        draw_honour(canvas, rank, style.lettering, colour)
