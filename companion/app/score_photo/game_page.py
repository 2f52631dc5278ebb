"""Which game a hand is scored by, while nobody has said it and none was played."""

from __future__ import annotations

from functools import partial

from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Tag, adopt
from companion.app.widgets.cards import PressCard
from companion.app.widgets.game_words import describe_rules, list_sample, name_rules
from companion.rules import RULE_SETS

A_ROW = 3
"""In a window that is wider than high."""


class GamePage(BoxLayout):
    """A card for each game."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        self.question = Tag(size=theme.TEXT_HUGE, colour=theme.GOLD, size_hint_y=None)
        self.question.height = theme.TEXT_HUGE * 1.4
        self._rows = BoxLayout(orientation="vertical", spacing=theme.GAP)
        self.games = {
            rules: PressCard(
                partial(controller.do, partial(ScorePhoto.pick_game, rules=rules)), codes=list_sample(rules)
            )
            for rules in RULE_SETS
        }
        for child in (self.question, self._rows):
            self.add_widget(child)
        self._a_row = 0

    def show(self, view: View[ScorePhoto]) -> None:
        words = view.words
        self._lay(A_ROW if view.size[0] > view.size[1] else 1)
        self.question.text = words("Choose a game")
        for rules, card in self.games.items():
            card.say(name_rules(rules, words), describe_rules(rules, words))

    def _lay(self, a_row: int) -> None:
        """Rows of cards; those of a row that is not full are wider."""
        if a_row == self._a_row:
            return
        self._a_row = a_row
        self._rows.clear_widgets()
        cards = list(self.games.values())
        for first in range(0, len(cards), a_row):
            row = BoxLayout(spacing=theme.GAP)
            for card in cards[first : first + a_row]:
                adopt(row, card)
            self._rows.add_widget(row)
