"""How similar tiles are to those of a learned set, by arithmetic done the plain way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.errors import InputError
from companion.tiles import KINDS
from companion.vision.candidates import Floats
from companion.vision.learned import LearnedSet
from companion.vision.networks import DirectionAnswers

CODES = [kind.code for kind in KINDS[:9]]
LABELS = (*CODES, "1z", "no tile")
EXAMPLES, TILES, WIDTH = 60, 7, 32


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


@pytest.fixture
def learned(rng: np.random.Generator) -> LearnedSet:
    codes = tuple(CODES[at % len(CODES)] for at in range(EXAMPLES))
    return LearnedSet("home", "reader", codes, rng.random((EXAMPLES, WIDTH), np.float32))


def cosine_with_likest(learned: LearnedSet, feature: Floats, label: str) -> float:
    """One tile and one label at a time, in Python's own sums."""
    codes = np.array(learned.codes)
    common = np.mean([learned.features[codes == code].mean(axis=0) for code in CODES], axis=0)
    one, others = feature - common, learned.features[codes == label] - common
    norms = np.linalg.norm(others, axis=1) * np.linalg.norm(one)
    return max(
        (float(sum(one * other) / norm) for other, norm in zip(others, norms, strict=True)), default=-1
    )


@pytest.mark.parametrize("shape", [(WIDTH,), (TILES, WIDTH), (TILES, 4, WIDTH)], ids=str)
def test_each_tile_is_compared_with_the_likest_of_each_kind(
    learned: LearnedSet, rng: np.random.Generator, shape: tuple[int, ...]
) -> None:
    features = rng.random(shape, np.float32)
    found = learned.measure_similarity(features, LABELS)
    assert found.shape == (*shape[:-1], len(LABELS))
    expected = [
        [cosine_with_likest(learned, each, label) for label in LABELS] for each in features.reshape(-1, WIDTH)
    ]
    assert found.reshape(-1, len(LABELS)) == pytest.approx(np.array(expected), abs=1e-5)


def test_a_set_of_other_features_is_refused(learned: LearnedSet) -> None:
    with pytest.raises(InputError, match="learned with another model"):
        learned.measure_similarity(np.zeros((TILES, 4, WIDTH + 1), np.float32), LABELS)


def test_directions_that_were_not_read_say_nothing(learned: LearnedSet, rng: np.random.Generator) -> None:
    read = rng.random((TILES, 4)) < 0.5
    read[:, 0] = True
    kinds = np.where(read[:, :, None], np.log(rng.dirichlet(np.ones(len(LABELS)), (TILES, 4))), -np.inf)
    directions = np.log(rng.dirichlet(np.ones(4), TILES))
    features = np.where(read[:, :, None], rng.random((TILES, 4, WIDTH)), 0).astype(np.float32)
    answers = DirectionAnswers(read, directions.astype(np.float32), kinds.astype(np.float32), features)
    weighed = learned.weigh_similarity(answers, LABELS)
    taught = np.where(read[:, :, None], features, learned.features[0])
    assert np.array_equal(learned.weigh_similarity(replace(answers, features=taught), LABELS), weighed)
    assert np.array_equal(np.isfinite(weighed[:, :, 0]), read)


def test_kinds_that_were_not_taught_keep_the_readers_odds_to_each_other(
    learned: LearnedSet, rng: np.random.Generator
) -> None:
    kinds = np.log(rng.dirichlet(np.ones(len(LABELS)), (TILES, 4))).astype(np.float32)
    directions = np.log(rng.dirichlet(np.ones(4), TILES)).astype(np.float32)
    of_the_set = np.repeat(learned.features[:TILES, None], 4, axis=1)
    answers = DirectionAnswers(np.ones((TILES, 4), bool), directions, kinds, of_the_set)
    odds = learned.weigh_similarity(answers, LABELS)
    odds, own = odds - odds[:, :, -1:], kinds - kinds[:, :, -1:]
    assert odds[:, :, -2] == pytest.approx(own[:, :, -2], abs=1e-4)
    assert np.all(np.abs(odds - own)[:, :, :-2].max(axis=2) > 1)
