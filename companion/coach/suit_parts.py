"""What one suit of a finished hand can be: every count of its ranks that is k sets and p pairs.

Made once, by adding one set after the other; a suit of a hand is then held against all of them at once.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach.reach import Sets

RANKS = 9
COPIES, TRIPLET = 4, 3
Ranks = NDArray[np.uint8]
"""Counts of nine ranks, (n, 9)."""
_REMEMBERED = 1 << 13
NEAREST = 64
"""Parts that are kept of what a suit holds, before it is asked what is left."""
LIKELY = 200.0
"""More than how likely tiles are ever comes to: it only decides between parts that lack as many."""


class PartKind(NamedTuple):
    """What parts of one suit are made of. honors: whether it is the suit of honours; required: the ranks,
    from 0, of which it must hold a triplet; short: whether suits have the ranks 2 to 8 alone."""

    honors: bool
    short: bool
    sets: Sets = Sets.ANY
    required: tuple[int, ...] = ()


class Parts:
    """Some parts of one suit: `tiles` (n, 9), how many each of them `lacks` (n,), and how `likely` (n,) the
    lacking ones are, as the sum of the logarithms of how many are left."""

    __slots__ = ("lacks", "likely", "tiles")

    def __init__(self, tiles: Ranks, lacks: NDArray[np.int64], likely: NDArray[np.float64]) -> None:
        self.tiles, self.lacks, self.likely = tiles, lacks, likely


@cache
def list_parts(sets: int, pair: bool, kind: PartKind) -> Ranks:
    """All counts that are so many sets, and a pair where `pair`."""
    honors, short = kind.honors, kind.short
    if kind.required:
        found = list_parts(sets, pair, kind._replace(required=()))
        return found[(found[:, list(kind.required)] >= TRIPLET).all(axis=1)]
    kinds = 7 if honors else RANKS
    unit = np.eye(RANKS, dtype=np.uint8)
    ranks = range(1, 8) if short else range(kinds)
    units = [] if kind.sets is Sets.CHOWS else [3 * unit[rank] for rank in ranks]
    if not honors and kind.sets is not Sets.TRIPLETS:
        units += [unit[rank] + unit[rank + 1] + unit[rank + 2] for rank in ranks if rank + 2 in ranks]
    if honors and short:
        units = []
    if sets == 0 and not pair:
        return np.zeros((1, RANKS), np.uint8)
    if pair:
        before, add = list_parts(sets, False, kind), [2 * unit[rank] for rank in ranks]
    else:
        before, add = list_parts(sets - 1, False, kind), units
    if not add or (honors and short):
        return np.zeros((0, RANKS), np.uint8)
    found = (before[:, None] + np.array(add, np.uint8)[None]).reshape(-1, RANKS)
    return np.unique(found[(found <= COPIES).all(axis=1)], axis=0)


def find_near_parts(held: bytes, left: bytes, sets: int, pair: bool, kind: PartKind, most: int) -> Parts:
    """The parts nearest to what a suit holds, of those that what is left allows: `most` of them."""
    near = _find_nearest(held, sets, pair, kind)
    there = np.frombuffer(left, np.uint8)
    possible = (near.lacking <= there).all(axis=1)
    lacking, lacks = near.lacking[possible], near.lacks[possible]
    likely = lacking.astype(np.float64) @ np.log(np.maximum(there, 1) / 4.0)
    order = np.argsort(lacks - likely / LIKELY, kind="stable")[:most]
    return Parts(near.tiles[possible][order], lacks[order], likely[order])


class _Nearest(NamedTuple):
    """Parts (n, 9) nearest to what a suit holds, and what each lacks, by rank (n, 9) and in all (n,)."""

    tiles: Ranks
    lacking: Ranks
    lacks: NDArray[np.int64]


@lru_cache(_REMEMBERED)
def _find_nearest(held: bytes, sets: int, pair: bool, kind: PartKind) -> _Nearest:
    tiles = list_parts(sets, pair, kind)
    lacking = np.maximum(tiles.astype(np.int8) - np.frombuffer(held, np.int8), 0).astype(np.uint8)
    lacks = lacking.sum(axis=1, dtype=np.int64)
    order = np.argsort(lacks, kind="stable")[:NEAREST]
    return _Nearest(tiles[order], lacking[order], lacks[order])
