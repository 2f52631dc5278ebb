"""A set of tiles that was learned from pictures of it: what each of its kinds looks like to the reader."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError, quote
from companion.tiles import KINDS

Floats = NDArray[np.float32]

# Chosen on drawn sets in which every third kind had a drawing that the reader had never seen, on such sets
# with a third of the kinds not taught, and on pictures of other drawn sets; of equals the one that photos of
# known sets suffer least from.
GAIN = 30.0  # log belief that a tile gains for each unit of likeness
UNLIKE = 0.3  # likeness (cosine) from which on it gains
AS_TAUGHT = (
    0.7  # likeness that a kind which was not taught is supposed to have, where a taught one has as much
)
READER_TRUST = 0.7  # of the reader's own log belief beside likeness
OTHER_SET, THIS_SET = 0.70, 0.76  # likeness of the tiles surely read: below, the picture shows another set
SURELY_READ = 0.9
ENOUGH_READ = 3  # tiles surely read that tell whether it is this set

OTHER_MODEL = "The tile set {name} was learned with another model than the program has now: learn it again."


@dataclass(frozen=True, eq=False)
class LearnedSet:
    """codes: the kinds of m tiles; features: (m, f) float32, what the reader saw of each, standing upright;
    reader: sha256 of that reader's file."""

    name: str
    reader: str
    codes: tuple[str, ...]
    features: Floats

    def check_reader(self, reader: str) -> None:
        """Raises InputError unless it was learned with the reader of that sha256."""
        if reader != self.reader:
            raise InputError(OTHER_MODEL, name=quote(self.name))

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that were taught, in order."""
        return tuple(tile.code for tile in KINDS if tile.code in self.codes)

    @cached_property
    def _mean(self) -> Floats:
        """What all its tiles have in common: light, colour of the body."""
        mean: Floats = self.features.mean(axis=0)
        return mean

    @cached_property
    def _unit(self) -> Floats:
        return _unit(self.features - self._mean)

    def likeness(self, features: Floats, labels: tuple[str, ...]) -> Floats:
        """Features (…, f) → cosine with the most similar tile of each label (…, labels), -1 for labels not
        taught. Raises InputError for another number of features than it was learned with."""
        if features.shape[-1] != self.features.shape[1]:
            raise InputError(OTHER_MODEL, name=quote(self.name))
        cosines = _unit(features - self._mean) @ self._unit.T
        result = np.full((*cosines.shape[:-1], len(labels)), -1, np.float32)
        taught = np.array(self.codes)
        for at, label in enumerate(labels):
            if (same := taught == label).any():
                result[..., at] = cosines[..., same].max(axis=-1)
        return result

    def weighed(self, directions: Floats, kinds: Floats, features: Floats, labels: tuple[str, ...]) -> Floats:
        """Log belief (n, 4, labels) in each direction and kind, likeness weighed in.

        directions (n, 4), kinds (n, 4, labels): the reader's own log beliefs, -inf where it did not look;
        features (n, 4, f). Where the tiles that it reads surely are unlike this set, it is another set, and
        likeness has no weight.
        """
        looked = np.isfinite(kinds[:, :, 0])
        like = np.where(looked[:, :, None], self.likeness(features, labels), np.float32(-1))
        weight = self._weight(directions[:, :, None] + kinds, like)
        taught = np.array([label in self.codes for label in labels])
        best = like.max(axis=(1, 2))
        gain: Floats = np.maximum(like - np.float32(UNLIKE), np.float32(0))
        # A kind that was not taught would look as it does in no picture: what is known is that a tile very
        # like a taught kind is rather that one.
        gain[:, :, ~taught] = np.maximum(np.minimum(best, AS_TAUGHT) - UNLIKE, 0)[:, None, None]
        trust = 1 - weight * (1 - READER_TRUST)
        result: Floats = directions[:, :, None] + kinds * trust + weight * GAIN * gain
        return result.astype(np.float32)

    def _weight(self, joint: Floats, like: Floats) -> float:
        """0..1: whether the picture shows this set, judged by the tiles that the reader is sure of, and where
        these are few by all."""
        shares = np.exp(joint).sum(axis=1)
        its = like.max(axis=1)[np.arange(len(like)), shares.argmax(axis=1)]
        sure = (shares.max(axis=1) > SURELY_READ) & (its > -1)
        told = its[sure] if sure.sum() >= ENOUGH_READ else like.max(axis=(1, 2))
        return float(np.clip((np.median(told) - OTHER_SET) / (THIS_SET - OTHER_SET), 0, 1))


def _unit(vectors: Floats) -> Floats:
    result: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6)
    return result
