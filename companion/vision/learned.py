"""A set of tiles that was learned from pictures of it: what each of its kinds looks like to the reader."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.errors import InputError, quote
from companion.tiles import KINDS
from companion.vision.candidates import Floats
from companion.vision.directions import DirectionAnswers

# Chosen on drawn sets in which every third kind had a drawing that the reader had never seen, on such sets
# with a third of the kinds not taught, and on pictures of other drawn sets; of equals the one that photos of
# known sets suffer least from.
GAIN = 30.0  # log probability that a kind gains for each unit of similarity
GAIN_FROM = 0.3  # similarity (cosine) from which on it gains
UNTAUGHT = 0.7  # similarity that a kind which was not taught is taken to have, where a taught one has as much
READER_TRUST = 0.7  # of the reader's own log probability beside similarity
OTHER_SET, THIS_SET = 0.70, 0.76  # similarity of the clearly read tiles: below, the picture shows another set
CLEARLY_READ = 0.9  # probability of a kind, by the reader alone, from which on a tile is clearly read
ENOUGH_READ = 3  # clearly read tiles from which on they decide whether it is this set

OTHER_MODEL = "The tile set {name} was learned with another model than the program has now: learn it again."


@dataclass(frozen=True, eq=False)
class LearnedSet:
    """A set of tiles, as a reader sees it.

    codes: the kinds of m tiles; features: (m, f) float32, what the reader saw of each, upright; reader:
    sha256 of that reader's file.
    """

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
        return _scale_to_unit(self.features - self._mean)

    def measure_similarity(self, features: Floats, labels: tuple[str, ...]) -> Floats:
        """The cosine (…, labels) of features (…, f) with the most similar tile of each label, -1 for labels
        that were not taught. Raises InputError for another number of features than it was learned with."""
        if features.shape[-1] != self.features.shape[1]:
            raise InputError(OTHER_MODEL, name=quote(self.name))
        cosines = _scale_to_unit(features - self._mean) @ self._unit.T
        result = np.full((*cosines.shape[:-1], len(labels)), -1, np.float32)
        taught = np.array(self.codes)
        for at, label in enumerate(labels):
            if (same := taught == label).any():
                result[..., at] = cosines[..., same].max(axis=-1)
        return result

    def weigh_similarity(self, answers: DirectionAnswers, labels: tuple[str, ...]) -> Floats:
        """Log values (n, 4, labels) of each direction and label, from the reader's answers for the n tiles of
        a picture and from how similar each tile is to those of the set.

        Where the tiles that the reader reads clearly are not similar to the set, the picture shows another
        one, and similarity has no weight. Raises InputError as `measure_similarity` does.
        """
        directions, kinds = answers.directions, answers.kinds
        looked = np.isfinite(kinds[:, :, 0])
        like = np.where(looked[:, :, None], self.measure_similarity(answers.features, labels), np.float32(-1))
        weight = self._weigh(answers.joint(), like)
        taught = np.array([label in self.codes for label in labels])
        best = like.max(axis=(1, 2))
        gain: Floats = np.maximum(like - np.float32(GAIN_FROM), np.float32(0))
        # No picture shows what a kind looks like that was not taught. But a tile very similar to a taught
        # kind is probably that one.
        gain[:, :, ~taught] = np.maximum(np.minimum(best, UNTAUGHT) - GAIN_FROM, 0)[:, None, None]
        trust = 1 - weight * (1 - READER_TRUST)
        result: Floats = directions[:, :, None] + kinds * trust + weight * GAIN * gain
        return result.astype(np.float32)

    def _weigh(self, joint: Floats, like: Floats) -> float:
        """0..1, the weight of similarity: whether the picture shows this set, judged by the clearly read
        tiles, and where these are few by all."""
        probabilities = np.exp(joint).sum(axis=1)
        its = like.max(axis=1)[np.arange(len(like)), probabilities.argmax(axis=1)]
        clear = (probabilities.max(axis=1) > CLEARLY_READ) & (its > -1)
        judged = its[clear] if clear.sum() >= ENOUGH_READ else like.max(axis=(1, 2))
        return float(np.clip((np.median(judged) - OTHER_SET) / (THIS_SET - OTHER_SET), 0, 1))


def _scale_to_unit(vectors: Floats) -> Floats:
    result: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6)
    return result
