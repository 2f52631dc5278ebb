"""Tiles that nearly fill the picture, and candidates that lie in one another."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from companion.config import models_dir
from companion.tiles import BACK, KINDS, UNKNOWN
from companion.vision import Recogniser
from companion.vision.candidates import Candidates, short_sides
from companion.vision.finding import drop_nested
from companion.vision.networks import NO_TILE
from lab.art.house import draw_house_face
from lab.bench.reading_speed import draw_hands
from lab.film.customs import make_club_bodies
from lab.scenes.closeups import draw_giant_tiles

LABELS = ("1p", BACK, NO_TILE)


@pytest.mark.slow
def test_tiles_that_nearly_fill_the_picture_are_read() -> None:
    recogniser = Recogniser(models_dir())
    faces = {kind.code: draw_house_face(kind.code) for kind in KINDS}
    wanted: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for seed in range(24):
        rng = np.random.default_rng(seed)
        scene = draw_giant_tiles(rng, make_club_bodies(rng, faces), width=800, height=600)
        if all(tile.visible > 0.7 for tile in scene.tiles):
            wanted.update(tile.code for tile in scene.tiles)
            read.update(tile.code for tile in recogniser.read(scene.image).tiles)
    assert wanted.total() > 20
    assert read.total() >= 0.95 * wanted.total(), (wanted - read, read - wanted)
    assert (wanted & read).total() >= 0.85 * wanted.total(), (wanted - read, read - wanted)
    named_wrong = read - wanted
    del named_wrong[UNKNOWN]
    assert named_wrong.total() <= 2, named_wrong


def test_a_look_for_large_tiles_leaves_the_small_ones_out_and_no_other() -> None:
    finder = Recogniser(models_dir()).finder
    rng = np.random.default_rng(3)
    faces = {kind.code: draw_house_face(kind.code) for kind in KINDS}
    giants = draw_giant_tiles(rng, make_club_bodies(rng, faces), width=800, height=600).image
    for picture in (draw_hands(20, 960, 540), giants):
        seen = finder.find(picture, 0.25)
        sides = short_sides(seen.quads)
        assert len(seen)
        for least_px in (sides.min() - 0.1, np.median(sides), sides.max() - 0.1, sides.max() + 1):
            large = finder.find(picture, 0.25, least_px=float(least_px))
            assert np.array_equal(large.quads, seen.quads[sides >= least_px])


def candidates(*squares: tuple[float, float, float, float]) -> Candidates:
    """Squares by their middle, side (px) and how little the reader takes them for tiles."""
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    quads = np.array([corners * side + (x, y) for x, y, side, _ in squares], np.float32)
    found = Candidates.from_finder(quads, *np.full((2, len(squares)), 0.9, np.float32))
    none = np.array([none for *_, none in squares], np.float32)
    shares = np.stack([1 - none, np.zeros_like(none), none], axis=1)
    return replace(found, labels=LABELS, probabilities=shares)


def widths(left: Candidates) -> list[float]:
    return [float(quad[1, 0] - quad[0, 0]) for quad in left.quads]


def test_pips_of_a_tile_are_dropped() -> None:
    giant, pips, beside = (
        (100, 100, 200, 0.01),
        [(60, 60, 50, 0.02), (140, 140, 50, 0.5)],
        (260, 100, 60, 0.01),
    )
    assert widths(drop_nested(candidates(pips[0], giant, pips[1], beside))) == [200, 60]


def test_a_field_of_tiles_is_not_one_tile() -> None:
    field, tiles = (100, 100, 200, 0.4), [(50, 50, 50, 0.01), (150, 50, 50, 0.01)]
    assert widths(drop_nested(candidates(field, *tiles))) == [50, 50]


@pytest.mark.parametrize(("plain", "left"), [(4, [50.0] * 4), (3, [200.0])])
def test_a_field_that_looks_like_a_tile_is_known_by_the_tiles_in_it(plain: int, left: list[float]) -> None:
    tiles = [(x, y, 50, 0.01) for x in (50, 150) for y in (50, 150)][:plain]
    assert widths(drop_nested(candidates((100, 100, 200, 0.01), *tiles))) == left


def test_two_tiles_that_look_like_one_are_not_it_where_the_others_are_as_small() -> None:
    row = [(float(x), 300.0, 50.0, 0.01) for x in range(0, 250, 55)]
    pair, tiles = (100.0, 100.0, 110.0, 0.05), [(75.0, 100.0, 50.0, 0.02), (125.0, 100.0, 50.0, 0.02)]
    assert widths(drop_nested(candidates(*row, pair, *tiles))) == [50.0] * 7


def test_a_pip_of_a_tile_among_tiles_of_its_size_is_dropped() -> None:
    row = [(float(x), 300.0, 110.0, 0.01) for x in range(0, 600, 120)]
    assert (
        widths(drop_nested(candidates(*row, (100.0, 100.0, 110.0, 0.05), (100.0, 100.0, 50.0, 0.01))))
        == [110.0] * 6
    )


def test_a_pip_of_a_near_tile_is_dropped_though_most_tiles_of_the_picture_are_far_off() -> None:
    near = [(float(x), 600.0, 90.0, 0.01) for x in range(0, 600, 100)]
    far = [(float(x), 50.0, 25.0, 0.01) for x in range(0, 600, 30)]
    pip = (285.0, 585.0, 36.0, 0.01)
    assert widths(drop_nested(candidates(*near, *far, pip))) == [90.0] * 6 + [25.0] * 20


def test_a_tile_in_front_of_another_one_of_its_size_stays() -> None:
    assert widths(drop_nested(candidates((100, 100, 60, 0.01), (120, 100, 50, 0.01)))) == [60, 50]
