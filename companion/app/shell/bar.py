"""The bar on top: title or message, the parts of a page in a small window, the buttons of the page in front,
then those that are on every page and never move, and the menu. What has no room moves into the menu, the last
of the page's buttons first; a message without room even then gets a strip below the bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.core.window import Window
from kivy.graphics import Color, Rectangle, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import BarButton, Tabs
from companion.app.shell.window_controller import WindowController
from companion.app.shell.window_state import WindowView
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import (
    Arrangement,
    Card,
    Choices,
    Press,
    Tag,
    Text,
    adopt,
    choose_arrangement,
)
from companion.app.widgets.fields import TouchList
from companion.sentences import Sentence
from companion.words import Language, Words

LANE_HEIGHT = dp(4)
ANSWER_WIDTH = dp(150)
SLIDE_S = 0.9
LEAST_SHARE = 0.9
"""Minimum size of the bar's text, as a share of the small text size."""
LEAST_WIDTH = dp(180)
"""Minimum width of text in the bar; narrower text is hard to read."""


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
        """Show the messages; returns whether there are any."""
        banner = view.window.shown_banner
        if banner is None:
            return False
        words = view.words.of(banner.people)
        self.words.text = words.say(banner.sentence)
        self.paint(theme.TROUBLE if banner.trouble else theme.NOTE)
        self._offer(banner.answer, words)
        return True

    def choose_size(self, width: float) -> float | None:
        """The size of the letters with which it fits into the bar, that wide; None if it does not."""
        room = width - self._measure_rest()
        sizes: tuple[float, ...] = (theme.TEXT, theme.TEXT_SMALL, theme.TEXT_SMALL * LEAST_SHARE)
        for size in sizes:
            if room >= LEAST_WIDTH and self._measure(room, size) <= theme.TOUCH + theme.GAP / 2:
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
        """The button for this answer."""
        if answer:
            self.answer.text = words.say(answer)
        if (answer is not None) != (self.answer.parent is not None):
            if answer is None:
                self.remove_widget(self.answer)
            else:
                self.add_widget(self.answer, index=1)


class Strip(BoxLayout):
    """Below the bar: the permanent warning, and a message that has no room in the bar. As high as its text;
    without text, it has no height."""

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


LANGUAGE_NAMES = ((Language.ENGLISH, "EN"), (Language.SIMPLIFIED, "简"), (Language.TRADITIONAL, "繁"))
LIST_WIDTH, COLUMN_WIDTH = dp(280), dp(220)
"""Width of the menu, and of each of its two columns in a window too low for one."""


class Menu(Press):
    """Opens a list of buttons."""

    def __init__(self, speak: Callable[[Language], None]) -> None:
        super().__init__(icon="menu", act=self._open, size_hint_x=None, width=theme.TOUCH * 1.2)
        self.language = Choices(lambda key: self._speak(Language(key)), size=theme.TEXT)
        self._tell = speak
        self._buttons: Sequence[Press] = ()
        self.list = TouchList(auto_width=False, width=LIST_WIDTH)

    def show(self, words: Words) -> None:
        """Mark the language that is spoken."""
        offer_languages(self.language, words)

    def offer(self, buttons: Sequence[Press]) -> None:
        """Hold these buttons below the languages."""
        self._buttons = buttons
        self.list.dismiss()

    def _open(self) -> None:
        high = (len(self._buttons) + 1) * (theme.TOUCH + theme.GAP / 2) + theme.GAP / 2
        fits = high <= Window.height - theme.BAR_HEIGHT
        rows = layout.grid(1 if fits else 2, size_hint_y=None, spacing=theme.GAP / 2)
        rows.bind(minimum_height=rows.setter("height"))
        for button in self._buttons:
            adopt(rows, button)
        self.list.width = LIST_WIDTH if fits else 2 * COLUMN_WIDTH
        self.list.clear_widgets()
        for widget in (self.language, rows):
            adopt(self.list, widget)
        self.list.open(self)

    def _speak(self, language: Language) -> None:
        self.list.dismiss()
        self._tell(language)


def offer_languages(choices: Choices, words: Words) -> None:
    """Offer each of the languages, the one that is spoken marked."""
    choices.offer([(language.value, name) for language, name in LANGUAGE_NAMES], words.language.value)


TITLE_WIDTH = dp(190)
"""The least room for the title; with less, it is left out."""
TABS_WIDTH = dp(330)
"""The least room for the parts of the page next to the buttons; with less, they have a row of their own."""
UNDO = "undo"

