"""What `companion read` takes in all, whatever the file: the peak of a real process. All of them:
`python -m tests.vision.heavy_pictures`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.heavy_pictures import HEAVY, read

pytestmark = pytest.mark.slow

PEAK_MAX_MB = 500

REFUSED = {
    "thin.png": "has 1 × 79000000 pixels, and at most 32000 a side",
    "rgb.png": "8900 × 8900 pixels (80 megapixels), and at most 42 megapixels of PNG pictures",
    "progressive-444.jpg": "at most 28 megapixels of JPEG pictures like it",
    "lossless.webp": "at most 19 megapixels of WebP pictures like it",
    "many-strips.tiff": "contains too much data besides the picture",
    "giant-tile.tiff": "contains too much data besides the picture",
}
READ = {
    "itxt.png": (640, 480),
    "24mp.png": (6000, 4000),
    "108mp.jpg": (12000, 9000),
    "50mp-progressive.jpg": (8160, 6120),
    "tiles-all-over.png": (4800, 4860),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", REFUSED)
def test_what_would_take_too_much_is_refused(tmp_path: Path, name: str) -> None:
    HEAVY[name](tmp_path / name)
    outcome = read(tmp_path / name)
    assert REFUSED[name] in str(outcome.entry["error"])
    assert outcome.said.count("\n") == 0
    assert outcome.peak_mb < PEAK_MAX_MB


@pytest.mark.long
@pytest.mark.parametrize("name", READ)
def test_what_is_large_and_sound_is_read(tmp_path: Path, name: str) -> None:
    HEAVY[name](tmp_path / name)
    outcome = read(tmp_path / name)
    assert (outcome.entry["width"], outcome.entry["height"]) == READ[name]
    assert outcome.peak_mb < PEAK_MAX_MB
