"""A tile cut out of its picture and turned upright."""

from __future__ import annotations

from kivy.graphics import Color, Quad, SmoothRoundedRectangle
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

from companion.app.shown import ShownPicture
from companion.app.widgets import theme
from companion.app.widgets.outlines import texture_of
from companion.images import Quad as TileQuad


class CloseUp(Widget):
    """Shows the tile that `look_at` was called with last."""

    def __init__(self) -> None:
        super().__init__(size_hint_x=None)
        self._texture: tuple[ShownPicture, Texture] | None = None
        self._coords: tuple[float, ...] = (0,) * 8
        self.bind(pos=self._draw, size=self._draw)

    def look_at(self, quad: TileQuad, shown: ShownPicture) -> None:
        if self._texture is None or self._texture[0] is not shown:
            self._texture = (shown, texture_of(shown.image))
        top_left, top_right, bottom_right, bottom_left = quad
        corners = (bottom_left, bottom_right, top_right, top_left)
        self._coords = tuple(value for x, y in corners for value in (x / shown.width, y / shown.height))
        self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        if self._texture is None:
            return
        x, y, right, top = self.x, self.y, self.right, self.top
        with self.canvas:
            Color(*theme.IVORY)
            SmoothRoundedRectangle(
                pos=(x - 2, y - 2), size=(self.width + 4, self.height + 4), radius=[theme.RADIUS / 3]
            )
            Color(1, 1, 1, 1)
            Quad(
                points=(x, y, right, y, right, top, x, top), texture=self._texture[1], tex_coords=self._coords
            )
