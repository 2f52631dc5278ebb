"""`companion bench vision` for people: a table, the role of the split, and the flag of a release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from lab.scenes.hand import render_hand


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A collection with two groups of pictures without tiles, in a dev split and in one of nobody's."""
    (tmp_path / "photos").mkdir()
    cv2.imwrite(str(tmp_path / "photos" / "a.jpg"), np.full((96, 128, 3), 90, np.uint8))
    images = [
        {"id": n, "file_name": "a.jpg", "group": group, "complete": True, "covered": True}
        for n, group in enumerate(("cloth", "wood"))
    ]
    for split in ("tileless", "mine"):
        document = {"images": images, "annotations": [], "categories": []}
        (tmp_path / "photos" / f"{split}.json").write_text(json.dumps(document))
    return tmp_path


def test_each_group_is_a_row_and_the_role_is_said(call: Any, bare: Path) -> None:
    printed = call("bench", "vision", "--data", bare, "--split", "tileless").out
    assert "tileless: dev, 2 photos" in printed
    rows = {line.split()[0]: line.split()[1:] for line in printed.splitlines() if line.strip()}
    assert rows["cloth"] == rows["wood"] == ["–", "–", "–", "–", "–", "1/1", "1/1"]
    assert rows["all"] == ["–", "–", "–", "–", "–", "2/2", "2/2"]
    assert "In no list of splits" in call("bench", "vision", "--data", bare, "--split", "mine").out


def test_every_figure_is_in_the_json(call: Any, bare: Path) -> None:
    figures = json.loads(call("bench", "vision", "--data", bare, "--split", "mine", "--json").out)
    assert (figures["role"], figures["seed"]) == (None, None)
    assert figures["nothing_found"]["right"] == figures["groups"]["wood"]["nothing_found"]["of"] * 2 == 2
    assert {"found", "end_to_end", "precision"} <= figures["backs"].keys() == figures["faces"].keys()


def test_only_a_test_split_is_logged(call: Any, bare: Path) -> None:
    refused = call("bench", "vision", "--data", bare, "--split", "tileless", "--release").refused(2)
    assert "'tileless' is no test split (its role: dev)" in refused
    assert "--data and --split" in call("bench", "vision", "--speed", "--release").refused(2)


def test_kinds_are_learned_from_photos(call: Any, bare: Path) -> None:
    of_bare = ("bench", "vision", "--data", bare, "--split", "tileless")
    assert "give --learn too" in call(*of_bare, "--kinds", 20).refused(2)
    assert "at most 0 can be learned from" in call(*of_bare, "--kinds", 20, "--learn", 1).refused(2)


def test_mirrored_photos_are_counted(call: Any, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    tiles = render_hand([["6m", "7m", "9m", "3p", "7p", "2s"]], seed=4)
    cv2.imwrite(str(tmp_path / "photos" / "a.png"), tiles.image)
    document = {
        "images": [{"id": 1, "file_name": "a.png", "group": "drawn", "complete": True}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 50, 60]}],
        "categories": [{"id": 1, "name": "6m"}],
    }
    (tmp_path / "photos" / "mine.json").write_text(json.dumps(document))
    (figures,) = call("bench", "mirrored", "--data", tmp_path, "--split", "mine", "--json").document[
        "figures"
    ]
    assert (figures["photos"], figures["noticed"], figures["taken_for_mirrored"]) == (1, 1, 0)
    assert figures["sure_wrong"] == figures["sure_wrong_noticed"] == 0
