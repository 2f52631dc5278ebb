"""What lies on the table beside a hand: its picture, its tiles, their keyboard, and the way to the coach."""

from __future__ import annotations

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.score_photo.picture import PicturePane
from companion.app.score_photo.state import ScorePhoto
from companion.app.score_photo.tile_sheet import TileSheet
from companion.app.score_photo.tray import HandTray
from companion.app.widgets import theme
from companion.app.widgets.basics import Arrangement, Press, choose_arrangement

PICTURE_PART = 1.1
"""Width of the picture beside that of the tiles."""
TRAY_PART = 0.6
"""Height of the tiles below the picture, as part of the picture's, while some are typed."""
TALL_PARTS = 0.9, 0.6, 0.9
"""Heights of picture, tiles and keyboard in a tall window."""


class OpenTilesPage(BoxLayout):
    """The panes of the hand, in other places: there is no score, and there are more tiles."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self.picture = PicturePane(controller)
        self.tray = HandTray(controller, many=True)
        self.sheet = TileSheet(controller)
        self.done = Press(
            " ", main=True, size=theme.TEXT_LARGE, act=lambda: controller.do(ScorePhoto.finish_table),
            size_hint_y=None, height=theme.TOUCH,
        )  # fmt: skip
        self._main = BoxLayout(spacing=theme.GAP)
        for child in (self._main, self.done):
            self.add_widget(child)
        self._placed: object = None
        self._view: View[ScorePhoto] | None = None
        self._main.bind(height=self._fit)

    def show(self, view: View[ScorePhoto]) -> None:
        state, words = view.state, view.words
        if state.waiting is None:
            return
        self._view = view
        self.done.text = words("What should I discard?")
        self.done.disabled = state.busy is not None
        tall = choose_arrangement(view.size) is Arrangement.TALL
        pictured = state.shown is not None or state.loading or state.taking
        shown = pictured or not state.typing, state.typing or bool(state.hand.tiles), state.typing
        if (tall, shown) != self._placed:
            self._placed = tall, shown
            self._place(tall=tall, shown=shown)
        self._fit()
        for pane in (self.picture, self.tray, self.sheet):
            pane.show(view)

    def _place(self, *, tall: bool, shown: tuple[bool, bool, bool]) -> None:
        """shown: which of picture, tray and keyboard are."""
        panes: tuple[Widget, ...] = self.picture, self.tray, self.sheet
        for pane, part in zip(panes, TALL_PARTS, strict=True):
            if pane.parent:
                pane.parent.remove_widget(pane)
            pane.size_hint = (1, part if tall else 1)
        self._main.clear_widgets()
        self._main.orientation = "vertical" if tall else "horizontal"
        there = [pane for pane, is_shown in zip(panes, shown, strict=True) if is_shown]
        if not tall and self.sheet in there:
            left = BoxLayout(orientation="vertical", spacing=theme.GAP)
            self.tray.size_hint_y = TRAY_PART
            for pane in there[:-1]:
                left.add_widget(pane)
            there = [left, self.sheet]
        elif not tall:
            self.picture.size_hint_x = PICTURE_PART
        for pane in there:
            self._main.add_widget(pane)

    def _fit(self, *_: object) -> None:
        """The keyboard has the room that it gets."""
        if self._view is None or self._main.height <= 1:
            return
        tall = self._main.orientation == "vertical"
        self.sheet.room = self._main.height * (TALL_PARTS[2] / sum(TALL_PARTS) if tall else 1) - theme.GAP
