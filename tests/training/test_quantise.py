"""What the networks are shown before they are written in 8 bits. Needs torch and onnx (extra `train`)."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.networks import GRID_PX, READER_PX
from tests.training.marked import label_picture, quad_at

pytest.importorskip("onnx")
pytest.importorskip("torch")

from models.training.export import FINDER, READER
from models.training.quantise import CROPS_A_SCENE, gather_inputs


@pytest.mark.parametrize("shape", [(720, 1280, 3), (431, 300, 3), (640, 640, 3)])
def test_pictures_of_any_size_are_shown_as_the_finder_takes_them(shape: tuple[int, int, int]) -> None:
    quads = np.array([quad_at(100 + 20 * n, 200) for n in range(CROPS_A_SCENE + 2)])
    table = label_picture(np.full(shape, 90, np.uint8), quads, ("1m",) * len(quads))
    inputs = gather_inputs([table])
    (seen,) = inputs[FINDER]
    assert all(side % GRID_PX == 0 for side in seen.shape[1:3]), "other sizes cannot go through the finder"
    assert max(seen.shape) <= 640
    assert {crop.shape for crop in inputs[READER]} == {(1, READER_PX, READER_PX, 3)}
    assert len(inputs[READER]) == CROPS_A_SCENE
