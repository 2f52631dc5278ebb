"""Whether a find is a tile, and shows its face: what both networks say of it, and whether it is like its
neighbours.

The tiles of one set have faces of one colour and, near one another, one size: so a blank White dragon is told
from a gap of the cloth and from a back, and dice and letter tiles from tiles. Colours are compared by their
ratios, as a dim or coloured light changes all of them by the same factors (von Kries).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.tiles import BACK
from companion.vision.geometry import Quads
from companion.vision.networks import NO_TILE, Trust

# What is surely the face of a tile, to compare others with: the finder's score, the reader's beliefs.
SURE_SCORE, SURE_NO_TILE, SURE_BACK = 0.6, 0.1, 0.3
AMID = 2  # such faces beside a find, from which on it stands amid tiles
NEAREST = 6  # of them are compared with
COLOUR_APART, SIZE_APART = 0.15, 0.35  # of two tiles of one set: logs of the ground and of the side
BRIGHTER = 0.6  # how much a difference in brightness counts, against one in tint
DARK = 6.0  # grey levels that a dark ground's noise may have
EDGE, GRAIN_PX, GROUND_SHARE = 8, 4, 0.4  # of a crop: left out, one pixel in so many, the brightest
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


def face_evidence(shares: Floats, told: Floats, labels: tuple[str, ...]) -> Floats:
    """What speaks for each of n tiles to show its face and not its back, (n, 3): the reader's log odds, and
    whether it stands amid surely read faces and how like these it is, out of `evidence` (n, 5)."""
    back = shares[:, labels.index(BACK)]
    tile = (1 - shares[:, labels.index(NO_TILE)]).clip(LEAST)
    return np.column_stack([_log_odds(1 - back / tile), told[:, 3:]])


def weighed(shares: Floats, told: Floats, labels: tuple[str, ...], trust: Trust) -> Floats:
    """Beliefs (n, labels) of n finds once all evidence (n, 5) has had its say in whether each is a tile and
    shows its face; of which kind a face is remains as the reader told it."""
    none, back = labels.index(NO_TILE), labels.index(BACK)
    tile = _share(told @ np.array(trust.tile, np.float32))
    face = _share(face_evidence(shares, told, labels) @ np.array(trust.face, np.float32))
    result = shares.copy()
    result[:, [none, back]] = 0
    result *= (tile * face / result.sum(axis=1).clip(LEAST))[:, None]
    result[:, back] = tile * (1 - face)
    result[:, none] = 1 - tile
    return result


def _company(face: NDArray[np.bool_], quads: Quads, grounds: Floats) -> tuple[Floats, Floats]:
    """For each of n finds, whether at least AMID sure faces are beside it, and how like the nearest it is."""
    n, sure = len(face), np.flatnonzero(face)
    amid = (len(sure) - face >= AMID).astype(np.float32)
    if not amid.any():
        return amid, np.zeros(n, np.float32)
    one, other = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    side = np.sqrt(np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2).clip(1)
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
    """The colour of each face where there is no paint, (n, 3) logs of BGR, their mean but for BRIGHTER of it
    taken away."""
    sparse = crops[:, EDGE:-EDGE:GRAIN_PX, EDGE:-EDGE:GRAIN_PX].reshape(len(crops), -1, 3)
    lightness = sparse.sum(axis=2, dtype=np.int32)
    darker = int(lightness.shape[1] * (1 - GROUND_SHARE))
    brightest = np.argpartition(lightness, darker, axis=1)[:, darker:]
    ground = np.log(np.take_along_axis(sparse, brightest[:, :, None], axis=1).mean(axis=1) + DARK)
    result: Floats = (ground - (1 - BRIGHTER) * ground.mean(axis=1, keepdims=True)).astype(np.float32)
    return result


def _log_odds(share: Floats) -> Floats:
    sound = share.clip(LEAST, 1 - LEAST)
    result: Floats = np.log(sound / (1 - sound)).astype(np.float32)
    return result


def _share(log_odds: Floats) -> Floats:
    result: Floats = (1 / (1 + np.exp(-log_odds))).astype(np.float32)
    return result
