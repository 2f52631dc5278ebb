"""The concealed tiles of one suit, and what is found out about them: suits do not mix, and few differ."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from companion.rules.groups import Group, GroupKind, make_group
from companion.rules.lazy import lazy_property
from companion.tiles import KINDS

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
