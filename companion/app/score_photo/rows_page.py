"""The page on which people choose the rows of a win in place of entering its tiles. What follows from other
rows is marked, and what cannot be says why.
"""

from __future__ import annotations

from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.feature import Controller, View
from companion.app.score_photo import editing
from companion.app.score_photo.editing import Page
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Column, Press, Tag
from companion.rules.rule_set import Sign
from companion.rules.stated import StatedRow
from companion.sentences import Sentence
from companion.sheets.wording import write_stated_row, write_worth
from companion.words import Words

ROW_LEAST = dp(230)
"""Minimum width of a row's button."""


class RowsPage(BoxLayout):
    """A button for each row that the win can have, and what they come to."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self._controller = controller
        self._key: object = None
        self.head = Tag(size=theme.TEXT_HUGE, colour=theme.GOLD, size_hint_y=None, least=theme.TEXT)
        self.head.height = theme.TEXT_HUGE * 1.3
        self._column = Column(spacing=theme.GAP / 2)
        self._grid = GridLayout(cols=1, size_hint_y=None, spacing=theme.GAP / 2)
        self._grid.bind(minimum_height=self._grid.setter("height"), width=self._fit)
        self._column.inside.add_widget(self._grid)
        self.rows: dict[str, Press] = {}
        self.back = Press(" ", act=lambda: controller.do(lambda state: editing.show(state, Page.ENTRY)))
        self.show_all = Press(
            " ", main=True, size=theme.TEXT_LARGE, size_hint_x=1.8,
            act=lambda: controller.do(lambda state: editing.show(state, Page.RESULT)),
        )  # fmt: skip
        buttons = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        for press in (self.back, self.show_all):
            buttons.add_widget(press)
        for child in (self.head, self._column, buttons):
            self.add_widget(child)

    def show(self, view: View[ScorePhoto]) -> None:
        state, words, win = view.state, view.words, view.state.game_win
        if win is None:
            return
        score = state.outcome.score
        self.back.text = words("Back to the hand")
        self.show_all.text = words("Show everyone")
        self.show_all.disabled = not win.is_complete or bool(state.open_questions)
        if score is not None and score.legal:
            self.head.text = write_worth(score, words)
        else:
            why = score.reason.sentence if score and score.reason else state.outcome.problem
            self.head.text = words.say(why or Sentence("Which rows does the hand have?"))
        key = win, state.draft, words.language
        if key == self._key:
            return
        self._key = key
        listed = win.list_rows(state.draft)
        if list(self.rows) != [each.row.id for each in listed]:
            self._grid.clear_widgets()
            self.rows = {each.row.id: self._make_row(each) for each in listed}
            for press in self.rows.values():
                self._grid.add_widget(press)
        sign = state.draft.rule_set.sign(state.draft.all_options)
        for each in listed:
            self._show_row(self.rows[each.row.id], each, sign, words)

    def _make_row(self, each: StatedRow) -> Press:
        step = partial(editing.count_row, row=each.row.id, most=each.row.most)
        return Press(" ", act=lambda: self._controller.do(step), size=theme.TEXT_SMALL)

    def _show_row(self, press: Press, each: StatedRow, sign: Sign, words: Words) -> None:
        press.text = write_stated_row(each, sign, words)
        press.chosen = each.counts
        press.disabled = not each.may_change

    def _fit(self, *_: object) -> None:
        self._grid.cols = max(1, int(self._grid.width // (ROW_LEAST * theme.SCALE)))
