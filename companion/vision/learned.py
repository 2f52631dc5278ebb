"""A set of tiles that was learned from pictures of it: what each of its kinds looks like to the reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError, quote
from companion.images import Quad, same_place
from companion.sentences import Sentence
from companion.tiles import KINDS
from companion.vision.candidates import Floats
from companion.vision.networks import DirectionAnswers

# Chosen on drawn sets in which every third kind had a drawing that the reader had never seen, on such sets
# with a third of the kinds not taught, and on pictures of other drawn sets; of equals the one that photos of
# known sets suffer least from.
GAIN = 30.0  # log probability that a kind gains for each unit of similarity
GAIN_FROM = 0.3  # similarity (cosine), from which it gains
UNTAUGHT = 0.7  # similarity that a kind which was not taught is taken to have, where a taught one has as much
READER_TRUST = 0.7  # of the reader's own log probability beside similarity
OTHER_SET, THIS_SET = 0.70, 0.76  # similarity of the clearly read tiles: below, the picture shows another set
CLEARLY_READ = 0.9  # probability of a kind, by the reader alone, from which a tile is clearly read
ENOUGH_READ = 3  # clearly read tiles, from which they decide whether it is this set
SAME_DESIGN = 0.5  # similarity of two tiles of a kind, below which it has two designs: 19 in 20 have 0.7

PHOTO_OF_LESSON = "photo {photo} of lesson {lesson}"
EARLIER = "an earlier photo"
OTHER_MODEL = "The tile set {name} was learned with another model than the program has now: learn it again."


@dataclass(frozen=True, slots=True)
class Source:
    """Where an example was seen. lesson: counted from 0; photo: its number in the lesson, from 1, in digits,
    or the name of its file in sets of earlier programs; digest: of its pixels; quad: px; crop: the tile as a
    JPEG file, b"" where it was not kept."""

    lesson: int
    photo: str
    digest: bytes
    quad: Quad
    crop: bytes

    @property
    def photo_number(self) -> int | None:
        """That of the photo in its lesson, from 1; None where it was not kept."""
        return int(self.photo) if self.photo.isdecimal() else None

    def is_of(self, other: Source) -> bool:
        """Whether both show the same tile of the same picture."""
        return self.digest == other.digest and same_place(self.quad, other.quad)


@dataclass(frozen=True, slots=True)
class Example:
    """A tile that taught its kind. design: counted from 0 for each kind; source: None in sets of earlier
    programs, which did not keep it."""

    code: str
    design: int
    source: Source | None


def name_photo(source: Source | None) -> Sentence:
    """The photo in which an example was seen, as part of a sentence."""
    if source is None or source.photo_number is None:
        return Sentence(EARLIER)
    return Sentence(PHOTO_OF_LESSON, {"photo": source.photo_number, "lesson": source.lesson + 1})


@dataclass(frozen=True, eq=False)
class LearnedSet:
    """A set of tiles, as a reader sees it: every tile of every lesson, in order.

    codes: the kinds of m tiles; features: (m, f) float32, what the reader saw of each, upright; reader:
    sha256 of that reader's file; sources: where each was seen, or none where that is not known; replaced: the
    set of this name before it was learned anew. A tile that a later lesson named again counts once, as it was
    named last.
    """

    name: str
    reader: str
    codes: tuple[str, ...]
    features: Floats
    sources: tuple[Source | None, ...] = ()
    replaced: LearnedSet | None = None

    def check_reader(self, reader: str) -> None:
        """Raises InputError unless it was learned with the reader of that sha256."""
        if reader != self.reader:
            raise InputError(OTHER_MODEL, name=quote(self.name))

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that were taught, in order."""
        taught = set(self._taught.tolist())
        return tuple(tile.code for tile in KINDS if tile.code in taught)

    @property
    def lessons(self) -> int:
        """How many lessons it was taught in."""
        return 1 + max((source.lesson for source in self.sources if source), default=0)

    @cached_property
    def in_force(self) -> NDArray[np.intp]:
        """The rows (k,) of the examples that count: all but those named again later."""
        seen: dict[bytes, list[Source]] = {}
        rows = []
        for row in reversed(range(len(self.codes))):
            source = self.sources[row] if self.sources else None
            if source:
                others = seen.setdefault(source.digest, [])
                if any(source.is_of(other) for other in others):
                    continue
                others.append(source)
            rows.append(row)
        return np.array(rows[::-1], np.intp)

    @cached_property
    def examples(self) -> tuple[Example, ...]:
        """The examples that count, kind by kind, in the order in which they were taught."""
        order = {tile.code: at for at, tile in enumerate(KINDS)}
        found = [
            Example(self.codes[row], design, self.sources[row] if self.sources else None)
            for row, design in zip(self.in_force.tolist(), self._designs, strict=True)
        ]
        return tuple(sorted(found, key=lambda example: order[example.code]))

    def shows(self, code: str, source: Source) -> bool:
        """Whether it was taught that tile of that picture under the same name."""
        return any(
            example.code == code and example.source is not None and source.is_of(example.source)
            for example in self.examples
        )

    @cached_property
    def designs(self) -> Mapping[str, int]:
        """How many designs each taught kind has."""
        return {code: 1 + max(e.design for e in self.examples if e.code == code) for code in self.kinds}

    @property
    def with_two_designs(self) -> tuple[str, ...]:
        """The kinds with two or more designs that were taught."""
        return tuple(code for code, designs in self.designs.items() if designs > 1)

    def compare_examples(self) -> Floats:
        """The cosines (k, k) of the examples that count."""
        result: Floats = self._unit @ self._unit.T
        return result

    @cached_property
    def _designs(self) -> list[int]:
        """The design of each example that counts: the first one that it is similar to, or a new one."""
        like = self.compare_examples()
        designs: list[int] = []
        for at, code in enumerate(self._taught):
            own = np.flatnonzero(self._taught[:at] == code)
            nearest = max(own, key=lambda other: float(like[at, other]), default=None)
            if nearest is not None and like[at, nearest] >= SAME_DESIGN:
                designs.append(designs[nearest])
            else:
                designs.append(len({designs[other] for other in own}))
        return designs

    @cached_property
    def _taught(self) -> NDArray[np.str_]:
        """The codes (k,) of the examples that count."""
        return np.array(self.codes)[self.in_force]

    @cached_property
    def _mean(self) -> Floats:
        """What all its tiles have in common: light, colour of the body. Every kind counts once; four kinds
        show it well enough (models/MODEL_CARD.md)."""
        features = self.features[self.in_force]
        mean: Floats = np.mean([features[self._taught == code].mean(axis=0) for code in self.kinds], axis=0)
        return mean

    @cached_property
    def _unit(self) -> Floats:
        return _scale_to_unit(self.features[self.in_force] - self._mean)

    def measure_similarity(self, features: Floats, labels: tuple[str, ...]) -> Floats:
        """The cosine (…, labels) of features (…, f) with the most similar tile of each label, -1 for labels
        that were not taught. Raises InputError for another number of features than it was learned with."""
        if features.shape[-1] != self.features.shape[1]:
            raise InputError(OTHER_MODEL, name=quote(self.name))
        # One product: of three axes numpy makes one a tile, and the threads of each wait for one another.
        rows = features.reshape(-1, features.shape[-1])
        cosines = (_scale_to_unit(rows - self._mean) @ self._unit.T).reshape(
            *features.shape[:-1], len(self._unit)
        )
        result = np.full((*cosines.shape[:-1], len(labels)), -1, np.float32)
        for at, label in enumerate(labels):
            if (same := self._taught == label).any():
                result[..., at] = cosines[..., same].max(axis=-1)
        return result

    def weigh_similarity(self, answers: DirectionAnswers, labels: tuple[str, ...]) -> Floats:
        """Log values (n, 4, labels) of each direction and label, from the reader's answers for the n tiles of
        a picture and from how similar each tile is to those of the set.

        Where the tiles that the reader reads clearly are not similar to the set, the picture shows another
        one, and similarity has no weight. Where there are too few of these, as with a set of few kinds, each
        tile is judged by itself. Raises InputError as `measure_similarity` does.
        """
        directions, kinds = answers.directions, answers.kinds
        looked = np.isfinite(kinds[:, :, 0])
        like = np.full(kinds.shape, -1, np.float32)
        like[looked] = self.measure_similarity(answers.features[looked], labels)
        weight = _weigh(answers.joint(), like)[:, None, None]
        taught = np.array([label in self.kinds for label in labels])
        best = like.max(axis=(1, 2))
        gain: Floats = np.maximum(like - np.float32(GAIN_FROM), np.float32(0))
        # No picture shows what a kind looks like that was not taught. But a tile very similar to a taught
        # kind is probably that one.
        gain[:, :, ~taught] = np.maximum(np.minimum(best, UNTAUGHT) - GAIN_FROM, 0)[:, None, None]
        trust = 1 - weight * (1 - READER_TRUST)
        trusted = kinds * trust
        # Nothing was learned that parts untaught kinds: on whether a tile is one of them the reader is
        # trusted less, on which of them as much as ever.
        of_them = np.logaddexp.reduce(kinds[:, :, ~taught], axis=2, keepdims=True)
        trusted[:, :, ~taught] = kinds[:, :, ~taught] + (trust - 1) * np.where(looked[:, :, None], of_them, 0)
        result: Floats = directions[:, :, None] + trusted + weight * GAIN * gain
        return result.astype(np.float32)


def _weigh(joint: Floats, like: Floats) -> Floats:
    """0..1 (n,), the weight of similarity on each tile: whether the picture shows this set, judged by the
    clearly read tiles of taught kinds, or where these are few whether each tile looks like one of this set.

    Any tile of the set will do: a person may name a drawing differently from the reader.
    """
    probabilities = np.exp(joint).sum(axis=1)
    its = like.max(axis=1)[np.arange(len(like)), probabilities.argmax(axis=1)]
    clear = (probabilities.max(axis=1) > CLEARLY_READ) & (its > -1)
    judged = like.max(axis=(1, 2))
    if clear.sum() >= ENOUGH_READ:
        judged = np.full_like(judged, np.median(judged[clear]))
    result: Floats = np.clip((judged - OTHER_SET) / (THIS_SET - OTHER_SET), 0, 1)
    return result


def _scale_to_unit(vectors: Floats) -> Floats:
    result: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6)
    return result
