"""How an evening goes, in short sentences."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.settings.state import Settings
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text
from companion.sentences import msgid

STEPS = (
    msgid("Begin a game: choose the rules, type four names, and go."),
    msgid("Play as always. Nothing has to be entered between two wins."),
    msgid("Somebody wins: take a photo of the hand, or touch its tiles. An orange tile is one to look at."),
    msgid("Say how it was won. The score shows every line, and what each player pays."),
    msgid("All four look at it, then it is confirmed. Every step can be undone."),
    msgid("Close the window whenever you like: everything is kept, and the next time goes on from there."),
)


class HelpPage(BoxLayout):
    """A card for each step of an evening."""

    def __init__(self, controller: Controller[Settings]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(
            " ", act=lambda: controller.do(lambda state: state.step_back()), size_hint_x=None, width=dp(150)
        )
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.back)
        self._texts = [Text(size=theme.TEXT_LARGE) for _ in STEPS]
        column = Column()
        for number, text in enumerate(self._texts, 1):
            card = Card(orientation="horizontal", size_hint_y=None, spacing=theme.PAD)
            card.bind(minimum_height=card.setter("height"))
            sign = Text(str(number), size=theme.TEXT_HUGE, colour=theme.GOLD, size_hint_x=None, width=dp(40))
            card.add_widget(sign)
            text.pos_hint = {"center_y": 0.5}
            card.add_widget(text)
            column.inside.add_widget(card)
        self.add_widget(head)
        self.add_widget(column)

    def show(self, view: View[Settings]) -> None:
        self.title.text, self.back.text = view.words("How an evening goes"), view.words("Back")
        for text, step in zip(self._texts, STEPS, strict=True):
            text.text = view.words(step)
