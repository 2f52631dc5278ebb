"""The tiles of one picture are of one set: those that look alike are of one kind, and those of one kind look
alike.

A strange set's drawing of a kind is strange on each of its tiles. But one is lit, turned or hidden otherwise
than the next, and where one is read for certain the others are known by it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.tiles import BACK
from companion.vision.candidates import PROBABILITY_MIN, Candidates, Floats
from companion.vision.networks import NO_TILE

# Cosines of the features of two tiles: even odds that they are alike, and that they look different.
# models/MODEL_CARD.md says what these and the next were chosen on.
ALIKE, UNLIKE, WIDTH = 0.90, 0.73, 0.015
NEW_SHARE = 0.5  # of each look at an alike tile, the share that tells something new
EXAMPLE_PROBABILITY = 0.95  # from which on a tile is an example of how its kind is drawn
DOUBT = 1.2  # log probability that a kind loses on a tile which looks different from all examples of it


def compare_tiles(candidates: Candidates) -> Candidates:
    """The candidates of one picture with probabilities that take into account how alike they look.

    Log probabilities of a kind are added up over alike tiles and divided by less than their number, as far as
    each look tells something new. Then a kind of which there are examples loses where a tile looks different
    from them. Whether a candidate is a tile and shows its face stays as it is.
    """
    labels, features = candidates.labels, candidates.features
    faces = np.array([label not in (NO_TILE, BACK) for label in labels])
    face = candidates.probabilities[:, faces].sum(axis=1).clip(PROBABILITY_MIN)
    seen = features / np.linalg.norm(features, axis=1, keepdims=True).clip(PROBABILITY_MIN)
    cosines = seen @ seen.T
    own = np.log((candidates.probabilities[:, faces] / face[:, None]).clip(PROBABILITY_MIN))
    alike = face * _rise(cosines, ALIKE)
    np.fill_diagonal(alike, 0)
    together = (own + alike @ own) / (1 + (1 - NEW_SHARE) * alike.sum(axis=1, keepdims=True))
    compared = together - DOUBT * _differ_from_examples(face[:, None] * _normalise(together), cosines)
    probabilities = candidates.probabilities.copy()
    probabilities[:, faces] = face[:, None] * _normalise(compared)
    return replace(candidates, probabilities=probabilities)


def _differ_from_examples(kinds: Floats, cosines: Floats) -> Floats:
    """Probabilities of kinds (n, k) and cosines (n, n) → 0..1 (n, k): how different a tile looks from every
    other that is an example of a kind, 0 for kinds without examples."""
    result = np.zeros_like(kinds)
    of, examples = np.nonzero(kinds.T >= EXAMPLE_PROBABILITY)  # in the order of their kinds
    if len(of):
        with_examples, first = np.unique(of, return_index=True)
        others = cosines.copy()
        np.fill_diagonal(others, -np.inf)
        nearest = np.maximum.reduceat(others[:, examples], first, axis=1)
        result[:, with_examples] = np.where(np.isfinite(nearest), 1 - _rise(nearest, UNLIKE), 0)
    return result


def _rise(cosines: Floats, middle: float) -> Floats:
    """0..1, rising at the middle."""
    result: Floats = (1 + np.tanh((cosines - middle) / (2 * WIDTH))) / 2
    return result


def _normalise(logs: Floats) -> Floats:
    raised = np.exp(logs - logs.max(axis=1, keepdims=True))
    result: Floats = raised / raised.sum(axis=1, keepdims=True)
    return result
