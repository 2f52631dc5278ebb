"""What a rule set is: one frozen value that declares all in which the games differ.

A new game is a new value of this in variants/, with its rows and options in separate files if they are many;
no other code may ask which game it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from operator import mul
from types import MappingProxyType

from msgspec import Struct

from companion.rules.distance import Quota
from companion.rules.hand import Hand, Wild
from companion.rules.options import Option
from companion.rules.outline import Debt, Outline
from companion.rules.play import USUAL_PLAY, Play
from companion.rules.shapes import Shape, ShapeRules
from companion.rules.win import UNIT, HandReading, Options, OptionValue, Reason, ScoreRequest, Stakes, Win
from companion.tiles import Meld, MeldKind, Tile, TileSet

Payments = tuple[int, int, int, int]
"""Points that each seat receives; negative if it pays."""


@dataclass(frozen=True, slots=True, eq=False)
class Sign:
    """How values come together: `join` makes one of several, `repeated` what n times a row are worth."""

    symbol: str
    join: Callable[[Iterable[int]], int]
    repeated: Callable[[int, int], int]


PLUS = Sign("+", sum, mul)
TIMES = Sign("×", prod, pow)


class ScoreLine(Struct, frozen=True):
    """A scored row: `value` is what it is worth in all, `count` how often it was found."""

    id: str
    name: str
    name_zh: str
    count: int
    value: int
    ruling: str


def _always(outline: Outline | Debt) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pattern:
    """A row of the scoring table, worth `value` each time that `count(win, reading)` finds it.

    `replaces`: rows that do not score together with it. `table` is its heading in the rules; a row of the
    table "factor" multiplies the points by `value`, and `combine` says what that adds. `shape` and
    `situation`: the only shape, the only situation in which it is looked for, if it has one. `when`: whether
    it is looked for in a reading with that outline; `count` is not asked elsewhere, and need not ask again
    for what the outline says. `reads`: the field of a request that it alone reads. `most`: how often it can
    count in one hand.
    """

    id: str
    name: str
    name_zh: str
    value: int
    count: Callable[[Win, HandReading], int]
    table: str
    meaning: str
    meaning_zh: str
    ruling: str
    replaces: tuple[str, ...] = ()
    shape: str | None = None
    situation: str | None = None
    when: Callable[[Outline], bool] = _always
    reads: str | None = None
    most: int = 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PayerPattern:
    """A row that changes what one payer pays, `value` each time that `count(win, payer's seat)` finds it.

    `when`: whether it is looked for in such a debt; `count` is not asked elsewhere.
    """

    id: str
    name: str
    name_zh: str
    value: int
    count: Callable[[Win, int], int]
    meaning: str
    meaning_zh: str
    ruling: str
    when: Callable[[Debt], bool] = _always


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComputedRow:
    """A row that no function finds: the rule set itself decides when it counts, and its value then."""

    id: str
    name: str
    name_zh: str
    value: int
    meaning: str
    meaning_zh: str
    ruling: str


class Share(Struct, frozen=True):
    """What one player pays: the hand's value with the `lines` that concern this payer makes `owed`.

    `pays` is less than `owed` if a cap or an empty balance limits it. `plus` is the part of `owed` that is
    the base of the stakes. `of`: where this player pays for all, the shares as they would be without that,
    each within the cap.
    """

    payer: int
    lines: tuple[ScoreLine, ...]
    owed: int
    pays: int
    of: tuple[Share, ...] = ()
    plus: int = 0


@dataclass(frozen=True, slots=True)
class Bearers:
    """Players each of whom pays the shares of all, in place of those who owe them.

    `row` is the row for it; its value is the sum of these shares, in values of the hand. They are paid
    `times` times; `times_row` is the row for that, if there is one.
    """

    seats: Collection[int]
    row: ComputedRow
    times: int = 1
    times_row: ComputedRow | None = None


@dataclass(frozen=True, slots=True)
class Cash:
    """A payment of the hand in addition to that for the win; it stays even if the win is false."""

    line: ScoreLine
    payments: Payments


@dataclass(frozen=True, slots=True)
class SuitQuota:
    """How many concealed tiles of m, p, s a finished hand `needs(melds, options)`, in one suit at least.

    `reason(hand, options)`: why a hand that has fewer does not win.
    """

    needs: Callable[[tuple[Meld, ...], Options], Quota]
    reason: Callable[[Hand, Options], Reason]


@dataclass(frozen=True, slots=True)
class Need:
    """What a situation takes for granted; `template` is the sentence for a request where it is not so."""

    holds: Callable[[ScoreRequest], bool]
    template: str


@dataclass(frozen=True, slots=True)
class Demand:
    """What a rule set demands of every request; `template`, with {field}, is the refusal."""

    field: str
    holds: Callable[[ScoreRequest], bool]
    template: str


@dataclass(frozen=True, slots=True)
class FieldMeaning:
    """The meaning of a request's field in one game, where games differ: `help` is a phrase that explains it,
    `short` what stands after its number."""

    label: str
    help: str
    short: str = ""


@dataclass(frozen=True, slots=True)
class Situation:
    """A circumstance of the win that a rule set knows; `label` and `label_zh` are short names for buttons.

    `dealt`: it is a win with the tiles that were dealt. `flowers`: it is a win by flowers alone, whatever
    tiles are in the hand, so that none need be given.
    """

    id: str
    label: str
    label_zh: str
    name: str
    name_zh: str
    needs: tuple[Need, ...] = ()
    excludes: tuple[str, ...] = ()
    dealt: bool = False
    flowers: bool = False


ANY_MELDS: Mapping[MeldKind, str | None] = MappingProxyType(dict.fromkeys(MeldKind))
"""All melds, whatever the house options."""
CHOWS_BY_OPTION: Mapping[MeldKind, str | None] = MappingProxyType({**ANY_MELDS, MeldKind.CHOW: "allow_chow"})
"""All melds, chows where the house option allow_chow is true."""


def _four_seats(options: Options) -> tuple[int, ...]:
    return 0, 1, 2, 3


def _no_wild(options: Options, fortune: Tile | None) -> Wild | None:
    return None


def _always_matters(win: Win) -> bool:
    return True


def _no_restriction(win: Win, reading: HandReading, lines: tuple[ScoreLine, ...]) -> Reason | None:
    return None


def _all_lines(win: Win, lines: tuple[ScoreLine, ...]) -> tuple[ScoreLine, ...]:
    return lines


def _no_other_table(options: Options) -> Table | None:
    return None


def _as_joined(win: Win, joined: int) -> int:
    return joined


def _each_pays(win: Win) -> Bearers | None:
    return None


def _no_cash(request: ScoreRequest) -> Iterable[tuple[ComputedRow, Payments]]:
    return ()


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A scoring table: its rows, and the shapes that win where it is played."""

    patterns: tuple[Pattern, ...]
    shapes: tuple[Shape, ...]
    shape_options: tuple[str, ...] = field(init=False)
    """The house options of the shapes that win with one only."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape_options", tuple(s.option for s in self.shapes if s.option))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleSet:
    """A game. Functions in it are pure.

    Raises ValueError if `play` does not fit the rest: the wall has other tiles, a deal gives another
    number of tiles than a hand has, or a situation is not one of the game's.

    What it is
        name, title, title_zh: its key in requests, and what people call it
        source: whose rules these are, in one sentence (a message)
        tile_set, hand_size: its tiles, and how many a player holds between turns
        unit: what a hand's value is counted in
        uses: the fields of a request (fields.py) that it reads, of those that only some games have
        meanings: what such a field means in this game, if it means something else in another
        streak_default: the least and usual value of `streak`, where it uses that
        seats(options): the seats that play; a request may name no other
        meld_kinds: its melds, each with the house option that must be true for it, or None
        options: its house options
        key_options: the options that people want to know before they play: what a hand pays, what it takes
        situations: the circumstances that it knows
        demands: what it demands of a request beyond what all games do
        wild(options, fortune): its wildcards, if it has any
    What wins
        shapes: winning shapes; of readings with equal value the earlier shape's is taken (ruling C-14)
        no_shape: the reason for a hand that has none of them
        quota: what a finished hand must hold of one suit, where the game asks for that
        place_matters(win): whether it may change the lines which of the groups that hold the winning tile's
            kind it completed; where it does not, the first of them is taken
        restrict(win, reading, lines): why a reading does not win though it has a shape, or None
    What it is worth
        patterns: the rows of its tables
        table_option, other_table(options): the house option that chooses another scoring table, with rows and
            shapes of its own, and the table that these options choose; None for the game's own
        sign(options): whether their values are added up or multiplied
        additive_option: the house option that lets rows score together with those that replace them
        combine(win, lines): the lines that score together, as the house values them
        worth(win, joined): what the hand is worth where its lines come to `joined`
        value_holds_base: whether the request's base is part of the hand's value, instead of the price
    Who pays
        payers(win): the seats that owe a share
        payer_patterns, payer_sign: rows that depend on who pays, and whether their values are added to the
            hand's value or multiply it
        point: the default unit of the stakes: what one point costs each payer
        stakes: what a table may agree on (stakes.py): the unit, and in some games a base beside the value
        bearer_rows, bearers(win): who pays the shares of all, if there is one, and the rows that say so;
            only if payer rows multiply
        debt_option: the house option that lets a player pay more than the request's balances say
        cash_rows, cash(request): rows that are paid in addition to the win, and the payments for each of them
            that is given, within the request's balances
    play: how it is played at the table
    sentences: templates of its own reasons and demands, for translators
    """

    name: str
    title: str
    title_zh: str
    source: str = ""
    tile_set: TileSet
    hand_size: int
    unit: str
    uses: frozenset[str] = frozenset()
    meanings: Mapping[str, FieldMeaning] = field(default_factory=dict)
    streak_default: int = 1
    seats: Callable[[Options], tuple[int, ...]] = _four_seats
    meld_kinds: Mapping[MeldKind, str | None]
    options: tuple[Option, ...]
    key_options: tuple[str, ...] = ()
    situations: tuple[Situation, ...]
    demands: tuple[Demand, ...] = ()
    wild: Callable[[Options, Tile | None], Wild | None] = _no_wild
    shapes: tuple[Shape, ...]
    no_shape: Reason
    quota: SuitQuota | None = None
    place_matters: Callable[[Win], bool] = _always_matters
    restrict: Callable[[Win, HandReading, tuple[ScoreLine, ...]], Reason | None] = _no_restriction
    patterns: tuple[Pattern, ...]
    table_option: str | None = None
    other_table: Callable[[Options], Table | None] = _no_other_table
    sign: Callable[[Options], Sign]
    additive_option: str | None = None
    combine: Callable[[Win, tuple[ScoreLine, ...]], tuple[ScoreLine, ...]] = _all_lines
    worth: Callable[[Win, int], int] = _as_joined
    value_holds_base: bool = False
    payers: Callable[[Win], tuple[int, ...]]
    payer_patterns: tuple[PayerPattern, ...] = ()
    payer_sign: Sign = PLUS
    point: int = 1
    stakes: tuple[str, ...] = (UNIT,)
    bearer_rows: tuple[ComputedRow, ...] = ()
    bearers: Callable[[Win], Bearers | None] = _each_pays
    debt_option: str | None = None
    cash_rows: tuple[ComputedRow, ...] = ()
    cash: Callable[[ScoreRequest], Iterable[tuple[ComputedRow, Payments]]] = _no_cash
    play: Play = USUAL_PLAY
    sentences: tuple[str, ...] = ()
    own_stakes: Stakes = field(init=False)
    """The default stakes: what a win costs."""
    defaults: Options = field(init=False)
    """Every house option's default, by key."""
    flower_wins: frozenset[str] = field(init=False)
    """The situations that are wins by flowers alone."""
    wins_without_tile: tuple[str, ...] = field(init=False)
    """The situations that are wins without a winning tile: of a hand as it was dealt, or by flowers alone."""
    own_table: Table = field(init=False)
    """The table of `patterns` and `shapes`."""
    other_tables: Mapping[OptionValue, Table] = field(init=False)
    """The other tables, by the setting of `table_option` that chooses them, with the other defaults."""
    restricts: bool = field(init=False)
    """Whether a hand of a winning shape may be refused."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "own_stakes", Stakes(unit=self.point))
        object.__setattr__(self, "defaults", MappingProxyType({o.key: o.default for o in self.options}))
        object.__setattr__(self, "flower_wins", frozenset(s.id for s in self.situations if s.flowers))
        without_tile = tuple(s.id for s in self.situations if s.dealt or s.flowers)
        object.__setattr__(self, "wins_without_tile", without_tile)
        object.__setattr__(self, "own_table", Table(self.patterns, self.shapes))
        object.__setattr__(self, "other_tables", self._list_other_tables())
        object.__setattr__(self, "restricts", self.restrict is not _no_restriction)
        self._check_play()

    def _check_play(self) -> None:
        wall, dealt = self.play.wall, sum(self.play.wall.deal)
        if wall.tile_set is not self.tile_set:
            tiles, total = wall.tile_set.total, self.tile_set.total
            raise ValueError(f"{self.name}: the wall of `play` has {tiles} tiles, the game {total}")
        if dealt != self.hand_size:
            raise ValueError(f"{self.name}: `play` deals {dealt} tiles, and a hand has {self.hand_size}")
        for id in self.play.situations.keys() - {situation.id for situation in self.situations}:
            raise ValueError(f"{self.name}: `play` has the situation {id}, which the game does not have")

    def _list_other_tables(self) -> Mapping[OptionValue, Table]:
        settings = next((option.values for option in self.options if option.key == self.table_option), ())
        tables = {
            each: self.other_table({**self.defaults, str(self.table_option): each}) for each in settings
        }
        return MappingProxyType({each: table for each, table in tables.items() if table is not None})

    @property
    def rows(self) -> tuple[Pattern | PayerPattern | ComputedRow, ...]:
        """Every row: of the hand, of the payers, and of cash. Rows that only other tables have come after the
        game's own of the same heading; a row of several tables is as in the first."""
        of_hand: dict[str, Pattern] = {}
        for table in (self.own_table, *self.other_tables.values()):
            for row in table.patterns:
                of_hand.setdefault(row.id, row)
        headings = list(dict.fromkeys([row.table for row in of_hand.values()]))
        patterns = sorted(of_hand.values(), key=lambda row: headings.index(row.table))
        return *patterns, *self.payer_patterns, *self.bearer_rows, *self.cash_rows

    def table(self, options: Options) -> Table:
        """The scoring table chosen by these house options, which are complete."""
        return (self.other_table(options) if self.table_option else None) or self.own_table

    def reads(self, field: str, options: Options) -> bool:
        """Whether a hand may be worth more or less by that field of a request: not where only rows of another
        table than these house options choose read it."""
        own, chosen = self.own_table.patterns, self.table(options).patterns
        return any(row.reads == field for row in chosen) or all(row.reads != field for row in own)

    def winning_shapes(self, options: Options) -> tuple[Shape, ...]:
        """The winning shapes of the scoring table that these house options choose."""
        return self._find_table(self.chosen_table(options)).shapes

    def chosen_table(self, options: Options) -> OptionValue | None:
        """The setting that chooses the table, among these house options; None in a game with one table."""
        return options[self.table_option] if self.table_option else None

    def rows_of(self, chosen: OptionValue | None) -> tuple[Pattern | PayerPattern | ComputedRow, ...]:
        """As `rows`, of the table that this setting chooses; other options at their defaults."""
        patterns = self._find_table(chosen).patterns
        return *patterns, *self.payer_patterns, *self.bearer_rows, *self.cash_rows

    def _find_table(self, chosen: OptionValue | None) -> Table:
        """The table that this setting chooses, with the other defaults."""
        return self.own_table if chosen is None else self.other_tables.get(chosen, self.own_table)

    @property
    def sets(self) -> int:
        """How many sets a standard hand has: 4 of 13 tiles, 5 of 16."""
        return self.hand_size // 3

    def allowed_melds(self, options: Options) -> tuple[MeldKind, ...]:
        """The melds that the game has under these house options, which are complete."""
        return tuple(kind for kind, key in self.meld_kinds.items() if key is None or options[key])

    def settings(self, options: Options | None) -> Options:
        """Every house option: as in `options`, the others by default."""
        return {**self.defaults, **options} if options else self.defaults

    def shapes_in_force(self, options: Options) -> Sequence[Shape]:
        """The shapes that win under these house options, which are complete."""
        table = self.table(options)
        if all(map(options.__getitem__, table.shape_options)):
            return table.shapes
        return [shape for shape in table.shapes if shape.is_in_force(options)]

    def game(self, melds: tuple[Meld, ...], options: Options) -> ShapeRules:
        """What is asked of every finished hand with these melds and house options."""
        short = not self.tile_set.copies[0]
        return ShapeRules(self.sets, short, None if self.quota is None else self.quota.needs(melds, options))
