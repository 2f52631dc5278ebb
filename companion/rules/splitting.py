"""Ways of splitting tiles into sets and a pair, one suit at a time and remembered, since suits do not mix.

The number of tiles of a suit says whether its part holds the pair: 3n tiles are sets, 3n + 2 are sets and the
pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from companion.rules.win import Counts, Group, GroupKind, Suits, group
from companion.tiles import KINDS

SUIT_STARTS = (0, 9, 18, 27)
"""Index of the first kind of m, p, s, z."""
_HONORS = 3


def suits_of(counts: Counts | list[int]) -> Suits:
    """The four suits of 42 counts."""
    return (tuple(counts[:9]), tuple(counts[9:18]), tuple(counts[18:27]), tuple(counts[27:34]))


def hand_splits(suits: Suits) -> Iterator[tuple[Group, ...]]:
    """Every way of splitting the tiles into sets and exactly one pair, each way once, groups in order."""
    if sum(sum(counts) % 3 == 2 for counts in suits) == 1:
        for parts in product(*(suit_splits(suit, counts) for suit, counts in enumerate(suits))):
            yield sum(parts, ())


def hand_waits(suits: Suits) -> list[int]:
    """Indices of the kinds that complete sets and exactly one pair."""
    lacking = [suit for suit, counts in enumerate(suits) if not suit_splits(suit, counts)]
    found: list[int] = []
    for suit in lacking if lacking else range(len(suits)):
        others = [counts for other, counts in enumerate(suits) if other != suit]
        pairs = sum(sum(counts) % 3 == 2 for counts in others) + (sum(suits[suit]) % 3 == 1)
        if pairs == 1 and lacking in ([], [suit]):
            found += suit_waits(suit, suits[suit])
    return found


@cache
def suit_splits(suit: int, counts: Counts) -> tuple[tuple[Group, ...], ...]:
    """Every way of splitting a suit's tiles into sets (3n tiles) or sets and a pair (3n + 2)."""
    if sum(counts) % 3 == 1:
        return ()
    return tuple(_split(suit, counts, 0, pair=sum(counts) % 3 == 2))


@cache
def suit_waits(suit: int, counts: Counts) -> tuple[int, ...]:
    """Indices of the suit's kinds that, added to its tiles, let them be split."""
    return tuple(
        SUIT_STARTS[suit] + rank
        for rank in range(len(counts))
        if suit_splits(suit, (*counts[:rank], counts[rank] + 1, *counts[rank + 1 :]))
    )


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
            if suit == _HONORS or rank + 2 >= len(counts) or min(counts[rank + 1 : rank + 3]) < sequences:
                continue
            below, above = counts[: rank + 1], counts[rank + 3 :]
            rest = (*below, counts[rank + 1] - sequences, counts[rank + 2] - sequences, *above)
        here = (
            (group(GroupKind.SEQUENCE, tile),) * sequences
            + (group(GroupKind.TRIPLET, tile),) * triplet
            + (group(GroupKind.PAIR, tile),) * use_pair
        )
        for others in _split(suit, rest, rank + 1, pair=pair and not use_pair):
            yield here + others
