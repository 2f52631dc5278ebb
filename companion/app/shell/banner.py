"""Sentences across the window, and what is under way. Neither blocks anything."""

from __future__ import annotations

from kivy.clock import Clock
from kivy.graphics import Color, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.shell.window_controller import WindowController
from companion.app.shell.window_state import WindowView
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Press, Text
from companion.sentences import Sentence
from companion.words import Words

LANE_HEIGHT = dp(4)
ANSWER_WIDTH = dp(150)
SLIDE_S = 0.9


class BannerStrip(BoxLayout):
    """As high as what it has to say; nothing to say, no height."""

    def __init__(self, controller: WindowController) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, height=0, spacing=0)
        self.bind(minimum_height=self.setter("height"))
        self.words = Text(size=theme.TEXT)
        self._card = Card(
            orientation="horizontal", size_hint_y=None, radius=0, padding=(theme.PAD, theme.GAP / 2)
        )
        self._card.bind(minimum_height=self._card.setter("height"))
        middle = AnchorLayout(size_hint_y=None)
        middle.add_widget(self.words)
        self.words.bind(height=lambda _, height: setattr(middle, "height", max(height, theme.TOUCH)))
        self.dismiss = Press(
            icon="close",
            act=controller.dismiss_banner,
            size_hint_x=None,
            width=theme.TOUCH,
            pos_hint={"center_y": 0.5},
        )
        self.answer = Press(
            " ",
            main=True,
            act=controller.answer_banner,
            size_hint_x=None,
            width=ANSWER_WIDTH,
            pos_hint={"center_y": 0.5},
        )
        self.warning = Text(
            size=theme.TEXT_SMALL, colour=theme.UNSURE, align="center", padding=(theme.PAD, theme.GAP / 2)
        )
        self._card.add_widget(middle)
        self._card.add_widget(self.dismiss)
        self._busy = BoxLayout(orientation="vertical", size_hint_y=None, spacing=0)
        self._busy.bind(minimum_height=self._busy.setter("height"))
        self.doing = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, padding=(theme.PAD, theme.GAP / 2))
        self._lane = ProgressLane()
        self._busy.add_widget(self._lane)
        self._busy.add_widget(self.doing)

    def show(self, view: WindowView) -> None:
        banner, busy = view.window.shown_banner, view.busy
        wanted = []
        if view.window.warning:
            self.warning.text = view.words.say(view.window.warning)
            wanted.append(self.warning)
        if busy:
            self.doing.text = view.words.say(busy)
            wanted.append(self._busy)
        if banner:
            words = view.words.of(banner.people)
            self.words.text = words.say(banner.sentence)
            self._card.paint(theme.TROUBLE if banner.trouble else theme.NOTE)
            self._offer(banner.answer, words)
            wanted.append(self._card)
        if self.children[::-1] != wanted:
            self.clear_widgets()
            for child in wanted:
                self.add_widget(child)
        self._lane.run(busy is not None)

    def _offer(self, answer: Sentence | None, words: Words) -> None:
        """The button that gives this answer."""
        if answer:
            self.answer.text = words.say(answer)
        if (answer is not None) != (self.answer.parent is not None):
            if answer is None:
                self._card.remove_widget(self.answer)
            else:
                self._card.add_widget(self.answer, index=1)


class ProgressLane(Widget):
    """A bar that runs from left to right for as long as something is under way."""

    def __init__(self) -> None:
        super().__init__(size_hint_y=None, height=LANE_HEIGHT)
        self._at = 0.0
        self._tick = Clock.schedule_interval(self._move, 0)
        self._tick.cancel()
        with self.canvas:
            Color(*theme.PANEL)
            self._lane = SmoothRoundedRectangle(radius=[0])
            Color(*theme.GOLD)
            self._runner = SmoothRoundedRectangle(radius=[LANE_HEIGHT / 2])
        self.bind(pos=self._place, size=self._place)

    def run(self, running: bool) -> None:
        if running:
            self._tick()
        else:
            self._tick.cancel()

    def _move(self, _: float) -> None:
        self._at = Clock.get_time() / SLIDE_S % 1
        self._place()

    def _place(self, *_: object) -> None:
        self._lane.pos, self._lane.size = self.pos, self.size
        width = self.width * 0.25
        self._runner.pos = self.x + (self.width + width) * self._at - width, self.y
        self._runner.size = width, self.height
