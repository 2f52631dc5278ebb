"""The score sheet's page and its parts without a hand: figures, settling up and its currency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace as replace_field
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.image import Image
from kivy.uix.widget import Widget
from msgspec.structs import replace

from companion.app.feature import Controller, View
from companion.app.sheet.hand_page import HandPage
from companion.app.sheet.hands_pane import HandsPane, group_win
from companion.app.sheet.state import (
    EVENINGS,
    FIGURES,
    HANDS,
    SETTLING,
    AllEvenings,
    SheetState,
    list_marked,
)
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text, adopt, line_up
from companion.app.widgets.fields import CurrencyRows, Pick, TouchList
from companion.app.widgets.game_words import name_rules
from companion.app.widgets.name_tag import NameTag, measure_name
from companion.app.widgets.plots import BarRow, LinePlot, Mark, mark_person
from companion.app.widgets.tiles import TileStrip
from companion.money import Currency, describe_currency, find_problem, format_money, with_point
from companion.sentences import msgid
from companion.sheets.figures import (
    DEALS_IN_A_ROW,
    Evening,
    ManyEvenings,
    MoneyRanking,
    PatternCount,
    PersonFigures,
    Selection,
    WonMoney,
    find_photo,
)
from companion.sheets.hands import Sheet
from companion.sheets.wording import (
    SAME_EVENING,
    describe_best,
    describe_played,
    join_rows,
    name_seated,
    write_points,
    write_settlement,
    write_transfer,
)
from companion.table.settling import POINTS as POINTS_CURRENCY
from companion.table.settling import Settlement, settle_up
from companion.words import Words

FIGURE_HEIGHT = dp(40)
WIDE_FROM = dp(900)
PATTERNS_MOST = 14
PEOPLE_MOST = 12
PHOTO_HEIGHT = dp(180)
POINTS, MONEY, EVENINGS_PLAYED = msgid("Points"), msgid("Money"), msgid("Evenings")
HEADS = (
    msgid("Wins"), msgid("Self-draws"), msgid("Deal-ins"), msgid("Hands played"), DEALS_IN_A_ROW,
)  # fmt: skip


class SeasonChoice:
    """Which evenings are added up: one choice each for when, what was played, and who played. A choice with
    one answer is not offered."""

    def __init__(self, select: Callable[[Selection], None]) -> None:
        self._select = select
        self._selection = Selection()
        self.year = Pick(
            lambda key: self._choose(replace_field(self._selection, year=int(key) if key else None))
        )
        self.rules = Pick(lambda key: self._choose(replace_field(self._selection, rules=key or None)))
        self.people = Pick(lambda key: self._choose(replace_field(self._selection, people=self._find(key))))
        self._groups: list[tuple[str, ...]] = []

    def show(self, evenings: ManyEvenings, selection: Selection, words: Words) -> list[Pick]:
        """Those that have something to choose."""
        self._selection = selection
        years = sorted({each.year for each in evenings.counted if each.year is not None}, reverse=True)
        rules = Counter(each.rules for each in evenings.counted)
        people = Counter(each.people for each in evenings.counted if each.people)
        self._groups = [group for group, _ in people.most_common()]
        offered = []
        titles = [(each, name_rules(each, words)) for each, _ in rules.most_common()]
        groups = [(str(at), words.join(group)) for at, group in enumerate(self._groups)]
        group = self._groups.index(selection.people) if selection.people in self._groups else None
        for pick, every, options, chosen in (
            (self.year, words("All years"), [(str(year), str(year)) for year in years], selection.year),
            (self.rules, words("All rule sets"), titles, selection.rules),
            (self.people, words("Everyone"), groups, group),
        ):
            pick.offer([("", every), *options], "" if chosen is None else str(chosen))
            if len(options) > 1 or chosen is not None:
                offered.append(pick)
        return offered

    def _find(self, key: str) -> tuple[str, ...] | None:
        return self._groups[int(key)] if key else None

    def _choose(self, selection: Selection) -> None:
        self._select(selection)


class FiguresPane(Column):
    """One column; in a wide window the bars stand side by side."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__()
        self._shown: object = None
        self._more: Sequence[Press] = ()
        self.choice = SeasonChoice(
            lambda selection: controller.do(
                lambda state: state.in_evenings(lambda evenings: evenings.select(selection))
            )
        )

    def offer(self, more: Sequence[Press]) -> None:
        """Have these buttons beside the choice of evenings."""
        if list(more) != list(self._more):
            self._more, self._shown = more, None

    def show(self, view: View[SheetState]) -> None:
        state, words, evenings = view.state, view.words, view.state.evenings
        season = evenings.season if state.part == EVENINGS else None
        figures = state.figures if state.part != EVENINGS else None
        shown = season, figures, words, view.size, state.part, evenings.marked
        if shown == self._shown:
            return
        self._shown = shown
        self.inside.clear_widgets()
        wide = view.size[0] >= WIDE_FROM
        height = max(dp(200), view.size[1] * 0.36)
        if season is not None and evenings.all is not None:
            self._add_season(season, evenings, words, height, wide=wide)
        elif figures is not None and state.sheet is not None:
            sheet = state.sheet
            seated = name_seated(sheet, words)
            people = tuple(figures.people[person] for person in sheet.people)
            marks = [mark_person(evenings.marked.index(key)) for key in list_marked(sheet)]
            shown_people = Shown(people, [seated[person] for person in sheet.people], marks)
            currency = sheet.state.currency
            settlement = settle_up(sheet.state)
            money = [settlement.amounts[person] for person in sheet.people] if settlement else []
            self.inside.add_widget(Text(words("Points after each hand"), colour=theme.GOLD))
            self.inside.add_widget(_make_plot(figures.totals, sheet.people, marks, height))
            self.inside.add_widget(_make_table(shown_people, words, currency, money))
            self._add_wins(*shown_people, figures.patterns, words, wide=wide)

    def _add_season(
        self, season: ManyEvenings, evenings: AllEvenings, words: Words, height: float, *, wide: bool
    ) -> None:
        assert evenings.all is not None
        inside = self.inside
        picks = self.choice.show(evenings.all, evenings.selection, words)
        if picks or self._more:
            inside.add_widget(make_row(*picks, *self._more))
        if not evenings.all.people:
            nothing = words("Named players appear here once they have played a hand.")
            inside.add_widget(Text(nothing, colour=theme.IVORY_DIM))
            return
        counts = words("{count} games", count=season.evenings), words("{count} hands", count=season.hands)
        inside.add_widget(Text(" · ".join(counts), size=theme.TEXT_LARGE, colour=theme.GOLD))
        if not season.games:
            inside.add_widget(Text(words("No game found."), colour=theme.IVORY_DIM))
            return
        for ranking in season.money:
            self._add_money(ranking, evenings.marked, words, height)
        for game in season.games:
            inside.add_widget(Text(describe_played(game, words), colour=theme.GOLD))
            shown = _mark_people(game.people, evenings.marked)
            inside.add_widget(_make_table(shown, words, game.currency, game.money, has_evenings=True))
            if game.evenings > 1:
                inside.add_widget(Text(words("Points after each evening"), colour=theme.IVORY_DIM))
                inside.add_widget(_make_plot(game.totals, range(len(shown.people)), shown.marks, height))
            if game.best is not None:
                inside.add_widget(_make_best(game.best, words))
        self._add_wins(*_mark_people(season.people, evenings.marked), season.patterns, words, wide=wide)
        for name, other in season.same:
            same = words(SAME_EVENING, name=name, other=other)
            inside.add_widget(Text(same, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))

    def _add_money(self, ranking: MoneyRanking, marked: Sequence[str], words: Words, height: float) -> None:
        """Who has won how much; as lines too where that is not what the points of one game say."""
        people = ranking.people[:PEOPLE_MOST]
        marks = [mark_person(marked.index(one.name)) for one in people]
        self.inside.add_widget(_make_money_card(ranking, people, marks, words))
        if ranking.games > 1:
            self.inside.add_widget(Text(words("Money after each evening"), colour=theme.IVORY_DIM))
            totals = [[float(paid) for paid in total] for total in ranking.totals]
            self.inside.add_widget(_make_plot(totals, range(len(people)), marks, height))

    def _add_wins(
        self,
        people: Sequence[PersonFigures],
        names: Sequence[str],
        marks: Sequence[Mark],
        patterns: Sequence[PatternCount],
        words: Words,
        *,
        wide: bool,
    ) -> None:
        """Deal-ins and winning patterns."""
        inside = self.inside
        given = _make_card(words("Deal-ins by player"))
        most = max((one.given for one in people), default=0)
        for one, name, mark in zip(people, names, marks, strict=True):
            given.add_widget(BarRow(name, one.given, most, colour=mark.colour))
        won = _make_card(words("Winning patterns"))
        counted: Counter[str] = Counter()
        for each in patterns:  # of several games, whose rows can have one name
            counted[words.both(each.name, each.name_zh)[0]] += each.wins
        most = max(counted.values(), default=0)
        for row_name, wins in counted.most_common(PATTERNS_MOST):
            won.add_widget(BarRow(row_name, wins, most))
        for card in (won, given):
            card.add_widget(Widget())  # below what is in it, where the other one is higher
        for row in line_up([won, given], 2 if wide else 1):
            inside.add_widget(row)
        for one, name, mark in zip(people, names, marks, strict=True):
            if one.patterns:
                said = words.join(
                    f"{words.both(each.name, each.name_zh)[0]} {each.wins}" for each in one.patterns[:6]
                )
                inside.add_widget(Text(f"{name}:  {said}", colour=mark.colour))


