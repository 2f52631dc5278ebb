"""The list of hands with running totals, and the result of a hand: tiles, score, payments, picture,
corrections."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image
from kivy.uix.recycleview.views import RecycleDataViewBehavior

from companion.app.feature import Controller, View
from companion.app.sheet.state import SheetState
from companion.app.sheet.wording import NOT_SURE, describe_old
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text, TouchCard
from companion.app.widgets.cards import RowCard, open_row_card
from companion.app.widgets.last_hand import describe_paid_kongs
from companion.app.widgets.listing import ROW_SIZE, Listing
from companion.app.widgets.name_tag import NameTag, SumRow, measure_name
from companion.app.widgets.stage import texture_of
from companion.app.widgets.tiles import Group, TileStrip, TileText
from companion.errors import PictureError
from companion.files import read_whole
from companion.money import describe_currency, format_money
from companion.rules import Score
from companion.rules.rule_set import ScoreLine
from companion.sentences import write_number
from companion.sheets.figures import BestHand
from companion.sheets.hands import Correction, Sheet, SheetHand, SheetWin
from companion.sheets.wording import (
    NEW_TOTAL,
    describe_deal,
    describe_hand,
    describe_rules,
    describe_win,
    name_lines,
    name_row,
    name_seated,
    write_line,
    write_points,
    write_share,
)
from companion.table.settling import settle_up
from companion.vision.pictures import FRAME, decode_photo
from companion.words import Words

log = logging.getLogger(__name__)

WIN_TILE = dp(58)
LINES_GROW, TILES_GROW = 1.5, 1.9
"""How much larger than usual the lines and the tiles of a short result become."""
HEAD_LINES = 4
"""What is above and below the lines of a win is as high as this many of them."""
PICTURE_HEIGHT = dp(200)
SIDE_WIDTH = dp(380)


class ResultPane(BoxLayout):
    """Two columns in a wide window, one in a narrow one."""

    def __init__(self, controller: Controller[SheetState]) -> None:
        super().__init__(spacing=theme.GAP)
        self._controller = controller
        self.lines: list[WinLine] = []
        self.compares: list[Press] = []
        self.pictures: list[TouchPicture] = []
        self._shown: object = None
        self._grows = 1.0

    def show(self, view: View[SheetState], names: Sequence[str]) -> None:
        state, words, hand = view.state, view.words, view.state.hand
        if hand is None or state.sheet is None:
            return
        wide = view.size[0] >= WIDE_FROM
        self._grows = _find_growth(hand, view.size)
        shown = hand, state.sheet, state.pictures, state.doubts, words, wide, self._grows
        if shown == self._shown:
            return
        self._shown = shown
        self.clear_widgets()
        self.lines, self.compares, self.pictures = [], [], []
        left, right = Column(), Column()
        self._fill_wins(left.inside, state, hand, names, words)
        side = right.inside if wide else left.inside
        self._fill_side(side, state, hand, names, words)
        self.add_widget(left)
        if wide:
            right.size_hint_x, right.width = None, max(SIDE_WIDTH, view.size[0] * 0.32)
            self.add_widget(right)

    def _fill_wins(
        self, column: BoxLayout, state: SheetState, hand: SheetHand, names: Sequence[str], words: Words
    ) -> None:
        assert state.sheet is not None
        if not hand.wins:
            column.add_widget(
                Text(describe_hand(hand, names, words), size=theme.TEXT_HUGE, colour=theme.GOLD)
            )
        for win in hand.wins:
            column.add_widget(Text(describe_win(win, names, words), size=theme.TEXT_HUGE, colour=theme.GOLD))
            if win.number in state.doubts:
                column.add_widget(Text(words(NOT_SURE), colour=theme.UNSURE))
            groups = group_win(win)
            if groups:
                tile = WIN_TILE * min(1 + (self._grows - 1) * 2, TILES_GROW)
                column.add_widget(TileStrip(groups, tile_width=tile))
            for line in win.score.lines:
                explain = partial(open_row_card, state.sheet.rules, line.id, words, groups, win.score.table)
                row = WinLine(win.score, line, words, explain)
                row.height = theme.TOUCH * self._grows
                self.lines.append(row)
                column.add_widget(row)
            for share in win.score.shares:
                payer = names[(hand.after.hand or hand.after).seated[share.payer]]
                said = " · ".join((payer, *name_lines(share.lines, win.score, words)))
                paid = write_share(win.score, share, words)
                column.add_widget(SumRow(said, paid, theme.TEXT_LARGE, theme.TOUCH * self._grows))
        kongs = describe_paid_kongs(hand.after, words)
        if kongs:
            column.add_widget(Text(kongs))
        column.add_widget(Text(describe_deal(hand, state.sheet.rules, names, words), colour=theme.IVORY_DIM))

    def _fill_side(
        self, column: BoxLayout, state: SheetState, hand: SheetHand, names: Sequence[str], words: Words
    ) -> None:
        sheet = state.sheet
        assert sheet is not None
        for number, path in state.pictures:
            if any(number == win.number for win in hand.wins):
                picture = TouchPicture(path, partial(self._show_picture, number))
                self.pictures.append(picture)
                column.add_widget(picture)
        settlement = settle_up(hand.after, sheet.state.currency)
        for person in sheet.people:
            has = [words(NEW_TOTAL, points=write_number(hand.totals[person]))]
            if settlement is not None:
                has.append(format_money(settlement.amounts[person], settlement.currency))
            card = _make_person(names[person], hand.points[person], has)
            card.height = theme.TOUCH * self._grows
            column.add_widget(card)
        numbers = {number for number, _ in hand.events}
        for correction in sheet.corrections:
            if correction.number in numbers:
                self._add_correction(column, correction, hand, names, words)

    def _add_correction(
        self, column: BoxLayout, correction: Correction, hand: SheetHand, names: Sequence[str], words: Words
    ) -> None:
        card = Card(size_hint_y=None, colour=theme.PANEL_RAISED)
        card.bind(minimum_height=card.setter("height"))
        card.add_widget(Text(words("Recorded originally:"), colour=theme.IVORY_DIM))
        old = TileText()
        before = _find_before(hand, correction)
        old.say(describe_old(correction.was, before, names), words)
        card.add_widget(old)
        compare = Press(
            words("Compare both"),
            act=lambda: self._controller.do(lambda state: state.compare(correction)),
        )
        self.compares.append(compare)
        card.add_widget(compare)
        column.add_widget(card)

    def _show_picture(self, number: int) -> None:
        self._controller.do(lambda state: state.show_picture(number))


class WinLine(TouchCard):
    """One line of a score; touched, it is explained."""

    def __init__(self, score: Score, line: ScoreLine, words: Words, explain: partial[RowCard]) -> None:
        super().__init__(
            orientation="horizontal", size_hint_y=None, height=theme.TOUCH, padding=(theme.PAD, 0),
            colour=theme.PANEL_RAISED,
        )  # fmt: skip
        first, second = name_row(line, words)
        times = f" × {line.count}" if line.count > 1 else ""
        self._explain = explain
        self.explanation: RowCard | None = None
        self.add_widget(Tag(first + times, size=theme.TEXT_LARGE, size_hint_x=2))
        self.add_widget(Tag(second, colour=theme.IVORY_DIM))
        self.add_widget(
            Tag(write_line(line, score.sign, score), size=theme.TEXT_LARGE, align="right", size_hint_x=0.6)
        )

    def on_release(self) -> None:
        self.explanation = self._explain()


class TouchPicture(ButtonBehavior, Image):
    """The picture of a winning hand, to be touched; one that cannot be read has no height."""

    def __init__(self, path: Path, act: partial[None]) -> None:
        super().__init__(size_hint_y=None, height=0, fit_mode="contain")
        try:
            self.texture = texture_of(decode_photo(read_whole(path, FRAME.file_bytes), FRAME, path).pixels)
            self.height = PICTURE_HEIGHT
        except (OSError, PictureError):
            log.warning("the picture %s is not shown", path, exc_info=True)
        self._act = act

    def on_release(self) -> None:
        self._act()


def _find_growth(hand: SheetHand, size: tuple[float, float]) -> float:
    """How much larger than usual its lines can be in a window of that size."""
    if size[0] < WIDE_FROM:
        return 1.0
    lines = sum(len(win.score.lines) + len(win.score.shares) + HEAD_LINES for win in hand.wins) or HEAD_LINES
    room = size[1] - theme.BAR_HEIGHT - 2 * theme.TOUCH
    return float(min(max(room / (lines * (theme.TOUCH + theme.GAP)), 1.0), LINES_GROW))


def group_win(win: SheetWin | BestHand) -> list[Group]:
    """The winning hand as drawn tiles: concealed, the winning tile apart and ringed, melds, flowers."""
    concealed = [(code, False) for code in win.concealed]
    groups: list[Group] = []
    if win.tile is not None and concealed:
        groups += [concealed[:-1], [(concealed[-1][0], True)]]
    elif concealed:
        groups.append(concealed)
    groups += [[(code, False) for code in meld] for meld in win.melds]
    if win.flowers:
        groups.append([(code, False) for code in win.flowers])
    return groups


def _make_person(name: str, points: int, has: Sequence[str]) -> Card:
    """has: what the person has then, a line each."""
    card = Card(
        orientation="horizontal", size_hint_y=None, height=theme.TOUCH, padding=(theme.PAD, 0),
        colour=theme.PANEL_RAISED,
    )  # fmt: skip
    colour = theme.GAIN if points > 0 else theme.LOSS if points < 0 else theme.IVORY_DIM
    card.add_widget(NameTag(name, size=theme.TEXT_LARGE, size_hint_x=1.5))
    card.add_widget(Tag(write_points(points), size=theme.TEXT_HUGE, colour=colour, align="right"))
    lines = layout.column(padding=(0, theme.GAP / 2), spacing=0)
    for line in has:
        lines.add_widget(Tag(line, colour=theme.IVORY_DIM, align="right"))
    card.add_widget(lines)
    return card


def _find_before(hand: SheetHand, correction: Correction):  # type: ignore[no-untyped-def]
    """The state before the event that was corrected."""
    from companion.table.apply import apply

    state = hand.before
    for number, event in hand.events:
        if number >= correction.number:
            break
        state = apply(state, event)
    return state


ROW_HEIGHT, CARD_HEIGHT = dp(124), dp(192)
"""Of a hand in a wide window, and in a narrow one, where the payments stand below."""
TILES_HEIGHT = dp(44)
"""How much of it is the hand's tiles."""
POINTS_HEIGHT, LOW_POINTS_HEIGHT = dp(64), dp(28)
POINTS_PART = 0.4
"""Width share of the points columns in rows and header."""
NAME_LINES_MOST, TOTAL_LINES = 4.8, 1.5
"""The heights of a name of three or four lines and of a total, in sizes of their letters."""
WIDE_FROM = dp(900)
PICTURE_WIDTH = dp(150)
FACE_WIDTH = dp(34)


