"""Real photos, where the labelled collection is at hand: the share of tiles found and rightly named."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import models_dir
from companion.errors import InputError
from companion.vision.bench import bench, wilson


@pytest.mark.parametrize(("split", "bar"), [("dev-seen", 0.95), ("dev-unseen-set", 0.80)])
def test_tiles_of_real_photos_are_found_and_rightly_named(tile_data: Path, split: str, bar: float) -> None:
    figures = bench(tile_data, split, models_dir())
    assert figures["end_to_end"]["of"] > 900
    assert figures["end_to_end"]["value"] >= bar, figures


def test_a_set_learned_from_two_of_its_photos_is_named_right(tile_data: Path) -> None:
    figures = bench(tile_data, "dev-unseen-set", models_dir(), teach=2)
    assert figures["taught"]["kinds"] == 34
    assert figures["named_right_of_found"]["value"] >= 0.995, figures


def test_an_unknown_split_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no 'nowhere.json'"):
        bench(tmp_path, "nowhere", models_dir())


def test_wilson_intervals() -> None:
    low, high = wilson(95, 100)
    assert (round(low, 3), round(high, 3)) == (0.888, 0.978)
    assert wilson(0, 0) == (0.0, 1.0)
