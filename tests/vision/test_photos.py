"""Real photos, where the labelled collection is at hand: the share of tiles found and rightly named."""

from __future__ import annotations

import json
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


def test_a_set_learned_from_two_of_its_photos_is_named_right(tile_data: Path, tmp_path: Path) -> None:
    told = json.loads((tile_data / "photos" / "dev-unseen-set.json").read_text())
    told["images"] = told["images"][::8]  # the whole would take a minute
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "few.json").write_text(json.dumps(told))
    (tmp_path / "photos" / "images").symlink_to(tile_data / "photos" / "images")
    plain, taught = (bench(tmp_path, "few", models_dir(), teach) for teach in (0, 2))
    assert taught["taught"]["kinds"] >= 30
    assert taught["named_right_of_found"]["value"] >= max(0.99, plain["named_right_of_found"]["value"])
    assert taught["silent_errors"]["right"] <= plain["silent_errors"]["right"]


def test_an_unknown_split_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no 'nowhere.json'"):
        bench(tmp_path, "nowhere", models_dir())


def test_wilson_intervals() -> None:
    low, high = wilson(95, 100)
    assert (round(low, 3), round(high, 3)) == (0.888, 0.978)
    assert wilson(0, 0) == (0.0, 1.0)
