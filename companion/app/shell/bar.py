"""The bar on top: what the page in front offers, undo, and a menu for the rest; in a small window, the
parts of the page. In the place of the title it says what is under way, or what the window has to say.

It says everything in words. What has no room moves into the menu, the last one first. On the first page it
also offers the languages: who does not read the one that is spoken would look for them there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import BarButton, Tabs
from companion.app.shell.banner import MessageCard, ProgressLane
from companion.app.shell.menu import Menu, offer_languages
from companion.app.shell.window_controller import WindowController
from companion.app.shell.window_state import WindowView
from companion.app.widgets import theme
from companion.app.widgets.arrangement import Arrangement, choose_arrangement
from companion.app.widgets.basics import Choices, Press, Tag, adopt
from companion.sentences import Sentence
from companion.words import Language, Words

TITLE_WIDTH = dp(190)
"""The least room for the title; with less, it is left out."""
TABS_WIDTH = dp(330)
"""The least room for the parts of the page beside the buttons; with less, they have a row of their own."""
LANGUAGES_WIDTH = theme.TOUCH * 4
UNDO = "undo"

Offer = tuple[str, BarButton]
"""A button with its feature's name, "" for that of the feature at work."""


class Bar(BoxLayout):
    """Buttons by their names in `buttons`, those of the menu too."""

    def __init__(self, controller: WindowController, message: MessageCard) -> None:
        """message: has_message says whether it stands here."""
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
        self.languages = Choices(
            lambda key: controller.set_language(Language(key)), size_hint_x=None, width=LANGUAGES_WIDTH
        )
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
        offered, more = self._part(view)
        room = self.width - 2 * theme.GAP - self.menu.width
        fitting = _count_fitting([_width_of(one, words) for _, one in offered], room)
        offered, more = offered[:fitting], [*offered[fitting:], *more]
        used = _sum_widths(offered, words)
        below = tabs is not None and room - used < TABS_WIDTH
        beside = room - used if tabs is not None and not below else 0.0
        staying = self._fit_message(offered, room - beside, words) if self._message.show(view) else None
        self.has_message = staying is not None
        if staying is not None:
            offered, more = offered[:staying], [*offered[staying:], *more]
        titled = self.has_message or (tabs is None and room - used >= TITLE_WIDTH)
        speaks = (
            titled and not self.has_message and len(view.window.fronts) == 1
            and room - used - TITLE_WIDTH >= LANGUAGES_WIDTH
        )  # fmt: skip
        form = (
            words.language, tabs is not None, below, titled, speaks, beside if self.has_message else None,
            tuple(one.name for _, one in offered), tuple(one.name for _, one in more),
        )  # fmt: skip
        if form != self._form:
            self._form = form
            self._build(offered, more, words, titled=titled, speaks=speaks, tabs=tabs, below=below)
            self.panes.size_hint_x = None if self.has_message and beside else 1
            self.panes.width = beside
        self._say(view, words)
        for name, one in (*offered, *more):
            press = self.buttons[one.name]
            press.text = words.say(one.text)
            press.chosen = one.chosen or (one.in_front and name == view.window.front)
            press.disabled = one.disabled
        self.menu.show(words)
        offer_languages(self.languages, words)
        if tabs:
            self.panes.offer([(key, words.say(name)) for key, name in tabs.offers], tabs.chosen)

    def _fit_message(self, offered: list[Offer], room: float, words: Words) -> int | None:
        """How many buttons stay beside the message; None where it has no room in the bar."""
        for staying in range(len(offered), -1, -1):
            size = self._message.choose_size(room - _sum_widths(offered[:staying], words) - theme.GAP * 1.5)
            if size is not None:
                self._message.words.font_size = size
                return staying
        return None

    def _say(self, view: WindowView, words: Words) -> None:
        """The message, what is under way, or the title."""
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

    def _part(self, view: WindowView) -> tuple[list[Offer], list[Offer]]:
        """What stands in the bar, and what in the menu."""
        bar: list[Offer] = []
        menu: list[Offer] = []
        for name, one in self._list_buttons(view):
            away = (one.menu and name != view.window.front) or self.width < dp(one.words_from)
            (menu if away else bar).append((name, one))
        return bar, menu

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
            UNDO, Sentence("Undo"), "undo", 88, lambda state: state.undo_in_sight(), disabled=not undoable
        )
        first, *others = by_feature
        undoes = [("", undo)] if undoable or view.front.wants_pictures else []
        return [*first, *undoes, *(one for each in others for one in each)]

    def _build(
        self, offered: list[Offer], more: list[Offer], words: Words, *, titled: bool, speaks: bool,
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
        if speaks:
            adopt(self._row, self.languages)
        for button in self.buttons.values():
            self._row.add_widget(button)
        if tabs and not below:
            self._row.add_widget(Widget(size_hint_x=None, width=theme.GAP))
            adopt(self._row, self.panes)
        elif tabs:
            adopt(self._below, self.panes)
        if not titled and (below or not tabs):
            self._row.add_widget(Widget())
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
    """Of these buttons beside one another, in px."""
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
