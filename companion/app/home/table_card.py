"""A card to be touched for a table: whose rules, and what a plain win and a big one cost there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.home import wording
from companion.app.home.agreed import Agreed, list_wins
from companion.app.home.houses import House
from companion.app.home.typical_wins import TypicalWin
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Text
from companion.app.widgets.example_hands import group_tiles
from companion.app.widgets.tile_strip import APART, TileStrip
from companion.words import Words

TILE_WIDTH_LEAST, TILE_WIDTH_MOST = dp(18), dp(40)
"""Of the tiles of an example."""


class TableCard(ButtonBehavior, Card):
    """As high as it is made; `needed` is the least. Tiles are shown where there is room for them as well."""

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__(colour=theme.PANEL_RAISED, spacing=theme.GAP, size_hint_y=None)
        self._act = act
        self.title = Text(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.about = Text()
        self.wins = WinCosts()
        self.stakes = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        for child in (self.title, self.about, Widget(), self.wins, self.stakes):
            self.add_widget(child)
        self.bind(state=self._colour_in)

    @property
    def needed(self) -> float:
        """The least height, px."""
        parts = (self.title, self.about, self.wins, self.stakes)
        heights = sum(part.height for part in parts)
        return float(heights + (len(parts) + 1) * self.spacing + 2 * theme.PAD)

    def show(self, house: House, agreed: Agreed, words: Words) -> None:
        self.title.text = wording.head_house(house, words)
        self.about.text = wording.explain_house(house, words)
        self.wins.show(list_wins(house, agreed), agreed, words)
        self.stakes.text = words("Stakes: {stakes}", stakes=wording.say_stakes(house.rules, agreed, words))

    def on_release(self) -> None:
        self._act()

    def _colour_in(self, *_: object) -> None:
        self.paint(theme.PANEL_PRESSED if self.state == "down" else theme.PANEL_RAISED)


class WinCosts(BoxLayout):
    """A plain win and a big one: their tiles, and who pays what."""

    def __init__(self) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.GAP / 2)
        self.bind(minimum_height=self.setter("height"), width=self._size_tiles)
        self.costs: list[Text] = []
        self._strips: list[TileStrip] = []
        self._shown: object = None
        self._wins: tuple[TypicalWin, ...] = ()
        self._has_tiles = False

    def show(self, wins: Sequence[TypicalWin], agreed: Agreed, words: Words) -> None:
        if self._wins != tuple(wins):
            self._wins = tuple(wins)
            self.costs = [Text() for _ in wins]
            self._strips = [TileStrip(group_tiles(win.request), tile_width=TILE_WIDTH_MOST) for win in wins]
            self._shown = None
            self._fill()
        for win, text in zip(wins, self.costs, strict=True):
            text.text = wording.say_win(win, agreed.currency, words)

    @property
    def tiles_height(self) -> float:
        """What the tiles add to its height, px; 0 where they would be too small."""
        width = self._tile_width
        return len(self._strips) * (width / theme.TILE_ASPECT + self.spacing) if width else 0.0

    @property
    def shown_tiles_height(self) -> float:
        """How much of its height the tiles are now, px."""
        return self.tiles_height if self._has_tiles else 0.0

    def show_tiles(self, shown: bool) -> None:
        self._has_tiles = shown
        self._size_tiles()
        self._fill()

    @property
    def _tile_width(self) -> float:
        widest = max(
            (sum(map(len, strip.groups)) + APART * (len(strip.groups) - 1) for strip in self._strips),
            default=1.0,
        )
        width = min(self.width / widest, TILE_WIDTH_MOST)
        return float(width) if width >= TILE_WIDTH_LEAST else 0.0

    def _size_tiles(self, *_: object) -> None:
        for strip in self._strips:
            strip.resize(self._tile_width)

    def _fill(self) -> None:
        wanted: list[Widget] = []
        for strip, text in zip(self._strips, self.costs, strict=True):
            wanted += [strip, text] if self._has_tiles else [text]
        if self._shown != wanted:
            self._shown = wanted
            self.clear_widgets()
            for each in wanted:
                self.add_widget(each)
