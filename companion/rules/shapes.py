"""Winning shapes: how the tiles of a finished hand may be grouped, and what such a hand waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from companion.rules import distance
from companion.rules.groups import Group, GroupKind, make_group
from companion.rules.hand import Hand, Suits
from companion.rules.splitting import hand_splits, hand_waits
from companion.rules.suit_tiles import SUIT_STARTS, Counts, Splits
from companion.rules.win import Options, Reason
from companion.tiles import KINDS, Suit

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

    `splits(hand)` gives every grouping of a finished hand's concealed tiles, `waits(hand)` the indices of the
    kinds that complete a hand that lacks one tile; where there are wild tiles, of those that do as
    themselves. `lacks(hand, game)` is how many tiles any hand lacks for it, as in companion.rules.distance.
    `option` is the house option that must be true for it, and `option_is_off`
    says so of a hand that needs it. `alike`: all its groupings are worth the same, and the first is taken.
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
        """Whether it wins with these house options, all of which are given."""
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
