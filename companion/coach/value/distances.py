"""How far a hand is from ready after each discard, and after each discard and each draw, all at once.

Distances are numbers of missing tiles; the tables are those of the rules (companion.rules.tables). Kinds are
places 0 to 35, nine a suit, the last two unused. `StandardDistances` measures sets and a pair: rows of all
hands that differ in one tile removed, one added, or both, are joined; a row has one entry more in front,
which no hand reaches, so that all ways to share the sets have as many terms. `ShapeDistances` measures the
other shapes.

Of a kind there are four tiles, fewer where some are in the player's melds; a wildcard may stand for one more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from functools import cache, lru_cache
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from companion.rules import tables
from companion.rules.distance import UNREACHABLE
from companion.rules.hand import Counts, Hand
from companion.rules.many import measure_lacks
from companion.rules.shapes import Shape, ShapeRules
from companion.rules.tables import COPIES
from companion.tiles import Meld

PLACES = 36
KINDS_OF_HANDS = 34
"""All kinds but the flowers."""
RANKS, HONOR_KINDS, HONORS = 9, 7, 3
Floats = NDArray[np.float64]
Lacks = NDArray[np.uint8]
"""Missing tiles, UNREACHABLE if the hand cannot have that form."""
Rows = NDArray[np.uint8]
"""Rows of suits, (..., 2 sets + 3)."""

Suits = tuple[int, ...]
EVERY_SUIT: Suits = (0, 1, 2, 3)


class Sets(Enum):
    """What the sets of a finished hand may be."""

    ANY = "any"
    CHOWS = "chows"
    TRIPLETS = "triplets"


_REMEMBERED = 1 << 13
"""Suits whose rows are kept: some 10 MB."""
_PAIRS = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
"""Two of the four suits."""
_TWO, _THIRD = np.array([3, 1, 0, 0]), np.array([3, 3, 3, 2])
"""The other suits of each suit: two of them, as an index of _PAIRS, and the third."""
_OTHERS = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])
_REST = np.array([[5, 4, 3], [5, 2, 1], [4, 2, 0], [3, 1, 0]])
"""The last two suits of each suit and each of the others, as an index of _PAIRS."""


class StandardDistances:
    """The distance of a hand and its neighbours from sets and a pair, without wildcards: each is one tile
    less.

    suits: the suits allowed for the finished hand's concealed tiles. sets: what its sets are. honors: the
    honours, by rank from 0, of which it must have a concealed triplet. loose: the distance to the sets alone,
    without the pair.
    """

    def __init__(
        self,
        hand: Hand,
        game: ShapeRules,
        suits: Suits = EVERY_SUIT,
        sets: Sets = Sets.ANY,
        honors: tuple[int, ...] = (),
        loose: bool = False,
    ) -> None:
        left = game.sets - len(hand.melds)
        every = [
            np.stack(
                [self._find_rows(hand, game, suit, beyond[suit], suits, sets, honors) for suit in range(4)]
            )
            for beyond in _share_wild(hand)
        ]
        rows = np.stack(every)[..., : 2 * left + 3]
        if loose:
            rows[:, :HONORS, ..., 2::2] = UNREACHABLE
            rows[:, HONORS, ..., 2::2] = rows[:, HONORS, ..., 1::2]  # a pair that lacks nothing
        if game.quota is not None:
            rows = np.maximum(rows[:, None], _make_quota_masks(game.quota, left))
            rows = rows.reshape(-1, *rows.shape[2:])
        self._rows = rows  # (ways to share wildcards and meet the quota, suits, taken out, put in, entries)
        self._ways = _list_ways(left)
        own = rows[:, :, 0, 0]
        self._two = self._join_rows(own[:, _PAIRS[:, 0]], own[:, _PAIRS[:, 1]])
        others = self._join_rows(self._two[:, _TWO], own[:, _THIRD])
        self._beside = others[..., :0:-1]
        self.now = int((own[:, 0, 1:] + self._beside[:, 0]).min())

    def after_discards(self) -> Lacks:
        """After taking out one tile of each place, (36,)."""
        return self._join_last_entries(self._rows[:, :, 1:, 0], self._beside[:, :, None]).reshape(PLACES)

    def after_draws(self) -> Lacks:
        """After putting in one tile of each place, (36,)."""
        return self._join_last_entries(self._rows[:, :, 0, 1:], self._beside[:, :, None]).reshape(PLACES)

    def after_exchanges(self, places: NDArray[np.intp]) -> Lacks:
        """After taking out one tile of each of `places` (n,) and putting in one of each place, (n, 36)."""
        suits, ranks = places // RANKS, places % RANKS
        numbers, others = np.arange(len(places)), _OTHERS[suits]
        less = self._rows[:, suits, 1 + ranks]  # (ways, n, put in, entries)
        joined = self._join_rows(less[:, :, None, 0], self._two[:, _REST[suits]])
        found = np.empty((len(places), 4, RANKS), np.uint8)
        found[numbers[:, None], others] = self._join_last_entries(
            self._rows[:, others, 0, 1:], joined[..., None, :0:-1]
        )
        found[numbers, suits] = self._join_last_entries(less[:, :, 1:], self._beside[:, suits, None])
        return found.reshape(-1, PLACES)

    @staticmethod
    def _find_rows(
        hand: Hand,
        game: ShapeRules,
        suit: int,
        beyond: int,
        suits: Suits,
        sets: Sets,
        honors: tuple[int, ...],
    ) -> Rows:
        """The rows of one suit, where `beyond` wildcards stand for tiles without a copy left."""
        if suit not in suits:
            return _make_no_rows(game.sets)
        counts, copies = hand.suits[suit], count_copies(hand.melds)[suit]
        if suit == HONORS and sets is Sets.CHOWS:
            return _make_triplet_rows(counts, 0, game.short, copies, hand.wild, (), game.sets)
        if sets is Sets.TRIPLETS or (suit == HONORS and honors):
            required = honors if suit == HONORS else ()
            return _make_triplet_rows(counts, game.sets, game.short, copies, hand.wild, required, game.sets)
        whole = all(each == tables.COPIES for each in copies) and not beyond
        if whole and sets is Sets.ANY:
            return _make_suit_rows(counts, game.sets, game.short)
        triplets = sets is not Sets.CHOWS
        return _make_exact_rows(counts, game.sets, game.short, len(hand.melds), copies, beyond, triplets)

    def _join_rows(self, one: Rows, other: Rows) -> Rows:
        """The rows of the tiles of both: sets shared in all ways, and a pair, if any, in either."""
        first, second = self._ways
        joined: Rows = (one[..., first] + other[..., second]).min(axis=-1)
        return np.minimum(joined, np.uint8(UNREACHABLE))

    @staticmethod
    def _join_last_entries(one: Rows, reversed_other: Rows) -> Lacks:
        """The last entry of the rows of both: all sets, and the pair. The nearest way to meet the quota."""
        lacks: Lacks = (one[..., 1:] + reversed_other).min(axis=-1).min(axis=0)
        return np.minimum(lacks, np.uint8(UNREACHABLE))


@lru_cache(256)
def count_copies(melds: tuple[Meld, ...]) -> tuple[Counts, Counts, Counts, Counts]:
    """The number of tiles of each kind that can be concealed, by suits."""
    left = [tables.COPIES] * (3 * RANKS + HONOR_KINDS)
    for meld in melds:
        for tile in meld.tiles:
            left[tile.index] -= 1
    m, p, s, z = (tuple(left[RANKS * suit : RANKS * (suit + 1)]) for suit in range(4))
    return m, p, s, z


def _share_wild(hand: Hand) -> Iterator[tuple[int, ...]]:
    """The ways to share wildcards that stand for a tile without a copy left among the suits where that may
    help after a draw."""
    copies = count_copies(hand.melds)
    apart = [
        suit
        for suit, counts in enumerate(hand.suits)
        if hand.wild and any(own >= there - 1 for own, there in zip(counts, copies[suit], strict=True))
    ]
    if not apart:
        yield (0, 0, 0, 0)
        return
    for bars in combinations(range(hand.wild + len(apart) - 1), len(apart) - 1):
        ends = (-1, *bars, hand.wild + len(apart) - 1)
        beyond = [0, 0, 0, 0]
        for suit, (start, end) in zip(apart, pairwise(ends), strict=True):
            beyond[suit] = end - start - 1
        yield tuple(beyond)


@lru_cache(_REMEMBERED)
def _make_suit_rows(counts: Counts, sets: int, short: bool) -> Rows:
    """The rows of a suit with one tile of each rank, or none, removed, and one, or none, added.

    (10, 10, 2 sets + 3), the first of both for none.
    """
    changed, possible = _list_possible(counts, (tables.COPIES,) * len(counts), short)
    found = np.full((len(changed), 2 * sets + 3), UNREACHABLE, np.uint8)
    if short and len(counts) < RANKS:
        found[possible, 1] = 0
    else:
        family, seen = _find_family(len(counts), short)
        found[possible, 1:] = tables.rows(family, sets, changed[possible, seen].astype(np.uint8)).T
    return _freeze(found)


@lru_cache(_REMEMBERED)
def _make_exact_rows(
    counts: Counts, sets: int, short: bool, melds: int, copies: Counts, beyond: int, triplets: bool
) -> Rows:
    """As `_make_suit_rows`, where `copies` limits the tiles of a kind, and wildcards stand for `beyond` more.

    triplets: whether sets may be triplets.
    """
    _, possible = _list_possible(counts, copies, short)
    found = np.full((RANKS + 1, RANKS + 1, 2 * sets + 3), UNREACHABLE, np.uint8)
    if short and len(counts) < RANKS:
        found[..., 1] = 0
    else:
        family, seen = _find_family(len(counts), short)
        family = family if triplets else replace(family, triplets=False)
        first, last = seen.start + 1, seen.stop + 1
        near = tables.exact_rows(
            family, sets - melds, counts[seen], copies[seen], beyond, unreachable=UNREACHABLE
        )
        at = np.array([0, *range(first, last)])
        found[at[:, None], at, 1 : near.shape[-1] + 1] = near
    found[~possible.reshape(RANKS + 1, -1)] = UNREACHABLE
    return _freeze(found)


@lru_cache(_REMEMBERED)
def _make_triplet_rows(
    counts: Counts,
    sets: int,
    short: bool,
    copies: Counts,
    wild: int,
    required: tuple[int, ...],
    most: int,
) -> Rows:
    """As `_make_exact_rows`, where every set is a triplet, and any of the wildcards may stand for more.

    required: the ranks that must have a triplet. The rows of up to `sets` sets fill rows of `most`.
    """
    changed, possible = _list_possible(counts, copies, short)
    kinds = len(counts)
    ranks = range(kinds)
    if short:
        ranks = range(1, 8) if kinds == RANKS else range(0)
    rows = np.full((sets + 1, 2, len(changed)), UNREACHABLE, np.uint8)
    rows[0, 0] = 0
    for rank in ranks:
        third, second = (
            np.maximum(0, size - changed[:, rank]).astype(np.uint8)
            if size <= copies[rank] + wild
            else np.uint8(UNREACHABLE)
            for size in (3, 2)
        )
        new = np.full_like(rows, UNREACHABLE) if rank in required else rows.copy()
        new[1:] = np.minimum(new[1:], rows[:-1] + third)
        if rank not in required:
            new[:, 1] = np.minimum(new[:, 1], rows[:, 0] + second)
        rows = np.minimum(new, np.uint8(UNREACHABLE))
    found = np.full((len(changed), 2 * most + 3), UNREACHABLE, np.uint8)
    found[:, 1 : 2 * sets + 3] = np.where(possible, rows.reshape(2 * sets + 2, -1), UNREACHABLE).T
    return _freeze(found)


def _list_possible(counts: Counts, copies: Counts, short: bool) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """The counts after every exchange (100, kinds), and which of these can be held."""
    kinds = len(counts)
    changed = np.array(counts, np.int8) + _list_changes()[:, :kinds]
    there = np.arange(RANKS + 1) <= kinds
    possible = ((changed >= 0) & (changed <= np.array(copies))).all(axis=1)
    possible &= (there[:, None] & there).reshape(-1)
    if short:
        possible &= (changed[:, [0, -1]] == 0).all(axis=1) if kinds == RANKS else (changed == 0).all(axis=1)
    return changed, possible


def _find_family(kinds: int, short: bool) -> tuple[tables.Family, slice]:
    """The tables of a suit, and the ranks that they speak of."""
    if short:
        return tables.RANKS_2_TO_8, slice(1, 8)
    return (tables.RANKS_1_TO_9 if kinds == RANKS else tables.HONORS), slice(0, kinds)


def _freeze(found: Rows) -> Rows:
    found.flags.writeable = False
    return found.reshape(RANKS + 1, RANKS + 1, -1)


@cache
def _make_no_rows(sets: int) -> Rows:
    """The rows of a suit without tiles in the finished hand."""
    found = np.full((RANKS + 1, RANKS + 1, 2 * sets + 3), UNREACHABLE, np.uint8)
    found[..., 1] = 0
    found.flags.writeable = False
    return found


@cache
def _list_changes() -> NDArray[np.int8]:
    """What each exchange changes in the counts of nine ranks, (100, 9)."""
    unit = np.vstack([np.zeros(RANKS, np.int8), np.eye(RANKS, dtype=np.int8)])
    return (unit[None, :] - unit[:, None]).reshape(-1, RANKS)


@cache
def _list_ways(sets: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Each entry of two joined rows as the entries of the one and of the other that make it."""
    width = 2 * sets + 3
    first = np.zeros((width, width - 1), np.intp)
    second = np.zeros_like(first)
    for entry in range(width - 1):
        ways = list(range(0, entry + 1, 2 - entry % 2))
        first[entry + 1, : len(ways)] = [1 + way for way in ways]
        second[entry + 1, : len(ways)] = [1 + entry - way for way in ways]
    return first, second


