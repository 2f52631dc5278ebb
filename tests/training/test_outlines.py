"""Crops along the outlines that a finder gives. Needs torch (extra `train`)."""

from __future__ import annotations

import numpy as np
import pytest

from companion.images import Image
from companion.vision.candidates import Candidates, short_sides, straighten_quad
from companion.vision.networks import NO_TILE, READER_PX
from models.training.finder_data import FACE, UNSURE
from models.training.labels import INDEX
from tests.training.marked import GREYS, label_picture, marked, quad_at, quarters

pytest.importorskip("torch")

from models.training.outlines import cut_found


class Finds:
    """A finder that finds these quads, whatever is there."""

    def __init__(self, *quads: np.ndarray) -> None:
        self.quads = np.array(quads, np.float32)

    def find(
        self, picture: Image, scale: float, stretch: float = 1.0, *, least_px: float = 0.0
    ) -> Candidates:
        """As the program's."""
        quads = self.quads[short_sides(self.quads) >= least_px]
        scores = np.full(len(quads), 0.9, np.float32)
        return Candidates.from_finder(quads, scores, np.zeros_like(scores))


@pytest.mark.parametrize("first", range(4))
def test_a_found_tile_is_cut_along_its_find_and_stands_upright(first: int) -> None:
    tile = quad_at(120, 120, angle=0.5)
    scene = label_picture(marked(tile[None]), tile[None], ("1m",))
    found = quad_at(122, 119, 50, 62, angle=0.52)
    (patch,) = cut_found(Finds(np.roll(found, first, axis=0)), [scene], np.random.default_rng(1))
    assert (patch.label, patch.upright) == (INDEX["1m"], True)
    sides = np.linalg.norm(patch.quad - np.roll(patch.quad, -1, axis=0), axis=1)
    assert sides[0] / sides[1] == pytest.approx(50 / 62, abs=0.01)
    assert quarters(
        straighten_quad(patch.picture, patch.quad.astype(np.float32), READER_PX)
    ) == pytest.approx(GREYS, abs=25)


def test_finds_outside_tiles_are_none_and_half_tiles_are_skipped() -> None:
    tiles = np.array([quad_at(60, 60), quad_at(200, 60)])
    scene = label_picture(marked(tiles), tiles, ("1m", "2m"), (FACE, UNSURE))
    half, doubtful, nothing = quad_at(84, 60), quad_at(204, 62), quad_at(128, 180)
    (patch,) = cut_found(Finds(half, doubtful, nothing), [scene], np.random.default_rng(1))
    assert patch.label == INDEX[NO_TILE]


def test_a_find_much_longer_than_wide_is_cut_out_all_the_same() -> None:
    tile = quad_at(60, 60)
    scene = label_picture(marked(tile[None], 512), tile[None], ("1m",))
    patches = cut_found(Finds(quad_at(250, 200, 400, 0.4)), [scene], np.random.default_rng(1))
    assert {patch.label for patch in patches} == {INDEX[NO_TILE]}
    assert all(min(patch.picture.shape) >= 1 for patch in patches)
