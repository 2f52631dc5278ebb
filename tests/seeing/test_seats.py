"""Who sits where, by the dealer's first discard."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import pytest

from companion.seeing.seats import find_quarter_turn, turn_places, turn_sight
from companion.seeing.sights import Box, SeenTile, Sight


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
        ((lay(-215, 67, -pi / 2), lay(-73, -125, since_s=1.0)), 1),  # thrown far before the dealer
        ((lay(-90, 80, -pi / 2, code="2f"),), None),
        ((lay(-90, 80, -pi / 2, code="back"),), None),
        ((lay(300, -345), lay(328, -345), lay(356, -345)), 0),
        ((lay(-90, -60, pi),), 0),
        ((lay(-90, 30, -pi / 2),), 1),
        ((lay(-80, -90, -pi / 2, code="5z"),), 0),
        ((lay(-90, 80, code="5z"),), 1),
        ((lay(-90, 80, -pi / 2), lay(-160, 390, code="5z")), 1),  # the top of a tile that stands
    ],
)
def test_the_first_discard_is_the_dealers(tiles: tuple[SeenTile, ...], turns: int | None) -> None:
    assert find_quarter_turn(Sight(2.0, tiles), dealer=0) == turns


@pytest.mark.parametrize(("away_mm", "wall_mm", "tile_mm"), [(217, 187.3, 20.7), (232, None, 24.3)])
def test_an_indicator_in_a_wall_is_no_discard(away_mm: float, wall_mm: float | None, tile_mm: float) -> None:
    indicator = lay(away_mm, 15, pi / 2, code="9s")
    sight = Sight(4.0, (indicator,), wall_mm=wall_mm, tile_mm=tile_mm)
    assert find_quarter_turn(sight, dealer=0) is None
    discard = lay(-52, -89, code="1p", since_s=1.0)
    assert find_quarter_turn(replace(sight, tiles=(indicator, discard)), dealer=0) == 0


@pytest.mark.parametrize("dealer", range(4))
def test_whoever_deals(dealer: int) -> None:
    for turned, expected in ((dealer, 0), (dealer + 3, 1)):
        x, y, _ = turn_places(turned) @ (-80, -90, 1)
        sight = Sight(2.0, (lay(x, y, turned * pi / 2),))
        assert find_quarter_turn(sight, dealer) == expected


def test_a_sight_is_turned_with_all_that_is_in_it() -> None:
    sight = Sight(2.0, (lay(10, 20, pi / 2),), (Box(100, -50, 140, 60),), wall_backs=9)
    turned = turn_sight(sight, 1)
    (tile,), (box,) = turned.tiles, turned.covered
    assert (tile.x_mm, tile.y_mm, tile.angle) == pytest.approx((-20, 10, pi))
    assert (box.left, box.near, box.right, box.far) == pytest.approx((-60, 100, 50, 140))
    assert turned.wall_backs == 9
    again = turn_sight(turned, 3)
    assert (again.tiles[0].x_mm, again.tiles[0].y_mm, again.tiles[0].angle) == pytest.approx((10, 20, pi / 2))
