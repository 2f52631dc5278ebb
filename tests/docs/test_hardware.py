"""The heights on docs/hardware.md follow from the angles beside them."""

from __future__ import annotations

import re
from math import atan, degrees, hypot, radians, tan

import pytest
from documents import REPOSITORY

MARGIN_CM = 5
TILE_MM = 35
PICTURE_PX = 1080
PAGE = (REPOSITORY / "docs/hardware.md").read_text(encoding="utf-8")
LENS = re.compile(r"^\| (.*?) \| ([\d.]+)° \| (\d+) cm \| (\d+) cm \|$", re.MULTILINE)


@pytest.mark.parametrize(("lens", "vertical", "small_cm", "large_cm"), LENS.findall(PAGE))
def test_a_camera_at_that_height_sees_the_table(
    lens: str, vertical: str, small_cm: str, large_cm: str
) -> None:
    if diagonal := re.search(r"(\d+)° diagonal", lens):
        seen = degrees(2 * atan(tan(radians(int(diagonal[1]) / 2)) * 9 / hypot(16, 9)))
        assert float(vertical) == round(seen, 1)
    for side_cm, height_cm in ((80, small_cm), (90, large_cm)):
        assert int(height_cm) == round((side_cm / 2 + MARGIN_CM) / tan(radians(float(vertical) / 2)))


def test_tiles_are_as_high_as_stated() -> None:
    small_px, large_px = (PICTURE_PX * TILE_MM / 10 / (side_cm + 2 * MARGIN_CM) for side_cm in (80, 90))
    assert f"is {small_px:.0f} px high" in PAGE
    assert f"and {large_px:.0f} px on" in PAGE
