"""The pane with the score of a hand: the seats with their payments, the lines that count, and what each
means.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from kivy.graphics import Color, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget
from kivy.utils import escape_markup, get_hex_from_color

from companion.app.feature import Controller, View
from companion.app.score_photo import editing, open_tiles, photo
from companion.app.score_photo.game_win import OPEN_YET, ask, list_missing, list_winning
from companion.app.score_photo.hand_panes import MELD_NAMES
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Overlay, Press, Tag, Text, adopt
from companion.app.widgets.cards import RowCard
from companion.app.widgets.game_words import describe_option_set
from companion.app.widgets.name_tag import SumRow
from companion.app.widgets.tiles import TileFace, TileKey, TileStrip
from companion.money import Currency, describe_currency
from companion.photo_hand.draft import WinDraft
from companion.rules import RULE_SETS, GroupKind, HandReading, Score, ScoreLine, Share, Source
from companion.rules.messages import MAYBE_KONG
from companion.rules.rule_set import TIMES, Sign
from companion.rules.scoring import (
    converts,
    explain_hand,
    explain_paid,
    explain_share,
    value_before_conversion,
)
from companion.rules.win import Stakes, describe_stakes
from companion.sentences import Sentence, msgid, write_number
from companion.sheets.wording import name_row, write_line, write_points, write_worth
from companion.tiles import MeldKind, Tile
from companion.words import Words
from companion.words.tile_names import name_tile

SMALL_TILE = dp(32)
SOURCE_NAMES = {
    Source.SELF_DRAW: msgid("Self-draw"),
    Source.DISCARD: msgid("Discard"),
    Source.ROBBED_KONG: msgid("Robbed kong"),
}
PLACES = (
    {"center_x": 0.5, "y": 0},
    {"right": 1, "center_y": 0.5},
    {"center_x": 0.5, "top": 1},
    {"x": 0, "center_y": 0.5},
)
AMOUNT_WIDE = 5
"""Longer amounts are shown in smaller text."""
SEAT_WIDTH, SEAT_HEIGHT = dp(132), dp(76)
TABLE_HEIGHT = dp(240)
"""At the usual text size."""
ROW_PART = 0.243
"""Part of the width for a seat in a row."""
LINE_HEIGHT = dp(57)
TILE_WIDTH = dp(40)
VALUE_WIDTH = dp(72)
VERDICT_WIDTH = dp(72)
SEATS_WIDTH = dp(340)
TWO_COLUMNS_FROM = dp(700)
"""Minimum width for the seats around a table next to the lines; in a low pane they are in a row."""


def title_of(rules: str, words: Words) -> str:
    """The name of that game."""
    found = RULE_SETS[rules]
    return words.both(found.title, found.title_zh)[0]


def explain_row(line: ScoreLine, score: Score, words: Words) -> Overlay:
    """What the row means, with the hand it was found in and an example."""
    own = [] if score.reading is None else tiles_of(score.reading)
    groups = [[(tile.code, ringed) for tile, ringed in group] for group in own]
    return RowCard(score.rules, line.id, words, groups, score.table)


def small_tiles(groups: Sequence[Sequence[tuple[Tile, bool]]], width: float = SMALL_TILE) -> StackLayout:
    """Groups of drawn tiles without touch, each tile ringed or not."""
    row = StackLayout(size_hint_y=None, spacing=(theme.GAP, theme.GAP / 2))
    row.bind(minimum_height=row.setter("height"))
    for tiles in groups:
        step = width + theme.HAIRLINE
        box = BoxLayout(size_hint=(None, None), spacing=theme.HAIRLINE)
        box.size = len(tiles) * step, width / theme.TILE_ASPECT
        for tile, ringed in tiles:
            box.add_widget(TileFace(tile.code, width=width, ringed=ringed))
        row.add_widget(box)
    return row


def tiles_of(reading: HandReading) -> list[list[tuple[Tile, bool]]]:
    """The groups of the reading; each tile with whether a wild tile stands for it. Single tiles are one
    group."""
    groups: list[list[tuple[Tile, bool]]] = []
    alone: list[tuple[Tile, bool]] = []
    for group in reading.groups:
        left = list(group.wild)
        marked = []
        for tile in group.tiles:
            marked.append((tile, tile in left))
            if tile in left:
                left.remove(tile)
        if group.kind is GroupKind.SINGLE:
            alone += marked
        else:
            groups.append(marked)
    return [alone, *groups] if alone else groups


class SeatTable(FloatLayout):
    """The seats: 0 below, then counterclockwise right, across, left; or in a row, which is less high."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=TABLE_HEIGHT * theme.SCALE, **kwargs)
        with self.canvas.before:
            self._colour = Color(*theme.FELT)
            self._cloth = SmoothRoundedRectangle(radius=[theme.RADIUS])
        self.middle = Tag(align="center", size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        holder = AnchorLayout(size_hint=(0.3, 0.3), pos_hint={"center_x": 0.5, "center_y": 0.5})
        holder.add_widget(self.middle)
        self.add_widget(holder)
        self.seats = [Seat() for _ in PLACES]
        for seat in self.seats:
            self.add_widget(seat)
        self.bind(pos=self._place, size=self._place)
        self.arrange(in_a_row=False)

    def arrange(self, *, in_a_row: bool) -> None:
        """Arrange the seats around a table, or in a row."""
        self.height = SEAT_HEIGHT * theme.SCALE + theme.GAP if in_a_row else TABLE_HEIGHT * theme.SCALE
        self._colour.a = self.middle.opacity = 0 if in_a_row else 1
        for number, seat in enumerate(self.seats):
            seat.size_hint_x = ROW_PART if in_a_row else None
            seat.width = SEAT_WIDTH * theme.SCALE
            seat.pos_hint = {"x": number * (1 - ROW_PART) / 3, "top": 1} if in_a_row else PLACES[number]
        self.do_layout()

    def show(
        self, draft: WinDraft, payments: tuple[int, ...] | None, words: Words, names: Sequence[str]
    ) -> None:
        self.middle.text = words(SOURCE_NAMES[draft.source])
        for number, seat in enumerate(self.seats):
            seat.opacity = int(number in draft.seats)
            parts: list[str] = []
            if number == draft.dealer:
                parts.append(words("dealer"))
            if number == draft.winner:
                parts.append(words("wins"))
            elif draft.source is not Source.SELF_DRAW and number == draft.discarder:
                parts.append(words("discarded") if draft.source is Source.DISCARD else words("robbed"))
            seat.show(
                names[number],
                " · ".join(parts),
                payments[number] if payments else None,
                number == draft.winner,
            )

    def _place(self, *_: object) -> None:
        seat = self.seats[0]
        inset_x, inset_y = seat.width * 0.55, seat.height * 0.5
        self._cloth.pos = self.x + inset_x, self.y + inset_y
        self._cloth.size = max(self.width - 2 * inset_x, 1), max(self.height - 2 * inset_y, 1)


class Seat(Card):
    """One seat: its player and payment."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            size_hint=(None, None),
            size=(SEAT_WIDTH * theme.SCALE, SEAT_HEIGHT * theme.SCALE),
            padding=(theme.GAP / 2, theme.GAP / 4),
            spacing=0,
            **kwargs,
        )
        self.who = Tag(align="center", size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, least=theme.TEXT_TINY)
        self.amount = Tag(align="center", size=theme.TEXT_HUGE, bold=True)
        self.role = Tag(align="center", size=theme.TEXT_TINY, colour=theme.IVORY_DIM)
        names = BoxLayout(orientation="vertical", size_hint_y=0.95)
        names.add_widget(self.who)
        names.add_widget(self.role)
        self.add_widget(names)
        self.add_widget(self.amount)

    def show(self, who: str, role: str, payment: int | None, wins: bool) -> None:
        self.paint(theme.PANEL_PRESSED if wins else theme.PANEL_RAISED)
        self.who.text, self.role.text = who, role
        if payment is None:
            self.amount.text, self.amount.color = "–", theme.IVORY_DIM
        else:
            self.amount.text = write_points(payment)
            is_short = len(self.amount.text) <= AMOUNT_WIDE
            self.amount.usual_size = theme.TEXT_HUGE if is_short else theme.TEXT_LARGE
            self.amount.color = theme.GAIN if payment > 0 else theme.LOSS if payment < 0 else theme.IVORY_DIM


class ScorePane(Card):
    """Shows an Outcome: a score, a hand that does not win, or the missing entries."""

    def __init__(self, controller: Controller[ScorePhoto], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._controller = controller
        self._key: object = None
        self._kind: object = None
        self.total = Tag(size=theme.TEXT_HUGE, colour=theme.GOLD)
        self.verdict = Text(size=theme.TEXT)
        self.seats = SeatTable()
        self._head = BoxLayout(size_hint_y=None, height=dp(44))
        self._head.add_widget(self.total)
        self.column = Column(spacing=theme.GAP / 2, padding=(0, 0, theme.GAP, 0))
        self._side = AnchorLayout(size_hint_x=None, width=SEATS_WIDTH * theme.SCALE)
        self.rows: list[LineRow] = []
        self.waits: dict[str, TileKey] = {}
        self._names: tuple[Sentence, ...] = ()
        self._currency: Currency | None = None
        self._view: View[ScorePhoto] | None = None
        self.bind(size=lambda *_: self._view and self.show(self._view))

    def show(self, view: View[ScorePhoto]) -> None:
        draft, words, outcome = view.state.draft, view.words, view.state.outcome
        has_room = (
            self.width >= TWO_COLUMNS_FROM and self.height >= TABLE_HEIGHT * theme.SCALE + 2 * theme.PAD
        )
        two_columns = has_room and view.state.game_win is None
        names = tuple(view.state.seat_names)
        win, may_ask = view.state.game_win, view.state.may_ask_coach
        asks_tile = win is not None and "tile" in view.state.open_questions
        shows = two_columns, view.state.loading, may_ask, asks_tile
        key = draft, outcome, words.language, names, win, shows
        self._view, self._names = view, names
        self._currency = draft.currency
        if key == self._key:
            return
        self._key = key
        inside = self.column.inside
        inside.clear_widgets()
        self.orientation = "horizontal" if two_columns else "vertical"
        self.clear_widgets()
        self.add_widget(self.column)
        self.rows = []
        if view.state.loading:
            inside.add_widget(Text(words("Loading the new picture …"), size=theme.TEXT_LARGE))
            return
        score = outcome.score
        kind = (draft.rules, score and score.legal)
        if kind != self._kind:
            self._kind = kind
            self.column.scroll_y = 1  # a new kind of answer is shown from its start
        if two_columns and (view.state.hand.tiles or score):
            self.add_widget(self._side)
        if asks_tile:
            self.total.text = ""
            which = Sentence(OPEN_YET, {"question": ask("tile")})
            inside.add_widget(self._verdict(None, which, words, view.state))
        elif score and score.legal:
            self.total.text = write_worth(score, words)
            inside.add_widget(self._head)
            if win is None:
                self._pay(view, two_columns)
            if score.reading:
                self._show_reading(score.reading, words)
            self._show_lines(score, words)
        else:
            self.total.text = ""
            inside.add_widget(self._verdict(score, outcome.problem, words, view.state))
            if may_ask:
                inside.add_widget(Press(words("What should I discard?"), act=self._ask_coach))
            self._show_waits(view)
            if (view.state.hand.tiles or score) and win is None:
                self._pay(view, two_columns)
        if score and score.cash:
            self._show_cash(score, words)
        if score and score.house_rules and not asks_tile:
            inside.add_widget(compare_rules(score, draft.rules, words, self._names))

    def _ask_coach(self) -> None:
        self._controller.do(open_tiles.ask_coach)

    def _show_reading(self, reading: HandReading, words: Words) -> None:
        inside = self.column.inside
        inside.add_widget(draw_reading(reading, TILE_WIDTH))
        if any(group.wild for group in reading.groups):
            meaning = words("Gold rings: fortune tiles, shown as the tiles they stand for.")
            inside.add_widget(Text(meaning, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))

    def _show_lines(self, score: Score, words: Words) -> None:
        """The hand's lines and their sum, then each payment and its reason."""
        for row in list_hand_rows(score, words):
            self._add(row)
        if score.shares:
            self._add(heading(_head_shares(score, self._currency, words)))
        for shares in alike(score.shares):
            first = shares[0]
            names = words.join(words.say(self._names[share.payer]) for share in shares)
            self._add(SumRow(names, str(explain_share(score, first))))
            for line in first.lines:
                self._add(LineRow(line, score.payer_sign, words, score, indent=theme.PAD))
            if first.pays != first.owed:
                self._add(SumRow(words("pays at most"), explain_paid(first)))

    def _show_cash(self, score: Score, words: Words) -> None:
        self._add(heading(words("Kongs, paid separately")))
        for cash in score.cash:
            self._add(LineRow(cash.line, None, words, score))
            self._add(Text(payment_words(cash.payments, [words.say(name) for name in self._names])))

    def _add(self, row: Widget) -> None:
        if isinstance(row, LineRow):
            self.rows.append(row)
        self.column.inside.add_widget(row)

    def _pay(self, view: View[ScorePhoto], two_columns: bool) -> None:
        score = view.state.outcome.score
        adopt(self._side if two_columns else self.column.inside, self.seats)
        self.seats.arrange(in_a_row=not two_columns)
        payments = score.payments if score and (score.legal or any(score.payments)) else None
        names = [view.words.say(name) for name in self._names]
        self.seats.show(view.state.seated_draft, payments, view.words, names)

    def _show_waits(self, view: View[ScorePhoto]) -> None:
        """The tiles that a shown hand waits for; or the tiles that would win, each a button."""
        win, score, inside = view.state.game_win, view.state.outcome.score, self.column.inside
        if win is not None and win.waits:
            inside.add_widget(small_tiles([[(tile, False)] for tile in win.waits], theme.TILE_WIDTH_MAX))
        found = (
            ()
            if win is not None and win.only_shown
            else (score.waits if score else list_missing(view.state.draft))
        )
        found = list_winning(view.state.draft, win, found)
        if found:
            would_win = view.words("Any of these would make it a win:")
            inside.add_widget(Text(would_win, colour=theme.IVORY_DIM))
            inside.add_widget(self._waits(found))

    def _waits(self, tiles: Sequence[Tile]) -> StackLayout:
        """The tiles that would win, each a button."""
        row = StackLayout(size_hint_y=None, spacing=theme.GAP)
        row.bind(minimum_height=row.setter("height"))
        self.waits = {tile.code: self._wait(tile.code) for tile in tiles}
        for key in self.waits.values():
            row.add_widget(key)
        return row

    def _wait(self, code: str) -> TileKey:
        return TileKey(
            code,
            width=theme.TILE_WIDTH_MAX,
            act=lambda: self._controller.do(lambda state: editing.win_with_kind(state, code)),
        )

    def _verdict(
        self, score: Score | None, problem: Sentence | None, words: Words, state: ScorePhoto
    ) -> Card:
        note = Card(size_hint_y=None, colour=theme.PANEL_RAISED, spacing=theme.GAP / 2)
        note.bind(minimum_height=note.setter("height"))
        if score and score.reason:
            note.paint(theme.TROUBLE)
            note.add_widget(Text(words("No win"), size=theme.TEXT_LARGE))
            self.verdict.text = words.say(score.reason.sentence)
        elif problem:
            self.verdict.text = words.say(problem)
        adopt(note, self.verdict)
        if problem and problem.template == MAYBE_KONG:
            note.add_widget(self._offer_kongs(str(problem.params["tile"]), words))
        strange = state.strange_tiles
        if strange:
            tiles = words.join(words.say(name_tile(code)) for code in strange)
            self.verdict.text = words(
                "{tiles}: not used in {game}.", tiles=tiles, game=title_of(state.draft.rules, words)
            )
            for rules in state.other_games if state.game_win is None else ():
                note.add_widget(self._play(rules, words))
        return note

    def _offer_kongs(self, code: str, words: Words) -> BoxLayout:
        """Buttons that make four of a kind a kong, concealed or claimed."""
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        for kind in (MeldKind.KONG_CONCEALED, MeldKind.KONG_DISCARD):
            act = partial(self._controller.do, partial(editing.meld_kind, code=code, kind=kind))
            row.add_widget(Press(words(MELD_NAMES[kind]), act=act))
        return row

    def _play(self, rules: str, words: Words) -> Press:
        return Press(
            words("Play {game}?", game=title_of(rules, words)),
            main=True,
            act=lambda: self._controller.do(lambda state: photo.pick_game(state, rules)),
        )


def _head_shares(score: Score, currency: Currency | None, words: Words) -> str:
    """The heading of the payments: the stakes, unless a point is paid as one, and the value of a point in
    that currency."""
    rules, stakes = RULE_SETS[score.rules], score.stakes
    times = score.price // stakes.unit if stakes.unit else 1
    paid = Stakes(stakes.base * times, stakes.unit * times)
    agreed = [] if paid == Stakes() else [describe_stakes(paid, rules.unit)]
    if currency is not None:
        agreed.append(describe_currency(currency))
    if not agreed:
        return words("Who pays")
    return words("Who pays: {stakes}", stakes=" · ".join(words.say(each) for each in agreed))


def draw_reading(reading: HandReading, tile_width: float, flowers: Sequence[Tile] = ()) -> TileStrip:
    """The hand as it was read, in one row, and these flowers."""
    groups = [[(tile.code, ringed) for tile, ringed in group] for group in tiles_of(reading)]
    if flowers:
        groups.append([(tile.code, False) for tile in flowers])
    return TileStrip(groups, tile_width=tile_width)


class LineRow(ButtonBehavior, BoxLayout):
    """One line of the score, with its `sign` in the sum; a touch explains it."""

    def __init__(
        self, line: ScoreLine, sign: Sign | None, words: Words, score: Score, *, indent: float = 0,
        size: float | None = None,
    ) -> None:  # fmt: skip
        super().__init__(size_hint_y=None, height=LINE_HEIGHT, spacing=theme.GAP, padding=(indent, 0, 0, 0))
        first, second = name_row(line, words)
        times = f" × {line.count}" if line.count > 1 else ""
        dim = get_hex_from_color(theme.IVORY_DIM)
        dimmed = f"[size={theme.TEXT_SMALL:.0f}][color={dim}]{escape_markup(second)}[/color][/size]"
        self.name = Tag(f"{escape_markup(first + times)}   {dimmed}", markup=True, size=size)
        self.value = Tag(
            write_line(line, sign, score),
            align="right",
            size=theme.TEXT_LARGE,
            size_hint_x=None,
            width=VALUE_WIDTH,
        )
        for child in (self.name, self.value):
            self.add_widget(child)
        self._explain = partial(explain_row, line, score, words)
        self.explanation: Overlay | None = None

    def on_release(self) -> None:
        self.explanation = self._explain()
        self.explanation.open()


def compare_rules(score: Score, rules: str, words: Words, names: Sequence[Sentence]) -> BoxLayout:
    """What the hand would be worth under other house rules of that game, one line each."""
    meanings = {option.key: option for option in RULE_SETS[rules].options}
    box = BoxLayout(
        orientation="vertical", size_hint_y=None, spacing=theme.GAP / 2, padding=(0, theme.GAP, 0, 0)
    )
    box.bind(minimum_height=box.setter("height"))
    box.add_widget(Text(words("Under other house rules this hand would be worth:"), colour=theme.IVORY_DIM))
    for other in score.house_rules:
        line = BoxLayout(size_hint_y=None, spacing=theme.GAP)
        option = meanings[other.option]
        text = Text(describe_option_set(option, other.setting, words))
        text.bind(height=lambda _, height, line=line: setattr(line, "height", height))
        line.add_widget(text)
        if (other.legal, other.value) == (score.legal, score.value):
            text.text += "\n" + payment_words(other.payments, [words.say(name) for name in names])
        else:
            verdict = write_number(other.value) if other.legal else words("No win")
            line.add_widget(Tag(verdict, align="right", size_hint_x=None, width=VERDICT_WIDTH * theme.SCALE))
        box.add_widget(line)
    return box


def list_hand_rows(score: Score, words: Words, size: float | None = None) -> list[Widget]:
    """The hand's lines and their sum, then the lines that convert it into units."""
    made, rules = explain_hand(score), RULE_SETS[score.rules]
    counted = [line for line in score.lines if not converts(rules, line.id)]
    rows: list[Widget] = [LineRow(line, made.sign, words, score, size=size) for line in counted]
    if made.times != 1:
        rows.append(SumRow(words("Base"), f"{TIMES.symbol}{write_number(made.times)}", size))
    if not score.lines and score.value:
        rows.append(SumRow(words("A plain hand"), f"{TIMES.symbol}1", size))
    if len(rows) > 1 or not made.exact:
        text = words("Total") if made.exact else words("Total, capped at the limit")
        own = value_before_conversion(rules, [(line.id, line.value) for line in score.lines], score.value)
        rows.append(SumRow(text, f"= {write_number(score.value if own is None else own)}", size))
    others = [line for line in score.lines if line not in counted]
    return [*rows, *(LineRow(line, made.sign, words, score, size=size) for line in others)]


def alike(shares: Sequence[Share]) -> list[list[Share]]:
    """The shares, grouped by payers who pay the same for the same lines."""
    found: dict[tuple[tuple[ScoreLine, ...], int, int], list[Share]] = {}
    for share in shares:
        found.setdefault((share.lines, share.owed, share.pays), []).append(share)
    return list(found.values())


def heading(text: str) -> Text:
    return Text(text, size=theme.TEXT_SMALL, colour=theme.GOLD, padding=(0, theme.GAP / 2, 0, 0))


def payment_words(payments: Sequence[int], names: Sequence[str]) -> str:
    """The payments of all seats in one line, without those of 0."""
    return " · ".join(
        f"{name} {write_points(payment)}" for name, payment in zip(names, payments, strict=True) if payment
    )
