"""The person's own tiles, in one row or two, the one drawn last apart; each can be touched."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from kivy.graphics import Color, Rectangle, SmoothLine
from kivy.input.motionevent import MotionEvent
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.tiles import tile_texture

APART = 0.35
"""Between the hand and the tile drawn last, in widths of a tile."""
RAISED = 0.12
"""How far a tile that was touched stands out, in heights of a tile."""
FACE, FADED, RING = 0.96, 0.35, dp(2)
SPARE_ROW = 1 + RAISED
WILD_EDGE = 0.09
"""How high the gold edge of a wild tile is, in heights of a tile."""
LARGE = 1.25
"""How many times as wide as usual a tile is where all have room in one row."""


class OwnTiles(Widget):
    """`touch` hears the code of a tile that was touched, where it may be. one_row: whether all tiles stand in
    one row, however small they are."""

    def __init__(self, touch: Callable[[str], None], **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, **kwargs)
        self._touch = touch
        self._codes: tuple[str, ...] = ()
        self._drawn: str | None = None
        self._open: frozenset[str] | None = None
        self._raised: str | None = None
        self.wild: str | None = None
        self.one_row = False
        self.bind(center=self._draw, size=self._draw)

    def show(
        self,
        codes: Sequence[str],
        drawn: str | None,
        may: Collection[str] | None,
        raised: str | None,
        wild: str | None,
    ) -> None:
        """may: the codes that can be touched, None where nothing can and all look alike; raised: the tile
        that was touched; wild: the kind that is wild, which has a gold edge."""
        shown = tuple(codes), drawn, None if may is None else frozenset(may), raised, wild
        if shown != (self._codes, self._drawn, self._open, self._raised, self.wild):
            self._codes, self._drawn, self._open, self._raised, self.wild = shown
            self._draw()

    def measure(self, width: float) -> float:
        """The height that it needs in that width: two rows where a tile would be too narrow to touch."""
        count = len(self._codes) + (self._drawn is not None)
        rows, tile = self._lay(width, max(count, 1))
        return rows * tile / theme.TILE_ASPECT * SPARE_ROW

    def find(self, code: str) -> tuple[float, float]:
        """The middle of a tile of that kind, px of the window: the one drawn last where it is that."""
        places = self._place()
        at = len(places) - 1 if code == self._drawn else self._codes.index(code)
        x, y, wide, high = places[at]
        return x + wide / 2, y + high / 2

    @property
    def codes(self) -> tuple[str, ...]:
        """All tiles, the one drawn last at the end."""
        return (*self._codes, *([self._drawn] if self._drawn else []))

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if self._open is None or not self.collide_point(*touch.pos):
            return False
        for code, (x, y, wide, high) in zip(self.codes, self._place(), strict=True):
            if x <= touch.x < x + wide and y <= touch.y < y + high * SPARE_ROW:
                if code in self._open:
                    self._touch(code)
                return True
        return False

    def _place(self) -> list[tuple[float, float, float, float]]:
        """Left, lower edge, width and height of each tile, px."""
        codes = self.codes
        if not codes:
            return []
        rows, tile = self._lay(self.width, len(codes))
        high = tile / theme.TILE_ASPECT
        a_row = -(-len(codes) // rows)
        top = self.center_y + rows * high * SPARE_ROW / 2
        places = []
        for row in range(rows):
            here = range(row * a_row, min((row + 1) * a_row, len(codes)))
            apart = APART * tile if self._drawn and here[-1] == len(codes) - 1 else 0.0
            x = self.center_x - (len(here) * tile + apart) / 2
            y = top - (row + 1) * high * SPARE_ROW
            for at in here:
                x += apart if at == len(codes) - 1 else 0.0
                places.append((x, y, tile, high))
                x += tile
        return places

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        raised = self._raised
        with self.canvas:
            for at, (code, (x, y, wide, high)) in enumerate(zip(self.codes, self._place(), strict=True)):
                lifted = code == raised and (raised != self._drawn or at == len(self._codes))
                raised = None if lifted else raised
                y += high * RAISED if lifted else 0.0
                opacity = 1 if self._open is None or code in self._open else FADED
                Color(1, 1, 1, opacity)
                Rectangle(texture=tile_texture(code), pos=(x, y), size=(wide * FACE, high * FACE))
                if code == self.wild:
                    Color(*theme.GOLD[:3], opacity)
                    Rectangle(pos=(x, y), size=(wide * FACE, high * WILD_EDGE))
                if at == len(self._codes):
                    Color(*theme.GOLD)
                    SmoothLine(
                        width=RING / 2, rounded_rectangle=(x, y, wide * FACE, high * FACE, theme.RADIUS / 4)
                    )

    def _lay(self, width: float, count: int) -> tuple[int, float]:
        """How many rows there are, and how wide a tile is, px."""
        apart = APART if self._drawn else 0.0
        tile = width / (count + apart)
        if tile >= theme.TOUCH or self.one_row:
            return 1, min(tile, theme.TILE_WIDTH_MAX * LARGE)
        return 2, min(width / (-(-count // 2) + apart), theme.TILE_WIDTH_MAX)

    @property
    def may_be_touched(self) -> bool:
        """Whether one of the tiles is to be touched now."""
        return self._open is not None
