"""Tables found in pictures are held against the truth."""

from __future__ import annotations

import numpy as np
import pytest

from companion.config import models_dir
from companion.seeing.table_camera import TableCamera
from lab.bench.found_tables import FIGURES, bench_finding, measure_walls_mm
from lab.film.customs import Pose, list_corners, place_camera


@pytest.mark.parametrize(
    ("half_mm", "moved_mm", "turned", "off"),
    [(400, 0, 0, 0), (360, 0, 1, 0), (400, 40, 3, 42.8), (380, 25, 2, 26)],
)
def test_the_walls_are_where_they_are_whatever_the_tables_size(
    half_mm: float, moved_mm: float, turned: int, off: float
) -> None:
    true = place_camera(Pose.CORNER, np.random.default_rng(3), 1920, 1080)
    corners = true.project(list_corners(half_mm) + np.array([moved_mm, 0, 0]))
    found = TableCamera.from_corners(np.roll(corners, turned, axis=0), 1920, 1080)
    assert measure_walls_mm(found, true) == pytest.approx(off, abs=1.5)


@pytest.mark.long
def test_every_kind_of_edge_is_counted() -> None:
    rows = bench_finding(models_dir(), [Pose.ABOVE], tables=1, seed=3)["figures"]
    assert [row["edge"] for row in rows] == [None, "rim", "cloth ends", "round", "none"]
    for row in rows:
        assert row["pictures"] == 2
        assert row["sure"] + row["doubtful"] + row["asked"] == 2
        assert row["walls_right"] >= row["sure"] - row["sure_wrong"]
        assert set(FIGURES) < set(row)
    assert rows[1]["walls_right"] == 2
