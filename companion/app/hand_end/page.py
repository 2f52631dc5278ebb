"""One page of cards, each with a sentence of what it does; then what is asked of the one that was touched,
and beside it what everybody pays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.hand_end.endings import CALLS, KONGS, SHOWN, Ending, list_entries
from companion.app.hand_end.entries import EntryRow
from companion.app.hand_end.state import HandEnd
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text, adopt
from companion.app.widgets.keyboard import Keyboard
from companion.app.widgets.numbers import NumberField, Stepper
from companion.sentences import msgid
from companion.sheets.wording import NEW_TOTAL, say_total
from companion.table.fields import Call
from companion.tiles import MeldKind
from companion.words import Words

CARD_WIDTH = dp(390)
CARD_HEIGHT_MAX = dp(150)
BESIDE_FROM = dp(900)
NAME_WIDTH = dp(150)
"""The least of a button with a name."""
"""From this width on what everybody pays stands beside the questions."""
WINDS = (msgid("East"), msgid("South"), msgid("West"), msgid("North"))
KEYS_PART, KEYS_PART_BELOW = 0.5, 0.19
"""Of the window's height, for the keys of tiles beside the questions and below them."""
STEPS = (-10, -1, 1, 10)


class HandEndPage(Card):
    """The list of what can happen now, or the one that is looked at."""

    def __init__(self, controller: Controller[HandEnd]) -> None:
        super().__init__()
        self._controller = controller
        do = controller.do
        self.title = Tag(size=theme.TEXT_HUGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: do(HandEnd.step_back), size_hint_x=None, width=dp(180))
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.back)
        self.offers: dict[str, OfferCard] = {}
        self.seat = Choices(lambda key: do(lambda state: state.say_seat(int(key))), least=NAME_WIDTH)
        self.other = Choices(lambda key: do(lambda state: state.say_other(int(key))), least=NAME_WIDTH)
        self.reason = Choices(lambda key: do(lambda state: state.say(reason=key)), a_row=3)
        self.call = Choices(lambda key: do(lambda state: state.say(call=Call(key))))
        self.kong = Choices(lambda key: do(lambda state: state.say(kong=MeldKind(key))))
        self.wind = Choices(lambda key: do(lambda state: state.say(wind=int(key))))
        self.streak = Stepper(lambda step: do(lambda state: state.change_streak(step)))
        self.amount = NumberField(lambda number: do(lambda state: state.say(amount=max(1, number or 1))))
        self._amounts = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        for step in STEPS:
            press = Press(f"{step:+}".replace("-", "−"), act=partial(self._change, step))
            self._amounts.add_widget(press)
            if step == -1:
                self._amounts.add_widget(self.amount)
        self.entries: dict[int, EntryRow] = {}
        self.keys: Keyboard | None = None
        self.confirm = Press(
            " ", main=True, size=theme.TEXT_HUGE, height=theme.TOUCH * 1.25, act=lambda: do(HandEnd.confirm)
        )
        self._asked = Column(spacing=theme.GAP)
        self._paid = Column(spacing=theme.GAP / 2)
        self._body = BoxLayout(spacing=theme.PAD)
        self.add_widget(head)
        self.add_widget(self._body)

    def show(self, view: View[HandEnd]) -> None:
        words, state = view.words, view.state
        ending = state.ending
        inside = self._asked.inside
        inside.clear_widgets()
        self._paid.inside.clear_widgets()
        self._body.clear_widgets()
        self._body.orientation = "horizontal" if view.size[0] >= BESIDE_FROM else "vertical"
        adopt(self._body, self._asked)
        self.title.text = words.say(ending.name) if ending else words("How does it go on?")
        self.back.text = words("Back") if ending else words("Back to the table")
        if self.confirm.parent:
            self.confirm.parent.remove_widget(self.confirm)
        if ending is None:
            self._offer(view)
            return
        names = [words.say(name) for name in state.names]
        inside.add_widget(Text(words.say(ending.meaning), size=theme.TEXT_LARGE))
        self._ask(ending, view, names)
        adopt(self._body, self._paid)
        self._show_payments(state, words, names)
        self.confirm.text = words("Confirm")
        self.confirm.disabled = state.outcome is None or state.tells
        self.add_widget(self.confirm)

    def _offer(self, view: View[HandEnd]) -> None:
        words, state = view.words, view.state
        columns = max(1, int((view.size[0] - 4 * theme.PAD) // CARD_WIDTH))
        if view.size[1] < view.size[0] and view.size[0] >= BESIDE_FROM:
            columns = max(3, columns)
        grid = GridLayout(cols=columns, size_hint_y=None, spacing=theme.GAP)
        grid.bind(minimum_height=grid.setter("height"))
        self.offers = {}
        offers = [(each.key, words.say(each.name), words.say(each.meaning)) for each in state.offers]
        if state.may_show:
            shows = words("A player shows the hand; whether it was ready is said.")
            offers.insert(0, (SHOWN, words("Show a hand"), shows))
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
        inside, said = self._asked.inside, state.said
        game = state.state
        if game is None:
            return
        place = self._paid if view.size[0] >= BESIDE_FROM else self._asked
        if ending.who:
            seats = state.list_seats(ending)
            chosen = (state.deal[0],) if ending.asks_deal else said.seats
            self._add_seats(self.seat, words.say(ending.who), seats, chosen, names)
        if ending.asks_kong:
            self.kong.offer([(kind.value, words(name)) for kind, name in KONGS.items()], said.kong.value)
            self._add(words("What kind of kong?"), self.kong)
        if ending.whom and state.asks_whom:
            others = [seat for seat in game.house.seats if ending.several or seat not in said.seats]
            self._add_seats(self.other, words.say(ending.whom), others, said.others, names)
        if ending.asks_amount:
            several = len(said.seats) > 1 or len(said.others) > 1
            title = words("Points, of each to each") if several else words("Points")
            self.amount.show(said.amount, words, title=title, none="")
            self._add(title, self._amounts, place)
        if ending.asks_call:
            self.call.offer([(call.value, words(name)) for call, name in CALLS.items()], said.call.value)
            self._add(words("What?"), self.call)
        if ending.asks_deal:
            _, streak, wind = state.deal
            self.streak.show(streak)
            self._add(words("Deals in a row"), self.streak)
            self.wind.offer([(str(i), words(name)) for i, name in enumerate(WINDS)], str(wind))
            self._add(words("Round wind"), self.wind)
        if ending.asks_entry:
            self.entries = {
                number: EntryRow(
                    game, number, names, words, partial(self._choose_entry, number), number == said.entry
                )
                for number in list_entries(game)
            }
            for row in self.entries.values():
                inside.add_widget(row)
        if ending.reasons:
            self.reason.offer([(each, words(each)) for each in ending.reasons], said.reason)
            self._add(words("Why?"), self.reason, place if ending.asks_amount else None)
        if state.needs_fortune:
            self._ask_tile(words("Which tile was turned over?"), said.fortune, view, self._name_fortune)
        if state.asks_kind:
            self._ask_tile(words("Which tile is it?"), said.kong_of, view, self._name_kong)

    def _ask_tile(
        self, asked: str, chosen: str | None, view: View[HandEnd], act: Callable[[str], None]
    ) -> None:
        """The tiles of the game as keys; once one is chosen it alone, to be touched again."""
        game, beside = view.state.state, view.size[0] >= BESIDE_FROM
        if game is None:
            return
        all_kinds = game.house.wall.tile_set.kinds
        kinds = [kind for kind in all_kinds if chosen in (None, kind.code) and game.house.copies[kind.index]]
        width = view.size[0] / (2 if beside else 1) - 4 * theme.PAD
        part = KEYS_PART if beside else KEYS_PART_BELOW
        self.keys = Keyboard(kinds, (width, view.size[1] * part), act)
        if chosen:
            self.keys.keys[chosen].mark(ring=theme.GOLD)
        place = self._paid if beside else self._asked
        place.inside.add_widget(Text(asked, colour=theme.IVORY_DIM))
        place.inside.add_widget(self.keys)

    def _add_seats(
        self, choices: Choices, asked: str, seats: Sequence[int], chosen: Sequence[int], names: Sequence[str]
    ) -> None:
        choices.offer([(str(seat), names[seat]) for seat in seats], None)
        for seat in seats:
            choices.button(str(seat)).chosen = seat in chosen
        self._add(asked, choices)

    def _add(self, asked: str, widget: Widget, place: Column | None = None) -> None:
        """place: where it is asked, among the other questions where none is named."""
        inside = (place or self._asked).inside
        inside.add_widget(Text(asked, colour=theme.IVORY_DIM))
        adopt(inside, widget)

    def _show_payments(self, state: HandEnd, words: Words, names: Sequence[str]) -> None:
        inside, game = self._paid.inside, state.state
        outcome = state.outcome
        if outcome is None or game is None:
            return
        after = outcome[1]
        if not any(state.payments):
            if state.ending is not None and state.ending.pays:
                inside.add_widget(Text(words("Nobody pays."), size=theme.TEXT_LARGE))
            return
        for seat in game.house.seats:
            payment = state.payments[seat]
            row = BoxLayout(size_hint_y=None, height=theme.TEXT_HUGE * 1.6, spacing=theme.GAP)
            row.add_widget(Tag(names[seat], size=theme.TEXT_LARGE))
            sign = f"{payment:+,}".replace("-", "−") if payment else "0"
            colour = theme.GAIN if payment > 0 else theme.LOSS if payment < 0 else theme.IVORY_DIM
            row.add_widget(Tag(sign, size=theme.TEXT_HUGE, colour=colour, align="right", bold=True))
            total = words(NEW_TOTAL, points=say_total(after.balances[seat]))
            row.add_widget(Tag(total, size=theme.TEXT_LARGE, colour=theme.IVORY_DIM, align="right"))
            inside.add_widget(row)

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


class OfferCard(ButtonBehavior, Card):
    """One ending, to be touched; as high as its words, and at least as high as `least`."""

    def __init__(self, name: str, meaning: str, least: float, act: Callable[[], None]) -> None:
        super().__init__(
            colour=theme.PANEL_RAISED, spacing=theme.GAP / 2, size_hint_y=None, height=max(least, theme.TOUCH)
        )
        self._act = act
        self.title = Text(name, size=theme.TEXT_LARGE)
        self.add_widget(self.title)
        self.add_widget(Text(meaning, colour=theme.IVORY_DIM))
        self.add_widget(Widget())
        self.bind(minimum_height=lambda _, wanted: setattr(self, "height", max(wanted, least, theme.TOUCH)))
        self.bind(
            state=lambda *_: self.paint(theme.PANEL_PRESSED if self.state == "down" else theme.PANEL_RAISED)
        )

    def on_release(self) -> None:
        self._act()
