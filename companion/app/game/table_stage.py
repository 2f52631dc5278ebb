"""The live picture of the table, with what is known on it; its corners can be touched there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Rectangle, SmoothEllipse, SmoothLine
from kivy.graphics.instructions import InstructionGroup
from kivy.input.motionevent import MotionEvent
from kivy.metrics import dp

from companion.app.widgets import theme
from companion.app.widgets.live_stage import LiveStage
from companion.app.widgets.outlines import Outline
from companion.images import Image, Point, Quad, centre, short_side
from companion.live.live_following import TablePicture

DOT = dp(26)
NAMED_FROM = dp(18)
"""Width of a tile on the screen below which its name would cover it, and is left to the lists."""
AROUND = 0.06
"""What is shown around the table, as a share of its width and height in the picture."""


class TableStage(LiveStage):
    """`touched` hears where the picture was touched, in px of it."""

    def __init__(self, touched: Callable[[Point], None]) -> None:
        super().__init__()
        self._touched = touched
        self._offset = (0, 0)
        self._table = InstructionGroup()
        self.canvas.add(self._table)

    def fill_table(self, picture: TablePicture, *, whole: bool) -> None:
        """Show the table as large as it goes; or the whole picture."""
        image, self._offset = picture.image, (0, 0)
        if picture.table is not None and not whole:
            image, self._offset = _cut_table(image, picture.table)
        self.fill(image)

    def show(self, picture: TablePicture, corners: Sequence[Point] | None) -> None:
        """Outline what is known; corners: those that a person has touched."""
        if corners is None:
            self.outline(
                [
                    Outline(
                        self._shift(tile.quad),
                        tile.code,
                        theme.UNSURE if tile.unsure else theme.SURE,
                        thick=tile.unsure,
                        way=_find_outwards(tile.quad, picture.table),
                        bare=short_side(tile.quad) * self.where.scale < NAMED_FROM,
                    )
                    for tile in picture.tiles
                ]
            )
        else:
            self.outline([])
        self._table.clear()
        self._table.add(Color(*theme.GOLD))
        if corners is None and picture.table is not None:
            table = self._shift(picture.table)
            points = [value for corner in table for value in self.where.place(corner)]
            self._table.add(SmoothLine(points=points, close=True, width=theme.HAIRLINE * 1.5, joint="round"))
        if corners is not None and len(corners) > 1:
            points = [value for corner in corners for value in self.where.place(corner)]
            self._table.add(SmoothLine(points=points, width=theme.HAIRLINE * 1.5, joint="round"))
        for number, corner in enumerate(corners or (), 1):
            self._add_dot(number, self.where.place(corner))

    def _add_dot(self, number: int, place: Point) -> None:
        """A dot with its number, where a corner was touched."""
        x, y = place
        label = CoreLabel(text=str(number), font_size=DOT * 0.6, bold=True)
        label.refresh()
        width, height = label.texture.size
        self._table.add(Color(*theme.GOLD))
        self._table.add(SmoothEllipse(pos=(x - DOT / 2, y - DOT / 2), size=(DOT, DOT)))
        self._table.add(Color(*theme.FELT_EDGE))
        self._table.add(
            Rectangle(pos=(x - width / 2, y - height / 2), size=(width, height), texture=label.texture)
        )

    def _shift(self, quad: Quad) -> Quad:
        """Where a quad of the whole picture lies in what is shown of it."""
        x, y = self._offset
        a, b, c, d = ((corner[0] - x, corner[1] - y) for corner in quad)
        return a, b, c, d

    def forget(self) -> None:
        super().forget()
        self._table.clear()

    def on_touch_up(self, touch: MotionEvent) -> bool:
        if not self.is_live or not self.collide_point(*touch.pos):
            return False
        x, y = self.where.back(*touch.pos)
        if 0 <= x <= self.picture_size[0] and 0 <= y <= self.picture_size[1]:
            self._touched((x, y))
            return True
        return False


def _find_outwards(quad: Quad, table: Quad | None) -> Point | None:
    """The way from the middle of the table to a tile, px."""
    if table is None:
        return None
    (x, y), (middle_x, middle_y) = centre(quad), centre(table)
    return (x - middle_x, y - middle_y) if (x, y) != (middle_x, middle_y) else None


def _cut_table(image: Image, table: Quad) -> tuple[Image, tuple[int, int]]:
    """The part of the picture in which the table lies, and where that begins, px."""
    height, width = image.shape[:2]
    xs, ys = [x for x, _ in table], [y for _, y in table]
    x_more, y_more = AROUND * (max(xs) - min(xs)), AROUND * (max(ys) - min(ys))
    left, right = max(0, int(min(xs) - x_more)), min(width, int(max(xs) + x_more))
    top, bottom = max(0, int(min(ys) - y_more)), min(height, int(max(ys) + y_more))
    if right - left < 2 or bottom - top < 2:
        return image, (0, 0)
    return image[top:bottom, left:right], (left, top)
