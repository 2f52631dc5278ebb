"""The stakes of the new game, in the words of a table, and what wins cost at them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.home import wording
from companion.app.home.agreed import (
    PAIRS,
    UNITS,
    list_caps,
    list_wins,
)
from companion.app.home.state import Home
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.app.widgets.currency_rows import CurrencyRows, ValueRow
from companion.app.widgets.game_words import counts_points, has_base
from companion.app.widgets.numbers import NumberField
from companion.sheets.wording import say_amount

NAME_WIDTH = dp(150)
"""Of what is agreed, beside its choices."""


class StakesPage(Card):
    """A row for each thing that is agreed."""

    def __init__(self, controller: Controller[Home]) -> None:
        super().__init__()
        do = controller.do
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.done = Press(
            " ", main=True, act=lambda: do(Home.step_back), size_hint_x=None, width=theme.TOUCH * 2
        )
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.done)
        self.pair = Choices(lambda key: do(lambda state: _with_pair(state, key)))
        self.base = NumberField(lambda number: do(lambda state: _with_base(state, number)))
        self.tai = NumberField(lambda number: do(lambda state: _with_unit(state, number)))
        self.unit = Choices(lambda key: do(lambda state: _with_unit(state, int(key))))
        self.own_unit = NumberField(lambda number: do(lambda state: _with_unit(state, number)))
        self.currency = CurrencyRows(
            lambda symbol: do(lambda state: state.with_symbol(symbol)),
            lambda point: do(lambda state: state.with_point(point)),
            lambda coin: do(lambda state: state.with_coin(coin)),
        )
        self.cap = Choices(lambda key: do(lambda state: state.with_cap(int(key) if key else None)))
        self._pair = Row(ChoiceLine(self.pair, self.base, self.tai), beside=False)
        self._unit = Row(ChoiceLine(self.unit, self.own_unit))
        self._symbol = Row(self.currency.symbol)
        self._point = Row(self.currency.point)
        self._coin = Row(self.currency.coin)
        self._cap = Row(ChoiceLine(self.cap))
        self._column = Column(spacing=theme.GAP / 2)
        self.costs = Text(colour=theme.GOLD)
        for child in (head, self._column, self.costs):
            self.add_widget(child)

    def show(self, view: View[Home]) -> None:
        words, state = view.words, view.state
        house, agreed = state.house, state.agreed
        rules, currency, stakes = house.rules, agreed.currency, agreed.stakes
        self.title.text, self.done.text = words("Stakes"), words("Done")
        rows = [self._symbol, self._cap]
        if currency is not None:
            states_point = not has_base(rules) or currency.point != "1"
            rows[1:1] = [self._point, self._coin] if states_point else [self._coin]
        elif counts_points(rules):
            rows[1:1] = [self._unit]
        if has_base(rules):
            rows.insert(0, self._pair)
        elif not counts_points(rules):
            rows.insert(0, self._unit)
        self._fill(rows)
        wide = view.size[0] > view.size[1]
        for row in rows:
            row.lay(wide=wide)
        self._pair.name(words("底 for every win, and 台 for each tai"))
        self._offer(self.pair, [f"{base}/{unit}" for base, unit in PAIRS], f"{stakes.base}/{stakes.unit}")
        self.base.show(stakes.base, words, title=words("底, for every win"), none="")
        self.tai.show(stakes.unit, words, title=words("台, for each tai"), none="")
        self.base.text, self.tai.text = f"底 {stakes.base:,}", f"台 {stakes.unit:,}"
        of_point, of_unit = words("Value of one point"), wording.name_unit(rules, words)
        self._unit.name(of_point if counts_points(rules) else words("Value of one {unit}", unit=of_unit))
        self._offer(self.unit, list(map(str, UNITS)), str(stakes.unit))
        self.own_unit.show(None, words, title=self._unit.label.text, none=words("Other …"))
        self._symbol.name(words("Currency"))
        self._point.name(of_point)
        self._coin.name(words("Smallest coin"))
        self.currency.show(currency, words, none=words("Points only"))
        self._cap.name(words("The most that one player pays for a win"))
        caps = [(str(cap), say_amount(cap, currency, words)) for cap in list_caps(house, agreed)]
        self.cap.offer([("", words("no limit")), *caps], str(agreed.cap or ""))
        wins = list_wins(house, agreed)
        self.costs.text = "\n".join(wording.say_win(win, currency, words) for win in wins)

    def _offer(self, choices: Choices, offered: Sequence[str], chosen: str) -> None:
        """These and what is chosen, smaller numbers first."""
        known = sorted({*offered, chosen}, key=lambda each: [Decimal(part) for part in each.split("/")])
        choices.offer([(each, each.replace("/", " / ")) for each in known], chosen)

    def _fill(self, rows: list[Row]) -> None:
        inside = self._column.inside
        if inside.children[::-1] != rows:
            inside.clear_widgets()
            for row in rows:
                inside.add_widget(row)


class Row(BoxLayout):
    """What is agreed, with its choices. In a wide window its name is beside them, unless several fields need
    the room."""

    def __init__(self, line: ChoiceLine | ValueRow, *, beside: bool = True) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.GAP / 2)
        self.bind(minimum_height=self.setter("height"))
        self.label = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, pos_hint={"center_y": 0.5})
        self._beside = beside
        self.add_widget(self.label)
        self.add_widget(line)
        self._choices = line.choices

    def name(self, text: str) -> None:
        self.label.text = text

    def lay(self, *, wide: bool) -> None:
        """Fewer choices beside each other where the window is narrow."""
        self._choices.limit_row(9 if wide else 4)
        is_beside = wide and self._beside
        self.orientation = "horizontal" if is_beside else "vertical"
        self.label.size_hint_x, self.label.width = (None, NAME_WIDTH) if is_beside else (1, self.width)


class ChoiceLine(BoxLayout):
    """Choices and, where any number will do, a field for it."""

    def __init__(self, choices: Choices, *own: NumberField) -> None:
        super().__init__(size_hint_y=None, height=choices.height, spacing=theme.GAP)
        choices.bind(height=self.setter("height"))
        self.choices = choices
        self.add_widget(choices)
        for field in own:
            field.size_hint_x, field.width = None, theme.TOUCH * 1.6
            field.pos_hint = {"top": 1}
            self.add_widget(field)


def _with_pair(state: Home, key: str) -> Home:
    base, unit = map(int, key.split("/"))
    return state.with_stakes(base, unit)


def _with_base(state: Home, number: int | None) -> Home:
    return state if number is None else state.with_stakes(number, state.agreed.stakes.unit)


def _with_unit(state: Home, number: int | None) -> Home:
    return state if number is None else state.with_stakes(state.agreed.stakes.base, number)
