"""Who sits where, by the dealer's first discard, and the tiles known again after the camera was moved."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from companion.seeing.seats import (
    REGAINED_WAIT_S,
    Regained,
    find_places,
    find_quarter_turn,
    turn_places,
    turn_sight,
)
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


CODES = ("3p", "7s", "5z", "1m", "1m", "9p", "2z")


def lay_seen(count: int, seed: int = 1) -> list[SeenTile]:
    places = np.random.default_rng(seed).permutation(9)[:count]
    return [
        SeenTile(at, 60.0 * (spot % 3) - 90, 70.0 * (spot // 3) - 40, 0.0, ((CODES[at - 1], 0.99),))
        for at, spot in enumerate(places.tolist(), 1)
    ]


def move(tiles: list[SeenTile], movement: np.ndarray) -> list[SeenTile]:
    moved = []
    for tile in tiles:
        x, y, _ = np.linalg.inv(movement) @ (tile.x_mm, tile.y_mm, 1)
        moved.append(replace(tile, track=tile.track + 40, x_mm=float(x), y_mm=float(y)))
    return moved


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("count", [2, 7])
def test_tiles_say_who_sits_where_and_how_far_the_table_is_off(quarters: int, count: int) -> None:
    off = np.array([[1.02, -0.03, 31.0], [0.03, 1.02, -24.0], [0, 0, 1]])
    movement = off @ turn_places(quarters)
    before = lay_seen(count)
    seen = move(before, movement)
    found = find_places(before, seen)
    assert found is not None
    for tile, known in zip(seen, before, strict=True):
        x, y, _ = found @ (tile.x_mm, tile.y_mm, 1)
        assert np.hypot(x - known.x_mm, y - known.y_mm) < (1 if count > 2 else 15)


def test_some_tiles_may_be_gone_and_others_new() -> None:
    before = lay_seen(7)
    seen = [*move(before[:5], turn_places(3)), SeenTile(90, 140, 10, 0.0, (("8p", 0.9),))]
    found = find_places(before, seen)
    assert found is not None
    assert np.allclose(found, turn_places(3), atol=0.02)


def test_other_tiles_say_nothing() -> None:
    before = lay_seen(5)
    assert find_places(before, []) is None
    assert find_places(before, [replace(tile, readings=(("4s", 0.9),)) for tile in before]) is None
    assert find_places(before, [replace(tile, readings=(("back", 0.9),)) for tile in before]) is None


def test_tiles_keep_their_numbers_and_one_that_is_hidden_is_covered_for_a_while() -> None:
    before = lay_seen(4)
    regained = Regained(before, last=30)
    seen = [replace(tile, track=at, x_mm=tile.x_mm + 9) for at, tile in enumerate(before[:3], 1)]
    new = SeenTile(4, 200, 200, 0.0, (("8p", 0.9),))
    first = regained.number(Sight(10.0, (*seen, new)))
    assert [tile.track for tile in first.tiles] == [1, 2, 3, 34]
    hidden = before[3]
    assert [box.holds(hidden.x_mm, hidden.y_mm) for box in first.covered] == [True]
    later = regained.number(Sight(11.0, (*seen, replace(hidden, track=9))))
    assert [tile.track for tile in later.tiles] == [1, 2, 3, 4]
    gone = Regained(before, last=30)
    gone.number(Sight(10.0, tuple(seen)))
    assert gone.number(Sight(10.1 + REGAINED_WAIT_S, tuple(seen))).covered == ()
    assert regained.last == 34


def test_the_observer_is_told_of_a_tile_by_its_own_number() -> None:
    before = [SeenTile(12, 0.0, 0.0, 0.0, (("3p", 0.99),))]
    regained = Regained(before, last=20)
    now = Sight(1.0, (replace(before[0], track=3), SeenTile(5, 90.0, 0.0, 0.0, (("7s", 0.99),))))
    numbers = [tile.track for tile in regained.number(now).tiles]
    assert numbers[0] == 12
    assert [regained.find(number) for number in numbers] == [3, 5]
