"""Tiles of one picture that look alike are read as one kind, and none as a kind that others show
otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.deciding import ODDS_ALIKE, ODDS_UNLIKE, NamedFaces, compare_tiles
from tests.vision.made_up import classified

LABELS = ("1m", "2m", "3m", "9s", "5p", "1z", "back", "none")
ALL = 0.94  # of what follows, on faces; the rest on a back or nothing
COMMON = np.random.default_rng(2).normal(size=64).astype(np.float32)
LOOKS = np.random.default_rng(3).normal(size=(7, 64)).astype(np.float32)


def read_as(**kinds: float) -> list[float]:
    """Probabilities of LABELS: of these kinds, m2 for 2m, and the rest of all others alike."""
    given_kinds = {name[1] + name[0]: p for name, p in kinds.items()}
    rest = (1 - sum(given_kinds.values())) / (6 - len(given_kinds))
    return [ALL * given_kinds.get(label, rest) for label in LABELS[:6]] + [0.03, 0.03]


SURE, TORN = read_as(m2=0.96), read_as(m2=0.52, m3=0.47)
OTHERS = [read_as(s9=0.9996), read_as(p5=0.9996), read_as(z1=0.9996), read_as(m1=0.9996)]


def seen(*looks: int, noise: float = 0.05) -> np.ndarray:
    """Features (n, 64) of tiles of the given looks, each seen a little otherwise; all have much in common."""
    rng = np.random.default_rng(8)
    own = np.stack([LOOKS[look] + noise * rng.normal(size=64) for look in looks])
    return np.asarray(2 * COMMON + own, np.float32)


def rows(*probabilities: list[float]) -> np.ndarray:
    return np.array(probabilities, np.float32)


def compare(probabilities: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Probabilities (n, labels) once tiles with these features (n, f) have been compared."""
    return compare_tiles(classified(LABELS, probabilities, features=features)).probabilities


def compare_first(*tiles: list[float], looks: tuple[int, ...]) -> np.ndarray:
    """The same of the first few tiles of a picture that shows four others beside them."""
    together = compare(rows(*tiles, *OTHERS), seen(*looks, 3, 4, 5, 6))
    assert together[len(tiles) :] == pytest.approx(rows(*OTHERS), abs=1e-3)
    return together[: len(tiles)]


def test_a_tile_that_is_hard_to_read_is_known_by_its_likes() -> None:
    together = compare_first(SURE, TORN, SURE, looks=(0, 0, 0))
    assert together[1, 1] > 0.8 > 0.5 > TORN[1]
    assert together[:, 1].min() > 0.8


def test_of_two_that_look_different_and_may_be_one_kind_the_less_likely_is_another() -> None:
    rather_two, rather_three = read_as(m2=0.75, m3=0.24), read_as(m2=0.49, m3=0.50)
    together = compare_first(rather_two, rather_three, looks=(0, 1))
    assert together[0, 1] > rather_two[1]
    assert together[1, 2] > 0.6 > rather_three[2]


def test_a_tile_that_looks_different_from_a_sure_one_is_less_likely_of_its_kind() -> None:
    sure = read_as(m2=0.9996)
    together = compare_first(TORN, sure, looks=(1, 0))
    odds = 1 + ALL * (ODDS_UNLIKE - 1)
    assert together[0, 1] / together[0, 2] == pytest.approx(0.52 * odds / 0.47, rel=0.02)
    alike = compare_first(TORN, sure, looks=(0, 0))
    assert alike[0, 1] / alike[0, 2] == pytest.approx(0.52 * (1 + ALL * (ODDS_ALIKE - 1)) / 0.47, rel=0.02)


def test_the_copies_of_a_kind_count_as_one() -> None:
    sure = read_as(m2=0.9996)
    once = compare_first(TORN, sure, looks=(1, 0))
    thrice = compare_first(TORN, sure, sure, sure, looks=(1, 0, 0, 0))
    assert thrice[0, 1] / thrice[0, 2] == pytest.approx(once[0, 1] / once[0, 2], rel=0.2)


def test_many_that_are_torn_alike_do_not_talk_one_another_into_certainty() -> None:
    together = compare_first(*[TORN] * 4, looks=(0, 0, 0, 0))
    assert together[:, 1].max() < 0.7


def test_what_a_tile_has_in_common_with_all_others_does_not_make_it_like_them() -> None:
    torn = read_as(m2=0.5, s9=0.5)
    together = compare_first(torn, looks=(0,))
    assert together[0, 3] < torn[3]


def test_a_picture_of_few_kinds_does_not_show_what_its_tiles_have_in_common() -> None:
    read = rows(TORN, SURE, SURE, OTHERS[0])
    assert compare(read, seen(0, 0, 1, 3)) == pytest.approx(read)


def test_what_is_read_for_certain_stays_so() -> None:
    certain = read_as(m2=0.9996)
    together = compare_first(certain, certain, certain, looks=(0, 1, 2))
    assert together == pytest.approx(rows(certain, certain, certain), abs=1e-6)


def test_what_is_not_a_face_changes_nothing_and_stays_so() -> None:
    nothing = [0.0, 0.02, 0.0, 0.0, 0.0, 0.0, 0.0, 0.98]
    back = [0.0, 0.02, 0.0, 0.0, 0.0, 0.0, 0.98, 0.0]
    together = compare_first(TORN, nothing, back, looks=(0, 0, 0))
    assert together[1:] == pytest.approx(rows(nothing, back))
    assert together[:1] == pytest.approx(compare_first(TORN, looks=(0,)), abs=1e-3)


def test_what_a_person_named_names_its_likes_and_nothing_else() -> None:
    misread, other = read_as(m2=0.97, m3=0.01), read_as(m2=0.96)
    read, features = rows(misread, other, *OTHERS), seen(0, 1, 3, 4, 5, 6)
    named = NamedFaces(("3m",), seen(0, noise=0.2))
    together = compare_tiles(classified(LABELS, read, features=features), named).probabilities
    assert together[0, 2] > 0.9 * ALL
    assert together[1:] == pytest.approx(compare(read, features)[1:], abs=0.01)


def test_of_what_a_person_named_the_most_similar_counts() -> None:
    read, features = rows(TORN, *OTHERS), seen(0, 3, 4, 5, 6)
    named = NamedFaces(("3m", "3m", "3m"), seen(2, 0, 1, noise=0.2))
    together = compare_tiles(classified(LABELS, read, features=features), named).probabilities
    assert together[0, 2] > 0.9 * ALL


@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_probabilities_add_up_to_one_and_do_not_depend_on_the_order_of_tiles(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    read = rng.dirichlet(np.full(len(LABELS), 0.3), n).astype(np.float32)
    features = seen(*rng.integers(0, 5, n), noise=0.3)
    together, order = compare(read, features), rng.permutation(n)
    assert together.sum(axis=1) == pytest.approx(np.ones(n), abs=1e-4)
    assert compare(read[order], features[order]) == pytest.approx(together[order], abs=1e-3)
    assert together[:, 6:] == pytest.approx(read[:, 6:], abs=1e-6)


def test_tiles_of_which_the_reader_saw_nothing_are_compared_without_a_fault() -> None:
    read = rows(SURE, TORN, *OTHERS)
    together = compare(read, np.zeros((6, 64), np.float32))
    assert np.isfinite(together).all()
    assert together.sum(axis=1) == pytest.approx(np.ones(6), abs=1e-4)
