"""The values that patterns read: the request with its stakes, the win it describes, one reading of its tiles.

Patterns get a Win (the same for all readings) and a Reading (one way of seeing the tiles, one place of the
winning tile).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from msgspec import Struct

from companion.rules.hand import WINDS, Counts, Group, Hand, lazy_property
from companion.rules.outline import NOT_KNOWN, OfWin
from companion.sentences import Sentence, msgid, write_number
from companion.tiles import Meld, MeldKind, Tile


class Stakes(Struct, frozen=True, forbid_unknown_fields=True):
    """A payment is `base` + `unit` × the hand's value, joined with the rows of that payer. In points, whole
    numbers from 0; not both are 0.

    base: what a win costs in addition to its value, even at a value of 0; only some games have it
    unit: what each point of the value costs
    """

    base: int = 0
    unit: int = 1


BASE, UNIT = "base", "unit"
"""The keys of stakes, as `RuleSet.stakes` names them."""
BASE_MEANING = "What a win costs each payer besides its value, even at a value of 0."
BASE_MEANING_ZH = "底：每家每次胡牌除牌面之外所付的分数，无台也付。"
UNIT_MEANINGS = {
    "zui": ("What one zui costs each payer.", "一嘴的价钱。"),
    "tai": ("What one tai costs each payer.", "一台的价钱。"),
    "fan": ("What one unit of a win's value costs each payer.", "牌值每一分的价钱。"),
    "multiplier": ("What a win of ×1 costs each payer.", "底分：×1 的牌每家所付的分数。"),
}
"""Meaning of the unit in English and Chinese, by the unit in which the game counts a hand's value."""
UNIT_MEANING = ("What each point of a win's value costs each payer.", "牌值每一分的价钱。")
"""Meaning of the unit in a game with a unit of its own."""

STATED = {
    "zui": msgid("1 zui = {unit}"),
    "tai": msgid("{unit} per tai"),
    "fan": msgid("{unit} per unit"),
    "multiplier": msgid("{unit} for ×1"),
}
STATED_ELSE = msgid("{unit} per point")
STATED_WITH_BASE = {"tai": msgid("base {base}, {unit} per tai")}
STATED_WITH_BASE_ELSE = msgid("base {base}, {unit} per point")
"""The stakes as people state them, by what the game counts in."""
STAKE_SENTENCES = (*STATED.values(), STATED_ELSE, *STATED_WITH_BASE.values(), STATED_WITH_BASE_ELSE)
"""Marked for translation."""


def describe_stakes(stakes: Stakes, unit: str) -> Sentence:
    """As people state them, in a game that counts in `unit`: 1 zui = 20; base 100, 20 per tai."""
    each = write_number(stakes.unit)
    if not stakes.base:
        return Sentence(STATED.get(unit, STATED_ELSE), {"unit": each})
    template = STATED_WITH_BASE.get(unit, STATED_WITH_BASE_ELSE)
    return Sentence(template, {"base": write_number(stakes.base), "unit": each})


def explain_stake(key: str, unit: str) -> tuple[str, str]:
    """What that key of the stakes means, in English and Chinese, in a game that counts in `unit`."""
    if key == BASE:
        return BASE_MEANING, BASE_MEANING_ZH
    return UNIT_MEANINGS.get(unit, UNIT_MEANING)


OptionValue = bool | int | str
Options = Mapping[str, OptionValue]


class Source(StrEnum):
    """Where the winning tile came from. A dealt win counts as self-drawn."""

    SELF_DRAW = "self_draw"
    DISCARD = "discard"
    ROBBED_KONG = "robbed_kong"


@dataclass(frozen=True, slots=True)
class DeclaredKong:
    """A kong declared in the hand, for games where it is paid for: its kind, the seat, and for a claimed one
    who discarded the tile."""

    kind: MeldKind
    seat: int
    discarder: int | None


@dataclass(frozen=True, kw_only=True)
class ScoreRequest:
    """A win to be scored, as `decode_request` makes it: tiles and melds sorted, every house option given.

    `hand` holds the winning tile; `winning_tile` is None for a dealt win. `discarder` is the seat that
    discarded the tile or whose kong was robbed, None on a self-draw. `flowers` are those of the winner, none
    if `flowers_known` is false. `round_wind` is the wind's tile. `discards` is how many were made so far,
    None if unknown. `fortune` is the kind that is wild; `gambits` and `consecutive_kongs` are the chains
    directly before the win; `three_melds` are pairs of seats: the first melded three times from the second.
    `stakes` say what a win costs, and `base` multiplies all that is paid. `cap` is the most that one player's
    share comes to, before one pays for all; None for no limit. `balances` is what each seat has to pay with,
    None if debts are allowed. `also_won` are other winners on the same tile, who pay nothing (S-04).

    Except for `also_won` and `flowers_known` these are the fields of fields.py, named here once more so that
    their types are checked. A field that only one game reads may do without an attribute: its value is
    then in `extra`, by name. A win at a table that is followed has none there, so read it with
    `extra.get(name, …)`.
    """

    rules: str
    options: Options
    hand: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    winning_tile: Tile | None
    flowers: tuple[Tile, ...]
    winner: int
    dealer: int
    round_wind: Tile
    source: Source
    discarder: int | None
    streak: int
    situation: frozenset[str]
    discards: int | None
    fortune: Tile | None
    gambits: int
    consecutive_kongs: int
    three_melds: tuple[tuple[int, int], ...]
    kongs_declared: tuple[DeclaredKong, ...]
    stakes: Stakes
    base: int
    cap: int | None
    balances: tuple[int, ...] | None
    also_won: tuple[int, ...] = ()
    flowers_known: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)

    def changed(self, **values: Any) -> ScoreRequest:
        """The request with other values of these attributes: dataclasses.replace, in a tenth of its time."""
        other = object.__new__(ScoreRequest)
        other.__dict__.update(self.__dict__, **values)
        return other

    def value(self, attribute: str) -> Any:
        """The value of that attribute, or of the field of that name in `extra`; None if it has neither."""
        return self.extra[attribute] if attribute in self.extra else getattr(self, attribute, None)

    def on(self, key: str) -> bool:
        """Whether that switch among the house options is on."""
        return bool(self.options[key])

    @property
    def seat(self) -> int:
        """The winner's place from the dealer on, 0 to 3."""
        return (self.winner - self.dealer) % 4

    @property
    def seat_wind(self) -> Tile:
        """The winner's wind: the dealer is East, and winds follow the order of the seats."""
        return WINDS[self.seat]


