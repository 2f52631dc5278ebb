"""The picture with its tiles outlined: shared by the picture on the table and the camera's live preview."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kivy.graphics import Color, Rectangle, SmoothLine, SmoothRoundedRectangle
from kivy.graphics import Quad as Filled
from kivy.graphics.instructions import InstructionGroup
from kivy.graphics.texture import Texture

from companion.app.widgets import theme
from companion.app.widgets.tiles import tile_texture
from companion.images import Image, Point, Quad, centre, edge_point, short_side

OUTLINE = theme.HAIRLINE * 1.2
SHADE = (0.0, 0.0, 0.0, 0.55)
"""What lies over a tile that is dimmed."""
LABEL_OF_TILE = 0.44
"""Width of a label as part of its tile's width."""
LABEL_INWARD = 0.8
"""How far a label sits from its tile's edge towards the middle, so that it touches no other tile."""
HANGING_MIN, HANGING_INWARD = theme.TOUCH * 0.2, 0.0
"""The same of a label that hangs over its tile's edge: its middle is on the edge."""
LABEL_WAY = (theme.TILE_ASPECT, 1.0)
"""Where a label lies from its tile's middle, in px of the picture: the lower right corner of an upright tile.
It is the same however the tile lies, for a glyph that looks the same upside down is read now so, now so."""
LABEL_WIDTH_MIN, LABEL_WIDTH_MAX = theme.TOUCH * 0.35, theme.TOUCH * 0.75


@dataclass(frozen=True, slots=True)
class Outline:
    """One tile's outline in px of the picture, its colour, and the drawn tile that labels it. One that is
    `dimmed` lies in shade, without a label. way: where from the tile's middle a small label hangs over its
    edge; without it a larger one lies on the tile. bare: without a label."""

    quad: Quad
    code: str
    colour: theme.Colour
    thick: bool = False
    dimmed: bool = False
    way: Point | None = None
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Fit:
    """Where a picture of `width` x `height` px lies: its bottom left corner and its scale, dots of the
    screen a px.
    """

    x: float
    y: float
    scale: float
    height: int

    def place(self, point: Point) -> Point:
        return self.x + point[0] * self.scale, self.y + (self.height - point[1]) * self.scale

    def back(self, x: float, y: float) -> Point:
        return (x - self.x) / self.scale, self.height - (y - self.y) / self.scale


Part = tuple[float, float, float, float]
"""Left, top, right and bottom of a part of a picture, px."""


def fit(size: tuple[int, int], box: tuple[float, float, float, float]) -> Fit:
    """The largest place for a picture of that size in the middle of `box` (x, y, width, height)."""
    x, y, width, height = box
    scale = min(width / size[0], height / size[1])
    return Fit(x + (width - size[0] * scale) / 2, y + (height - size[1] * scale) / 2, scale, size[1])


def fit_part(size: tuple[int, int], box: tuple[float, float, float, float], part: Part) -> Fit:
    """The place for a picture of that size in which its `part` is as large as `box` (x, y, width, height)
    allows; the part must have a width and a height."""
    x, y, width, height = box
    left, top, right, bottom = part
    scale = min(width / (right - left), height / (bottom - top))
    return Fit(
        x + _begin(width, size[0] * scale, (left + right) / 2 * scale),
        y + _begin(height, size[1] * scale, (size[1] - (top + bottom) / 2) * scale),
        scale,
        size[1],
    )


def _begin(room: float, length: float, middle: float) -> float:
    """Where a picture of that length begins in a room: its point `middle` as near to the room's middle as it
    can be without a gap beside the picture; a picture that is shorter stands in the middle."""
    if length <= room:
        return (room - length) / 2
    return min(max(room / 2 - middle, room - length), 0.0)


def texture_of(image: Image, old: Texture | None = None) -> Texture:
    """`image` as a texture; `old` is filled again where it has the right size."""
    height, width = image.shape[:2]
    if old is None or tuple(old.size) != (width, height):
        old = Texture.create(size=(width, height), colorfmt="rgb")
        old.flip_vertical()
    old.blit_buffer(image.tobytes(), colorfmt="bgr", bufferfmt="ubyte")
    return old


def contains(quad: Quad, point: Point) -> bool:
    """Whether `point` is inside of the convex `quad`."""
    x, y = point
    sides = []
    for (ax, ay), (bx, by) in zip(quad, (*quad[1:], quad[0]), strict=True):
        sides.append((bx - ax) * (y - ay) - (by - ay) * (x - ax))
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


class Outlines(InstructionGroup):
    """Draws outlines and labels.

    `zoom` is how much the whole is enlarged, so that lines keep their thickness.
    """

    def draw(self, outlines: Iterable[Outline], where: Fit, zoom: float = 1.0) -> None:
        self.clear()
        outlines = tuple(outlines)
        for outline in outlines:
            points = [value for corner in outline.quad for value in where.place(corner)]
            if outline.dimmed:
                self.add(Color(*SHADE))
                self.add(Filled(points=points))
                continue
            width = OUTLINE * (1.6 if outline.thick else 1) / zoom
            self.add(Color(0, 0, 0, 0.55))
            self.add(SmoothLine(points=points, close=True, width=width * 1.7, joint="round"))
            self.add(Color(*outline.colour))
            self.add(SmoothLine(points=points, close=True, width=width, joint="round"))
        for outline in outlines:
            if not outline.dimmed and not outline.bare:
                self._label(outline, where, zoom)

    def _label(self, outline: Outline, where: Fit, zoom: float) -> None:
        (x, y), (width, height) = place_label(outline, where, zoom)
        edge = OUTLINE / zoom
        self.add(Color(*outline.colour))
        self.add(
            SmoothRoundedRectangle(
                pos=(x - edge, y - edge), size=(width + 2 * edge, height + 2 * edge), radius=[width * 0.18]
            )
        )
        self.add(Color(1, 1, 1, 1))
        self.add(Rectangle(pos=(x, y), size=(width, height), texture=tile_texture(outline.code)))


def place_label(outline: Outline, where: Fit, zoom: float = 1.0) -> tuple[Point, Point]:
    """The lower left corner of an outline's label on the screen, and its width and height."""
    middle_x, middle_y = where.place(centre(outline.quad))
    end_x, end_y = where.place(edge_point(outline.quad, outline.way or LABEL_WAY))
    tile = short_side(outline.quad) * where.scale
    least, inside = (HANGING_MIN, HANGING_INWARD) if outline.way else (LABEL_WIDTH_MIN, LABEL_INWARD)
    width = min(max(tile * LABEL_OF_TILE, least / zoom), LABEL_WIDTH_MAX / zoom)
    height = width / theme.TILE_ASPECT
    inward = inside * (width / tile if tile else 1)
    x = end_x + (middle_x - end_x) * inward - width / 2
    y = end_y + (middle_y - end_y) * inward - height / 2
    return (x, y), (width, height)
