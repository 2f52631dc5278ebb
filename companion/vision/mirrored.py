"""Whether a picture is mirrored, as the front cameras of phones make them: some faces are then read as other
kinds, and with certainty.

Tiles are read both ways. A mirrored 9m looks like a 6m, but a mirrored 6m rarely like a 9m; the reader
was taught no mirrored face. So each tile whose two readings are such a pair says which way is right.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.images import Image
from companion.vision.candidates import LEGIBLE_PX, Candidates, Floats, long_sides
from companion.vision.classifying import classify_once
from companion.vision.learned import LearnedSet
from companion.vision.networks import Reader

MIRROR_IMAGES = {
    "5m": ("3m",),
    "7m": ("3m", "5m"),
    "8m": ("5m",),
    "9m": ("5m", "6m"),
    "3p": ("5f", "5p"),
    "7p": ("6p",),
    "1s": ("1z",),
    "2z": ("3z",),
    "3z": ("1s", "6f"),
    "6z": ("1s", "2z", "5f"),
}
"""As what a kind is read when it is mirrored: chosen by 290 photos, in which 1,483 tiles were such a pair,
and 3 the other way round."""
TELLING = np.array(sorted({*MIRROR_IMAGES, *(kind for kinds in MIRROR_IMAGES.values() for kind in kinds)}))
SURE = 1.5
"""The number of tiles by which one way has to lead: two that were read surely, or more."""
TILES_MAX = 60
"""The largest of these tiles are enough: reading one takes a millisecond of a core."""


def measure_handedness(reader: Reader, candidates: Candidates, learned: LearnedSet | None = None) -> float:
    """The number of classified candidates of a picture, each counted as far as both readings are sure, that
    say it is plain, less those that say it is mirrored."""
    if not len(candidates):
        return 0.0
    legible = (long_sides(candidates.quads) >= LEGIBLE_PX) & np.isin(_likeliest(candidates), TELLING)
    chosen = np.flatnonzero(legible)
    chosen = chosen[np.argsort(-long_sides(candidates.quads[chosen]), kind="stable")][:TILES_MAX]
    if not len(chosen):
        return 0.0
    plain = candidates[chosen]
    flipped = replace(plain, crops=np.ascontiguousarray(plain.crops[:, :, ::-1]))
    mirrored = classify_once(reader, flipped, learned)
    sure: Floats = plain.probabilities.max(axis=1) * mirrored.probabilities.max(axis=1)
    kinds = zip(_likeliest(plain), _likeliest(mirrored), strict=True)
    return float(sum(weight * _compare(*pair) for weight, pair in zip(sure, kinds, strict=True)))


def flip(image: Image) -> Image:
    """The mirror image of a picture (H, W, 3)."""
    return np.ascontiguousarray(image[:, ::-1])


def _compare(plain: str, mirrored: str) -> int:
    """What a tile says that is read as these kinds: 1 that it is plain, -1 mirrored, 0 nothing."""
    return (mirrored in MIRROR_IMAGES.get(plain, ())) - (plain in MIRROR_IMAGES.get(mirrored, ()))


def _likeliest(candidates: Candidates) -> list[str]:
    """The likeliest label of each."""
    return [candidates.labels[at] for at in candidates.probabilities.argmax(axis=1)]
