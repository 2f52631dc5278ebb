"""Winning shapes: how the tiles of a finished hand may be grouped, and what such a hand waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from companion.rules.splitting import SUIT_STARTS, hand_splits, hand_waits
from companion.rules.win import Counts, Group, GroupKind, Hand, Reason, group
from companion.tiles import KINDS


@dataclass(frozen=True, slots=True)
class Shape:
    """A winning shape.

    `splits(hand)` gives every grouping of a finished hand's concealed tiles, `waits(hand)` the indices of the
    kinds that complete a hand that lacks one tile. `option` is the house option that must be true for it, and
    `option_is_off` says so of a hand that needs it.
    """

    id: str
    name: str
    name_zh: str
    splits: Callable[[Hand], Iterable[tuple[Group, ...]]]
    waits: Callable[[Hand], Iterable[int]]
    option: str | None = None
    option_is_off: Reason | None = None


def standard(sets: str, sets_zh: str) -> Shape:
    """Sets and a pair, in the words of the rule set ("four sets and a pair")."""
    return Shape(
        "standard", sets, sets_zh, lambda hand: hand_splits(hand.suits), lambda hand: hand_waits(hand.suits)
    )


def seven_pairs(option: str | None = None, option_is_off: Reason | None = None) -> Shape:
    """Seven pairs without melds; four equal tiles are two pairs."""
    return Shape("seven_pairs", "seven pairs", "七对", _pair_splits, _pair_waits, option, option_is_off)


def _pair_splits(hand: Hand) -> Iterable[tuple[Group, ...]]:
    parts = [_suit_pairs(suit, counts) for suit, counts in enumerate(hand.suits)]
    if hand.melds or any(odd for _, odd in parts):
        return ()
    return (sum((pairs for pairs, _ in parts), ()),)


def _pair_waits(hand: Hand) -> Iterable[int]:
    odd = sum((_suit_pairs(suit, counts)[1] for suit, counts in enumerate(hand.suits)), ())
    return odd if not hand.melds and len(odd) == 1 else ()


@cache
def _suit_pairs(suit: int, counts: Counts) -> tuple[tuple[Group, ...], tuple[int, ...]]:
    """The pairs among one suit's tiles, and the indices of the kinds that are left over."""
    kinds = KINDS[SUIT_STARTS[suit] :]
    pairs = [
        group(GroupKind.PAIR, kinds[rank]) for rank, count in enumerate(counts) for _ in range(count // 2)
    ]
    return tuple(pairs), tuple(kinds[rank].index for rank, count in enumerate(counts) if count % 2)
