"""Kongs whose fourth tile was added to a pung: it lies against the pung's sideways tile, turned like it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

import numpy as np

from companion.photo_hand.lines import Line, Outlines
from companion.photo_hand.sets import find_meld
from companion.tiles import BACK, UNKNOWN, MeldKind
from companion.vision.reading import TileReading

UPON = (0.6, 1.3)
"""Widths between the middles of two tiles that lie against each other's long sides."""
PUNG, KONG = 3, 4
COPIES_MAX = 8
"""Tiles read as one kind: where there are more, most were misread."""


def find_added_tiles(
    tiles: Sequence[TileReading],
    outlines: Outlines,
    among: Sequence[int],
    lines_among: Callable[[Sequence[int]], Sequence[Line]],
) -> dict[int, int]:
    """For the sideways tile of a pung, the equal one that was laid against it.

    outlines: of all tiles; among: the indices of those that stand in lines; lines_among: finds the lines of
    some of them.
    """
    added: dict[int, int] = {}
    for tile, upon in _list_pairs(tiles, outlines):
        if {tile, upon}.isdisjoint({*added, *added.values()}):
            rest = [other for other in among if other != upon and other not in added.values()]
            if any(_has_pung_across(line, tile, tiles) for line in lines_among(rest)):
                added[tile] = upon
    return added


def _list_pairs(tiles: Sequence[TileReading], outlines: Outlines) -> Iterator[tuple[int, int]]:
    """Equal tiles side by side that lie across to another of their kind, in either order."""
    held = Counter(tile.code for tile in tiles)
    widths = np.linalg.norm(outlines.axes[:, :, 0], axis=1).clip(1e-6)
    for code, copies in held.items():
        if not KONG <= copies <= COPIES_MAX or code in (BACK, UNKNOWN):
            continue
        equal = [index for index, tile in enumerate(tiles) if tile.code == code]
        for one, other in permutations(equal, 2):
            apart = float(np.linalg.norm(outlines.middles[one] - outlines.middles[other]))
            if UPON[0] < apart / widths[one] < UPON[1] and any(
                outlines.is_sideways(third, one) and outlines.is_sideways(third, other)
                for third in equal
                if third not in (one, other)
            ):
                yield one, other


def _has_pung_across(line: Line, tile: int, tiles: Sequence[TileReading]) -> bool:
    """Whether the line has a pung in which that tile lies sideways."""
    if tile not in line.sideways:
        return False
    place = line.tiles.index(tile)
    for start in range(max(0, place - PUNG + 1), min(place, len(line.tiles) - PUNG) + 1):
        three = line.tiles[start : start + PUNG]
        meld = find_meld([tiles[each] for each in three], sum(each in line.sideways for each in three))
        if meld and meld.kind is MeldKind.PUNG:
            return True
    return False