Offer = tuple[str, BarButton]
"""A button with its feature's name, "" for that of the feature at work."""


class Bar(BoxLayout):
    """Buttons by their names in `buttons`, those of the menu too."""

    def __init__(self, controller: WindowController, message: MessageCard) -> None:
        """message: shown here if has_message."""
        super().__init__(orientation="vertical", size_hint_y=None, height=theme.BAR_HEIGHT)
        with self.canvas.before:
            Color(*theme.BAR)
            self._plate = Rectangle()
        self._controller = controller
        self._form: object = None
        self._shown: WindowView | None = None
        self._row, self._below = _make_row(), _make_row()
        self.has_message = False
        self._message = message
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.doing = Tag(colour=theme.IVORY_DIM)
        self._holder = AnchorLayout(padding=(theme.GAP / 2, 0))
        self._lane = ProgressLane()
        self.canvas.add(self._lane.canvas)
        self.panes = Choices(self._choose_tab, size=theme.TEXT_SMALL)
        self.menu = Menu(controller.set_language)
        self.language = self.menu.language
        self.buttons: dict[str, Press] = {}
        self.bind(pos=self._place, size=self._place, width=self._fit)

    @property
    def offered(self) -> list[Press]:
        """All there is to be touched, in the bar or in the menu."""
        return [*self.buttons.values(), *self.language.buttons]

    def show(self, view: WindowView, size: tuple[float, float]) -> None:
        """size: of the window, in px."""
        self._shown = view
        words = view.words
        tabs = view.front.tabs if choose_arrangement(size) is Arrangement.SMALL else None
        fixed, own, more = self._part(view)
        room = self.width - 2 * theme.GAP - self.menu.width
        fitting = _count_fitting([_width_of(one, words) for _, one in (*fixed, *own)], room)
        left = max(0, fitting - len(fixed))
        more = [*fixed[fitting:], *own[left:], *more]
        fixed, own = fixed[:fitting], own[:left]
        used = _sum_widths([*fixed, *own], words)
        below = tabs is not None and room - used < TABS_WIDTH
        beside = room - used if tabs is not None and not below else 0.0
        offered = [*own, *fixed]
        staying = self._fit_message(fixed, own, room - beside, words) if self._message.show(view) else None
        self.has_message = staying is not None
        if staying is not None:
            more = [*(each for each in offered if each not in staying), *more]
            offered = staying
        titled = self.has_message or (tabs is None and room - used >= TITLE_WIDTH)
        form = (
            words.language, tabs is not None, below, titled, beside if self.has_message else None,
            tuple(one.name for _, one in offered), tuple(one.name for _, one in more),
        )  # fmt: skip
        if form != self._form:
            self._form = form
            self._build(offered, more, words, titled=titled, tabs=tabs, below=below)
            self.panes.size_hint_x = None if self.has_message and beside else 1
            self.panes.width = beside
        self._say(view, words)
        for name, one in (*offered, *more):
            press = self.buttons[one.name]
            press.text = words.say(one.text)
            press.chosen = one.chosen or (one.in_front and name == view.window.front)
            press.disabled = one.disabled
        self.menu.show(words)
        if tabs:
            self.panes.offer([(key, words.say(name)) for key, name in tabs.offers], tabs.chosen)

    def _fit_message(
        self, fixed: list[Offer], own: list[Offer], room: float, words: Words
    ) -> list[Offer] | None:
        """The buttons that stay next to the message, in their places: of those of the page the first, of the
        others the last. None if it has no room in the bar."""
        ways = [[*own[:count], *fixed] for count in range(len(own), -1, -1)]
        ways += [fixed[first:] for first in range(1, len(fixed) + 1)]
        for staying in ways:
            size = self._message.choose_size(room - _sum_widths(staying, words) - theme.GAP * 1.5)
            if size is not None:
                self._message.words.font_size = size
                return staying
        return None

    def _say(self, view: WindowView, words: Words) -> None:
        """The message, the running job, or the title."""
        title = view.front.title or view.states[view.at_work].title
        self.title.text = words.say(title) if title else ""
        self.doing.text = words.say(view.busy) if view.busy else ""
        said = self._message if self.has_message else self.doing if view.busy else self.title
        if self._holder.children != [said]:
            self._holder.clear_widgets()
            if said is self._message:
                self._message.size_hint_y = 1
            adopt(self._holder, said)
        self._lane.run(view.busy is not None)

    def _part(self, view: WindowView) -> tuple[list[Offer], list[Offer], list[Offer]]:
        """What is in the bar on every page, what for the page in front, and what is in the menu."""
        fixed: list[Offer] = []
        own: list[Offer] = []
        menu: list[Offer] = []
        for name, one in self._list_buttons(view):
            away = (one.menu and name != view.window.front) or self.width < dp(one.words_from)
            (fixed if one.fixed else menu if away else own).append((name, one))
        return fixed, own, menu

    def _list_buttons(self, view: WindowView) -> list[Offer]:
        """Those of the first feature, undo without a feature's name, and the others'."""

        def is_offered(name: str, button: BarButton) -> bool:
            """Each page has only the buttons that mean something there."""
            return (
                (button.room is None or button.room is view.front.room)
                and (not button.work or name == view.window.front)
                and (not button.pictures or view.front.wants_pictures)
                and (name != view.window.front or button.opens != view.front.page)
            )

        by_feature = [
            [(name, button) for button in state.bar_buttons if is_offered(name, button)]
            for name, state in view.states.items()
        ]
        undoable = view.states[view.undoing].can_undo
        undo = BarButton(
            UNDO, Sentence("Undo"), "undo", 88, lambda state: state.undo_in_sight(), disabled=not undoable,
            fixed=True,
        )  # fmt: skip
        first, *others = by_feature
        return [*first, ("", undo), *(one for each in others for one in each)]

    def _build(
        self, offered: list[Offer], more: list[Offer], words: Words, *, titled: bool,
        tabs: Tabs | None, below: bool,
    ) -> None:  # fmt: skip
        for place in (self, self._row, self._below):
            place.clear_widgets()
        rows = [self._row, self._below] if below else [self._row]
        self.height = theme.BAR_HEIGHT * len(rows)
        for row in rows:
            self.add_widget(row)
        self.buttons = {
            one.name: self._make_button(name, one, size_hint_x=None, width=_width_of(one, words))
            for name, one in offered
        }
        if titled:
            self._row.add_widget(self._holder)
        if tabs and not below:
            adopt(self._row, self.panes)
            self._row.add_widget(Widget(size_hint_x=None, width=theme.GAP))
        elif tabs:
            adopt(self._below, self.panes)
        if not titled and (below or not tabs):
            self._row.add_widget(Widget())
        for button in self.buttons.values():
            self._row.add_widget(button)
        adopt(self._row, self.menu)
        for name, one in more:
            self.buttons[one.name] = self._make_button(name, one)
        self.menu.offer([self.buttons[one.name] for _, one in more])

    def _make_button(self, name: str, one: BarButton, **place: Any) -> Press:
        return Press(
            " ", icon=one.icon, act=partial(self._take, name, one.step), size=theme.TEXT_SMALL, **place
        )

    def _take(self, name: str, step: Callable[[Any], Any]) -> None:
        """Take the step of a button; without a feature's name in the one whose step undo takes back."""
        self.menu.list.dismiss()
        if self._shown:
            self._controller.do(name or self._shown.undoing, step)

    def _choose_tab(self, key: str) -> None:
        if self._shown and (tabs := self._shown.front.tabs):
            self._controller.do(self._shown.window.front, tabs.choose(key))

    def _fit(self, *_: object) -> None:
        """The bar has its width only after the window was shown in it."""
        if self._shown and self.parent:
            self.show(self._shown, self.parent.size)

    def _place(self, *_: object) -> None:
        self._plate.pos, self._plate.size = self.pos, self.size
        self._lane.pos, self._lane.width = self.pos, self.width


def _width_of(one: BarButton, words: Words) -> float:
    """With its words in full, in px."""
    text = words.say(one.text)
    wide, _ = CoreLabel(text=text, font_size=theme.TEXT_SMALL).get_extents(text)
    return max(float(wide + theme.TOUCH * 0.5 + 3.5 * theme.GAP), float(theme.TOUCH))


def _sum_widths(offered: list[Offer], words: Words) -> float:
    """Of these buttons side by side, in px."""
    return sum((_width_of(one, words) + theme.GAP / 2 for _, one in offered), 0.0)


def _count_fitting(widths: list[float], room: float) -> int:
    """How many, from the first, fit side by side."""
    for count, width in enumerate(widths):
        room -= width + theme.GAP / 2
        if room < 0:
            return count
    return len(widths)


def _make_row() -> BoxLayout:
    return BoxLayout(spacing=theme.GAP / 2, padding=(theme.GAP, (theme.BAR_HEIGHT - theme.TOUCH) / 2))
