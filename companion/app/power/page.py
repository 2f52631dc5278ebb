"""The page that turns the machine off: what happens, and two buttons."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.power.state import Power
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Press, Tag, Text


class PowerPage(BoxLayout):
    def __init__(self, controller: Controller[Power]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: controller.do(Power.step_back), size_hint_x=None, width=dp(110))
        self.about = Text(size=theme.TEXT_LARGE)
        self.trouble = Text(size=theme.TEXT_LARGE, colour=theme.UNSURE)
        self.turn_off = Press(" ", act=lambda: controller.do(Power.turn_off))
        self.add_widget(layout.row(self.title, self.back, height=theme.TOUCH))
        self.add_widget(self.about)
        self.add_widget(self.trouble)
        self.add_widget(layout.row(self.turn_off, height=theme.TOUCH))
        self.add_widget(Widget())

    def show(self, view: View[Power]) -> None:
        state, words = view.state, view.words
        self.title.text, self.back.text = words("Turn off"), words("Back")
        self.about.text = words("The game is kept and goes on when the machine is switched on again.")
        self.trouble.text = words.say(state.trouble) if state.trouble else ""
        self.turn_off.text = words("Turn off now")
        self.turn_off.disabled = state.busy is not None
