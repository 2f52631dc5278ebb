"""The practice table: seen from above, the person's own tiles below it or beside it, what can be done."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.practice import wording
from companion.app.practice.own_tiles import OwnTiles
from companion.app.practice.side import ActionsPane, PaceRow, StatusCard, ToldPane
from companion.app.practice.state import Practice
from companion.app.widgets import theme
from companion.app.widgets.basics import adopt
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
BOARD_PART = 0.56
"""Of an upright window's height, for the table."""
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
        self.hand = OwnTiles(lambda code: controller.do(lambda state: state.discard(code)))
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
            self.hand.show([], None, None, None, None)
            return
        codes, drawn = wording.sort_hand(game, table.seat)
        may = None
        if asked is not None and asked.discards:
            may = [event.tile for event in asked.discards if event.tile]
        wild = game.house.wild(game.hand.fortune) if game.hand else None
        self.hand.show(codes, drawn, may, state.touched, wild.tile.code if wild else None)

    def _arrange(self, size: tuple[float, float]) -> None:
        """What stands beside the table takes less room step by step, where it would not have enough."""
        wide = size[0] > size[1]
        below = wide and size[1] >= BELOW_FROM
        inside = size[1] - theme.BAR_HEIGHT - 2 * theme.GAP
        if wide:
            side = min(max(size[0] - size[1], SIDE_LEAST), size[0] * SIDE_MOST)
            room, board = inside, 0.0
        else:
            side, board = size[0] - 2 * theme.GAP, min(size[0] - 2 * theme.GAP, inside * BOARD_PART)
            room = inside - board - theme.GAP
        parts = self._fit(side, room, size[0] - 2 * theme.GAP if below else None)
        placed = wide, below, bool(self.hand.codes), parts
        if placed != self._placed:
            self._placed = placed
            self._place(parts, wide=wide, below=below)
        self._side.size_hint = (None, 1) if wide else (1, 1)
        self._side.width = side
        self.board.size_hint_y = 1 if wide else None
        self.board.height = board

    def _fit(self, side: float, room: float, width_below: float | None) -> list[Widget]:
        """What stands beside the table, from above, in that width and height. width_below: of the window's
        lower edge, where the own tiles stand there."""
        hand, status, actions = self.hand, self.status, self.actions
        has_hand = bool(hand.codes)
        hand.one_row = False
        hand.height = hand.measure(width_below or side) if has_hand else 0.0
        high = status.measure(side) if status.words.text else 0.0
        if width_below is not None:
            room, used = room - hand.height - theme.GAP, 0.0
        else:
            used = hand.height
        rest = room - self.pace.height - 4 * theme.GAP
        if used + high + actions.arrange(low=False) > rest and used + high + actions.arrange(low=True) > rest:
            if width_below is None and not hand.may_be_touched:
                hand.one_row = True
                used = hand.height = hand.measure(side) if has_hand else 0.0
            if used + high + actions.height > rest:
                high = 0.0
        parts: list[Widget] = [status] if high else []
        parts += [actions, self.told]
        parts += [hand] if has_hand and width_below is None else []
        return [*parts, self.pace]

    def _place(self, parts: list[Widget], *, wide: bool, below: bool) -> None:
        for each in (self, self._main, self._side):
            each.clear_widgets()
        for part in parts:
            adopt(self._side, part)
        self._main.orientation = "horizontal" if wide else "vertical"
        self._main.add_widget(self.board)
        self._main.add_widget(self._side)
        self.add_widget(self._main)
        if below and self.hand.codes:
            adopt(self, self.hand)
