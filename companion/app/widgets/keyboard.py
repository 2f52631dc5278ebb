"""The keys of a keyboard of drawn tiles, a suit a row, as large as there is room for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.tiles import TileKey
from companion.tiles import Suit, Tile

KEY_WIDTH_MAX = dp(64)
KEY_WIDTH_MIN = theme.TILE_WIDTH_MIN
COUNT_LINE = 1.5
"""The height of a count below a tile, in sizes of its letters."""


class Keyboard(BoxLayout):
    """`press` hears the code of a touched key. `room`: width and height that there are. `counted`: whether
    it will be said how many of each kind are left: below the tiles, where there is room for that."""

    def __init__(
        self,
        kinds: Iterable[Tile],
        room: tuple[float, float],
        press: Callable[[str], None],
        *,
        counted: bool = False,
    ) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.GAP / 2)
        self.bind(minimum_height=self.setter("height"))
        self.keys: dict[str, TileKey] = {}
        kinds = tuple(kinds)
        rows = [row for suit in Suit if (row := [kind for kind in kinds if kind.suit is suit])]
        wide = room[0] / max(len(row) for row in rows) - theme.GAP / 2
        high = room[1] / len(rows) - theme.GAP / 2
        count_high = theme.TEXT_TINY * COUNT_LINE
        below = count_high if counted and (high - count_high) * theme.TILE_ASPECT >= KEY_WIDTH_MIN else 0.0
        width = min(max(min(wide, (high - below) * theme.TILE_ASPECT), KEY_WIDTH_MIN), KEY_WIDTH_MAX)
        self._below = below
        height = width / theme.TILE_ASPECT + below
        for row in rows:
            line = BoxLayout(size_hint_y=None, height=height, spacing=theme.GAP / 2)
            line.add_widget(Widget())
            for kind in row:
                self.keys[kind.code] = TileKey(
                    kind.code, width=width, act=partial(press, kind.code), below=below
                )
                line.add_widget(self.keys[kind.code])
            line.add_widget(Widget())
            self.add_widget(line)

    def show_left(self, left: Mapping[str, int]) -> None:
        """So many of each kind may still be chosen: said where some of four are gone. A key without any is
        out of use."""
        for code, key in self.keys.items():
            count = left.get(code, 0)
            some = 0 < count < 4 and Tile.parse(code).suit is not Suit.FLOWERS
            key.disabled = count <= 0
            ring = theme.IVORY if some and not self._below else None
            key.mark(ring=ring, note=str(count) if some else "", faded=count <= 0)