class Shown(NamedTuple):
    """People whose figures are shown, each with name and mark."""

    people: Sequence[PersonFigures]
    names: Sequence[str]
    marks: Sequence[Mark]


def _mark_people(people: Sequence[PersonFigures], marked: Sequence[str]) -> Shown:
    shown = people[:PEOPLE_MOST]
    return Shown(shown, [one.name for one in shown], [mark_person(marked.index(one.name)) for one in shown])


def _make_plot(
    totals: Sequence[Sequence[float]], people: Sequence[int], marks: Sequence[Mark], height: float
) -> LinePlot:
    plot = LinePlot(height=height)
    plot.show(totals, people, marks)
    return plot


def _make_table(
    shown: Shown,
    words: Words,
    currency: Currency | None,
    money: Sequence[Decimal],
    *,
    has_evenings: bool = False,
) -> GridLayout:
    """A row for each person, with the mark of that person's line. money: by person, with a currency."""
    heads = (POINTS, *([MONEY] if currency else []), *([EVENINGS_PLAYED] if has_evenings else []), *HEADS)
    grid = layout.grid(len(heads) + 1, height=FIGURE_HEIGHT * (len(shown.people) + 1), spacing=(theme.GAP, 0))
    for head in ("", *heads):
        tag = Tag(words(head) if head else "", size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, align="right")
        grid.add_widget(tag)
    for at, (one, name, mark) in enumerate(zip(*shown, strict=True)):
        grid.add_widget(NameTag(f"{mark.sign}\u00a0{name}", colour=mark.colour, size_hint_x=1.6))
        paid = [format_money(money[at], currency)] if currency else []
        evenings = [one.evenings] if has_evenings else []
        figures = (*evenings, one.wins, one.self_draws, one.given, one.hands, one.dealt)
        for figure in (write_points(one.points), *paid, *figures):
            grid.add_widget(Tag(str(figure), align="right"))
    return grid


