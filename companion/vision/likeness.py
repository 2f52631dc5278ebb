"""The tiles of one picture are of one set: those that look alike are of one kind, and those of one kind look
alike.

A strange set's drawing of a kind is strange on each of its tiles, but one is lit, turned or hidden otherwise
than the next, and where one is read surely the others are known by it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.tiles import BACK
from companion.vision.networks import NO_TILE

# Cosines of what the reader saw of two tiles: even odds that they are alike, and that they look otherwise.
# What these and the next were chosen on, models/MODEL_CARD.md says.
ALIKE, UNLIKE, WIDTH = 0.90, 0.73, 0.015
OWN_SAY = 0.5  # of each look at an alike tile, the share that tells something new
SURE = 0.95  # belief from which on a tile shows how its kind is drawn
DOUBT = 1.2  # log belief in a kind that a tile loses which looks otherwise than all that surely are of it
LEAST = 1e-6  # belief
Floats = NDArray[np.float32]


def compared(shares: Floats, features: Floats, labels: tuple[str, ...]) -> Floats:
    """Beliefs (n, labels) of n finds of one picture → the same once they have been compared.

    features: (n, f) of each, upright, as the reader saw it. Log beliefs in a kind are added up over alike
    tiles and divided by less than their number, as far as each look tells something new; then a kind that
    others surely are loses where a tile looks otherwise. Whether a find is a tile and shows its face remains.
    """
    faces = np.array([label not in (NO_TILE, BACK) for label in labels])
    face = shares[:, faces].sum(axis=1).clip(LEAST)
    seen = features / np.linalg.norm(features, axis=1, keepdims=True).clip(LEAST)
    cosines = seen @ seen.T
    own = np.log((shares[:, faces] / face[:, None]).clip(LEAST))
    alike = face * _step(cosines, ALIKE)
    np.fill_diagonal(alike, 0)
    together = (own + alike @ own) / (1 + (1 - OWN_SAY) * alike.sum(axis=1, keepdims=True))
    told = together - DOUBT * _otherwise(face[:, None] * _normalised(together), cosines)
    result = shares.copy()
    result[:, faces] = face[:, None] * _normalised(told)
    return result


def _otherwise(kinds: Floats, cosines: Floats) -> Floats:
    """Beliefs in kinds (n, k) and cosines (n, n) → 0..1 (n, k): how far a tile looks otherwise than each
    other that is surely of a kind, 0 for kinds that no other surely is."""
    result = np.zeros_like(kinds)
    itself = np.eye(len(kinds), dtype=bool)
    sure = kinds >= SURE
    for kind in np.flatnonzero(sure.any(axis=0)):
        likest = np.where(sure[:, kind] & ~itself, cosines, -np.inf).max(axis=1)
        result[:, kind] = np.where(np.isfinite(likest), 1 - _step(likest, UNLIKE), 0)
    return result


def _step(cosines: Floats, middle: float) -> Floats:
    """0..1, rising at the middle."""
    result: Floats = (1 + np.tanh((cosines - middle) / (2 * WIDTH))) / 2
    return result


def _normalised(logs: Floats) -> Floats:
    raised = np.exp(logs - logs.max(axis=1, keepdims=True))
    result: Floats = raised / raised.sum(axis=1, keepdims=True)
    return result
