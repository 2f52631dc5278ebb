"""The values that patterns look at: the request, the win it describes, and one reading of its tiles.

Patterns get a Win (the same for all readings) and a Reading (one way of seeing the tiles, one place of the
winning tile).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cache

from companion.tiles import KINDS, Meld, MeldKind, Tile, format_tiles

Counts = tuple[int, ...]
"""How many of each kind: 42 by index, or one suit's kinds by rank."""
Suits = tuple[Counts, ...]
"""Concealed tiles as counts of m (9), p (9), s (9) and z (7)."""
OptionValue = bool | int | str
Options = Mapping[str, OptionValue]


class Source(StrEnum):
    """Where the winning tile came from. A dealt win counts as self-drawn."""

    SELF_DRAW = "self_draw"
    DISCARD = "discard"
    ROBBED_KONG = "robbed_kong"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRequest:
    """A win to be scored, as `decode_request` makes it: tiles and melds sorted, every house option given.

    `hand` holds the winning tile; `winning_tile` is None for a dealt win. `discarder` is the seat that
    discarded the tile or whose kong was robbed, None on a self-draw. `cap` is the most that one player pays,
    None for no limit. `balances` is what each seat has to pay with, None where debts are allowed.
    """

    rules: str
    options: Options
    hand: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    winning_tile: Tile | None
    winner: int
    dealer: int
    source: Source
    discarder: int | None
    streak: int
    situation: frozenset[str]
    base: int
    cap: int | None
    balances: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Hand:
    """A player's tiles, finished or one short: `suits` counts the concealed ones, `total` all of them."""

    suits: Suits
    total: Counts
    melds: tuple[Meld, ...]


@dataclass(frozen=True, slots=True)
class Win:
    """What holds for every reading of the finished `hand`.

    `waits` are the kinds that would have completed the hand before the winning tile came (ruling C-15); none
    for a dealt win.
    """

    request: ScoreRequest
    hand: Hand
    waits: frozenset[Tile]

    @property
    def options(self) -> Options:
        return self.request.options

    @property
    def melds(self) -> tuple[Meld, ...]:
        return self.request.melds

    @property
    def situation(self) -> frozenset[str]:
        return self.request.situation


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a hand is no win: `str(reason)` is a sentence; template and params let it be translated."""

    template: str
    params: Mapping[str, object]
    ruling: str

    def __str__(self) -> str:
        return self.template.format(**self.params)


class GroupKind(Enum):
    """What a group of tiles is."""

    SEQUENCE = "sequence"
    TRIPLET = "triplet"
    KONG = "kong"
    PAIR = "pair"


_SIZES = {GroupKind.SEQUENCE: 3, GroupKind.TRIPLET: 3, GroupKind.KONG: 4, GroupKind.PAIR: 2}


@dataclass(frozen=True, slots=True)
class Group:
    """A set or pair of a reading; `tile` is its lowest. Made by `group` and `meld_group`, equal ones once.

    `concealed`: all its tiles were drawn (ruling C-16; a concealed kong counts as concealed). `won`: it holds
    the winning tile. `meld`: the kind of meld it lies on the table as, None in the hand.
    """

    kind: GroupKind
    tile: Tile
    concealed: bool = True
    won: bool = False
    meld: MeldKind | None = None

    @property
    def tiles(self) -> tuple[Tile, ...]:
        if self.kind is GroupKind.SEQUENCE:
            return KINDS[self.tile.index : self.tile.index + 3]
        return (self.tile,) * _SIZES[self.kind]

    def holds(self, tile: Tile) -> bool:
        """Whether `tile` is one of its tiles."""
        if self.kind is GroupKind.SEQUENCE:
            return 0 <= tile.index - self.tile.index <= 2
        return self.tile is tile

    def __str__(self) -> str:
        return (self.meld or "") + format_tiles(self.tiles)


@cache
def group(kind: GroupKind, tile: Tile, concealed: bool = True, won: bool = False) -> Group:
    """The group of the hand with these values."""
    return Group(kind, tile, concealed, won)


@cache
def meld_group(meld: Meld) -> Group:
    """The group that a meld is."""
    kind = {MeldKind.CHOW: GroupKind.SEQUENCE, MeldKind.PUNG: GroupKind.TRIPLET}.get(
        meld.kind, GroupKind.KONG
    )
    return Group(kind, meld.tiles[0], concealed=meld.kind is MeldKind.KONG_CONCEALED, meld=meld.kind)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way of seeing a finished hand: the groups of the hand in the order of tiles, then the melds."""

    shape: str
    groups: tuple[Group, ...]
