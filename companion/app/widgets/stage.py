"""Pictures with outlined tiles: one to touch, drag and enlarge, the live picture of a camera, and the
close-up of one tile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle, SmoothLine, SmoothRoundedRectangle
from kivy.graphics import Quad as TexturedQuad
from kivy.graphics.instructions import InstructionGroup
from kivy.graphics.texture import Texture
from kivy.input.motionevent import MotionEvent
from kivy.metrics import dp
from kivy.uix.scatter import Scatter
from kivy.uix.stencilview import StencilView
from kivy.uix.widget import Widget

from companion.app.live_preview import LivePicture, LivePreview
from companion.app.shown import ShownPicture, shrink_to_fit
from companion.app.widgets import theme
from companion.app.widgets.tiles import tile_texture
from companion.images import Image, Point, Quad, centre, edge_point, short_side
from companion.seeing.preview import SteadyTile
from companion.sentences import Sentence
from companion.tiles import BACK

OUTLINE = theme.HAIRLINE * 1.2
SHADE = (0.0, 0.0, 0.0, 0.55)
"""Colour that covers a dimmed tile."""
LABEL_OF_TILE = 0.44
"""Width of a label as part of its tile's width."""
LABEL_INWARD = 0.8
"""Distance of a label's middle from its tile's edge towards the tile's middle, in widths of the label, so
that it touches no other tile."""
HANGING_MIN, HANGING_INWARD = theme.TOUCH * 0.2, 0.0
"""The same of a label that hangs over its tile's edge: its middle is on the edge."""
LABEL_WAY = (theme.TILE_ASPECT, 1.0)
"""Direction from a tile's middle to its label, in px of the picture: the lower right corner of an upright
tile. It is the same for every rotation, since a glyph that looks the same upside down is read in either
rotation."""
LABEL_WIDTH_MIN, LABEL_WIDTH_MAX = theme.TOUCH * 0.35, theme.TOUCH * 0.75


@dataclass(frozen=True, slots=True)
class Outline:
    """One tile's outline in px of the picture, its colour, and the drawn tile that labels it. One that is
    `dimmed` is in shade, without a label. way: where from the tile's middle a small label hangs over its
    edge; without it a larger one is on the tile. bare: without a label."""

    quad: Quad
    code: str
    colour: theme.Colour
    thick: bool = False
    dimmed: bool = False
    way: Point | None = None
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Fit:
    """Where a picture of `width` x `height` px is: its bottom left corner and its scale, dots of the
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


PicturePart = tuple[float, float, float, float]
"""Left, top, right and bottom of a part of a picture, px."""


def fit(size: tuple[int, int], box: tuple[float, float, float, float]) -> Fit:
    """The largest place for a picture of that size in the middle of `box` (x, y, width, height)."""
    x, y, width, height = box
    scale = min(width / size[0], height / size[1])
    return Fit(x + (width - size[0] * scale) / 2, y + (height - size[1] * scale) / 2, scale, size[1])


def fit_part(size: tuple[int, int], box: tuple[float, float, float, float], part: PicturePart) -> Fit:
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
    can be without a gap next to the picture; a picture that is shorter stands in the middle."""
    if length <= room:
        return (room - length) / 2
    return min(max(room / 2 - middle, room - length), 0.0)


def texture_of(image: Image, old: Texture | None = None) -> Texture:
    """`image` as a texture; `old` is filled again if it has the right size."""
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


class DrawnOutlines(InstructionGroup):
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
                self.add(TexturedQuad(points=points))
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


ZOOM_MAX = 8.0
ZOOM_STEP = 1.2
ROUNDING = 1e-6
NEAR_MARGIN = 0.05
"""Margin around the part with the tiles, as a share of the picture's longer side."""
TAP_RADIUS = dp(12)
"""A finger that moves less than this has tapped."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A tile to be touched, and how it is outlined."""

    id: int
    outline: Outline


