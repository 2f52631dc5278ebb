"""Cards side by side, those of a row as high as the highest of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from kivy.uix.boxlayout import BoxLayout

from companion.app.widgets import theme
from companion.app.widgets.basics import Card, adopt


def line_up(cards: Sequence[Card], a_row: int) -> list[BoxLayout]:
    """Rows of that many cards, to be put below each other."""
    return [_make_row(cards[first : first + a_row], a_row) for first in range(0, len(cards), a_row)]


def _make_row(cards: Sequence[Card], a_row: int) -> BoxLayout:
    row = BoxLayout(size_hint_y=None, spacing=theme.GAP)
    for card in cards:
        card.size_hint_y = 1
        adopt(row, card)
        card.bind(minimum_height=partial(_fit, row, cards))
    for _ in range(a_row - len(cards)):
        row.add_widget(BoxLayout())
    _fit(row, cards)
    return row


def _fit(row: BoxLayout, cards: Sequence[Card], *_: object) -> None:
    row.height = max(card.minimum_height for card in cards)
