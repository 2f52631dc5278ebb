"""Splits of both parts of a collection, their roles, and the log of test runs."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.config import models_dir
from companion.errors import InputError, MissingError
from lab.bench.labelled_photos import (
    DEV_SEED,
    TEST_SEED,
    LabelledSplit,
    Role,
    find_role,
    load_photos,
    load_split,
)
from lab.bench.reading_accuracy import LOG, bench

LABEL = {"image_id": 1, "category_id": 1, "bbox": [10, 10, 30, 40]}
CATEGORIES = [{"id": 1, "name": "1m"}, {"id": 2, "name": "back"}]


def write(folder: Path, split: str, *images: dict[str, Any], **more: Any) -> None:
    described = [{"id": n + 1, "file_name": "a.jpg", "group": "g"} | image for n, image in enumerate(images)]
    document = {"images": described, "annotations": [LABEL], "categories": CATEGORIES} | more
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{split}.json").write_text(json.dumps(document))
    cv2.imwrite(str(folder / "a.jpg"), np.full((96, 128, 3), 90, np.uint8))


def test_a_split_is_looked_for_in_both_parts(tmp_path: Path) -> None:
    write(tmp_path / "photos-2", "mine", {"complete": True})
    assert [photo.path for photo in load_photos(tmp_path, "mine")] == [tmp_path / "photos-2" / "a.jpg"]
    write(tmp_path / "photos", "mine", {"complete": True})
    assert [photo.path for photo in load_photos(tmp_path, "mine")] == [tmp_path / "photos" / "a.jpg"]


def test_label_notes_of_a_photo_are_kept(tmp_path: Path) -> None:
    region = [1, 2, 30, 2, 30, 40]
    said = {"complete": False, "backs_complete": True, "covered": True, "ignore": [region]}
    write(tmp_path / "photos", "mine", said, {"complete": True})
    one, other = load_photos(tmp_path, "mine")
    assert (one.complete, one.backs_complete, one.covered) == (False, True, True)
    assert [corners.tolist() for corners in one.ignore] == [[[1, 2], [30, 2], [30, 40]]]
    assert (other.backs_complete, other.covered, other.ignore) == (False, False, ())


def test_without_the_field_backs_are_complete_where_one_is_labelled(tmp_path: Path) -> None:
    back = LABEL | {"category_id": 2}
    write(tmp_path / "photos", "mine", {"complete": True}, annotations=[back])
    write(tmp_path / "photos", "partly", {"complete": False}, annotations=[back])
    (mine,), (partly,) = load_photos(tmp_path, "mine"), load_photos(tmp_path, "partly")
    assert (mine.backs_complete, partly.backs_complete) == (True, False)


@pytest.mark.parametrize(
    "ignore", [7, [7], [[1, 2, 3]], [[1, 2, 3, 4]], ["no"], [[1, 2, 3, 4, 5, float("nan")]], {"a": 1}]
)
def test_regions_that_are_none_are_refused(tmp_path: Path, ignore: Any) -> None:
    write(tmp_path / "photos", "mine", {"complete": True, "ignore": ignore})
    with pytest.raises(InputError, match=r"mine\.json' does not hold labels"):
        load_photos(tmp_path, "mine")


@pytest.mark.parametrize("more", [{"info": 7}, {"info": {"seed": "x"}}, {"images": [7]}, {"images": ["x"]}])
def test_other_odd_labels_are_refused(tmp_path: Path, more: dict[str, Any]) -> None:
    write(tmp_path / "photos", "mine", **more)
    with pytest.raises(InputError, match=r"mine\.json' does not hold labels"):
        load_split(tmp_path, "mine")


def test_negatives_are_those_of_their_list(tmp_path: Path) -> None:
    folder = tmp_path / "photos-2"
    folder.mkdir()
    (folder / "others.csv").write_text(
        "file,kind,width\nnegatives/a.jpg,hands,9\nunlabelled/b.jpg,tiles,9\nnegatives/c.jpg,books,9\n"
    )
    photos = load_photos(tmp_path, "negatives-2")
    assert [(photo.path, photo.group) for photo in photos] == [
        (folder / "negatives" / "a.jpg", "hands"), (folder / "negatives" / "c.jpg", "books"),
    ]  # fmt: skip
    assert all(photo.covered and photo.complete and not photo.names for photo in photos)


@pytest.mark.parametrize(
    "content", [b"a,b\n1,2\n", b"\xff\xfe\x00", b'file,kind\n"negatives/a.jpg,x', b"file,kind\nx\n,"]
)
def test_a_damaged_list_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "photos-2").mkdir()
    (tmp_path / "photos-2" / "others.csv").write_bytes(content)
    with pytest.raises(InputError, match=r"others\.csv' does not list pictures"):
        load_photos(tmp_path, "negatives-2")


def test_each_split_has_its_role() -> None:
    photographed, drawn = LabelledSplit([]), LabelledSplit([], TEST_SEED)
    assert find_role("dev-seen", photographed) is Role.DEV
    assert find_role("train-2", photographed) is Role.TRAIN
    assert find_role("dev-unseen-set", photographed) is Role.TEST
    assert find_role("mine", photographed) is None
    assert find_role("causes", drawn) is Role.TEST
    assert find_role("causes", LabelledSplit([], DEV_SEED)) is Role.DEV
    assert find_role("causes", photographed) is Role.DEV, "drawn when no file named its seed"


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    for path in (*models_dir().glob("*.onnx"), models_dir() / "manifest.json"):
        shutil.copy(path, folder)
    return folder


def test_a_test_run_is_logged_when_asked_to(tmp_path: Path, models: Path) -> None:
    write(tmp_path / "photos", "causes", {"complete": True, "covered": True}, info={"seed": TEST_SEED})
    assert bench(tmp_path, "causes", models)["role"] == "test"
    assert not (models / LOG).exists()
    for _ in range(2):
        bench(tmp_path, "causes", models, release=True)
    first, second = ((models / LOG).read_text()).splitlines()
    assert first == second
    line = json.loads(first)
    assert (line["split"], line["seed"], line["photos"], line["learned_from"]) == ("causes", TEST_SEED, 1, 0)
    assert line["reader"] == hashlib.sha256((models / "reader.onnx").read_bytes()).hexdigest()
    assert line["manifest"] == hashlib.sha256((models / "manifest.json").read_bytes()).hexdigest()
    assert line["end_to_end"] == [0, 1]
    assert line["backs"]["found"] == [0, 0]
    assert "groups" not in line


def test_only_test_splits_are_logged(tmp_path: Path, models: Path) -> None:
    write(tmp_path / "photos", "dev-seen", {"complete": True})
    with pytest.raises(InputError, match=r"'dev-seen' is no test split \(its role: dev\)"):
        bench(tmp_path, "dev-seen", models, release=True)
    assert not (models / LOG).exists()


def test_a_log_that_cannot_be_written_is_named_before_anything_is_read(tmp_path: Path, models: Path) -> None:
    write(tmp_path / "photos", "causes", {"complete": True}, info={"seed": TEST_SEED})
    (tmp_path / "photos" / "a.jpg").unlink()
    (models / LOG).mkdir()
    with pytest.raises(MissingError, match=r"Nothing can be added to '.*TEST_RUNS\.jsonl'"):
        bench(tmp_path, "causes", models, release=True)
