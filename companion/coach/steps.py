"""By how many tiles, and by whose, a hand between turns can be brought nearer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.coach.reach import PLACES, RANKS
from companion.coach.seen import Seen, count_left
from companion.coach.views import Standing
from companion.tiles import KINDS, MeldKind, Suit, Tile, counts

SORTS = 4
"""Kinds that are discarded more or less often: honours, ones and nines, twos and eights, those between."""
Held = NDArray[np.int64]
"""Concealed tiles by place, (n, 36)."""


def sort_kind(tile: Tile) -> int:
    """Of which sort a kind is, 0 to 3; flowers are taken for honours."""
    if tile.index >= 3 * RANKS or tile.suit is Suit.HONORS:
        return 0
    return {1: 1, 9: 1, 2: 2, 8: 2}.get(tile.rank, 3)


def weigh_kinds(rates: tuple[float, ...]) -> NDArray[np.float64]:
    """How much oftener than others the kind of each place is discarded, (36,), by the rates of sorts."""
    weights = np.ones(PLACES)
    weights[:34] = [rates[sort_kind(tile)] for tile in KINDS[:34]]
    return weights


def mark_claimable(held: Held, chows: bool) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Of which kinds a discard makes a pung with these tiles, of which a chow and no pung: (n, 36) each."""
    pungs = held >= 2
    if not chows:
        return pungs, np.zeros_like(pungs)
    suits = held.reshape(-1, 4, RANKS)[:, :3] > 0
    there = np.zeros((len(held), 3, RANKS + 4), np.bool_)
    there[:, :, 2:-2] = suits
    chow = np.zeros((len(held), 4, RANKS), np.bool_)
    below, above = there[:, :, 1:-3], there[:, :, 3:-1]
    chow[:, :3] = (there[:, :, :-4] & below) | (below & above) | (above & there[:, :, 4:])
    return pungs, chow.reshape(-1, PLACES) & ~pungs


def count_claimable(seen: Seen, standing: Standing, rates: tuple[float, ...]) -> float:
    """How many unseen tiles bring a hand nearer when discarded, each counted for every opponent from whom it
    may be taken, and as often as its sort is discarded; a ready hand may take its winning tile from
    everybody."""
    house, left = seen.state.house, count_left(seen)
    others = len(house.seats) - 1
    weights = weigh_kinds(rates)
    if standing.shanten <= 0:
        useful = [kind.tile.index for kind in standing.useful]
        return float(others * sum(left[at] * weights[at] for at in useful))
    held = np.zeros((1, PLACES), np.int64)
    held[0, :34] = counts(seen.player.concealed)[:34]
    pungs, chows = mark_claimable(held, MeldKind.CHOW in house.melds)
    total = 0.0
    for kind in standing.useful:
        at = kind.tile.index
        total += left[at] * weights[at] * (others * int(pungs[0, at]) + int(chows[0, at]))
    return total
