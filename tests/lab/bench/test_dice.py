"""The measurement of dice counts every throw, and every table on which none lie."""

from __future__ import annotations

import pytest

from lab.bench.dice import bench_dice
from lab.film.customs import Pose

pytestmark = pytest.mark.slow


def test_throws_are_counted_and_none_is_read_wrongly() -> None:
    (row,) = bench_dice(2, [Pose.ABOVE], 71)
    assert (row["pose"], row["throws"], row["without_dice"]) == ("above", 2, 2)
    assert row["wrong"] == row["false"] == 0
