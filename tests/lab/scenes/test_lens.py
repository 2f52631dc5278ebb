"""What a telephone does to a picture: the truth goes along, the look changes, nothing is squeezed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from lab.scenes import layouts
from lab.scenes.draw import (
    FRAMES,
    Light,
    Scene,
    choose_frame,
    cut_scene,
    draw_scene,
    shrink_scene,
    take_scene,
)
from lab.scenes.geometry import Camera
from lab.scenes.tileset import TileBodies


@pytest.fixture(scope="module")
def scene(bodies: TileBodies) -> Scene:
    camera = Camera.looking_at(np.zeros(3), 1000.0, np.pi / 2, 0.0, 0.0, 4000.0, 640, 480)
    ground = np.full((480, 640, 3), 60, np.uint8)
    placed = [
        layouts.place_lying(bodies.size_mm, "1m", -40, 20),
        layouts.place_lying(bodies.size_mm, "2m", 45, -25, 0.4),
    ]
    return draw_scene(ground, camera, placed, bodies, Light((0.0, 0.0, 1.0), ambient=1.0, shadow=0.0))


def red_middle(scene: Scene, quad: tuple[tuple[float, float], ...]) -> np.ndarray:
    """The middle of what is red around a quad."""
    b, g, r = (channel.astype(int) for channel in cv2.split(scene.image))
    area = np.zeros(r.shape, np.uint8)
    cv2.fillConvexPoly(area, np.round(np.array(quad)).astype(np.int32), 255)
    area = cv2.dilate(area, np.ones((9, 9), np.uint8))
    ys, xs = np.nonzero((area > 0) & (r > 1.5 * np.maximum(b, g)) & (r > 70))
    return np.array([xs.mean(), ys.mean()])


def test_what_is_taken_keeps_size_and_truth_and_repeats_by_seed(scene: Scene) -> None:
    moved = 0
    for seed in range(16):
        once, again = (take_scene(np.random.default_rng(seed), scene) for _ in range(2))
        assert np.array_equal(once.image, again.image)
        assert once.image.shape == scene.image.shape
        assert not np.array_equal(once.image, scene.image)
        for before, after in zip(scene.tiles, once.tiles, strict=True):
            shift = np.mean(after.quad, axis=0) - np.mean(before.quad, axis=0)
            seen = red_middle(once, after.quad) - red_middle(scene, before.quad)
            assert np.abs(seen - shift).max() < 2.0, seed
            moved += bool(np.abs(shift).max() > 0.5)
    assert moved > 2


def test_a_smaller_picture_has_smaller_truth(scene: Scene) -> None:
    half = shrink_scene(scene, 0.5)
    assert half.image.shape == (240, 320, 3)
    for before, after in zip(scene.tiles, half.tiles, strict=True):
        assert np.allclose(np.array(after.quad), np.array(before.quad) / 2)
        assert red_middle(half, after.quad) == pytest.approx(red_middle(scene, before.quad) / 2, abs=1.0)


def test_a_tile_cut_by_the_frame_is_visible_by_its_share_and_one_outside_is_gone(scene: Scene) -> None:
    left = min(scene.tiles, key=lambda tile: np.mean(tile.quad, axis=0)[0])
    middle = int(np.mean(left.quad, axis=0)[0])
    cut = cut_scene(scene, middle, 0, 640 - middle, 480)
    assert cut.image.shape == (480, 640 - middle, 3)
    assert sorted(round(tile.visible, 1) for tile in cut.tiles) == [0.5, 1.0]
    assert cut_scene(scene, 0, 0, 30, 30).tiles == ()


def test_frames_have_the_proportions_of_telephones() -> None:
    rng = np.random.default_rng(0)
    assert {choose_frame(rng) for _ in range(200)} == set(FRAMES)
    assert {round(max(w, h) / min(w, h), 2) for w, h in FRAMES} == {1.33, 1.5, 1.78}
