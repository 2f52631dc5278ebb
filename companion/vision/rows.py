"""Reading order: which tiles stand in one row, and rows from top to bottom.

Which way rows run is said by the glyphs, and by which neighbours touch where the glyphs leave it open.
"""

from __future__ import annotations

from statistics import fmean, median

import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Quads

ROW_GAP = 0.5  # of a tile's extent across the row: further off starts a new row
TOUCHING = 0.25  # of a tile's extent: neighbours no further apart than this touch
MOSTLY = 0.6  # share of glyphs that must lie on their sides for a row to run up or down the picture
COLUMN = 3  # touching neighbours above and below for each one beside, from which on a column is a row


def find_rows(quads: Quads) -> tuple[tuple[int, ...], ...]:
    """Rows of indices of quads (n, 4, 2) px, top to bottom, each from left to right.

    Rows may slant: the common slant is taken from the directions between neighbours. Rows that run up or down
    the picture are read as whoever turns it by a quarter sees them, their glyphs upright.
    """
    if not len(quads):
        return ()
    level = _turn_back(quads, _find_direction(quads))
    heights = np.ptp(level[:, :, 1], axis=1).tolist()
    x, y = level.mean(axis=1).T.tolist()
    rows: list[list[int]] = []
    for index in sorted(range(len(y)), key=y.__getitem__):
        if rows:
            height = min(heights[index], median(heights[i] for i in rows[-1]))
            if y[index] - fmean(y[i] for i in rows[-1]) < ROW_GAP * height:
                rows[-1].append(index)
                continue
        rows.append([index])
    return tuple(tuple(sorted(row, key=x.__getitem__)) for row in rows)


def _turn_back(quads: Quads, angle: float) -> Quads:
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    turned: Quads = quads @ turn.T
    return turned


def _find_direction(quads: Quads) -> float:
    """Angle of reading along the rows against the picture's horizontal, radians."""
    slant = _measure_slant(quads, quads.mean(axis=1))
    level = _turn_back(quads, slant)
    right = level[:, 1] - level[:, 0] + level[:, 2] - level[:, 3]
    sideways = np.abs(right[:, 1]) > np.abs(right[:, 0])
    upright = bool(sideways.mean() < MOSTLY)
    beside, below = _count_touching(level)
    along, across = (beside, below) if upright else (below, beside)
    if (across <= COLUMN * along) == upright:
        return slant
    upwards = np.sum(np.sign(right[sideways, 1])) < 0
    return slant - np.pi / 2 if upwards else slant + np.pi / 2


def _count_touching(level: Quads) -> tuple[int, int]:
    """How many pairs of tiles touch side by side, and one above the other."""
    middles, sizes = level.mean(axis=1), np.ptp(level, axis=1)
    apart = np.abs(middles[:, None] - middles[None])
    extent = (sizes[:, None] + sizes[None]) / 2
    near, in_line = apart <= (1 + TOUCHING) * extent, apart < extent / 2
    beside = np.triu(near[..., 0] & in_line[..., 1], 1)
    below = np.triu(near[..., 1] & in_line[..., 0], 1)
    return int(beside.sum()), int(below.sum())


def _measure_slant(quads: Quads, centres: NDArray[np.float32]) -> float:
    """Angle of the rows or of the columns against the picture's horizontal, radians within ±π/4: the mean of
    the directions to each tile's nearest neighbour, modulo a quarter turn, and of the tiles' own sides where
    there is only one."""
    if len(quads) > 1:
        apart = centres[:, None] - centres[None]
        distance = np.hypot(apart[..., 0], apart[..., 1]) + np.eye(len(quads)) * 1e9
        steps = apart[np.arange(len(quads)), distance.argmin(axis=1)]
    else:
        steps = quads[:, 1] - quads[:, 0]
    angles = np.arctan2(steps[:, 1], steps[:, 0])
    return float(np.angle(np.exp(4j * angles).mean()) / 4)
