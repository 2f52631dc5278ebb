"""A set of tiles that is quick to draw, its faces red with a blue corner, its backs green."""

from __future__ import annotations

import numpy as np
import pytest

from companion.tiles import KINDS
from lab.scenes.tileset import TileBodies


@pytest.fixture(scope="session")
def bodies() -> TileBodies:
    face = np.zeros((80, 60, 4), np.uint8)
    face[8:72, 6:54] = (20, 20, 220, 255)
    face[8:30, 6:24] = (220, 60, 20, 255)
    faces = {tile.code: face for tile in KINDS if tile.code != "5z"}
    blank = {"5z": np.zeros((80, 60, 4), np.uint8)}
    return TileBodies(
        np.array([26.0, 35.0, 20.0]), faces | blank, (240, 250, 250), (40, 180, 30), split=0.75, gloss=0.5
    )
