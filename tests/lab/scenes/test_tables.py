"""Rendered tables: what the truth says is what the picture shows."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from companion.tiles import KINDS, SET_144
from lab.scenes import layouts
from lab.scenes.draw import Light, draw_scene
from lab.scenes.geometry import Box, Camera, rotation_z
from lab.scenes.hand import SIZE_MM, render_hand
from lab.scenes.table import random_scene
from lab.scenes.things import Thing
from lab.scenes.tileset import TileBodies

RED, BLUE, WHITE = (0, 0, 255), (255, 0, 0), (255, 255, 255)


def above(width: int = 400, height: int = 400) -> Camera:
    """Straight down on the origin, 4 px a millimetre at the table."""
    return Camera.looking_at(np.zeros(3), 1000.0, np.pi / 2, 0.0, 0.0, 4000.0, width, height)


def marked_set() -> TileBodies:
    """White tiles whose faces are red in the glyph's top left quarter and blue at its bottom right."""
    face = np.zeros((80, 60, 4), np.uint8)
    face[:40, :30] = (*RED, 255)
    face[40:, 30:] = (*BLUE, 255)
    return TileBodies(SIZE_MM, {tile.code: face for tile in KINDS}, WHITE, (0, 200, 0), bevel=0.0)


def at(image: np.ndarray, quad: tuple[tuple[float, float], ...], u: float, v: float) -> np.ndarray:
    """Colour at (u, v) of a quad, both 0..1 from its first corner."""
    corners = np.array(quad)
    x, y = (
        corners[0] * (1 - u) * (1 - v)
        + corners[1] * u * (1 - v)
        + corners[2] * u * v
        + corners[3] * (1 - u) * v
    )
    return image[int(y), int(x)].astype(int)


@pytest.mark.parametrize("angle", [0.0, 0.7, 1.6, 3.0, 4.4, 5.9])
@pytest.mark.parametrize("put", [layouts.place_lying, layouts.place_standing])
def test_glyphs_stand_where_the_quad_says_and_are_never_mirrored(put, angle: float) -> None:
    camera = (
        above()
        if put is layouts.place_lying
        else Camera.looking_at(np.array([0, 0, 17.0]), 900.0, 0.5, 0.0, 0.1, 4000.0, 500, 500)
    )
    turn = angle if put is layouts.place_lying else (angle - 3) / 5
    tile = put(SIZE_MM, "1m", 0.0, 0.0, angle=turn)
    ground = np.full((500, 500, 3), 90, np.uint8)
    scene = draw_scene(ground, camera, [tile], marked_set(), Light((0.0, 0.0, 1.0), ambient=1.0, shadow=0.0))
    (seen,) = [t for t in scene.tiles if t.code == "1m"]
    assert seen.visible > 0.95
    top_left, bottom_right = at(scene.image, seen.quad, 0.25, 0.25), at(scene.image, seen.quad, 0.75, 0.75)
    top_right = at(scene.image, seen.quad, 0.75, 0.25)
    assert top_left[2] > top_left[0] + 80
    assert bottom_right[0] > bottom_right[2] + 80
    assert top_right.min() > 150
    assert cv2.contourArea(np.array(seen.quad, np.float32), oriented=True) > 0


def test_a_tile_that_is_half_covered_is_half_visible() -> None:
    tile = layouts.place_lying(SIZE_MM, "1m", 0.0, 0.0)
    cover = Box.resting(np.array([100.0, 35.0, 2.0]), rotation_z(0), -50.0, 0.0, SIZE_MM[2] + 0.1)
    scene = draw_scene(
        np.zeros((400, 400, 3), np.uint8),
        above(),
        [tile],
        marked_set(),
        Light((0.0, 0.0, 1.0)),
        [Thing(cover, (9, 9, 9))],
    )
    (seen,) = scene.tiles
    assert 0.4 < seen.visible < 0.55


def test_a_tile_on_its_face_shows_its_back_only() -> None:
    scene = draw_scene(
        np.zeros((400, 400, 3), np.uint8),
        above(),
        [layouts.place_face_down(SIZE_MM, "1m", 0, 0)],
        marked_set(),
        Light((0.0, 0.0, 1.0), ambient=1.0),
    )
    assert [tile.code for tile in scene.tiles] == ["back"]
    assert at(scene.image, scene.tiles[0].quad, 0.5, 0.5)[1] > 150


@pytest.mark.parametrize("seed", range(6))
def test_random_tables_repeat_by_seed_and_place_tiles_apart(seed: int) -> None:
    once, again = (random_scene(np.random.default_rng(seed), marked_set()) for _ in range(2))
    assert np.array_equal(once.image, again.image)
    assert once.tiles == again.tiles
    assert all(0 < tile.visible <= 1 for tile in once.tiles)


def test_the_house_hand_shows_every_tile_asked_for() -> None:
    rows = [["1m", "2m", "back"], ["5z", "8f", "9s", "1p"]]
    scene = render_hand(rows, width=900, height=600)
    assert scene.image.shape == (600, 900, 3)
    assert sorted(tile.code for tile in scene.tiles if tile.visible > 0.9) == sorted(
        code for row in rows for code in row
    )


def test_a_table_laid_out_of_a_box_shows_no_more_of_a_kind_than_it_holds() -> None:
    most = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        scene = random_scene(rng, marked_set(), tile_px=(20.0, 30.0), box=SET_144)
        faces = Counter(tile.code for tile in scene.tiles if tile.code != "back")
        assert all(faces[tile.code] <= SET_144.copies[tile.index] for tile in KINDS)
        most = max(most, faces.total())
    assert most > 40
