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
    text, size = fit_words(text, width, height, bold=bold)
    texture = _make_texture(text, size, bold)
    x = middle[0] - (texture.width / 2 if align == "center" else width / 2)
    Color(*colour)
    Rectangle(texture=texture, pos=(round(x), round(middle[1] - texture.height / 2)), size=texture.size)


def fit_words(text: str, width: float, height: float, *, bold: bool = False) -> tuple[str, int]:
    """What of one line goes into that room, px, and the size of its letters, px: all of it where letters of
    two thirds of the usual size let it."""
    size, smallest = (max(int(height * part), 1) for part in (0.78, 0.52))
    wide = _make_texture(text, size, bold).width
    if wide > width:
        size = max(int(size * width / wide), smallest)
    while size > smallest and _make_texture(text, size, bold).width > width:  # letters have whole pixels
        size -= 1
    while len(text) > 1 and _make_texture(text, size, bold).width > width:
        text = text.rstrip("…")[:-1] + "…"
    return text, size


@lru_cache(KEPT)
def _make_texture(text: str, size: int, bold: bool) -> Texture:
    label = CoreLabel(text=text, font_size=max(size, 1), bold=bold)
    label.refresh()
    return label.texture


def measure_words(text: str, size: float) -> float:
    """How wide these words are in bold letters of that size, px."""
    return float(_make_texture(text, int(size), True).width) if text else 0.0
