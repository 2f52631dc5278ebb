"""A button that opens a list to pick one from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.uix.dropdown import DropDown

from companion.app.widgets import theme
from companion.app.widgets.basics import Press


class Pick(Press):
    """Shows what is picked; touched, it offers the rest."""

    def __init__(self, choose: Callable[[str], None], **kwargs: Any) -> None:
        super().__init__(" ", icon="down", act=self._open, size=theme.TEXT_SMALL, **kwargs)
        self._choose = choose
        self._options: list[tuple[str, str]] = []
        self.list = DropDown(bar_width=0)

    def offer(self, options: Sequence[tuple[str, str]], chosen: str | None) -> None:
        self._options = list(options)
        self.text = dict(options).get(chosen or "", "–")

    def _open(self) -> None:
        self.list.clear_widgets()
        for key, words in self._options:
            self.list.add_widget(Press(words, act=partial(self._pick, key), size=theme.TEXT_SMALL))
        self.list.open(self)

    def _pick(self, key: str) -> None:
        self.list.dismiss()
        self._choose(key)
