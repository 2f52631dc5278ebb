"""A card to be touched: a large title, a line or two, and drawn tiles, of one size on all cards of a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Text
from companion.app.widgets.line_breaks import break_lines
from companion.app.widgets.tile_strip import TileStrip

STRIP_PART, TILES_GROW = 0.7, 2.2
"""Of the room below its words, for the tiles of a card; how many times as large as usual they become."""


class TileSize:
    """One size for the tiles of several cards: what has room on all of those that are shown; where one has no
    room for any, none has tiles."""

    def __init__(self) -> None:
        self._rooms: dict[PressCard, float] = {}
        self._settle = Clock.create_trigger(self._apply, -1)

    def tell(self, card: PressCard, tile_width: float) -> None:
        """Tiles of that width, px, have room on the card; 0 where none have."""
        if self._rooms.get(card) != tile_width:
            self._rooms[card] = tile_width
            self._settle()

    def _apply(self, _: float) -> None:
        shown = {card: width for card, width in self._rooms.items() if card.parent is not None}
        width = min(shown.values(), default=0.0)
        for card in shown:
            card.show_tiles(width)


class PressCard(ButtonBehavior, Card):
    """`main` marks the likeliest next one. `codes`: tiles drawn below its words. It is as large as it is
    given, or with `fits` as high as its words. tile_size: shared with other cards of the page."""

    def __init__(
        self,
        act: Callable[[], None],
        *,
        main: bool = False,
        codes: Sequence[str] = (),
        tile_width: float | None = None,
        tile_size: TileSize | None = None,
        fits: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(colour=theme.PANEL_RAISED, spacing=theme.GAP / 2, **kwargs)
        self._act = act
        self._main = main
        self._chosen = False
        self.title = Text(size=theme.TEXT_LARGE)
        self.lines = Text(size=theme.TEXT, colour=theme.IVORY_DIM)
        self.add_widget(self.title)
        self.add_widget(self.lines)
        self._tile_width = tile_width or theme.TILE_WIDTH_MAX
        self._strip = (
            TileStrip([[(code, False) for code in codes]], tile_width=self._tile_width) if codes else None
        )
        self._tile_size = tile_size or TileSize()
        self._space = Widget()
        if not fits:
            for part in (self, self.title, self.lines):
                part.bind(height=self._drop_what_does_not_fit)
            self.bind(width=self._drop_what_does_not_fit)
        if fits:
            self.size_hint_y = None
            self.bind(minimum_height=lambda _, height: setattr(self, "height", max(height, theme.TOUCH)))
        self.bind(state=self._colour_in, disabled=self._colour_in)
        self._colour_in()

    @property
    def chosen(self) -> bool:
        return self._chosen

    def say(self, title: str, lines: str, *, chosen: bool = False) -> None:
        """Show these words; `chosen`: as the one in force."""
        self.title.text, self.lines.text, self._chosen = title, lines, chosen
        self._colour_in()

    def on_release(self) -> None:
        self._act()

    def _drop_what_does_not_fit(self, *_: object) -> None:
        """In a low card there are no tiles, in a very low one no lines; in a high one tiles are larger. In
        the likeliest card lines become smaller before they are left out."""
        self.title.font_size = self._choose_title_size()
        has_tiles = self._strip is not None and self._strip.parent is self
        self.lines.width = self.width - 2 * theme.PAD  # nobody else sets it while they are left out
        room = self.height - 2 * theme.PAD - self.title.height
        if self._main:
            self.lines.font_size = self._choose_lines_size(room)
        wanted: list[Widget] = [self.title]
        if self.lines.height <= room:
            wanted.append(self.lines)
            room -= self.lines.height + self.spacing
        wanted.append(self._space)
        if self._strip:
            high = (room - 2 * self.spacing) * theme.TILE_ASPECT
            wide = (self.width - 2 * theme.PAD) / sum(len(group) for group in self._strip.groups)
            grown = min(max(self._tile_width, high * STRIP_PART), TILES_GROW * self._tile_width, wide)
            self._tile_size.tell(self, grown if grown <= high else 0.0)
            wanted += [self._strip] if has_tiles else []
        self._fill(wanted)

    def _choose_title_size(self) -> float:
        """The largest letters with which no word is cut and the title has room in height."""
        width, height = self.width - 2 * theme.PAD, self.height - theme.PAD
        sizes = [size for size in (theme.TEXT_LARGE, theme.TEXT) if _fits(self.title, size, width, height)]
        return float(max(sizes, default=theme.TEXT_SMALL))

    def _choose_lines_size(self, room: float) -> float:
        """The largest letters with which the lines have room in that height, px."""
        sizes = (theme.TEXT, theme.TEXT_SMALL, theme.TEXT_TINY)
        fitting = [size for size in sizes if _fits(self.lines, size, self.lines.width, room)]
        return float(max(fitting, default=theme.TEXT))

    def show_tiles(self, tile_width: float) -> None:
        """Tiles of that width, px; none with 0."""
        assert self._strip is not None
        self._strip.resize(tile_width)
        words = [part for part in self.children[::-1] if part is not self._strip]
        self._fill([*words, self._strip] if tile_width else words)

    def _fill(self, wanted: list[Widget]) -> None:
        if self.children[::-1] != wanted:
            self.clear_widgets()
            for part in wanted:
                self.add_widget(part)

    def _colour_in(self, *_: object) -> None:
        bright = self._main or self._chosen
        pressed = self.state == "down"
        if bright:
            self.paint(theme.GOLD_PRESSED if pressed else theme.GOLD)
        else:
            self.paint(theme.PANEL_PRESSED if pressed else theme.PANEL_RAISED)
        self.title.color = theme.INK if bright else theme.IVORY
        self.lines.color = theme.INK if bright else theme.IVORY_DIM


def _fits(text: Text, size: float, width: float, height: float) -> bool:
    """Whether letters of that size leave every word whole, and all lines within that height, px."""
    label = CoreLabel(font_size=int(size), font_name=text.font_name)

    def measure(part: str) -> float:
        return float(label.get_extents(part)[0])

    lines = [line for each in text.text.split("\n") for line in break_lines(each, width, measure)]
    line_height = label.get_extents(" ")[1]
    return len(lines) * line_height <= height and all(measure(line) <= width for line in lines)
