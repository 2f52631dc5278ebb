"""Two outlines on the halves of one tile become the tile's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from companion.config import models_dir
from companion.images import Image
from companion.vision import Recogniser
from companion.vision.candidates import Candidates, overlap
from companion.vision.classifying import classify_tiles, find_halves, join_halves
from lab.scenes.hand import render_hand
from tests.vision.made_up import classified

ROW = ("1m", "7s", "4p", "3z", "9p", "4s", "2m")


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(models_dir())


def halve(quad: np.ndarray) -> list[np.ndarray]:
    """The left and the right half of an upright quad (4, 2)."""
    a, b, c, d = quad
    top, bottom = (a + b) / 2, (c + d) / 2
    return [np.array([a, top, bottom, d]), np.array([top, b, c, bottom])]


def split(quad: np.ndarray) -> list[np.ndarray]:
    """The upper and the lower half of an upright quad (4, 2)."""
    a, b, c, d = quad
    left, right = (a + d) / 2, (b + c) / 2
    return [np.array([a, b, right, left]), np.array([left, right, c, d])]


def classify(recogniser: Recogniser, picture: Image, quads: Sequence[np.ndarray]) -> Candidates:
    scores, backs = np.full((2, len(quads)), [[0.8], [0.0]], np.float32)
    found = Candidates.from_finder(np.array(quads, np.float32), scores, backs)
    return classify_tiles(recogniser.reader, picture, found, None)


def name(candidates: Candidates) -> list[str]:
    return sorted(candidates.labels[at] for at in candidates.probabilities.argmax(axis=1))


def test_the_halves_of_a_tile_are_joined(recogniser: Recogniser) -> None:
    scene = render_hand([list(ROW)], seed=4, width=900, height=260)
    whole = {tile.code: np.array(tile.quad) for tile in scene.tiles}
    halved = [
        part for code, quad in whole.items() for part in (halve(quad) if code in ("4p", "4s") else [quad])
    ]
    before = classify(recogniser, scene.image, halved)
    assert name(before) != sorted(ROW)
    after = join_halves(recogniser.reader, scene.image, before, None)
    assert name(after) == sorted(ROW)
    for code in ("4p", "4s"):
        assert max(overlap(whole[code].astype(np.float32), quad) for quad in after.quads) > 0.9


def test_small_tiles_that_are_none_together_stay(recogniser: Recogniser) -> None:
    scene = render_hand([list(ROW)], seed=4, width=900, height=260)
    quads = [np.array(tile.quad) for tile in scene.tiles]
    small = render_hand([["2p", "5z"]], seed=1, width=300, height=200)
    picture = np.zeros((460, 900, 3), np.uint8)
    picture[:260] = scene.image
    picture[260:, :300] = small.image
    below = [np.array(tile.quad) + np.array([0, 260]) for tile in small.tiles]
    before = classify(recogniser, picture, [*quads, *below])
    assert join_halves(recogniser.reader, picture, before, None) is before


def test_few_tiles_do_not_tell_how_large_one_is(recogniser: Recogniser) -> None:
    scene = render_hand([["4p", "7s", "1m"]], seed=4, width=500, height=260)
    first, *others = (np.array(tile.quad) for tile in scene.tiles)
    before = classify(recogniser, scene.image, [*halve(first), *others])
    assert join_halves(recogniser.reader, scene.image, before, None) is before


def test_halves_are_joined_where_most_nearby_are_halves(recogniser: Recogniser) -> None:
    row = ("1m", "4p", "4p", "4p", "3z", "9s", "2m")
    scene = render_hand([list(row)], seed=4, width=900, height=260)
    quads = [
        part
        for tile in scene.tiles
        for part in (split(np.array(tile.quad)) if tile.code == "4p" else [np.array(tile.quad)])
    ]
    before = classify(recogniser, scene.image, quads)
    assert name(before).count("2p") >= 2
    assert name(join_halves(recogniser.reader, scene.image, before, None)) == sorted(row)


def put(x: float, y: float, wide: float, high: float) -> np.ndarray:
    return np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]], np.float32)


@pytest.mark.parametrize(("count", "pairs"), [(2, 1), (8, 0)])
def test_a_row_of_smaller_tiles_is_none_of_halves(count: int, pairs: int) -> None:
    wall = [put(44.0 * at, 0, 42, 31) for at in range(8)]
    standing = [put(31.0 * at, 60, 30, 20) for at in range(count)]
    quads = np.stack([*wall, *standing])
    known = np.tile(np.array([0.98, 0.02], np.float32), (len(quads), 1))
    assert len(find_halves(classified(("2p", "none"), known, quads=quads))[0]) == pairs
