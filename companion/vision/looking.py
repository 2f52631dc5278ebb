"""Finds are looked at, doubtful tiles several times: an outline a little off, larger or smaller shows the
same tile otherwise, and what all looks agree on is right more often (test-time augmentation: Krizhevsky et
al. 2012, section 4.1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.vision.believing import DOUBTFUL, Beliefs, beliefs
from companion.vision.geometry import Quads, straightened
from companion.vision.learned import LearnedSet
from companion.vision.networks import NO_TILE, Reader
from companion.vision.sharpness import LEGIBLE_PX, heights

MOVED, SCALED = 0.03, 0.06  # of a tile's sides
# Further looks: moved along the upper side and along the left one, scaled.
LOOKS = ((-MOVED, 0, 1), (MOVED, 0, 1), (0, -MOVED, 1), (0, MOVED, 1), (0, 0, 1 - SCALED), (0, 0, 1 + SCALED))
RATHER_NONE = 0.5  # belief in no tile, from which on a find is not worth further looks
LEAST = 1e-6  # belief
TOGETHER = 200  # tiles, looked at again at once: all answers to them are kept meanwhile


def looked_at(
    reader: Reader, picture: Image, quads: Quads, learned: LearnedSet | None
) -> tuple[NDArray[np.uint8], Beliefs]:
    """Quads (n, 4, 2) px of a picture, n > 0 → crops (n, size, size, 3) as they are straightened, and what is
    believed of them: where the likeliest has less than DOUBTFUL, the geometric mean of seven looks. Too small
    ones are looked at once."""
    crops = _crops(reader, picture, quads)
    first = beliefs(reader, crops, learned)
    tile = first.shares[:, reader.labels.index(NO_TILE)] < RATHER_NONE
    doubtful = np.flatnonzero(tile & (first.shares.max(axis=1) < DOUBTFUL) & (heights(quads) >= LEGIBLE_PX))
    if not len(doubtful):
        return crops, first
    shares = first.shares.copy()
    for some in np.split(doubtful, range(TOGETHER, len(doubtful), TOGETHER)):
        moved = np.concatenate([_moved(quads[some], *look) for look in LOOKS])
        again = beliefs(reader, _crops(reader, picture, moved), learned).shares
        looks = np.concatenate([first.shares[some], again]).reshape(len(LOOKS) + 1, len(some), -1)
        agreed = np.exp(np.log(looks.clip(LEAST)).mean(axis=0))
        shares[some] = agreed / agreed.sum(axis=1, keepdims=True)
    return crops, replace(first, shares=shares)


def _crops(reader: Reader, picture: Image, quads: Quads) -> NDArray[np.uint8]:
    return np.stack([straightened(picture, quad, reader.size_px) for quad in quads])


def _moved(quads: Quads, along: float, down: float, scale: float) -> Quads:
    """Quads (n, 4, 2), each moved by shares of its sides and scaled about its middle."""
    middle = quads.mean(axis=1, keepdims=True)
    upper, left = quads[:, 1:2] - quads[:, :1], quads[:, 3:] - quads[:, :1]
    result: Quads = (middle + (quads - middle) * scale + upper * along + left * down).astype(np.float32)
    return result
