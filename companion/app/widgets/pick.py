"""A button that opens a list to pick one from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.graphics import Color, SmoothLine, SmoothRoundedRectangle
from kivy.uix.dropdown import DropDown

from companion.app.widgets import theme
from companion.app.widgets.basics import Press
from companion.app.widgets.scrolling import TouchScroll


class TouchList(TouchScroll, DropDown):
    """A panel with a list that answers a touch at once, and is gone with it: one that stayed would take the
    next touch."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_state_time=0, bar_width=0, **kwargs)
        self.container.spacing = self.container.padding = theme.GAP / 2
        with self.container.canvas.before:
            Color(*theme.BAR)
            self.plate = SmoothRoundedRectangle(radius=[theme.RADIUS])
        with self.container.canvas.after:
            Color(*theme.GOLD)
            self._edge = SmoothLine(width=theme.HAIRLINE)
        self.container.bind(pos=self._place, size=self._place)

    def _place(self, container: Any, _: object) -> None:
        self.plate.pos, self.plate.size = container.pos, container.size
        self._edge.rounded_rectangle = (*container.pos, *container.size, theme.RADIUS)


class Pick(Press):
    """Shows what is picked; touched, it offers all there is, with what is picked marked."""

    def __init__(self, choose: Callable[[str], None], **kwargs: Any) -> None:
        super().__init__(" ", icon="down", act=self._open, size=theme.TEXT_SMALL, **kwargs)
        self._choose = choose
        self._options: list[tuple[str, str]] = []
        self._chosen_key: str | None = None
        self.list = TouchList()

    def offer(self, options: Sequence[tuple[str, str]], chosen: str | None) -> None:
        self._options, self._chosen_key = list(options), chosen
        self.text = dict(options).get(chosen or "", "–")
        self.disabled = not options

    def _open(self) -> None:
        self.list.clear_widgets()
        for key, words in self._options:
            press = Press(words, act=partial(self._pick, key), size=theme.TEXT_SMALL)
            press.chosen = key == self._chosen_key
            self.list.add_widget(press)
        self.list.open(self)

    def _pick(self, key: str) -> None:
        self.list.dismiss()
        self._choose(key)
