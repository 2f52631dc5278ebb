"""The four seats around a small table, with what each of them pays or gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.graphics import Color, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Tag
from companion.photo_hand.draft import WinDraft
from companion.rules import Source
from companion.sentences import msgid
from companion.words import Words

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
"""Longer amounts are written smaller."""
SEAT_WIDTH, SEAT_HEIGHT = dp(132), dp(76)
TABLE_HEIGHT = dp(240)
"""Where the text has its usual size."""
ROW_PART = 0.243
"""Part of the width that a seat takes in a row."""


class SeatTable(FloatLayout):
    """Seat 0 below, then counterclockwise: right, across, left; or side by side, which is less high."""

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
        self.lay(in_a_row=False)

    def lay(self, *, in_a_row: bool) -> None:
        """Around a table, or side by side."""
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
    """One seat: who sits there, and what it pays or gets."""

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
            self.amount.text = amount(payment)
            is_short = len(self.amount.text) <= AMOUNT_WIDE
            self.amount.usual_size = theme.TEXT_HUGE if is_short else theme.TEXT_LARGE
            self.amount.color = theme.GAIN if payment > 0 else theme.LOSS if payment < 0 else theme.IVORY_DIM


def amount(payment: int) -> str:
    """What a seat gets, or pays, with its sign."""
    return f"{payment:+,}".replace("-", "−") if payment else "0"
