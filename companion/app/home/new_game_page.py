"""A new game: what is played, who sits where, who deals first, and the stakes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.home import wording
from companion.app.home.state import BASES, CAPS, NAME_LETTERS_MAX, Home
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.app.widgets.name_field import NameField
from companion.app.widgets.press_card import PressCard
from companion.words import Words
from companion.words.filling import SEAT_NAMES

CHIP_WIDTH = dp(132)
TABLE_PART = 0.28
OTHER_ROWS = 7
"""Of the height of a button, below the seats while nothing is opened."""
"""Of the window's height that the small table has."""
PLACES = {2: (0, 1), 3: (1, 0), 1: (1, 2), 0: (2, 1)}
"""Row and column of each seat at the small table, seen from above."""


class NewGamePage(BoxLayout):
    """Houses on one side, the table on the other; one button begins."""

    def __init__(self, controller: Controller[Home]) -> None:
        super().__init__(padding=theme.GAP, spacing=theme.GAP)
        do = controller.do
        self._do = do
        self._offered: object = None
        self.cards: dict[str, PressCard] = {}
        self._list = Column()
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: do(Home.step_back), size_hint_x=None, width=theme.TOUCH * 2)
        self.change = Press(" ", act=self._open_house, size=theme.TEXT_SMALL)
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.back)
        self._houses = Card(size_hint_x=0.85)
        self.holds = Text(size=theme.TEXT_SMALL, colour=theme.GOLD)
        for child in (head, self._list, self.holds, self.change):
            self._houses.add_widget(child)
        self.seats = SeatTable(lambda seat: do(lambda state: state.select_seat(seat)))
        self.field = NameField(self._type, NAME_LETTERS_MAX)
        self.field.text_validate_unfocus = False
        self.field.bind(on_text_validate=lambda _: do(Home.select_next_seat))
        self._chips_label = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=None)
        self._chips_label.height = theme.TEXT_SMALL * 1.6
        self.chips = StackLayout(size_hint_y=None, height=0, spacing=theme.GAP / 2)
        self.chips.bind(minimum_height=self.chips.setter("height"))
        self.dealer_label = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=None)
        self.dealer_label.height = theme.TEXT_SMALL * 1.6
        self.dealer = Choices(
            lambda key: do(lambda state: state.with_dealer(int(key))), size=theme.TEXT_SMALL, a_row=4
        )
        self.more = Press(" ", icon="down", act=lambda: do(Home.toggle_more), size=theme.TEXT_SMALL)
        self.base = Choices(lambda key: do(lambda state: state.with_base(int(key))), size=theme.TEXT_SMALL)
        self.cap = Choices(
            lambda key: do(lambda state: state.with_cap(int(key) if key else None)), size=theme.TEXT_SMALL
        )
        self._base_label, self._cap_label = Text(size=theme.TEXT_SMALL), Text(size=theme.TEXT_SMALL)
        self._form = Column()
        self.start = Press(" ", main=True, act=lambda: do(Home.begin), size=theme.TEXT_LARGE)
        self.start.height = theme.TOUCH * 1.2
        self._players = Card()
        self._players.add_widget(self._form)
        self._players.add_widget(self.start)
        self.add_widget(self._houses)
        self.add_widget(self._players)
        self._placed: object = None
        self._seat: int | None = None
        self._house: str | None = None
        self._chosen, self._finds = "", False
        self._find_chosen = Clock.create_trigger(self._scroll_to_chosen)
        self._list.bind(height=self._find_chosen)
        self._list.inside.bind(height=self._find_chosen)
        self._list.bind(on_touch_down=self._leave_list)

    def show(self, view: View[Home]) -> None:
        words, state = view.words, view.state
        plan = state.plan
        self.orientation = "horizontal" if view.size[0] > view.size[1] else "vertical"
        self._houses.size_hint_x = 0.85 if self.orientation == "horizontal" else 1
        self._houses.size_hint_y = 1 if self.orientation == "horizontal" else 0.75
        self.title.text, self.back.text = words("What is played?"), words("Back")
        self._offer_houses(state, words)
        self.holds.text = wording.describe_house_play(state.house, words)
        self._house = state.house.name if state.house.is_saved else None
        self.change.text = words("Change these house rules") if self._house else words("House rules …")
        if self._seat != plan.seat:
            Clock.schedule_once(
                self._take_keys, 0
            )  # after the touch, which ends any field's hold of the keys
        self._seat = plan.seat
        self._place(naming=plan.seat is not None, more=plan.more)
        room = view.size[1] - theme.BAR_HEIGHT - OTHER_ROWS * theme.TOUCH
        part = min(room, 8 * theme.TOUCH) if self.orientation == "horizontal" else view.size[1] * TABLE_PART
        self.seats.height = max(3 * theme.TOUCH + theme.GAP, part)
        self.seats.show(state, words)
        if plan.seat is not None and self.field.text != plan.names[plan.seat]:
            self.field.show(plan.names[plan.seat])
        hint = words("Touch a seat to say who sits there")
        is_full = plan.seat is not None and len(plan.names[plan.seat]) >= NAME_LETTERS_MAX
        asked = words("A name has at most {most} letters.", most=NAME_LETTERS_MAX)
        self._chips_label.text = asked if is_full else hint if plan.seat is None else words("Who sits there?")
        self._chips_label.color = theme.UNSURE if is_full else theme.IVORY_DIM
        self._offer_chips(state)
        self.dealer_label.text = words("Who deals first?")
        self.dealer.offer(
            [(str(seat), wording.name_seat(plan.names, seat, words)) for seat in state.playing_seats],
            str(plan.dealer),
        )
        self.more.text = words("Less") if plan.more else words("Stakes: base {base}", base=plan.base)
        self.more.show_icon("fold" if plan.more else "down")
        self._base_label.text = words("What a point costs")
        self._cap_label.text = words("The most that one player pays for a win")
        self.base.offer([(str(base), str(base)) for base in BASES], str(plan.base))
        caps = [
            ("" if cap is None else str(cap), words("no limit") if cap is None else str(cap)) for cap in CAPS
        ]
        self.cap.offer(caps, "" if plan.cap is None else str(plan.cap))
        self.start.text = words("Start the game")

    def _offer_houses(self, state: Home, words: Words) -> None:
        if self._offered != state.houses:
            self._offered = state.houses
            self._list.inside.clear_widgets()
            self.cards = {}
            for house in state.houses:
                card = PressCard(partial(self._choose, house.key), fits=True)
                card.disabled = house.trouble is not None
                self.cards[house.key] = card
                self._list.inside.add_widget(card)
        if self._chosen != state.house.key:
            self._chosen, self._finds = state.house.key, True
            self._find_chosen()
        for house in state.houses:
            self.cards[house.key].say(
                wording.name_house(house, words),
                wording.describe_house(house, words),
                chosen=house.key == state.house.key,
            )

    def _scroll_to_chosen(self, _: float) -> None:
        """Have what is played in sight, in a list that is too long for the window, until somebody touches."""
        card, inside = self.cards.get(self._chosen), self._list.inside
        hidden = inside.height - self._list.height
        if card is not None and hidden > 0 and self._finds:
            self._list.scroll_y = min(max((card.y - inside.y) / hidden, 0.0), 1.0)

    def _leave_list(self, *_: object) -> None:
        """Somebody touches the page: from now on the list stays where it is."""
        self._finds = False

    def _offer_chips(self, state: Home) -> None:
        free = [name for name in state.used if name not in state.plan.names or state.plan.seat is not None]
        if [chip.text for chip in self.chips.children[::-1]] == free:
            return
        self.chips.clear_widgets()
        for name in free:
            width = max(CHIP_WIDTH, min(len(name) * theme.TEXT * 0.62 + 2 * theme.PAD, dp(280)))
            chip = Press(name, act=partial(self._sit, name), size_hint_x=None, width=width)
            self.chips.add_widget(chip)

    def _place(self, *, naming: bool, more: bool) -> None:
        if self._placed == (naming, more):
            return
        self._placed = naming, more
        inside = self._form.inside
        inside.clear_widgets()
        wanted: list[Widget] = [self.seats, self._chips_label]
        wanted += [self.field] if naming else []
        wanted += [self.chips, self.dealer_label, self.dealer, self.more]
        wanted += [self._base_label, self.base, self._cap_label, self.cap] if more else []
        for widget in wanted:
            inside.add_widget(widget)
        if more:
            Clock.schedule_once(lambda _: self._form.scroll_to(self.cap, animate=False), 0)

    def _choose(self, key: str) -> None:
        self._chosen = key
        self._do(lambda state: state.with_house(key))

    def _sit(self, name: str) -> None:
        self._do(lambda state: state.seat_player(name))

    def _type(self, text: str) -> None:
        seat = self._seat
        if seat is not None:
            self._do(lambda state: state.with_name(seat, text))

    def _take_keys(self, _: float) -> None:
        """What is typed now is the name of the chosen seat."""
        self.field.focus = self._seat is not None and self.field.get_root_window() is not None

    def _open_house(self) -> None:
        name = self._house
        self._do(lambda state: state.open_houses(name))


