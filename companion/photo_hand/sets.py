"""Which meld some tiles of a picture make, by how they lie and by what they may be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from companion.tiles import BACK, UNKNOWN, MeldKind, Suit, Tile
from companion.vision.reading import TileReading

KINDS_LOOKED_AT = 3
"""How many of a tile's alternatives are looked at."""
OTHER_LEAST = 0.05
"""Probability of another kind for which a named tile may be that one in a meld."""
MISREAD = 1e-3
"""How likely an unread tile is a kind that is not among its alternatives."""
HIDDEN_OF_KONG = (frozenset({0, 3}), frozenset({1, 2}), frozenset(range(4)))
"""Which tiles of a concealed kong lie face down: by one custom or another the outer, the inner, or all."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld as it lies: its kind, what each tile is ("back" where nothing says it), and the logarithm of the
    probability of reading its tiles so."""

    kind: MeldKind
    codes: tuple[str, ...]
    log_p: float


def find_meld(tiles: Sequence[TileReading], sideways: int) -> Meld | None:
    """The meld that three or four tiles make in the order in which they lie, n of them sideways; None for
    none."""
    down = frozenset(place for place, tile in enumerate(tiles) if tile.code == BACK)
    if down:
        return _find_concealed_kong(tiles, down) if not sideways else None
    if sideways > 1:
        return None
    melds = _equal(tiles)
    if len(tiles) == 3:
        melds += _runs(tiles)
    return max(melds, key=lambda meld: meld.log_p, default=None)


def _find_concealed_kong(tiles: Sequence[TileReading], down: frozenset[int]) -> Meld | None:
    if len(tiles) != 4 or down not in HIDDEN_OF_KONG:
        return None
    if len(down) == 4:
        return Meld(MeldKind.KONG_CONCEALED, (BACK,) * 4, 0.0)
    shown = _equal([tile for place, tile in enumerate(tiles) if place not in down])
    best = max(shown, key=lambda meld: meld.log_p, default=None)
    return best and Meld(MeldKind.KONG_CONCEALED, best.codes[:1] * 4, best.log_p)


def _weigh_kinds(tile: TileReading) -> dict[str, float]:
    """The kinds that a tile may be, with their probabilities; one that was read for sure is no other."""
    least = 0.0 if tile.code == UNKNOWN else OTHER_LEAST
    return {code: p for code, p in tile.alternatives[:KINDS_LOOKED_AT] if code[-1:] in "mpsz" and p > least}


def _equal(tiles: Sequence[TileReading]) -> list[Meld]:
    """As many equal tiles as there are."""
    kind = MeldKind.PUNG if len(tiles) == 3 else MeldKind.KONG_DISCARD
    kinds = [(_weigh_kinds(tile), MISREAD if tile.code == UNKNOWN else 0.0) for tile in tiles]
    melds = []
    for code in {code for each, _ in kinds for code in each}:
        chances = [each.get(code, unlisted) for each, unlisted in kinds]
        if all(chances):
            melds.append(Meld(kind, (code,) * len(tiles), sum(map(math.log, chances))))
    return melds


def _runs(tiles: Sequence[TileReading]) -> list[Meld]:
    kinds = [_weigh_kinds(tile) for tile in tiles]
    return [
        Meld(MeldKind.CHOW, codes, sum(math.log(each[code]) for each, code in zip(kinds, codes, strict=True)))
        for codes in product(*kinds)
        if is_run(codes)
    ]


@lru_cache(1 << 14)
def is_run(codes: tuple[str, ...]) -> bool:
    """Whether three codes are a chow, in any order."""
    tiles = sorted(Tile.parse(code) for code in codes)
    suits = {tile.suit for tile in tiles}
    ranks = [tile.rank for tile in tiles]
    return len(suits) == 1 and Suit.HONORS not in suits and ranks == [*range(ranks[0], ranks[0] + 3)]
