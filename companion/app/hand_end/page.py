"""One page of big buttons, each with a sentence of what it does; then who, how much, and what it pays."""

from __future__ import annotations

from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.hand_end.state import HandEnd
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text

NAME_WIDTH = dp(260)


class HandEndPage(Card):
    """The list of what can happen now, or the one that is looked at."""

    def __init__(self, controller: Controller[HandEnd]) -> None:
        super().__init__()
        self._controller = controller
        self.title = Tag(size=theme.TEXT_HUGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: controller.do(HandEnd.step_back), size_hint_x=None, width=dp(180))
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.back)
        self._column = Column(spacing=theme.GAP)
        self.offers: dict[str, Press] = {}
        self.seat = Choices(lambda key: controller.do(lambda state: state.say_seat(int(key))))
        self.other = Choices(lambda key: controller.do(lambda state: state.say_other(int(key))))
        self.amount = Tag(size=theme.TEXT_HUGE, align="center")
        self._amounts = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        for step in (-10, -1, 1, 10):
            press = Press(f"{step:+}".replace("-", "−"), act=partial(self._change, step))
            self._amounts.add_widget(press)
            if step == -1:
                self._amounts.add_widget(self.amount)
        self.confirm = Press(
            " ", main=True, size=theme.TEXT_HUGE, height=theme.TOUCH * 1.5,
            act=lambda: controller.do(HandEnd.confirm),
        )  # fmt: skip
        self.add_widget(head)
        self.add_widget(self._column)

    def show(self, view: View[HandEnd]) -> None:
        words, state = view.words, view.state
        inside = self._column.inside
        inside.clear_widgets()
        ending = state.ending
        self.back.text = words("Back") if ending else words("Back to the table")
        self.title.text = words.say(ending.name) if ending else words("How does it go on?")
        if ending is None:
            self.offers = {}
            for each in state.offers:
                self.offers[each.key] = Press(
                    words.say(each.name), size=theme.TEXT_LARGE, size_hint_x=None, width=NAME_WIDTH,
                    height=theme.TOUCH * 1.25, act=partial(self._choose, each.key),
                )  # fmt: skip
                row = BoxLayout(size_hint_y=None, height=theme.TOUCH * 1.25, spacing=theme.PAD)
                row.add_widget(self.offers[each.key])
                text = Text(words.say(each.meaning))
                text.pos_hint = {"center_y": 0.5}
                row.add_widget(text)
                inside.add_widget(row)
            return
        names = [words.say(name) for name in state.names]
        inside.add_widget(Text(words.say(ending.meaning), size=theme.TEXT_LARGE))
        if ending.seats:
            asked = words("Who pays?") if ending.asks_amount else words("Who?")
            inside.add_widget(Text(asked, colour=theme.IVORY_DIM))
            seats = state.list_seats(ending)
            chosen = state.said.seat
            self.seat.offer(
                [(str(seat), names[seat]) for seat in seats], None if chosen is None else str(chosen)
            )
            inside.add_widget(self.seat)
        if ending.seats > 1 and state.state:
            asked = words("Who gets it?") if ending.asks_amount else words("With whom?")
            inside.add_widget(Text(asked, colour=theme.IVORY_DIM))
            others = [seat for seat in state.state.house.seats if seat != state.said.seat]
            other = state.said.other
            self.other.offer(
                [(str(seat), names[seat]) for seat in others], None if other is None else str(other)
            )
            inside.add_widget(self.other)
        if ending.asks_amount:
            self.amount.text = f"{state.said.amount:,}"
            inside.add_widget(self._amounts)
        payments = state.payments
        if state.outcome and any(payments):
            for name, payment in zip(names, payments, strict=True):
                if payment:
                    sign = f"{payment:+,}".replace("-", "−")
                    colour = theme.GAIN if payment > 0 else theme.LOSS
                    inside.add_widget(Text(f"{name}  {sign}", size=theme.TEXT_HUGE, colour=colour))
        elif state.outcome:
            inside.add_widget(Text(words("Nobody pays."), size=theme.TEXT_LARGE))
        self.confirm.text = words("Confirm")
        self.confirm.disabled = state.outcome is None or state.tells
        inside.add_widget(self.confirm)

    def _choose(self, key: str) -> None:
        self._controller.do(lambda state: state.choose(key))

    def _change(self, step: int) -> None:
        self._controller.do(lambda state: state.change_amount(step))
