"""The page on which a hand ends other than by a win: one card for each ending, then its questions and what
each player pays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.hand_end.state import CALLS, KONGS, SHOWN, Ending, HandEnd, list_entries
from companion.app.look import SCALES, TextSize
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text, TouchCard, adopt
from companion.app.widgets.cards import PressCard
from companion.app.widgets.fields import Keyboard, NumberField, Stepper
from companion.money import amount, describe_currency, format_money
from companion.sentences import msgid, write_number
from companion.sheets.wording import NEW_TOTAL, write_points
from companion.table.events import Call
from companion.table.settling import settle_up
from companion.table.state import PaymentReason, State
from companion.tiles import MeldKind
from companion.words import Words

REASONS = {
    PaymentReason.WIN: msgid("Hand {number}: win"),
    PaymentReason.KONG: msgid("Hand {number}: kong"),
    PaymentReason.FALSE_WIN: msgid("Hand {number}: false win"),
    PaymentReason.MOVED: msgid("Hand {number}: points transferred"),
    PaymentReason.CANCELLED: msgid("Hand {number}: reversed"),
}


class EntryRow(PressCard):
    """The entry with that number of the ledger; names: of the seats, as people sit now."""

    def __init__(
        self,
        state: State,
        number: int,
        names: Sequence[str],
        words: Words,
        act: Callable[[], None],
        chosen: bool,
    ) -> None:
        super().__init__(act, fits=True)
        entry = state.ledger[number]
        by_person = {person: names[seat] for seat, person in enumerate(state.seated)}
        paid = " · ".join(
            f"{by_person[person]} {write_points(points)}"
            for person, points in enumerate(entry.points)
            if points
        )
        why = f"{paid}   {words(entry.why)}" if entry.why else paid
        self.say(words(REASONS[entry.reason], number=entry.hand + 1), why, chosen=chosen)


CARD_WIDTH = dp(370)
CARD_HEIGHT_MAX = dp(260)
WIDE_FROM = dp(900)
"""From this width on three cards stand in a row at least, and all reasons."""
LOW_UNDER = dp(700)
"""A lower window leaves out what a long page means."""
ROWS_MOST = 3.2
"""How many times as high as a button is usually a row of the table may be."""
WINDS = (msgid("East"), msgid("South"), msgid("West"), msgid("North"))
KEYS_PART, KEYS_PART_TALL = 0.42, 0.19
"""Of the window's height, for the keys of tiles: next to the players, and below them."""
KEYS_SHARE, KEYS_WIDTH = (2.0, 0.4), 0.48
"""How many times as wide as another column they are, until one is chosen and then; of the window's
width."""
BACK_WIDTH = dp(200)
HEAD_LINES = 1.6
"""The height of a heading, in sizes of its letters."""
STEPS = (-10, -1, 1, 10)


