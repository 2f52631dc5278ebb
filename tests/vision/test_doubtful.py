"""Finds that the others of a picture contradict."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.deciding import drop_doubtful
from tests.vision.made_up import classified

LABELS = ("1m", "back", "none")
SURE, DOUBTED = (0.99, 0.0, 0.01), (0.9, 0.0, 0.1)
Place = tuple[float, float, float, tuple[float, ...]]
ROW: list[Place] = [(42.0 * at, 0.0, 40.0, SURE) for at in range(6)]


def leave(*tiles: Place, longer_px: float = 1000.0) -> list[int]:
    """Which tiles (left, top, width and probabilities) of such a picture remain, by their number."""
    corners = np.array([[0, 0], [1, 0], [1, 1.35], [0, 1.35]])
    quads = np.array([corners * wide + (x, y) for x, y, wide, _ in tiles], np.float32)
    quads = quads.reshape(-1, 4, 2)
    known = np.array([read for *_, read in tiles], np.float32).reshape(-1, 3)
    left = drop_doubtful(classified(LABELS, known, quads=quads), longer_px)
    return [int(np.flatnonzero((quads == quad).all(axis=(1, 2)))[0]) for quad in left.quads]


def test_of_two_on_one_place_the_surer_one_is_left() -> None:
    assert leave(*ROW, (42.0, 0.0, 26.0, DOUBTED)) == [0, 1, 2, 3, 4, 5]
    assert leave(*ROW[:5], (210.0, 0.0, 40.0, DOUBTED), (212.0, 4.0, 26.0, SURE)) == [0, 1, 2, 3, 4, 6]


def test_a_part_of_a_tile_is_none_however_sure() -> None:
    doubted = 42.0 * 6, 0.0, 40.0, (0.95, 0.0, 0.05)
    part = 42.0 * 6 + 4, 2.0, 28.0, SURE
    assert leave(*ROW, doubted, part) == [0, 1, 2, 3, 4, 5, 6]
    assert leave(doubted, part, longer_px=300) == [0]


def test_a_find_over_two_tiles_is_none() -> None:
    over_both = 0.0, 0.0, 84.0, (0.95, 0.0, 0.05)
    inside: list[Place] = [(0.0, 0.0, 40.0, SURE), (42.0, 0.0, 40.0, SURE)]
    assert leave(*inside, over_both, longer_px=300) == [0, 1]
    assert leave(*ROW, over_both) == [0, 1, 2, 3, 4, 5]


def test_neighbours_that_overlap_a_little_stay() -> None:
    assert leave(*ROW, (235.0, 0.0, 40.0, DOUBTED)) == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("tile", "stays"),
    [
        ((100.0, 300.0, 40.0, SURE), True),
        ((100.0, 300.0, 40.0, DOUBTED), False),
        ((252.0, 0.0, 40.0, DOUBTED), True),
    ],
)
def test_what_is_alone_has_to_be_surer(tile: Place, stays: bool) -> None:
    assert leave(*ROW, tile) == [0, 1, 2, 3, 4, 5] + [6] * stays


def test_a_single_tile_stays_where_it_is_sure_or_the_picture_shows_little_else() -> None:
    assert leave((0.0, 0.0, 40.0, SURE)) == [0]
    assert leave((0.0, 0.0, 40.0, DOUBTED)) == []
    assert leave((0.0, 0.0, 40.0, DOUBTED), longer_px=300) == [0]
    assert leave() == []
