"""The result of a win, as large as the window: all four players see it before it is confirmed."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.core.text import Label as CoreLabel
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.score_photo import editing, entering
from companion.app.score_photo.game_win import GameWin
from companion.app.score_photo.hand_panes import describe_assumed_tile, describe_claims
from companion.app.score_photo.score import (
    LineRow,
    compare_rules,
    draw_reading,
    heading,
    list_hand_rows,
    payment_words,
)
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text
from companion.app.widgets.name_tag import LEAST_SHARE, SUM_HEIGHT, NameTag, SumRow, measure_name
from companion.app.widgets.tiles import TileStrip, TileText
from companion.money import Currency, format_money
from companion.money import amount as worth_in_money
from companion.rules import Score, Source
from companion.rules.scoring import explain_paid, explain_share
from companion.rules.win import ScoreRequest
from companion.sentences import Sentence, write_number
from companion.sheets.wording import NEW_TOTAL, name_lines, write_points, write_share, write_worth
from companion.words import Words

BIGGEST = 1.65
"""Text size of the winner and the payments, relative to the largest text: letters of 6 mm, read from one
metre."""
LONG_FROM = 18
"""Longer names are shown in smaller text."""
ROOMY_FROM = dp(700)
"""Minimum window height for roomy cards; below it the lines get more room."""
BESIDE_FROM = dp(1000)
"""Minimum window width for other house rules next to the lines."""
OTHERS_PART = 0.42
LOW_TILE_WIDTH = dp(34)
"""Width of the tiles in a lower window; nobody touches them."""
WON_ON_WIDTH = dp(150)
NO_BREAK = "\u00a0"
"""A space at which no line breaks."""


class ResultPage(BoxLayout):
    """Who won what, what each player pays and why, the new totals, and every line."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        self._controller = controller
        self._key: object = None
        self._big = theme.TEXT_HUGE * BIGGEST
        self._tile_width = theme.TILE_WIDTH_MAX
        self._sum_height = float(SUM_HEIGHT)
        self.winner = Tag(size=self._big, colour=theme.GOLD, least=theme.TEXT_LARGE)
        self.value = Tag(size=theme.TEXT_HUGE, least=theme.TEXT_SMALL, align="right", bold=True)
        self.winner.size_hint_x = 2
        self._head = BoxLayout(size_hint_y=None, height=self._big * 1.25, spacing=theme.PAD)
        self._head.add_widget(self.winner)
        self._head.add_widget(self.value)
        self.players = GridLayout(cols=2, spacing=theme.GAP, size_hint_y=None)
        self.players.bind(minimum_height=self.players.setter("height"))
        self.lines = Column(spacing=theme.GAP / 2)
        self.others = Column(spacing=theme.GAP / 2)
        self._below = BoxLayout(spacing=theme.PAD)
        self.back = Press(" ", act=self._go_back)
        self.another = Press(" ", act=lambda: controller.do(entering.enter_another))
        self.confirm = Press(
            " ", main=True, size=theme.TEXT_HUGE, act=lambda: controller.do(entering.confirm)
        )
        self._row = BoxLayout(size_hint_y=None, height=theme.TOUCH * 1.25, spacing=theme.GAP)
        for press in (self.back, self.another, self.confirm):
            press.height = theme.TOUCH * 1.25
        self.confirm.size_hint_x = 2
        self.amounts: list[str] = []
        self.moneys: list[str] = []
        self.reasons: list[str] = []
        self.strips: list[TileStrip] = []
        for child in (self._head, self.players, self._below, self._row):
            self.add_widget(child)

    def show(self, view: View[ScorePhoto]) -> None:
        words, win = view.words, view.state.game_win
        if win is None or not win.scores:
            return
        self._show_buttons(win, words)
        key = win, view.state.draft, words.language, view.size
        if key == self._key:
            return
        self._key = key
        names = [words.say(name) for name in view.state.seat_names]
        scores, winners = win.scores, win.winners
        self._tile_width = theme.TILE_WIDTH_MAX if view.size[1] >= ROOMY_FROM else LOW_TILE_WIDTH
        who = words(" and ").join(names[seat] for seat in winners)
        alone = len(winners) == 1
        self.winner.text = words("{name} wins", name=who) if alone else words("{names} win", names=who)
        roomy = view.size[1] >= ROOMY_FROM
        is_large = roomy and len(self.winner.text) <= LONG_FROM
        self.winner.usual_size = self._big if is_large else theme.TEXT_HUGE
        self._head.height = self._big * 1.25 if roomy else theme.TEXT_HUGE * 1.25
        height = theme.TOUCH * 1.25 if roomy else theme.TOUCH
        self._row.height = height
        self._sum_height = SUM_HEIGHT if roomy else theme.TEXT_LARGE * 2
        for press in (self.back, self.another, self.confirm):
            press.height = height
        self.value.text = " · ".join(write_worth(score, words) for score in scores)
        self._show_players(view, win, names)
        beside = view.size[0] >= BESIDE_FROM
        self._below.clear_widgets()
        self._below.add_widget(self.lines)
        if beside:
            self.others.size_hint_x = OTHERS_PART / (1 - OTHERS_PART)
            self._below.add_widget(self.others)
        self.strips = []
        self.lines.inside.clear_widgets()
        self.others.inside.clear_widgets()
        for entered, seat, score in zip(win.entered, winners, scores, strict=True):
            if len(winners) > 1:
                self.lines.inside.add_widget(heading(f"{names[seat]}: {write_worth(score, words)}"))
            assumes = view.state.assumed_tile is not None and seat == winners[-1]
            self._show_tiles(entered.request, score, words, names_tile=not assumes)
            if seat == winners[-1]:
                claims = describe_claims(view.state, words) if view.state.asks_claims else ""
                for assumed in filter(None, (describe_assumed_tile(view.state, words), claims)):
                    self.lines.inside.add_widget(Text(assumed.replace("\n", " "), colour=theme.GOLD))
            self._show_lines(score, words, names)
        compared = view.state.outcome.score
        if compared is not None and compared.house_rules:
            place = self.others if beside else self.lines
            rules = view.state.draft.rules
            if not alone:
                place.inside.add_widget(heading(names[view.state.draft.winner]))
            place.inside.add_widget(compare_rules(compared, rules, words, view.state.seat_names))

    def _show_buttons(self, win: GameWin, words: Words) -> None:
        self.back.text = words("Back to the table") if win.booked else words("Back to the hand")
        self.another.text = words("Another winner")
        self.confirm.text = words("See what it changes") if win.past else words("Confirm")
        self.confirm.disabled = win.submitting
        buttons = [self.back]
        if win.list_more():
            buttons.append(self.another)
        if not win.booked:
            buttons.append(self.confirm)
        if list(reversed(self._row.children)) != buttons:
            self._row.clear_widgets()
            for button in buttons:
                self._row.add_widget(button)

    def _show_players(self, view: View[ScorePhoto], win: GameWin, names: Sequence[str]) -> None:
        words, after = view.words, win.after
        assert after is not None
        wide, roomy = view.size[0] > view.size[1], view.size[1] >= ROOMY_FROM
        self.players.cols = len(view.state.draft.seats) if wide else 2
        gaps = (self.players.cols - 1) * theme.GAP + 2 * theme.GAP
        width = (view.size[0] - gaps) / self.players.cols
        cards = []
        self.players.clear_widgets()
        self.amounts, self.moneys, self.reasons = [], [], []
        for seat, payment in enumerate(win.payments):
            if seat not in view.state.draft.seats:
                continue
            reason = _explain_payment(seat, win, words, brief=not roomy)
            total = words(NEW_TOTAL, points=write_number(after.balances[seat]))
            money = None if after.currency is None else _say_money(payment, after.currency)
            cards.append(
                self._draw_player(names[seat], payment, money, total, reason, width=width, roomy=roomy)
            )
            self.amounts.append(write_points(payment))
            self.moneys.append(money or "")
            self.reasons.append(reason)
        for card in cards:
            card.height = max(each.height for each in cards)
            self.players.add_widget(card)

    def _draw_player(
        self,
        name: str,
        payment: int,
        money: str | None,
        total: str,
        reason: str,
        *,
        width: float,
        roomy: bool,
    ) -> Card:
        """Name, payment, its value in money, total and reason, below each other; total and reason in one line
        where there is little room. money: None where the game has no currency. width: the card's, px."""
        card = Card(
            size_hint_y=None, colour=theme.PANEL_RAISED, spacing=0, padding=(theme.GAP, theme.GAP / 2)
        )
        colour = theme.GAIN if payment > 0 else theme.LOSS if payment < 0 else theme.IVORY_DIM
        named, large, small = theme.TEXT_HUGE, self._big, theme.TEXT_HUGE
        if not roomy:
            named, large, small = theme.TEXT_LARGE, theme.TEXT_HUGE, theme.TEXT_LARGE
        paid: Widget = Tag(write_points(payment), size=large, colour=colour, align="center", bold=True)
        tag = Tag(money or "", size=small, colour=colour, align="center", least=theme.TEXT_TINY)
        if money and not roomy:
            paid = layout.row(paid, tag, spacing=theme.GAP / 2)
        parts: list[tuple[Widget, float]] = [
            (NameTag(name, size=named, align="center"), self._measure_name(name, named, width)),
            (paid, large * 1.15),
        ]
        if money is not None and roomy:
            parts.append((tag, small * 1.25))
        if roomy:
            sum_up = Tag(total, size=theme.TEXT_LARGE, colour=theme.IVORY_DIM, align="center")
            parts.append((sum_up, theme.TEXT_LARGE * 1.4))
            parts.append((_Why(reason, size=theme.TEXT_LARGE), theme.TEXT_LARGE * 2.8))
        else:
            why = _Why(" · ".join(filter(None, (total, reason))), size=theme.TEXT)
            parts.append((why, max(theme.TEXT * 2.7, why.measure(width - 2 * theme.GAP))))
        for part, height in parts:
            part.size_hint_y, part.height = None, height
            card.add_widget(part)
        parts[-1][0].size_hint_y = 1  # takes what a higher card beside it leaves
        card.height = sum(height for _, height in parts) + theme.GAP
        return card

    def _measure_name(self, name: str, size: float, width: float) -> float:
        """The height of a name in a card of that width, px."""
        return max(size * 1.35, measure_name(name, int(size * LEAST_SHARE), width - 2 * theme.GAP))

    def _show_tiles(self, asked: ScoreRequest, score: Score, words: Words, *, names_tile: bool) -> None:
        """The hand as it was read, with its flowers and, if names_tile, the winning tile."""
        if score.reading:
            strip = draw_reading(score.reading, self._tile_width, asked.flowers)
            self.strips.append(strip)
            row = layout.row(strip, height=strip.height)
            if names_tile and asked.winning_tile is not None:
                won_on = TileText(colour=theme.IVORY_DIM, size_hint_x=None, width=WON_ON_WIDTH)
                won_on.pos_hint = {"center_y": 0.5}
                won_on.say(Sentence("Winning tile: {tile}", {"tile": asked.winning_tile}), words)
                row.add_widget(won_on)
            self.lines.inside.add_widget(row)

    def _show_lines(self, score: Score, words: Words, names: Sequence[str]) -> None:
        """The lines that count, and how they add up to each payment."""
        inside, size = self.lines.inside, theme.TEXT_LARGE
        for row in list_hand_rows(score, words, size):
            inside.add_widget(row)
        for share in score.shares:
            inside.add_widget(
                SumRow(names[share.payer], str(explain_share(score, share)), size, self._sum_height)
            )
            for line in share.lines:
                row = LineRow(line, score.payer_sign, words, score, indent=theme.PAD, size=size)
                inside.add_widget(row)
            if share.pays != share.owed:
                most = SumRow(words("pays at most"), explain_paid(share), size, self._sum_height)
                inside.add_widget(most)
        for cash in score.cash:
            inside.add_widget(LineRow(cash.line, None, words, score, size=size))
            inside.add_widget(Text(payment_words(cash.payments, names)))

    def _go_back(self) -> None:
        def step(state: ScorePhoto) -> ScorePhoto:
            return (
                entering.leave_win(state)
                if state.game_win and state.game_win.booked
                else editing.show(state, state.home)
            )

        self._controller.do(step)


