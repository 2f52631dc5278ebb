"""A reading drawn over its picture: every tile has its number and code, and hides no other tile."""

from __future__ import annotations

import numpy as np
import pytest

from companion.images import Image
from companion.vision import Reading, TileReading, annotate

WIDTH, HEIGHT, SIDE = 60, 80, 400


def lay(places: list[tuple[int, int]]) -> Reading:
    """A picture of SIDE × SIDE px with a 1m at each of these places, the left and the top of a tile, px."""
    tiles = tuple(
        TileReading("1m", ((x, y), (x + WIDTH, y), (x + WIDTH, y + HEIGHT), (x, y + HEIGHT)), 0.99, ())
        for x, y in places
    )
    return Reading(SIDE, SIDE, tiles, (tuple(range(len(tiles))),), {})


def draw(reading: Reading) -> Image:
    return annotate(np.zeros((SIDE, SIDE, 3), np.uint8), reading)


GRID = [(40 + column * WIDTH, 60 + row * HEIGHT) for row in range(4) for column in range(5)]
ROW = [(20 + column * WIDTH, 200) for column in range(6)]


@pytest.mark.parametrize(("places", "covered"), [(GRID, 0.4), (ROW, 0.0)])
def test_no_label_hides_the_face_of_another_tile(places: list[tuple[int, int]], covered: float) -> None:
    drawn = draw(lay(places)).any(axis=2)
    for x, y in places:
        face = drawn[y + 6 : y + HEIGHT - 6, x + 6 : x + WIDTH - 6]
        assert not face[round(covered * len(face)) :].any(), "below its own label"


def test_tiles_are_numbered_as_they_are_read() -> None:
    drawn = draw(lay(ROW))
    first, second = (drawn[160:200, x : x + WIDTH] for x, _ in ROW[:2])
    assert first.any()
    assert (first != second).any(), "both are 1m, and numbers 1 and 2"


def test_a_tile_at_the_edge_has_its_label_in_the_picture() -> None:
    drawn = draw(lay([(SIDE - WIDTH, 0)]))
    assert drawn[:15, SIDE - WIDTH + 6 : -6].any()
