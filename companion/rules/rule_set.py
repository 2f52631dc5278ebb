"""What a rule set is: one frozen value that declares all in which the games differ.

A new game is a new file in variants/ that builds one of these; nothing outside that file may ask which game
it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.rules.options import Option
from companion.rules.shapes import Shape
from companion.rules.win import Hand, Options, Reading, Reason, ScoreRequest, Win
from companion.tiles import MeldKind, TileSet


@dataclass(frozen=True, slots=True)
class Line:
    """A scored row: `value` is what it is worth in all, `count` how often it was found."""

    id: str
    name: str
    name_zh: str
    count: int
    value: int
    ruling: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A row of the scoring table, worth `value` each time that `count(win, reading)` finds it.

    `replaces` names the rows that do not score beside it. `table` is the heading that it stands under in the
    rules; a row of the table "factor" multiplies the points by `value`, and `combine` says what that adds.
    """

    id: str
    name: str
    name_zh: str
    value: int
    count: Callable[[Win, Reading], int]
    table: str
    meaning: str
    meaning_zh: str
    ruling: str
    replaces: tuple[str, ...] = ()

    def line(self, count: int) -> Line:
        return Line(self.id, self.name, self.name_zh, count, count * self.value, self.ruling)


@dataclass(frozen=True, slots=True)
class PayerPattern:
    """A row that changes what one payer pays, `value` each time that `count(win, payer's seat)` finds it."""

    id: str
    name: str
    name_zh: str
    value: int
    count: Callable[[Win, int], int]
    meaning: str
    meaning_zh: str
    ruling: str

    def line(self, count: int) -> Line:
        return Line(self.id, self.name, self.name_zh, count, count * self.value, self.ruling)


@dataclass(frozen=True, slots=True)
class Need:
    """What a situation takes for granted; `template` is the sentence for a request where it is not so."""

    holds: Callable[[ScoreRequest], bool]
    template: str


@dataclass(frozen=True, slots=True)
class Situation:
    """A circumstance of the win that a rule set knows. `dealt`: it is a win without a winning tile."""

    id: str
    name: str
    name_zh: str
    needs: tuple[Need, ...]
    excludes: tuple[str, ...] = ()
    dealt: bool = False


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A game. Functions in it are pure.

    name, title, title_zh: its key in requests, and what people call it
    tile_set, hand_size: its tiles, and how many a player holds between turns
    unit: what a hand's value is counted in
    streak_default: the least and usual value of a request's `streak`
    meld_kinds: its melds, each with the house option that must be true for it, or None
    options: its house options
    situations: the circumstances that it knows
    shapes: winning shapes, of readings with equal value the earlier shape's is taken (ruling C-14)
    no_shape: the reason for a hand that has none of them
    limit(hand, options): why a finished hand does not win though it has a shape, or None
    patterns: the rows of its tables
    combine(win, lines): the lines that stay beside each other, each of a declared row, and the hand's value
    payers(win): the seats that pay
    payer_patterns: rows that depend on who pays
    pays(win, value, lines): what a payer with these payer lines pays
    sentences: templates of its own reasons, for translators
    """

    name: str
    title: str
    title_zh: str
    tile_set: TileSet
    hand_size: int
    unit: str
    streak_default: int
    meld_kinds: Mapping[MeldKind, str | None]
    options: tuple[Option, ...]
    situations: tuple[Situation, ...]
    shapes: tuple[Shape, ...]
    no_shape: Reason
    limit: Callable[[Hand, Options], Reason | None]
    patterns: tuple[Pattern, ...]
    combine: Callable[[Win, tuple[Line, ...]], tuple[tuple[Line, ...], int]]
    payers: Callable[[Win], tuple[int, ...]]
    payer_patterns: tuple[PayerPattern, ...]
    pays: Callable[[Win, int, tuple[Line, ...]], int]
    sentences: tuple[str, ...]

    @property
    def sets(self) -> int:
        """How many sets a standard hand has: 4 of 13 tiles, 5 of 16."""
        return self.hand_size // 3

    @property
    def defaults(self) -> Options:
        """Every house option's default, by key."""
        return MappingProxyType({option.key: option.default for option in self.options})
