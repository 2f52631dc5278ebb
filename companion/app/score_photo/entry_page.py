"""Entering a win into the game that is played: the table page, and below it the way on."""

from __future__ import annotations

from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.score_photo.editing import Page
from companion.app.score_photo.page import TablePage
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Press


class EntryPage(BoxLayout):
    """The table page above one row of buttons."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical")
        self.table = TablePage(controller)
        self.cancel = Press(" ", act=lambda: controller.do(ScorePhoto.leave_game))
        self.take = Press(" ", icon="camera", act=lambda: controller.do(ScorePhoto.take_picture))
        self.choose = Press(" ", icon="picture", act=lambda: controller.do(ScorePhoto.choose_picture))
        self.false = Press(" ", act=lambda: controller.do(ScorePhoto.declare_false))
        self.show_all = Press(
            " ", main=True, size=theme.TEXT_LARGE,
            act=lambda: controller.do(lambda state: state.show(Page.RESULT)),
        )  # fmt: skip
        row = BoxLayout(
            size_hint_y=None,
            height=theme.TOUCH + 2 * theme.GAP,
            spacing=theme.GAP,
            padding=(theme.GAP, 0, theme.GAP, theme.GAP),
        )
        self.show_all.size_hint_x = 1.6
        for child in (self.cancel, self.take, self.choose, self.false, self.show_all):
            row.add_widget(child)
        self.add_widget(self.table)
        self.add_widget(row)

    def show(self, view: View[ScorePhoto]) -> None:
        words, state = view.words, view.state
        win = state.game_win
        self.table.show(view)
        self.cancel.text = words("Back to the table")
        self.take.text = words("Camera")
        self.choose.text = words("Picture")
        self.false.text = words("False win")
        self.false.disabled = win is None or not win.may_be_false(state.draft.winner)
        entered = win.entered if win else None
        self.show_all.disabled = entered is None or state.loading
        self.show_all.text = (
            words("Show it to all: {value}", value=f"{entered.score.value:,}")
            if entered
            else words("Show it to all")
        )