def _say_money(points: int, currency: Currency) -> str:
    """The payment in money; empty for none."""
    return format_money(worth_in_money(points, currency), currency) if points else ""


class _Why(Label):
    """Centred text, in the largest size up to that one in which it fits. A sum that is wider than a line goes
    on before its result, else between its numbers."""

    def __init__(self, text: str, *, size: float) -> None:
        super().__init__(text=text, font_size=size, color=theme.IVORY, halign="center", valign="top")
        self._whole = text
        self._sizes = [each for each in (size, theme.TEXT, theme.TEXT_SMALL, theme.TEXT_TINY) if each <= size]
        self.bind(size=self._fit)

    def measure(self, width: float) -> float:
        """The height that it needs in that width, in the smallest size. px"""
        return measure_name(self._break_sums(width), self._sizes[-1], width)

    def _break_sums(self, width: float) -> str:
        """The text with breaks allowed in sums that are too wide for a line."""
        label = CoreLabel(font_size=self._sizes[-1])
        parts = self._whole.split(" ")
        for whole, broken in ((f"{NO_BREAK}=", " ="), (NO_BREAK, " ")):
            fitted = [
                part if label.get_extents(part)[0] <= width else part.replace(whole, broken) for part in parts
            ]
            parts = " ".join(fitted).split(" ")
        return " ".join(parts)

    def _fit(self, *_: object) -> None:
        self.text = self._break_sums(self.width)
        self.text_size = (self.width, None)
        for size in self._sizes:
            self.font_size = size
            self.texture_update()
            if self.texture_size[1] <= self.height:
                return


