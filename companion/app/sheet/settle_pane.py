"""Settling up: who pays whom, and what everybody has won in points and in money."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.sheet.currency_choice import CurrencyChoice, make_row
from companion.app.sheet.state import SheetState
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text
from companion.app.widgets.name_tag import NameTag, measure_name
from companion.money import describe_currency, format_money
from companion.sheets.hands import Sheet
from companion.sheets.wording import name_seated, say_points, write_settlement
from companion.table.settling import Settlement, settle_up
from companion.words import Words

WIDE_FROM = dp(900)
SIDE_PART = 0.42
"""Of a wide window, for what everybody has won."""
AMOUNT_WIDTH = dp(210)
HUGE_LINES_MOST, LINE_HEIGHT = 2.9, 1.45
"""Who pays whom is in the largest letters if it fits in this number of lines; the height of a line."""
USUAL_HEIGHT, GROWS_MOST = dp(600), 1.5
"""Of a wide window. In a higher one the transfers are larger."""
NAME_PART, POINTS_PART, MONEY_PART = 1.5, 0.7, 1.0
"""Of what everybody has won, side by side."""


class SettlePane(BoxLayout):
    """The settled game; while a currency is chosen, or where none is agreed, that choice."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        do = controller.do
        self._controller = controller
        self.choice = CurrencyChoice(controller)
        self.about = NameTag("", colour=theme.IVORY_DIM)
        self.change = Press(" ", act=lambda: do(SheetState.change_currency), size_hint_x=None, width=dp(150))
        self.copy = Press(" ", act=self._copy, main=True, size_hint_x=None, width=dp(150))
        self.transfers: list[TransferCard] = []
        self._text = ""
        self._shown: object = None

    def show(self, view: View[SheetState]) -> None:
        state, words, sheet = view.state, view.words, view.state.sheet
        if sheet is None:
            return
        if state.asked is not None:
            self._shown = None
            self.choice.show(state.asked, sheet.state.currency, words, view.size[0])
            if self.children != [self.choice]:
                self.clear_widgets()
                self.add_widget(self.choice)
            return
        shown = sheet, state.shown_name, words, view.size
        if shown != self._shown:
            self._shown = shown
            self._fill(sheet, state.shown_name or "", words, view.size)

    def _fill(self, sheet: Sheet, name: str, words: Words, size: tuple[float, float]) -> None:
        """size: of the window, px."""
        settlement = settle_up(sheet.state)
        assert settlement is not None
        names, (width, height), wide = name_seated(sheet, words), size, size[0] >= WIDE_FROM
        grows = min(max(height / USUAL_HEIGHT, 1.0), GROWS_MOST) if wide else 1.0
        self._text = write_settlement(sheet, settlement, name, words)
        paying, winning = Column(), Column()
        if not sheet.state.over:
            going_on = words("The game is not over: this is how it stands.")
            paying.inside.add_widget(Text(going_on, colour=theme.IVORY_DIM))
        room = width * (1 - SIDE_PART if wide else 1) - AMOUNT_WIDTH * grows - 6 * theme.PAD
        self._fill_transfers(paying.inside, settlement, names, words, room, grows)
        side, side_width = (winning, width * SIDE_PART) if wide else (paying, width)
        for person in sorted(sheet.people, key=lambda person: -settlement.points[person]):
            side.inside.add_widget(_make_person(person, settlement, names, side_width - 4 * theme.PAD))
        self.about.text = words.say(describe_currency(settlement.currency))
        self.change.text, self.copy.text = words("Change …"), words("Copy")
        self.clear_widgets()
        panes = BoxLayout(spacing=theme.GAP)
        panes.add_widget(paying)
        if wide:
            winning.size_hint_x = SIDE_PART / (1 - SIDE_PART)
            panes.add_widget(winning)
        self.add_widget(panes)
        self.add_widget(make_row(self.about, self.change, self.copy))

    def _fill_transfers(
        self, column: BoxLayout, settlement: Settlement, names: Sequence[str], words: Words, room: float,
        grows: float,
    ) -> None:  # fmt: skip
        """room: for who pays whom, px. grows: how many times their usual size the letters have."""
        self.transfers = []
        if not settlement.transfers:
            column.add_widget(Text(words("Nobody owes anything."), size=theme.TEXT_HUGE, colour=theme.GOLD))
        for each in settlement.transfers:
            said = words("{payer} pays {taker}", payer=names[each.payer], taker=names[each.taker])
            card = TransferCard(said, format_money(each.amount, settlement.currency), room, grows)
            self.transfers.append(card)
            column.add_widget(card)

    def _copy(self) -> None:
        text = self._text
        self._controller.do(lambda state: state.copy_text(text))


class TransferCard(Card):
    """Who pays whom how much, as high as it needs to be."""

    def __init__(self, said: str, amount: str, room: float, grows: float) -> None:
        """room: for who pays whom, px. grows: how many times their usual size the letters have."""
        super().__init__(orientation="horizontal", size_hint_y=None, colour=theme.PANEL_RAISED)
        huge = theme.TEXT_HUGE * grows
        is_short = measure_name(said, huge, room) <= HUGE_LINES_MOST * huge
        self.said = Text(said, size=huge if is_short else theme.TEXT_LARGE * grows)
        self.said.pos_hint = {"center_y": 0.5}
        self.amount = Tag(
            amount, size=huge, colour=theme.GOLD, align="right", bold=True,
            size_hint_x=None, width=AMOUNT_WIDTH * grows, least=theme.TEXT_SMALL,
        )  # fmt: skip
        self.add_widget(self.said)
        self.add_widget(self.amount)
        self._least = huge * LINE_HEIGHT
        self.said.bind(height=self._fit)
        self._fit()

    def _fit(self, *_: object) -> None:
        self.height = max(self.said.height, self._least) + 2 * theme.PAD


def _make_person(person: int, settlement: Settlement, names: Sequence[str], width: float) -> Card:
    """What a person has won, in points and in money; as high as the name needs it within that width, px."""
    card = Card(
        orientation="horizontal", size_hint_y=None, height=theme.TOUCH, padding=(theme.PAD, 0),
        colour=theme.PANEL_RAISED,
    )  # fmt: skip
    name_width = width * NAME_PART / (NAME_PART + POINTS_PART + MONEY_PART) - theme.GAP
    card.height = max(theme.TOUCH, measure_name(names[person], theme.TEXT_LARGE, name_width) + theme.GAP)
    points, money = settlement.points[person], settlement.amounts[person]
    colour = theme.GAIN if points > 0 else theme.LOSS if points < 0 else theme.IVORY_DIM
    card.add_widget(NameTag(names[person], size=theme.TEXT_LARGE, size_hint_x=NAME_PART))
    said_money = format_money(money, settlement.currency)
    for said, part in ((say_points(points), POINTS_PART), (said_money, MONEY_PART)):
        card.add_widget(
            Tag(
                said, size=theme.TEXT_LARGE, least=theme.TEXT_TINY, colour=colour, align="right",
                size_hint_x=part,
            )
        )  # fmt: skip
    return card
