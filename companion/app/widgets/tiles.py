"""Drawn tiles, as keys and as the tiles of a hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import cv2
from kivy.graphics import Color, Rectangle, SmoothLine, SmoothRoundedRectangle
from kivy.graphics.texture import Texture
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.art import tile_png
from companion.tiles import BACK, KINDS, UNKNOWN

RING = theme.HAIRLINE * 2.5
FEW_LETTERS = 2
"""A note of no more stands in a corner of its key."""
FACE_PX = 256
"""Side of a tile's texture: one that is drawn smaller cleanly is a square of a power of two. No tile is drawn
larger, and all of them take 15 MB."""
FACES = (*(kind.code for kind in KINDS), BACK, UNKNOWN)


@cache
def tile_texture(code: str) -> Texture:
    """The picture of a tile: a kind, "back" or "?"."""
    drawn = cv2.imread(str(tile_png(code)), cv2.IMREAD_UNCHANGED)
    assert drawn is not None, code
    face = cv2.resize(drawn, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
    texture = Texture.create(size=(FACE_PX, FACE_PX), colorfmt="rgba", mipmap=True)
    texture.blit_buffer(cv2.cvtColor(face, cv2.COLOR_BGRA2RGBA).tobytes(), colorfmt="rgba")
    texture.flip_vertical()
    return texture


def load_faces() -> Iterator[None]:
    """Load the picture of every tile, one at a time: the first hand on a page would need them all at once."""
    for code in FACES:
        tile_texture(code)
        yield


class TileFace(Widget):
    """A drawn tile, only to look at; `ringed` marks it."""

    def __init__(self, code: str, *, width: float, ringed: bool = False) -> None:
        super().__init__(size_hint=(None, None), size=(width, width / theme.TILE_ASPECT))
        with self.canvas:
            Color(1, 1, 1, 1)
            face = Rectangle(texture=tile_texture(code), pos=self.pos, size=self.size)
            Color(*(theme.GOLD if ringed else theme.CLEAR))
            ring = SmoothLine(width=RING / 2)

        def place(*_: object) -> None:
            face.pos = self.pos
            ring.rounded_rectangle = (*self.pos, *self.size, theme.RADIUS / 4)

        self.bind(pos=place)
        place()


class TileKey(ButtonBehavior, Widget):
    """A drawn tile to be touched. `ring` marks it, `note` stands in a corner, `faded` takes it back. below:
    what is kept free below the tile for a short note, px."""

    def __init__(
        self,
        code: str,
        *,
        width: float,
        act: Callable[[], None] | None = None,
        below: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(size_hint=(None, None), size=(width, width / theme.TILE_ASPECT + below), **kwargs)
        self._below = below
        self.code = code
        self.note = ""
        self._act = act
        with self.canvas:
            self._tint = Color(1, 1, 1, 1)
            self._face = Rectangle(texture=tile_texture(code))
            self._ring_colour = Color(*theme.CLEAR)
            self._ring = SmoothLine(width=RING)
            self._badge_colour = Color(*theme.CLEAR)
            self._badge = SmoothRoundedRectangle(radius=[theme.RADIUS])
        self._words: Label | None = None  # few keys ever have a note, and a label is most of their cost
        self.bind(pos=self._place, size=self._place, state=self._press)
        self._place()

    def mark(self, *, ring: theme.Colour | None = None, note: str = "", faded: bool = False) -> None:
        """Ring in that colour; `note` on a badge of the same colour: a number in a corner, or below the
        tile where that is kept free, a word below."""
        self.note = note
        self._tint.a = 0.4 if faded else 1
        self._ring_colour.rgba = ring or theme.CLEAR
        self._badge_colour.rgba = ring if note and ring else theme.CLEAR
        if note and self._words is None:
            self._words = Label(font_size=theme.TEXT_TINY, color=theme.INK, bold=True)
            self.add_widget(self._words)
        if self._words:
            self._words.text = note
            self._words.color = theme.GOLD if self._below and not ring else theme.INK
        self._place()

    def on_release(self) -> None:
        if self._act:
            self._act()

    def _press(self, *_: object) -> None:
        self._tint.rgb = (0.78, 0.86, 0.8) if self.state == "down" else (1, 1, 1)

    def _place(self, *_: object) -> None:
        self._face.pos = self.x, self.y + self._below
        self._face.size = self.width, self.height - self._below
        self._ring.rounded_rectangle = (*self.pos, *self.size, theme.RADIUS / 2)
        height = theme.TEXT_TINY * 1.5
        width = min(self.width, height * max(1.0, len(self.note) * 0.75))
        if len(self.note) > FEW_LETTERS:
            self._badge.pos, self._badge.size = (self.x, self.y - height * 0.35), (self.width, height)
        elif self._below:
            self._badge.pos, self._badge.size = self.pos, (self.width, self._below)
        else:  # in the corner: what lies below the key would cover it
            self._badge.pos, self._badge.size = (self.right - width, self.top - height), (width, height)
        if self._words:
            self._words.pos, self._words.size = self._badge.pos, self._badge.size
