"""A new game: the table whose rules are played, for what, who sits where, and who deals first."""

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
from companion.app.home.agreed import list_wins
from companion.app.home.state import NAME_LETTERS_MAX, Home
from companion.app.home.table_card import WinCosts
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.app.widgets.game_words import name_rules
from companion.app.widgets.name_field import NameField
from companion.words import Words
from companion.words.filling import SEAT_NAMES

CHIP_WIDTH = dp(132)
TABLE_PART = 0.24
"""Of the window's height that the small table has."""
LOW_UNDER = dp(560)
"""In a lower window letters are small."""
OTHER_ROWS = 6
"""Of the height of a button, below the seats."""
PLACES = {2: (0, 1), 3: (1, 0), 1: (1, 2), 0: (2, 1)}
"""Row and column of each seat at the small table, seen from above."""


class NewGamePage(BoxLayout):
    """What is played on one side, who plays on the other; one button begins."""

    def __init__(self, controller: Controller[Home]) -> None:
        super().__init__(padding=theme.GAP, spacing=theme.GAP)
        do = controller.do
        self._do = do
        self._list = Column()
        self.name = Text(size=theme.TEXT_LARGE)
        self.about = Text()
        self.costs = WinCosts()
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: do(Home.step_back), size_hint_x=None, width=theme.TOUCH * 2)
        self.change = Press(" ", act=lambda: do(Home.change_table), size=theme.TEXT_SMALL)
        self.rules = Press(" ", act=self._open_house, size=theme.TEXT_SMALL)
        self.stakes = Press(" ", act=lambda: do(Home.open_stakes), size=theme.TEXT_SMALL)
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        row.add_widget(self.change)
        row.add_widget(self.rules)
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.back)
        self._houses = Card(size_hint_x=0.85)
        self.holds = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        fit_tiles = Clock.create_trigger(self._share_room, -1)
        for child in (self.name, self.costs, self.about, self.holds):
            self._list.inside.add_widget(child)
            child.bind(height=fit_tiles)
        self._list.bind(height=fit_tiles)
        for child in (head, self._list, row, self.stakes):
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
        self._form = Column()
        self.start = Press(" ", main=True, act=lambda: do(Home.begin), size=theme.TEXT_LARGE)
        self.start.height = theme.TOUCH * 1.2
        self._players = Card()
        self._players.add_widget(self._form)
        self._players.add_widget(self.start)
        self.add_widget(self._houses)
        self.add_widget(self._players)
        self._seat: int | None = None
        self._house: str | None = None

    def show(self, view: View[Home]) -> None:
        words, state = view.words, view.state
        plan = state.plan
        self.orientation = "horizontal" if view.size[0] > view.size[1] else "vertical"
        self._houses.size_hint_x = 0.85 if self.orientation == "horizontal" else 1
        self._houses.size_hint_y = 1 if self.orientation == "horizontal" else 0.85
        small = view.size[1] < LOW_UNDER
        self.about.font_size = theme.TEXT_SMALL if small else theme.TEXT
        self.costs.choose_letters(small=small, large=False)
        house, agreed = state.house, state.agreed
        self.title.text, self.back.text = name_rules(house.rules, words), words("Back")
        self.name.text = wording.head_house(house, words)
        self.about.text = wording.explain_house(house, words)
        self.costs.show(list_wins(house, agreed), agreed, words)
        self.holds.text = wording.describe_house_play(house, words)
        self._house = None if house.is_written else house.name
        self.change.text = words("Change table")
        self.rules.text = words("House rules …")
        said = wording.say_stakes(house.rules, agreed, words)
        self.stakes.text = words("Stakes: {stakes}", stakes=said)
        if self._seat != plan.seat:
            Clock.schedule_once(
                self._take_keys, 0
            )  # after the touch, which ends any field's hold of the keys
        self._seat = plan.seat
        self._place(naming=plan.seat is not None)
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
        self.start.text = words("Start the game")

    def _share_room(self, _: float) -> None:
        """What the words leave of the height is for the tiles of the example wins."""
        words = self.name.height + self.about.height + self.costs.words_height + self.holds.height
        self.costs.fit_tiles(self._list.height - words - 4 * theme.GAP)

    def _offer_chips(self, state: Home) -> None:
        free = [name for name in state.used if name not in state.plan.names or state.plan.seat is not None]
        if [chip.text for chip in self.chips.children[::-1]] == free:
            return
        self.chips.clear_widgets()
        for name in free:
            width = max(CHIP_WIDTH, min(len(name) * theme.TEXT * 0.62 + 2 * theme.PAD, dp(280)))
            chip = Press(name, act=partial(self._sit, name), size_hint_x=None, width=width)
            self.chips.add_widget(chip)

    def _place(self, *, naming: bool) -> None:
        wanted: list[Widget] = [self.seats, self._chips_label]
        wanted += [self.field] if naming else []
        wanted += [self.chips, self.dealer_label, self.dealer]
        inside = self._form.inside
        if inside.children[::-1] != wanted:
            inside.clear_widgets()
            for widget in wanted:
                inside.add_widget(widget)

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
