"""Words drawn on a canvas, as large as their room."""

from __future__ import annotations

from functools import lru_cache

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture

from companion.app.widgets import theme

KEPT = 256
"""Textures of words that are drawn again and again."""


def draw_words(
    text: str,
    middle: tuple[float, float],
    room: tuple[float, float],
    colour: theme.Colour = theme.IVORY,
    *,
    bold: bool = False,
    align: str = "center",
) -> None:
    """Draw one line about that place, px, no higher and no wider than `room`; its end goes where it is too
    long even at two thirds of the height."""
    width, height = room
    if not text or width < 1 or height < 1:
        return
    texture = _make_texture(text, int(height * 0.78), bold)
    if texture.width > width:
        texture = _make_texture(text, max(int(height * 0.78 * max(width / texture.width, 0.67)), 1), bold)
    while texture.width > width and len(text) > 1:
        text = text.rstrip("…")[:-1] + "…"
        texture = _make_texture(text, int(height * 0.52), bold)
        if len(text) == 1:
            break
    x = middle[0] - (texture.width / 2 if align == "center" else width / 2)
    Color(*colour)
    Rectangle(texture=texture, pos=(round(x), round(middle[1] - texture.height / 2)), size=texture.size)


@lru_cache(KEPT)
def _make_texture(text: str, size: int, bold: bool) -> Texture:
    label = CoreLabel(text=text, font_size=max(size, 1), bold=bold)
    label.refresh()
    return label.texture


def measure_words(text: str, size: float) -> float:
    """How wide these words are in bold letters of that size, px."""
    return float(_make_texture(text, int(size), True).width) if text else 0.0