def _make_money_card(
    ranking: MoneyRanking, people: Sequence[WonMoney], marks: Sequence[Mark], words: Words
) -> Card:
    """The ranking by money in one currency, the largest letters of the page."""
    card = _make_card(f"{words(MONEY)} · {ranking.symbol}")
    currency = Currency(ranking.symbol, "1", "1")
    for place, (one, mark) in enumerate(zip(people, marks, strict=True), start=1):
        colour = theme.GAIN if one.amount > 0 else theme.LOSS if one.amount < 0 else theme.IVORY_DIM
        evenings = words("{count} games", count=one.evenings)
        card.add_widget(
            layout.row(
                Tag(f"{place}.", size=theme.TEXT_LARGE, size_hint_x=None, width=dp(36)),
                NameTag(f"{mark.sign}\u00a0{one.name}", size=theme.TEXT_LARGE, colour=mark.colour),
                Tag(evenings, colour=theme.IVORY_DIM, align="right", size_hint_x=0.5),
                Tag(
                    format_money(one.amount, currency), size=theme.TEXT_LARGE, colour=colour, align="right",
                    size_hint_x=0.6,
                ),
                height=FIGURE_HEIGHT,
            )
        )  # fmt: skip
    card.size_hint_y, card.height = None, card.minimum_height
    card.bind(minimum_height=card.setter("height"))
    return card


def _make_best(evening: Evening, words: Words) -> Card:
    """The best hand: its photo if one was kept, else its tiles where they are known."""
    best = evening.best
    assert best is not None
    card = _make_card(words("Best hand"))
    card.add_widget(Text(describe_best(evening, words), size=theme.TEXT_LARGE))
    photo = find_photo(evening)
    if photo is not None:
        card.add_widget(Image(source=str(photo), fit_mode="contain", size_hint_y=None, height=PHOTO_HEIGHT))
    elif best.concealed or best.melds:
        card.add_widget(TileStrip(group_win(best), tile_width=theme.TILE_WIDTH_USUAL))
    card.add_widget(Text(join_rows(best.lines, evening.rules, words), colour=theme.IVORY_DIM))
    card.size_hint_y, card.height = None, card.minimum_height
    card.bind(minimum_height=card.setter("height"))
    return card


