"""Things on the table that are no tiles, and tables without tiles: drawn, seeded, and never in the truth."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.tiles import KINDS
from lab.scenes import layouts
from lab.scenes.draw import Light, draw_scene
from lab.scenes.geometry import Box, Camera, rotation_z
from lab.scenes.hand import SIZE_MM
from lab.scenes.table import random_scene, tileless_scene
from lab.scenes.things import MAKERS, Maker, Thing
from lab.scenes.tileset import TileBodies

RED, BLUE, GREEN, WHITE = (0, 0, 255), (255, 0, 0), (0, 200, 0), (255, 255, 255)
PLAIN = Light((0.0, 0.0, 1.0), ambient=1.0, shadow=0.0)
MAKES = [make for make, _ in MAKERS]


def above(width: int = 400, height: int = 400) -> Camera:
    return Camera.looking_at(np.zeros(3), 1000.0, np.pi / 2, 0.0, 0.0, 4000.0, width, height)


def plain_set() -> TileBodies:
    face = np.zeros((80, 60, 4), np.uint8)
    face[20:60, 15:45] = (*RED, 255)
    return TileBodies(SIZE_MM, {tile.code: face for tile in KINDS}, WHITE, GREEN, bevel=0.0, split=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_table_without_tiles_has_things_and_no_truth(seed: int) -> None:
    once, again = (tileless_scene(np.random.default_rng(seed), plain_set()) for _ in range(2))
    assert np.array_equal(once.image, again.image)
    assert once.tiles == ()
    other = tileless_scene(np.random.default_rng(seed + 100), plain_set())
    assert not np.array_equal(once.image, other.image)


@pytest.mark.parametrize("make", MAKES, ids=lambda make: make.__name__)
def test_every_thing_is_seeded_differs_and_stands_on_the_table(make: Maker) -> None:
    first, same, other = (make(np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert all(np.array_equal(first.sides[name], same.sides[name]) for name in first.sides)
    assert not np.allclose(first.box.half_mm, other.box.half_mm) or first.colour != other.colour
    assert first.box.corners()[:, 2].min() == pytest.approx(0.0, abs=1e-9)
    for picture in first.sides.values():
        assert picture.dtype == np.uint8
        assert picture.shape[2] == 4


def test_a_thing_on_a_tile_free_spot_shows_its_face_unmirrored_and_is_a_decoy() -> None:
    face = np.full((90, 60, 4), 255, np.uint8)
    face[:45, :30] = (*RED, 255)
    face[45:, 30:] = (*BLUE, 255)
    box = Box.resting(np.array([40.0, 60.0, 10.0]), rotation_z(0.0), 0.0, 0.0)
    scene = draw_scene(
        np.zeros((400, 400, 3), np.uint8),
        above(),
        [],
        plain_set(),
        PLAIN,
        [Thing(box, WHITE, {"face": face})],
    )
    assert scene.tiles == ()
    (quad,) = scene.decoys
    crop = cv2.warpPerspective(
        scene.image,
        cv2.getPerspectiveTransform(
            np.array(quad, np.float32), np.array([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32)
        ),
        (60, 90),
    )
    assert crop[20, 15].tolist() == pytest.approx(RED, abs=40)
    assert crop[70, 45].tolist() == pytest.approx(BLUE, abs=40)
    assert crop[20, 45].min() > 200


def test_the_sides_of_a_tile_are_no_faces_and_show_the_back_layer_behind() -> None:
    tile = layouts.place_standing(SIZE_MM, "1m", 0.0, 0.0)
    scene = draw_scene(np.zeros((400, 400, 3), np.uint8), above(), [tile], plain_set(), PLAIN)
    assert [t.code for t in scene.tiles if t.visible > 0.6] == []
    (quad,) = scene.decoys
    corners = np.array(quad)
    rear = corners[:2].mean(axis=0) * 0.8 + corners[2:].mean(axis=0) * 0.2
    front = corners[:2].mean(axis=0) * 0.2 + corners[2:].mean(axis=0) * 0.8
    behind, before = (scene.image[int(y), int(x)].astype(int) for x, y in (rear, front))
    assert behind[1] > behind[2] + 100
    assert before.min() > 180


def test_what_a_hand_covers_is_not_to_be_seen() -> None:
    tile = layouts.place_lying(SIZE_MM, "1m", 0.0, 0.0)
    cover = np.full((50, 50, 4), 200, np.uint8)
    cover[:, :, 3] = 255
    quad = np.array([[0, 0], [200, 0], [200, 400], [0, 400]], float)
    scene = draw_scene(
        np.zeros((400, 400, 3), np.uint8), above(), [tile], plain_set(), PLAIN, over=[(cover, quad)]
    )
    (seen,) = scene.tiles
    assert 0.4 < seen.visible < 0.6


@pytest.mark.parametrize("seed", range(8))
def test_on_random_tables_no_decoy_lies_on_a_face(seed: int) -> None:
    scene = random_scene(np.random.default_rng(seed), plain_set())
    for decoy in scene.decoys:
        middle = np.mean(decoy, axis=0)
        for tile in scene.tiles:
            if tile.visible > 0.9:
                quad = np.array(tile.quad, np.float32)
                inside = cv2.pointPolygonTest(quad, middle.tolist(), True)
                assert inside <= 2.0, (seed, tile.code)


def test_a_hand_before_its_wall_shows_both_faces_and_backs() -> None:
    rng = np.random.default_rng(1)
    codes = [placed.code for placed in layouts.hand_and_wall(rng, SIZE_MM, lambda: "1m", 13)]
    ups = [placed.box.normal("face")[2] for placed in layouts.hand_and_wall(rng, SIZE_MM, lambda: "1m", 13)]
    assert len(codes) >= 13 + 6
    assert min(ups) < -0.9 < max(ups)
