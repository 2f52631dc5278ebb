"""Print and handwriting near tiles."""

from __future__ import annotations

import numpy as np
import pytest

from lab.scenes.prints import PRINTS, draw_prints
from lab.scenes.tileset import TileBodies


@pytest.mark.parametrize("kind", PRINTS)
def test_a_seed_draws_one_picture_with_tiles_or_without(kind: str, bodies: TileBodies) -> None:
    for tiles in (True, False):
        one, other = (
            draw_prints(np.random.default_rng(4), bodies, width=320, height=240, kind=kind, tiles=tiles)
            for _ in range(2)
        )
        assert np.array_equal(one.image, other.image)
        assert bool(one.tiles) is tiles
