"""Winning shapes: how the tiles of a finished hand may be grouped, and what such a hand waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from companion.rules.splitting import SUIT_STARTS, hand_splits, hand_waits
from companion.rules.win import Group, GroupKind, Reason, Suits, group
from companion.tiles import KINDS, Meld


@dataclass(frozen=True, slots=True)
class Shape:
    """A winning shape.

    `splits(suits, melds)` gives every grouping of a finished hand's concealed tiles, `waits(suits, melds)`
    the indices of the kinds that complete a hand that lacks one tile. `option` is the house option that must
    be true for it, and `option_is_off` says so of a hand that needs it.
    """

    id: str
    name: str
    name_zh: str
    splits: Callable[[Suits, tuple[Meld, ...]], Iterable[tuple[Group, ...]]]
    waits: Callable[[Suits, tuple[Meld, ...]], Iterable[int]]
    option: str | None = None
    option_is_off: Reason | None = None


def standard(sets: str, sets_zh: str) -> Shape:
    """Sets and a pair, in the words of the rule set ("four sets and a pair")."""
    return Shape(
        "standard", sets, sets_zh, lambda suits, _: hand_splits(suits), lambda suits, _: hand_waits(suits)
    )


def seven_pairs(option: str | None = None, option_is_off: Reason | None = None) -> Shape:
    """Seven pairs without melds; four equal tiles are two pairs."""
    return Shape("seven_pairs", "seven pairs", "七对", _pair_splits, _pair_waits, option, option_is_off)


def _pair_splits(suits: Suits, melds: tuple[Meld, ...]) -> Iterable[tuple[Group, ...]]:
    if melds or any(count % 2 for counts in suits for count in counts):
        return ()
    pairs = (
        group(GroupKind.PAIR, KINDS[start + rank])
        for start, counts in zip(SUIT_STARTS, suits, strict=True)
        for rank, count in enumerate(counts)
        for _ in range(count // 2)
    )
    return (tuple(pairs),)


def _pair_waits(suits: Suits, melds: tuple[Meld, ...]) -> Iterable[int]:
    odd = [
        start + rank
        for start, counts in zip(SUIT_STARTS, suits, strict=True)
        for rank, count in enumerate(counts)
        if count % 2
    ]
    return odd if not melds and len(odd) == 1 else ()
