"""Help, in pictures."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.settings.help_cards import HelpCards
from companion.app.settings.state import Settings
from companion.app.widgets import theme
from companion.app.widgets.basics import Press, Tag


class HelpPage(BoxLayout):
    """What to do for the things that people want."""

    def __init__(self, controller: Controller[Settings]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(
            " ", act=lambda: controller.do(lambda state: state.step_back()), size_hint_x=None, width=dp(150)
        )
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.back)
        self.cards = HelpCards()
        self.add_widget(head)
        self.add_widget(self.cards)

    def show(self, view: View[Settings]) -> None:
        self.title.text, self.back.text = view.words("Help"), view.words("Back")
        self.cards.show(view.words, view.size[0])
