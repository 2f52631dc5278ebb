"""The table page: arranges picture, tray, keyboard, win and score for wide, tall and small windows."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.score_photo.panes import Pane
from companion.app.score_photo.picture import PicturePane
from companion.app.score_photo.score import ScorePane
from companion.app.score_photo.state import ScorePhoto
from companion.app.score_photo.tile_sheet import TileSheet
from companion.app.score_photo.tray import HandTray
from companion.app.score_photo.win import WinPane
from companion.app.widgets import theme
from companion.app.widgets.basics import Arrangement, choose_arrangement

SCORE_PART = 0.52
"""Part of a wide window that the tiles and their score get."""
PICTURE_HEIGHT_MIN = dp(190)
"""Height of the picture that stays visible while tiles are typed."""
SCORE_HEIGHT_MIN = dp(190)
"""The same of the score, in a tall window."""
TALL_LOWER_PART = 0.64
"""Part of a tall window that win and score get."""
TRAY_ROWS_MAX = 3


class TablePage(BoxLayout):
    """Holds the five panes; only their places change."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(padding=theme.GAP, spacing=theme.GAP)
        self.picture = PicturePane(controller)
        self.tray = HandTray(controller)
        self.sheet = TileSheet(controller)
        self.win = WinPane(controller)
        self.score = ScorePane(controller)
        self._placed: object = None
        self._rows: tuple[object, int] = None, 1
        self._view: View[ScorePhoto] | None = None
        self.tray.bind(width=self._fit_tray)
        for side in (self.win, self.sheet):
            side.bind(wanted_height=self._fit_side)

    def show(self, view: View[ScorePhoto]) -> None:
        arrangement = choose_arrangement(view.size)
        typing = view.state.typing
        placed = (arrangement, typing, view.state.pane if arrangement is Arrangement.SMALL else None)
        if placed != self._placed:
            self._placed = placed
            self._place(arrangement, typing, view.state.pane)
        self.sheet.room = self._sheet_room(arrangement)
        for pane in (self.picture, self.tray, self.sheet, self.win, self.score):
            pane.show(view)
        self._view = view
        self._fit_tray()

    def _fit_tray(self, *_: object) -> None:
        """As high as its rows of tiles, whose size depends on its width. It shrinks with another picture
        only: tiles of a picture that are touched in turn stay where they are."""
        if self._view is None:
            return
        small = choose_arrangement(self._view.size) is Arrangement.SMALL
        most = (2 if self._view.state.typing else 1) if small else TRAY_ROWS_MAX
        rows = min(self.tray.count_rows(self._view.state.hand), most)
        shown = (self._view.state.draft.picture, self._view.size, small and self._view.state.typing)
        rows = max(rows, self._rows[1]) if shown == self._rows[0] else rows
        self._rows = shown, rows
        self.tray.size_hint_y = None
        self.tray.height = self.tray.height_for(rows)

    def _place(self, arrangement: Arrangement, typing: bool, pane: Pane) -> None:
        for child in (self.picture, self.tray, self.sheet, self.win, self.score):
            if child.parent:
                child.parent.remove_widget(child)
            child.size_hint = (1, 1)
        self.clear_widgets()
        left = BoxLayout(orientation="vertical", spacing=theme.GAP)
        right = BoxLayout(orientation="vertical", spacing=theme.GAP)
        self.orientation = "vertical" if arrangement is Arrangement.TALL else "horizontal"
        if arrangement is Arrangement.SMALL:
            for child in (self.picture, self.tray):
                left.add_widget(child)
            self._place_small(left, typing, pane)
            return
        side = self.sheet if typing else self.win
        side.size_hint_y = None
        side.height = side.wanted_height
        if arrangement is Arrangement.WIDE:
            columns: tuple[tuple[Widget, ...], ...] = (self.picture, side), (self.tray, self.score)
            right.size_hint_x = SCORE_PART / (1 - SCORE_PART)
        else:
            columns = (self.picture, self.tray), (side, self.score)
            right.size_hint_y = TALL_LOWER_PART / (1 - TALL_LOWER_PART)
        for column, children in zip((left, right), columns, strict=True):
            for each in children:
                column.add_widget(each)
            self.add_widget(column)

    def _sheet_room(self, arrangement: Arrangement) -> float:
        height = self.height - 2 * theme.GAP
        match arrangement:
            case Arrangement.WIDE:
                return float(height - PICTURE_HEIGHT_MIN)
            case Arrangement.TALL:
                return float(height * TALL_LOWER_PART - SCORE_HEIGHT_MIN)
            case Arrangement.SMALL:
                return float(height)

    def _fit_side(self, side: WinPane | TileSheet, *_: object) -> None:
        if side.size_hint_y is None:
            side.height = side.wanted_height

    def _place_small(self, left: BoxLayout, typing: bool, pane: Pane) -> None:
        if pane is Pane.WIN:
            self.add_widget(self.win)
        elif pane is Pane.SCORE:
            self.add_widget(self.score)
        else:
            self.add_widget(left)
            if typing:
                self.sheet.size_hint_x = 1.3
                self.add_widget(self.sheet)
