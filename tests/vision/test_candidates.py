"""The value between the stages of reading: its rows stay together, and other shapes and dtypes are
refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.vision.candidates import ROWS, Candidates
from tests.vision.made_up import QUAD, classified


def numbered(n: int) -> Candidates:
    """Candidates whose every array says which row it is."""
    at = np.arange(n)
    whole = classified(("1m", "none"), np.column_stack([at, at]))
    return replace(
        whole,
        quads=whole.quads + at[:, None, None].astype(np.float32) * 100,
        scores=at.astype(np.float32),
        back_shares=at.astype(np.float32),
        crops=whole.crops + at[:, None, None, None].astype(np.uint8),
        features=whole.features * at[:, None].astype(np.float32),
        turns=at.astype(np.intp),
    )


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        (np.array([True, False, False, True]), [0, 3]),
        (np.array([3, 1, 1]), [3, 1, 1]),
        (slice(2, None), [2, 3]),
        (np.zeros(4, bool), []),
    ],
    ids=["mask", "indices", "slice", "none"],
)
def test_the_rows_that_are_chosen_stay_together(rows: Any, wanted: list[int]) -> None:
    chosen = numbered(4)[rows]
    assert len(chosen) == len(wanted)
    assert chosen.labels == ("1m", "none")
    for name in ROWS:
        assert np.array_equal(getattr(chosen, name), getattr(numbered(4), name)[wanted]), name


def test_parts_are_joined_in_order() -> None:
    whole = numbered(5)
    again = Candidates.join([whole[:2], whole[2:2], whole[2:]])
    for name in ROWS:
        assert np.array_equal(getattr(again, name), getattr(whole, name)), name


def test_what_the_finder_leaves_has_rows_for_all_that_follows() -> None:
    found = Candidates.from_finder(np.tile(QUAD, (3, 1, 1)), *np.ones((2, 3), np.float32))
    assert found.crops.shape == (3, 0, 0, 3)
    assert found.probabilities.shape == found.features.shape == (3, 0)
    assert found[np.array([True, False, True])].scores.shape == (2,)
    assert len(Candidates.from_finder(np.zeros((0, 4, 2), np.float32), *np.zeros((2, 0), np.float32))) == 0


def test_an_upright_quad_starts_where_its_tile_is_turned_to() -> None:
    turned = replace(classified(("1m",), np.ones((4, 1))), turns=np.arange(4))
    for k, quad in enumerate(turned.upright_quads):
        assert np.array_equal(quad, np.roll(QUAD, -k, axis=0))


@pytest.mark.parametrize(
    ("name", "array", "wanted"),
    [
        ("quads", np.zeros((2, 4, 2)), r"quads must be float32 of shape \(2, 4, 2\), not float64"),
        ("quads", np.zeros((2, 8), np.float32), r"quads .* not float32 \(2, 8\)"),
        ("scores", np.zeros((2, 1), np.float32), r"scores must be float32 of shape \(2,\)"),
        ("scores", np.zeros(3, np.float32), r"scores .* not float32 \(3,\)"),
        ("back_shares", np.zeros(3, np.float32), r"back_shares .* not float32 \(3,\)"),
        ("crops", np.zeros((2, 64, 32, 3), np.uint8), r"crops must be uint8 of shape \(2, 64, 64, 3\)"),
        ("crops", np.zeros((2, 64, 64), np.uint8), "crops must be uint8"),
        ("probabilities", np.zeros((2, 3), np.float32), r"probabilities must be float32 of shape \(2, 2\)"),
        ("features", np.zeros(2, np.float32), r"features must be float32 of shape \(2, 'any'\)"),
        ("features", np.zeros((2, 4), np.float16), "features .* not float16"),
        ("turns", np.zeros(2, np.float32), r"turns must be int64 of shape \(2,\)"),
    ],
)
def test_another_shape_or_dtype_is_refused(name: str, array: np.ndarray, wanted: str) -> None:
    with pytest.raises(ValueError, match=wanted):
        replace(numbered(2), **{name: array})
