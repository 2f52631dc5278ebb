"""Tiles of one picture that look alike are read as one kind, and none as a kind that others show
otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.comparing import DOUBT, compare_tiles
from tests.vision.made_up import classified

LABELS = ("1m", "6z", "9s", "back", "none")
SURE, TORN = [0.02, 0.9, 0.02, 0.03, 0.03], [0.42, 0.50, 0.02, 0.03, 0.03]
LOOKS = np.random.default_rng(3).normal(size=(4, 64)).astype(np.float32)


def seen(*looks: int, noise: float = 0.1) -> np.ndarray:
    """Features (n, 64) of tiles of the given looks, each seen a little otherwise."""
    rng = np.random.default_rng(8)
    return np.stack([LOOKS[look] + noise * rng.normal(size=64) for look in looks]).astype(np.float32)


def rows(*probabilities: list[float]) -> np.ndarray:
    return np.array(probabilities, np.float32)


def compare(probabilities: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Probabilities (n, labels) once tiles with these features (n, f) have been compared."""
    return compare_tiles(classified(LABELS, probabilities, features=features)).probabilities


def test_a_tile_that_is_hard_to_read_is_known_by_its_likes() -> None:
    read = rows(SURE, TORN, SURE)
    together = compare(read, seen(0, 0, 0))
    assert together[1, 1] > 0.8 > 0.5 == pytest.approx(read[1, 1])
    assert together[0, 1] > 0.8


def test_several_looks_that_all_lean_one_way_say_more_than_one() -> None:
    together = compare(rows(TORN, TORN, TORN, TORN), seen(0, 0, 0, 0))
    assert 0.5 < together[:, 1].min() <= together[:, 1].max() < 0.7


def test_a_tile_that_looks_different_from_all_examples_of_a_kind_is_rather_another() -> None:
    read = rows([0.98, 0.01, 0.01, 0, 0], [0.98, 0.01, 0.01, 0, 0], TORN)
    together = compare(read, seen(0, 0, 1))
    assert together[2, 1] == pytest.approx(0.5 / (0.5 + 0.42 * np.exp(-DOUBT) + 0.02) * 0.94, abs=1e-3)
    assert together[:2, 0].min() >= 0.98
    likes_one = compare(read, seen(0, 1, 1))
    assert likes_one[2, 0] > likes_one[2, 1]


def test_tiles_that_look_different_and_are_doubtful_change_nothing() -> None:
    read = rows(SURE, TORN, SURE)
    assert compare(read, seen(0, 1, 2)) == pytest.approx(read, abs=1e-4)
    assert compare(read[1:2], seen(0)) == pytest.approx(read[1:2], abs=1e-4)


def test_a_tile_is_not_doubted_for_looking_otherwise_than_itself() -> None:
    sure = rows([0.99, 0.01, 0, 0, 0], TORN)
    assert compare(sure, seen(0, 1))[0] == pytest.approx(sure[0], abs=1e-4)


def test_what_is_rather_not_a_tile_or_a_back_changes_nothing_and_stays_so() -> None:
    read = rows(TORN, [0.0, 0.003, 0.0, 0.0, 0.997], [0.0, 0.003, 0.0, 0.997, 0.0])
    together = compare(read, seen(0, 0, 0))
    assert together[0] == pytest.approx(read[0], abs=0.03)
    assert together[:, 3:] == pytest.approx(read[:, 3:], abs=1e-6)


@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_probabilities_add_up_to_one_and_do_not_depend_on_the_order_of_tiles(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    read = rng.dirichlet(np.full(len(LABELS), 0.3), n).astype(np.float32)
    features = seen(*rng.integers(0, 3, n), noise=0.3)
    together, order = compare(read, features), rng.permutation(n)
    assert together.sum(axis=1) == pytest.approx(np.ones(n), abs=1e-4)
    assert compare(read[order], features[order]) == pytest.approx(together[order], abs=1e-4)
    assert together[:, 3:] == pytest.approx(read[:, 3:], abs=1e-6)


def test_tiles_of_which_the_reader_saw_nothing_stay_as_they_are() -> None:
    read = rows(SURE, TORN)
    assert compare(read, np.zeros((2, 64), np.float32)) == pytest.approx(read, abs=1e-4)