class SeatTable(GridLayout):
    """The table from above: who sits where, the dealer marked."""

    def __init__(self, choose: Callable[[int], None]) -> None:
        super().__init__(cols=3, size_hint_y=None, spacing=theme.GAP / 2)
        self.height = 3 * theme.TOUCH + theme.GAP
        self.seats: dict[int, Press] = {}
        by_place = {place: seat for seat, place in PLACES.items()}
        for row in range(3):
            for column in range(3):
                seat = by_place.get((row, column))
                if seat is None:
                    self.add_widget(self._middle() if (row, column) == (1, 1) else Widget())
                    continue
                self.seats[seat] = Press(" ", act=partial(choose, seat), size_hint_y=1)
                self.add_widget(self.seats[seat])

    def show(self, state: Home, words: Words) -> None:
        plan = state.plan
        for seat, press in self.seats.items():
            name = wording.name_seat(plan.names, seat, words)
            press.text = (
                words("{name} (sits out)", name=words(SEAT_NAMES[seat]))
                if seat not in state.playing_seats
                else name
            )
            press.chosen = seat == plan.seat
            press.disabled = seat not in state.playing_seats
        self.middle.text = words("Dealer: {name}", name=wording.name_seat(plan.names, plan.dealer, words))

    def _middle(self) -> Tag:
        self.middle = Tag(size=theme.TEXT_SMALL, colour=theme.GOLD, align="center")
        return self.middle
