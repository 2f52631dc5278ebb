"""What stands where hands do never passes for a flat tile, wherever the camera is."""

from __future__ import annotations

import numpy as np
import pytest

from companion.seeing.outlines import TileSize, find_flat_outlines, mark_mistakable, place_quads
from companion.seeing.table_camera import TableCamera
from companion.vision.candidates import Candidates
from lab.film.customs import list_corners
from lab.scenes.geometry import Camera

SIZE = (1280, 720)
TILE = TileSize(26.0, 26.0 * 1.33, True)
NOISE_PX = 0.4
"""Of the corners that the finder gives."""


def make_camera(elevation: float, turn: float) -> TableCamera:
    film = Camera.looking_at(
        np.zeros(3), 1300.0, np.radians(elevation), np.radians(turn), 0.0, 970.0, *SIZE
    )  # fmt: skip
    return TableCamera.from_corners(film.project(list_corners(400.0)), *SIZE, 970.0)


def stand_tiles(seat: int, rng: np.random.Generator, count: int) -> np.ndarray:
    """The faces (count, 4, 3) mm of tiles that stand along a player's edge, the corners as a glyph's."""
    foot = np.column_stack([rng.uniform(-380, 380, count), rng.uniform(-390, -285, count), np.zeros(count)])
    lean, turn = np.radians(rng.uniform(0, 8, count)), np.radians(rng.uniform(-8, 8, count))
    along = np.stack([np.cos(turn), np.sin(turn), np.zeros(count)], axis=1) * TILE.width_mm / 2
    away = np.stack([-np.sin(turn), np.cos(turn), np.zeros(count)], axis=1)
    up = TILE.height_mm * (np.sin(lean)[:, None] * away + np.cos(lean)[:, None] * np.array([0.0, 0.0, 1.0]))
    quads = np.stack([foot - along + up, foot + along + up, foot + along, foot - along], axis=1)
    sine, cosine = np.sin(seat * np.pi / 2), np.cos(seat * np.pi / 2)
    return np.asarray(quads @ np.array([[cosine, sine, 0], [-sine, cosine, 0], [0, 0, 1]]))


def see(camera: TableCamera, quads_mm: np.ndarray, rng: np.random.Generator) -> Candidates:
    px = camera.project(quads_mm.reshape(-1, 3)).reshape(-1, 4, 2)
    count = len(px)
    px = px + rng.normal(0, NOISE_PX, px.shape)
    return Candidates.from_finder(
        px.astype(np.float32), np.ones(count, np.float32), np.zeros(count, np.float32)
    )


@pytest.mark.parametrize("elevation", [25, 35, 45, 55, 65, 75, 88])
def test_no_standing_face_passes_for_one_that_lies(elevation: int) -> None:
    rng = np.random.default_rng(elevation)
    for turn in range(0, 90, 10):
        camera = make_camera(elevation, turn)
        for seat in range(4):
            laid = find_flat_outlines(see(camera, stand_tiles(seat, rng, 60), rng), camera, TILE)
            assert not len(laid), (turn, seat, laid.middles[:3], laid.off[:3])


@pytest.mark.parametrize("elevation", [45, 60, 88])
def test_tiles_that_lie_before_the_seats_across_do_so_surely(elevation: int) -> None:
    camera = make_camera(elevation, 45)
    x, y = np.meshgrid(np.linspace(-250, 250, 8), [350.0, 370.0])
    middles = np.column_stack([x.ravel(), y.ravel()])
    for middle in (middles, -middles[:, ::-1]):
        assert not mark_mistakable(middle, camera, TILE.sides_mm).any()
        quads = place_quads(middle, np.zeros(len(middle)), np.ones(len(middle), bool), TILE)
        raised = np.concatenate([quads, np.full((len(quads), 4, 1), TILE.depth_mm)], axis=2)
        laid = find_flat_outlines(see(camera, raised, np.random.default_rng(1)), camera, TILE)
        assert len(laid) == len(middle)
