"""A picture with outlined tiles in a frame of its own: touch one to choose it, drag to frame several, pinch
or scroll to come closer. A picture that is enlarged is moved by dragging. At first the part with the tiles is
shown, and after a double tap all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kivy.graphics import Color, Rectangle, SmoothLine
from kivy.input.motionevent import MotionEvent
from kivy.metrics import dp
from kivy.uix.scatter import Scatter
from kivy.uix.stencilview import StencilView
from kivy.uix.widget import Widget

from companion.app.shown import ShownPicture
from companion.app.widgets import theme
from companion.app.widgets.outlines import Fit, Outline, Outlines, Part, contains, fit, fit_part, texture_of
from companion.images import Point, centre

ZOOM_MAX = 8.0
ZOOM_STEP = 1.2
ROUNDING = 1e-6
NEAR_MARGIN = 0.05
"""Around the part with the tiles, of the picture's longer side."""
TAP_RADIUS = dp(12)
"""A finger that moves less than this has tapped."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A tile to be touched, and how it is outlined."""

    id: int
    outline: Outline


class PictureStage(StencilView):
    """The picture inside its frame; what leaves the frame is cut off. `touched` hears the id of a tile,
    `framed` the ids of those whose middles a person has drawn a frame around."""

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
        self._part: Part | None = None
        self._whole = False
        self._fit: Fit | None = None
        self._fingers = 0
        self._board = ZoomBoard()
        self._sheet = Widget(size_hint=(None, None))
        self._outlines = Outlines()
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
        """The tiles whose middles lie in a rectangle of the screen."""
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
        """Where the picture lies: the part with the tiles fills the frame, but for a margin."""
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


def _join(part: Part | None, marks: Sequence[Mark]) -> Part | None:
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
