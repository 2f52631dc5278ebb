"""A film, a folder of pictures and a camera are checked as they come."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cameras.sources import open_source
from companion.config import models_dir
from companion.live.camera_check import check_source
from companion.seeing.camera_check import Aspect
from companion.vision.recogniser import Recogniser


def draw(size: tuple[int, int], light: float = 1.0) -> np.ndarray:
    """A picture of that width and height, with bands of light."""
    width, height = size
    rows = np.arange(height)[:, None, None]
    return (120 + 20 * np.sin(rows / 20 + 2 * light) + np.zeros((height, width, 3))).astype(np.uint8)


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(models_dir())


def test_a_film_that_flickers(tmp_path: Path, recogniser: Recogniser) -> None:
    film = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 15, (640, 480))
    for number in range(20):
        writer.write(draw((640, 480), number))
    writer.release()
    with open_source(str(film)) as source:
        findings = {each.aspect: each for each in check_source(source, recogniser)}
    assert findings[Aspect.RESOLUTION].shown == "640×480"
    assert findings[Aspect.TABLE].good is False
    assert findings[Aspect.FLICKER].good is False


def test_pictures_of_other_scenes_and_sizes_show_no_flicker(tmp_path: Path, recogniser: Recogniser) -> None:
    for number, size in enumerate(((640, 480), (640, 480), (640, 480), (320, 240), (640, 480))):
        cv2.imwrite(str(tmp_path / f"{number}.png"), draw(size, number))
    with open_source(str(tmp_path)) as source:
        findings = {each.aspect: each for each in check_source(source, recogniser)}
    assert findings[Aspect.FLICKER].good is None
