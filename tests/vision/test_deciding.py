"""Tiles decided together: never more copies than there are, and beliefs that stay true."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest

from companion.tiles import SET_84, SET_136, SET_144, TileSet
from companion.vision.deciding import STRANGE, decided, limited

LABELS = ("5p", "6p", "7p", "1m", "back", "none")


def rows(*told: dict[str, float]) -> np.ndarray:
    return np.array([[row.get(label, 0.0) for label in LABELS] for row in told], np.float32)


def brute_force(believed: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Exact beliefs, the last column that a tile keeps to no limit, by going through every assignment."""
    n, k = believed.shape
    each = np.column_stack([np.where(most > 0, believed, 0) * (1 - STRANGE), np.full(n, STRANGE)])
    total = np.zeros((n, k + 1))
    for chosen in itertools.product(range(k + 1), repeat=n):
        if all(chosen.count(kind) <= most[kind] for kind in range(k)):
            weight = np.prod(each[np.arange(n), chosen])
            total[np.arange(n), chosen] += weight
    return total / total.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(20))
def test_with_one_kind_contended_the_beliefs_are_exact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    believed, most = rng.dirichlet([0.5, 0.5, 0.5], int(rng.integers(2, 7))), np.array([1, 9, 9])
    kinds, strange = limited(believed, most)
    assert np.column_stack([kinds, strange]) == pytest.approx(brute_force(believed, most), abs=1e-9)


def test_with_several_kinds_contended_they_are_near() -> None:
    rng = np.random.default_rng(5)
    off = []
    for _ in range(60):
        believed, most = rng.dirichlet(np.full(3, 0.4), 5), rng.integers(0, 3, 3)
        kinds, strange = limited(believed, most)
        off.append(np.abs(np.column_stack([kinds, strange]) - brute_force(believed, most)).max())
    assert np.mean(off) < 0.03
    assert max(off) < 0.25


def test_a_fifth_that_may_be_another_kind_is_that_kind() -> None:
    told = decided(rows(*[{"5p": 1.0}] * 4, {"5p": 0.7, "6p": 0.3}), LABELS, SET_136)
    assert [tile.code for tile in told if tile] == ["5p"] * 4 + ["6p"]
    assert told[4] is not None
    assert 0.7 < told[4].p < 0.95  # the other four may be wrong, or the fifth of another set


def test_five_that_are_surely_one_kind_are_four_and_a_doubtful_one() -> None:
    told = [tile for tile in decided(rows(*[{"5p": 0.999, "6p": 0.001}] * 5), LABELS, SET_136) if tile]
    assert sorted(tile.code for tile in told) == ["5p"] * 4 + ["?"] or [t.code for t in told].count("5p") <= 4
    assert "6p" not in [tile.code for tile in told]


def test_a_kind_that_the_game_does_not_have_becomes_no_other() -> None:
    (tile,) = decided(rows({"1m": 0.9995, "5p": 0.0005}), LABELS, SET_84)
    assert tile is not None
    assert tile.code == "?"
    assert [code for code, _ in tile.alternatives] == ["1m"]
    (tile,) = decided(rows({"1m": 0.5, "5p": 0.5}), LABELS, SET_84)
    assert tile is not None
    assert tile.code == "5p"


def test_without_a_game_what_is_surely_read_is_told_however_often() -> None:
    told = decided(rows(*[{"5p": 1.0}] * 6, {"none": 0.9, "5p": 0.1}, {"back": 1.0}), LABELS, None)
    assert [tile.code if tile else None for tile in told] == ["5p"] * 6 + [None, "back"]


@pytest.mark.parametrize("game", [None, SET_144])
def test_between_a_flower_and_a_dragon_the_one_that_comes_more_often_is_likelier(
    game: TileSet | None,
) -> None:
    labels = ("6z", "1f", "back", "none")
    (torn,) = decided(np.array([[0.45, 0.45, 0.1, 0.0]], np.float32), labels, game)
    (flower,) = decided(np.array([[0.05, 0.85, 0.1, 0.0]], np.float32), labels, game)
    assert torn is not None
    assert flower is not None
    told = dict(torn.alternatives)
    assert told["6z"] == pytest.approx(4 * told["1f"], rel=0.02)  # four copies, and one
    assert told["back"] == pytest.approx(0.1, abs=1e-6)
    assert (torn.code, flower.code) == ("6z", "1f")


def test_any_number_may_lie_face_down() -> None:
    told = decided(rows(*[{"back": 1.0}] * 9), LABELS, SET_84)
    assert [tile.code for tile in told if tile] == ["back"] * 9


def test_without_a_game_a_doubtful_one_is_no_fifth() -> None:
    told = decided(rows(*[{"5p": 1.0}] * 4, {"5p": 0.7, "6p": 0.3}), LABELS, None)
    assert [tile.code for tile in told if tile] == ["5p"] * 4 + ["6p"]


def test_a_hundred_doubtful_tiles_are_decided_in_the_time_of_a_look() -> None:
    rng = np.random.default_rng(3)
    believed = rng.dirichlet(np.full(42, 0.05), 100)
    began = time.perf_counter()
    kinds, strange = limited(believed, np.array(SET_144.copies))
    assert time.perf_counter() - began < 0.5
    assert kinds.sum(axis=1) + strange == pytest.approx(np.ones(100))
    assert (kinds.sum(axis=0) < np.array(SET_144.copies) + 0.5).all()
