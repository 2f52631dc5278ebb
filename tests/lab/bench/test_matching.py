"""Which find is which label, and what is ignored: on made-up readings."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.candidates import overlap
from companion.vision.reading import Reading, TileReading
from lab.bench.labelled_photos import IGNORED_SHARE, MATCH_IOU, Photo, find_ignored, match_labels

WIDTH, HEIGHT = 640, 480


def box(x: float, y: float, width: float, height: float) -> np.ndarray:
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def reading(*quads: np.ndarray) -> Reading:
    tiles = []
    for quad in quads:
        a, b, c, d = ((float(x), float(y)) for x, y in quad)
        tiles.append(TileReading("1m", (a, b, c, d), 1.0, (("1m", 1.0),)))
    return Reading(WIDTH, HEIGHT, tuple(tiles), (), {})


def photo(*ignore: np.ndarray, labels: tuple[np.ndarray, ...] = ()) -> Photo:
    boxes = np.array(labels, np.float32).reshape(-1, 4, 2)
    return Photo(
        Path("a.jpg"), "table", True, ("1m",) * len(labels), boxes, (None,) * len(labels), ignore=ignore
    )


def pair_slowly(found: list[np.ndarray], boxes: np.ndarray) -> list[int | None]:
    """What `match_labels` says, by its definition: over all pairs, the best overlaps first."""
    bounds = [cv2.boundingRect(quad) for quad in found]
    assert all(np.array_equal(quad, np.round(quad)) for quad in found), "whole px, or the bounds are others"
    upright = [box(x, y, w - 1, h - 1) for x, y, w, h in bounds]
    pairs = sorted(
        ((-overlap(b, f), i, k) for i, b in enumerate(boxes) for k, f in enumerate(upright)),
    )
    result: list[int | None] = [None] * len(boxes)
    for negative, i, k in pairs:
        apart = np.abs(boxes[i].mean(axis=0) - upright[k].mean(axis=0))
        near = np.all(apart <= np.minimum(np.ptp(boxes[i], axis=0), np.ptp(upright[k], axis=0)) / 2)
        if -negative >= MATCH_IOU and near and result[i] is None and k not in result:
            result[i] = k
    return result


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_whole_table_is_matched_as_by_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners = rng.integers([0, 0], [WIDTH - 40, HEIGHT - 50], (120, 2))
    boxes = np.array([box(x, y, *rng.integers(20, 40, 2)) for x, y in corners.tolist()], np.float32)
    found = [np.round(quad + rng.normal(0, 4, (4, 2))).astype(np.float32) for quad in boxes[::-1]]
    assert match_labels(reading(*found), boxes) == pair_slowly(found, boxes)


def test_nothing_is_matched_with_nothing() -> None:
    none = np.zeros((0, 4, 2), np.float32)
    assert match_labels(reading(), none) == []
    assert match_labels(reading(box(0, 0, 30, 40)), none) == []
    assert match_labels(reading(), np.array([box(0, 0, 30, 40)])) == [None]


@pytest.mark.parametrize(("away", "ignored"), [(0, True), (18, True), (22, False), (60, False)])
def test_a_find_is_ignored_with_most_of_its_area(away: int, ignored: bool) -> None:
    assert IGNORED_SHARE == 0.5
    seen = reading(box(100 + away, 100, 40, 60))
    assert find_ignored(seen, photo(box(100, 100, 40, 60))) == [ignored]


def test_a_find_between_ignored_tiles_is_ignored_and_a_huge_one_round_one_is_not() -> None:
    regions = box(100, 100, 40, 60), box(120, 100, 60, 60)
    assert find_ignored(reading(box(110, 100, 60, 60), box(0, 0, 300, 300)), photo(*regions)) == [True, False]


def test_tiles_outside_the_picture_do_not_count() -> None:
    at_the_edge = photo(box(0, 100, 20, 60))
    outside = box(-200, -200, 40, 60)
    assert find_ignored(reading(box(-30, 100, 50, 60), outside), at_the_edge) == [True, False]
    far = box(-1e30, -1e30, 2e30, 2e30)
    assert find_ignored(reading(box(10, 10, 40, 60)), photo(far)) == [True]


def test_label_overrides_an_overlapping_region() -> None:
    region, label = box(100, 100, 200, 60), box(120, 100, 40, 60)
    seen = reading(box(118, 104, 40, 60), box(220, 100, 40, 60))
    assert find_ignored(seen, photo(region, labels=(label,))) == [False, True]
