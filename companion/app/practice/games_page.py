"""Which game is practised: one touch each."""

from __future__ import annotations

from functools import partial

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.app.feature import Controller, View
from companion.app.practice.state import Practice
from companion.app.widgets import theme
from companion.app.widgets.basics import Press, Tag, Text
from companion.app.widgets.game_words import describe_rules, list_sample, name_rules
from companion.app.widgets.press_card import PressCard
from companion.rules import RULE_SETS

CARD_TILES = ("5z", "6z", "7z")


class PracticeGamesPage(BoxLayout):
    """The five games, and the one that is open to go on with."""

    def __init__(self, controller: Controller[Practice]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        do = controller.do
        self.title = Tag(size=theme.TEXT_HUGE, colour=theme.GOLD, size_hint_y=None)
        self.title.height = theme.TEXT_HUGE * 1.4
        self.about = Text(colour=theme.IVORY)
        self.games = {
            rules: PressCard(
                partial(_pick, controller, rules),
                codes=list_sample(rules),
                tile_width=theme.TILE_WIDTH_MIN,
            )
            for rules in RULE_SETS
        }
        self.resume = PressCard(
            lambda: do(Practice.go_on), main=True, codes=CARD_TILES, tile_width=theme.TILE_WIDTH_MIN
        )
        self._grid = GridLayout(cols=3, spacing=theme.GAP)
        self.back = Press(" ", act=lambda: do(Practice.step_back))
        for child in (self.title, self.about, self._grid, self.back):
            self.add_widget(child)

    def show(self, view: View[Practice]) -> None:
        state, words = view.state, view.words
        self.title.text = words("Which game do you want to try?")
        self.about.text = words(
            "You play against three players of the program. It deals, draws and counts; you touch what you"
            " discard. What can be done is offered, and the coach can help."
        )
        for rules, card in self.games.items():
            card.say(name_rules(rules, words), describe_rules(rules, words))
        self.resume.say(words("Go on"), words("With the practice game that is open"))
        self.back.text = words("Back")
        wide = view.size[0] > view.size[1]
        if state.can_go_on:
            self._grid.cols = 3 if wide else 2
        else:
            self._grid.cols = len(self.games) if wide else 1
        cards = [*([self.resume] if state.can_go_on else []), *self.games.values()]
        if self._grid.children[::-1] != cards:
            self._grid.clear_widgets()
            for card in cards:
                self._grid.add_widget(card)


def _pick(controller: Controller[Practice], rules: str) -> None:
    controller.do(lambda state: state.pick_game(rules))
