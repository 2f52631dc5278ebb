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
from companion.app.widgets.board_words import Plate, describe_hand, describe_plates

NAME_SIZE, POINTS_SIZE = sp(26), sp(46)
BUTTON_HEIGHT = dp(96)


class PlayerCard(ButtonBehavior, Card):
    """A name and the points, to be read from afar; touched, that player has won."""

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__()
        self._act = act
        self.name = Tag(size=NAME_SIZE, align="center", bold=True)
        self.points = Tag(size=POINTS_SIZE, align="center", colour=theme.GOLD, bold=True)
        self.about = Tag(size=theme.TEXT_LARGE, align="center", colour=theme.IVORY_DIM)
        for child in (self.name, self.points, self.about):
            self.add_widget(child)

    def show(self, plate: Plate, *, marked: bool) -> None:
        self.name.text, self.points.text, self.about.text = plate.name, plate.points, plate.about
        self.paint(theme.PANEL_PRESSED if marked else theme.PANEL_RAISED)

    def on_release(self) -> None:
        self._act()


class WinsPane(BoxLayout):
    """All that the smallest evening needs."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._controller = controller
        self.round = Tag(size=NAME_SIZE, colour=theme.GOLD, align="center", size_hint_y=None, height=dp(44))
        self.players = GridLayout(cols=2, spacing=theme.GAP)
        self.cards: dict[int, PlayerCard] = {}
        self.is_over = False
        self.mahjong = _button(self._take_main, main=True)
        self.over = _button(lambda: controller.do(GameTable.end_otherwise))
        self.next_game = _button(lambda: controller.do(GameTable.begin_next))
        self._buttons = BoxLayout(size_hint_y=None, height=BUTTON_HEIGHT, spacing=theme.GAP)
        for child in (self.round, self.players, self._buttons):
            self.add_widget(child)

    def show(self, view: View[GameTable]) -> None:
        game, words = view.state.game, view.words
        if game is None:
            return
        plates = describe_plates(game, words)
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
            self.cards[seat].show(plate, marked=seat in marked)
        if game.over:
            self.round.text = words("The game is over.")
        else:
            self.round.text = words("{hand} · touch who wins", hand=describe_hand(game, words))
        self.mahjong.text = words("Score sheet") if self.is_over else words("Mahjong!")
        self.over.text, self.next_game.text = words("Hand over …"), words("Next game")
        buttons = [self.mahjong, *([self.next_game] if self.is_over else []), self.over]
        if self._buttons.children[::-1] != buttons:
            self._buttons.clear_widgets()
            for button in buttons:
                self._buttons.add_widget(button)

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
