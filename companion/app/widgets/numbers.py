"""Numbers to be set with a finger: step by step, or on a keypad."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.modalview import ModalView

from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Press, Tag
from companion.words import Words

DIGITS_MAX = 7
KEYPAD_WIDTH = dp(320)
KEY_HEIGHT = dp(56)


class Stepper(BoxLayout):
    """A number with a button to either side."""

    def __init__(self, step: Callable[[int], None], **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2, **kwargs)
        self.less = Press(icon="minus", act=lambda: step(-1), size_hint_x=None, width=theme.TOUCH)
        self.more = Press(icon="plus", act=lambda: step(1), size_hint_x=None, width=theme.TOUCH)
        self.number = Tag(align="center", size=theme.TEXT_LARGE)
        for child in (self.less, self.number, self.more):
            self.add_widget(child)

    def show(self, number: object) -> None:
        self.number.text = str(number)


class NumberField(Press):
    """A number, or a word for there being none; touched, it opens a keypad."""

    def __init__(self, choose: Callable[[int | None], None], **kwargs: Any) -> None:
        super().__init__(" ", act=self._open, size=theme.TEXT, **kwargs)
        self._choose = choose
        self._title = self._none = ""
        self._language: Words | None = None
        self.keypad: Keypad | None = None

    def show(self, number: int | None, words: Words, *, title: str, none: str) -> None:
        """`none` is the word for no number; where it is empty, there always is one."""
        self._language, self._title, self._none = words, title, none
        self.text = none if number is None else f"{number:,}"

    def _open(self) -> None:
        if self._language:
            self.keypad = Keypad(self._title, self._none, self._language, self._choose)
            self.keypad.open()


class Keypad(ModalView):
    """Ten digits, over everything else; a touch beside it leaves the number as it is."""

    def __init__(self, title: str, none: str, words: Words, choose: Callable[[int | None], None]) -> None:
        super().__init__(
            size_hint=(None, None), size=(KEYPAD_WIDTH, dp(400)), background="", background_color=theme.CLEAR
        )
        self._choose = choose
        self._typed = ""
        self.shown = Tag("–", size=theme.TEXT_HUGE, colour=theme.GOLD, align="center")
        card = Card(colour=theme.PANEL_RAISED)
        heading = Tag(title, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, align="center")
        heading.size_hint_y, heading.height = None, dp(24)
        card.add_widget(heading)
        card.add_widget(self.shown)
        grid = GridLayout(
            cols=3,
            size_hint_y=None,
            height=4 * KEY_HEIGHT + 3 * theme.GAP,
            spacing=theme.GAP,
            row_force_default=True,
            row_default_height=KEY_HEIGHT,
        )
        self.keys: dict[str, Press] = {}
        for key in "123456789":
            self._add(grid, key, lambda key=key: self._type(key))  # type: ignore[misc]
        self._add(grid, none or words("Clear"), lambda: self._done(None) if none else self._clear())
        self._add(grid, "0", lambda: self._type("0"))
        self._add(grid, words("Done"), self._take, main=True)
        card.add_widget(grid)
        self.add_widget(card)

    def _add(self, grid: GridLayout, key: str, act: Callable[[], None], *, main: bool = False) -> None:
        size = theme.TEXT_LARGE if len(key) == 1 else theme.TEXT_SMALL
        self.keys[key] = Press(key, act=act, main=main, size=size)
        self.keys[key].height = KEY_HEIGHT
        grid.add_widget(self.keys[key])

    def _type(self, digit: str) -> None:
        self._typed = (self._typed + digit)[:DIGITS_MAX].lstrip("0") or "0"
        self.shown.text = f"{int(self._typed):,}"

    def _clear(self) -> None:
        self._typed, self.shown.text = "", "–"

    def _take(self) -> None:
        if self._typed:
            self._done(int(self._typed))
        else:
            self.dismiss()

    def _done(self, number: int | None) -> None:
        self.dismiss()
        self._choose(number)
