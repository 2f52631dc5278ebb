"""Which tiles are on the table that is meant, if another one is in the picture."""

from __future__ import annotations

import numpy as np

from companion.seeing.several_tables import choose_table
from companion.vision.candidates import Candidates


def lay(x: float, y: float, size: float, *, rows: int = 4) -> np.ndarray:
    """Walls of a table with its middle there, px, with tiles of that width: its first so many sides."""
    tile = size / 2 * np.array([[-1, -1.4], [1, -1.4], [1, 1.4], [-1, 1.4]])
    quads = []
    for side in range(rows):
        for stack in range(-5, 6):
            along, away = stack * size * 1.05, 7.0 * size
            place = [(along, away), (away, along), (along, -away), (-away, along)][side]
            quads.append(tile + np.array(place) + [x, y])
    return np.array(quads, np.float32)


def find(*quads: np.ndarray) -> Candidates:
    joined = np.concatenate(quads)
    ones = np.ones(len(joined), np.float32)
    return Candidates.from_finder(joined, ones, ones * 0)


def test_a_second_table_as_near_is_noticed() -> None:
    tiles, has_several = choose_table(find(lay(400, 400, 20), lay(1200, 420, 19)))
    assert has_several
    assert len(tiles) == 44


def test_a_farther_table_is_left_out() -> None:
    tiles, has_several = choose_table(find(lay(400, 600, 24), lay(1300, 150, 11)))
    assert not has_several
    assert tiles.quads[:, :, 0].max() < 800


def test_hands_at_the_sides_of_one_table_are_no_tables() -> None:
    tiles, has_several = choose_table(find(lay(400, 400, 20, rows=1), lay(400, 900, 20, rows=1)))
    assert not has_several
    assert len(tiles) == 22
