"""What a hand may be played for, and the nearest finished hands of each aim.

An aim describes the tiles of the finished hand, never what it pays: the rules' own scoring decides that
(companion.coach.value.payoff). Tiles are counts by place: 34 kinds, without wild tiles, and a substitute at
the place of the kind that it represents.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.coach.value.distances import (
    EVERY_SUIT,
    HONORS,
    KINDS_OF_HANDS,
    PLACES,
    RANKS,
    Lacks,
    Sets,
    ShapeDistances,
    StandardDistances,
    Suits,
)
from companion.rules.hand import Hand
from companion.rules.shapes import (
    ORPHANS,
    PAIRS,
    Shape,
    ShapeRules,
    orphans_lack,
    pairs_lack,
    pung_and_pairs_lack,
    standard_lacks,
)
from companion.tiles import Meld, MeldKind, Suit

SUITS_OF_TILES = (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO, Suit.HONORS)


class Aim(NamedTuple):
    """What a finished hand consists of.

    shape: another shape than sets and a pair, None for these. suits: the suits of its concealed tiles. sets:
    what the sets are. honors: the honours, by rank from 0, with a concealed triplet. loose: it waits for any
    tile, which makes the pair with a wild one.
    """

    shape: Shape | None = None
    suits: Suits = EVERY_SUIT
    sets: Sets = Sets.ANY
    honors: tuple[int, ...] = ()
    loose: bool = False


class Distances(NamedTuple):
    """How far hands between turns are from an aim: tiles lacking (n,), and which places help (n, 36)."""

    lacking: NDArray[np.int64]
    useful: NDArray[np.bool_]


def list_aims(shapes: list[Shape], game: ShapeRules, melds: tuple[Meld, ...]) -> list[Aim]:
    """The aims that are still open to a hand with these melds, any hand first."""
    found = []
    melded = {SUITS_OF_TILES.index(meld.tiles[0].suit) for meld in melds}
    chows = any(meld.kind is MeldKind.CHOW for meld in melds)
    for shape in shapes:
        if shape.lacks is not standard_lacks:
            found += [] if melds else [Aim(shape)]
            continue
        found.append(Aim())
        if not chows:
            found.append(Aim(sets=Sets.TRIPLETS))
        for suit in range(HONORS):
            if melded <= {suit}:
                found.append(Aim(suits=(suit,)))
            if melded <= {suit, HONORS} and not game.short:
                found.append(Aim(suits=(suit, HONORS)))
    return sorted(found, key=lambda aim: aim != Aim())


def measure(aim: Aim, hand: Hand, game: ShapeRules, places: NDArray[np.intp] | None) -> Distances:
    """How far the hand is after each of these discards, or as it is where `places` is None.

    Places of wild tiles are not marked: those help every hand.
    """
    reach: StandardDistances | ShapeDistances
    if aim.shape is None:
        reach = StandardDistances(hand, game, aim.suits, aim.sets, aim.honors, aim.loose)
    else:
        reach = ShapeDistances(aim.shape, hand, game)
    now: Lacks
    if places is None:
        now, more = np.array([reach.now], np.uint8), reach.after_draws()[None]
    elif isinstance(reach, StandardDistances):
        now, more = reach.after_discards()[places], reach.after_exchanges(places)
    else:
        now, more = reach.after_discards(places), reach.after_exchanges(places)
    lacking = now.astype(np.int64) - hand.wild
    if aim.loose:  # one wild tile is kept for the pair, and the last tile counts
        lacking = np.maximum(lacking + 2, 1)
    return Distances(lacking, (more < now[:, None])[:, :PLACES])


COPIES, TRIPLET = 4, 3
Ranks = NDArray[np.uint8]
"""Counts of nine ranks, (n, 9)."""
_REMEMBERED = 1 << 13
NEAREST_PARTS = 64
"""Maximum number of parts of a suit's tiles that are examined with the tiles left."""
LIKELINESS_SCALE = 200.0
"""More than how likely tiles are ever comes to: it only decides between parts that lack as many."""


class PartKind(NamedTuple):
    """What parts of one suit consist of. honors: whether it is the suit of honours; required: the ranks,
    from 0, that must have a triplet; short: whether suits have only the ranks 2 to 8."""

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
    """All counts of ranks that are this number of sets, with a pair where `pair`."""
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
    """The `most` parts nearest to a suit's tiles that the tiles left allow."""
    near = _find_nearest(held, sets, pair, kind)
    there = np.frombuffer(left, np.uint8)
    possible = (near.lacking <= there).all(axis=1)
    lacking, lacks = near.lacking[possible], near.lacks[possible]
    likely = lacking.astype(np.float64) @ np.log(np.maximum(there, 1) / 4.0)
    order = np.argsort(lacks - likely / LIKELINESS_SCALE, kind="stable")[:most]
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
    order = np.argsort(lacks, kind="stable")[:NEAREST_PARTS]
    return _Nearest(tiles[order], lacking[order], lacks[order])


