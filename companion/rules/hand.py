"""The tiles of a hand: counted, with wildcards; suit by suit; and in groups (sets, pairs, single tiles).

Suits do not mix and few suits differ, so what is found out about one suit's tiles is kept and shared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, lru_cache
from typing import Any, Generic, TypeVar

from msgspec import Struct

from companion.rules import outline
from companion.tiles import KINDS, Meld, MeldKind, Suit, Tile, format_tiles

T = TypeVar("T")


class lazy_property(Generic[T]):
    """What functools.cached_property is, without the lock that Python 3.11 takes at every first asking: the
    values are scored by one thread each, and what is worked out twice is the same.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out = work_out
        self._name = work_out.__name__
        self.__doc__ = work_out.__doc__

    def __get__(self, value: Any, owner: object = None) -> T:
        found = value.__dict__[self._name] = self._work_out(value)
        return found


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
        """Its tiles, with wild tiles replaced by the kinds they represent."""
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


Counts = tuple[int, ...]
"""How many of each kind: 42 by index, or one suit's kinds by rank."""
Splits = tuple[tuple[Group, ...], ...]
SUIT_STARTS = (0, 9, 18, 27)
"""Index of the first kind of m, p, s, z."""
HONORS = 3
"""The place of z among the suits."""
REMEMBERED = 1 << 17
"""How many suits are kept: more than one suit of up to nine tiles has, a few hundred bytes each."""


class SuitTiles:
    """The tiles of m, p, s or z (`suit` 0 to 3), `counts` by rank, none of them wild. Nothing changes it.

    Made by `find_suit_tiles`, equal ones once, so that what is worked out of one suit is worked out once.
    """

    def __init__(self, suit: int, counts: Counts) -> None:
        self.suit, self.counts = suit, counts
        self.size = sum(counts)
        self.rest = self.size % 3
        """0 where the tiles may be sets, 2 where they may be sets and the pair."""

    @lazy_property
    def splits(self) -> Splits:
        """Every way of splitting the tiles into sets (3n tiles) or sets and a pair (3n + 2)."""
        return () if self.rest == 1 else tuple(_split(self.suit, self.counts, 0, pair=self.rest == 2))

    @lazy_property
    def waits(self) -> tuple[int, ...]:
        """Indices of the suit's kinds that, added to the tiles, let them be split."""
        start = SUIT_STARTS[self.suit]
        return tuple([start + rank for rank in range(len(self.counts)) if self.plus(rank).splits])

    @lazy_property
    def pairs(self) -> tuple[Group, ...]:
        """The pairs among the tiles, four equal ones as two."""
        kinds = KINDS[SUIT_STARTS[self.suit] :]
        return tuple(
            [
                make_group(GroupKind.PAIR, kinds[rank])
                for rank, count in enumerate(self.counts)
                for _ in range(count // 2)
            ]
        )

    @lazy_property
    def odd(self) -> tuple[int, ...]:
        """Indices of the kinds that are left over beside the pairs."""
        start = SUIT_STARTS[self.suit]
        return tuple([start + rank for rank, count in enumerate(self.counts) if count % 2])

    def plus(self, rank: int, more: int = 1) -> SuitTiles:
        """The same with one tile of that rank more, or with `more`."""
        counts = list(self.counts)
        counts[rank] += more
        return find_suit_tiles(self.suit, tuple(counts))


find_suit_tiles = lru_cache(REMEMBERED)(SuitTiles)


def _split(suit: int, counts: Counts, rank: int, *, pair: bool) -> Iterator[tuple[Group, ...]]:
    """The lowest tiles are a triplet, the pair, or begin sequences: each choice once, so no way twice."""
    while rank < len(counts) and not counts[rank]:
        rank += 1
    if rank == len(counts):
        if not pair:
            yield ()
        return
    tile = KINDS[SUIT_STARTS[suit] + rank]
    for triplet, use_pair in ((False, False), (False, True), (True, False), (True, True)):
        sequences = counts[rank] - 3 * triplet - 2 * use_pair
        if sequences < 0 or use_pair > pair:
            continue
        rest = counts
        if sequences:
            if suit == HONORS or rank + 2 >= len(counts) or min(counts[rank + 1 : rank + 3]) < sequences:
                continue
            below, above = counts[: rank + 1], counts[rank + 3 :]
            rest = (*below, counts[rank + 1] - sequences, counts[rank + 2] - sequences, *above)
        here = (
            (make_group(GroupKind.SEQUENCE, tile),) * sequences
            + (make_group(GroupKind.TRIPLET, tile),) * triplet
            + (make_group(GroupKind.PAIR, tile),) * use_pair
        )
        for others in _split(suit, rest, rank + 1, pair=pair and not use_pair):
            yield here + others


Suits = tuple[Counts, ...]
"""Concealed tiles as counts of m (9), p (9), s (9) and z (7)."""


class Wild(Struct, frozen=True):
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


class Hand(Struct, frozen=True, dict=True):
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

    @lazy_property
    def parts(self) -> tuple[SuitTiles, ...]:
        """What is known of each of `suits`."""
        return tuple(map(find_suit_tiles, range(4), self.suits))

    @property
    def fortune(self) -> Tile:
        """The kind that is wild, in a game with wildcards."""
        assert self.wildcard is not None
        return self.wildcard.tile

    def without(self, tile: Tile, stands_for: Tile | None) -> Hand:
        """The hand without one concealed `tile`, which counts as `stands_for`, or as a wild one where that is
        None."""
        held = list(self.total)
        held[tile.index] -= 1
        total = tuple(held)
        if stands_for is None:
            less = Hand(self.suits, self.sizes, total, self.melds, self.wild - 1, self.wildcard)
            less.__dict__["parts"] = self.parts
            return less
        suit = stands_for.index // 9
        parts = list(self.parts)
        parts[suit] = here = parts[suit].plus(stands_for.index - 9 * suit, -1)
        suits, sizes = list(self.suits), list(self.sizes)
        suits[suit], sizes[suit] = here.counts, here.size
        less = Hand(tuple(suits), tuple(sizes), total, self.melds, self.wild, self.wildcard)
        less.__dict__["parts"] = tuple(parts)
        return less
