"""Rows for a currency: symbol, value of a point, smallest coin."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.widgets import theme
from companion.app.widgets.basics import Choices
from companion.app.widgets.currencies import COINS, POINTS, SYMBOLS
from companion.app.widgets.name_field import NameField
from companion.money import SYMBOL_LENGTH_MAX, Currency
from companion.words import Words

VALUE_LENGTH_MAX = 12
FIELD_WIDTH = dp(110)

Choose = Callable[[str], None]


class CurrencyRows:
    """A row for each part of a currency; a page puts them where it wants them."""

    def __init__(self, symbol: Choose, point: Choose, coin: Choose) -> None:
        self.symbol = ValueRow(SYMBOLS, symbol, SYMBOL_LENGTH_MAX)
        self.point = ValueRow(POINTS, point, VALUE_LENGTH_MAX)
        self.coin = ValueRow(COINS, coin, VALUE_LENGTH_MAX)

    def show(self, currency: Currency | None, words: Words, none: str = "") -> None:
        """currency None: no symbol is chosen. none: the words of a choice for that, whose key is ""; without
        them it is not offered."""
        self.symbol.show(currency.symbol if currency else "", words, none)
        if currency is not None:
            self.point.show(currency.point, words)
            self.coin.show(currency.coin, words)


class ValueRow(BoxLayout):
    """The common values as buttons, and a field for any other. What is typed counts once it is more than
    zeros, with which 0.5 begins."""

    def __init__(self, values: Sequence[str], choose: Choose, letters: int) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        self._values = values
        self.choices = Choices(choose)
        self.choices.bind(height=self.setter("height"))
        self.field = NameField(lambda text: choose(text) if text.strip("0. ") else None, letters)
        self.field.size_hint_x, self.field.width = None, FIELD_WIDTH
        self.field.pos_hint = {"top": 1}
        self.add_widget(self.choices)
        self.add_widget(self.field)

    def show(self, value: str, words: Words, none: str = "") -> None:
        """none: the words of a first choice, "", where there is one."""
        options = [*([("", none)] if none else []), *((words(each), words(each)) for each in self._values)]
        self.choices.offer(options, value)
        self.field.hint_text = words("other")
        typed = "" if any(value == key for key, _ in options) else value
        if self.field.text != typed and not self.field.focus:
            self.field.show(typed)