def _make_card(title: str) -> Card:
    card = Card(spacing=theme.GAP / 4)
    card.add_widget(Text(title, colour=theme.GOLD))
    return card


class NoGame(Column):
    """A sentence, and the button that leads to the list of games."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__()
        self.said = Text(colour=theme.IVORY_DIM)
        self.games = Press(" ", act=lambda: controller.do(SheetState.list_games), main=True)
        for child in (self.said, self.games):
            self.inside.add_widget(child)

    def show(self, view: View[SheetState]) -> None:
        words = view.words
        self.said.text = words("No game is open: choose a kept one, or start one at the table.")
        self.games.text = words("Games")


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
        self._build(words, has_labels_beside=width >= BESIDE_FROM, has_money=agreed is not None)
        self.rows.show(currency, words)
        problem = find_problem(currency)
        self.said.text = words.say(problem or describe_currency(currency))
        self.said.color = theme.UNSURE if problem else theme.GOLD
        self.agree.text = words("Settle in {currency}", currency=currency.symbol)
        self.agree.disabled = problem is not None

    def _build(self, words: Words, *, has_labels_beside: bool, has_money: bool) -> None:
        built = words, has_labels_beside, has_money
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
        leaving = (self.cancel, self.none) if has_money else (self.cancel,)
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
    row = layout.row(height=theme.TOUCH)
    for child in children:
        adopt(row, child)
    return row


SIDE_PART = 0.42
"""Of a wide window, for what everybody has won."""
AMOUNT_WIDTH = dp(210)
HUGE_LINES_MOST, LINE_HEIGHT = 2.9, 1.45
"""Who pays whom is in the largest letters if it fits in this number of lines; the height of a line."""
USUAL_HEIGHT, USUAL_WIDTH, GROWS_MOST = dp(600), dp(600), 1.5
"""Of a window, the width of one that is not wide. In a larger one the transfers are larger."""
NAME_PART, POINTS_PART, MONEY_PART = 1.5, 0.7, 1.0
"""Width shares of name, points and money in the list of results."""


class SettlePane(BoxLayout):
    """The game settled in its currency, or in points; while a currency is chosen, that choice."""

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
        self._row = layout.row(height=theme.TOUCH)

    def offer(self, more: Sequence[Press]) -> None:
        """Have these buttons below the settlement too, in a narrow window."""
        self._row.clear_widgets()
        for child in (self.about, self.change, self.copy, *more):
            adopt(self._row, child)

    def show(self, view: View[SheetState]) -> None:
        state, words, sheet = view.state, view.words, view.state.sheet
        if sheet is None:
            return
        if state.drafted is not None:
            self._shown = None
            self.choice.show(state.drafted, sheet.state.currency, words, view.size[0])
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
        settlement = settle_up(sheet.state, sheet.state.currency or POINTS_CURRENCY)
        assert settlement is not None
        names, (width, height), wide = name_seated(sheet, words), size, size[0] >= WIDE_FROM
        usual = height / USUAL_HEIGHT if wide else min(height / USUAL_HEIGHT, width / USUAL_WIDTH)
        grows = min(max(usual, 1.0), GROWS_MOST)
        self._text = write_settlement(sheet, settlement, name, words)
        paying, winning = Column(), Column()
        if not sheet.state.over:
            going_on = words("The game is not over: this is the current standing.")
            paying.inside.add_widget(Text(going_on, colour=theme.IVORY_DIM))
        room = width * (1 - SIDE_PART if wide else 1) - AMOUNT_WIDTH * grows - 6 * theme.PAD
        self._fill_transfers(paying.inside, settlement, names, words, room, grows)
        side, side_width = (winning, width * SIDE_PART) if wide else (paying, width)
        for person in sorted(sheet.people, key=lambda person: -settlement.points[person]):
            side.inside.add_widget(_make_person(person, settlement, names, side_width - 4 * theme.PAD))
        self.about.text = words.say(describe_currency(sheet.state.currency))
        self.change.text = words("Change …") if sheet.state.currency else words("In money …")
        self.copy.text = words("Copy")
        self.clear_widgets()
        panes = layout.row(paying)
        if wide:
            winning.size_hint_x = SIDE_PART / (1 - SIDE_PART)
            panes.add_widget(winning)
        self.add_widget(panes)
        self.add_widget(self._row)

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
            card = TransferCard(said, write_transfer(each.amount, settlement), room, grows)
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
    points = settlement.points[person]
    colour = theme.GAIN if points > 0 else theme.LOSS if points < 0 else theme.IVORY_DIM
    card.add_widget(NameTag(names[person], size=theme.TEXT_LARGE, size_hint_x=NAME_PART))
    shown = [(write_points(points), POINTS_PART)]
    if settlement.currency != POINTS_CURRENCY:
        shown.append((format_money(settlement.amounts[person], settlement.currency), MONEY_PART))
    for said, part in shown:
        card.add_widget(
            Tag(
                said, size=theme.TEXT_LARGE, least=theme.TEXT_TINY, colour=colour, align="right",
                size_hint_x=part,
            )
        )  # fmt: skip
    return card


TABS_ASIDE_FROM = dp(760)
SHARE_WIDTH = dp(130)
FORMS = (
    ("png", msgid("Picture for phones (PNG)")),
    ("pdf", msgid("For printing (PDF)")),
    ("csv", msgid("For a spreadsheet (CSV)")),
    ("json", msgid("For a program (JSON)")),
)


Pane = HandsPane | HandPage | SettlePane | FiguresPane | NoGame


class SheetPage(BoxLayout):
    """Above, which part is shown; below, that part. A hand that is shown takes the whole page."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(orientation="vertical", padding=theme.PAD, spacing=theme.GAP)
        self._controller = controller
        self.parts = Choices(lambda key: controller.do(lambda state: state.choose_part(key)))
        self.save = Press(" ", icon="down", act=self._offer_forms)
        self.forms = TouchList(auto_width=False, width=dp(280))
        self._first = layout.row(height=theme.TOUCH)
        self.hands = HandsPane(controller)
        self.hand = HandPage(controller)
        self.settling = SettlePane(controller)
        self.figures = FiguresPane(controller)
        self.no_game = NoGame(controller)
        self._arranged: object = None
        self._words: Words | None = None
        self._part = HANDS

    def show(self, view: View[SheetState]) -> None:
        state, words = view.state, view.words
        self._words, self._part = words, state.part
        settling = [(SETTLING, words("Settle up"))] if state.may_settle else []
        self.parts.offer(
            [
                (HANDS, words("Hands")), *settling, (FIGURES, words("Figures")),
                (EVENINGS, words("All evenings")),
            ],
            state.part,
        )  # fmt: skip
        self.save.text = words("Share …")
        self.save.disabled = state.sheet is None and state.part != EVENINGS
        pane = self._choose(state)
        self._arrange(pane, state.part, wide=view.size[0] >= TABS_ASIDE_FROM * theme.SCALE)
        pane.show(view)

    def _choose(self, state: SheetState) -> Pane:
        if state.part != EVENINGS and state.sheet is None and state.busy is None:
            return self.no_game
        if state.part in (FIGURES, EVENINGS):
            return self.figures
        if state.part == SETTLING and state.may_settle:
            return self.settling
        return self.hands if state.hand is None else self.hand

    def _arrange(self, pane: Pane, part: str, *, wide: bool) -> None:
        arranged = pane, part == EVENINGS, wide
        if self._arranged == arranged:
            return
        self._arranged = arranged
        self.clear_widgets()
        has_share_aside = wide or (pane is not self.settling and part != EVENINGS)
        if pane is not self.hand:
            self.save.size_hint_x, self.save.width = (None, SHARE_WIDTH) if has_share_aside else (1, 0)
            self._first.clear_widgets()
            adopt(self._first, self.parts)
            self.add_widget(self._first)
            if has_share_aside:
                adopt(self._first, self.save)
        share = () if has_share_aside else (self.save,)
        self.settling.offer(share if pane is self.settling else ())
        self.figures.offer(share if part == EVENINGS else ())
        self.add_widget(pane)

    def _offer_forms(self) -> None:
        words = self._words
        if words is None:
            return
        self.forms.clear_widgets()
        for form, said in FORMS:
            if form in ("png", "pdf") and self._part == EVENINGS:
                continue
            self.forms.add_widget(Press(words(said), act=partial(self._export, form)))
        self.forms.add_widget(Press(words("Phones and television"), act=self._show_phones))
        self.forms.open(self.save)

    def _show_phones(self) -> None:
        self.forms.dismiss()
        self._controller.do(SheetState.show_phones)

    def _export(self, form: str) -> None:
        self.forms.dismiss()
        words = self._words
        if words is not None:
            self._controller.do(lambda state: state.export(form, words))
