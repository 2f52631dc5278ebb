"""Tiles decided together: never more copies than there are, and probabilities that stay true."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from companion.tiles import SET_84, SET_136, SET_144, TileSet
from companion.vision.deciding import STRANGE, KindDecision, decide_codes, drop_non_tiles, limit_copies
from tests.vision.made_up import classified

LABELS = ("5p", "6p", "7p", "1m", "back", "none")


def decide(
    *rows: dict[str, float], game: TileSet | None, labels: tuple[str, ...] = LABELS
) -> list[KindDecision]:
    """What candidates with these probabilities are, one row each."""
    probabilities = np.array([[row.get(label, 0.0) for label in labels] for row in rows], np.float32)
    return decide_codes(drop_non_tiles(classified(labels, probabilities)), game)


def brute_force(probabilities: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Exact probabilities, the last column that a tile keeps to no limit, by going through every
    assignment."""
    n, k = probabilities.shape
    each = np.column_stack([np.where(most > 0, probabilities, 0) * (1 - STRANGE), np.full(n, STRANGE)])
    total = np.zeros((n, k + 1))
    for chosen in itertools.product(range(k + 1), repeat=n):
        if all(chosen.count(kind) <= most[kind] for kind in range(k)):
            weight = np.prod(each[np.arange(n), chosen])
            total[np.arange(n), chosen] += weight
    return total / total.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(20))
def test_with_one_kind_contended_the_probabilities_are_exact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    given, most = rng.dirichlet([0.5, 0.5, 0.5], int(rng.integers(2, 7))), np.array([1, 9, 9])
    kinds, strange = limit_copies(given, most)
    assert np.column_stack([kinds, strange]) == pytest.approx(brute_force(given, most), abs=1e-9)


def test_with_several_kinds_contended_they_are_near() -> None:
    rng = np.random.default_rng(5)
    off = []
    for _ in range(60):
        given, most = rng.dirichlet(np.full(3, 0.4), 5), rng.integers(0, 3, 3)
        kinds, strange = limit_copies(given, most)
        off.append(np.abs(np.column_stack([kinds, strange]) - brute_force(given, most)).max())
    assert np.mean(off) < 0.03
    assert max(off) < 0.25


def test_a_fifth_that_may_be_another_kind_is_that_kind() -> None:
    tiles = decide(*[{"5p": 1.0}] * 4, {"5p": 0.7, "6p": 0.3}, game=SET_136)
    assert [tile.code for tile in tiles] == ["5p"] * 4 + ["6p"]
    assert 0.7 < tiles[4].p < 0.95  # the other four may be wrong, or the fifth of another set


def test_five_that_are_surely_one_kind_are_four_and_a_doubtful_one() -> None:
    codes = [tile.code for tile in decide(*[{"5p": 0.999, "6p": 0.001}] * 5, game=SET_136)]
    assert sorted(codes) == ["5p"] * 4 + ["?"] or codes.count("5p") <= 4
    assert "6p" not in codes


def test_a_kind_that_the_game_does_not_have_becomes_no_other() -> None:
    (tile,) = decide({"1m": 0.9995, "5p": 0.0005}, game=SET_84)
    assert tile.code == "?"
    assert [code for code, _ in tile.alternatives] == ["1m"]
    (tile,) = decide({"1m": 0.5, "5p": 0.5}, game=SET_84)
    assert tile.code == "5p"


def test_without_a_game_what_is_read_with_certainty_is_named_however_often() -> None:
    tiles = decide(*[{"5p": 1.0}] * 6, {"back": 1.0}, game=None)
    assert [tile.code for tile in tiles] == ["5p"] * 6 + ["back"]


def test_what_is_rather_not_a_tile_is_dropped() -> None:
    tiles = decide({"5p": 1.0}, {"none": 0.9, "5p": 0.1}, {"none": 0.3, "6p": 0.7}, game=None)
    assert [tile.alternatives[0][0] for tile in tiles] == ["5p", "6p"]
    assert decide({"none": 1.0}, game=SET_84) == []


@pytest.mark.parametrize("game", [None, SET_144])
def test_between_a_flower_and_a_dragon_the_one_that_comes_more_often_is_likelier(
    game: TileSet | None,
) -> None:
    labels = ("6z", "1f", "back", "none")
    (torn,) = decide({"6z": 0.45, "1f": 0.45, "back": 0.1}, game=game, labels=labels)
    (flower,) = decide({"6z": 0.05, "1f": 0.85, "back": 0.1}, game=game, labels=labels)
    torn_between = dict(torn.alternatives)
    assert torn_between["6z"] == pytest.approx(4 * torn_between["1f"], rel=0.02)  # four copies, and one
    assert torn_between["back"] == pytest.approx(0.1, abs=1e-6)
    assert (torn.code, flower.code) == ("6z", "1f")


def test_any_number_may_lie_face_down() -> None:
    tiles = decide(*[{"back": 1.0}] * 9, game=SET_84)
    assert [tile.code for tile in tiles] == ["back"] * 9


def test_without_a_game_a_doubtful_one_is_not_a_fifth() -> None:
    tiles = decide(*[{"5p": 1.0}] * 4, {"5p": 0.7, "6p": 0.3}, game=None)
    assert [tile.code for tile in tiles] == ["5p"] * 4 + ["6p"]


def test_a_hundred_doubtful_tiles_are_decided() -> None:
    rng = np.random.default_rng(3)
    given = rng.dirichlet(np.full(42, 0.05), 100)
    kinds, strange = limit_copies(given, np.array(SET_144.copies))
    assert kinds.sum(axis=1) + strange == pytest.approx(np.ones(100))
    assert (kinds.sum(axis=0) < np.array(SET_144.copies) + 0.5).all()
