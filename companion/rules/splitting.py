"""Ways of splitting tiles into sets and a pair, one suit at a time and remembered, since suits do not mix.

The number of tiles of a suit, wild ones that stand in it included, says whether its part holds the pair: 3n
tiles are sets, 3n + 2 are sets and the pair. Every set and pair of a suit holds at least one tile of the
suit; wild tiles that are left over make a pair or sets of their own kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from companion.rules.win import Counts, Group, GroupKind, Hand, make_group
from companion.tiles import KINDS, Tile

SUIT_STARTS = (0, 9, 18, 27)
"""Index of the first kind of m, p, s, z."""
_HONORS = 3
NEVER = 99
"""More wild tiles than there are."""
REMEMBERED = 1 << 17
"""How many suits' answers are kept: more than one suit of up to nine tiles has, a few hundred bytes each."""

REMEMBERED_WILD = 1 << 13
"""How many are kept of the answers about wild tiles, of which one may take many kilobytes."""

Splits = tuple[tuple[Group, ...], ...]
_GROUP_FORMS = (GroupKind.TRIPLET, GroupKind.PAIR)
_SIZE = {GroupKind.SEQUENCE: 3, GroupKind.TRIPLET: 3, GroupKind.PAIR: 2}


def hand_splits(hand: Hand) -> Iterator[tuple[Group, ...]]:
    """Every way of splitting the concealed tiles into sets and exactly one pair, each way once, groups in
    order."""
    if hand.wild:
        yield from _wild_splits(hand)
        return
    if [size % 3 for size in hand.sizes].count(2) != 1:
        return
    m, p, s, z = hand.suits
    parts = suit_splits(0, m), suit_splits(1, p), suit_splits(2, s), suit_splits(3, z)
    for first, second, third, fourth in product(*parts):
        yield first + second + third + fourth


def hand_waits(hand: Hand) -> list[int]:
    """Indices of the kinds, as themselves, that complete sets and exactly one pair."""
    if hand.wild:
        return _wild_waits(hand)
    suits = hand.suits
    lacking = [suit for suit, counts in enumerate(suits) if not suit_splits(suit, counts)]
    if len(lacking) > 1:
        return []
    rests = [size % 3 for size in hand.sizes]
    found: list[int] = []
    for suit in lacking or range(4):
        others = rests.count(2) - (rests[suit] == 2)
        if others + (rests[suit] == 1) == 1:
            found += suit_waits(suit, suits[suit])
    return found


@lru_cache(REMEMBERED)
def suit_splits(suit: int, counts: Counts) -> Splits:
    """Every way of splitting a suit's tiles into sets (3n tiles) or sets and a pair (3n + 2)."""
    rest = sum(counts) % 3
    return () if rest == 1 else tuple(_split(suit, counts, 0, pair=rest == 2))


@lru_cache(REMEMBERED_WILD)
def wild_suit_splits(suit: int, counts: Counts, wild: int) -> Splits:
    """`suit_splits` of a suit's tiles and `wild` wild ones, all of which are used."""
    rest = (sum(counts) + wild) % 3
    if not wild:
        return suit_splits(suit, counts)
    if rest == 1:
        return ()
    return tuple(sorted(set(_fill(suit, counts, wild, pair=rest == 2)), key=_order))


@lru_cache(REMEMBERED)
def suit_waits(suit: int, counts: Counts) -> tuple[int, ...]:
    """Indices of the suit's kinds that, added to its tiles, let them be split."""
    return tuple(
        SUIT_STARTS[suit] + rank for rank in range(len(counts)) if suit_splits(suit, _plus(counts, rank))
    )


@lru_cache(REMEMBERED)
def count_wild_needed(suit: int, counts: Counts) -> tuple[int, int]:
    """The fewest wild tiles with which a suit's tiles are sets, and sets and a pair."""
    if not any(counts):
        return 0, NEVER
    sets = pairs = NEVER
    for made, rest in _take_lowest_group(suit, counts):
        then_sets, then_pairs = count_wild_needed(suit, rest)
        if made.kind is GroupKind.PAIR:
            pairs = min(pairs, len(made.wild) + then_sets)
        else:
            sets = min(sets, len(made.wild) + then_sets)
            pairs = min(pairs, len(made.wild) + then_pairs)
    return sets, pairs


def _wild_waits(hand: Hand) -> list[int]:
    found: list[int] = []
    needed = [count_wild_needed(suit, counts) for suit, counts in enumerate(hand.suits)]
    sets = sum(alone for alone, _ in needed)
    for suit, here in enumerate(needed):
        others = needed[:suit] + needed[suit + 1 :]
        with_pair = min(paired - alone for alone, paired in others)
        rest = sets - here[0]
        for index, alone, paired in _count_needed_after_draw(suit, hand.suits[suit]):
            if min(rest + alone + min(2, with_pair), rest + paired) <= hand.wild:
                found.append(index)
    return found


