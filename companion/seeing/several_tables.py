"""Whether the tiles in a picture are on one table: another one may be behind it, or as near."""

from __future__ import annotations

import cv2
import numpy as np

from companion.seeing.arrays import Floats
from companion.vision.candidates import Candidates, long_sides, short_sides

GAP_LENGTHS = 10.0
"""Tiles of one table are no farther from their nearest neighbours, in lengths of a tile; chairs and people
between two tables are wider."""
TABLE_TILES, TABLE_WIDTHS = 12, 6.0
"""The tiles of a whole table are at least this number, and this far apart both ways, in widths."""
PLAINLY_NEARER, PLAINLY_MORE = 1.5, 3.0
"""Of two tables, the one is meant whose tiles are as many times wider, or more."""


def choose_table(tiles: Candidates) -> tuple[Candidates, bool]:
    """The tiles of the table that is meant, with those on none; and whether another table is as near."""
    groups = _group(tiles)
    tables = [group for group in groups if _looks_like_table(tiles[group])]
    if len(tables) < 2:
        return tiles, False
    wide = [float(np.median(short_sides(tiles[table].quads))) for table in tables]
    sizes = [wide[number] * np.sqrt(len(table)) for number, table in enumerate(tables)]
    first, second = np.argsort(sizes)[::-1][:2].tolist()
    is_meant = wide[first] > PLAINLY_NEARER * wide[second] or len(tables[first]) > PLAINLY_MORE * len(
        tables[second]
    )
    others = np.concatenate([table for number, table in enumerate(tables) if number != first])
    return tiles[np.setdiff1d(np.arange(len(tiles)), others)], not is_meant


def _group(tiles: Candidates) -> list[np.ndarray]:
    """The indices of tiles that are linked by gaps of a table, for each group."""
    middles: Floats = tiles.quads.mean(axis=1).astype(np.float64)
    long = long_sides(tiles.quads)
    apart = np.linalg.norm(middles[:, None] - middles, axis=2) / ((long[:, None] + long) / 2)
    linked = apart < GAP_LENGTHS
    left, groups = set(range(len(tiles))), []
    while left:
        group, new = set(), {left.pop()}
        while new:
            group |= new
            new = set(np.flatnonzero(linked[list(new)].any(axis=0)).tolist()) - group
        left -= group
        groups.append(np.array(sorted(group)))
    return groups


def _looks_like_table(tiles: Candidates) -> bool:
    """Whether they are many, and far apart both ways: a hand is a row."""
    if len(tiles) < TABLE_TILES:
        return False
    _, (one, other), _ = cv2.minAreaRect(tiles.quads.mean(axis=1).astype(np.float32))
    return min(one, other) > TABLE_WIDTHS * float(np.median(short_sides(tiles.quads)))
