"""What the parts of the settings are made of: a card for each setting, in one or two columns."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Text
from companion.app.widgets.card_rows import line_up
from companion.sentences import msgid
from companion.words import Words

ON_OFF = ((False, msgid("Off")), (True, msgid("On")))
TWO_COLUMNS_FROM = dp(900)


class SettingCard(Card):
    """A heading, what may be chosen, and what there is to be said about it."""

    def __init__(self, *widgets: Widget) -> None:
        super().__init__(spacing=theme.GAP / 2)
        self.heading = Text(size=theme.TEXT)
        self.note = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self._widgets = widgets
        self._space = Widget()
        """Below what is in it, where another card of the row is higher."""
        self._placed: object = None

    def say(self, heading: str, note: str = "") -> None:
        self.heading.text, self.note.text = heading, note
        shown = [self.heading, *self._widgets, *([self.note] if note else []), self._space]
        if shown != self._placed:
            self._placed = shown
            self.clear_widgets()
            for child in shown:
                self.add_widget(child)


class CardGrid(Column):
    """Cards in two columns where there is room."""

    def __init__(self) -> None:
        super().__init__()
        self._laid: object = None

    def lay(self, cards: Sequence[Card], width: float) -> None:
        """width: of the window, px."""
        a_row = 2 if width >= TWO_COLUMNS_FROM else 1
        if (tuple(cards), a_row) != self._laid:
            self._laid = tuple(cards), a_row
            self.inside.clear_widgets()
            for row in line_up(cards, a_row):
                self.inside.add_widget(row)


def say_pairs(pairs: Sequence[tuple[object, str]], words: Words) -> list[tuple[str, str]]:
    """Keys and words as `Choices` offers them."""
    return [(str(key), words(name)) for key, name in pairs]
