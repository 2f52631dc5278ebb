"""How nearly some tiles and melds are a finished hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, groupby

from companion.photo_hand.weights import WEIGHTS
from companion.rules.distance import seven_pairs_lacks, standard_lacks
from companion.tiles import UNKNOWN, Tile, counts

MISSED_MAX = 2
"""Tiles of a hand that may not have been found, or were found and are none."""
LACKING_MAX = 2
COPIES = 4


def has_hand_size(tiles: int, melds: int, size: int) -> bool:
    """Whether that is nearly the number of tiles that a hand of `size` has beside its melds, with its winning
    tile or without."""
    return abs(tiles + 3 * melds - size - 1) <= MISSED_MAX


def weigh_completeness(codes: Sequence[str], melds: int, size: int, *, won: bool, kong: float) -> float:
    """The weight of these tiles and that number of melds as a finished hand, or nearly one.

    codes: in the order in which they lie; won: whether the last of them is the winning tile, which lies
    apart; kong: the weight of four equal tiles side by side as a kong that nobody set apart.
    """
    row = codes[:-1] if won else codes
    fours = [code for code, run in groupby(row) if len(list(run)) == COPIES and code != UNKNOWN]
    return max(
        len(kongs) * kong
        + _weigh_without_kongs(
            [code for code in codes if code not in kongs], melds + len(kongs), size, won=won
        )
        for chosen in range(len(fours) + 1)
        for kongs in combinations(fours, chosen)
        if not kongs or melds + len(kongs) <= size // 3
    )


def _weigh_without_kongs(codes: Sequence[str], melds: int, size: int, *, won: bool) -> float:
    beyond = len(codes) + 3 * melds - size - 1
    if beyond == -1 and not won:
        weight = WEIGHTS.waiting
    elif beyond:
        return WEIGHTS.unfitting + WEIGHTS.each * abs(beyond) + LACKING_MAX * WEIGHTS.lacking
    else:
        weight = 0.0
    lacking = _count_lacking(codes, size // 3 - melds, melds == 0) + beyond
    return weight + WEIGHTS.lacking * min(lacking, LACKING_MAX)


def _count_lacking(codes: Sequence[str], sets: int, no_melds: bool) -> int:
    """How many tiles lack for that many sets and a pair, or for seven pairs; unread tiles fit anywhere."""
    known = [Tile.parse(code) for code in codes if code != UNKNOWN]
    held = counts(known)
    if max(held) > COPIES:
        return LACKING_MAX
    suits = tuple(held[:9]), tuple(held[9:18]), tuple(held[18:27]), tuple(held[27:34])
    lacking = standard_lacks(suits, (), sets, 0, None, False)
    if no_melds and len(codes) < 15:
        lacking = min(lacking, seven_pairs_lacks(suits, 0, None))
    return max(0, lacking - (len(codes) - len(known)))
