"""Winning shapes: how the tiles of a finished hand may be grouped, and what such a hand waits for.

Tiles are split into sets and a pair one suit at a time; the results are cached, because suits do not mix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from companion.rules import distance
from companion.rules.hand import (
    HONORS,
    REMEMBERED,
    SUIT_STARTS,
    Counts,
    Group,
    GroupKind,
    Hand,
    Splits,
    Suits,
    find_suit_tiles,
    make_group,
)
from companion.rules.win import Options, Reason
from companion.tiles import KINDS, Suit, Tile

ONE_PAIR = 2
"""Sum of the suits' remainders (mod 3) when exactly one suit has the pair."""
NEVER = 99
"""More wild tiles than there are."""
REMEMBERED_WILD = 1 << 13
"""How many answers about wild tiles are kept; one may take many kilobytes."""

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
    """`SuitTiles.splits` of a suit's tiles and `wild` wild ones, all used."""
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


PAIRS = 7
ORPHANS = tuple(tile for tile in KINDS[:34] if tile.suit is Suit.HONORS or tile.rank in (1, 9))
"""The thirteen kinds: ones, nines and honours."""


@dataclass(frozen=True, slots=True)
class Game:
    """What a game asks of every finished hand: `sets` beside the pair, ranks 2 to 8 alone if `short`, and of
    the concealed tiles of m, p, s in one suit at least as many as `quota` says."""

    sets: int
    short: bool
    quota: tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class Shape:
    """A winning shape.

    `splits(hand)` returns every grouping of a finished hand's concealed tiles, `waits(hand)` the indices of
    the kinds that complete a hand that lacks one tile; where there are wild tiles, of those that do as
    themselves. `lacks(hand, game)` is how many tiles any hand lacks for it, as in companion.rules.distance.
    `option` is the house option that must be true for it, and `option_is_off` says so of a hand that needs
    it. `alike`: all its groupings are worth the same, and the first is taken.
    """

    id: str
    name: str
    name_zh: str
    splits: Callable[[Hand], Iterable[tuple[Group, ...]]]
    waits: Callable[[Hand], Iterable[int]]
    lacks: Callable[[Hand, Game], int]
    option: str | None = None
    option_is_off: Reason | None = None
    alike: bool = False

    def is_in_force(self, options: Options) -> bool:
        """Whether it wins under these house options, which are complete."""
        return self.option is None or bool(options[self.option])


def standard(sets: str, sets_zh: str, *, alike: bool = False) -> Shape:
    """Sets and a pair, in the words of the rule set ("four sets and a pair")."""
    return Shape("standard", sets, sets_zh, hand_splits, hand_waits, standard_lacks, alike=alike)


def seven_pairs(option: str | None = None, option_is_off: Reason | None = None) -> Shape:
    """Seven pairs without melds; four equal tiles are two pairs. Wild tiles pair the odd ones."""
    return Shape(
        "seven_pairs",
        "seven pairs",
        "七对",
        _pair_splits,
        _pair_waits,
        pairs_lack,
        option,
        option_is_off,
    )


def seven_pairs_and_a_pung(option: str | None = None, option_is_off: Reason | None = None) -> Shape:
    """Seven pairs and a triplet without melds, of 17 tiles; four equal tiles may be two pairs."""
    return Shape(
        "seven_pairs_and_a_pung", "seven pairs and a pung", "七对加一刻", _pung_and_pair_splits,
        _pung_and_pair_waits, pung_and_pairs_lack, option, option_is_off,
    )  # fmt: skip


def thirteen_orphans() -> Shape:
    """One each of the ones, nines and honours, and one of them twice (rulings HB-11, HK-23)."""
    return Shape(
        "thirteen_orphans",
        "thirteen orphans",
        "十三幺",
        _orphan_splits,
        _orphan_waits,
        orphans_lack,
    )


def standard_lacks(hand: Hand, game: Game) -> int:
    return distance.standard_lacks(hand.suits, hand.melds, game.sets, hand.wild, game.quota, game.short)


def pairs_lack(hand: Hand, game: Game) -> int:
    return (
        distance.UNREACHABLE if hand.melds else distance.seven_pairs_lacks(hand.suits, hand.wild, game.quota)
    )


def pung_and_pairs_lack(hand: Hand, game: Game) -> int:
    return distance.UNREACHABLE if hand.melds else distance.pairs_and_triplet_lacks(hand.suits)