def _explain_payment(seat: int, win: GameWin, words: Words, *, brief: bool) -> str:
    """Why that seat is paid or pays, in the words of the rules. brief: without the names of lines, which are
    listed below."""
    parts = []
    if seat == win.state.deal.dealer:
        parts.append(words("dealer"))
    for winner, entered, score in zip(win.winners, win.entered, win.scores, strict=True):
        request = entered.request
        if seat == winner:
            drawn = request.source is Source.SELF_DRAW
            parts.append(words("drew the winning tile") if drawn else words("wins"))
            continue
        if seat == request.discarder:
            robbed = request.source is Source.ROBBED_KONG
            parts.append(words("robbed") if robbed else words("discarded"))
        share = next((share for share in score.shares if share.payer == seat), None)
        if share is not None:
            named = {words.both(line.name, line.name_zh)[0].casefold(): line for line in share.lines}
            known = {part.casefold() for part in parts}
            counted = [line for name, line in named.items() if name in known or not brief]
            parts = [part for part in parts if part.casefold() not in named]
            parts += name_lines(counted, score, words)
            reckoned = write_share(score, share, words).replace(" ", NO_BREAK)
            parts += [reckoned] if reckoned != str(share.pays) else []
    said = {part.casefold(): part for part in reversed(parts)}  # a part that two reasons share appears once
    return " · ".join(reversed(said.values()))
