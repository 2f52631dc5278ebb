"""Shanten of many concealed hands in one pass of numpy, for code that compares thousands of draws and
discards.

The same tables and formulas as in `distance`, for all hands at once; `shanten` takes melds and wildcards too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from companion.rules import shapes, tables
from companion.rules.distance import UNREACHABLE
from companion.rules.hand import Hand
from companion.rules.rule_set import RuleSet
from companion.rules.shapes import ORPHANS, PAIRS, Shape, ShapeRules
from companion.rules.win import Options

Hands = NDArray[np.uint8]
"""Number of tiles of each of the 34 kinds in every hand, (n, 34), 0 to 4 each."""
Lacks = NDArray[np.uint8]
"""Number of missing tiles of every hand, (n,)."""
_SUITS = (slice(0, 9), slice(9, 18), slice(18, 27), slice(27, 34))


def shantens(rules: RuleSet, hands: Hands, options: Options | None = None) -> NDArray[np.int8]:
    """The `shanten` of each of these hands, (n,): without melds, and every tile as itself.

    `options` are settings other than the defaults. ValueError if `hands` is not (n, 34).
    """
    if hands.ndim != 2 or hands.shape[1] != _SUITS[-1].stop:
        raise ValueError(f"hands must be (n, 34), not {hands.shape}")
    settings = rules.settings(options)
    game = rules.game((), settings)
    lacks = np.full(len(hands), UNREACHABLE, np.uint8)
    for shape in rules.shapes_in_force(settings):
        lacks = np.minimum(lacks, measure_lacks(shape, hands, game))
    return lacks.astype(np.int8) - 1


def measure_lacks(shape: Shape, hands: Hands, game: ShapeRules) -> Lacks:
    """What each of these hands lacks for one shape."""
    at_once = _AT_ONCE.get(shape.lacks)
    return at_once(hands, game) if at_once else _measure_each(shape, hands, game)


def standard_lack(hands: Hands, game: ShapeRules) -> Lacks:
    """As `distance.standard_lacks`."""
    rows = [_rows(hands[:, suit], game) for suit in _SUITS]
    if game.quota is None:
        return _join_last_entries(_join_rows(rows[0], rows[1]), _join_rows(rows[2], rows[3]))
    lacks = np.full(len(hands), UNREACHABLE, np.uint8)
    entries = np.arange(2 * game.sets + 2)
    tiles = 3 * (entries // 2) + 2 * (entries % 2)
    for suit, least in enumerate(game.quota):
        enough = [*rows]
        enough[suit] = np.where((tiles >= least)[:, None], rows[suit], UNREACHABLE).astype(np.uint8)
        first, second = _join_rows(enough[0], enough[1]), _join_rows(enough[2], enough[3])
        lacks = np.minimum(lacks, _join_last_entries(first, second))
    return lacks


def seven_pairs_lack(hands: Hands, game: ShapeRules) -> Lacks:
    """As `distance.seven_pairs_lacks`."""
    pairs, singles = _count_pairs_and_singles(hands)
    if game.quota is None:
        return _pairs_lack(pairs, singles, PAIRS)
    lacks = np.full(len(hands), UNREACHABLE, np.uint8)
    for suit, least in zip(_SUITS, game.quota, strict=False):
        here = max(0, least + 1) // 2
        if here <= PAIRS:
            pairs_here, singles_here = _count_pairs_and_singles(hands[:, suit])
            whole = np.minimum(here, pairs_here)
            half = np.minimum(here - whole, singles_here)
            rest = _pairs_lack(pairs - whole, singles - half, PAIRS - here)
            lacks = np.minimum(lacks, 2 * (here - whole) - half + rest)
    return lacks


def orphans_lack(hands: Hands, game: ShapeRules) -> Lacks:
    """As `distance.orphans_lacks`."""
    held = hands[:, [tile.index for tile in ORPHANS]]
    lacks: Lacks = ((held == 0).sum(axis=1) + 1 - (held > 1).any(axis=1)).astype(np.uint8)
    return lacks


def pairs_and_triplet_lack(hands: Hands, game: ShapeRules) -> Lacks:
    """As `distance.pairs_and_triplet_lacks`."""
    pairs, singles = _count_pairs_and_singles(hands)
    lacks = np.full(len(hands), UNREACHABLE, np.uint8)
    for count in range(tables.COPIES + 1):
        there = (hands == count).any(axis=1)
        rest = _pairs_lack(
            np.maximum(pairs, count // 2) - count // 2, np.maximum(singles, count % 2) - count % 2, PAIRS
        )
        lacks = np.where(there, np.minimum(lacks, max(0, 3 - count) + rest), lacks).astype(np.uint8)
    return lacks


def _count_pairs_and_singles(hands: Hands) -> tuple[Lacks, Lacks]:
    return (hands >> 1).sum(axis=1, dtype=np.uint8), (hands & 1).sum(axis=1, dtype=np.uint8)


def _pairs_lack(pairs: Lacks, singles: Lacks, wanted: int) -> Lacks:
    lacking = (wanted - np.minimum(pairs, wanted)).astype(np.uint8)
    return 2 * lacking - np.minimum(singles, lacking)


def _rows(suit: Hands, game: ShapeRules) -> NDArray[np.uint8]:
    """The rows of a suit of every hand, (2 sets + 2, n)."""
    if not game.short:
        return tables.rows(tables.RANKS_1_TO_9 if suit.shape[1] == 9 else tables.HONORS, game.sets, suit)
    if suit.shape[1] == 9:
        return tables.rows(tables.RANKS_2_TO_8, game.sets, suit[:, 1:8])
    none = np.full((2 * game.sets + 2, len(suit)), UNREACHABLE, np.uint8)
    none[0] = 0
    return none


def _join_rows(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The rows of the tiles of both: k sets shared in all ways, and a pair, if any, in either."""
    found = np.empty_like(one)
    for entry in range(len(one)):
        ways = [one[i] + other[entry - i] for i in range(0, entry + 1, 2 - entry % 2)]
        found[entry] = np.minimum.reduce(ways)
    return np.minimum(found, UNREACHABLE)


def _join_last_entries(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> Lacks:
    """The last entry of the rows of both: all sets, and the pair."""
    lacks: Lacks = np.minimum(np.min(one + other[::-1], axis=0), UNREACHABLE).astype(np.uint8)
    return lacks


_AT_ONCE: Mapping[object, Callable[[Hands, ShapeRules], Lacks]] = {
    shapes.standard_lacks: standard_lack,
    shapes.pairs_lack: seven_pairs_lack,
    shapes.pung_and_pairs_lack: pairs_and_triplet_lack,
    shapes.orphans_lack: orphans_lack,
}
"""The function for many hands, by a shape's `lacks`; other shapes are measured one hand after the other."""


def _measure_each(shape: Shape, hands: Hands, game: ShapeRules) -> Lacks:
    lacks = [shape.lacks(_make_hand(counts), game) for counts in hands.tolist()]
    return np.array(lacks, np.uint8)


def _make_hand(counts: list[int]) -> Hand:
    suits = tuple(tuple(counts[suit]) for suit in _SUITS)
    return Hand(suits, tuple(map(sum, suits)), (*counts, *(0,) * 8), ())
