"""Every hand as a row, built when it comes into sight; running totals above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image
from kivy.uix.recycleview.views import RecycleDataViewBehavior

from companion.app.feature import Controller, View
from companion.app.sheet.result_pane import group_win
from companion.app.sheet.state import SheetState
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Tag, Text
from companion.app.widgets.listing import Listing
from companion.app.widgets.name_tag import NameTag, measure_name
from companion.app.widgets.tile_strip import TileStrip
from companion.money import describe_currency, format_money
from companion.sheets.hands import Sheet, SheetHand, SheetWin
from companion.sheets.wording import (
    describe_deal,
    describe_hand,
    describe_rules,
    name_seated,
    say_points,
    say_total,
)
from companion.table.settling import settle_up
from companion.words import Words

ROW_HEIGHT, CARD_HEIGHT = dp(124), dp(192)
"""Of a hand in a wide window, and in a narrow one, where the payments stand below."""
POINTS_HEIGHT = dp(64)
POINTS_PART = 0.4
"""Of a wide row, for what each person got: in all rows, and in the head above them."""
NAME_LINES_MOST, TOTAL_LINES = 4.8, 1.5
"""The heights of a name of three or four lines and of a total, in sizes of their letters."""
WIDE_FROM = dp(900)
PICTURE_WIDTH = dp(150)
FACE_WIDTH = dp(34)


class HandsPane(BoxLayout):
    """Totals, and the list of hands, the newest first."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._controller = controller
        self.totals = Totals()
        self.list = Listing(HandRow, row_height=ROW_HEIGHT, spacing=theme.GAP / 2)
        self.nothing = Text(colour=theme.IVORY_DIM)
        self._shown: object = None

    def show(self, view: View[SheetState]) -> None:
        sheet, words = view.state.sheet, view.words
        wide = view.size[0] >= WIDE_FROM
        pictures = dict(view.state.pictures)
        doubts = view.state.doubts
        shown = sheet, words, wide, view.state.pictures, doubts, view.size[0]
        if shown == self._shown:
            return
        self._shown = shown
        self.clear_widgets()
        if sheet is None or not sheet.hands:
            self.nothing.text = words("No hand has been played yet.") if sheet else ""
            self.add_widget(self.nothing)
            return
        names = name_seated(sheet, words)
        self.totals.show(sheet, names, words, view.size[0], wide=wide)
        self.list.row_height = ROW_HEIGHT if wide else CARD_HEIGHT
        self.list.data = [
            {"content": (sheet, place, words, wide, names, pictures, doubts), "open": self._open}
            for place in reversed(range(len(sheet.hands)))
        ]
        self.add_widget(self.totals)
        self.add_widget(self.list)

    def _open(self, place: int) -> None:
        self._controller.do(lambda state: state.open_hand(place))


class Totals(Card):
    """The head of the rows: which game it is, and each person's name and points, above the column of what
    that person got."""

    def __init__(self) -> None:
        super().__init__(orientation="horizontal", padding=theme.GAP, size_hint_y=None)
        self.about = Tag(size=theme.TEXT, colour=theme.IVORY_DIM, size_hint_x=1 - POINTS_PART)
        self.people: list[NameTag] = []

    def show(self, sheet: Sheet, names: Sequence[str], words: Words, width: float, *, wide: bool) -> None:
        """width: of the window, px."""
        self.clear_widgets()
        column_width = width * (POINTS_PART if wide else 1) / len(sheet.people) - 2 * theme.GAP
        high = max(measure_name(names[person], theme.TEXT_SMALL, column_width) for person in sheet.people)
        high = min(high, NAME_LINES_MOST * theme.TEXT_SMALL)
        settlement = settle_up(sheet.state)
        money_height = 0.0 if settlement is None else TOTAL_LINES * theme.TEXT
        self.height = high + TOTAL_LINES * theme.TEXT_LARGE + money_height + 2 * theme.GAP
        if wide:
            about, currency = [describe_rules(sheet, words)], sheet.state.currency
            if currency is not None:
                about.append(words.say(describe_currency(currency)))
            self.about.text = " · ".join(about)
            self.add_widget(self.about)
        columns = BoxLayout(spacing=theme.GAP / 2, size_hint_x=POINTS_PART)
        self.people = []
        for person in sheet.people:
            name = NameTag(names[person], size=theme.TEXT_SMALL, align="center")
            points = Tag(
                say_total(sheet.state.points[person]), size=theme.TEXT_LARGE, align="center",
                colour=theme.GOLD, size_hint_y=None, height=TOTAL_LINES * theme.TEXT_LARGE,
            )  # fmt: skip
            column = BoxLayout(orientation="vertical")
            for each in (name, points):
                column.add_widget(each)
            if settlement is not None:
                said = format_money(settlement.amounts[person], settlement.currency)
                money = Tag(
                    said, least=theme.TEXT_TINY, align="center", size_hint_y=None, height=money_height
                )
                column.add_widget(money)
            self.people.append(name)
            columns.add_widget(column)
        self.add_widget(columns)


