"""How far a picture of tiles seen from aside is stretched."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.finding import choose_stretch, measure_misfits


def see_faces(turns_deg: list[float], lower: float) -> np.ndarray:
    """Faces 30 px wide, each turned, in a picture that shows them `lower` times as high as from above."""
    corners = [cv2.boxPoints(((100.0 * k, 50.0), (30.0, 40.5), turn)) for k, turn in enumerate(turns_deg)]
    return (np.array(corners) * [1, lower]).astype(np.float32)


@pytest.mark.parametrize("lower", [1.0, 0.7, 0.5, 0.3])
@pytest.mark.parametrize("turns_deg", [[0, 1, 2, -2], [90, 88, 91, 93], [0, 90, 20, 65, 110, 3]])
def test_slanted_faces_are_stretched_back(turns_deg: list[float], lower: float) -> None:
    assert choose_stretch(see_faces(turns_deg, lower)) * lower == pytest.approx(1.0, rel=0.13)


def test_a_few_tiles_that_stand_do_not_matter() -> None:
    lying, standing = see_faces([0, 90, 1, 89, 2], 0.5), see_faces([0, 0], 1.0)
    assert choose_stretch(np.concatenate([lying, standing])) == pytest.approx(2.0, rel=0.13)


def test_nothing_is_not_stretched() -> None:
    assert choose_stretch(np.zeros((0, 4, 2), np.float32)) == 1.0


def test_a_face_fits_where_it_has_its_proportions() -> None:
    assert measure_misfits(see_faces([0, 90, 30], 1.0), 1.0) == pytest.approx(np.zeros(3), abs=1e-3)
    assert measure_misfits(see_faces([0, 90, 30], 0.5), 2.0) == pytest.approx(np.zeros(3), abs=1e-3)
    assert (measure_misfits(see_faces([90, 30, 60], 0.5), 1.0) > 0.3).all()
