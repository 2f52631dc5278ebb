"""A row of drawn tiles, only to look at, as large as its width allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.graphics import Color, Rectangle, SmoothLine
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.tiles import RING, tile_texture

APART = 0.35
"""Between two groups, in widths of a tile."""
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
        wide = self.width / (count + APART * (len(self.groups) - 1))
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
                x += width * APART
