"""Where outlines of one frame lie in a later one, which a moving camera took."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.images import Quad
from companion.seeing.following import SmallFrame, follow_quads
from lab.scenes.hand import render_hand

ROWS = [["1m", "5p", "9s", "1z", "7z", "back"], ["2m", "3p", "4s", "2z", "5z", "6z"]]


def test_outlines_follow_a_camera_that_turns_and_comes_closer() -> None:
    scene = render_hand(ROWS, seed=1)
    quads = np.array([tile.quad for tile in scene.tiles], np.float32)
    turned = np.vstack([cv2.getRotationMatrix2D((640, 360), 4, 1.07), (0, 0, 1)])
    turned[:2, 2] += (45, -30)
    turned[2, 0] = 4e-5  # and tilts
    later = cv2.warpPerspective(scene.image, turned, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
    noise = np.random.default_rng(1).normal(0, 4, later.shape)
    later = np.clip(later + noise, 0, 255).astype(np.uint8)
    wanted = cv2.perspectiveTransform(quads, turned)
    still = np.linalg.norm(wanted - quads, axis=2).mean()
    off = np.linalg.norm(np.array(moved(scene.image, later, quads)) - wanted, axis=2)
    assert still > 30
    assert off.max() < 4, "px of 1280"


def test_outlines_stay_where_another_scene_or_nothing_is_seen() -> None:
    scene = render_hand(ROWS, seed=1)
    quads = np.array([tile.quad for tile in scene.tiles], np.float32)
    for other in (np.zeros_like(scene.image), np.random.default_rng(2).integers(0, 255, (720, 1280, 3))):
        assert np.allclose(moved(scene.image, other.astype(np.uint8), quads), quads)
    assert follow_quads([], SmallFrame.of(scene.image), SmallFrame.of(scene.image)) == []


@pytest.mark.parametrize("count", [1, 2])
def test_few_tiles_are_followed_too(count: int) -> None:
    scene = render_hand(ROWS, seed=1)
    quads = np.array([tile.quad for tile in scene.tiles], np.float32)[:count]
    later = np.roll(scene.image, (12, 20), axis=(0, 1))
    off = np.array(moved(scene.image, later, quads)) - quads - (20, 12)
    assert np.abs(off).max() < 3


def moved(before: NDArray[np.uint8], after: NDArray[np.uint8], quads: NDArray[np.float32]) -> list[Quad]:
    as_quads = [tuple((float(x), float(y)) for x, y in quad) for quad in quads]
    return follow_quads(as_quads, SmallFrame.of(before), SmallFrame.of(after))  # type: ignore[arg-type]
