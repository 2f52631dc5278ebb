"""The table of people who record only wins and scores: who sits where, the points, and two large buttons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from kivy.metrics import dp, sp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.feature import Controller, View
from companion.app.game.state import GameTable
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Press, Tag
from companion.app.widgets.board_words import Plate, describe_deal, describe_plates
from companion.money import format_money
from companion.table.settling import settle_up

NAME_SIZE, POINTS_SIZE = sp(26), sp(46)
NAME_PART, POINTS_PART, ABOUT_PART = 1.0, 1.5, 0.8
"""Of the height of a card."""
BUTTON_HEIGHT, ROUND_HEIGHT = dp(96), dp(44)
HIGH = dp(700)
"""In a window less high than this buttons and the round take less of it."""


class PlayerCard(ButtonBehavior, Card):
    """A name, the points and what they are worth, to be read from afar; touched, that player has won."""

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__(padding=(theme.PAD, theme.GAP / 2), spacing=0)
        self._act = act
        self.name = Tag(
            size=NAME_SIZE, least=theme.TEXT_SMALL, align="center", bold=True, size_hint_y=NAME_PART
        )
        self.points = Tag(size=POINTS_SIZE, least=theme.TEXT, align="center", colour=theme.GOLD, bold=True)
        self.money = Tag(size=POINTS_SIZE, least=theme.TEXT, align="center", colour=theme.GOLD)
        self._amounts = BoxLayout(size_hint_y=POINTS_PART)
        self.about = Tag(
            size=theme.TEXT_LARGE, least=theme.TEXT_TINY, align="center", colour=theme.IVORY_DIM,
            size_hint_y=ABOUT_PART,
        )  # fmt: skip
        for child in (self.name, self._amounts, self.about):
            self.add_widget(child)

    def show(self, plate: Plate, money: str, *, marked: bool, narrow: bool) -> None:
        """money: what the points are worth; empty where the game has no currency. narrow: whether it is
        below the points."""
        self.name.text, self.about.text = plate.name, plate.about
        self.points.text, self.money.text = plate.points, money
        self._amounts.orientation = "vertical" if narrow else "horizontal"
        self._amounts.clear_widgets()
        for child in (self.points, self.money) if money else (self.points,):
            self._amounts.add_widget(child)
        self.paint(theme.PANEL_PRESSED if marked else theme.PANEL_RAISED)

    def on_release(self) -> None:
        self._act()


class WinsPane(BoxLayout):
    """All that the smallest evening needs."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._controller = controller
        self.round = Tag(size=NAME_SIZE, colour=theme.GOLD, align="center", size_hint_y=None)
        self.players = GridLayout(cols=2, spacing=theme.GAP)
        self.cards: dict[int, PlayerCard] = {}
        self.is_over = False
        self.mahjong = _button(self._take_main, main=True)
        self.over = _button(lambda: controller.do(GameTable.end_otherwise))
        self.settle = _button(lambda: controller.do(GameTable.settle_up))
        self.next_game = _button(lambda: controller.do(GameTable.begin_next))
        self._buttons = BoxLayout(size_hint_y=None, spacing=theme.GAP)
        for child in (self.round, self.players, self._buttons):
            self.add_widget(child)

    def show(self, view: View[GameTable]) -> None:
        game, words = view.state.game, view.words
        if game is None:
            return
        self._fit(view.size[1])
        plates, settlement = describe_plates(game, words), settle_up(game)
        seats = [seat for seat in _list_corners(view.state.plan.bottom) if seat in plates]
        if list(self.cards) != seats:
            self.players.clear_widgets()
            self.cards = {seat: PlayerCard(partial(self._call_win, seat)) for seat in seats}
            for card in self.cards.values():
                self.players.add_widget(card)
        self.is_over = game.over and not game.playing
        best = {seat for seat in plates if game.points[game.seated[seat]] == max(game.points)}
        marked = best if self.is_over else {game.deal.dealer}
        for seat, plate in plates.items():
            if self.is_over:
                plate = replace(plate, about=words("the most points") if seat in best else "")
            money = ""
            if settlement is not None:
                money = format_money(settlement.amounts[game.seated[seat]], settlement.currency)
            self.cards[seat].show(plate, money, marked=seat in marked, narrow=view.size[0] < view.size[1])
        if game.over:
            self.round.text = words("The game is over.")
        else:
            self.round.text = words("{deal} · touch who wins", deal=describe_deal(game, words))
        self.mahjong.text = words("Score sheet") if self.is_over else words("Mahjong!")
        self.over.text, self.next_game.text = words("Hand over …"), words("Next game")
        self.settle.text = words("Settle up")
        ended = [self.mahjong, self.settle, self.next_game]
        buttons = ended if self.is_over else [self.mahjong, self.over]
        if self._buttons.children[::-1] != buttons:
            self._buttons.clear_widgets()
            for button in buttons:
                self._buttons.add_widget(button)

    def _fit(self, height: float) -> None:
        """height: of the window, px."""
        share = min(1.0, height / HIGH)
        self.round.height = ROUND_HEIGHT * share
        self._buttons.height = max(theme.TOUCH, BUTTON_HEIGHT * share)
        for button in (self.mahjong, self.settle, self.next_game, self.over):
            button.height = self._buttons.height

    def _take_main(self) -> None:
        """The sheet of a game that is over; before, somebody wins."""
        if self.is_over:
            self._controller.do(GameTable.show_sheet)
        else:
            self._controller.do(lambda state: state.call_win())

    def _call_win(self, seat: int) -> None:
        if not self.is_over:
            self._controller.do(lambda state: state.call_win(seat))


def _list_corners(bottom: int) -> tuple[int, int, int, int]:
    """The seats in the order of the cards, from the upper left: as they stand at the table's corners beside
    the wall. bottom: who sits at the lower edge."""
    left, across, right = ((bottom + turn) % 4 for turn in (3, 2, 1))
    return left, across, bottom, right


def _button(act: Callable[[], None], *, main: bool = False) -> Press:
    return Press(" ", act=act, main=main, size=NAME_SIZE, height=BUTTON_HEIGHT)
