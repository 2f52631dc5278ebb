"""Ways of splitting tiles into sets and a pair, one suit at a time and remembered, since suits do not mix.

The number of tiles of a suit, wild ones that stand in it included, says whether its part holds the pair: 3n
tiles are sets, 3n + 2 are sets and the pair. Every set and pair of a suit holds at least one tile of the
suit; wild tiles that are left over make a pair or sets of their own kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

from companion.rules.groups import Group, GroupKind, make_group
from companion.rules.hand import Hand
from companion.rules.suit_tiles import HONORS, REMEMBERED, SUIT_STARTS, Counts, Splits, find_suit_tiles
from companion.tiles import KINDS, Tile

ONE_PAIR = 2
"""What the rests of suits that can be split add up to where just one of them holds the pair."""
NEVER = 99
"""More wild tiles than there are."""
REMEMBERED_WILD = 1 << 13
"""How many are kept of the answers about wild tiles, of which one may take many kilobytes."""

_GROUP_FORMS = ((GroupKind.TRIPLET, 3), (GroupKind.PAIR, 2))
_Way = tuple[GroupKind, int, Counts, int, Counts]
"""A group that a suit's lowest tile can be in: its kind, its lowest rank, the ranks of the tiles that are not
wild in it, how many wild ones it takes, and the counts without it."""


def hand_splits(hand: Hand) -> Iterable[tuple[Group, ...]]:
    """Every way of splitting the concealed tiles into sets and exactly one pair, each way once, groups in
    order."""
    if hand.wild:
        return _wild_splits(hand)
    characters, dots, bamboo, honors = hand.parts
    if characters.rest + dots.rest + bamboo.rest + honors.rest != ONE_PAIR:
        return ()
    return [
        m + p + s + z
        for m in characters.splits
        for p in dots.splits
        for s in bamboo.splits
        for z in honors.splits
    ]


def hand_waits(hand: Hand) -> list[int]:
    """Indices of the kinds, as themselves, that complete sets and exactly one pair."""
    if hand.wild:
        return _wild_waits(hand)
    parts = hand.parts
    lacking = [part for part in parts if not part.splits]
    if len(lacking) > 1:
        return []
    characters, dots, bamboo, honors = parts
    rests = characters.rest + dots.rest + bamboo.rest + honors.rest
    found: list[int] = []
    for part in lacking or parts:
        if rests - part.rest + (part.rest + 1) % 3 == ONE_PAIR:
            found += part.waits
    return found


@lru_cache(REMEMBERED_WILD)
def wild_suit_splits(suit: int, counts: Counts, wild: int) -> Splits:
    """`SuitTiles.splits` of a suit's tiles and `wild` wild ones, all of which are used."""
    rest = (sum(counts) + wild) % 3
    if not wild:
        return find_suit_tiles(suit, counts).splits
    if rest == 1:
        return ()
    return tuple(sorted(set(_fill(suit, counts, wild, pair=rest == 2)), key=_order))


def count_wild_needed(suit: int, counts: Counts) -> tuple[int, int]:
    """The fewest wild tiles with which a suit's tiles are sets, and sets and a pair."""
    return _count_wild_needed(suit != HONORS, counts)


@lru_cache(REMEMBERED)
def _count_wild_needed(sequences: bool, counts: Counts) -> tuple[int, int]:
    if not any(counts):
        return 0, NEVER
    sets = pairs = NEVER
    for kind, _, _, wild, rest in _take_lowest(sequences, counts):
        then_sets, then_pairs = _count_wild_needed(sequences, rest)
        if kind is GroupKind.PAIR:
            pairs = min(pairs, wild + then_sets)
        else:
            sets = min(sets, wild + then_sets)
            pairs = min(pairs, wild + then_pairs)
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


def _fill(suit: int, counts: Counts, wild: int, *, pair: bool) -> Iterator[tuple[Group, ...]]:
    """Splits that use exactly `wild` wild tiles; some splits come more than once."""
    if not any(counts):
        if wild == 0 and not pair:
            yield ()
        return
    for kind, start, own, needed, rest in _take_lowest(suit != HONORS, counts):
        left = wild - needed
        with_pair = pair and kind is not GroupKind.PAIR
        if (pair or kind is not GroupKind.PAIR) and count_wild_needed(suit, rest)[with_pair] <= left:
            made = _make_filled(suit, kind, start, own, needed)
            for others in _fill(suit, rest, left, pair=with_pair):
                yield tuple(sorted((made, *others), key=_place))


def _make_filled(suit: int, kind: GroupKind, start: int, own: Counts, needed: int) -> Group:
    kinds = KINDS[SUIT_STARTS[suit] :]
    if kind is not GroupKind.SEQUENCE:
        return make_group(kind, kinds[start], (kinds[start],) * needed)
    filled = tuple(kinds[rank] for rank in range(start, start + 3) if rank not in own)
    return make_group(kind, kinds[start], filled)


@lru_cache(REMEMBERED_WILD)
def _take_lowest(sequences: bool, counts: Counts) -> tuple[_Way, ...]:
    """Every group that the lowest tile of a suit can be in, where the suit's kinds form sequences or not."""
    lowest = next(rank for rank, count in enumerate(counts) if count)
    ways: list[_Way] = []
    for kind, size in _GROUP_FORMS:
        for number in range(1, min(size, counts[lowest]) + 1):
            own = (lowest,) * number
            ways.append((kind, lowest, own, size - number, _minus(counts, own)))
    if not sequences:
        return tuple(ways)
    for start in range(max(lowest - 2, 0), min(lowest, 6) + 1):
        free = [rank for rank in range(lowest + 1, start + 3) if counts[rank]]
        for taken in product((False, True), repeat=len(free)):
            own = (lowest, *(rank for rank, take in zip(free, taken, strict=True) if take))
            ways.append((GroupKind.SEQUENCE, start, own, 3 - len(own), _minus(counts, own)))
    return tuple(ways)


def _minus(counts: Counts, ranks: tuple[int, ...]) -> Counts:
    rest = list(counts)
    for rank in ranks:
        rest[rank] -= 1
    return tuple(rest)
