"""What the order says of tiles laid out to be learned, beside what was read."""

from __future__ import annotations

import pytest

from companion.vision.teaching import ORDERS, find_exchanged, place_kinds


@pytest.mark.parametrize(
    ("read", "exchanged"),
    [
        ("1m 2m 3m 4m 5m", []),
        ("1m 3m 2m 4m 5m", [1, 2]),
        ("1m 3m 4m 2m 5m", [1, 2, 3]),
        ("2m 1m 3m 5m 4m", [0, 1, 3, 4]),
        ("1m 3m 3m 4m 5m", []),
        ("1m 3m 4m 4m 5m", []),
        ("1m 3m 2m 2m 5m", [1, 2]),
        ("9s 2m 3m 4m 1m", []),
    ],
)
def test_tiles_that_are_read_as_one_another_have_changed_places(read: str, exchanged: list[int]) -> None:
    expected = [f"{rank}m" for rank in range(1, 6)]
    assert find_exchanged(list(zip(read.split(), expected, strict=True))) == exchanged


def test_a_photo_that_is_upside_down_is_named_from_its_end() -> None:
    codes = [kind.code for kind in ORDERS[0]]
    upside_down: list[str | None] = [*reversed(codes)]
    upside_down[3] = None
    upside_down[8] = "9p"  # a strange drawing
    kinds = place_kinds([codes, upside_down])
    assert kinds is not None
    assert [kind.code for kind in kinds] == [*codes, *reversed(codes)]


@pytest.mark.parametrize("read", [None, "1m"])
def test_a_photo_whose_tiles_say_nothing_is_named_from_its_beginning(read: str | None) -> None:
    assert place_kinds([[read] * len(ORDERS[1])]) == list(ORDERS[1])


def test_a_number_of_tiles_that_no_order_has_says_nothing() -> None:
    assert place_kinds([["1m"] * 12]) is None
