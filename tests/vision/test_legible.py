"""Small faces need surer names than large ones."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.candidates import (
    CLEAR_PX,
    LEAST_PX,
    LEGIBLE_PX,
    SURER,
    SURER_OF_VARIED,
    SURER_WHERE_TAUGHT,
    SUREST,
    are_legible,
)


@pytest.mark.parametrize(
    ("high_px", "code", "certainty", "legible"),
    [
        (LEAST_PX - 1, "3p", 1.0, False),
        (LEAST_PX + 1, "3p", SUREST - 0.01, False),
        (LEAST_PX + 1, "3p", SUREST + 0.01, True),
        (LEGIBLE_PX - 1, "3p", SUREST - 0.01, False),
        (LEGIBLE_PX + 1, "3p", SURER - 0.02, False),
        (LEGIBLE_PX + 1, "3p", SURER + 0.02, True),
        (CLEAR_PX - 1, "3p", SURER - 0.02, False),
        (CLEAR_PX + 1, "3p", SURER - 0.02, True),
        (CLEAR_PX - 1, "1s", SURER_OF_VARIED - 0.02, False),
        (CLEAR_PX - 1, "4f", SURER_OF_VARIED + 0.02, True),
        (CLEAR_PX + 1, "4f", SURER_OF_VARIED - 0.02, True),
        (LEAST_PX + 1, "4f", SURER_OF_VARIED + 0.02, False),
    ],
)
def test_a_small_face_is_named_where_its_name_is_sure(
    high_px: float, code: str, certainty: float, legible: bool
) -> None:
    wide = high_px / 1.4
    quad = np.array([[[0, 0], [wide, 0], [wide, high_px], [0, high_px]]], np.float32)
    assert are_legible(quad, [code], np.array([certainty], np.float32)).tolist() == [legible]


def test_where_a_set_was_learned_a_name_need_not_be_as_sure() -> None:
    quad = np.array([[[0, 0], [20, 0], [20, CLEAR_PX - 1], [0, CLEAR_PX - 1]]], np.float32)
    sure = np.array([SURER_WHERE_TAUGHT + 0.02], np.float32)
    assert not are_legible(quad, ["4f"], sure).any()
    assert are_legible(quad, ["4f"], sure, taught=True).all()
