"""Candidates within a candidate: the pips of a giant tile, or a field of tiles that looks like one tile."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.candidates import Candidates, Floats
from companion.vision.geometry import NEXT_CORNERS, Quads, short_sides
from companion.vision.networks import NO_TILE

WIDER = 1.7  # times as wide as what lies in it: a giant's largest pips are half as wide as the tile
TILE_NO_TILE = 0.1  # what the reader takes for no tile with less than this is clearly a tile
PLAIN_SCORE = 0.5  # of the finder, from which on such a one tells how wide tiles are there
OTHERS = 4  # of them, from which on they do; as many within a candidate are tiles, and it is a field of them
NEAREST = 6  # of them, that do: seen obliquely, far tiles are much narrower than near ones


def drop_nested(candidates: Candidates) -> Candidates:
    """The classified candidates without those that lie in a much wider one, where that is the tile; elsewhere
    without the wider one."""
    widths, middles = short_sides(candidates.quads), candidates.quads.mean(axis=1)
    clear = candidates.probability_of(NO_TILE) < TILE_NO_TILE
    plain = clear & (candidates.scores >= PLAIN_SCORE)
    kept: NDArray[np.bool_] = np.ones(len(candidates), np.bool_)
    for outer in np.argsort(-widths, kind="stable"):
        inner = np.flatnonzero(kept & (widths * WIDER < widths[outer]))
        if not kept[outer] or not len(inner):
            continue
        inner = inner[_contains(candidates.quads[outer], middles[inner])]
        if len(inner):
            others = np.flatnonzero(kept & plain)
            others = np.setdiff1d(others, [outer, *inner])
            apart = np.linalg.norm(middles[others] - middles[outer], axis=1)
            nearest = others[np.argsort(apart, kind="stable")[:NEAREST]]
            is_field = plain[inner].sum() >= OTHERS
            if clear[outer] and not is_field and _fits(widths[outer], widths[inner], widths[nearest]):
                kept[inner] = False
            else:
                kept[outer] = False
    return candidates if kept.all() else candidates[kept]


def _fits(outer: np.float32, inner: Floats, others: Floats) -> bool:
    """Whether a width is rather that of the other tiles nearby than those of what lies in it are; True where
    there are few others."""
    if len(others) < OTHERS:
        return True
    usual = np.median(others)
    return bool(abs(np.log(outer / usual)) <= abs(np.log(np.median(inner) / usual)))


def _contains(quad: Quads, points: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether each of n points (n, 2) lies in a convex quad (4, 2)."""
    sides = quad[NEXT_CORNERS] - quad
    to_points = points[:, None] - quad
    turns = sides[:, 0] * to_points[..., 1] - sides[:, 1] * to_points[..., 0]
    return np.asarray((turns >= 0).all(axis=1) | (turns <= 0).all(axis=1), np.bool_)