class Form(StrEnum):
    """How the hands are listed."""

    WIDE = "wide"
    """What each person got stands next to the hand."""
    NARROW = "narrow"
    """It stands below."""
    LOW = "low"
    """Below in one line, so that several hands are in sight."""


def _choose_form(size: tuple[float, float]) -> Form:
    if size[0] >= WIDE_FROM:
        return Form.WIDE
    return Form.LOW if size[0] > size[1] else Form.NARROW


def _measure_row(hand: SheetHand, form: Form, pictures: dict[int, Path]) -> float:
    """The height of a hand's row, px: less without tiles and without a picture."""
    has_tiles = any(group_win(win) or win.number in pictures for win in hand.wins[:1])
    if form is Form.WIDE:
        return float(ROW_HEIGHT if has_tiles else ROW_HEIGHT - TILES_HEIGHT)
    spared = POINTS_HEIGHT - LOW_POINTS_HEIGHT if form is Form.LOW else 0
    return float(CARD_HEIGHT - spared - (0 if has_tiles else TILES_HEIGHT))


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
        form = _choose_form(view.size)
        wide = form is Form.WIDE
        pictures = dict(view.state.pictures)
        doubts = view.state.doubts
        shown = sheet, words, form, view.state.pictures, doubts, view.size[0]
        if shown == self._shown:
            return
        self._shown = shown
        self.clear_widgets()
        if sheet is None or not sheet.hands:
            self.nothing.text = words("No hand has been played yet.") if sheet else ""
            self.add_widget(self.nothing)
            return
        names = name_seated(sheet, words)
        self.totals.show(sheet, names, words, view.size[0], form)
        self.list.row_height = ROW_HEIGHT if wide else CARD_HEIGHT
        self.list.data = [
            {
                "content": (sheet, place, words, form, names, pictures, doubts),
                "open": self._open,
                ROW_SIZE: (None, _measure_row(sheet.hands[place], form, pictures)),
            }
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

    def show(self, sheet: Sheet, names: Sequence[str], words: Words, width: float, form: Form) -> None:
        """width: of the window, px."""
        wide, low = form is Form.WIDE, form is Form.LOW
        self.clear_widgets()
        column_width = width * (POINTS_PART if wide else 1) / len(sheet.people) - 2 * theme.GAP
        high = max(measure_name(names[person], theme.TEXT_SMALL, column_width) for person in sheet.people)
        high = min(high, NAME_LINES_MOST * theme.TEXT_SMALL)
        settlement = settle_up(sheet.state)
        money_height = 0.0 if settlement is None else TOTAL_LINES * theme.TEXT
        below = 0.0 if low else money_height
        self.height = high + TOTAL_LINES * theme.TEXT_LARGE + below + 2 * theme.GAP
        if wide:
            about, currency = [describe_rules(sheet, words)], sheet.state.currency
            if currency is not None:
                about.append(words.say(describe_currency(currency)))
            self.about.text = " · ".join(about)
            self.add_widget(self.about)
        columns = layout.row(spacing=theme.GAP / 2, size_hint_x=POINTS_PART)
        self.people = []
        for person in sheet.people:
            name = NameTag(names[person], size=theme.TEXT_SMALL, align="center")
            points = Tag(
                write_number(sheet.state.points[person]), size=theme.TEXT_LARGE, align="center",
                colour=theme.GOLD, size_hint_y=None, height=TOTAL_LINES * theme.TEXT_LARGE,
            )  # fmt: skip
            place = layout.row if low else layout.column
            has = place(points, spacing=0, height=points.height + below)
            if settlement is not None:
                said = format_money(settlement.amounts[person], settlement.currency)
                height = points.height if low else money_height
                has.add_widget(
                    Tag(said, least=theme.TEXT_TINY, align="center", size_hint_y=None, height=height)
                )
            column = layout.column(name, has, spacing=0)
            self.people.append(name)
            columns.add_widget(column)
        self.add_widget(columns)


class HandRow(RecycleDataViewBehavior, TouchCard):
    """One hand: number and deal, what happened, the winning hand, what each person got."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(padding=theme.GAP, spacing=theme.GAP / 2, **kwargs)
        self._open: Any = None
        self.place = 0
        self.number = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD, size_hint_x=None, width=dp(44))
        self.deal = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.what = Tag(size=theme.TEXT)
        self._tiles = TileStrip(tile_width=FACE_WIDTH, size_hint_y=2)
        self._middle = layout.column(spacing=theme.GAP / 4)
        self._points = layout.row(spacing=theme.GAP / 2)
        self.people: list[PersonPoints] = []
        self._told = layout.row()
        self._top = layout.row()
        self._picture = Image(fit_mode="contain", size_hint_x=None, width=PICTURE_WIDTH)

    def refresh_view_attrs(self, _: Any, index: int, data: dict[str, Any]) -> None:
        sheet, self.place, words, form, names, pictures, doubts = data["content"]
        wide = form is Form.WIDE
        self._open = data["open"]
        hand: SheetHand = sheet.hands[self.place]
        counts = hand.number and not hand.abandoned
        self.number.text = str(hand.number) if counts else "–" if hand.number else ""
        self.deal.text = describe_deal(hand, sheet.rules, names, words)
        is_unsure = any(win.number in doubts for win in hand.wins)
        said = describe_hand(hand, names, words)
        self.what.text = f"{said} · {words('not sure')}" if is_unsure else said
        self.what.color = theme.UNSURE if is_unsure else theme.IVORY
        self._show_points(sheet, hand, "horizontal" if form is Form.LOW else "vertical")
        for box in (self, self._middle, self._told, self._top):
            box.clear_widgets()
        groups = group_win(hand.wins[0]) if hand.wins else []
        for child in (self.what, *([self._tiles] if groups else []), self.deal):
            self._middle.add_widget(child)
        self._tiles.show(groups)
        self._told.add_widget(self.number)
        self._told.add_widget(self._middle)
        self._told.size_hint_x = 1 - POINTS_PART if wide else 1
        self._points.size_hint = (POINTS_PART, 1) if wide else (1, None)
        self._points.height = LOW_POINTS_HEIGHT if form is Form.LOW else POINTS_HEIGHT
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

    def _show_points(self, sheet: Sheet, hand: SheetHand, orientation: str) -> None:
        if len(self.people) != len(sheet.people):
            self.people = [PersonPoints() for _ in sheet.people]
            self._points.clear_widgets()
            for each in self.people:
                self._points.add_widget(each)
        for column, person in zip(self.people, sheet.people, strict=True):
            column.orientation = orientation
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
        self._got.text, self._total.text = write_points(got), write_number(total)
        self._got.color = theme.GAIN if got > 0 else theme.LOSS if got < 0 else theme.IVORY_DIM
