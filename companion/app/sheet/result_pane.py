"""How a hand ended: the winning tiles, every line of the score, who paid what, the picture, and what was put
right."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image

from companion.app.feature import Controller, View
from companion.app.sheet.state import SheetState
from companion.app.sheet.wording import NOT_SURE, describe_old
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text
from companion.app.widgets.last_hand import describe_paid_kongs
from companion.app.widgets.name_tag import NameTag
from companion.app.widgets.outlines import texture_of
from companion.app.widgets.row_card import RowCard, open_row_card
from companion.app.widgets.sum_row import SumRow
from companion.app.widgets.tile_strip import Group, TileStrip
from companion.app.widgets.tile_text import TileText
from companion.errors import PictureError
from companion.files import read_whole
from companion.money import format_money
from companion.rules import Score
from companion.rules.rule_set import ScoreLine
from companion.sheets.hands import Correction, SheetHand, SheetWin
from companion.sheets.wording import (
    NEW_TOTAL,
    describe_deal,
    describe_hand,
    describe_win,
    name_lines,
    say_line,
    say_points,
    say_share,
    say_total,
)
from companion.table.settling import settle_up
from companion.vision.pictures import FRAME, decode_photo
from companion.words import Words

log = logging.getLogger(__name__)

WIN_TILE = dp(58)
LINES_GROW, TILES_GROW = 1.5, 1.9
"""How much larger than usual the lines and the tiles of a short result become."""
HEAD_LINES = 4
"""What is above and below the lines of a win is as high as so many of them."""
PICTURE_HEIGHT = dp(200)
SIDE_WIDTH = dp(380)
WIDE_FROM = dp(900)


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
                paid = SumRow(said, say_share(win.score, share, words), theme.TEXT_LARGE)
                paid.height = theme.TOUCH * self._grows
                column.add_widget(paid)
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
            has = [words(NEW_TOTAL, points=say_total(hand.totals[person]))]
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
        card.add_widget(Text(words("Recorded at first:"), colour=theme.IVORY_DIM))
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


class WinLine(ButtonBehavior, Card):
    """One line of a score; touched, it is explained."""

    def __init__(self, score: Score, line: ScoreLine, words: Words, explain: partial[RowCard]) -> None:
        super().__init__(
            orientation="horizontal", size_hint_y=None, height=theme.TOUCH, padding=(theme.PAD, 0),
            colour=theme.PANEL_RAISED,
        )  # fmt: skip
        first, second = words.both(line.name, line.name_zh)
        times = f" × {line.count}" if line.count > 1 else ""
        self._explain = explain
        self.explanation: RowCard | None = None
        self.add_widget(Tag(first + times, size=theme.TEXT_LARGE, size_hint_x=2))
        self.add_widget(Tag(second, colour=theme.IVORY_DIM))
        self.add_widget(
            Tag(say_line(line, score.sign, score), size=theme.TEXT_LARGE, align="right", size_hint_x=0.6)
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


def group_win(win: SheetWin) -> list[Group]:
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
    card.add_widget(Tag(say_points(points), size=theme.TEXT_HUGE, colour=colour, align="right"))
    lines = BoxLayout(orientation="vertical", padding=(0, theme.GAP / 2))
    for line in has:
        lines.add_widget(Tag(line, colour=theme.IVORY_DIM, align="right"))
    card.add_widget(lines)
    return card


def _find_before(hand: SheetHand, correction: Correction):  # type: ignore[no-untyped-def]
    """The state before the event that was put right."""
    from companion.table.apply import apply

    state = hand.before
    for number, event in hand.events:
        if number >= correction.number:
            break
        state = apply(state, event)
    return state
