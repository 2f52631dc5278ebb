"""A film that is followed again and again by one watch, as an evening at one table."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.config import models_dir
from companion.images import Image
from companion.live.table_watch import TableWatch
from companion.seeing.sights import Sight
from companion.vision import Recogniser
from lab.bench import table_video
from lab.bench.table_video import PAUSE_NS, follow_again

FRAMES, FRAME_S = 6, 0.1


def write_film(folder: Path) -> tuple[Path, Path]:
    """Bare cloth, and next to nothing that is true of it."""
    video, truth = folder / "hand.avi", folder / "hand.jsonl"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), round(1 / FRAME_S), (320, 180))
    for _ in range(FRAMES):
        writer.write(np.full((180, 320, 3), 90, np.uint8))
    writer.release()
    truth.write_text(json.dumps({"rules": "hefei", "options": {}, "dealer": 0, "camera": {}}))
    return video, truth


@pytest.mark.slow
def test_a_film_followed_again_goes_on_in_time_and_tells_memory_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[float] = []
    make = table_video.watch_table

    def watch_table(*given: object, **more: object) -> TableWatch:
        watch = make(*given, **more)  # type: ignore[arg-type]
        look = watch.look

        def note(image: Image, t: float) -> Sight | None:
            seen.append(t)
            return look(image, t)

        monkeypatch.setattr(watch, "look", note)
        return watch

    monkeypatch.setattr(table_video, "watch_table", watch_table)
    memory = follow_again(*write_film(tmp_path), Recogniser(models_dir(), threads=1), 3)
    assert len(memory) == 3
    assert memory == sorted(memory)
    assert len(seen) == 3 * FRAMES
    gaps = np.diff(seen)
    assert gaps.min() > 0
    assert np.isclose(gaps[[FRAMES - 1, 2 * FRAMES - 1]], PAUSE_NS / 1e9, atol=1e-6).all()
