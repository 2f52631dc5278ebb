"""What is said of each tile from one reading to the next: a name does not flicker."""

from __future__ import annotations

from collections.abc import Sequence

from companion.images import Quad
from companion.seeing.steady import HELD_READINGS, SteadyTile, steady_tiles
from companion.vision import TileReading


def quad(x: float, y: float = 0.0) -> Quad:
    return ((x, y), (x + 40, y), (x + 40, y + 60), (x, y + 60))


def tile(code: str, x: float = 0.0, p: float = 0.99) -> TileReading:
    return TileReading(code, quad(x), p, ((code, p),))


def names(readings: Sequence[Sequence[TileReading]]) -> list[list[tuple[str, bool]]]:
    """What is shown after each of these readings: code and whether it is unsure."""
    shown: tuple[SteadyTile, ...] = ()
    found = []
    for reading in readings:
        shown = steady_tiles(shown, reading)
        found.append([(tile.code, tile.unsure) for tile in shown])
    return found


def test_a_sure_name_stays_while_the_tile_is_hardly_read() -> None:
    hardly = [[tile("?", p=0.4)]] * (HELD_READINGS + 1)
    shown = names([[tile("1s")], *hardly])
    assert shown[:-1] == [[("1s", False)]] * (HELD_READINGS + 1)
    assert shown[-1] == [("?", True)], "not for ever"


def test_another_sure_name_is_believed_when_it_comes_twice() -> None:
    assert names([[tile("1s")], [tile("3f")], [tile("1s")]]) == [[("1s", False)]] * 3
    assert names([[tile("1s")], [tile("3f")], [tile("3f")]])[-1] == [("3f", False)]


def test_an_unsure_tile_is_named_at_once_when_it_is_surely_read() -> None:
    assert names([[tile("?", p=0.4)], [tile("1s")]])[-1] == [("1s", False)]
    assert names([[tile("1s", p=0.6)], [tile("?", p=0.5)]])[-1] == [("1s", True)]


def test_a_tile_that_is_not_found_stays_for_one_reading() -> None:
    assert names([[tile("1s"), tile("2s", 50)], [tile("1s")], [tile("1s")]]) == [
        [("1s", False), ("2s", False)], [("1s", False), ("2s", False)], [("1s", False)],
    ]  # fmt: skip
