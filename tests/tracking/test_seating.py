"""Who sits where, by the dealer's first discard."""

from __future__ import annotations

from math import pi

import pytest

from companion.tracking.seating import find_quarter_turn, turn_sight
from companion.tracking.sights import Box, SeenTile, Sight


def lay(x_mm: float, y_mm: float, angle: float = 0.0, code: str = "1m", since_s: float = 0.0) -> SeenTile:
    return SeenTile(1, x_mm, y_mm, angle, ((code, 0.99),), still_since_s=since_s)


@pytest.mark.parametrize(
    ("tiles", "turns"),
    [
        ((), None),
        ((lay(-80, -90),), 0),
        ((lay(-90, 80, -pi / 2),), 1),
        ((lay(-90, 80, -pi / 2, since_s=1.8),), None),
        ((lay(-90, 80, -pi / 2), lay(-80, -90, since_s=1.0)), 1),
        ((lay(-90, 80, -pi / 2, code="2f"),), None),
        ((lay(-90, 80, -pi / 2, code="back"),), None),
        ((lay(300, -345), lay(328, -345), lay(356, -345)), 0),
        ((lay(-90, -60, pi),), 0),
        ((lay(-90, 30, -pi / 2),), 1),
        ((lay(-80, -90, -pi / 2, code="5z"),), 0),
        ((lay(-90, 80, code="5z"),), 1),
    ],
)
def test_the_first_discard_is_the_dealers(tiles: tuple[SeenTile, ...], turns: int | None) -> None:
    assert find_quarter_turn(Sight(2.0, tiles), dealer=0) == turns


@pytest.mark.parametrize("dealer", range(4))
def test_whoever_deals(dealer: int) -> None:
    sight = Sight(2.0, (lay(-80, -90),))
    assert find_quarter_turn(turn_sight(sight, dealer), dealer) == 0
    assert find_quarter_turn(turn_sight(sight, dealer + 3), dealer) == 1


def test_a_turned_sight_has_everything_before_the_next_player() -> None:
    sight = Sight(1.0, (lay(30, -345),), (Box(-20, -400, 60, -300),))
    turned = turn_sight(sight, 1)
    (tile,), (box,) = turned.tiles, turned.covered
    assert (tile.x_mm, tile.y_mm, tile.angle) == (345, 30, pi / 2)
    assert (box.left, box.near, box.right, box.far) == (300, -20, 400, 60)
    assert turn_sight(sight, 4).covered == sight.covered
