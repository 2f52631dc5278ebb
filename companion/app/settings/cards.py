"""What the parts of the settings are made of: a card for each setting, in one or two columns."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Text
from companion.sentences import msgid
from companion.words import Words

ON_OFF = ((False, msgid("Off")), (True, msgid("On")))
TWO_COLUMNS_FROM = dp(900)


class SettingCard(Card):
    """A heading, what may be chosen, and what there is to be said about it."""

    def __init__(self, *widgets: Widget) -> None:
        super().__init__(size_hint_y=None, spacing=theme.GAP / 2)
        self.bind(minimum_height=self.setter("height"))
        self.heading = Text(size=theme.TEXT)
        self.note = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self._widgets = widgets
        self._placed: object = None

    def say(self, heading: str, note: str = "") -> None:
        self.heading.text, self.note.text = heading, note
        shown = [self.heading, *self._widgets, *([self.note] if note else [])]
        if shown != self._placed:
            self._placed = shown
            self.clear_widgets()
            for child in shown:
                self.add_widget(child)


class CardGrid(Column):
    """Cards in two columns where there is room."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = GridLayout(cols=1, size_hint_y=None, spacing=theme.GAP)
        self._grid.bind(minimum_height=self._grid.setter("height"))
        self.inside.add_widget(self._grid)
        self._cards: tuple[Widget, ...] = ()

    def lay(self, cards: Sequence[Widget], width: float) -> None:
        """width: of the window, px."""
        self._grid.cols = 2 if width >= TWO_COLUMNS_FROM else 1
        if tuple(cards) != self._cards:
            self._cards = tuple(cards)
            self._grid.clear_widgets()
            for card in cards:
                self._grid.add_widget(card)


def say_pairs(pairs: Sequence[tuple[object, str]], words: Words) -> list[tuple[str, str]]:
    """Keys and words as `Choices` offers them."""
    return [(str(key), words(name)) for key, name in pairs]
