"""What the parts of the settings are made of: a card for each setting, in one or two columns."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Text
from companion.app.widgets.card_rows import line_up
from companion.sentences import msgid
from companion.words import Words

ON_OFF = ((False, msgid("Off")), (True, msgid("On")))
TWO_COLUMNS_FROM = dp(900)
GROW_MOST = 1.2
"""How much higher what is touched may become, in heights of a button."""


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

    def grow(self, extra: float) -> None:
        """What is touched is higher by that much, px, and its words larger."""
        for widget in self._widgets:
            if isinstance(widget, Press):
                widget.grow(theme.TOUCH + extra)
            elif isinstance(widget, GridLayout):
                rows = -(-len(widget.children) // max(widget.cols, 1)) or 1
                for each in widget.children:
                    each.grow(theme.TOUCH + extra / rows)

    def say(self, heading: str, note: str = "") -> None:
        self.heading.text, self.note.text = heading, note
        shown = [self.heading, *self._widgets, *([self.note] if note else []), self._space]
        if shown != self._placed:
            self._placed = shown
            self.clear_widgets()
            for child in shown:
                self.add_widget(child)


class CardGrid(Column):
    """Cards in two columns where there is room, and what is touched in them larger where there is more."""

    def __init__(self) -> None:
        super().__init__()
        self._laid: object = None
        self._cards: Sequence[SettingCard] = ()
        self._rows = 0
        self._grown = 0.0
        use_room = Clock.create_trigger(self._use_room, -1)
        self.bind(height=use_room)
        self.inside.bind(minimum_height=use_room)

    def lay(self, cards: Sequence[SettingCard], width: float) -> None:
        """width: of the window, px."""
        a_row = 2 if width >= TWO_COLUMNS_FROM else 1
        if (tuple(cards), a_row) != self._laid:
            self._laid, self._cards = (tuple(cards), a_row), cards
            self.inside.clear_widgets()
            rows = line_up(cards, a_row)
            for row in rows:
                self.inside.add_widget(row)
            self._rows = len(rows)
            for card in cards:
                card.grow(self._grown)

    def _use_room(self, _: float) -> None:
        """Share out what the rows leave free."""
        if not self._rows or self.get_parent_window() is None:
            return
        least = self.inside.minimum_height - self._rows * self._grown
        extra = min(max((self.height - least) / self._rows, 0.0), GROW_MOST * theme.TOUCH)
        if abs(extra - self._grown) > theme.HAIRLINE:
            self._grown = extra
            for card in self._cards:
                card.grow(extra)


def say_pairs(pairs: Sequence[tuple[object, str]], words: Words) -> list[tuple[str, str]]:
    """Keys and words as `Choices` offers them."""
    return [(str(key), words(name)) for key, name in pairs]
