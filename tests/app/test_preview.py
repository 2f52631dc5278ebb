"""What the preview makes of readings that follow one another: outlines move with the picture, names are
steady, labels stay at their places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.app.live_preview import LivePicture, LivePreview
from companion.app.recognition import use_models
from companion.cameras import Frame
from companion.images import Quad, centre, short_side
from companion.live.camera_reading import CameraListener, CameraReader, TimedReading
from companion.seeing.preview import SmallFrame
from companion.tiles import BACK
from companion.vision import TileReading
from companion.vision.networks import SAME_UPSIDE_DOWN
from lab.scenes.hand import render_hand

READING_FRAMES = 4
"""How many frames come while one is being read."""
ROWS = [["1m", "5p", "9s", "1z", "7z", "back"], ["2m", "3p", "4s", "2z", "5z", "6z"]]


def quad(x: float, y: float = 0.0) -> Quad:
    return ((x, y), (x + 40, y), (x + 40, y + 60), (x, y + 60))


def tile(code: str, x: float = 0.0, p: float = 0.99) -> TileReading:
    return TileReading(code, quad(x), p, ((code, p),))


@pytest.mark.slow
def test_tiles_of_a_moving_recording_are_named_and_outlined_where_they_are() -> None:
    scene = render_hand(ROWS, seed=1, width=1400, height=900)
    truth = {tile.code: np.array(tile.quad) for tile in scene.tiles}
    places = [(round(60 + 55 * np.sin(at / 9)), round(90 + 80 * np.cos(at / 9))) for at in range(33)]
    troubles: list[object] = []
    listeners: list[CameraListener] = []

    def read_camera(listener: CameraListener) -> CameraReader:
        listeners.append(listener)
        return cast(CameraReader, None)

    preview = LivePreview(read_camera, lambda call: call(), troubles.append, troubles.append)
    (listener,) = listeners
    reader = use_models()
    seen: dict[int, LivePicture] = {}
    in_work: tuple[Frame, SmallFrame] | None = None
    for number, (x, y) in enumerate(places, 1):
        image = scene.image[y : y + 720, x : x + 1280]
        frame, small = Frame(image, number * 40_000_000), SmallFrame.of(image)
        listener.frame(number, frame, small)
        if number % READING_FRAMES == 1:
            if in_work is not None:
                read, its_small = in_work
                tiles = reader.read(read.image, None).tiles
                listener.reading(TimedReading(read.t_ns, tiles, its_small))
            in_work = frame, small
        live = preview.live
        assert live is not None
        assert (live.number, live.t_ns) == (number, frame.t_ns)
        if live.tiles:
            assert live.read_t_ns is not None
            assert live.read_t_ns < live.t_ns
            seen[number] = live
    assert troubles == []
    assert len(seen) == len(places) - READING_FRAMES

    def off_by(tiles: Sequence[TileReading], place: tuple[int, int]) -> list[float]:
        result = []
        for tile in tiles:
            if tile.code in truth:
                corners = np.array(tile.quad) + place
                alike = 1 if tile.code == BACK else 2 if tile.code in SAME_UPSIDE_DOWN else 4  # quarter turns
                ways = [np.roll(corners, turns, axis=0) for turns in range(0, 4, alike)]
                result.append(min(float(np.abs(way - truth[tile.code]).max()) for way in ways))
        return result

    x, y = places[0]
    own = np.median(off_by(reader.read(scene.image[y : y + 720, x : x + 1280], None).tiles, (x, y)))
    off = [px for live in seen.values() for px in off_by(live.tiles or (), places[live.number - 1])]
    assert len(off) > 0.9 * sum(len(row) for row in ROWS) * len(seen)
    assert own < 8, "px of 1280, held still"
    assert np.median(off) < own + 1.5, "px of 1280"
    assert np.mean(np.array(off) < 15) > 0.95


def labels(tiles: Sequence[TileReading], size: tuple[int, int]) -> NDArray[np.float64]:
    """Where the window draws the labels of these tiles, (n, 4): their middles from those of the tiles, widths
    and heights; px of the picture, x to the right and y down."""
    from kivy.graphics import Rectangle

    from companion.app.widgets import theme
    from companion.app.widgets.stage import Outline, Outlines, fit

    where, drawn = fit(size, (0, 0, *size)), Outlines()
    drawn.draw([Outline(tile.quad, tile.code, theme.SURE) for tile in tiles], where)
    found = []
    for tile, label in zip(tiles, [each for each in drawn.children if type(each) is Rectangle], strict=True):
        (x, y), (width, height) = label.pos, label.size
        right, down = np.array(where.back(x + width / 2, y + height / 2)) - centre(tile.quad)
        found.append((right, down, width, height))
    return np.array(found)


@pytest.mark.parametrize("angle", [0, 30, 45, 90, 135])
def test_a_label_lies_at_the_lower_right_whichever_corner_is_reported_first(
    kivy_window: None, angle: float
) -> None:
    turned = cv2.getRotationMatrix2D((30, 40), angle, 1)
    leaning = np.array([(0, 0), (60, 2), (58, 80), (3, 78)]) @ turned[:, :2].T + turned[:, 2] + 200
    corners = [(float(x), float(y)) for x, y in leaning]
    reported = [replace(tile("5p"), quad=tuple(corners[at:] + corners[:at])) for at in range(4)]
    first, *others = labels(reported, (640, 480))
    assert np.allclose(others, first)
    assert 10 < first[0] < 30
    assert 10 < first[1] < 30


@pytest.mark.slow
def test_labels_stay_at_their_places_while_the_camera_turns(kivy_window: None) -> None:
    scene = render_hand([["1p", "2p", "4p", "5p", "8p", "9p"], ["2s", "4s", "8s", "9s", "5z", "1m"]], seed=1)
    quads = np.array([tile.quad for tile in scene.tiles], np.float32)
    noise, reader, size = np.random.default_rng(1), use_models(), (1280, 1000)
    seen: list[dict[str, NDArray[np.float64]]] = []
    for angle in range(0, 97, 6):
        turned = np.vstack([cv2.getRotationMatrix2D((640, 360), angle, 0.75), (0, 0, 1)])
        turned[:2, 2] += (0, 140)
        image = cv2.warpPerspective(scene.image, turned, size, borderMode=cv2.BORDER_REPLICATE)
        image = np.clip(image + noise.normal(0, 6, image.shape), 0, 255).astype(np.uint8)
        tiles = reader.read(image, None).tiles
        middles = cv2.perspectiveTransform(quads, turned).mean(axis=1)
        off = np.linalg.norm(middles[:, None] - [centre(tile.quad) for tile in tiles], axis=2)
        drawn = labels(tiles, size)
        seen.append({t.code: drawn[at.argmin()] for t, at in zip(scene.tiles, off, strict=True)
                     if at.min() < 20})  # fmt: skip
    side = short_side(scene.tiles[0].quad) * 0.75
    steps = [(code, at, now[code] - before[code]) for at, (before, now) in enumerate(pairwise(seen))
             for code in now.keys() & before.keys()]  # fmt: skip
    assert len(steps) > 0.9 * len(scene.tiles) * (len(seen) - 1)
    assert [(code, at) for code, at, step in steps if np.abs(step).max() > side / 5] == []