@lru_cache(256)
def _make_quota_masks(quota: tuple[int, int, int], sets: int) -> Rows:
    """For each suit that may meet the quota, UNREACHABLE if its part has fewer tiles: (3, 4, 1, 1,
    entries)."""
    entries = np.arange(2 * sets + 2)
    tiles = 3 * (entries // 2) + 2 * (entries % 2)
    found = np.zeros((len(quota), 4, 1, 1, 2 * sets + 3), np.uint8)
    for suit, least in enumerate(quota):
        found[suit, suit, 0, 0, 1:] = np.where(tiles >= least, 0, UNREACHABLE)
    return found


Places = NDArray[np.intp]
_EVERY = np.arange(PLACES)


class ShapeDistances:
    """One shape, and one hand's distance from it."""

    def __init__(self, shape: Shape, hand: Hand, game: ShapeRules) -> None:
        self._shape, self._game = shape, game
        self._hand = np.array([sum(hand.suits, ()) + (0,) * (PLACES - KINDS_OF_HANDS)], np.uint8)

    @property
    def now(self) -> int:
        """What the hand lacks."""
        return int(self._measure(self._hand)[0])

    def after_discards(self, places: Places) -> Lacks:
        """After removing one tile of each of `places` (n,), each of which is held: (n,)."""
        return self._measure(self._remove_each(places))

    def after_draws(self) -> Lacks:
        """After putting in one tile of each place, (36,)."""
        more = np.repeat(self._hand, PLACES, axis=0)
        more[_EVERY, _EVERY] += 1
        return self._measure(more)

    def after_exchanges(self, places: Places) -> Lacks:
        """After taking out one of each of `places` (n,) and putting in one of each place, (n, 36)."""
        both = np.repeat(self._remove_each(places)[:, None], PLACES, axis=1)
        both[:, _EVERY, _EVERY] += 1
        return self._measure(both.reshape(-1, PLACES)).reshape(len(places), PLACES)

    def _remove_each(self, places: Places) -> NDArray[np.uint8]:
        less = np.repeat(self._hand, len(places), axis=0)
        less[np.arange(len(places)), places] -= 1
        return less

    def _measure(self, hands: NDArray[np.uint8]) -> Lacks:
        """UNREACHABLE for hands with too many of a kind, or a tile in a place without a kind."""
        kinds = hands[:, :KINDS_OF_HANDS]
        possible = (kinds <= COPIES).all(axis=1) & (hands[:, KINDS_OF_HANDS:] == 0).all(axis=1)
        lacks = measure_lacks(self._shape, np.minimum(kinds, COPIES), self._game)
        return np.where(possible, lacks, np.uint8(UNREACHABLE))