PARTS_PER_SUIT = 6
"""Parts of a suit that are kept for every number of sets: more hardly ever lead to a nearer hand."""
JOINED_PARTS = 12
MAX_TILES_FARTHER = 1
"""Ways to share the sets of a hand among its suits that lack more than the nearest and this are left out."""
COMPARED_SINGLES = 6
"""The number of pairs that are still single which are compared with each other."""
Tiles = NDArray[np.uint8]
"""Finished hands, concealed tiles alone, (n, 34)."""


class _Family(NamedTuple):
    aim: Aim
    heavy: int | None = None
    """The suit that meets the game's quota, if it has one."""


class TargetBuilder:
    """Builds finished hands from what a player holds (34,) and what is left (34,), by place."""

    def __init__(
        self, game: ShapeRules, melds: int, held: NDArray[np.uint8], left: NDArray[np.uint8]
    ) -> None:
        self._game, self._sets = game, game.sets - melds
        self._held, self._left = held, left
        pad = np.zeros(PLACES - KINDS_OF_HANDS, np.uint8)
        self._own = np.concatenate((held, pad)).reshape(4, RANKS)
        self._there = np.concatenate((left, pad)).reshape(4, RANKS)
        self._built: dict[object, Tiles] = {}

    def build(self, aim: Aim, each: int) -> Tiles:
        """The nearest hands for an aim, the nearest first: about `each`, no hand twice."""
        key = aim._replace(shape=None), aim.shape and aim.shape.id, each
        if key not in self._built:
            self._built[key] = self._build(aim, each)
        return self._built[key]

    def _build(self, aim: Aim, each: int) -> Tiles:
        shape = aim.shape
        if shape is None:
            heavy = [None] if self._game.quota is None else [suit for suit in aim.suits if suit < HONORS]
            found = [self._build_sets(_Family(aim, suit), each) for suit in heavy]
        elif shape.lacks is pairs_lack:
            found = [self._build_pairs(PAIRS, each, heavy=suit) for suit in self._heavy_suits()]
        elif shape.lacks is pung_and_pairs_lack:
            found = [self._build_pairs_and_pung(each)]
        elif shape.lacks is orphans_lack:
            found = [self._build_orphans()]
        else:
            return np.zeros((0, KINDS_OF_HANDS), np.uint8)
        return self._sort(np.concatenate(found))

    def build_any(self, aims: Sequence[Aim], each: int) -> Tiles:
        """The nearest hands of several aims, about `each` of everyone, the nearest first."""
        return self._sort(np.concatenate([self.build(aim, each)[: 2 * each] for aim in aims]))

    def _sort(self, tiles: Tiles) -> Tiles:
        """Those of the hands that can be, the nearest first and then the likeliest."""
        every = np.unique(tiles, axis=0)
        if self._game.quota is not None:
            sizes = every[:, : 3 * RANKS].reshape(-1, 3, RANKS).sum(axis=2)
            every = every[(sizes >= np.array(self._game.quota)).any(axis=1)]
        lacking = np.maximum(every.astype(int) - self._held, 0)
        possible = (lacking <= self._left).all(axis=1)
        every, lacking = every[possible], lacking[possible]
        likely = lacking @ np.log(np.maximum(self._left, 1) / 4.0)
        return every[np.lexsort((-likely, lacking.sum(axis=1)))]

    def _heavy_suits(self) -> list[int | None]:
        return [None] if self._game.quota is None else [0, 1, 2]

    def _build_sets(self, family: _Family, each: int) -> Tiles:
        """The nearest hands of sets and a pair whose tiles are of these suits."""
        rows = [self._list_parts(suit, family) for suit in family.aim.suits]
        joined = rows[0]
        for row in rows[1:]:
            joined = self._join(joined, row)
        loose = family.aim.loose
        last = joined.get((self._sets, not loose))
        if last is None:
            return np.zeros((0, KINDS_OF_HANDS), np.uint8)
        found = last.tiles[:each, :KINDS_OF_HANDS]
        return self._add_pairs(found) if loose else found

    def _add_pairs(self, sets: Tiles) -> Tiles:
        """The sets with a pair of a kind that is not held: a wild tile and the last tile."""
        free = np.where(self._held > 0, 0, self._left.astype(int)) * (sets == 0)  # (n, 34)
        found = sets.copy()
        found[np.arange(len(sets)), free.argmax(axis=1)] += 2
        return found

    def _list_parts(self, suit: int, family: _Family) -> dict[tuple[int, bool], Parts]:
        """The near parts of one suit, by sets and pair; their tiles in the places of the whole hand."""
        own, there = self._own[suit].tobytes(), self._there[suit].tobytes()
        honors, aim, found = suit == HONORS, family.aim, {}
        kind = PartKind(honors, self._game.short, aim.sets, aim.honors if honors else ())
        most = PARTS_PER_SUIT if len(aim.suits) > 1 else JOINED_PARTS
        for sets in range(self._sets + 1):
            for pair in (False, True):
                if family.heavy == suit and 3 * sets + 2 * pair < self._quota(suit):
                    continue
                near = find_near_parts(own, there, sets, pair, kind, most)
                if len(near.lacks):
                    tiles = np.zeros((len(near.lacks), PLACES), np.uint8)
                    tiles[:, RANKS * suit : RANKS * (suit + 1)] = near.tiles
                    found[sets, pair] = Parts(tiles, near.lacks, near.likely)
        return found

    def _quota(self, suit: int) -> int:
        return 0 if self._game.quota is None else self._game.quota[suit]

    def _join(
        self, one: dict[tuple[int, bool], Parts], other: dict[tuple[int, bool], Parts]
    ) -> dict[tuple[int, bool], Parts]:
        """What two parts of a hand are together, sets and the pair shared in all ways but far ones."""
        found = {}
        for sets in range(self._sets + 1):
            for pair in (False, True):
                ways = [
                    (one[first, has], other[sets - first, pair and not has])
                    for first in range(sets + 1)
                    for has in ((False, True) if pair else (False,))
                    if (first, has) in one and (sets - first, pair and not has) in other
                ]
                if ways:
                    least = [int(first.lacks[0] + second.lacks[0]) for first, second in ways]
                    near = min(least) + MAX_TILES_FARTHER
                    found[sets, pair] = _keep_nearest(
                        [_add(*way) for way, lacks in zip(ways, least, strict=True) if lacks <= near]
                    )
        return found

    def _build_pairs(
        self, pairs: int, each: int, held: Tiles | None = None, heavy: int | None = None
    ) -> Tiles:
        """Seven pairs: the pairs in the hand, then the singles with most tiles left, and four of a kind as
        two pairs.

        heavy: the suit whose pairs come first, as many as the game's quota requires.
        """
        own = self._held if held is None else held
        units = []
        for place in range(KINDS_OF_HANDS):
            has, left = int(own[place]), int(self._left[place])
            for whole in (2, 4):
                lacking = max(0, whole - max(has, whole - 2))
                if lacking <= left and has >= whole - 2:
                    units.append((lacking, -left if lacking else 0, place))
        units.sort()
        if heavy is not None:
            of_suit = [unit for unit in units if unit[2] // RANKS == heavy][: (self._quota(heavy) + 1) // 2]
            firm = [place for _, _, place in of_suit]
            rest = [unit for unit in units if unit not in of_suit]
            sure = firm + [place for lacking, _, place in rest if not lacking][: pairs - len(firm)]
            spare = [place for lacking, _, place in rest if lacking]
        else:
            sure = [place for lacking, _, place in units if not lacking][:pairs]
            spare = [place for lacking, _, place in units if lacking]
        spare = spare[: COMPARED_SINGLES + max(0, pairs - len(sure))]
        found = []
        for more in combinations(spare, pairs - len(sure)):
            hand = np.zeros(KINDS_OF_HANDS, np.uint8)
            for place in (*sure, *more):
                hand[place] += 2
            if hand.max() <= 4:
                found.append(hand)
            if len(found) >= each:
                break
        return np.array(found, np.uint8).reshape(-1, KINDS_OF_HANDS)

    def _build_pairs_and_pung(self, each: int) -> Tiles:
        found = []
        order = np.lexsort((-self._left.astype(int), -self._held.astype(int)))[:4]
        for place in order:
            rest = self._held.copy()
            rest[place] -= min(3, int(rest[place]))
            for hand in self._build_pairs(PAIRS, each // 4 + 1, rest):
                hand[place] += 3
                if hand[place] <= 4:
                    found.append(hand)
        return np.array(found, np.uint8).reshape(-1, KINDS_OF_HANDS)

    def _build_orphans(self) -> Tiles:
        places = [tile.index for tile in ORPHANS]
        found = np.zeros((len(places), KINDS_OF_HANDS), np.uint8)
        found[:, places] = 1
        found[np.arange(len(places)), places] += 1
        return found


def _add(one: Parts, other: Parts) -> Parts:
    """Every part of the one with every part of the other."""
    width = one.tiles.shape[1]
    return Parts(
        (one.tiles[:, None] + other.tiles[None]).reshape(-1, width),
        (one.lacks[:, None] + other.lacks[None]).ravel(),
        (one.likely[:, None] + other.likely[None]).ravel(),
    )


def _keep_nearest(ways: list[Parts]) -> Parts:
    lacks = np.concatenate([way.lacks for way in ways])
    likely = np.concatenate([way.likely for way in ways])
    order = np.argsort(lacks - likely / LIKELINESS_SCALE, kind="stable")[:JOINED_PARTS]
    tiles = np.concatenate([way.tiles for way in ways])
    return Parts(tiles[order], lacks[order], likely[order])
