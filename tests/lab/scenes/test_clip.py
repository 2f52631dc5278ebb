"""The recording of a drawn table."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import InputError
from lab.scenes.hand import FRAMES, HEIGHT, WIDTH, record


@pytest.mark.slow
def test_the_camera_wanders_and_comes_back(tmp_path: Path) -> None:
    record(tmp_path / "table.avi")
    clip = cv2.VideoCapture(str(tmp_path / "table.avi"))
    frames = []
    while (read := clip.read())[0]:
        frames.append(cv2.cvtColor(read[1], cv2.COLOR_BGR2GRAY).astype(np.int16))
    assert len(frames) == FRAMES
    assert {frame.shape for frame in frames} == {(HEIGHT, WIDTH)}
    from_first = [np.abs(frame - frames[0]).mean() for frame in frames]
    assert 0 < from_first[1] < from_first[FRAMES // 4]
    assert from_first[-1] == pytest.approx(from_first[1], rel=0.3)


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no-such"):
        record(tmp_path / "no-such" / "table.avi")
