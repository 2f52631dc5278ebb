"""How many tiles a hand still lacks for each winning shape: exact, by lookup and not by search.

The missing tiles of a hand are the fewest draws until it contains a finished hand: 0 when it does, 1 when it
is ready. A drawn tile is a copy that the player does not own yet; tiles of others are ignored. A
wildcard in the hand may stand for any tile, even one whose copies the player owns already. No tile
yet to be drawn is taken for a wildcard: one would save a draw only if four equal tiles want a fifth, which
was so in none of 60,000 hands dealt at random.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from operator import add

from companion.rules.hand import Counts, Suits
from companion.tiles import Meld

UNREACHABLE = 99
"""Number of missing tiles of a hand that cannot reach the shape."""
Quota = tuple[int, int, int]
"""Concealed tiles of m, p and s: the finished hand needs at least this many in one of the three."""
MissingRow = bytes
"""Missing tiles of one suit, or of several, for k sets and p pairs, at index 2k + p; p is 0 or 1."""

_EACH = 4
_COPIES = ((_EACH,) * 9,) * 3 + ((_EACH,) * 7,)
_COPIES_SHORT = ((0, *(_EACH,) * 7, 0),) * 3 + ((0,) * 7,)
_REMEMBERED = 1 << 14
"""Maximum number of cached results of each kind: about 5 MB."""


def standard_lacks(
    suits: Suits, melds: tuple[Meld, ...], sets: int, wild: int, quota: Quota | None, short: bool
) -> int:
    """Tiles lacking for `sets` sets, those of `melds` among them, and a pair.

    `suits` leave out the `wild` wildcards, 0 to 4. `short`: the game has ranks 2 to 8 and no honours.
    UNREACHABLE if no such hand meets the quota.
    """
    rows = [_row(counts, sets, short) for counts in suits]
    if not melds and not wild:
        return _least_lack(rows, quota)
    left = sets - len(melds)
    rows = [row[: 2 * left + 2] for row in rows]
    all_copies = _COPIES_SHORT if short else _COPIES
    copies = _subtract_melds(melds, all_copies)
    apart = [
        suit
        for suit, counts in enumerate(suits)
        if copies[suit] != all_copies[suit] or (wild and _EACH in counts)
    ]
    lacks = UNREACHABLE
    for beyond in product(range(wild + 1), repeat=len(apart)):
        if sum(beyond) <= wild:
            for suit, tiles in zip(apart, beyond, strict=True):
                rows[suit] = _exact_row(suits[suit], left, copies[suit], tiles)
            lacks = min(lacks, _least_lack(rows, quota))
    return max(0, lacks - wild) if lacks < UNREACHABLE else UNREACHABLE


def seven_pairs_lacks(suits: Suits, wild: int, quota: Quota | None) -> int:
    """Tiles lacking for seven pairs, four equal tiles being two; `suits` leave out the `wild` wildcards."""
    pairs, singles = _count_pairs_and_singles(suits)
    if quota is None:
        return max(0, _pairs_lack(pairs, singles, 7) - wild)
    lacks = UNREACHABLE
    for counts, tiles in zip(suits, quota, strict=False):
        here = max(0, tiles + 1) // 2
        if here <= 7:
            pairs_here, singles_here = _count_pairs_and_singles_of(counts)
            whole = min(here, pairs_here)
            half = min(here - whole, singles_here)
            rest = _pairs_lack(pairs - whole, singles - half, 7 - here)
            lacks = min(lacks, 2 * (here - whole) - half + rest)
    return max(0, lacks - wild) if lacks < UNREACHABLE else UNREACHABLE


def orphans_lacks(suits: Suits) -> int:
    """Tiles lacking for thirteen orphans: each end of the suits and each honour, one of them twice."""
    m, p, s, z = suits
    ends = (m[0], m[8], p[0], p[8], s[0], s[8], *z)
    return 1 + ends.count(0) - (max(ends) > 1)


def pairs_and_triplet_lacks(suits: Suits) -> int:
    """Tiles lacking for seven pairs and a triplet; four equal tiles are two pairs, or hold the triplet."""
    pairs, singles = _count_pairs_and_singles(suits)
    return min(
        max(0, 3 - count) + _pairs_lack(pairs - count // 2, singles - count % 2, 7)
        for count in set().union(*suits)
    )


def _pairs_lack(pairs: int, singles: int, wanted: int) -> int:
    whole = min(pairs, wanted)
    return 2 * (wanted - whole) - min(singles, wanted - whole)


def _count_pairs_and_singles(suits: Suits) -> tuple[int, int]:
    pairs = singles = 0
    for counts in suits:
        pairs_here, singles_here = _count_pairs_and_singles_of(counts)
        pairs += pairs_here
        singles += singles_here
    return pairs, singles


@lru_cache(_REMEMBERED)
def _count_pairs_and_singles_of(counts: Counts) -> tuple[int, int]:
    return sum(count // 2 for count in counts), sum(count % 2 for count in counts)


def _subtract_melds(melds: tuple[Meld, ...], copies: Suits) -> Suits:
    left = [list(counts) for counts in copies]
    for meld in melds:
        for tile in meld.tiles:
            left[tile.index // 9][tile.index % 9] -= 1
    m, p, s, z = map(tuple, left)
    return m, p, s, z


def _least_lack(rows: list[MissingRow], quota: Quota | None) -> int:
    """What four suits lack together for all sets and the pair."""
    if quota is None:
        m, p, s, z = rows
        return _join_last_entries(_join_rows(m, p), _join_rows(s, z))
    return min(
        _least_lack([*rows[:suit], _keep_large_parts(rows[suit], tiles), *rows[suit + 1 :]], None)
        for suit, tiles in enumerate(quota)
    )


@lru_cache(_REMEMBERED)
def _join_rows(one: MissingRow, other: MissingRow) -> MissingRow:
    """The row of the tiles of both: k sets shared in all ways, and a pair, if any, in either."""
    without_pair = [min(map(add, one[0 : i + 1 : 2], other[i::-2])) for i in range(0, len(one), 2)]
    with_pair = [min(map(add, one, other[i::-1])) for i in range(1, len(one), 2)]
    return bytes(lacks for both in zip(without_pair, with_pair, strict=True) for lacks in both)


@lru_cache(_REMEMBERED)
def _join_last_entries(one: MissingRow, other: MissingRow) -> int:
    lacks: int = min(map(add, one, reversed(other)))
    return min(lacks, UNREACHABLE)


@lru_cache(_REMEMBERED)
def _keep_large_parts(row: MissingRow, tiles: int) -> MissingRow:
    """The row without the parts that have fewer than `tiles` tiles."""
    return bytes(lacks if 3 * (i // 2) + 2 * (i % 2) >= tiles else UNREACHABLE for i, lacks in enumerate(row))


@lru_cache(_REMEMBERED)
def _row(counts: Counts, sets: int, short: bool) -> MissingRow:
    """What `counts` lack where every tile that is not in the hand may be drawn."""
    from companion.rules import tables  # numpy comes with it, so not before a distance is asked for

    if not short:
        return tables.row(tables.RANKS_1_TO_9 if len(counts) == 9 else tables.HONORS, sets, counts)
    if len(counts) == 9:
        return tables.row(tables.RANKS_2_TO_8, sets, counts[1:8])
    return bytes([0] + [UNREACHABLE] * (2 * sets + 1))


@lru_cache(_REMEMBERED)
def _exact_row(counts: Counts, sets: int, copies: Counts, beyond: int) -> MissingRow:
    """What `counts` lack for parts that keep to `copies` but for `beyond` tiles, for which wildcards stand.

    With all copies it is `_row` unless the hand holds four equal tiles and `beyond` is not 0: so it came out
    for each of the 5^9 counts of a suit.
    """
    from companion.rules import tables

    family = tables.RANKS_1_TO_9 if len(counts) == 9 else tables.HONORS
    return bytes(min(lacks, UNREACHABLE) for lacks in tables.exact_row(family, sets, counts, copies, beyond))
