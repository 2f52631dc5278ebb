"""The newest picture of a camera with outlines on it."""

from __future__ import annotations

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

from companion.app.shown import shrink_to_fit
from companion.app.widgets import theme
from companion.app.widgets.outlines import Fit, Outline, Outlines, fit, texture_of
from companion.images import Image


class LiveStage(Widget):
    """The newest frame, as large as it goes, with outlines."""

    def __init__(self) -> None:
        super().__init__()
        self._texture: Texture | None = None
        self._image: Image | None = None
        self._size = (1, 1)
        self.outlined = 0
        self._outlines = Outlines()
        with self.canvas:
            Color(*theme.FELT_EDGE)
            self._back = Rectangle()
            self._tint = Color(1, 1, 1, 0)
            self._plate = Rectangle()
        self.canvas.add(self._outlines)
        self.bind(pos=self._place, size=self._place)
        self.bind(size=Clock.create_trigger(self._hand_over, -1))

    @property
    def is_live(self) -> bool:
        return bool(self._tint.a)

    def fill(self, image: Image) -> None:
        """Show a picture (H, W, 3) BGR, in px of which quads are. The graphics chip gets no more of it than
        there is room for: a whole one takes it milliseconds."""
        self._image, self._size = image, (image.shape[1], image.shape[0])
        self._tint.a = 1
        self._hand_over()

    def _hand_over(self, *_: object) -> None:
        if self._image is None:
            return
        self._texture = texture_of(shrink_to_fit(self._image, self.size), self._texture)
        self._plate.texture = self._texture
        self.canvas.ask_update()
        self._place()

    def outline(self, outlines: list[Outline]) -> None:
        self.outlined = len(outlines)
        self._outlines.draw(outlines, self.where)

    def forget(self) -> None:
        self._image = None
        self._tint.a = 0
        self.outlined = 0
        self._outlines.clear()

    @property
    def picture_size(self) -> tuple[int, int]:
        """In px, as outlines are."""
        return self._size

    @property
    def where(self) -> Fit:
        """Where the picture lies."""
        return fit(self._size, (self.x, self.y, max(self.width, 1), max(self.height, 1)))

    def _place(self, *_: object) -> None:
        self._back.pos, self._back.size = self.pos, self.size
        where = self.where
        self._plate.pos = where.x, where.y
        self._plate.size = self._size[0] * where.scale, self._size[1] * where.scale