class PictureStage(StencilView):
    """The picture inside its frame; what leaves the frame is cut off. `touched` is called with the id of a
    tile, `framed` the ids of those whose middles a person has drawn a frame around."""

    def __init__(
        self, touched: Callable[[int], None], framed: Callable[[tuple[int, ...]], None] | None = None
    ) -> None:
        super().__init__()
        self._touched = touched
        self._framed = framed
        self._framing: MotionEvent | None = None
        self._frame = SmoothLine(width=theme.HAIRLINE * 1.5)
        self._shown: ShownPicture | None = None
        self._marks: tuple[Mark, ...] = ()
        self._part: PicturePart | None = None
        self._whole = False
        self._fit: Fit | None = None
        self._fingers = 0
        self._board = ZoomBoard()
        self._sheet = Widget(size_hint=(None, None))
        self._outlines = DrawnOutlines()
        with self._sheet.canvas:
            Color(1, 1, 1, 1)
            self._plate = Rectangle()
        self._sheet.canvas.add(self._outlines)
        self._board.add_widget(self._sheet)
        self.add_widget(self._board)
        with self.canvas.after:
            Color(*theme.GOLD)
        self.canvas.after.add(self._frame)
        self.bind(pos=self._lay_out, size=self._lay_out)
        self._board.bind(scale=lambda *_: self._draw())

    @property
    def zoom(self) -> float:
        return float(self._board.scale)

    def show(self, shown: ShownPicture | None, marks: Sequence[Mark]) -> None:
        self._marks = tuple(marks)
        new = shown is not self._shown
        if new:
            self._shown, self._part, self._whole = shown, None, False
            self._plate.texture = texture_of(shown.image) if shown else None
        self._part = _join(self._part, self._marks)
        if new or self._choose_fit() != self._fit:
            self._lay_out()
        else:
            self._draw()

    def place_of(self, tile_id: int) -> tuple[float, float] | None:
        """Where on the screen the middle of a tile is."""
        mark = next((mark for mark in self._marks if mark.id == tile_id), None)
        if mark is None or self._fit is None:
            return None
        x, y = self._board.to_parent(*self._fit.place(centre(mark.outline.quad)))
        return float(x), float(y)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        if getattr(touch, "is_mouse_scrolling", False):
            self._board.zoom_by(ZOOM_STEP if touch.button == "scrolldown" else 1 / ZOOM_STEP, touch.pos)
            return True
        pressed = self._mark_at(touch)
        touch.ud[self] = pressed and pressed.id
        if touch.is_double_tap and pressed is None:
            self._whole = self.zoom > 1 or not self._whole
            self._lay_out()
        alone = not self._fingers
        self._fingers += 1
        self._frame_with(touch if alone and self._framed and self.zoom == 1 else None)
        touch.grab(self)
        self._board.on_touch_down(touch)
        return True

    def on_touch_move(self, touch: MotionEvent) -> bool:
        handled = bool(super().on_touch_move(touch))
        if touch.grab_current is self and touch is self._framing and not _is_tap(touch):
            self._frame.rectangle = (*_corner(touch), *_size(touch))
        return handled

    def on_touch_up(self, touch: MotionEvent) -> bool:
        handled = bool(super().on_touch_up(touch))
        if touch.grab_current is not self:
            return handled
        touch.ungrab(self)
        self._fingers -= 1
        mark = self._mark_at(touch)
        if _is_tap(touch):
            if mark and mark.id == touch.ud.get(self):
                self._touched(mark.id)
        elif touch is self._framing and self._framed:
            self._framed(self._marks_in(_corner(touch), _size(touch)))
        if touch is self._framing:
            self._frame_with(None)
        return True

    def _frame_with(self, finger: MotionEvent | None) -> None:
        """A frame begins under that finger, or the one begun is gone: a second finger pinches."""
        self._framing = finger
        self._frame.points = []

    def _marks_in(self, corner: Point, size: Point) -> tuple[int, ...]:
        """The tiles whose middles are in a rectangle of the screen."""
        (left, bottom), (width, height) = corner, size
        places = ((mark.id, self.place_of(mark.id)) for mark in self._marks)
        return tuple(
            tile_id
            for tile_id, place in places
            if place and 0 <= place[0] - left <= width and 0 <= place[1] - bottom <= height
        )

    def _mark_at(self, touch: MotionEvent) -> Mark | None:
        if self._fit is None:
            return None
        point = self._fit.back(*self._board.to_local(*touch.pos))
        return next((mark for mark in self._marks if contains(mark.outline.quad, point)), None)

    def _lay_out(self, *_: object) -> None:
        if self._shown is None:
            self._outlines.clear()
            return
        self._board.home(self.pos, self.size)
        self._sheet.size = self.size
        self._fit = self._choose_fit()
        if self._fit is None:
            return
        self._plate.pos = self._fit.x, self._fit.y
        self._plate.size = self._shown.width * self._fit.scale, self._shown.height * self._fit.scale
        self._draw()

    def _choose_fit(self) -> Fit | None:
        """Where the picture is: the part with the tiles fills the frame, but for a margin."""
        if self._shown is None:
            return None
        size, box = (self._shown.width, self._shown.height), (0, 0, self.width, self.height)
        whole = fit(size, box)
        if self._part is None or self._whole:
            return whole
        left, top, right, bottom = self._part
        margin = NEAR_MARGIN * max(size)
        near = fit_part(size, box, (left - margin, top - margin, right + margin, bottom + margin))
        return near if near.scale > whole.scale else whole

    def _draw(self) -> None:
        if self._shown is not None and self._fit is not None:
            self._outlines.draw([mark.outline for mark in self._marks], self._fit, self.zoom)


def _join(part: PicturePart | None, marks: Sequence[Mark]) -> PicturePart | None:
    """The part of the picture that holds `part` and all marks."""
    corners = [point for mark in marks for point in mark.outline.quad]
    if part:
        corners += [part[:2], part[2:]]
    if not corners:
        return None
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_tap(touch: MotionEvent) -> bool:
    return bool(max(_size(touch)) < TAP_RADIUS)


