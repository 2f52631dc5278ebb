"""Blank faces that continue a row of tiles.

A White dragon without a frame is as plain as a cloth or a desk of about its colour, and its edges hardly
show: what is known of each candidate, and of its neighbours one by one, often speaks for nothing. But where
the next tile of a row would lie, and as large as those, something blank is a tile.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.tiles import BACK
from companion.vision.candidates import PROBABILITY_MIN, Candidates
from companion.vision.deciding import NO_TILE_MAX
from companion.vision.networks import NO_TILE
from companion.vision.weighing import measure_grounds, measure_shapes

BLANK = "5z"
SCORE_LEAST, BLANK_LEAST = 0.3, 0.35
"""Of the finder, and of the reader, from which on something may be a blank face."""
ROW_LEAST = 3
"""So many tiles side by side are a row."""
ALONG, ACROSS = (0.8, 1.3), 0.2
"""How far the next tile lies along the row, in widths, and at most across it, in heights: people lay tiles
side by side, not always in line."""
HEIGHTS, WIDTHS, PARALLEL = (0.85, 1.18), (0.75, 1.33), 0.99
"""How its sides are to those of its neighbour, and the least cosine between them. Outlines of blank faces are
less exact across the row, where they touch others."""
DARKER_MOST = 0.15
"""By how much its ground is darker than its neighbour's, logs: the side of the last tile is in its shade, and
looks like a blank face from aside. Blank faces were darker by 0.04 at most, sides by 0.4."""
OVERLAP_MOST = 0.5
"""In widths: of two candidates nearer than this one at most is a tile."""
IN_ROW_P = 0.9
"""How likely such a one is a tile. Of 30 of them in photos of a set that nothing has learned all were."""

Mask = NDArray[np.bool_]


def continue_rows(read: Candidates, weighed: Candidates) -> Candidates:
    """The weighed candidates with blank faces that continue a row of faces taken for tiles. read: the same
    ones as the reader left them."""
    none, back, blank = (read.labels.index(label) for label in (NO_TILE, BACK, BLANK))
    kinds = np.delete(np.arange(len(read.labels)), [none, back])
    is_blank = kinds[read.probabilities[:, kinds].argmax(axis=1)] == blank
    sees_blank = is_blank & (read.probabilities[:, blank] >= BLANK_LEAST) & (read.scores >= SCORE_LEAST)
    is_tile = weighed.probabilities[:, none] <= NO_TILE_MAX
    maybe = sees_blank & ~is_tile
    if not maybe.any():
        return weighed
    is_face = is_tile & (weighed.probabilities[:, back] < 0.5)
    beside, over = _find_neighbours(read)
    grounds = measure_grounds(read.crops)[0].mean(axis=1)
    goes_on = beside & (grounds[:, None] >= grounds - DARKER_MOST)
    found = np.zeros(len(read), np.bool_)
    while True:
        next_ones = maybe & ~found & (goes_on & _find_rows(beside, is_face)).any(axis=1)
        next_ones &= ~(over & (is_tile | found)).any(axis=1)
        if not next_ones.any():
            break
        first = int(np.flatnonzero(next_ones)[read.scores[next_ones].argmax()])
        found[first] = is_face[first] = True
    probabilities = weighed.probabilities.copy()
    faces = read.probabilities[found].clip(PROBABILITY_MIN)
    faces[:, [none, back]] = 0
    probabilities[found] = IN_ROW_P * faces / faces.sum(axis=1, keepdims=True)
    probabilities[found, none] = 1 - IN_ROW_P
    return replace(weighed, probabilities=probabilities)


def _find_neighbours(candidates: Candidates) -> tuple[Mask, Mask]:
    """Which lie side by side, as tiles of one row do, and which lie over one another, both (n, n)."""
    shapes = measure_shapes(candidates)
    wide, high = np.linalg.norm(shapes.short, axis=1), np.linalg.norm(shapes.long, axis=1)
    apart = shapes.middles[:, None] - shapes.middles
    along = np.abs((apart * shapes.short).sum(axis=2)) / wide.clip(1) ** 2
    across = np.abs((apart * shapes.long).sum(axis=2)) / high.clip(1) ** 2
    ways = shapes.long / high.clip(1)[:, None]
    alike = (
        (np.abs(ways @ ways.T) >= PARALLEL)
        & _is_within(high[:, None] / high.clip(1), HEIGHTS)
        & _is_within(wide[:, None] / wide.clip(1), WIDTHS)
    )
    over = np.linalg.norm(apart, axis=2) < OVERLAP_MOST * wide
    np.fill_diagonal(over, False)
    return alike & _is_within(along, ALONG) & (across <= ACROSS), over


def _find_rows(beside: Mask, is_face: Mask) -> Mask:
    """Which faces (n,) are one of ROW_LEAST or more that stand side by side."""
    links = beside & is_face & is_face[:, None]
    links |= links.T
    reached = np.diag(is_face)
    for _ in range(ROW_LEAST - 1):
        reached = reached | ((reached.astype(np.int32) @ links.astype(np.int32)) > 0)
    return np.asarray(reached.sum(axis=1) >= ROW_LEAST, np.bool_)


def _is_within(ratio: NDArray[np.floating], limits: tuple[float, float]) -> Mask:
    return (ratio >= limits[0]) & (ratio <= limits[1])
