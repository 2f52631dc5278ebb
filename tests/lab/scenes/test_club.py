"""Whole tables: the truth is what the picture shows, seeded, from every view."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from lab.scenes.club import VIEWS, draw_empty, draw_table, draw_whole_table, make_random_setting
from lab.scenes.draw import Scene
from lab.scenes.layouts import Habits, Hands, Part, Tabletop, TilePose, deal_random_contents, lay_out
from lab.scenes.things import draw_random_arms
from lab.scenes.tileset import TileBodies

pytestmark = pytest.mark.slow

WIDTH, HEIGHT = 640, 480


def middle_of(scene: Scene, quad: tuple[tuple[float, float], ...], share: float = 0.5) -> np.ndarray:
    """Mean colour of the middle of a quad."""
    points = np.array(quad)
    inner = points.mean(axis=0) + (points - points.mean(axis=0)) * share
    mask = np.zeros(scene.image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(inner).astype(np.int32), 255)
    return np.array(cv2.mean(scene.image, mask)[:3])


@pytest.mark.parametrize("view", VIEWS)
def test_whole_tables_repeat_by_seed_and_show_red_faces_and_green_backs(
    view: str, bodies: TileBodies
) -> None:
    faces = backs = 0
    for seed in range(2):
        once, again = (
            draw_whole_table(np.random.default_rng(seed), bodies, width=WIDTH, height=HEIGHT, view=view)
            for _ in range(2)
        )
        assert np.array_equal(once.image, again.image)
        assert once.tiles == again.tiles
        for tile in once.tiles:
            quad = np.array(tile.quad, np.float32)
            large = (
                cv2.contourArea(quad) > 60 and quad.min() > 0 and np.all(quad.max(axis=0) < [WIDTH, HEIGHT])
            )
            if tile.visible < 0.97 or not large or tile.code == "5z":
                continue
            _, green, red = middle_of(once, tile.quad)
            if tile.code == "back":
                assert green > red, tile
                backs += 1
            else:
                assert red > green, tile
                faces += 1
    assert faces > 20
    assert backs > 10


def test_a_tile_taken_away_changes_the_picture_where_its_quad_was(bodies: TileBodies) -> None:
    contents = deal_random_contents(np.random.default_rng(2))
    layout = lay_out(contents, bodies.size_mm, Habits(untidy=0.2), 2)
    rng = np.random.default_rng(2)
    camera = VIEWS["above"](rng, 420.0, WIDTH, HEIGHT)
    setting = replace(make_random_setting(rng, 420.0, 0.0, WIDTH, HEIGHT), things=())
    index = next(i for i, tile in enumerate(layout.tiles) if tile.part is Part.RIVER)
    fewer = Tabletop(layout.size_mm, layout.tiles[:index] + layout.tiles[index + 1 :])
    full, less = (draw_table(one, setting, camera, bodies) for one in (layout, fewer))
    gone = {tile.quad for tile in full.tiles} - {tile.quad for tile in less.tiles}
    (quad,) = gone
    change = np.abs(full.image.astype(int) - less.image.astype(int)).max(axis=2)
    inside = np.zeros(change.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(np.array(quad)).astype(np.int32), 1)
    near = cv2.dilate(inside, np.ones((61, 61), np.uint8))
    assert (change[inside > 0] > 25).mean() > 0.9
    assert change[near == 0].max() == 0


def test_the_same_layout_drawn_twice_is_the_same_picture(bodies: TileBodies) -> None:
    layout = lay_out(deal_random_contents(np.random.default_rng(1)), bodies.size_mm, Habits(), 1)
    rng = np.random.default_rng(1)
    camera, setting = (
        VIEWS["corner"](rng, 420.0, WIDTH, HEIGHT),
        make_random_setting(rng, 420.0, 70.0, WIDTH, HEIGHT),
    )
    once = draw_table(layout, setting, camera, bodies)
    empty = draw_empty(setting, camera)
    for _ in range(2):
        again = draw_table(layout, setting, camera, bodies, empty=empty)
        assert np.array_equal(once.image, again.image)
        assert once.tiles == again.tiles


def test_standing_hands_show_their_backs_to_others_and_their_faces_to_their_owner(bodies: TileBodies) -> None:
    layout = lay_out(deal_random_contents(np.random.default_rng(4)), bodies.size_mm, Habits(), 4)
    standing = [tile for tile in layout.tiles if tile.pose is TilePose.STANDING]
    rng = np.random.default_rng(4)
    camera = VIEWS["propped"](np.random.default_rng(6), 420.0, WIDTH, HEIGHT)
    setting = replace(make_random_setting(rng, 420.0, 0.0, WIDTH, HEIGHT), things=())
    scene = draw_table(Tabletop(layout.size_mm, tuple(standing)), setting, camera, bodies)
    upright = [tile for tile in scene.tiles if tile.standing and tile.visible > 0.5]
    assert {"back"} < {tile.code for tile in upright}
    flat = draw_table(
        Tabletop(layout.size_mm, tuple(t for t in layout.tiles if t.pose is not TilePose.STANDING)),
        setting,
        camera,
        bodies,
    )
    assert not any(tile.standing for tile in flat.tiles)
    assert len(flat.tiles) > 40


def test_an_arm_hides_what_is_below_it(bodies: TileBodies) -> None:
    habits = Habits(hands=(Hands.FACE_DOWN,) * 4)
    layout = lay_out(deal_random_contents(np.random.default_rng(9)), bodies.size_mm, habits, 9)
    rng = np.random.default_rng(9)
    camera, setting = (
        VIEWS["above"](rng, 420.0, WIDTH, HEIGHT),
        make_random_setting(rng, 420.0, 0.0, WIDTH, HEIGHT),
    )
    arms = draw_random_arms(rng, camera, 420.0, 4, HEIGHT, WIDTH)
    assert arms
    free, reached = (draw_table(layout, setting, camera, bodies, over) for over in ((), arms))
    before = {tile.quad: tile.visible for tile in free.tiles}
    after = {tile.quad: tile.visible for tile in reached.tiles}
    assert all(after[quad] <= before[quad] + 1e-9 for quad in after)
    assert sum(before.values()) - sum(after.values()) > 2
