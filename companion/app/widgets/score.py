"""The score: its value, each line with its English and Chinese name, what each seat pays, and what
house rules change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout
from kivy.utils import escape_markup, get_hex_from_color

from companion.app import theme
from companion.app.desk import View
from companion.app.text import Sentence, Words, msgid
from companion.app.widgets.basics import Card, Column, Tag, Text, adopt
from companion.app.widgets.seats import SEAT_NAMES, SeatTable, amount
from companion.app.widgets.tiles import TileFace
from companion.rules import RULE_SETS, Line, Score, Share
from companion.tiles import Tile

UNIT_NAMES = {
    "zui": msgid("zui"),
    "multiplier": msgid("times"),
    "tai": msgid("tai"),
    "fan": msgid("fan"),
}
LINE_HEIGHT = dp(34)
DIM = get_hex_from_color(theme.IVORY_DIM)
SMALL_TILE = dp(24)
VALUE_WIDTH = dp(56)
VERDICT_WIDTH = dp(72)
RULING_WIDTH = dp(42)
SEATS_WIDTH = dp(320)
TWO_COLUMNS_FROM = dp(620)
"""From this width on the seats stand beside the lines."""


class ScorePane(Card):
    """Shows an Outcome: a score, a hand that is no win, or what is still missing."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._key: object = None
        self.total = Tag(size=theme.TEXT_HUGE, colour=theme.GOLD)
        self.verdict = Text(size=theme.TEXT)
        self.seats = SeatTable()
        self._head = BoxLayout(size_hint_y=None, height=dp(44))
        self._head.add_widget(self.total)
        self._column = Column(spacing=theme.GAP / 2, padding=(0, 0, theme.GAP, 0))
        self._beside = AnchorLayout(size_hint_x=None, width=SEATS_WIDTH)
        self.rows: list[Row] = []
        self._view: View | None = None
        self.bind(width=lambda *_: self._view and self.show(self._view))

    def show(self, view: View) -> None:
        facts, words, outcome = view.state.facts, view.words, view.outcome
        two_columns = self.width >= TWO_COLUMNS_FROM
        key = (facts, words.language, two_columns)
        self._view = view
        if key == self._key:
            return
        self._key = key
        inside = self._column.inside
        inside.clear_widgets()
        self.orientation = "horizontal" if two_columns else "vertical"
        self.clear_widgets()
        self.add_widget(self._column)
        if two_columns and view.state.hand.tiles:
            self.add_widget(self._beside)
        self.rows = []
        score = outcome.score
        if score and score.legal:
            unit = words(UNIT_NAMES.get(score.unit, score.unit))
            self.total.text = f"{score.value} {unit}"
            inside.add_widget(self._head)
            self._pay(view, two_columns)
            if score.reading:
                inside.add_widget(small_tiles([group.tiles for group in score.reading.groups]))
            for line in score.lines:
                row = Row(line, words)
                self.rows.append(row)
                inside.add_widget(row)
            for line, payers in payer_lines(score.shares):
                row = Row(line, words, note=", ".join(words(SEAT_NAMES[payer]) for payer in payers))
                self.rows.append(row)
                inside.add_widget(row)
        else:
            self.total.text = ""
            inside.add_widget(self._verdict(score, outcome.problem, words))
            if score and score.waits:
                would_win = words("With one of these it would be a win:")
                inside.add_widget(Text(would_win, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
                inside.add_widget(small_tiles([(tile,) for tile in score.waits]))
            if view.state.hand.tiles:
                self._pay(view, two_columns)
        if score and score.house_rules:
            inside.add_widget(self._house_rules(score, view))

    def _pay(self, view: View, two_columns: bool) -> None:
        score = view.outcome.score
        adopt(self._beside if two_columns else self._column.inside, self.seats)
        self.seats.lay(in_a_row=not two_columns)
        payments = score.payments if score and (score.legal or any(score.payments)) else None
        self.seats.show(view.state.facts, payments, view.words)

    def _verdict(self, score: Score | None, problem: Sentence | None, words: Words) -> Card:
        note = Card(size_hint_y=None, colour=theme.PANEL_RAISED, spacing=theme.GAP / 2)
        note.bind(minimum_height=note.setter("height"))
        if score and score.reason:
            note.paint(theme.TROUBLE)
            note.add_widget(Text(words("No win"), size=theme.TEXT_LARGE))
            self.verdict.text = words.say(Sentence(score.reason.template, score.reason.params))
        elif problem:
            self.verdict.text = words.say(problem)
        adopt(note, self.verdict)
        if score and score.reason:
            note.add_widget(Text(score.reason.ruling, size=theme.TEXT_TINY, colour=theme.IVORY_DIM))
        return note

    def _house_rules(self, score: Score, view: View) -> BoxLayout:
        words = view.words
        meanings = {option.key: option for option in RULE_SETS[view.state.facts.rules].options}
        box = BoxLayout(
            orientation="vertical", size_hint_y=None, spacing=theme.GAP / 2, padding=(0, theme.GAP, 0, 0)
        )
        box.bind(minimum_height=box.setter("height"))
        box.add_widget(
            Text(
                words("Under other house rules this hand would be worth:"),
                size=theme.TEXT_SMALL,
                colour=theme.IVORY_DIM,
            )
        )
        for other in score.house_rules:
            line = BoxLayout(size_hint_y=None, spacing=theme.GAP)
            meaning = words(meanings[other.option].meaning)
            text = Text(f"{meaning} ({setting_words(other.setting, words)})", size=theme.TEXT_SMALL)
            text.bind(height=lambda _, height, line=line: setattr(line, "height", height))
            line.add_widget(text)
            if (other.legal, other.value) == (score.legal, score.value):
                text.text += "\n" + payment_words(other.payments, words)
            else:
                verdict = str(other.value) if other.legal else words("No win")
                line.add_widget(Tag(verdict, align="right", size_hint_x=None, width=VERDICT_WIDTH))
            box.add_widget(line)
        return box


class Row(BoxLayout):
    """One line of the score. `note` says whom it concerns, where that is not everybody."""

    def __init__(self, line: Line, words: Words, note: str = "") -> None:
        super().__init__(size_hint_y=None, height=LINE_HEIGHT, spacing=theme.GAP)
        first, second = words.both(line.name, line.name_zh)
        times = f" × {line.count}" if line.count > 1 else ""
        second = " · ".join(filter(None, (second, note)))
        dimmed = f"[size={theme.TEXT_SMALL:.0f}][color={DIM}]{escape_markup(second)}[/color][/size]"
        self.name = Tag(f"{escape_markup(first + times)}   {dimmed}", markup=True)
        self.value = Tag(
            f"+{line.value}", align="right", size=theme.TEXT_LARGE, size_hint_x=None, width=VALUE_WIDTH
        )
        self.ruling = Tag(
            line.ruling,
            align="right",
            size=theme.TEXT_TINY,
            colour=theme.IVORY_DIM,
            size_hint_x=None,
            width=RULING_WIDTH,
        )
        for child in (self.name, self.ruling, self.value):
            self.add_widget(child)


def small_tiles(groups: Sequence[Sequence[Tile]]) -> StackLayout:
    """Groups of drawn tiles, only to look at."""
    row = StackLayout(size_hint_y=None, spacing=(theme.GAP, theme.GAP / 2))
    row.bind(minimum_height=row.setter("height"))
    for tiles in groups:
        step = SMALL_TILE + theme.HAIRLINE
        box = BoxLayout(size_hint=(None, None), spacing=theme.HAIRLINE)
        box.size = len(tiles) * step, SMALL_TILE / theme.TILE_ASPECT
        for tile in tiles:
            box.add_widget(TileFace(tile.code, width=SMALL_TILE))
        row.add_widget(box)
    return row


def payer_lines(shares: tuple[Share, ...]) -> list[tuple[Line, list[int]]]:
    """The lines that concern single payers, each once, with the seats that it concerns."""
    found: dict[Line, list[int]] = {}
    for share in shares:
        for line in share.lines:
            found.setdefault(line, []).append(share.payer)
    return list(found.items())


def payment_words(payments: Sequence[int], words: Words) -> str:
    """What each seat gets or pays, in one line."""
    return " · ".join(
        f"{words(name)} {amount(payment)}" for name, payment in zip(SEAT_NAMES, payments, strict=True)
    )


def setting_words(value: object, words: Words) -> str:
    """A setting as people say it; settings that are words are messages, their underscores spaces."""
    if isinstance(value, bool):
        return words("yes") if value else words("no")
    return words(str(value).replace("_", " "))