class HandEndPage(Card):
    """The list of what can happen now; or the one that is shown, with a row for each player: what is
    asked, and what that player pays."""

    def __init__(self, controller: Controller[HandEnd]) -> None:
        super().__init__()
        self._controller = controller
        do = controller.do
        self.title = Tag(size=theme.TEXT_HUGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: do(HandEnd.step_back), size_hint_x=None, width=BACK_WIDTH)
        head = layout.row(self.title, self.back, height=theme.TOUCH)
        self.offers: dict[str, OfferCard] = {}
        self.seat = Choices(
            lambda key: do(lambda state: state.choose_seat(int(key))), a_row=1, size=theme.TEXT_LARGE
        )
        self.other = Choices(
            lambda key: do(lambda state: state.choose_other(int(key))), a_row=1, size=theme.TEXT_LARGE
        )
        self.reason = Choices(
            lambda key: do(lambda state: state.say(reason=key)), a_row=3, size=theme.TEXT_SMALL
        )
        self.call = Choices(
            lambda key: do(lambda state: state.say(call=Call(key))), a_row=1, size=theme.TEXT_LARGE
        )
        self.kong = Choices(lambda key: do(lambda state: state.say(kong=MeldKind(key))))
        self.wind = Choices(lambda key: do(lambda state: state.say(wind=int(key))), a_row=1)
        self.streak = Stepper(lambda step: do(lambda state: state.change_streak(step)))
        self.amount = NumberField(lambda number: do(lambda state: state.say(amount=max(1, number or 1))))
        self._amounts = layout.row(height=theme.TOUCH)
        for step in STEPS:
            press = Press(write_number(step, signed=True), act=partial(self._change, step))
            self._amounts.add_widget(press)
            if step == -1:
                self._amounts.add_widget(self.amount)
        self.entries: dict[int, EntryRow] = {}
        self.keys: Keyboard | None = None
        self.confirm = Press(
            " ", main=True, size=theme.TEXT_HUGE, height=theme.TOUCH * 1.25, act=lambda: do(HandEnd.confirm)
        )
        self._asked = Column(spacing=theme.GAP)
        self.add_widget(head)
        self.add_widget(self._asked)

    def show(self, view: View[HandEnd]) -> None:
        words, state = view.words, view.state
        ending = state.ending
        inside = self._asked.inside
        inside.clear_widgets()
        self.title.text = words.say(ending.name) if ending else words("What happened?")
        self.back.text = words("Back") if ending else words("Back to the table")
        if self.confirm.parent:
            self.confirm.parent.remove_widget(self.confirm)
        if ending is None:
            self._offer(view)
            return
        if view.size[1] >= LOW_UNDER or not (ending.reasons or ending.asks_kong):
            inside.add_widget(Text(words.say(ending.meaning), size=theme.TEXT_LARGE))
        if ending.unpaid and state.pays_nobody:
            inside.add_widget(Text(words.say(ending.unpaid), colour=theme.GOLD))
        self._ask(ending, view, [words.say(name) for name in state.names])
        self.confirm.text = words("Confirm")
        self.confirm.disabled = state.outcome is None or state.submitting
        self.add_widget(self.confirm)

    def _offer(self, view: View[HandEnd]) -> None:
        words, state = view.words, view.state
        columns = max(1, int((view.size[0] - 4 * theme.PAD) // CARD_WIDTH))
        if view.size[1] < view.size[0] and view.size[0] >= WIDE_FROM:
            columns = 3
        grid = layout.grid(columns, size_hint_y=None)
        grid.bind(minimum_height=grid.setter("height"))
        self.offers = {}
        offers = [(each.key, words.say(each.name), words.say(each.meaning)) for each in state.offers]
        if state.may_show:
            shows = words("A player shows the hand, to prove whether it was ready.")
            offers.insert(1, (SHOWN, words("Show a hand"), shows))
        rows = -(-len(offers) // columns)
        room = view.size[1] - theme.BAR_HEIGHT - theme.TOUCH - 5 * theme.PAD
        height = min(room / max(rows, 1) - theme.GAP, CARD_HEIGHT_MAX)
        for key, name, meaning in offers:
            card = OfferCard(name, meaning, height, partial(self._choose, key))
            self.offers[key] = card
            grid.add_widget(card)
        self._asked.inside.add_widget(grid)

    def _ask(self, ending: Ending, view: View[HandEnd], names: Sequence[str]) -> None:
        words, state = view.words, view.state
        said, game = state.said, state.state
        if game is None:
            return
        if ending.asks_kong:
            self.kong.offer([(kind.value, words(name)) for kind, name in KONGS.items()], said.kong.value)
            self._add(words("What kind of kong?"), self.kong)
        below = self._list_below(ending, view)
        columns = self._list_columns(ending, view, names)
        table = layout.row(size_hint_y=None, spacing=theme.PAD)
        height = self._measure_rows(ending, view)
        for heading, column, rows in columns:
            share = KEYS_SHARE[self._is_tile_said(view)] if isinstance(column, Keyboard) else 1
            holder = layout.column(spacing=theme.GAP / 2, size_hint_x=share)
            title = Tag(heading, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=None)
            title.height = HEAD_LINES * theme.TEXT_SMALL
            holder.add_widget(title)
            if isinstance(column, Choices):
                column.grow(height)
            elif rows:
                column.size_hint_y, column.height = None, rows * height + (rows - 1) * theme.GAP / 2
            adopt(holder, column)
            holder.add_widget(Widget())
            table.add_widget(holder)
        rows = max((rows for *_, rows in columns), default=0)
        keys_height = max(
            (column.height for _, column, _ in columns if isinstance(column, Keyboard)), default=0
        )
        table.height = max(rows * (height + theme.GAP / 2), keys_height) + HEAD_LINES * theme.TEXT_SMALL
        self._asked.inside.add_widget(table)
        beside = layout.row(size_hint_y=None, spacing=theme.PAD)
        beside.bind(minimum_height=beside.setter("height"))
        for asked, widget in below:
            if len(below) > 1 and view.size[0] >= WIDE_FROM:
                beside.add_widget(_stack(asked, widget, 1.3 if widget is self.reason else 1))
            else:
                self._add(asked, widget)
        if beside.children:
            self._asked.inside.add_widget(beside)

    def _list_columns(
        self, ending: Ending, view: View[HandEnd], names: Sequence[str]
    ) -> list[tuple[str, Widget, int]]:
        """What stands side by side, each with its heading and how many rows it has."""
        words, state = view.words, view.state
        said, game = state.said, state.state
        assert game is not None
        seats = game.house.seats
        found: list[tuple[str, Widget, int]] = []
        if ending.asks_entry:
            found.append((words("Which one?"), self._list_entries(game, view, names), len(seats)))
        if ending.who:
            chosen = (state.deal[0],) if ending.asks_deal else said.seats
            _offer_seats(self.seat, seats, state.list_seats(ending), chosen, names)
            found.append((words.say(ending.who), self.seat, len(seats)))
        if ending.whom and state.asks_whom:
            others = [seat for seat in seats if ending.several or seat not in said.seats]
            _offer_seats(self.other, seats, others, said.others, names)
            found.append((words.say(ending.whom), self.other, len(seats)))
        if ending.asks_call:
            self.call.offer([(call.value, words(name)) for call, name in CALLS.items()], said.call.value)
            found.append((words("What?"), self.call, len(CALLS)))
        if ending.asks_deal:
            _, streak, wind = state.deal
            self.streak.show(streak)
            self.wind.offer([(str(i), words(name)) for i, name in enumerate(WINDS)], str(wind))
            found.append((words("Deals in a row"), self.streak, 0))
            found.append((words("Round wind"), self.wind, len(WINDS)))
        keys = self._list_keys(view) if view.size[0] >= WIDE_FROM else None
        if keys is not None:
            found.append((*keys, 0))
        if (keys is None or self._is_tile_said(view)) and (ending.moves_points or not ending.who):
            named = names if not ending.who else None
            heading = words("Gain or loss of each player") if ending.moves_points else words("Points")
            heading = words("Nobody pays.") if ending.pays and state.pays_nobody else heading
            found.append((heading, Payments(state, words, named), len(seats)))
        return found

    def _list_entries(self, game: State, view: View[HandEnd], names: Sequence[str]) -> Column:
        """The payments that can be taken back."""
        words, said = view.words, view.state.said
        column = Column(spacing=theme.GAP / 2)
        self.entries = {
            number: EntryRow(
                game, number, names, words, partial(self._choose_entry, number), number == said.entry
            )
            for number in list_entries(game)
        }
        for row in self.entries.values():
            column.inside.add_widget(row)
        return column

    def _list_below(self, ending: Ending, view: View[HandEnd]) -> list[tuple[str, Widget]]:
        """What is asked below the rows of the players."""
        words, said = view.words, view.state.said
        found: list[tuple[str, Widget]] = []
        if ending.asks_amount:
            several = len(said.seats) > 1 or len(said.others) > 1
            title = words("Who paid whom") if several else words("Points")
            currency = view.state.state.currency if view.state.state else None
            if currency is not None:
                title = words.join((title, words.say(describe_currency(currency))))
            self.amount.show(said.amount, words, title=title, none="")
            found.append((title, self._amounts))
        if ending.reasons:
            self.reason.offer([(each, words(each)) for each in ending.reasons], said.reason)
            self.reason.limit_row(_count_reasons_a_row(view))
            found.append((words("Why?"), self.reason))
        keys = None if view.size[0] >= WIDE_FROM else self._list_keys(view)
        if keys is not None:
            found.append(keys)
        return found

    def _measure_rows(self, ending: Ending, view: View[HandEnd]) -> float:
        """How high the row of each player is, so that the page is full where it can be. px"""
        state, game = view.state, view.state.state
        assert game is not None
        line = theme.TEXT_SMALL * HEAD_LINES + theme.GAP
        taken = theme.BAR_HEIGHT + theme.TOUCH * 2.25 + 2 * theme.PAD + 4 * theme.GAP  # bar, title, confirm
        taken += 3.5 * theme.TEXT_LARGE + line
        is_wide = view.size[0] >= WIDE_FROM
        taken += (theme.TOUCH + line + theme.GAP) * (ending.asks_amount + ending.asks_kong)
        if ending.reasons:
            a_row = _count_reasons_a_row(view)
            rows = -(-len(ending.reasons) // a_row) - (is_wide and ending.asks_amount)
            taken += rows * (theme.TOUCH + theme.GAP) + line
        if (state.needs_fortune or state.asks_kind) and view.size[0] < WIDE_FROM:
            taken += _measure_keys(view)[1] + line + theme.GAP
        rows = len(CALLS) if ending.asks_call else len(game.house.seats)
        height = (view.size[1] - taken) / rows - theme.GAP / 2
        return float(min(max(height, theme.TOUCH), ROWS_MOST * theme.TOUCH))

    def _is_tile_said(self, view: View[HandEnd]) -> bool:
        """Whether the tile that is asked for is chosen."""
        said = view.state.said
        return (said.fortune if view.state.needs_fortune else said.kong_of) is not None

    def _list_keys(self, view: View[HandEnd]) -> tuple[str, Keyboard] | None:
        """The tiles of the game as keys, and what is asked; once one is chosen it alone, to be touched again.
        None where no tile is asked for."""
        state, words, game = view.state, view.words, view.state.state
        self.keys = None
        if game is None or not (state.needs_fortune or state.asks_kind):
            return None
        chosen, act = state.said.kong_of, self._name_kong
        asked = words("Which tile is it?")
        if state.needs_fortune:
            chosen, act = state.said.fortune, self._name_fortune
            asked = words("Which tile was turned over?")
        all_kinds = game.house.wall.tile_set.kinds
        kinds = [kind for kind in all_kinds if chosen in (None, kind.code) and game.house.copies[kind.index]]
        self.keys = Keyboard(kinds, _measure_keys(view), act)
        if chosen:
            self.keys.keys[chosen].mark(ring=theme.GOLD)
        return asked, self.keys

    def _add(self, asked: str, widget: Widget) -> None:
        inside = self._asked.inside
        inside.add_widget(Text(asked, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
        adopt(inside, widget)

    def _choose(self, key: str) -> None:
        self._controller.do(lambda state: state.choose(key))

    def _choose_entry(self, number: int) -> None:
        self._controller.do(lambda state: state.say(entry=number))

    def _name_fortune(self, code: str) -> None:
        self._controller.do(lambda state: state.say(fortune=None if state.said.fortune else code))

    def _name_kong(self, code: str) -> None:
        self._controller.do(lambda state: state.say(kong_of=None if state.said.kong_of else code))

    def _change(self, step: int) -> None:
        self._controller.do(lambda state: state.change_amount(step))


def _offer_seats(
    choices: Choices,
    seats: Sequence[int],
    possible: Sequence[int],
    chosen: Sequence[int],
    names: Sequence[str],
) -> None:
    choices.offer([(str(seat), names[seat]) for seat in seats], None)
    for seat in seats:
        button = choices.button(str(seat))
        button.chosen, button.disabled = seat in chosen, seat not in possible


def _stack(asked: str, widget: Widget, share: float) -> BoxLayout:
    """The question above what answers it."""
    box = layout.column(size_hint=(share, None), spacing=theme.GAP / 2)
    box.bind(minimum_height=box.setter("height"))
    box.add_widget(Text(asked, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
    adopt(box, widget)
    return box


def _count_reasons_a_row(view: View[HandEnd]) -> int:
    """How many reasons stand side by side: in a low window all, where their letters are not large."""
    return 3 if view.size[1] >= LOW_UNDER or SCALES[TextSize.LARGE] < theme.SCALE else 6


def _measure_keys(view: View[HandEnd]) -> tuple[float, float]:
    """The room for the keys of tiles. px"""
    width, height = view.size
    if width >= WIDE_FROM:
        return width * KEYS_WIDTH, height * KEYS_PART
    return width - 4 * theme.PAD, height * KEYS_PART_TALL


class Payments(BoxLayout):
    """A row for each player: what that player gets or pays, and has then. names: None where they stand next
    to it."""

    def __init__(self, state: HandEnd, words: Words, names: Sequence[str] | None) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP / 2)
        game, outcome = state.state, state.outcome
        assert game is not None
        after = game if outcome is None else outcome[1]
        moves_points = state.ending is not None and state.ending.moves_points
        for seat in game.house.seats:
            payment = state.payments[seat]
            row = Card(
                orientation="horizontal", padding=(theme.PAD, 0), spacing=theme.GAP,
                colour=theme.PANEL_RAISED,
            )  # fmt: skip
            if names is not None:
                row.add_widget(Tag(names[seat], size=theme.TEXT_LARGE, size_hint_x=1.5))
            sign = write_points(payment) if outcome is not None else "–"
            colour = theme.GAIN if payment > 0 else theme.LOSS if payment < 0 else theme.IVORY_DIM
            if moves_points:
                row.add_widget(Tag(sign, size=theme.TEXT_HUGE, colour=colour, align="right", bold=True))
            money = _write_money(after, after.seated[seat], payment if moves_points else None)
            total = words(NEW_TOTAL, points=write_number(after.balances[seat]))
            size = theme.TEXT if money else theme.TEXT_LARGE
            column = layout.column(padding=(0, theme.GAP / 2) if money else 0)
            if money:
                column.add_widget(Tag(money, size=size, colour=colour, align="right"))
            column.add_widget(Tag(total, size=size, colour=theme.IVORY_DIM, align="right"))
            row.add_widget(column)
            self.add_widget(row)


def _write_money(state: State, person: int, payment: int | None) -> str:
    """The payment in money, or with None what that person has won; empty where no currency is agreed, and for
    a payment of 0."""
    settlement = settle_up(state)
    if settlement is None or payment == 0:
        return ""
    won = settlement.amounts[person] if payment is None else amount(payment, settlement.currency)
    return format_money(won, settlement.currency)


class OfferCard(TouchCard):
    """One ending, to be touched; as high as its words, at least as high as `least`, and as its neighbours."""

    def __init__(self, name: str, meaning: str, least: float, act: Callable[[], None]) -> None:
        super().__init__(
            colour=theme.PANEL_RAISED, spacing=theme.GAP / 2, size_hint_min_y=max(least, theme.TOUCH)
        )
        self._act = act
        self.title = Text(name, size=theme.TEXT_LARGE)
        self.add_widget(self.title)
        self.add_widget(Text(meaning, colour=theme.IVORY_DIM))
        self.add_widget(Widget())
        self.bind(
            minimum_height=lambda _, wanted: setattr(self, "size_hint_min_y", max(wanted, least, theme.TOUCH))
        )
        self.bind(
            state=lambda *_: self.paint(theme.PANEL_PRESSED if self.state == "down" else theme.PANEL_RAISED)
        )

    def on_release(self) -> None:
        self._act()
