"""The picture on the table: every tile outlined and labelled; touch one to choose it, pinch or scroll
to come closer.
"""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.input.motionevent import MotionEvent
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.scatter import Scatter
from kivy.uix.stencilview import StencilView
from kivy.uix.widget import Widget

from companion.app import theme
from companion.app.desk import Desk, View
from companion.app.hand import TableTile
from companion.app.sight import Shown
from companion.app.state import Page, ScorePhoto
from companion.app.widgets.basics import Card, Press, Text
from companion.app.widgets.outlines import Fit, Outline, Outlines, contains, fit, texture_of

ZOOM_MAX = 8.0
ZOOM_STEP = 1.2
TAP_RADIUS = dp(12)
"""A finger that moves less than this has tapped."""


class PicturePane(BoxLayout):
    """The picture, or an invitation where there is none."""

    def __init__(self, desk: Desk, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._stage = Stage(desk)
        self._invitation = Invitation(desk)

    @property
    def stage(self) -> Stage:
        return self._stage

    def show(self, view: View) -> None:
        child = self._stage if view.shown else self._invitation
        if child.parent is None:
            self.clear_widgets()
            self.add_widget(child)
        child.show(view)


class Invitation(FloatLayout):
    """What there is to see before the first picture."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._card = Card(
            size_hint=(None, None),
            width=dp(340),
            pos_hint={"center_x": 0.5, "center_y": 0.5},
            colour=theme.PANEL,
        )
        self._card.bind(minimum_height=self._card.setter("height"))
        self._words = Text(align="center", size=theme.TEXT_LARGE)
        self._hint = Text(align="center", size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self._choose = Press(
            icon="picture", text=" ", main=True, act=lambda: desk.do(lambda state: state.show(Page.PICTURES))
        )
        self._take = Press(icon="camera", text=" ", act=desk.open_camera)
        self._add = Press(icon="plus", text=" ", act=lambda: desk.do(ScorePhoto.start_adding))
        for child in (self._words, self._choose, self._take, self._add, self._hint):
            self._card.add_widget(child)
        self.add_widget(self._card)

    def show(self, view: View) -> None:
        words = view.words
        roomy = self.height > dp(300) or self.height <= 100
        self._words.text = (
            words("A finished hand, please") if not view.state.hand.tiles else words("No picture")
        )
        self._choose.text = words("Choose a picture")
        self._take.text = words("Take a picture")
        self._add.text = words("Add tiles by hand")
        self._hint.text = words("You can also drop a picture on this window.") if roomy else ""


class Stage(StencilView):
    """The picture inside its frame; what leaves the frame is cut off."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._view: View | None = None
        self._shown: Shown | None = None
        self._fit: Fit | None = None
        self._board = Board()
        self._sheet = Widget(size_hint=(None, None))
        self._outlines = Outlines()
        with self._sheet.canvas:
            Color(1, 1, 1, 1)
            self._plate = Rectangle()
        self._sheet.canvas.add(self._outlines)
        self._board.add_widget(self._sheet)
        self.add_widget(self._board)
        self.bind(pos=self._lay_out, size=self._lay_out)
        self._board.bind(scale=lambda *_: self._draw())

    @property
    def zoom(self) -> float:
        return float(self._board.scale)

    def show(self, view: View) -> None:
        self._view = view
        if view.shown is not self._shown:
            self._shown = view.shown
            self._plate.texture = texture_of(view.shown.image) if view.shown else None
            self._lay_out()
        else:
            self._draw()

    def place_of(self, tile_id: int) -> tuple[float, float] | None:
        """Where on the screen the middle of a tile is."""
        tile = self._view.state.hand.tile(tile_id) if self._view else None
        if tile is None or tile.quad is None or self._fit is None:
            return None
        centre = sum(x for x, _ in tile.quad) / 4, sum(y for _, y in tile.quad) / 4
        x, y = self._board.to_parent(*self._fit.place(centre))
        return float(x), float(y)

    def on_touch_down(self, touch: MotionEvent) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        if getattr(touch, "is_mouse_scrolling", False):
            self._board.zoom_by(ZOOM_STEP if touch.button == "scrolldown" else 1 / ZOOM_STEP, touch.pos)
            return True
        if touch.is_double_tap and self._tile_at(touch) is None:
            self._board.reset()
        touch.grab(self)
        self._board.on_touch_down(touch)
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        handled = bool(super().on_touch_up(touch))
        if touch.grab_current is not self:
            return handled
        touch.ungrab(self)
        moved = max(abs(touch.x - touch.ox), abs(touch.y - touch.oy))
        tile = self._tile_at(touch)
        if tile and moved < TAP_RADIUS:
            self._desk.do(lambda state: state.select(tile.id))
        return True

    def _tile_at(self, touch: MotionEvent) -> TableTile | None:
        if self._view is None or self._fit is None:
            return None
        point = self._fit.back(*self._board.to_local(*touch.pos))
        return next(
            (tile for tile in self._view.state.hand.tiles if tile.quad and contains(tile.quad, point)), None
        )

    def _lay_out(self, *_: object) -> None:
        if self._shown is None:
            return
        self._board.home(self.pos, self.size)
        self._sheet.size = self.size
        self._fit = fit((self._shown.width, self._shown.height), (0, 0, self.width, self.height))
        self._plate.pos = self._fit.x, self._fit.y
        self._plate.size = self._shown.width * self._fit.scale, self._shown.height * self._fit.scale
        self._draw()

    def _draw(self) -> None:
        if self._view is None or self._fit is None:
            return
        state = self._view.state
        winning = state.facts.winning
        outlines = []
        for tile in state.hand.tiles:
            if tile.quad is None:
                continue
            group = state.hand.group_of(tile.id)
            code = group.codes[group.members.index(tile.id)] if group else tile.code
            chosen = tile.id == state.selected
            if chosen:
                colour = theme.IVORY
            elif tile.needs_look:
                colour = theme.UNSURE
            elif winning and tile.id == winning.id:
                colour = theme.GOLD
            else:
                colour = theme.SURE
            outlines.append(Outline(tile.quad, code, colour, thick=chosen or tile.needs_look))
        self._outlines.draw(outlines, self._fit, self.zoom)


class Board(Scatter):
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
        step = wanted / self.scale
        self.apply_transform(Matrix().scale(step, step, 1), anchor=anchor)

    def _stay(self, *_: object) -> None:
        (x, y), (width, height) = self._home
        over_x, over_y = width * (self.scale - 1), height * (self.scale - 1)
        wanted = min(max(self.x, x - over_x), x), min(max(self.y, y - over_y), y)
        if max(abs(wanted[0] - self.x), abs(wanted[1] - self.y)) > 0.5:
            self.pos = wanted
