"""Keys with drawn tiles: a keyboard that fills its room, every kind always in the same place; melds; dice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

from kivy.graphics import Color, Rectangle, SmoothEllipse, SmoothLine, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.app.widgets import layout, theme
from companion.app.widgets.basics import adopt
from companion.app.widgets.name_tag import NameTag
from companion.app.widgets.tiles import tile_texture
from companion.tiles import Suit, Tile

SPACING = dp(3)
FACE_PART = 0.94
FADED = 0.22
LINE, COLUMN, SHARE_OF_TWO = 1.2, 0.72, 0.7
"""Of a key's numbers: the height of a line and the width of a column, in sizes of their letters; the share of
the line for the first of two."""
LEGEND_SHARE = 0.8
"""Of the smallest letters elsewhere, where the legend would be cut."""
LEGEND_CELLS = 2
"""Free places at the end of a row that are enough for the legend."""
LEAST_TILES = 2
"""A meld's key is at least this many tiles wide."""
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, 1), (1, 1), (-1, -1), (1, -1)),
    5: ((-1, 1), (1, 1), (0, 0), (-1, -1), (1, -1)),
    6: ((-1, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (1, -1)),
}
"""Positions of the pips of each face, in steps from its middle."""


class _Key(ButtonBehavior, Widget):
    """A plate to be touched."""

    def __init__(self, act: Callable[[], None], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._act = act
        with self.canvas.before:
            self._plate_colour = Color(*theme.PANEL_RAISED)
            self._plate = SmoothRoundedRectangle(radius=[theme.RADIUS / 2])
        self.bind(pos=self._place, size=self._place, state=self._press, disabled=self._press)

    def on_release(self) -> None:
        self._act()

    def _press(self, *_: object) -> None:
        self._plate_colour.rgba = theme.GOLD if self.state == "down" else self._choose_colour()

    def _choose_colour(self) -> theme.Colour:
        return theme.PANEL if self.disabled else theme.PANEL_RAISED

    def _place(self, *_: object) -> None:
        self._plate.pos, self._plate.size = self.pos, self.size


class CellKey(_Key):
    """A kind of tile, and beside it or below it how many are left, and smaller how many were seen."""

    def __init__(self, code: str, act: Callable[[], None]) -> None:
        super().__init__(act)
        self.code = code
        self._likely = False
        with self.canvas:
            self._tint = Color(1, 1, 1, 1)
            self._face = Rectangle(texture=tile_texture(code))
        self._count = Label(font_size=theme.TEXT_SMALL, bold=True)
        self._seen = Label(font_size=theme.TEXT_TINY)
        self.add_widget(self._count)
        self.add_widget(self._seen)

    @property
    def count(self) -> str:
        return str(self._count.text)

    @property
    def seen(self) -> str:
        return str(self._seen.text)

    @property
    def face(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of the drawn tile, px."""
        (x, y), (width, height) = self._face.pos, self._face.size
        return x, y, x + width, y + height

    def show(self, left: int | None, *, enabled: bool, likely: bool = False, seen: int | None = None) -> None:
        self._likely = likely and enabled
        self._count.text = "" if left is None else str(left)
        self._seen.text = "" if seen is None else str(seen)
        colour = theme.INK if self._likely else theme.GOLD
        self._count.color, self._seen.color = colour, theme.INK if self._likely else theme.IVORY_DIM
        self._count.disabled_color = self._seen.disabled_color = theme.IVORY_DIM
        self._count.font_size = theme.TEXT_SMALL if seen is None else theme.TEXT
        self.disabled = not enabled
        self._tint.a = 1 if enabled else FADED
        self._press()
        self._place()

    @property
    def is_lit(self) -> bool:
        """Whether it is highlighted as a likely next touch."""
        return self._likely

    def _choose_colour(self) -> theme.Colour:
        return theme.SURE if self._likely else super()._choose_colour()

    def _place(self, *_: object) -> None:
        super()._place()
        letters = float(self._count.font_size) if self._count.text else 0.0
        line, column = letters * LINE, letters * COLUMN
        is_below = self.height - line >= self.width
        across, up = (self.width, self.height - line) if is_below else (self.width - column, self.height)
        height = min(up * FACE_PART, across * FACE_PART / theme.TILE_ASPECT)
        width = height * theme.TILE_ASPECT
        low = line if is_below else 0.0
        self._face.size = (width, height)
        self._face.pos = (self.x + (across - width) / 2, self.y + low + (up - height) / 2)
        if is_below:
            share = SHARE_OF_TWO if self._seen.text else 1.0
            self._count.size, self._count.pos = (self.width * share, line), self.pos
            self._seen.size = self.width * (1 - share), line
            self._seen.pos = self.x + self.width * share * 0.9, self.y
            return
        half = self.height / 2 if self._seen.text else line
        self._count.size = self._seen.size = (column, half)
        self._count.pos = self.right - column, self.y + (half if self._seen.text else 0)
        self._seen.pos = self.right - column, self.y


class KeyGrid(BoxLayout):
    """A suit a row; `press` is called with the code of a touched key. The legend is at the end of a row that
    has room for it."""

    def __init__(self, press: Callable[[str], None]) -> None:
        super().__init__(orientation="vertical", spacing=SPACING)
        self._press = press
        self._kinds: tuple[Tile, ...] = ()
        self.keys: dict[str, CellKey] = {}
        self.legend = NameTag("", size=theme.TEXT_SMALL, least=theme.TEXT_TINY * LEGEND_SHARE)

    def show(
        self,
        kinds: Sequence[Tile],
        enabled: Collection[str],
        lefts: Mapping[str, int] | None = None,
        likely: Collection[str] = (),
        seen: Mapping[str, int] | None = None,
        legend: str = "",
    ) -> None:
        """lefts: how many of each kind are left, where that is to be seen; seen: how many were seen. likely:
        those that are lit. legend: what colours and numbers mean."""
        if tuple(kinds) != self._kinds:
            self._build(tuple(kinds))
        self.legend.text = legend
        for code, key in self.keys.items():
            key.show(
                None if lefts is None else lefts.get(code, 0), enabled=code in enabled,
                likely=code in likely, seen=None if seen is None else seen.get(code, 0),
            )  # fmt: skip

    def _build(self, kinds: tuple[Tile, ...]) -> None:
        self._kinds = kinds
        self.clear_widgets()
        self.keys = {}
        rows = [row for suit in Suit if (row := [kind for kind in kinds if kind.suit is suit])]
        longest = max(len(row) for row in rows)
        with_legend = next((row for row in rows if longest - len(row) >= LEGEND_CELLS), None)
        for row in rows:
            line = layout.row(spacing=SPACING)
            for kind in row:
                key = self.keys[kind.code] = CellKey(kind.code, partial(self._press, kind.code))
                line.add_widget(key)
            if row is with_legend:
                self.legend.size_hint_x = longest - len(row)
                adopt(line, self.legend)
            elif len(row) < longest:
                line.add_widget(Widget(size_hint_x=longest - len(row)))
            self.add_widget(line)
        if with_legend is None:
            self.legend.size_hint_y, self.legend.height = None, theme.TEXT_SMALL * 1.5
            adopt(self, self.legend)


class MeldKey(_Key):
    """The tiles of a meld and the action; as wide as its tiles, next to others."""

    def __init__(self, words: str, codes: Sequence[str], act: Callable[[], None]) -> None:
        super().__init__(act, size_hint_x=max(len(codes), LEAST_TILES))
        self.words = words
        self.codes = tuple(codes)
        self._name = Label(text=words, font_size=theme.TEXT_SMALL, color=theme.IVORY, bold=True)
        self.add_widget(self._name)
        with self.canvas:
            Color(1, 1, 1, 1)
            self._faces = [Rectangle(texture=tile_texture(code)) for code in codes]
        self._place()

    def _place(self, *_: object) -> None:
        super()._place()
        high = theme.TEXT_SMALL * 1.6
        room = self.height - high - theme.GAP / 2
        width = min(room * theme.TILE_ASPECT, (self.width - theme.GAP / 2) / len(self._faces))
        x = self.center_x - width * len(self._faces) / 2
        for face in self._faces:
            face.size = (width * 0.96, width * 0.96 / theme.TILE_ASPECT)
            face.pos = (x, self.y + (room + theme.GAP / 2 - face.size[1]) / 2)
            x += width
        self._name.size = (self.width, high)
        self._name.pos = (self.x, self.top - high)


class SetKey(_Key):
    """The tiles of a set; gold where it is chosen, ringed where that is only assumed."""

    def __init__(self, codes: Sequence[str], act: Callable[[], None]) -> None:
        self.codes = tuple(codes)
        self.chosen = self.assumed = False
        super().__init__(act)
        with self.canvas:
            Color(1, 1, 1, 1)
            self._faces = [Rectangle(texture=tile_texture(code)) for code in codes]
            self._ring_colour = Color(*theme.CLEAR)
            self._ring = SmoothLine(width=theme.HAIRLINE)
        self._place()

    def mark(self, *, chosen: bool, assumed: bool) -> None:
        self.chosen, self.assumed = chosen, assumed
        self._ring_colour.rgba = theme.UNSURE if assumed else theme.LINE
        self._press()

    def _choose_colour(self) -> theme.Colour:
        return theme.GOLD if self.chosen else super()._choose_colour()

    def _place(self, *_: object) -> None:
        super()._place()
        self._ring.rounded_rectangle = (*self.pos, *self.size, theme.RADIUS / 2)
        wide = min((self.height - theme.GAP) * theme.TILE_ASPECT, (self.width - theme.GAP) / len(self._faces))
        x = self.center_x - wide * len(self._faces) / 2
        for face in self._faces:
            face.size = wide * FACE_PART, wide * FACE_PART / theme.TILE_ASPECT
            face.pos = x, self.center_y - face.size[1] / 2
            x += wide


DIE, RED_PIP, BLACK_PIP = (0.96, 0.94, 0.88, 1), (0.75, 0.1, 0.1, 1), (0.1, 0.12, 0.11, 1)
"""Dice are white in the dark and in the light."""


class DieKey(_Key):
    """A face of a die."""

    def __init__(self, face: int, act: Callable[[], None]) -> None:
        super().__init__(act)
        self.face = face
        with self.canvas:
            Color(*DIE)
            self._die = SmoothRoundedRectangle(radius=[theme.RADIUS / 2])
            Color(*(RED_PIP if face in (1, 4) else BLACK_PIP))
            self._pips = [SmoothEllipse() for _ in PIPS[face]]
        self._place()

    def _place(self, *_: object) -> None:
        super()._place()
        side = min(self.width, self.height) * 0.86
        self._die.pos, self._die.size = (self.center_x - side / 2, self.center_y - side / 2), (side, side)
        for pip, (right, up) in zip(self._pips, PIPS[self.face], strict=True):
            size = side * 0.2
            pip.pos = (
                self.center_x + right * side * 0.26 - size / 2,
                self.center_y + up * side * 0.26 - size / 2,
            )
            pip.size = (size, size)


class DiceRow(BoxLayout):
    """The six faces; `press` is called with which was touched. The last of the throw is ringed."""

    def __init__(self, press: Callable[[int], None]) -> None:
        super().__init__(spacing=SPACING, size_hint_y=None, height=theme.TOUCH * 1.3)
        self.keys = {face: DieKey(face, partial(press, face)) for face in PIPS}
        for key in self.keys.values():
            self.add_widget(key)
        with self.canvas.after:
            self._colour = Color(*theme.CLEAR)
            self._ring = SmoothLine(width=dp(2.5))
        self._last: int | None = None
        self.bind(pos=self._place, size=self._place)

    def show(self, dice: Sequence[int]) -> None:
        self._last = dice[-1] if dice else None
        self._place()

    def _place(self, *_: object) -> None:
        self._colour.rgba = theme.CLEAR if self._last is None else theme.GOLD
        if self._last is not None:
            key = self.keys[self._last]
            self._ring.rounded_rectangle = (*key.pos, *key.size, theme.RADIUS / 2)
