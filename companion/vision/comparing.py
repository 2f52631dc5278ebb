"""The tiles of one picture are of one set: those that look alike are of one kind, and those of one kind look
alike.

A strange set's drawing of a kind is strange on each of its tiles. But one is lit, turned or hidden otherwise
than the next, and where one is read for certain the others are known by it. And where two that look different
could both be a 2m, one of them is something else. So each tile is told by every other one what that one
probably is, and so what it probably is or is not itself: one round of belief propagation (Pearl 1988). More
rounds were not better: the tiles of a set are misread alike, and talk one another into certainty.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.tiles import BACK
from companion.vision.candidates import PROBABILITY_MIN, Candidates, Floats
from companion.vision.named_faces import NamedFaces
from companion.vision.networks import NO_TILE

# Cosines of what the reader saw of two tiles, less what all tiles of the picture have in common: about these
# they begin to look as one kind and as two kinds look; and within what. What these and
# the next were chosen on is in docs/archive/training-rounds.md.
ALIKE, ALIKE_WIDTH = 0.88, 0.015
UNLIKE, UNLIKE_WIDTH = 0.50, 0.03
# How many times likelier two tiles are to look so when they are of one kind than when they are of two.
ODDS_ALIKE, ODDS_UNLIKE = 8.0, 0.05
# The same of a tile and one that a person named, which is not misread; what looks otherwise may be turned,
# and says nothing. Of tiles on four drawn tables 831 in 1,000 pairs of one kind were more alike than 0.70,
# and of two kinds 0.1 in 1,000.
NAMED_ALIKE, NAMED_WIDTH, ODDS_NAMED = 0.72, 0.02, 10_000.0
KINDS_LEAST = 4.0  # expected kinds in a picture, from which on it shows what its tiles have in common
FACE_LEAST = 0.1  # probability of a face, below which a candidate is not compared
CERTAIN = 0.999  # of a kind: nothing that others tell changes it


def compare_tiles(candidates: Candidates, named: NamedFaces | None = None) -> Candidates:
    """The candidates of one picture with probabilities that take into account how alike they look. Whether a
    candidate is a tile and shows its face stays as it is. named: faces of the same set, seen at any time."""
    labels = candidates.labels
    kinds = np.flatnonzero([label not in (NO_TILE, BACK) for label in labels])
    face = candidates.probabilities[:, kinds].sum(axis=1)
    rows = np.flatnonzero(face >= FACE_LEAST)
    face = face[rows, None]
    own = np.log((candidates.probabilities[np.ix_(rows, kinds)] / face).clip(PROBABILITY_MIN))
    read = _normalise(own)
    if (face * read).sum(axis=0).clip(max=1).sum() < KINDS_LEAST:
        return candidates
    features, of_kind = candidates.features[rows], face * read
    told = np.where(read.max(axis=1, keepdims=True) < CERTAIN, _tell(features, of_kind), 0)
    if named:
        told += _tell_named(features, of_kind, named, [labels[kind] for kind in kinds])
    read = np.where(told.any(axis=1, keepdims=True), _normalise(own + told), read)
    probabilities = candidates.probabilities.copy()
    probabilities[np.ix_(rows, kinds)] = face * read
    return replace(candidates, probabilities=probabilities)


def _tell(features: Floats, kinds: Floats) -> Floats:
    """Features (n, f) of tiles that are of each kind with these probabilities (n, k) → log odds (n, k) that
    each is of a kind, by what the others are. The copies of a kind are of one drawing and count as one."""
    more = _weigh_likeness(_compare(features, kinds)) - 1
    np.fill_diagonal(more, 0)
    told = np.stack([np.log1p(more * of_kind).sum(axis=1) for of_kind in kinds.T], axis=1)
    copies = kinds.sum(axis=0) - kinds
    result: Floats = told / copies.clip(min=1)
    return result


def _tell_named(features: Floats, kinds: Floats, named: NamedFaces, codes: list[str]) -> Floats:
    """As `_tell`, by what a person named of the same set: the most similar face of each kind counts."""
    cosines = _compare(features, kinds, named.features)
    result = np.zeros_like(kinds)
    for at, code in enumerate(codes):
        if code in named.codes:
            likest = cosines[:, np.array(named.codes) == code].max(axis=1)
            result[:, at] = np.log(ODDS_NAMED) * _rise((likest - NAMED_ALIKE) / NAMED_WIDTH)
    return result


def _compare(features: Floats, kinds: Floats, others: Floats | None = None) -> Floats:
    """Features (n, f) of tiles that are of each kind with these probabilities (n, k) → cosines (n, n) of what
    they do not have in common: of the features less their mean, in which every kind counts once. Or, with
    the features (m, f) of others, cosines (n, m) with these."""
    of_each = kinds.sum(axis=0)
    share = (kinds / of_each.clip(1)).sum(axis=1)
    mean = (share / share.sum()) @ features
    unit = _scale_to_unit(features - mean)
    result: Floats = unit @ (unit if others is None else _scale_to_unit(others - mean)).T
    return result


def _scale_to_unit(vectors: Floats) -> Floats:
    result: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True).clip(PROBABILITY_MIN)
    return result


def _weigh_likeness(cosines: Floats) -> Floats:
    """How many times likelier two tiles have such a cosine when they are of one kind than when of two."""
    alike = _rise((cosines - ALIKE) / ALIKE_WIDTH)
    unlike = _rise((UNLIKE - cosines) / UNLIKE_WIDTH)
    result: Floats = ODDS_ALIKE**alike * ODDS_UNLIKE**unlike
    return result


def _rise(steps: Floats) -> Floats:
    """0..1, a half at 0."""
    result: Floats = ((1 + np.tanh(steps / 2)) / 2).astype(np.float32)
    return result


def _normalise(logs: Floats) -> Floats:
    raised = np.exp(logs - logs.max(axis=1, keepdims=True))
    result: Floats = raised / raised.sum(axis=1, keepdims=True)
    return result
