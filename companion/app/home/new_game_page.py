"""The page of a new game: table, stakes, seats and dealer; and the card that shows a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.home import wording
from companion.app.home.state import NAME_LETTERS_MAX, Home
from companion.app.home.tables import PAIRS, UNITS, Agreed, House, TypicalWin, list_caps, list_wins
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text, TouchCard
from companion.app.widgets.cards import group_tiles
from companion.app.widgets.fields import CurrencyRows, NumberField, ValueRow
from companion.app.widgets.game_words import counts_points, has_base, name_rules
from companion.app.widgets.name_field import NameField
from companion.app.widgets.tiles import GROUP_GAP, TileStrip
from companion.sentences import write_number
from companion.sheets.wording import write_amount
from companion.words import Words
from companion.words.filling import SEAT_NAMES

TILE_WIDTH_LEAST, TILE_WIDTH_MOST = dp(18), dp(40)
"""Of the tiles of an example."""


class TableCard(TouchCard):
    """As high as it is made. It always has its title, what wins cost, and whose rules they are; `fit` adds
    what there is room for: first what is played for, then how it is played; the tiles take what is left."""

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__(colour=theme.PANEL_RAISED, spacing=theme.GAP, size_hint_y=None)
        self._act = act
        self.title = Text(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.about = Text()
        self.holds = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.wins = WinCosts()
        self.stakes = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self._space = Widget()
        self.texts = (self.title, self.about, self.holds, self.wins, self.stakes)
        self.bind(state=self._colour_in, width=self._widen)

    def show(self, house: House, agreed: Agreed, words: Words) -> None:
        self.title.text = wording.head_house(house, words)
        self.about.text = wording.explain_house(house, words)
        self.holds.text = wording.describe_house_play(house, words)
        self.wins.show(list_wins(house, agreed), agreed, words)
        self.stakes.text = words("Stakes: {stakes}", stakes=wording.say_stakes(house.rules, agreed, words))

    def choose_letters(self, *, small: bool, large: bool) -> None:
        """For a small window, a large one, or one between."""
        self.title.font_size = theme.TEXT if small else theme.TEXT_LARGE
        self.about.font_size = theme.TEXT_SMALL if small else theme.TEXT
        self.wins.choose_letters(small=small, large=large)

    def list_heights(self) -> tuple[float, ...]:
        """The least height, px, of the card with what it always has; with each of the other parts, too."""
        least = 2 * theme.PAD + 3 * theme.GAP + self.title.height + self.about.height + self.wins.words_height
        heights = [least]
        for part in (self.stakes, self.holds):
            heights.append(heights[-1] + part.height + theme.GAP)
        return tuple(heights)

    def fit(self, height: float, parts: int, tiles_height: float) -> None:
        """Be that high, px, with that number of the other parts, and tiles within that height, px."""
        self.height = height
        self.wins.fit_tiles(tiles_height)
        wanted: list[Widget] = [self.title, self.wins, self.about]
        wanted += [self.holds] if parts > 1 else []
        wanted += [self._space]
        wanted += [self.stakes] if parts else []
        if self.children[::-1] != wanted:
            self.clear_widgets()
            for child in wanted:
                self.add_widget(child)

    def on_release(self) -> None:
        self._act()

    def _widen(self, *_: object) -> None:
        """Words that are left out are as wide as the others, so that they are as high as they would be."""
        for text in self.texts:
            text.width = self.width - 2 * theme.PAD

    def _colour_in(self, *_: object) -> None:
        self.paint(theme.PANEL_PRESSED if self.state == "down" else theme.PANEL_RAISED)


class WinCosts(BoxLayout):
    """A plain win and a big one: what it is, its tiles where they are shown, and who pays what."""

    def __init__(self) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.GAP / 2)
        self.bind(minimum_height=self.setter("height"), width=self._size_tiles)
        self.names: list[Text] = []
        self.costs: list[Text] = []
        self._strips: list[TileStrip] = []
        self._tile_width = 0.0
        self._tiles_height = 0.0
        self._letters = float(theme.TEXT)

    def show(self, wins: Sequence[TypicalWin], agreed: Agreed, words: Words) -> None:
        groups = [group_tiles(win.request) for win in wins]
        if [list(strip.groups) for strip in self._strips] != groups:
            self.names = [Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM) for _ in wins]
            self.costs = [Text(size=self._letters, colour=theme.GOLD) for _ in wins]
            self._strips = [TileStrip(each, tile_width=TILE_WIDTH_MOST) for each in groups]
            self._tile_width = -1.0
            self._size_tiles()
        for win, name, cost in zip(wins, self.names, self.costs, strict=True):
            name.text = wording.name_win(win, words)
            cost.text = wording.describe_cost(win, agreed.currency, words)

    @property
    def words_height(self) -> float:
        """Its height without tiles, px."""
        texts = (*self.names, *self.costs)
        return float(sum(text.height + self.spacing for text in texts))

    def choose_letters(self, *, small: bool, large: bool) -> None:
        """For a small window, a large one, or one between."""
        self._letters = float(theme.TEXT_SMALL if small else theme.TEXT_LARGE if large else theme.TEXT)
        for text in self.costs:
            text.font_size = self._letters

    def fit_tiles(self, height: float) -> None:
        """Show the tiles so that they add at most that height, px; leave them out where they would be too
        small."""
        self._tiles_height = height
        self._size_tiles()

    def _size_tiles(self, *_: object) -> None:
        widths = [sum(map(len, each.groups)) + GROUP_GAP * (len(each.groups) - 1) for each in self._strips]
        high = self._tiles_height / max(1, len(widths)) - self.spacing
        width = float(min(self.width / max(widths, default=1.0), high * theme.TILE_ASPECT, TILE_WIDTH_MOST))
        width = width if width >= TILE_WIDTH_LEAST else 0.0
        for text in (*self.names, *self.costs):
            text.width = self.width
        if width != self._tile_width:
            self._tile_width = width
            for strip in self._strips:
                strip.resize(width)
            self._fill()

    def _fill(self) -> None:
        self.clear_widgets()
        for name, strip, cost in zip(self.names, self._strips, self.costs, strict=True):
            for part in (name, strip, cost) if self._tile_width else (name, cost):
                self.add_widget(part)


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
        row = layout.row(self.change, self.rules, height=theme.TOUCH, spacing=theme.GAP / 2)
        head = layout.row(self.title, self.back, height=theme.TOUCH)
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
        self.field.take_known = self._sit
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
        hint = words("Touch a seat to enter a name")
        is_full = plan.seat is not None and len(plan.names[plan.seat]) >= NAME_LETTERS_MAX
        asked = words("A name has at most {most} letters.", most=NAME_LETTERS_MAX)
        if plan.seat is not None:  # the keys on the screen may hide which seat is touched
            hint = words("Who sits there?") + "  ·  " + words(SEAT_NAMES[plan.seat])
        self._chips_label.text = asked if is_full else hint
        self._chips_label.color = theme.UNSURE if is_full else theme.IVORY_DIM
        self._offer_chips(state)
        self.field.known = tuple(chip.text for chip in self.chips.children[::-1])
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


NAME_WIDTH = dp(150)
"""Width of the labels of stakes."""


class StakesPage(Card):
    """A row for each thing that is agreed."""

    def __init__(self, controller: Controller[Home]) -> None:
        super().__init__()
        do = controller.do
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.done = Press(
            " ", main=True, act=lambda: do(Home.step_back), size_hint_x=None, width=theme.TOUCH * 2
        )
        head = layout.row(self.title, self.done, height=theme.TOUCH)
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
        self.base.text, self.tai.text = f"底 {write_number(stakes.base)}", f"台 {write_number(stakes.unit)}"
        of_point, of_unit = words("Value of one point"), wording.name_unit(rules, words)
        self._unit.name(of_point if counts_points(rules) else words("Value of one {unit}", unit=of_unit))
        self._offer(self.unit, list(map(str, UNITS)), str(stakes.unit))
        self.own_unit.show(None, words, title=self._unit.label.text, none=words("Other …"))
        self._symbol.name(words("Currency"))
        self._point.name(of_point)
        self._coin.name(words("Smallest coin"))
        self.currency.show(currency, words, none=words("Points only"))
        self._cap.name(words("Limit of each player's share of a win"))
        caps = [(str(cap), write_amount(cap, currency, words)) for cap in list_caps(house, agreed)]
        self.cap.offer([("", words("no limit")), *caps], str(agreed.cap or ""))
        wins = list_wins(house, agreed)
        said = [wording.say_rounded_limit(agreed, words)]
        said += [wording.say_win(win, currency, words) for win in wins]
        self.costs.text = "\n".join(filter(None, said))

    def _offer(self, choices: Choices, offered: Sequence[str], chosen: str) -> None:
        """These and what is chosen, smaller numbers first."""
        known = sorted({*offered, chosen}, key=lambda each: [Decimal(part) for part in each.split("/")])
        shown = [" / ".join(write_number(int(part)) for part in each.split("/")) for each in known]
        choices.offer(list(zip(known, shown, strict=True)), chosen)

    def _fill(self, rows: list[Row]) -> None:
        inside = self._column.inside
        if inside.children[::-1] != rows:
            inside.clear_widgets()
            for row in rows:
                inside.add_widget(row)


class Row(BoxLayout):
    """What is agreed, with its choices. In a wide window its name is next to them, unless several fields need
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
        """Fewer choices side by side where the window is narrow."""
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
