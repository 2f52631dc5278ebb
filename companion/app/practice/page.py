"""The practice table: seen from above, the person's own tiles below it or beside it, what can be done."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.practice import wording
from companion.app.practice.hand_row import HandRow
from companion.app.practice.side import ActionsPane, PaceRow, StatusCard, ToldPane
from companion.app.practice.state import Practice
from companion.app.widgets import theme
from companion.app.widgets.board import Board, BoardView
from companion.app.widgets.board_words import (
    describe_coming,
    describe_left,
    describe_middle,
    describe_plates,
    describe_sea,
)

BELOW_FROM = dp(700)
"""In a window that is at least so high the own tiles lie below the table, all in one row."""
SIDE_LEAST, SIDE_MOST = dp(480), 0.56
"""The width of what stands beside the table: px, and a part of the window's."""


class PracticePage(BoxLayout):
    """In an upright window the table is above everything else."""

    def __init__(self, controller: Controller[Practice]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self.board = Board(lambda seat: None, lambda number: None)
        self.status = StatusCard()
        self.actions = ActionsPane(controller)
        self.told = ToldPane()
        self.pace = PaceRow(controller)
        self.hand = HandRow(lambda code: controller.do(lambda state: state.discard(code)))
        self._side = BoxLayout(orientation="vertical", spacing=theme.GAP)
        self._main = BoxLayout(spacing=theme.GAP)
        self._placed: object = None

    def show(self, view: View[Practice]) -> None:
        state, words = view.state, view.words
        table, game = state.table, state.game
        if table is None or game is None:
            return
        sea = describe_sea(game, words)
        self.board.show(
            BoardView(
                game,
                describe_plates(game, words),
                describe_middle(game, words),
                describe_left(game),
                describe_coming(game, words),
                sea is not None,
                bottom=table.seat,
            )
        )
        self.status.show(wording.describe_stage(state, words), calls=state.asked is not None)
        self.actions.show(state, words)
        self._show_hand(state)
        self.pace.show(view)
        self._arrange(view.size)
        self.told.show(state, words)

    def _show_hand(self, state: Practice) -> None:
        table, game, asked = state.table, state.game, state.asked
        if table is None or game is None or not game.playing:
            self.hand.show([], None, None, None)
            return
        codes, drawn = wording.sort_hand(game, table.seat)
        may = None
        if asked is not None and asked.discards:
            may = [event.tile for event in asked.discards if event.tile]
        self.hand.show(codes, drawn, may, state.touched)

    def _arrange(self, size: tuple[float, float]) -> None:
        wide = size[0] > size[1]
        below = wide and size[1] >= BELOW_FROM
        side = min(max(size[0] - size[1], SIDE_LEAST), size[0] * SIDE_MOST)
        room = size[0] - 2 * theme.GAP if below or not wide else side
        has_hand = bool(self.hand.codes)
        self.hand.height = self.hand.measure(room) if has_hand else 0
        placed = wide, below, has_hand
        if placed == self._placed:
            return self._size_side(size, side, wide=wide)
        self._placed = placed
        for each in (self, self._main, self._side):
            each.clear_widgets()
        parts = [self.status, self.actions, self.told]
        if has_hand and not below:
            parts.append(self.hand)
        for part in (*parts, self.pace):
            self._side.add_widget(part)
        self._main.orientation = "horizontal" if wide else "vertical"
        self._main.add_widget(self.board)
        self._main.add_widget(self._side)
        self.add_widget(self._main)
        if has_hand and below:
            self.add_widget(self.hand)
        return self._size_side(size, side, wide=wide)

    def _size_side(self, size: tuple[float, float], side: float, *, wide: bool) -> None:
        if wide:
            self._side.size_hint, self._side.width = (None, 1), side
            self.board.size_hint_y = 1
        else:
            self._side.size_hint = (1, 1)
            self.board.size_hint_y = None
            high = size[1] - theme.BAR_HEIGHT
            self.board.height = min(size[0] - 2 * theme.GAP, high * 0.56)
