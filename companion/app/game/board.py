"""What the program believes lies on the table, drawn as seen from above."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.graphics import Color, PopMatrix, PushMatrix, Rectangle, Rotate, SmoothRoundedRectangle
from kivy.uix.widget import Widget

from companion.app.game.lying import list_flowers, list_melds
from companion.app.widgets import theme
from companion.app.widgets.tiles import tile_texture
from companion.table.state import Player, State
from companion.tiles import UNKNOWN

WIDTHS = 21.0
"""The table's side in widths of a tile: less than of a real one, so that the tiles can be read."""
RIVER_FROM, A_ROW = 3.0, 6
"""From the middle to the first discards, in widths; discards in a row, as most people lay them."""


class Board(Widget):
    """bottom: the seat at the lower edge, so that it lies as in the camera's picture."""

    def __init__(self, bottom: int = 0) -> None:
        super().__init__()
        self.bottom = bottom
        self._state: State | None = None
        self.bind(pos=self._draw, size=self._draw)

    def show(self, state: State) -> None:
        if state is not self._state:
            self._state = state
            self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        side = min(self.width, self.height)
        with self.canvas:
            Color(*theme.FELT)
            SmoothRoundedRectangle(
                pos=(self.center_x - side / 2, self.center_y - side / 2),
                size=(side, side),
                radius=[theme.RADIUS],
            )
            Color(1, 1, 1, 1)
            if self._state is None or self._state.hand is None:
                return
            for seat, player in enumerate(self._state.hand.players):
                PushMatrix()
                Rotate(angle=90 * ((seat - self.bottom) % 4), origin=self.center)
                self._draw_player(player, side / WIDTHS)
                PopMatrix()

    def _draw_player(self, player: Player, width: float) -> None:
        """As if the player sat at the lower edge."""
        height = width / theme.TILE_ASPECT
        for at, tile in enumerate(player.discards):
            row, column = divmod(at, A_ROW)
            x = self.center_x + (column - A_ROW / 2) * width
            _draw_tile(
                tile.code if tile else UNKNOWN, x, self._down(RIVER_FROM * width + (row + 1) * height), width
            )
        edge = self._down(WIDTHS / 2 * width - width * 0.4)
        x = self.center_x + (WIDTHS / 2 - 1) * width
        for codes in list_melds(player)[::-1]:
            x -= len(codes) * width
            self._draw_row(codes, x, edge, width)
            x -= width * 0.3
        flowers = list_flowers(player)
        self._draw_row(flowers, x - len(flowers) * width, edge, width)

    def _down(self, far: float) -> float:
        return float(self.center_y - far)

    def _draw_row(self, codes: Sequence[str], x: float, y: float, width: float) -> None:
        for at, code in enumerate(codes):
            _draw_tile(code, x + at * width, y, width)


def _draw_tile(code: str, x: float, y: float, width: float) -> None:
    Rectangle(texture=tile_texture(code), pos=(x, y), size=(width * 0.96, width * 0.96 / theme.TILE_ASPECT))
