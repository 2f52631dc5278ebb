"""What lies before each player: discards in order, melds, flowers."""

from __future__ import annotations

from collections.abc import Iterable

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.app.game.lying import list_discards, list_flowers, list_melds
from companion.app.text import SEAT_NAMES, Words
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Tag
from companion.app.widgets.tiles import TileFace
from companion.table.state import Player, State

TILE_WIDTH, WIDE_TILE_WIDTH = dp(25), dp(34)
"""Of a tile in a small window, and where there is room."""
HEAD_HEIGHT = dp(22)
NAME_WIDTH = dp(124)
APART = dp(7)
"""Between melds."""


class PlayersPane(Column):
    """A card for each seat that plays."""

    def __init__(self) -> None:
        super().__init__(spacing=theme.GAP / 2)
        self.cards: dict[int, PlayerCard] = {}

    def show(self, state: State, words: Words, *, wide: bool = False) -> None:
        """wide: there is room for large tiles."""
        seats = state.house.seats
        if tuple(self.cards) != seats:
            self.inside.clear_widgets()
            self.cards = {seat: PlayerCard() for seat in seats}
            for card in self.cards.values():
                self.inside.add_widget(card)
        hand = state.hand
        for seat, card in self.cards.items():
            parts = [words(SEAT_NAMES[seat])]
            if seat == (state.deal.dealer if hand is None else hand.deal.dealer):
                parts.append(words("dealer"))
            turn = hand is not None and state.playing and hand.turn == seat
            card.show(
                " · ".join(parts), turn, Player() if hand is None else hand.players[seat], words,
                WIDE_TILE_WIDTH if wide else TILE_WIDTH,
            )  # fmt: skip


class PlayerCard(Card):
    """One player: the name, melds and flowers beside it, and the discards below."""

    def __init__(self) -> None:
        super().__init__(
            size_hint_y=None, colour=theme.FELT, padding=(theme.GAP, theme.GAP / 2), spacing=theme.GAP / 2
        )
        self.bind(minimum_height=self.setter("height"))
        self.name = Tag(
            size=theme.TEXT_SMALL, size_hint=(None, None), width=NAME_WIDTH, height=HEAD_HEIGHT,
            pos_hint={"top": 1},
        )  # fmt: skip
        self.name.text_size = self.name.size  # which it gets only where its size changes
        self._head = BoxLayout(size_hint_y=None, height=HEAD_HEIGHT, spacing=theme.GAP)
        self._head.add_widget(self.name)
        self.nothing = Tag(
            size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=None, height=HEAD_HEIGHT
        )
        self.discards = TileFlow()
        self.laid = TileFlow()
        self.laid.pos_hint = {"top": 1}
        self.laid.bind(height=self._fit_head)
        self._head.add_widget(self.laid)
        self._shown: object = None

    def show(self, name: str, turn: bool, player: Player, words: Words, tile_width: float) -> None:
        self.name.text, self.name.color = name, theme.GOLD if turn else theme.IVORY
        self.paint(theme.PANEL_RAISED if turn else theme.FELT)
        self.nothing.text = words("No discards yet")
        discards, melds, flowers = list_discards(player), list_melds(player), list_flowers(player)
        if (discards, melds, flowers, tile_width) == self._shown:
            return
        self._shown = discards, melds, flowers, tile_width
        self.discards.show([discards], tile_width)
        self.laid.show([*melds, flowers], tile_width)
        self.clear_widgets()
        self.add_widget(self._head)
        self.add_widget(self.discards if discards else self.nothing)

    def _fit_head(self, *_: object) -> None:
        self._head.height = max(HEAD_HEIGHT, self.laid.height)


class TileFlow(StackLayout):
    """Groups of tiles side by side, in as many rows as they need."""

    def __init__(self) -> None:
        super().__init__(size_hint_y=None, spacing=(dp(1), theme.GAP / 4))
        self.bind(minimum_height=self.setter("height"))

    @property
    def codes(self) -> list[str]:
        return [child.code for child in self.children[::-1] if isinstance(child, CodedFace)]

    def show(self, groups: Iterable[list[str]], tile_width: float) -> None:
        self.clear_widgets()
        for group in groups:
            if self.children and group:
                self.add_widget(Widget(size_hint=(None, None), size=(APART, tile_width)))
            for code in group:
                self.add_widget(CodedFace(code, tile_width))


class CodedFace(TileFace):
    """A tile that knows its code."""

    def __init__(self, code: str, width: float) -> None:
        super().__init__(code, width=width)
        self.code = code
