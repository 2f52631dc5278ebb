"""What one suit of a finished hand can be: every count of its ranks that is k sets and p pairs.

Made once, by adding one set after the other; a suit of a hand is then held against all of them at once.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

RANKS = 9
COPIES = 4
Ranks = NDArray[np.uint8]
"""Counts of nine ranks, (n, 9)."""
_REMEMBERED = 1 << 12


class Parts:
    """Some parts of one suit: `tiles` (n, 9), how many each of them `lacks` (n,), and how `likely` (n,) the
    lacking ones are, as the sum of the logarithms of how many are left."""

    __slots__ = ("lacks", "likely", "tiles")

    def __init__(self, tiles: Ranks, lacks: NDArray[np.int64], likely: NDArray[np.float64]) -> None:
        self.tiles, self.lacks, self.likely = tiles, lacks, likely


@cache
def list_parts(sets: int, pair: bool, honors: bool, triplets: bool, short: bool) -> Ranks:
    """All counts that are so many sets, and a pair where `pair`; of triplets alone where `triplets`."""
    kinds = 7 if honors else RANKS
    unit = np.eye(RANKS, dtype=np.uint8)
    ranks = range(1, 8) if short else range(kinds)
    units = [3 * unit[rank] for rank in ranks]
    if not (honors or triplets):
        units += [unit[rank] + unit[rank + 1] + unit[rank + 2] for rank in ranks if rank + 2 in ranks]
    if honors and short:
        units = []
    if sets == 0 and not pair:
        return np.zeros((1, RANKS), np.uint8)
    if pair:
        before, add = list_parts(sets, False, honors, triplets, short), [2 * unit[rank] for rank in ranks]
    else:
        before, add = list_parts(sets - 1, False, honors, triplets, short), units
    if honors and short:
        return np.zeros((0, RANKS), np.uint8)
    found = (before[:, None] + np.array(add, np.uint8)[None]).reshape(-1, RANKS)
    return np.unique(found[(found <= COPIES).all(axis=1)], axis=0)


@lru_cache(_REMEMBERED)
def find_near_parts(
    held: bytes, left: bytes, sets: int, pair: bool, honors: bool, triplets: bool, short: bool, most: int
) -> Parts:
    """The parts nearest to what a suit holds, of those that what is left allows: `most` of them."""
    tiles = list_parts(sets, pair, honors, triplets, short)
    own, there = np.frombuffer(held, np.uint8), np.frombuffer(left, np.uint8)
    lacking = np.maximum(tiles.astype(np.int8) - own.astype(np.int8), 0)
    possible = (lacking <= there).all(axis=1)
    tiles, lacking = tiles[possible], lacking[possible]
    lacks = lacking.sum(axis=1)
    likely = lacking @ np.log(np.maximum(there, 1) / 4.0)
    order = np.lexsort((-likely, lacks))[:most]
    return Parts(tiles[order], lacks[order], likely[order])
