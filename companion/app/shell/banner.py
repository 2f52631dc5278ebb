"""Sentences of the window as a whole, and what is under way. Neither blocks anything, nor moves the page.

A sentence stands in the bar, in the place of the title and of as many buttons as it needs, which are in the
menu meanwhile: a page that moved would have the next touch land on something else. One that has no room there
has a strip of its own below the bar, as what is said all the time.
"""

from __future__ import annotations

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.shell.window_controller import WindowController
from companion.app.shell.window_state import WindowView
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Press, Text, adopt
from companion.sentences import Sentence
from companion.words import Words

LANE_HEIGHT = dp(4)
ANSWER_WIDTH = dp(150)
SLIDE_S = 0.9
LEAST_SHARE = 0.9
"""Of the size of small letters, in the bar."""
LEAST_WIDTH = dp(180)
"""Of words in the bar: narrower ones are hard to read."""


class MessageCard(Card):
    """One sentence, with a button that takes it away, and one that answers it where it asks."""

    def __init__(self, controller: WindowController) -> None:
        super().__init__(orientation="horizontal", padding=(theme.PAD, 0, theme.GAP / 2, 0))
        self.size_hint_y: float | None = 1
        self.words = Text(size=theme.TEXT)
        middle = AnchorLayout()
        middle.add_widget(self.words)
        self.dismiss = _button(theme.TOUCH, Press(icon="close", act=controller.dismiss_banner))
        self.answer = _button(ANSWER_WIDTH, Press(" ", main=True, act=controller.answer_banner))
        for child in (middle, self.dismiss):
            self.add_widget(child)

    def show(self, view: WindowView) -> bool:
        """Say what there is to be said; whether there is anything."""
        banner = view.window.shown_banner
        if banner is None:
            return False
        words = view.words.of(banner.people)
        self.words.text = words.say(banner.sentence)
        self.paint(theme.TROUBLE if banner.trouble else theme.NOTE)
        self._offer(banner.answer, words)
        return True

    def choose_size(self, width: float) -> float | None:
        """The size of the letters with which it fits into the bar, that wide; None where it does not."""
        room = width - self._measure_rest()
        sizes: tuple[float, ...] = (theme.TEXT, theme.TEXT_SMALL, theme.TEXT_SMALL * LEAST_SHARE)
        for size in sizes:
            if room >= LEAST_WIDTH and self._measure(room, size) <= theme.TOUCH:
                return size
        return None

    def fill(self, width: float) -> None:
        """Be as high as the words need, that wide."""
        self.words.font_size = theme.TEXT
        self.size_hint_y = None
        self.height = max(self._measure(width - self._measure_rest(), theme.TEXT) + theme.GAP, theme.TOUCH)

    def _measure(self, width: float, size: float) -> float:
        """How high the words are, px."""
        label = CoreLabel(
            text=self.words.text, font_size=size, font_name=self.words.font_name, text_size=(width, None)
        )
        return float(label.render()[1])

    def _measure_rest(self) -> float:
        """How wide all but the words is, px."""
        answer = 0 if self.answer.parent is None else ANSWER_WIDTH + self.spacing
        return float(theme.TOUCH + answer + self.spacing + theme.PAD + theme.GAP / 2)

    def _offer(self, answer: Sentence | None, words: Words) -> None:
        """The button that gives this answer."""
        if answer:
            self.answer.text = words.say(answer)
        if (answer is not None) != (self.answer.parent is not None):
            if answer is None:
                self.remove_widget(self.answer)
            else:
                self.add_widget(self.answer, index=1)


class Strip(BoxLayout):
    """Below the bar: what is said all the time, and a message that has no room in the bar. As high as what it
    has to say; nothing to say, no height."""

    def __init__(self, message: MessageCard) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, height=0, spacing=0)
        self.bind(minimum_height=self.setter("height"))
        self._message = message
        self.warning = Text(
            size=theme.TEXT_SMALL, colour=theme.UNSURE, align="center", padding=(theme.PAD, theme.GAP / 2)
        )

    def show(self, view: WindowView, *, has_message: bool) -> None:
        """has_message: whether the message has no room in the bar."""
        wanted: list[Widget] = []
        if view.window.warning:
            self.warning.text = view.words.say(view.window.warning)
            wanted.append(self.warning)
        if has_message:
            self._message.fill(self.width)
            wanted.append(self._message)
        if self.children[::-1] != wanted:
            self.clear_widgets()
            for child in wanted:
                adopt(self, child)


class ProgressLane(Widget):
    """A bar that runs from left to right for as long as something is under way."""

    def __init__(self) -> None:
        super().__init__(size_hint_y=None, height=LANE_HEIGHT)
        self._at = 0.0
        self._tick = Clock.schedule_interval(self._move, 0)
        self._tick.cancel()
        with self.canvas:
            self._lane_colour = Color(*theme.CLEAR)
            self._lane = SmoothRoundedRectangle(radius=[0])
            self._runner_colour = Color(*theme.CLEAR)
            self._runner = SmoothRoundedRectangle(radius=[LANE_HEIGHT / 2])
        self.bind(pos=self._place, size=self._place)

    def run(self, running: bool) -> None:
        self._lane_colour.rgba = theme.PANEL if running else theme.CLEAR
        self._runner_colour.rgba = theme.GOLD if running else theme.CLEAR
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


def _button(width: float, press: Press) -> Press:
    press.size_hint_x, press.width, press.pos_hint = None, width, {"center_y": 0.5}
    return press
