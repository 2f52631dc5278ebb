"""A QR code in the window, dark on light in every theme."""

from __future__ import annotations

from kivy.graphics import Color, Rectangle
from kivy.uix.widget import Widget

from companion.app.qr_code import MODULE_PX, draw_code
from companion.app.widgets.stage import texture_of

WHOLE_FROM_PX = 4
"""From this size on each module has a whole number of pixels; a code of smaller ones fills its room."""


class CodePicture(Widget):
    """A QR code, square, in the middle, as large as there is room."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        with self.canvas:
            Color(1, 1, 1, 1)
            self._plate = Rectangle(size=(0, 0))
        self.bind(pos=self._place, size=self._place)

    def show(self, text: str) -> None:
        if text == self.text:
            return
        self.text = text
        texture = texture_of(draw_code(text))
        texture.mag_filter = "nearest"
        self._plate.texture = texture
        self._place()

    def _place(self, *_: object) -> None:
        if self.text:
            side, modules = min(self.size), self._plate.texture.width // MODULE_PX
            if side >= WHOLE_FROM_PX * modules:
                side -= side % modules
            self._plate.size = side, side
            left, low = ((room - side) / 2 for room in self.size)
            self._plate.pos = round(self.x + left), round(self.y + low)
