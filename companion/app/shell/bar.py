"""The bar on top: the features' buttons, undo, language; in a small window, the parts of the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import BarButton
from companion.app.shell.window_controller import WindowController
from companion.app.shell.window_state import WindowView
from companion.app.text import Language
from companion.app.widgets import theme
from companion.app.widgets.arrangement import Arrangement, choose_arrangement
from companion.app.widgets.basics import Choices, Press, Tag, adopt
from companion.sentences import Sentence

LANGUAGE_NAMES = ((Language.ENGLISH, "EN"), (Language.SIMPLIFIED, "简"), (Language.TRADITIONAL, "繁"))
TITLE_FROM = dp(1020)
"""In a narrower window the words of the buttons are of more use than the title."""
ONE_ROW_FROM = dp(860)
"""In a narrower window there is no title, and the tabs have a row of their own."""
WORDS_FROM = dp(880)
"""In a narrower window the words beside the icons have no room."""
UNDO = "undo"


class Bar(BoxLayout):
    """Words beside the icons where there is room for them."""

    def __init__(self, controller: WindowController) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, height=theme.BAR_HEIGHT)
        with self.canvas.before:
            Color(*theme.BAR)
            self._plate = Rectangle()
        self._controller = controller
        self._form: object = None
        self._shown: tuple[WindowView, tuple[float, float]] | None = None
        self._row, self._below = _make_row(), _make_row()
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.panes = Choices(self._choose_tab, size=theme.TEXT_SMALL)
        self.language = Choices(
            lambda key: controller.set_language(Language(key)), size=theme.TEXT_SMALL
        )  # fmt: skip
        self.language.size_hint_x, self.language.width = None, dp(138)
        self.buttons: dict[str, Press] = {}
        self.bind(pos=self._place, size=self._place, width=self._fit)

    def show(self, view: WindowView, size: tuple[float, float]) -> None:
        """size: of the window, in px."""
        self._shown = view, size
        words = view.words
        tabs = view.front.tabs if choose_arrangement(size) is Arrangement.SMALL else None
        roomy = self.width >= WORDS_FROM and tabs is None
        offered = self._list_buttons(view)
        wordy = {one.name: roomy and self.width >= dp(one.words_from) for _, one in offered}
        form = (
            tabs is not None,
            self.width >= ONE_ROW_FROM,
            self.width >= TITLE_FROM,
            roomy,
            tuple(wordy.items()),
        )
        if form != self._form:
            self._form = form
            self._build(offered, wordy, roomy=roomy, tabs=tabs is not None)
        title = view.front.title or view.states[view.at_work].title
        self.title.text = words.say(title) if title else ""
        for name, one in offered:
            press = self.buttons[one.name]
            press.text = words.say(one.text) if wordy[one.name] else ""
            press.chosen = one.chosen or (one.in_front and name == view.window.front)
            press.disabled = one.disabled or (one.work and name not in ("", view.at_work))
        self.language.offer(
            [(language.value, name) for language, name in LANGUAGE_NAMES], words.language.value
        )
        if tabs:
            self.panes.offer([(key, words.say(name)) for key, name in tabs.offers], tabs.chosen)

    def _list_buttons(self, view: WindowView) -> list[tuple[str, BarButton]]:
        """Each with its feature's name: those of the first feature, undo without one, and the others'."""
        by_feature = [[(name, button) for button in state.bar_buttons] for name, state in view.states.items()]
        undoable = view.states[view.at_work].can_undo
        undo = BarButton(
            UNDO, Sentence("Undo"), "undo", 88, lambda state: state.undo_in_sight(), disabled=not undoable
        )
        first, *others = by_feature
        return [*first, ("", undo), *(one for each in others for one in each)]

    def _build(
        self, offered: list[tuple[str, BarButton]], wordy: dict[str, bool], *, roomy: bool, tabs: bool
    ) -> None:
        narrow = self.width < ONE_ROW_FROM
        for place in (self, self._row, self._below):
            place.clear_widgets()
        rows = [self._row, self._below] if narrow and tabs else [self._row]
        self.height = theme.BAR_HEIGHT * len(rows)
        for row in rows:
            self.add_widget(row)
        self.buttons = {
            one.name: Press(
                " " if wordy[one.name] else "",
                icon=one.icon,
                act=partial(self._take, name, one.step),
                size=theme.TEXT_SMALL,
                size_hint_x=1 if narrow else None,
                width=dp(one.width) if wordy[one.name] else theme.TOUCH * (1 if tabs else 1.1),
            )
            for name, one in offered
        }
        if not tabs and not narrow and (not roomy or self.width >= TITLE_FROM):
            holder = AnchorLayout(padding=(theme.GAP / 2, 0))
            adopt(holder, self.title)
            self._row.add_widget(holder)
        for button in self.buttons.values():
            self._row.add_widget(button)
        if tabs and narrow:
            self._below.add_widget(self.panes)
        elif tabs:
            self._row.add_widget(Widget(size_hint_x=None, width=theme.GAP))
            self._row.add_widget(self.panes)
            self._row.add_widget(Widget(size_hint_x=None, width=theme.GAP))
        self._row.add_widget(self.language)

    def _take(self, name: str, step: Callable[[Any], Any]) -> None:
        """Take the step of a button; without a feature's name in the feature that is at work."""
        if self._shown:
            self._controller.do(name or self._shown[0].at_work, step)

    def _choose_tab(self, key: str) -> None:
        if self._shown and (tabs := self._shown[0].front.tabs):
            self._controller.do(self._shown[0].window.front, tabs.choose(key))

    def _fit(self, *_: object) -> None:
        """The bar has its width only after the window was shown in it."""
        if self._shown:
            self.show(*self._shown)

    def _place(self, *_: object) -> None:
        self._plate.pos, self._plate.size = self.pos, self.size


def _make_row() -> BoxLayout:
    return BoxLayout(spacing=theme.GAP / 2, padding=(theme.GAP, (theme.BAR_HEIGHT - theme.TOUCH) / 2))
