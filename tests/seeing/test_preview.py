"""The live preview: names do not flicker, and outlines follow a camera that moved."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.images import Quad
from companion.seeing.preview import HELD_READINGS, SmallFrame, SteadyTile, follow_quads, steady_tiles
from companion.vision import TileReading
from lab.scenes.hand import render_hand


def quad(x: float, y: float = 0.0) -> Quad:
    return ((x, y), (x + 40, y), (x + 40, y + 60), (x, y + 60))


def tile(code: str, x: float = 0.0, p: float = 0.99) -> TileReading:
    return TileReading(code, quad(x), p, ((code, p),))


def names(readings: Sequence[Sequence[TileReading]]) -> list[list[tuple[str, bool]]]:
    """What is shown after each of these readings: code and whether it is unsure."""
    shown: tuple[SteadyTile, ...] = ()
    found = []
    for reading in readings:
        shown = steady_tiles(shown, reading)
        found.append([(tile.code, tile.unsure) for tile in shown])
    return found


def test_a_sure_name_stays_while_the_tile_is_hardly_read() -> None:
    hardly = [[tile("?", p=0.4)]] * (HELD_READINGS + 1)
    shown = names([[tile("1s")], *hardly])
    assert shown[:-1] == [[("1s", False)]] * (HELD_READINGS + 1)
    assert shown[-1] == [("?", True)], "not for ever"


def test_another_sure_name_is_believed_when_it_comes_twice() -> None:
    assert names([[tile("1s")], [tile("3f")], [tile("1s")]]) == [[("1s", False)]] * 3
    assert names([[tile("1s")], [tile("3f")], [tile("3f")]])[-1] == [("3f", False)]


def test_an_unsure_tile_is_named_at_once_when_it_is_surely_read() -> None:
    assert names([[tile("?", p=0.4)], [tile("1s")]])[-1] == [("1s", False)]
    assert names([[tile("1s", p=0.6)], [tile("?", p=0.5)]])[-1] == [("1s", True)]


def test_a_tile_that_is_not_found_stays_for_one_reading() -> None:
    assert names([[tile("1s"), tile("2s", 50)], [tile("1s")], [tile("1s")]]) == [
        [("1s", False), ("2s", False)], [("1s", False), ("2s", False)], [("1s", False)],
    ]  # fmt: skip


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