@dataclass(eq=False, slots=True)
class Win:
    """What holds for every reading of the finished `hand`; `seats` are those that play.

    `by_flowers`: it was won by flowers alone, whatever the hand. `before` is the hand before the winning tile
    came, and `waits` the kinds that would have completed it (ruling C-15); a win without a winning tile has
    neither. `last` is the kind that the winning tile counts as, None for a wild one. `on(key)` reads a switch
    among the house options, `number(key)` one whose settings are numbers.

    Nothing changes it. It is not frozen, since setting frozen fields takes a microsecond of every scoring.
    """

    request: ScoreRequest
    seats: tuple[int, ...]
    by_flowers: bool
    hand: Hand
    before: Hand | None
    waits: tuple[Tile, ...]
    last: Tile | None
    options: Options = field(init=False)
    on: Callable[[str], bool] = field(init=False)
    number: Callable[[str], int] = field(init=False)
    melds: tuple[Meld, ...] = field(init=False)
    self_drawn: bool = field(init=False)
    robbed: bool = field(init=False)
    """Whether the winning tile is that of another player's kong."""
    by_dealer: bool = field(init=False)
    """Whether the dealer wins."""
    closed: bool = field(init=False)
    """Whether the hand has no claimed meld: concealed kongs do not open it (ruling C-16)."""
    sizes: tuple[int, ...] = field(init=False)
    """Number of the player's tiles of m, p, s, z, melds included; a kong counts four."""
    suits_held: int = field(init=False)
    """Number of the suits m, p, s of which the player has tiles."""
    outline: OfWin = field(init=False)
    """Fields that all outlines of this win share."""
    _ranks: Sequence[int] = field(init=False, default=())

    def __post_init__(self) -> None:
        request, hand = self.request, self.hand
        self.options = request.options
        read: Any = self.options.__getitem__
        self.on = self.number = read
        self.melds = melds = request.melds
        self.self_drawn = request.source is Source.SELF_DRAW
        self.robbed = request.source is Source.ROBBED_KONG
        self.by_dealer = request.winner == request.dealer
        self.closed = not melds or all(meld.kind is MeldKind.KONG_CONCEALED for meld in melds)
        self.sizes = sizes = _count_suits(hand.total) if melds or hand.wild else hand.sizes
        self.suits_held = (sizes[0] > 0) + (sizes[1] > 0) + (sizes[2] > 0)
        flowers = len(request.flowers) if request.flowers_known else NOT_KNOWN
        self.outline = (
            request.situation, self.self_drawn, self.robbed, self.by_dealer, self.closed,
            len(self.waits) == 1, flowers, self.suits_held, sizes[3] > 0, hand.wild,
            request.gambits + request.consecutive_kongs > 0,
        )  # fmt: skip

    def under(self, request: ScoreRequest) -> Win:
        """The same tiles, won under another request: one that finds the same hand and waits."""
        return Win(request, self.seats, self.by_flowers, self.hand, self.before, self.waits, self.last)

    @property
    def ranks(self) -> Sequence[int]:
        """How many tiles of the ranks 1 to 9 the player has, all suits and melds together."""
        if not self._ranks:
            total = self.hand.total
            self._ranks = [total[rank] + total[rank + 9] + total[rank + 18] for rank in range(9)]
        return self._ranks


def _count_suits(total: Counts) -> tuple[int, ...]:
    return sum(total[:9]), sum(total[9:18]), sum(total[18:27]), sum(total[27:34])


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a hand is not a win, and the id of the ruling that says so."""

    sentence: Sentence
    ruling: str


class HandReading(Struct, frozen=True, dict=True):
    """One way of seeing a finished hand: the groups of the hand in the order of tiles, then the melds."""

    shape: str
    groups: tuple[Group, ...]

    @lazy_property
    def sequences(self) -> tuple[Group, ...]:
        return tuple([g for g in self.groups if g.is_sequence])

    @lazy_property
    def twin_sequences(self) -> int:
        """How many pairs of equal sequences there are: one in three equal ones, two in four."""
        starts = [g.tile for g in self.groups if g.is_sequence]
        kinds = set(starts)
        return sum([starts.count(start) // 2 for start in kinds]) if len(kinds) < len(starts) else 0

    @lazy_property
    def pungs(self) -> tuple[Group, ...]:
        """Triplets and kongs, concealed or not."""
        return tuple([g for g in self.groups if g.is_pung])

    @lazy_property
    def concealed_pungs(self) -> tuple[Group, ...]:
        """Concealed triplets (ruling C-16) and concealed kongs."""
        return tuple([g for g in self.groups if g.is_pung and g.concealed])

    @lazy_property
    def pairs(self) -> tuple[Group, ...]:
        return tuple([g for g in self.groups if g.is_pair])

    @lazy_property
    def won(self) -> Group | None:
        """The group that the winning tile completed; None for a dealt win."""
        return next((g for g in self.groups if g.won), None)
