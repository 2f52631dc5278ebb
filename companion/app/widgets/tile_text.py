"""A sentence in which tiles are drawn, not named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.line_breaks import cut
from companion.app.widgets.tiles import tile_texture
from companion.sentences import Sentence
from companion.tiles import Tile
from companion.words import Words

KEPT = 512
"""Textures of words that are drawn again and again."""
TALL = 1.9
"""A drawn tile's height, in heights of the letters."""
LINE = 2.15
"""From one line to the next, in the same."""
APART = 0.12
HALF_PIXEL = 0.5
MARK = "\ue000"
"""Stands for a tile where lines are broken."""
AT_MARKS = re.compile(f"({MARK})")


class TileText(Widget):
    """Wraps within its width; as high as it needs to be unless `size_hint_y` says otherwise."""

    def __init__(
        self, *, size: float | None = None, colour: theme.Colour | None = None, **kwargs: Any
    ) -> None:
        kwargs.setdefault("size_hint_y", None)
        super().__init__(**kwargs)
        self._letters: float = size or theme.TEXT
        self.colour = colour or theme.IVORY
        self.text = ""
        self._pieces: tuple[str | Tile, ...] = ()
        self._wanted = 0.0
        self._lines: list[list[tuple[str | Tile, float]]] = []
        self.bind(pos=self._draw, size=self._draw)

    def say(self, sentence: Sentence, words: Words) -> None:
        """Show that sentence. `text` holds it in words."""
        self.text = words.say(sentence)
        self._pieces = words.draw(sentence)
        self._draw()

    @property
    def needed(self) -> float:
        """How high its lines are together. px"""
        return self._letters * LINE * max(1, len(self._lines))

    def _draw(self, *_: object) -> None:
        lines = self._lines = _break_lines(_cut(self._pieces), self._letters, self.width)
        step, wanted = self._letters * LINE, self.needed
        if self.size_hint_y is None and abs(wanted - self._wanted) > HALF_PIXEL:
            self._wanted = self.height = wanted
            return
        self.canvas.clear()
        y = self.y + self.height / 2 + step * (len(lines) / 2 - 0.5)
        with self.canvas:
            for line in lines:
                x = float(self.x)
                for piece, width in line:
                    if isinstance(piece, Tile):
                        height = self._letters * TALL
                        Color(1, 1, 1, 1)
                        size = (height * theme.TILE_ASPECT, height)
                        Rectangle(texture=tile_texture(piece.code), pos=(x, y - height / 2), size=size)
                    else:
                        texture = _make_texture(piece, int(self._letters))
                        Color(*self.colour)
                        place = (round(x), round(y - texture.height / 2))
                        Rectangle(texture=texture, pos=place, size=texture.size)
                    x += width
                y -= step


def measure_text(sentence: Sentence, words: Words, letters: float, width: float) -> float:
    """How high that sentence is within that width, in letters of that size. px"""
    return letters * LINE * max(1, len(_break_lines(_cut(words.draw(sentence)), letters, width)))


def _cut(pieces: Sequence[str | Tile]) -> list[list[str | Tile]]:
    """The pieces in groups after each of which a line may end: a tile counts as a Chinese character."""
    tiles = iter([piece for piece in pieces if isinstance(piece, Tile)])
    text = "".join(MARK if isinstance(piece, Tile) else piece for piece in pieces)
    return [
        [next(tiles) if each == MARK else each for each in AT_MARKS.split(part) if each] for part in cut(text)
    ]


def _break_lines(
    groups: Sequence[Sequence[str | Tile]], letters: float, width: float
) -> list[list[tuple[str | Tile, float]]]:
    lines: list[list[tuple[str | Tile, float]]] = [[]]
    used = 0.0
    for group in groups:
        measured = [(piece, _measure(piece, letters)) for piece in group]
        wide = sum(each for _, each in measured)
        if lines[-1] and used + wide > width:
            lines.append([])
            used = 0.0
        lines[-1] += measured
        used += wide
    return lines


def _measure(piece: str | Tile, letters: float) -> float:
    """How wide a piece is. px"""
    if isinstance(piece, Tile):
        return letters * (TALL * theme.TILE_ASPECT + APART)
    return float(_make_texture(piece, int(letters)).width)


@lru_cache(KEPT)
def _make_texture(text: str, size: int) -> Texture:
    label = CoreLabel(text=text, font_size=max(size, 1))
    label.refresh()
    return label.texture