def _corner(touch: MotionEvent) -> Point:
    """The lower left corner of the rectangle that a finger has drawn so far."""
    return min(touch.x, touch.ox), min(touch.y, touch.oy)


def _size(touch: MotionEvent) -> Point:
    return abs(touch.x - touch.ox), abs(touch.y - touch.oy)


class ZoomBoard(Scatter):
    """What is moved and enlarged; it always covers its home."""

    def __init__(self) -> None:
        super().__init__(
            do_rotation=False,
            do_collide_after_children=False,
            scale_min=1,
            scale_max=ZOOM_MAX,
            size_hint=(None, None),
        )
        self._home = ((0.0, 0.0), (1.0, 1.0))
        self.bind(transform=self._stay)

    def home(self, pos: tuple[float, float], size: tuple[float, float]) -> None:
        self._home = (tuple(pos), tuple(size))  # type: ignore[assignment]
        self.size = size
        self.reset()

    def reset(self) -> None:
        self.scale = 1
        self.pos = self._home[0]

    def zoom_by(self, factor: float, anchor: tuple[float, float]) -> None:
        from kivy.graphics.transformation import Matrix

        wanted = min(max(self.scale * factor, 1), ZOOM_MAX)
        if wanted < 1 + ROUNDING:
            self.reset()
            return
        step = wanted / self.scale
        self.apply_transform(Matrix().scale(step, step, 1), anchor=anchor)

    def _stay(self, *_: object) -> None:
        (x, y), (width, height) = self._home
        over_x, over_y = width * (self.scale - 1), height * (self.scale - 1)
        wanted = min(max(self.x, x - over_x), x), min(max(self.y, y - over_y), y)
        if max(abs(wanted[0] - self.x), abs(wanted[1] - self.y)) > 0.5:
            self.pos = wanted


class LiveStage(Widget):
    """The newest frame, as large as it goes, with outlines."""

    def __init__(self) -> None:
        super().__init__()
        self._texture: Texture | None = None
        self._image: Image | None = None
        self._size = (1, 1)
        self.outlined = 0
        self._outlines = DrawnOutlines()
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
        """Show a picture (H, W, 3) BGR; quads are in its px. It is scaled down to the available room first: a
        whole one costs the graphics chip milliseconds."""
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
        """Where the picture is."""
        return fit(self._size, (self.x, self.y, max(self.width, 1), max(self.height, 1)))

    def _place(self, *_: object) -> None:
        self._back.pos, self._back.size = self.pos, self.size
        where = self.where
        self._plate.pos = where.x, where.y
        self._plate.size = self._size[0] * where.scale, self._size[1] * where.scale


FRAMES_PER_S = 30
SILENT = Sentence(
    "The camera has stopped sending pictures: check its plug and try again, or choose a picture."
)


class LiveView(LiveStage):
    """Runs while it is in a window and has a preview. `changed` is called with each new picture, None before
    the first."""

    def __init__(self, changed: Callable[[LivePicture | None], None]) -> None:
        super().__init__()
        self._changed = changed
        self._tick = Clock.schedule_interval(self._update, 1 / FRAMES_PER_S)
        self._tick.cancel()
        self._preview: LivePreview | None = None
        self.live: LivePicture | None = None
        self._drawn: object = None

    def show(self, preview: LivePreview | None) -> None:
        """Show that preview from now on, or none."""
        if self._preview is not preview:
            self._preview, self.live = preview, None
            self.forget()
        self._tick()

    def _update(self, _: float) -> bool:
        preview = self._preview
        if preview is None or self.parent is None:
            self.forget()
            self.live, self._drawn = None, None
            return False
        if preview.is_silent:
            preview.lose(SILENT)
            return False
        live = preview.live
        if live is None:
            self._changed(None)
            return True
        if live is not self.live:
            if self.live is None or live.number != self.live.number:
                self.fill(live.image)
            self.live = live
            self._changed(live)
        drawn = (live, tuple(self.pos), tuple(self.size))
        if drawn != self._drawn:
            self._drawn = drawn
            tiles = live.tiles or ()
            self.outline([Outline(tile.quad, tile.code, _colour(tile), thick=tile.unsure) for tile in tiles])
        return True


def _colour(tile: SteadyTile) -> theme.Colour:
    if tile.unsure:
        return theme.UNSURE
    return theme.IVORY_DIM if tile.code == BACK else theme.SURE


class CloseUp(Widget):
    """Shows the tile that `look_at` was called with last."""

    def __init__(self) -> None:
        super().__init__(size_hint_x=None)
        self._texture: tuple[ShownPicture, Texture] | None = None
        self._coords: tuple[float, ...] = (0,) * 8
        self.bind(pos=self._draw, size=self._draw)

    def look_at(self, quad: Quad, shown: ShownPicture) -> None:
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
            TexturedQuad(
                points=(x, y, right, y, right, top, x, top), texture=self._texture[1], tex_coords=self._coords
            )
