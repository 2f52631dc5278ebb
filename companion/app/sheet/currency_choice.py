"""The currency in which a game is settled: symbol, value of a point, smallest coin."""

from __future__ import annotations

from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget
from msgspec.structs import replace

from companion.app.feature import Controller
from companion.app.sheet.state import SheetState
from companion.app.widgets import theme
from companion.app.widgets.basics import Column, Press, Tag, Text, adopt
from companion.app.widgets.currency_rows import CurrencyRows
from companion.money import Currency, describe_currency, find_problem, with_point
from companion.words import Words

LABEL_WIDTH = dp(150)
BESIDE_FROM = dp(700)
"""In a narrower window what is asked is above its values."""


class CurrencyChoice(BoxLayout):
    """The common symbols and values to touch, any others to type."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._controller = controller
        self._currency = Currency("", "", "")
        self.rows = CurrencyRows(self._choose_symbol, self._choose_point, self._choose_coin)
        self.said = Text(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.cancel = Press(" ", act=lambda: controller.do(lambda state: state.draft_currency(None)))
        self.none = Press(" ", act=partial(self._agree, None))
        self.agree = Press(" ", act=self._agree_chosen, main=True)
        self._built: object = None

    def show(self, currency: Currency, agreed: Currency | None, words: Words, width: float) -> None:
        """currency: the one that is being chosen. agreed: the one of the game. width: of the window, px."""
        self._currency = currency
        self._build(words, has_labels_beside=width >= BESIDE_FROM, may_leave=agreed is not None)
        self.rows.show(currency, words)
        problem = find_problem(currency)
        self.said.text = words.say(problem or describe_currency(currency))
        self.said.color = theme.UNSURE if problem else theme.GOLD
        self.agree.text = words("Settle in {currency}", currency=currency.symbol)
        self.agree.disabled = problem is not None

    def _build(self, words: Words, *, has_labels_beside: bool, may_leave: bool) -> None:
        built = words, has_labels_beside, may_leave
        if built == self._built:
            return
        self._built = built
        self.clear_widgets()
        column = Column()
        for said, row in (
            (words("Currency"), self.rows.symbol), (words("Value of one point"), self.rows.point),
            (words("Smallest coin"), self.rows.coin),
        ):  # fmt: skip
            if has_labels_beside:
                label = Tag(said, colour=theme.IVORY_DIM, size_hint_x=None, width=LABEL_WIDTH)
                column.inside.add_widget(make_row(label, row))
            else:
                column.inside.add_widget(Text(said, colour=theme.IVORY_DIM))
                adopt(column.inside, row)
        adopt(column.inside, self.said)
        self.cancel.text, self.none.text = words("Cancel"), words("Points only")
        leaving = (self.cancel, self.none) if may_leave else ()
        self.add_widget(column)
        self.add_widget(make_row(*leaving, self.agree))

    def _choose_symbol(self, symbol: str) -> None:
        self._draft(replace(self._currency, symbol=symbol))

    def _choose_point(self, point: str) -> None:
        self._draft(with_point(self._currency, point))

    def _choose_coin(self, coin: str) -> None:
        self._draft(replace(self._currency, coin=coin))

    def _draft(self, currency: Currency) -> None:
        self._controller.do(lambda state: state.draft_currency(currency))

    def _agree_chosen(self) -> None:
        self._agree(self._currency)

    def _agree(self, currency: Currency | None) -> None:
        self._controller.do(lambda state: state.agree_currency(currency))


def make_row(*children: Widget) -> BoxLayout:
    """Side by side, wherever they were before."""
    row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
    for child in children:
        adopt(row, child)
    return row
