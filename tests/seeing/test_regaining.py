"""What lay on a table is known again when the camera was moved: places, numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.seeing.seats import REGAINED_WAIT_S, Regained, find_places, turn_places
from companion.seeing.sights import SeenTile, Sight

CODES = ("3p", "7s", "5z", "1m", "1m", "9p", "2z")


def lay(count: int, seed: int = 1) -> list[SeenTile]:
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
    before = lay(count)
    seen = move(before, movement)
    found = find_places(before, seen)
    assert found is not None
    for tile, known in zip(seen, before, strict=True):
        x, y, _ = found @ (tile.x_mm, tile.y_mm, 1)
        assert np.hypot(x - known.x_mm, y - known.y_mm) < (1 if count > 2 else 15)


def test_some_tiles_may_be_gone_and_others_new() -> None:
    before = lay(7)
    seen = [*move(before[:5], turn_places(3)), SeenTile(90, 140, 10, 0.0, (("8p", 0.9),))]
    found = find_places(before, seen)
    assert found is not None
    assert np.allclose(found, turn_places(3), atol=0.02)


def test_other_tiles_say_nothing() -> None:
    before = lay(5)
    assert find_places(before, []) is None
    assert find_places(before, [replace(tile, readings=(("4s", 0.9),)) for tile in before]) is None
    assert find_places(before, [replace(tile, readings=(("back", 0.9),)) for tile in before]) is None


def test_tiles_keep_their_numbers_and_one_that_is_hidden_is_covered_for_a_while() -> None:
    before = lay(4)
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
