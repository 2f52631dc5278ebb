"""A card that chooses a table: whose rules it plays, and what a plain win and a big one cost there."""

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
    """As high as it is made. It always has its title, what wins cost, and whose rules they are; `fit` adds
    what there is room for: first what is played for, then how it is played; the tiles take what is left."""

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__(colour=theme.PANEL_RAISED, spacing=theme.GAP, size_hint_y=None)
        self._act = act
        self.title = Text(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.about = Text()
        self.holds = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.wins = WinCosts()
        self.stakes = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self._space = Widget()
        self.texts = (self.title, self.about, self.holds, self.wins, self.stakes)
        self.bind(state=self._colour_in, width=self._widen)

    def show(self, house: House, agreed: Agreed, words: Words) -> None:
        self.title.text = wording.head_house(house, words)
        self.about.text = wording.explain_house(house, words)
        self.holds.text = wording.describe_house_play(house, words)
        self.wins.show(list_wins(house, agreed), agreed, words)
        self.stakes.text = words("Stakes: {stakes}", stakes=wording.say_stakes(house.rules, agreed, words))

    def choose_letters(self, *, small: bool, large: bool) -> None:
        """For a small window, a large one, or one between."""
        self.title.font_size = theme.TEXT if small else theme.TEXT_LARGE
        self.about.font_size = theme.TEXT_SMALL if small else theme.TEXT
        self.wins.choose_letters(small=small, large=large)

    def list_heights(self) -> tuple[float, ...]:
        """The least height, px, of the card with what it always has; with each of the other parts, too."""
        least = 2 * theme.PAD + 3 * theme.GAP + self.title.height + self.about.height + self.wins.words_height
        heights = [least]
        for part in (self.stakes, self.holds):
            heights.append(heights[-1] + part.height + theme.GAP)
        return tuple(heights)

    def fit(self, height: float, parts: int, tiles_height: float) -> None:
        """Be that high, px, with that number of the other parts, and tiles within that height, px."""
        self.height = height
        self.wins.fit_tiles(tiles_height)
        wanted: list[Widget] = [self.title, self.wins, self.about]
        wanted += [self.holds] if parts > 1 else []
        wanted += [self._space]
        wanted += [self.stakes] if parts else []
        if self.children[::-1] != wanted:
            self.clear_widgets()
            for child in wanted:
                self.add_widget(child)

    def on_release(self) -> None:
        self._act()

    def _widen(self, *_: object) -> None:
        """Words that are left out are as wide as the others, so that they are as high as they would be."""
        for text in self.texts:
            text.width = self.width - 2 * theme.PAD

    def _colour_in(self, *_: object) -> None:
        self.paint(theme.PANEL_PRESSED if self.state == "down" else theme.PANEL_RAISED)


class WinCosts(BoxLayout):
    """A plain win and a big one: what it is, its tiles where they are shown, and who pays what."""

    def __init__(self) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.GAP / 2)
        self.bind(minimum_height=self.setter("height"), width=self._size_tiles)
        self.names: list[Text] = []
        self.costs: list[Text] = []
        self._strips: list[TileStrip] = []
        self._tile_width = 0.0
        self._tiles_height = 0.0
        self._letters = float(theme.TEXT)

    def show(self, wins: Sequence[TypicalWin], agreed: Agreed, words: Words) -> None:
        groups = [group_tiles(win.request) for win in wins]
        if [list(strip.groups) for strip in self._strips] != groups:
            self.names = [Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM) for _ in wins]
            self.costs = [Text(size=self._letters, colour=theme.GOLD) for _ in wins]
            self._strips = [TileStrip(each, tile_width=TILE_WIDTH_MOST) for each in groups]
            self._tile_width = -1.0
            self._size_tiles()
        for win, name, cost in zip(wins, self.names, self.costs, strict=True):
            name.text = wording.name_win(win, words)
            cost.text = wording.say_cost(win, agreed.currency, words)

    @property
    def words_height(self) -> float:
        """Its height without tiles, px."""
        texts = (*self.names, *self.costs)
        return float(sum(text.height + self.spacing for text in texts))

    def choose_letters(self, *, small: bool, large: bool) -> None:
        """For a small window, a large one, or one between."""
        self._letters = float(theme.TEXT_SMALL if small else theme.TEXT_LARGE if large else theme.TEXT)
        for text in self.costs:
            text.font_size = self._letters

    def fit_tiles(self, height: float) -> None:
        """Show the tiles so that they add at most that height, px; leave them out where they would be too
        small."""
        self._tiles_height = height
        self._size_tiles()

    def _size_tiles(self, *_: object) -> None:
        widths = [sum(map(len, each.groups)) + APART * (len(each.groups) - 1) for each in self._strips]
        high = self._tiles_height / max(1, len(widths)) - self.spacing
        width = float(min(self.width / max(widths, default=1.0), high * theme.TILE_ASPECT, TILE_WIDTH_MOST))
        width = width if width >= TILE_WIDTH_LEAST else 0.0
        for text in (*self.names, *self.costs):
            text.width = self.width
        if width != self._tile_width:
            self._tile_width = width
            for strip in self._strips:
                strip.resize(width)
            self._fill()

    def _fill(self) -> None:
        self.clear_widgets()
        for name, strip, cost in zip(self.names, self._strips, self.costs, strict=True):
            for part in (name, strip, cost) if self._tile_width else (name, cost):
                self.add_widget(part)
