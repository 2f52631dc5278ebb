"""Cards: one to be touched, with a title, words and tiles; a scored row and what it means; example wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.core.window import Window
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Overlay, Press, Tag, Text, TouchCard
from companion.app.widgets.line_breaks import break_lines
from companion.app.widgets.tiles import Group, TileStrip
from companion.rules import RULE_SETS, Score, Source
from companion.rules.fields import FIELDS
from companion.rules.hand import GroupKind
from companion.rules.row_examples import RowExample, find_row_example
from companion.rules.rule_set import ScoreLine, Sign
from companion.rules.stated import STATED_ROW
from companion.rules.win import HandReading, OptionValue, ScoreRequest
from companion.sheets.wording import write_line, write_points, write_worth
from companion.tiles import BACK, KINDS, Meld, MeldKind, Suit
from companion.words import Words
from companion.words.filling import SEAT_NAMES

STRIP_PART, TILES_GROW = 0.7, 2.2
"""Share of the space below the text for tiles; maximum enlargement of tiles."""


class TileSize:
    """One size for the tiles of several cards: what has room on all of those that are shown; where one has no
    room for any, none has tiles."""

    def __init__(self) -> None:
        self._rooms: dict[PressCard, float] = {}
        self._settle = Clock.create_trigger(self._apply, -1)

    def tell(self, card: PressCard, tile_width: float) -> None:
        """Tiles of that width, px, have room on the card; 0 if none have."""
        if self._rooms.get(card) != tile_width:
            self._rooms[card] = tile_width
            self._settle()

    def _apply(self, _: float) -> None:
        shown = {card: width for card, width in self._rooms.items() if card.parent is not None}
        width = min(shown.values(), default=0.0)
        for card in shown:
            card.show_tiles(width)


class PressCard(TouchCard):
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


CIRCUMSTANCES = ("streak", "discards", "gambits", "consecutive_kongs", "round_wind", "fortune", "flowers")
"""Fields of a request that are shown where they differ from the usual."""


def say_win(request: ScoreRequest, words: Words) -> str:
    """How the hand was won, in a few words."""
    rules = RULE_SETS[request.rules]
    said = [words("self-drawn") if request.source is Source.SELF_DRAW else words("on a discard")]
    if request.source is Source.ROBBED_KONG:
        said = [words("by robbing a kong")]
    said.append(words("by the dealer") if request.winner == request.dealer else words("not by the dealer"))
    for situation in rules.situations:
        if situation.id in request.situation:
            said.append(words.both(situation.label, situation.label_zh)[0])
    return words.join([*said, *_say_numbers(request, words)])


def _say_numbers(request: ScoreRequest, words: Words) -> Iterator[str]:
    """The other facts of the win, each with its name: deals in a row, the Fortune tile."""
    rules = RULE_SETS[request.rules]
    for name in CIRCUMSTANCES:
        field = FIELDS[name]
        if field.ask is None or not field.used_by(rules):
            continue
        value = request.value(field.attribute)
        usual = field.default_in(rules)
        if name == "round_wind":
            usual = None
        if value in (usual, None, 0):
            continue
        yield words("{what}: {value}", what=words(field.label_in(rules)), value=value)


def list_laid(meld: Meld) -> list[str]:
    """A meld as it is placed: of a concealed kong two tiles show their backs."""
    codes = [tile.code for tile in meld.tiles]
    return [BACK, codes[1], codes[2], BACK] if meld.kind is MeldKind.KONG_CONCEALED else codes


def describe_payments(payments: tuple[int, ...], words: Words) -> str:
    """What each seat gets or pays."""
    moved = [
        f"{words(name)} {write_points(each)}" for name, each in zip(SEAT_NAMES, payments, strict=True) if each
    ]
    return "  ·  ".join(moved) or "0"


def group_read(request: ScoreRequest, reading: HandReading | None) -> list[Group]:
    """The hand as it was read, set by set, with flowers; the winning tile is ringed. Where nothing was read,
    as `group_tiles`."""
    if reading is None or not reading.groups:
        return group_tiles(request)
    groups: list[Group] = []
    for group in reading.groups:
        codes = [tile.code for tile in group.tiles]
        if group.kind is GroupKind.KONG and group.concealed:
            codes = [BACK, codes[1], codes[2], BACK]
        ringed = -1
        if group.won and request.winning_tile in group.tiles:
            ringed = group.tiles.index(request.winning_tile)
        drawn = [(code, at == ringed) for at, code in enumerate(codes)]
        if groups and group.kind is GroupKind.SINGLE:
            groups[-1] = [*groups[-1], *drawn]
        else:
            groups.append(drawn)
    if request.flowers:
        groups.append([(tile.code, False) for tile in request.flowers])
    return groups


def group_tiles(request: ScoreRequest) -> list[Group]:
    """The hand, its melds and flowers as drawn; the winning tile stands apart, ringed."""
    concealed = [tile.code for tile in request.hand]
    groups: list[Group] = []
    won = request.winning_tile.code if request.winning_tile else None
    if won in concealed:
        concealed.remove(won)
    if concealed:
        groups.append([(code, False) for code in concealed])
    if won:
        groups.append([(won, True)])
    groups += [[(code, False) for code in list_laid(meld)] for meld in request.melds]
    if request.flowers:
        groups.append([(tile.code, False) for tile in request.flowers])
    if request.situation & RULE_SETS[request.rules].flower_wins and not request.flowers:
        groups.append([(tile.code, False) for tile in KINDS if tile.suit is Suit.FLOWERS])
    return groups


WIDTH_MAX = dp(880)
MARGIN = dp(24)
TILE = dp(46)


class RowCard(Overlay):
    """A card over the page; a touch closes it. row_id: of a row of the game `rules`; own: the hand in
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
        super().__init__(size=(width, dp(320)))
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
        row = next(row for row in (*RULE_SETS[rules].rows_of(table), STATED_ROW) if row.id == row_id)
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
        example_text = words("For example, {win}:", win=say_win(example.request, words))
        inside.add_widget(Text(example_text, colour=theme.IVORY_DIM))
        inside.add_widget(TileStrip(group_read(example.request, example.score.reading), tile_width=TILE))
        score = example.score
        for line in score.lines:
            inside.add_widget(_make_line(line, score.sign, score, words, line == example.line))
        inside.add_widget(_make_row(words("Total"), write_worth(score, words), False))
        if example.of_payer:
            inside.add_widget(_make_line(example.line, example.sign, score, words, True))
        inside.add_widget(_make_row(words("Who pays"), describe_payments(score.payments, words), False))


def open_row_card(
    rules: str, row_id: str, words: Words, own: Sequence[Group] = (), table: OptionValue | None = None
) -> RowCard:
    """Show what that row means."""
    card = RowCard(rules, row_id, words, own, table)
    card.open()
    return card


def _make_line(line: ScoreLine, sign: Sign | None, score: Score, words: Words, chosen: bool) -> BoxLayout:
    times = f" × {line.count}" if line.count > 1 else ""
    return _make_row(words.both(line.name, line.name_zh)[0] + times, write_line(line, sign, score), chosen)


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
