"""Edges of backs: what has no print on it is a tile only if something ends at its outline. A cushion or a rim
looks like a row of backs, but for the gaps between them.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.images import Image
from companion.tiles import BACK
from companion.vision.candidates import NEXT_CORNERS, Candidates, Floats, Quads

ALONG = np.linspace(0.15, 0.85, 24)
"""Where a side is crossed, in its length."""
ACROSS = np.linspace(-0.16, 0.16, 17)
"""Where each crossing is read, from outside to inside, in lengths of the tile that way."""
AVERAGED = 3
"""Readings on either side of a step that are averaged."""
STEP_MIN, SURE = 1.0, 0.95
"""Mean step of two opposite sides, grey levels, below which a back is none, unless it has this probability.
They are those of 18 of 47 finds that were no tiles, and of 2 of 1,148 backs, on drawn tables for choosing and
`train-2`."""
CLIPPED = 235.0
"""Mean grey level of a tile, above which too much light may hide the gaps of a wall."""


def drop_edgeless(picture: Image, tiles: Candidates) -> Candidates:
    """The tiles of a (H, W, 3) picture without doubted backs of which two opposite sides have no edge."""
    backs = tiles.probability_of(BACK)
    is_clipped = tiles.crops.mean(axis=(1, 2, 3)) > CLIPPED
    doubted = np.flatnonzero((backs >= tiles.probabilities.max(axis=1)) & (backs < SURE) & ~is_clipped)
    if not len(doubted):
        return tiles
    steps = measure_steps(picture, tiles.quads[doubted])
    edgeless = (steps[:, :2] + steps[:, 2:]).min(axis=1) / 2 < STEP_MIN
    return tiles[np.setdiff1d(np.arange(len(tiles)), doubted[edgeless])]


def measure_steps(picture: Image, quads: Quads) -> Floats:
    """The steepest step across each side of quads (n, 4, 2) px of a (H, W, 3) picture, averaged along the
    side: (n, 4) grey levels."""
    sides = quads[:, NEXT_CORNERS] - quads
    inwards = (sides[:, NEXT_CORNERS] - sides[:, [3, 0, 1, 2]]) / 2
    places = quads[:, :, None] + sides[:, :, None] * ALONG[:, None]
    places = places[:, :, :, None] + inwards[:, :, None, None] * ACROSS[:, None]
    x, y = places.astype(np.float32).reshape(len(quads) * 4, -1, 2).transpose(2, 0, 1)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profiles = seen.reshape(len(quads), 4, len(ALONG), len(ACROSS), 3).mean(axis=2)
    totals = np.cumsum(np.pad(profiles, [(0, 0), (0, 0), (1, 0), (0, 0)]), axis=2)
    means = (totals[:, :, AVERAGED:] - totals[:, :, :-AVERAGED]) / AVERAGED
    steps: Floats = np.abs(means[:, :, AVERAGED:] - means[:, :, :-AVERAGED]).mean(axis=3).max(axis=2)
    return steps.astype(np.float32)
