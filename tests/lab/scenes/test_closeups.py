"""Parts of tables from near, each for a cause of misreading; what they show and that they repeat."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from lab.film.customs import BACKS, choose_back_colour, make_club_bodies
from lab.scenes import closeups
from lab.scenes.tileset import TileBodies

WIDTH, HEIGHT = 480, 360
CLOSE = [
    closeups.draw_giant_tiles,
    closeups.draw_rows_of_backs,
    closeups.draw_white_dragons,
    closeups.draw_peacocks,
    closeups.draw_tray_of_tiles,
    closeups.draw_tipped_tiles,
    closeups.draw_packed_rows,
    closeups.draw_touching_tiles,
]


def wide_px(quad: tuple[tuple[float, float], ...]) -> float:
    return float(np.linalg.norm(np.subtract(quad[1], quad[0])))


@pytest.mark.slow
@pytest.mark.parametrize("draw", CLOSE, ids=lambda draw: draw.__name__)
def test_close_views_repeat_by_seed_and_always_show_tiles(draw: closeups.Close, bodies: TileBodies) -> None:
    for seed in range(2):
        once, again = (draw(np.random.default_rng(seed), bodies, width=640, height=480) for _ in range(2))
        assert np.array_equal(once.image, again.image)
        assert once.tiles == again.tiles
        assert any(tile.visible > 0.6 for tile in once.tiles), seed


def test_giant_tiles_fill_a_good_part_of_the_picture(bodies: TileBodies) -> None:
    widths = []
    for seed in range(20):
        scene = closeups.draw_giant_tiles(np.random.default_rng(seed), bodies, width=WIDTH, height=HEIGHT)
        assert len(scene.tiles) <= 8
        widths += [wide_px(tile.quad) for tile in scene.tiles if tile.code != "back"]
    assert np.percentile(widths, 10) > WIDTH / 8
    assert max(widths) > 0.45 * WIDTH


def test_rows_of_backs_show_backs_above_all_and_in_their_colour(bodies: TileBodies) -> None:
    seen: Counter[bool] = Counter()
    for seed in range(10):
        scene = closeups.draw_rows_of_backs(np.random.default_rng(seed), bodies, width=WIDTH, height=HEIGHT)
        for tile in scene.tiles:
            if tile.visible > 0.97 and min(np.array(tile.quad).flat) > 0:
                seen[tile.code == "back"] += 1
                x, y = np.mean(tile.quad, axis=0)
                if tile.code == "back" and 0 < x < WIDTH - 1 and 0 < y < HEIGHT - 1:
                    blue, green, red = scene.image[int(y), int(x)].astype(int)
                    assert green >= max(red, blue), (seed, tile)
    assert seen[True] > 3 * seen[False]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "code"), [(closeups.draw_white_dragons, "5z"), (closeups.draw_peacocks, "1s")], ids=["5z", "1s"]
)
def test_the_kind_that_is_asked_for_is_there_lying_and_standing(
    draw: closeups.Close, code: str, bodies: TileBodies
) -> None:
    poses: Counter[bool] = Counter()
    for seed in range(20):
        scene = draw(np.random.default_rng(seed), bodies, width=WIDTH, height=HEIGHT)
        poses.update(tile.standing for tile in scene.tiles if tile.code == code and tile.visible > 0.6)
    assert min(poses[True], poses[False]) > 4


def test_packed_rows_have_white_dragons_side_by_side(bodies: TileBodies) -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        scene = closeups.draw_packed_rows(rng, bodies, width=WIDTH, height=HEIGHT)
        codes = "".join("w" if tile.code == "5z" else "." for tile in scene.tiles)
        assert 1 <= codes.count("w") <= 4
        assert codes.strip(".") == "w" * codes.count("w")


def test_tiles_of_a_group_touch_and_do_not_cover_each_other(bodies: TileBodies) -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        scene = closeups.draw_touching_tiles(rng, bodies, width=WIDTH, height=HEIGHT)
        quads = np.array([tile.quad for tile in scene.tiles], np.float32)
        middles = quads.mean(axis=1)
        for at, quad in enumerate(quads):
            apart = np.linalg.norm(middles - middles[at], axis=1)
            nearest = int(np.argsort(apart)[1])
            assert apart[nearest] < 1.2 * np.linalg.norm(quad[0] - quad[2])
            shared = max(
                cv2.intersectConvexConvex(quad, other)[0] for k, other in enumerate(quads) if k != at
            )
            assert shared < 0.1 * cv2.contourArea(quad)


def test_tipped_tiles_show_sides_that_are_no_faces(bodies: TileBodies) -> None:
    decoys = standing = 0
    for seed in range(10):
        scene = closeups.draw_tipped_tiles(np.random.default_rng(seed), bodies, width=WIDTH, height=HEIGHT)
        decoys += len(scene.decoys)
        standing += sum(tile.standing for tile in scene.tiles)
        for decoy in scene.decoys:
            side = np.array(decoy, np.float32)
            if min(cv2.minAreaRect(side)[1]) < 5:  # a sliver: its pixels are rounded to others'
                continue
            for tile in scene.tiles:
                if tile.visible > 0.95:
                    shared, _ = cv2.intersectConvexConvex(np.array(tile.quad, np.float32), side)
                    assert shared < 0.4 * cv2.contourArea(side) + 4, (seed, tile)
    assert decoys > 30
    assert standing > 30


@pytest.mark.parametrize("name", BACKS)
def test_backs_of_a_name_differ_from_set_to_set_but_stay_of_their_colour(
    name: str, bodies: TileBodies
) -> None:
    rng = np.random.default_rng(1)
    colours = np.array([choose_back_colour(rng, name) for _ in range(40)], np.uint8)
    assert len(np.unique(colours, axis=0)) > 10
    hues = cv2.cvtColor(colours[None], cv2.COLOR_BGR2HSV)[0, :, 0].astype(float)
    turn = np.abs((hues - BACKS[name][0][0] + 90) % 180 - 90)
    assert turn.max() <= BACKS[name][1][0] + 3
    made = make_club_bodies(rng, bodies.faces, back=name)
    assert made.texture("back", 100).shape[2] == 4