@lru_cache(REMEMBERED)
def _count_needed_after_draw(suit: int, counts: Counts) -> tuple[tuple[int, int, int], ...]:
    """For every kind of the suit: its index, and `count_wild_needed` with one of it more."""
    return tuple(
        (SUIT_STARTS[suit] + rank, *count_wild_needed(suit, _plus(counts, rank)))
        for rank in range(len(counts))
    )


def _wild_splits(hand: Hand) -> Iterator[tuple[Group, ...]]:
    fortune = hand.fortune
    own_pair = make_group(GroupKind.PAIR, fortune, (fortune,) * 2)
    own_set = make_group(GroupKind.TRIPLET, fortune, (fortune,) * 3)
    for spread in _spreads(hand):
        pairs = sum((size + wild) % 3 == 2 for size, wild in zip(hand.sizes, spread, strict=True))
        left = hand.wild - sum(spread)
        if pairs + (left % 3 == 2) == 1 and left % 3 != 1:
            own = (own_set,) * (left // 3) + (own_pair,) * (left % 3 == 2)
            for parts in product(*map(wild_suit_splits, range(4), hand.suits, spread)):
                yield sum(parts, ()) + own


def _spreads(hand: Hand) -> Iterator[tuple[int, ...]]:
    """The ways of giving at most the wild tiles to the suits, none to a suit without tiles."""
    most = [hand.wild if size else 0 for size in hand.sizes]
    least = [min(count_wild_needed(suit, counts)) for suit, counts in enumerate(hand.suits)]
    for spread in product(*(range(low, high + 1) for low, high in zip(least, most, strict=True))):
        if sum(spread) <= hand.wild:
            yield spread


def _plus(counts: Counts, rank: int) -> Counts:
    return (*counts[:rank], counts[rank] + 1, *counts[rank + 1 :])


def _order(groups: tuple[Group, ...]) -> list[tuple[int, str, tuple[Tile, ...]]]:
    return [_place(here) for here in groups]


def _place(here: Group) -> tuple[int, str, tuple[Tile, ...]]:
    return here.tile.index, here.kind.value, here.wild


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
            (make_group(GroupKind.SEQUENCE, tile),) * sequences
            + (make_group(GroupKind.TRIPLET, tile),) * triplet
            + (make_group(GroupKind.PAIR, tile),) * use_pair
        )
        for others in _split(suit, rest, rank + 1, pair=pair and not use_pair):
            yield here + others


def _fill(suit: int, counts: Counts, wild: int, *, pair: bool) -> Iterator[tuple[Group, ...]]:
    """Splits that use exactly `wild` wild tiles; some splits come more than once."""
    if not any(counts):
        if wild == 0 and not pair:
            yield ()
        return
    for made, rest in _take_lowest_group(suit, counts):
        left = wild - len(made.wild)
        with_pair = pair and made.kind is not GroupKind.PAIR
        if (pair or made.kind is not GroupKind.PAIR) and count_wild_needed(suit, rest)[with_pair] <= left:
            for others in _fill(suit, rest, left, pair=with_pair):
                yield tuple(sorted((made, *others), key=_place))


@lru_cache(REMEMBERED_WILD)
def _take_lowest_group(suit: int, counts: Counts) -> tuple[tuple[Group, Counts], ...]:
    """Every group that the suit's lowest tile can be in, and the counts without it."""
    lowest = next(rank for rank, count in enumerate(counts) if count)
    kinds = KINDS[SUIT_STARTS[suit] :]
    made = []
    for kind in _GROUP_FORMS:
        for own in range(1, min(_SIZE[kind], counts[lowest]) + 1):
            wild = (kinds[lowest],) * (_SIZE[kind] - own)
            made.append((make_group(kind, kinds[lowest], wild), _minus(counts, (lowest,) * own)))
    if suit == _HONORS:
        return tuple(made)
    for start in range(max(lowest - 2, 0), min(lowest, 6) + 1):
        ranks = range(start, start + 3)
        free = [rank for rank in ranks if rank > lowest and counts[rank]]
        for taken in product((False, True), repeat=len(free)):
            own_ranks = (lowest, *(rank for rank, take in zip(free, taken, strict=True) if take))
            filled = tuple(kinds[rank] for rank in ranks if rank not in own_ranks)
            made.append((make_group(GroupKind.SEQUENCE, kinds[start], filled), _minus(counts, own_ranks)))
    return tuple(made)


def _minus(counts: Counts, ranks: tuple[int, ...]) -> Counts:
    rest = list(counts)
    for rank in ranks:
        rest[rank] -= 1
    return tuple(rest)
