"""The values that patterns look at: the request, the win it describes, and one reading of its tiles.

Patterns get a Win (the same for all readings) and a Reading (one way of seeing the tiles, one place of the
winning tile).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from functools import cache
from typing import Any, cast

from companion.rules.lazy import lazy_property
from companion.sentences import Sentence
from companion.tiles import KINDS, Meld, MeldKind, Suit, Tile, format_tiles

Counts = tuple[int, ...]
"""How many of each kind: 42 by index, or one suit's kinds by rank."""
Suits = tuple[Counts, ...]
"""Concealed tiles as counts of m (9), p (9), s (9) and z (7)."""
OptionValue = bool | int | str
Options = Mapping[str, OptionValue]
WINDS = tuple(tile for tile in KINDS if tile.suit is Suit.HONORS)[:4]
"""East, South, West, North."""
DRAGONS = tuple(tile for tile in KINDS if tile.suit is Suit.HONORS)[4:]
"""White, Green, Red."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRequest:
    """A win to be scored, as `decode_request` makes it: tiles and melds sorted, every house option given.

    `hand` holds the winning tile; `winning_tile` is None for a dealt win. `discarder` is the seat that
    discarded the tile or whose kong was robbed, None on a self-draw. `flowers` are those of the winner,
    `round_wind` is the wind's tile. `discards` is how many were made so far, None where that is not known.
    `fortune` is the kind that is wild; `gambits` and `consecutive_kongs` are the chains directly before the
    win; `three_melds` are pairs of seats of which the first melded three times from the second. `cap` is the
    most that one player's share comes to, before one pays for all; None for no limit. `balances` is what each
    seat has to pay with, None where debts are allowed. `also_won` are other winners on the same tile, who pay
    nothing (S-04).

    Except for `also_won` these are the fields of fields.py, named here once more so that their types are
    checked. A field that only one game looks at may do without an attribute: its value is then in `extra`, by
    name. A win at a table that is followed has none there, so read it with `extra.get(name, …)`.
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
    base: int
    cap: int | None
    balances: tuple[int, ...] | None
    also_won: tuple[int, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def value(self, attribute: str) -> Any:
        """The value of that attribute, or of the field of that name in `extra`; None where it has neither."""
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


@dataclass(frozen=True, slots=True)
class Wild:
    """Wildcards: every concealed tile of the kind `tile` stands for any tile. There are `copies` of it.

    `substitute`: the kind whose concealed tiles stand for `tile` as it would be were it not wild.
    """

    tile: Tile
    copies: int
    substitute: Tile | None = None

    def count_held(self, hand: tuple[Tile, ...], melds: tuple[Meld, ...]) -> int:
        """How many wild tiles a player holds; in a meld the kind is the substitute, where there is one."""
        if self.substitute is not None:
            return hand.count(self.tile)
        return hand.count(self.tile) + sum([meld.tiles.count(self.tile) for meld in melds])


@dataclass(frozen=True, slots=True)
class Hand:
    """A player's tiles, finished or one short: `suits` counts the concealed ones, `total` all of them.

    `sizes`: how many tiles each of `suits` has. `wild` concealed tiles are of the kind of `wildcard`: they
    stand for any tile and are not in `suits`.
    """

    suits: Suits
    sizes: tuple[int, ...]
    total: Counts
    melds: tuple[Meld, ...]
    wild: int = 0
    wildcard: Wild | None = None

    @property
    def fortune(self) -> Tile:
        """The kind that is wild, in a game with wildcards."""
        assert self.wildcard is not None
        return self.wildcard.tile


@dataclass(eq=False)
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

    def __post_init__(self) -> None:
        self.options = self.request.options
        self.on = self.number = cast("Callable[[str], Any]", self.options.__getitem__)
        self.melds = self.request.melds
        self.self_drawn = self.request.source is Source.SELF_DRAW

    @lazy_property
    def robbed(self) -> bool:
        """Whether the winning tile is that of another player's kong."""
        return self.request.source is Source.ROBBED_KONG

    @lazy_property
    def by_dealer(self) -> bool:
        """Whether the dealer wins."""
        return self.request.winner == self.request.dealer

    @lazy_property
    def sizes(self) -> tuple[int, ...]:
        """How many tiles of m, p, s, z the player has, melds included, a kong as four."""
        if not self.request.melds and not self.hand.wild:
            return self.hand.sizes
        total = self.hand.total
        return sum(total[:9]), sum(total[9:18]), sum(total[18:27]), sum(total[27:34])

    @lazy_property
    def suits_held(self) -> int:
        """How many of m, p, s the player has tiles of."""
        characters, dots, bamboo, _ = self.sizes
        return (characters > 0) + (dots > 0) + (bamboo > 0)

    @lazy_property
    def ranks(self) -> tuple[int, ...]:
        """How many tiles of the ranks 1 to 9 the player has, all suits and melds together."""
        total = self.hand.total
        return tuple(map(_sum_of_three, total[:9], total[9:18], total[18:27]))

    @lazy_property
    def closed(self) -> bool:
        """Whether nothing was claimed: concealed kongs do not open a hand (ruling C-16)."""
        return all(meld.kind is MeldKind.KONG_CONCEALED for meld in self.melds)


def _sum_of_three(characters: int, dots: int, bamboo: int) -> int:
    return characters + dots + bamboo


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a hand is not a win, and the id of the ruling that says so."""

    sentence: Sentence
    ruling: str


class GroupKind(Enum):
    """What a group of tiles is."""

    SEQUENCE = "sequence"
    TRIPLET = "triplet"
    KONG = "kong"
    PAIR = "pair"
    SINGLE = "single"
    """A tile that stands alone, in shapes that are no sets."""


_SIZES = {
    GroupKind.SEQUENCE: 3,
    GroupKind.TRIPLET: 3,
    GroupKind.KONG: 4,
    GroupKind.PAIR: 2,
    GroupKind.SINGLE: 1,
}


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A set, pair or single tile of a reading. Made by `make_group` and `make_meld_group`, equal ones once.

    `tile` is its lowest tile. `wild`: the tiles that wild ones stand for in it. `concealed`: all its tiles
    were drawn (ruling C-16; a concealed kong counts as concealed). `won`: it holds the winning tile. `meld`:
    the kind of meld it lies on the table as, None in the hand.
    """

    kind: GroupKind
    tile: Tile
    wild: tuple[Tile, ...] = ()
    concealed: bool = True
    won: bool = False
    meld: MeldKind | None = None
    is_sequence: bool = field(init=False)
    is_pung: bool = field(init=False)
    """A triplet or a kong."""
    is_pair: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_sequence", self.kind is GroupKind.SEQUENCE)
        object.__setattr__(self, "is_pung", self.kind in (GroupKind.TRIPLET, GroupKind.KONG))
        object.__setattr__(self, "is_pair", self.kind is GroupKind.PAIR)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """What it stands for, wild tiles as what they stand for."""
        if self.is_sequence:
            return KINDS[self.tile.index : self.tile.index + 3]
        return (self.tile,) * _SIZES[self.kind]

    def holds(self, tile: Tile) -> bool:
        """Whether `tile` itself, not a wild one in its place, is one of its tiles."""
        if self.wild:
            return self.tiles.count(tile) > self.wild.count(tile)
        if self.is_sequence:
            return 0 <= tile.index - self.tile.index <= 2
        return self.tile is tile

    def __str__(self) -> str:
        return (self.meld or "") + format_tiles(self.tiles)


@cache
def make_group(
    kind: GroupKind, tile: Tile, wild: tuple[Tile, ...] = (), concealed: bool = True, won: bool = False
) -> Group:
    """The group of the hand with these values."""
    return Group(kind, tile, wild, concealed, won)


@cache
def mark_won(here: Group, concealed: bool) -> Group:
    """A group of the hand as the one that the winning tile completed."""
    return make_group(here.kind, here.tile, here.wild, concealed, True)


@cache
def make_meld_group(meld: Meld) -> Group:
    """The group that a meld is."""
    kind = {MeldKind.CHOW: GroupKind.SEQUENCE, MeldKind.PUNG: GroupKind.TRIPLET}.get(
        meld.kind, GroupKind.KONG
    )
    return Group(kind, meld.tiles[0], concealed=meld.kind is MeldKind.KONG_CONCEALED, meld=meld.kind)


@dataclass(frozen=True)
class HandReading:
    """One way of seeing a finished hand: the groups of the hand in the order of tiles, then the melds."""

    shape: str
    groups: tuple[Group, ...]

    @lazy_property
    def sequences(self) -> tuple[Group, ...]:
        return tuple([g for g in self.groups if g.is_sequence])

    @lazy_property
    def twin_sequences(self) -> int:
        """How many pairs of equal sequences there are: one in three equal ones, two in four."""
        starts = [g.tile.index for g in self.sequences]
        kinds = set(starts)
        return sum([starts.count(start) // 2 for start in kinds]) if len(kinds) < len(starts) else 0

    @lazy_property
    def pungs(self) -> tuple[Group, ...]:
        """Triplets and kongs, concealed or not."""
        return tuple([g for g in self.groups if g.is_pung])

    @lazy_property
    def concealed_pungs(self) -> tuple[Group, ...]:
        """Concealed triplets (ruling C-16) and concealed kongs."""
        return tuple([g for g in self.pungs if g.concealed])

    @lazy_property
    def pairs(self) -> tuple[Group, ...]:
        return tuple([g for g in self.groups if g.is_pair])

    @lazy_property
    def won(self) -> Group | None:
        """The group that the winning tile completed; None for a dealt win."""
        return next((g for g in self.groups if g.won), None)
