"""Drawn tiles and words: keys, rows of tiles, sentences with tiles in them, words on a canvas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

import cv2
from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Rectangle, SmoothLine, SmoothRoundedRectangle
from kivy.graphics.texture import Texture
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.line_breaks import cut
from companion.art import tile_png
from companion.sentences import Sentence
from companion.tiles import BACK, KINDS, UNKNOWN, Tile
from companion.words import Words

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
    """A drawn tile to be touched. `ring` marks it, `note` stands in a corner, `faded` takes it back. below,
    beside: what is kept free below the tile or to its right for a short note, px."""

    def __init__(
        self,
        code: str,
        *,
        width: float,
        act: Callable[[], None] | None = None,
        below: float = 0.0,
        beside: float = 0.0,
        **kwargs: Any,
    ) -> None:
        size = width + beside, width / theme.TILE_ASPECT + below
        super().__init__(size_hint=(None, None), size=size, **kwargs)
        self._below, self._beside = below, beside
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
            self._words.color = theme.GOLD if (self._below or self._beside) and not ring else theme.INK
        self._place()

    def on_release(self) -> None:
        if self._act:
            self._act()

    def _press(self, *_: object) -> None:
        self._tint.rgb = (0.78, 0.86, 0.8) if self.state == "down" else (1, 1, 1)

    def _place(self, *_: object) -> None:
        self._face.pos = self.x, self.y + self._below
        self._face.size = self.width - self._beside, self.height - self._below
        self._ring.rounded_rectangle = (*self.pos, *self.size, theme.RADIUS / 2)
        height = theme.TEXT_TINY * 1.5
        width = min(self.width, height * max(1.0, len(self.note) * 0.75))
        if len(self.note) > FEW_LETTERS:
            self._badge.pos, self._badge.size = (self.x, self.y - height * 0.35), (self.width, height)
        elif self._beside:
            left = self.right - self._beside
            self._badge.pos, self._badge.size = (left, self.y), (self._beside, self.height)
        elif self._below:
            self._badge.pos, self._badge.size = self.pos, (self.width, self._below)
        else:  # in the corner: what lies below the key would cover it
            self._badge.pos, self._badge.size = (self.right - width, self.top - height), (width, height)
        if self._words:
            self._words.pos, self._words.size = self._badge.pos, self._badge.size


GROUP_GAP = 0.35
"""Gap between two groups, in widths of a tile."""
Group = Sequence[tuple[str, bool]]


class TileStrip(Widget):
    """Groups of tiles, each a code and whether it is ringed, side by side in one row; tiles are at most
    `tile_width` px wide, and the strip is as high as they are."""

    def __init__(self, groups: Sequence[Group] = (), *, tile_width: float, **kwargs: Any) -> None:
        kwargs.setdefault("size_hint_y", None)
        super().__init__(**kwargs)
        self._tile_width = tile_width
        self.groups: tuple[Group, ...] = tuple(groups)
        self.height = tile_width / theme.TILE_ASPECT
        self.bind(center=self._draw, size=self._draw)

    def show(self, groups: Sequence[Group]) -> None:
        self.groups = tuple(groups)
        self._draw()

    def resize(self, tile_width: float) -> None:
        """With tiles of at most that width, px."""
        self._tile_width, self.height = tile_width, tile_width / theme.TILE_ASPECT
        self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        count = sum(len(group) for group in self.groups)
        if not count:
            return
        wide = self.width / (count + GROUP_GAP * (len(self.groups) - 1))
        width = min(self._tile_width, wide, max(self.height, 1) * theme.TILE_ASPECT)
        height = width / theme.TILE_ASPECT
        x, y = self.x, self.center_y - height / 2
        with self.canvas:
            for group in self.groups:
                for code, ringed in group:
                    Color(1, 1, 1, 1)
                    Rectangle(texture=tile_texture(code), pos=(x, y), size=(width * 0.97, height * 0.97))
                    if ringed:
                        Color(*theme.GOLD)
                        SmoothLine(
                            width=RING / 2,
                            rounded_rectangle=(x, y, width * 0.97, height * 0.97, theme.RADIUS / 4),
                        )
                    x += width
                x += width * GROUP_GAP


TEXTURES_MAX = 512
"""Textures of words that are drawn again and again."""
TALL = 1.9
"""A drawn tile's height, in heights of the letters."""
LINE = 2.15
"""Line spacing, in the same unit."""
LINE_TILE_GAP = 0.12
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
        self.letters: float = size or theme.TEXT
        """Their size, px, from the next sentence on."""
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
        return self.letters * LINE * max(1, len(self._lines))

    def _draw(self, *_: object) -> None:
        lines = self._lines = _break_lines(_cut(self._pieces), self.letters, self.width)
        step, wanted = self.letters * LINE, self.needed
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
                        height = self.letters * TALL
                        Color(1, 1, 1, 1)
                        size = (height * theme.TILE_ASPECT, height)
                        Rectangle(texture=tile_texture(piece.code), pos=(x, y - height / 2), size=size)
                    else:
                        texture = _make_line_texture(piece, int(self.letters))
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
        return letters * (TALL * theme.TILE_ASPECT + LINE_TILE_GAP)
    return float(_make_line_texture(piece, int(letters)).width)


@lru_cache(TEXTURES_MAX)
def _make_line_texture(text: str, size: int) -> Texture:
    label = CoreLabel(text=text, font_size=max(size, 1))
    label.refresh()
    return label.texture


WORDS_MAX = 256
"""Textures of words that are drawn again and again."""


def draw_words(
    text: str,
    middle: tuple[float, float],
    room: tuple[float, float],
    colour: theme.Colour | None = None,
    *,
    bold: bool = False,
    align: str = "center",
    most: int | None = None,
) -> None:
    """Draw one line about that place, px, no higher and no wider than `room`; its end goes where it is too
    long even at two thirds of the height. most: the largest size of its letters, px."""
    width, height = room
    if not text or width < 1 or height < 1:
        return
    text, size = fit_words(text, width, height, bold=bold)
    size = size if most is None else min(size, most)
    texture = _make_word_texture(text, size, bold)
    x = middle[0] - (texture.width / 2 if align == "center" else width / 2)
    Color(*(colour or theme.IVORY))
    Rectangle(texture=texture, pos=(round(x), round(middle[1] - texture.height / 2)), size=texture.size)


def fit_words(text: str, width: float, height: float, *, bold: bool = False) -> tuple[str, int]:
    """What of one line goes into that room, px, and the size of its letters, px: all of it where letters of
    two thirds of the usual size let it."""
    size, smallest = (max(int(height * part), 1) for part in (0.78, 0.52))
    wide = _make_word_texture(text, size, bold).width
    if wide > width:
        size = max(int(size * width / wide), smallest)
    while size > smallest and _make_word_texture(text, size, bold).width > width:  # letters have whole pixels
        size -= 1
    while len(text) > 1 and _make_word_texture(text, size, bold).width > width:
        text = text.rstrip("…")[:-1] + "…"
    return text, size


@lru_cache(WORDS_MAX)
def _make_word_texture(text: str, size: int, bold: bool) -> Texture:
    label = CoreLabel(text=text, font_size=max(size, 1), bold=bold)
    label.refresh()
    return label.texture


def measure_words(text: str, size: float) -> float:
    """How wide these words are in bold letters of that size, px."""
    return float(_make_word_texture(text, int(size), True).width) if text else 0.0
