"""Groups of tiles: the sets, pairs and single tiles that a finished hand is read as."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import cache

from companion.rules import outline
from companion.tiles import KINDS, Meld, MeldKind, Suit, Tile, format_tiles

WINDS = tuple(tile for tile in KINDS if tile.suit is Suit.HONORS)[:4]
"""East, South, West, North."""
DRAGONS = tuple(tile for tile in KINDS if tile.suit is Suit.HONORS)[4:]
"""White, Green, Red."""


class GroupKind(Enum):
    """What a group of tiles is."""

    SEQUENCE = "sequence"
    TRIPLET = "triplet"
    KONG = "kong"
    PAIR = "pair"
    SINGLE = "single"
    """A tile that stands alone, in shapes that are no sets."""


WILD = 1 << len(KINDS)
"""The bit of wild tiles among those of kinds."""
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
    tally: int = field(init=False, repr=False)
    """What it adds to the tally of a reading (outline.py)."""
    text: str = field(init=False, repr=False)
    """In notation, with the kind of meld in front where it is one."""
    bits: int = field(init=False, repr=False)
    """The kinds of its own tiles, as bits by index; those of wild ones are left out, and are the bit WILD."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_sequence", self.kind is GroupKind.SEQUENCE)
        object.__setattr__(self, "is_pung", self.kind in (GroupKind.TRIPLET, GroupKind.KONG))
        object.__setattr__(self, "is_pair", self.kind is GroupKind.PAIR)
        object.__setattr__(self, "tally", self._find_tally())
        object.__setattr__(self, "text", (self.meld or "") + format_tiles(self.tiles))
        own = [tile.index for tile in self.tiles if self.tiles.count(tile) > self.wild.count(tile)]
        bits = {1 << index for index in own} | ({WILD} if self.wild else set())
        object.__setattr__(self, "bits", sum(bits))

    def _find_tally(self) -> int:
        if self.is_sequence:
            return outline.SEQUENCE
        dragon, wind = self.tile in DRAGONS, self.tile in WINDS
        if self.is_pair:
            return outline.DRAGON_PAIR * dragon + outline.WIND_PAIR * wind
        if not self.is_pung:
            return 0
        kong = self.kind is GroupKind.KONG
        own = outline.PUNG + outline.CONCEALED_PUNG * self.concealed + outline.KONG * kong
        return own + outline.DRAGON_PUNG * dragon + outline.WIND_PUNG * wind

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """What it stands for, wild tiles as what they stand for."""
        if self.is_sequence:
            return KINDS[self.tile.index : self.tile.index + 3]
        return (self.tile,) * _SIZES[self.kind]

    def holds(self, tile: Tile) -> bool:
        """Whether `tile` itself, not a wild one in its place, is one of its tiles."""
        return bool(self.bits >> tile.index & 1)

    def __str__(self) -> str:
        return self.text


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
