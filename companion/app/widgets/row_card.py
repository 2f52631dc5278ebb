"""A scored row in the words of the rules: what it means, and an example hand that scores it."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.core.window import Window
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.modalview import ModalView

from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text
from companion.app.widgets.example_hands import group_read, say_payments, say_win
from companion.app.widgets.tile_strip import Group, TileStrip
from companion.rules import RULE_SETS, Score
from companion.rules.row_examples import RowExample, find_row_example
from companion.rules.rule_set import ScoreLine, Sign
from companion.rules.win import OptionValue
from companion.sheets.wording import say_line, say_worth
from companion.words import Words

WIDTH_MAX = dp(880)
MARGIN = dp(24)
TILE = dp(46)


class RowCard(ModalView):
    """Lies over the page until it is touched away. row_id: of a row of the game `rules`; own: the hand in
    which the row was found, drawn first where it is given; table: the setting that chose the scoring table,
    in a game that has several."""

    def __init__(
        self,
        rules: str,
        row_id: str,
        words: Words,
        own: Sequence[Group] = (),
        table: OptionValue | None = None,
    ) -> None:
        width = min(Window.width - 2 * MARGIN, WIDTH_MAX)
        super().__init__(
            size_hint=(None, None), size=(width, dp(320)), background="", background_color=theme.CLEAR,
            overlay_color=(0, 0, 0, 0.6), auto_dismiss=True,
        )  # fmt: skip
        self._column = Column(spacing=theme.GAP)
        card = Card(colour=theme.PANEL_RAISED)
        card.add_widget(self._column)
        self.done = Press(words("Done"), main=True, act=self.dismiss)
        card.add_widget(self.done)
        self._column.inside.bind(height=self._fit)
        self.add_widget(card)
        self._fill(rules, row_id, words, own, table)

    def _fit(self, *_: object) -> None:
        wanted = self._column.inside.height + theme.TOUCH + 2 * theme.PAD + theme.GAP
        self.height = min(wanted, Window.height - 2 * MARGIN)

    def _fill(
        self, rules: str, row_id: str, words: Words, own: Sequence[Group], table: OptionValue | None
    ) -> None:
        row = next(row for row in RULE_SETS[rules].rows_of(table) if row.id == row_id)
        inside = self._column.inside
        first, second = words.both(row.name, row.name_zh)
        inside.add_widget(Text(first, size=theme.TEXT_HUGE, colour=theme.GOLD))
        inside.add_widget(Text(second, colour=theme.IVORY_DIM))
        inside.add_widget(Text(words.both(row.meaning, row.meaning_zh)[0], size=theme.TEXT_LARGE))
        if own:
            inside.add_widget(Text(words("The hand, as it was read:"), colour=theme.IVORY_DIM))
            inside.add_widget(TileStrip(own, tile_width=TILE))
        example = find_row_example(rules, row_id, table)
        if example is not None:
            self._show_example(example, words)

    def _show_example(self, example: RowExample, words: Words) -> None:
        inside = self._column.inside
        told = words("For example, {win}:", win=say_win(example.request, words))
        inside.add_widget(Text(told, colour=theme.IVORY_DIM))
        inside.add_widget(TileStrip(group_read(example.request, example.score.reading), tile_width=TILE))
        score = example.score
        for line in score.lines:
            inside.add_widget(_make_line(line, score.sign, score, words, line == example.line))
        inside.add_widget(_make_row(words("Total"), say_worth(score, words), False))
        if example.of_payer:
            inside.add_widget(_make_line(example.line, example.sign, score, words, True))
        inside.add_widget(_make_row(words("Who pays"), say_payments(score.payments, words), False))


def open_row_card(
    rules: str, row_id: str, words: Words, own: Sequence[Group] = (), table: OptionValue | None = None
) -> RowCard:
    """Show what that row means."""
    card = RowCard(rules, row_id, words, own, table)
    card.open()
    return card


def _make_line(line: ScoreLine, sign: Sign | None, score: Score, words: Words, chosen: bool) -> BoxLayout:
    times = f" × {line.count}" if line.count > 1 else ""
    return _make_row(words.both(line.name, line.name_zh)[0] + times, say_line(line, sign, score), chosen)


def _make_row(what: str, amount: str, chosen: bool) -> BoxLayout:
    """One line; the one that is explained is marked."""
    row = Card(
        orientation="horizontal", size_hint_y=None, height=theme.TEXT_LARGE * 1.7, padding=(theme.GAP, 0),
        colour=theme.GOLD if chosen else theme.PANEL,
    )  # fmt: skip
    ink = theme.INK if chosen else theme.IVORY
    row.add_widget(Tag(what, colour=ink))
    row.add_widget(Tag(amount, colour=ink, align="right"))
    return row
