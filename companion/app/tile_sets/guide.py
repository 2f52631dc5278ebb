"""What is to be laid out when a set is taught: one of each kind, a suit a row."""

from __future__ import annotations

from kivy.graphics import Color, Rectangle
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.tiles import tile_texture
from companion.vision.teaching import ROWS

GAP_OF_TILE = 0.06
ROW_GAP_OF_TILE = 0.16


class LayingGuide(Widget):
    """The rows as large as there is room for, in the middle."""

    def __init__(self) -> None:
        super().__init__()
        self.bind(pos=self._draw, size=self._draw)

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        longest = max(map(len, ROWS))
        across = longest * (1 + GAP_OF_TILE)
        down = len(ROWS) * (1 / theme.TILE_ASPECT + ROW_GAP_OF_TILE)
        width = min(self.width / across, self.height / down)
        left = self.center_x - across * width / 2
        top = self.center_y + down * width / 2
        with self.canvas:
            Color(1, 1, 1, 1)
            for line, row in enumerate(ROWS):
                y = top - (line + 1) * (1 / theme.TILE_ASPECT + ROW_GAP_OF_TILE) * width
                for place, kind in enumerate(row):
                    Rectangle(
                        pos=(left + place * (1 + GAP_OF_TILE) * width, y),
                        size=(width, width / theme.TILE_ASPECT),
                        texture=tile_texture(kind.code),
                    )
