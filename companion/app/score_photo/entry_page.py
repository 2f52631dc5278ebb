"""Entering a win into the game that is played: the live picture or the photo, what is still asked, the tiles,
and the way on. A hand that is shown after nobody won is entered on it too."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.score_photo.editing import Page
from companion.app.score_photo.game_win import WHOSE_HAND, ask
from companion.app.score_photo.picture import PicturePane
from companion.app.score_photo.score import ScorePane
from companion.app.score_photo.state import ScorePhoto
from companion.app.score_photo.tile_sheet import TileSheet
from companion.app.score_photo.tray import HandTray
from companion.app.score_photo.win import WinPane
from companion.app.widgets import theme
from companion.app.widgets.basics import Arrangement, Press, choose_arrangement
from companion.words import Words

SCORE_PART = 0.26
"""Part of a window's height that the score has at least while tiles are typed."""
TALL_PICTURE_PART = 0.36
QUESTIONS_PART = 0.55
SCORE_HEIGHT_MIN = dp(150)
"""The questions may take that part of the height beside the picture, and what the score does not need."""


class EntryPage(BoxLayout):
    """Picture and questions side by side, the tiles in one row below them; only their places change."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self._main = BoxLayout(orientation="vertical", spacing=theme.GAP)
        self.picture = PicturePane(controller)
        self.tray = HandTray(controller)
        self.sheet = TileSheet(controller)
        self.win = WinPane(controller)
        self.score = ScorePane(controller)
        self.cancel = Press(" ", act=lambda: controller.do(ScorePhoto.drop_winner))
        self.take = Press(" ", icon="camera", act=lambda: controller.do(lambda state: state.watch()))
        self.choose = Press(" ", icon="picture", act=lambda: controller.do(ScorePhoto.choose_picture))
        self.false = Press(" ", act=lambda: controller.do(ScorePhoto.declare_false))
        self.show_all = Press(" ", main=True, size=theme.TEXT_LARGE, act=lambda: controller.do(_go_on))
        self.show_all.size_hint_x = 1.8
        self._buttons = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._view: View[ScorePhoto] | None = None
        self._placed: object = None
        self.add_widget(self._main)
        self.add_widget(self._buttons)
        self.tray.bind(width=self._fit)
        for side in (self.win, self.sheet):
            side.bind(wanted_height=self._fit)
        self._main.bind(height=self._fit)

    @property
    def table(self) -> EntryPage:
        """The page itself: where the panes of the page for a hand alone are, too."""
        return self

    def show(self, view: View[ScorePhoto]) -> None:
        state, words = view.state, view.words
        if state.game_win is None:
            return
        self._view = view
        arrangement = choose_arrangement(view.size)
        win = state.game_win
        pictured = state.preview is not None or state.shown is not None or state.loading or state.taking
        bare = not state.hand.tiles and not state.typing
        scored = not (arrangement is Arrangement.SMALL and win.is_whole and not win.shows)
        placed = arrangement, state.typing, pictured, bare, scored, win.shows, win.past
        if placed != self._placed:
            self._placed = placed
            self._place(arrangement, state.typing, pictured or bare, tiles=not bare, scored=scored)
            self._place_buttons(may_be_false=not (win.shows or win.past))
        for pane in (self.picture, self.tray, self.sheet, self.win, self.score):
            pane.show(view)
        self._fit()
        self._say(state, words)

    def _say(self, state: ScorePhoto, words: Words) -> None:
        win = state.game_win
        assert win is not None
        back = words("Back to the sheet") if win.past else words("Back to the table")
        self.cancel.text = words("Back to the winner before") if win.earlier else back
        self.take.text, self.choose.text = words("Camera"), words("Picture")
        self.false.text = words("False win …")
        self.take.chosen = state.preview is not None
        asked = state.open_questions
        self.show_all.disabled = bool(asked) or not win.is_whole or state.loading or win.tells
        if asked:
            self.show_all.text = words(WHOSE_HAND) if win.shows else words.say(ask(asked[0]))
        elif win.shows:
            self.show_all.text = words("Enter this hand")
        elif win.is_whole:
            self.show_all.text = words("Show it to all: {value}", value=f"{win.entered[-1].score.value:,}")
        else:
            self.show_all.text = words("Show it to all")

    def _place_buttons(self, *, may_be_false: bool) -> None:
        self._buttons.clear_widgets()
        buttons = [self.cancel, self.take, self.choose, self.false, self.show_all]
        for button in buttons:
            if button is not self.false or may_be_false:
                self._buttons.add_widget(button)

    def _place(
        self, arrangement: Arrangement, typing: bool, pictured: bool, *, tiles: bool, scored: bool
    ) -> None:
        for child in (self.picture, self.tray, self.sheet, self.win, self.score):
            if child.parent:
                child.parent.remove_widget(child)
            child.size_hint = (1, 1)
        self._main.clear_widgets()
        self.tray.spread = typing and not pictured and arrangement is not Arrangement.TALL
        side: Widget = self.sheet if typing else self.win
        alone = not scored or (typing and arrangement is not Arrangement.WIDE)
        answers: list[Widget] = [side] if alone else [side, self.score]
        if arrangement is Arrangement.TALL:
            above: list[Widget] = [self.picture] if pictured else []
            for each in (*above, *([self.tray] if tiles else []), *answers):
                self._main.add_widget(each)
            return
        left: list[Widget]
        right: list[Widget]
        if typing:
            left, right = [self.picture, self.tray] if pictured else [self.tray], answers
        elif pictured:
            left, right = [self.picture], answers
        else:
            left, right = [self.win], [self.score] if scored else []
        above_them = BoxLayout(spacing=theme.GAP)
        for children, share in ((left, 1.0), (right, 1.35 if typing else 1.1)):
            column = BoxLayout(orientation="vertical", spacing=theme.GAP, size_hint_x=share)
            for each in children:
                column.add_widget(each)
            if children:
                above_them.add_widget(column)
        self._main.add_widget(above_them)
        if tiles and not typing:
            self._main.add_widget(self.tray)

    def _fit(self, *_: object) -> None:
        """The tiles get the rows that they need, and the questions the height that they want."""
        view = self._view
        if view is None or self._main.height <= 1:
            return
        arrangement = choose_arrangement(view.size)
        small, tall = arrangement is Arrangement.SMALL, arrangement is Arrangement.TALL
        room = beside = self._main.height
        if not self.tray.spread:
            most = 1 if small and not view.state.typing else 2
            self.tray.size_hint_y = None
            self.tray.height = self.tray.height_for(min(self.tray.count_rows(view.state.hand), most))
        else:
            self.tray.size_hint_y = 1
        if self.tray.parent is self._main:
            beside -= self.tray.height + theme.GAP
        if tall and self.picture.parent is not None:
            self.picture.size_hint_y, self.picture.height = None, TALL_PICTURE_PART * room
            beside -= self.picture.height + theme.GAP
        alone = self.score.parent is None
        self.sheet.room = beside if alone else beside * (1 - SCORE_PART)
        self.sheet.size_hint_y = 1 if small else None
        self.sheet.height = self.sheet.wanted_height
        alone = self.score.parent is not self.win.parent
        self.win.size_hint_y = 1 if alone else None
        if not alone:
            most = max(beside * QUESTIONS_PART, beside - SCORE_HEIGHT_MIN)
            self.win.height = min(self.win.wanted_height, most)


def _go_on(state: ScorePhoto) -> ScorePhoto:
    """All are shown the win; a hand that is only shown is entered."""
    win = state.game_win
    return state.confirm() if win is not None and win.shows else state.show(Page.RESULT)
