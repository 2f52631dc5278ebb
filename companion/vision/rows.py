"""Reading order: which tiles stand in one row, and rows from top to bottom."""

from __future__ import annotations

from statistics import fmean, median

import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Quads

ROW_GAP = 0.5  # of a tile's extent across the row: further off starts a new row


def find_rows(quads: Quads) -> tuple[tuple[int, ...], ...]:
    """Rows of indices of quads (n, 4, 2) px, top to bottom, each from left to right.

    Rows may slant: the common slant is taken from the directions between neighbours.
    """
    if not len(quads):
        return ()
    centres = quads.mean(axis=1)
    slant = _measure_slant(quads, centres)
    turn = np.array([[np.cos(slant), np.sin(slant)], [-np.sin(slant), np.cos(slant)]])
    level = quads @ turn.T
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


def _measure_slant(quads: Quads, centres: NDArray[np.float32]) -> float:
    """Angle of the rows against the picture's horizontal, radians within ±π/4: the mean of the directions to
    each tile's nearest neighbour, modulo a quarter turn, and of the tiles' own sides where there is only
    one."""
    if len(quads) > 1:
        apart = centres[:, None] - centres[None]
        distance = np.hypot(apart[..., 0], apart[..., 1]) + np.eye(len(quads)) * 1e9
        steps = apart[np.arange(len(quads)), distance.argmin(axis=1)]
    else:
        steps = quads[:, 1] - quads[:, 0]
    angles = np.arctan2(steps[:, 1], steps[:, 0])
    return float(np.angle(np.exp(4j * angles).mean()) / 4)
