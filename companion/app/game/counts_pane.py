"""For every kind of tile, how many were seen and how many are left: what everybody at the table can count.

What the coach says has its place here too.
"""

from __future__ import annotations

from kivy.graphics import Color, Rectangle
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Tag
from companion.app.widgets.drawn_words import draw_words
from companion.app.widgets.tiles import tile_texture
from companion.table.knowledge import count_unseen
from companion.table.state import State
from companion.tiles import KINDS, Suit
from companion.words import Words


class CountsPane(Card):
    """Each kind with the number left, and below it, smaller, the number seen."""

    def __init__(self) -> None:
        super().__init__(padding=theme.GAP, spacing=theme.GAP / 2)
        self.words = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY, size_hint_y=None, height=theme.TEXT * 1.5)
        self.table = CountsTable()
        for child in (self.words, self.table):
            self.add_widget(child)

    def show(self, game: State, words: Words) -> None:
        self.words.text = words("Left of each kind, and below it how many were seen")
        self.table.show(game)


class CountsTable(Widget):
    """A suit a row. left, seen: by the kinds' codes."""

    def __init__(self) -> None:
        super().__init__()
        self.left: dict[str, int] = {}
        self.seen: dict[str, int] = {}
        self.bind(pos=self._draw, size=self._draw)

    def show(self, game: State) -> None:
        unseen, copies = count_unseen(game, None), game.house.copies
        left = {kind.code: unseen[kind.index] for kind in KINDS if copies[kind.index]}
        if left != self.left:
            self.left = left
            self.seen = {code: copies[kind.index] - n for kind in KINDS for code, n in left.items()
                         if kind.code == code}  # fmt: skip
            self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        rows = [[k for k in KINDS if k.suit is suit and k.code in self.left] for suit in Suit]
        rows = [row for row in rows if row]
        if not rows:
            return
        wide, high = self.width / max(map(len, rows)), self.height / len(rows)
        with self.canvas:
            for down, row in enumerate(rows):
                for at, kind in enumerate(row):
                    self._draw_kind(kind.code, self.x + at * wide, self.top - (down + 1) * high, wide, high)

    def _draw_kind(self, code: str, x: float, y: float, wide: float, high: float) -> None:
        left, seen = self.left[code], self.seen[code]
        height = min(high * 0.94, wide * 0.52 / theme.TILE_ASPECT)
        width = height * theme.TILE_ASPECT
        Color(1, 1, 1, 1 if left else 0.3)
        Rectangle(texture=tile_texture(code), pos=(x, y + (high - height) / 2), size=(width, height))
        middle, room = x + width + (wide - width) / 2, wide - width
        colour = theme.GOLD if left else theme.IVORY_DIM
        draw_words(str(left), (middle, y + high * 0.64), (room, high * 0.62), colour, bold=True)
        draw_words(str(seen), (middle, y + high * 0.22), (room, high * 0.38), theme.IVORY_DIM)