def orphans_lack(hand: Hand, game: Game) -> int:
    return distance.UNREACHABLE if hand.melds else distance.orphans_lacks(hand.suits)


def _pair_splits(hand: Hand) -> Iterable[tuple[Group, ...]]:
    if hand.melds:
        return ()
    if not hand.wild:
        m, p, s, z = hand.parts
        pairs = () if m.odd or p.odd or s.odd or z.odd else m.pairs + p.pairs + s.pairs + z.pairs
        return (pairs,) if len(pairs) == PAIRS else ()
    odd = _odd_kinds(hand)
    if len(odd) > hand.wild:
        return ()
    filled = tuple(make_group(GroupKind.PAIR, KINDS[index], (KINDS[index],)) for index in odd)
    own = (make_group(GroupKind.PAIR, hand.fortune, (hand.fortune,) * 2),) * ((hand.wild - len(odd)) // 2)
    groups = (*sorted(_all_pairs(hand) + filled, key=_by_tile), *own)
    return (groups,) if len(groups) == PAIRS else ()


def _by_tile(here: Group) -> int:
    return here.tile.index


def _pair_waits(hand: Hand) -> Iterable[int]:
    if hand.melds or sum(hand.sizes) + hand.wild != 2 * PAIRS - 1:
        return ()
    odd = _odd_kinds(hand)
    lacking = len(odd) - hand.wild
    if lacking == 1:
        return odd
    return range(SUIT_STARTS[3] + 7) if lacking < 1 else ()


def _pung_and_pair_splits(hand: Hand) -> Splits:
    odd = _odd_kinds(hand)
    if hand.melds or len(odd) != 1 or _count(hand.suits, odd[0]) < 3:
        return ()
    kind = KINDS[odd[0]]
    pair = make_group(GroupKind.PAIR, kind)
    pairs = list(_all_pairs(hand))
    pairs[pairs.index(pair)] = make_group(GroupKind.TRIPLET, kind)
    return (tuple(pairs),) if len(pairs) == PAIRS + 1 else ()


def _pung_and_pair_waits(hand: Hand) -> Iterable[int]:
    odd = _odd_kinds(hand)
    if hand.melds or sum(hand.sizes) != 2 * PAIRS + 2:
        return ()
    if not odd:  # a pair becomes the triplet
        every = [
            index
            for counts, start in zip(hand.suits, SUIT_STARTS, strict=True)
            for index in range(start, start + len(counts))
        ]
        return [index for index in every if _count(hand.suits, index) >= 2]
    if len(odd) == 2:
        return [one for one, other in (odd, odd[::-1]) if _count(hand.suits, other) >= 3]
    return ()


def _all_pairs(hand: Hand) -> tuple[Group, ...]:
    m, p, s, z = hand.parts
    return m.pairs + p.pairs + s.pairs + z.pairs


def _odd_kinds(hand: Hand) -> tuple[int, ...]:
    m, p, s, z = hand.parts
    return m.odd + p.odd + s.odd + z.odd


def _count(suits: Suits, index: int) -> int:
    suit = min(index // 9, 3)
    return suits[suit][index - SUIT_STARTS[suit]]


def _orphan_splits(hand: Hand) -> Splits:
    held = _orphans_held(hand)
    if held is None or 0 in held or not sum(held) == sum(hand.sizes) == len(ORPHANS) + 1:
        return ()
    forms = (GroupKind.SINGLE, GroupKind.PAIR)
    return (tuple(make_group(forms[n - 1], tile) for n, tile in zip(held, ORPHANS, strict=True)),)


def _orphan_waits(hand: Hand) -> Iterable[int]:
    held = _orphans_held(hand)
    if held is None or not sum(held) == sum(hand.sizes) == len(ORPHANS):
        return ()
    lacking = [tile.index for tile, n in zip(ORPHANS, held, strict=True) if n == 0]
    if not lacking:
        return [tile.index for tile in ORPHANS]
    return lacking if len(lacking) == 1 else ()


def _orphans_held(hand: Hand) -> Counts | None:
    """How many of each of the thirteen kinds the hand holds; None where it is far from all."""
    m, p, s, z = hand.suits
    if hand.melds or z.count(0) > 1:
        return None
    return m[0], m[8], p[0], p[8], s[0], s[8], *z