class HandRow(RecycleDataViewBehavior, ButtonBehavior, Card):
    """One hand: number and deal, what happened, the winning hand, what each person got."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(padding=theme.GAP, spacing=theme.GAP / 2, **kwargs)
        self._open: Any = None
        self.place = 0
        self.number = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD, size_hint_x=None, width=dp(44))
        self.deal = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.what = Tag(size=theme.TEXT)
        self._tiles = TileStrip(tile_width=FACE_WIDTH, size_hint_y=2)
        self._middle = BoxLayout(orientation="vertical", spacing=theme.GAP / 4)
        self._points = BoxLayout(spacing=theme.GAP / 2)
        self.people: list[PersonPoints] = []
        self._told = BoxLayout(spacing=theme.GAP)
        self._top = BoxLayout(spacing=theme.GAP)
        self._picture = Image(fit_mode="contain", size_hint_x=None, width=PICTURE_WIDTH)

    def refresh_view_attrs(self, _: Any, index: int, data: dict[str, Any]) -> None:
        sheet, self.place, words, wide, names, pictures, doubts = data["content"]
        self._open = data["open"]
        hand: SheetHand = sheet.hands[self.place]
        counts = hand.number and not hand.abandoned
        self.number.text = str(hand.number) if counts else "–" if hand.number else ""
        self.deal.text = describe_deal(hand, sheet.rules, names, words)
        is_unsure = any(win.number in doubts for win in hand.wins)
        said = describe_hand(hand, names, words)
        self.what.text = f"{said} · {words('not sure')}" if is_unsure else said
        self.what.color = theme.UNSURE if is_unsure else theme.IVORY
        self._show_points(sheet, hand)
        for box in (self, self._middle, self._told, self._top):
            box.clear_widgets()
        for child in (self.what, self._tiles, self.deal):
            self._middle.add_widget(child)
        self._show_tiles(hand.wins[0] if hand.wins else None)
        self._told.add_widget(self.number)
        self._told.add_widget(self._middle)
        self._told.size_hint_x = 1 - POINTS_PART if wide else 1
        self._points.size_hint = (POINTS_PART, 1) if wide else (1, None)
        self._points.height = POINTS_HEIGHT
        taken = next((pictures[win.number] for win in hand.wins if win.number in pictures), None)
        if taken is not None:
            self._picture.source = str(taken)
            self._told.add_widget(self._picture)
        self._top.add_widget(self._told)
        if wide:
            self._top.add_widget(self._points)
        self.add_widget(self._top)
        if not wide:
            self.add_widget(self._points)

    def on_release(self) -> None:
        self._open(self.place)

    def _show_tiles(self, win: SheetWin | None) -> None:
        self._tiles.show([] if win is None else group_win(win))
        self._tiles.size_hint_y = 2 if win else None
        self._tiles.height = 0

    def _show_points(self, sheet: Sheet, hand: SheetHand) -> None:
        if len(self.people) != len(sheet.people):
            self.people = [PersonPoints() for _ in sheet.people]
            self._points.clear_widgets()
            for each in self.people:
                self._points.add_widget(each)
        for column, person in zip(self.people, sheet.people, strict=True):
            column.show(hand.points[person], hand.totals[person])


class PersonPoints(BoxLayout):
    """What one person got for a hand, and has after it."""

    def __init__(self) -> None:
        super().__init__(orientation="vertical")
        self._got = Tag(size=theme.TEXT_LARGE, align="center")
        self._total = Tag(size=theme.TEXT_SMALL, align="center", colour=theme.IVORY_DIM)
        for each in (self._got, self._total):
            self.add_widget(each)

    def show(self, got: int, total: int) -> None:
        self._got.text, self._total.text = say_points(got), say_total(total)
        self._got.color = theme.GAIN if got > 0 else theme.LOSS if got < 0 else theme.IVORY_DIM
