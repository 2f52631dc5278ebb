"""Whether a find is a tile at all: what both networks say of it, and whether it is like the tiles around it.

The tiles of one set have faces of one colour and, near one another, one size: so a blank White dragon is told
from a gap of the cloth, and dice and letter tiles from tiles.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.tiles import BACK
from companion.vision.believing import NO_TILE
from companion.vision.geometry import Quads
from companion.vision.networks import Trust

# What is surely the face of a tile, to compare others with: the finder's score, the reader's beliefs.
SURE_SCORE, SURE_NO_TILE, SURE_BACK = 0.6, 0.1, 0.3
AMID = 2  # such faces beside a find, from which on it stands amid tiles
NEAREST = 6  # of them are compared with
COLOUR_APART, SIZE_APART = 14.0, 0.35  # of two tiles of one set: L*a*b* with half of L*, log of the side
EDGE, GRAIN_PX, GROUND_SHARE = 8, 12, 0.4  # of a crop: left out, shrunk to, its brightest part
LEAST = 1e-6  # belief, and distance from certainty
Floats = NDArray[np.float32]


def evidence(
    shares: Floats, scores: Floats, quads: Quads, crops: NDArray[np.uint8], labels: tuple[str, ...]
) -> Floats:
    """What speaks for each of n finds to be a tile, (n, 5) in the order of `Trust`.

    shares: (n, labels) beliefs of the reader; scores: (n,) of the finder; quads: (n, 4, 2) px; crops: (n,
    size, size, 3) BGR. The columns: log odds of the reader, of the finder, 1, whether it stands amid surely
    read faces (0, 1), and how like these it is (0..1).
    """
    none = shares[:, labels.index(NO_TILE)]
    face = (scores >= SURE_SCORE) & (none < SURE_NO_TILE) & (shares[:, labels.index(BACK)] < SURE_BACK)
    amid, alike = _company(face, quads, _grounds(crops))
    return np.stack([_log_odds(1 - none), _log_odds(scores), np.ones_like(none), amid, alike], axis=1)


def weighed(shares: Floats, told: Floats, labels: tuple[str, ...], trust: Trust) -> Floats:
    """Beliefs (n, labels) of n finds once all evidence (n, 5) has had its say in whether each is a tile; what
    kind it is if it is one remains as the reader told it."""
    none = labels.index(NO_TILE)
    tile = (1 - shares[:, none]).clip(LEAST, 1 - LEAST)
    share = 1 / (1 + np.exp(-told @ np.array(trust.weights, np.float32)))
    result: Floats = (shares * (share / tile)[:, None]).astype(np.float32)
    result[:, none] = 1 - share
    return result


def _company(face: NDArray[np.bool_], quads: Quads, grounds: Floats) -> tuple[Floats, Floats]:
    """For each of n finds, whether at least AMID sure faces are beside it, and how like the nearest it is."""
    n, sure = len(face), np.flatnonzero(face)
    amid = (len(sure) - face >= AMID).astype(np.float32)
    if not amid.any():
        return amid, np.zeros(n, np.float32)
    side = np.sqrt([cv2.contourArea(quad) for quad in quads]).clip(1)
    middle = quads.mean(axis=1)
    apart = np.linalg.norm(middle[:, None] - middle[sure], axis=2)
    apart[sure, np.arange(len(sure))] = np.inf
    nearest = np.argsort(apart, axis=1)[:, : min(NEAREST, len(sure) - 1)]
    colours = np.linalg.norm(grounds[sure][nearest] - grounds[:, None], axis=2)
    colour = np.sort(colours, axis=1)[:, min(1, colours.shape[1] - 1)]
    size = np.log(side / np.median(side[sure][nearest], axis=1))
    alike = np.exp(-((colour / COLOUR_APART) ** 2) - (size / SIZE_APART) ** 2)
    return amid, (amid * alike).astype(np.float32)


def _grounds(crops: NDArray[np.uint8]) -> Floats:
    """The colour of each face where there is no paint, (n, 3) L*a*b* of 8 bits with half of L*."""
    small = [
        cv2.resize(crop[EDGE:-EDGE, EDGE:-EDGE], (GRAIN_PX, GRAIN_PX), interpolation=cv2.INTER_AREA)
        for crop in crops
    ]
    lab = cv2.cvtColor(np.concatenate(small), cv2.COLOR_BGR2LAB).reshape(len(crops), -1, 3)
    darker = int(lab.shape[1] * (1 - GROUND_SHARE))
    brightest = np.argpartition(lab[:, :, 0], darker, axis=1)[:, darker:]
    ground: Floats = np.take_along_axis(lab, brightest[:, :, None], axis=1).astype(np.float32).mean(axis=1)
    ground *= np.array([0.5, 1, 1], np.float32)
    return ground


def _log_odds(share: Floats) -> Floats:
    sound = share.clip(LEAST, 1 - LEAST)
    result: Floats = np.log(sound / (1 - sound))
    return result
