"""A collection without a design holds nothing of it, and one of the design alone all of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.errors import InputError
from lab.bench.labelled_photos import load_photos
from models.training.left_out import LEFT_OUT, list_sets, load_labels, write_alone, write_without
from models.training.table_sets import BY_GROUP, DOUBTFUL, EXCEPTIONS, LETTERED, WHEELS, find_set
from tests.training.collection import make_collection


def numbers(file: Path) -> set[int]:
    return {image["id"] for image in json.loads(file.read_text())["images"]}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_collection(tmp_path_factory.mktemp("data"))


def test_designs_are_told_apart_by_group_but_for_some_photos() -> None:
    assert find_set({"id": 9999, "group": "live-green"}) == "blue-parrot"
    assert find_set({"id": 462, "group": "live-green"}) == "pale"
    assert find_set({"id": 197, "group": "live-green"}) is None
    assert find_set({"id": 9999, "group": "black-tray"}) is None, "a test split is left out of no training"


def test_no_photo_is_of_two_designs() -> None:
    listed = [number for photos in EXCEPTIONS.values() for number in photos]
    assert len(listed) == len(set(listed))
    assert not DOUBTFUL & set(listed)
    assert len({*BY_GROUP.values(), *EXCEPTIONS}) >= 6


def test_the_photos_of_the_real_collection_have_their_designs(tile_data: Path) -> None:
    labels = load_labels(tile_data)
    photos = [image for each in labels.values() for image in each["images"]]
    assert {image["id"] for image in photos if find_set(image) is None} == DOUBTFUL
    assert {number for shown in EXCEPTIONS.values() for number in shown} <= {i["id"] for i in photos}


@pytest.mark.slow
def test_left_out_photos_are_not_in_the_rest(data: Path, tmp_path: Path) -> None:
    labels = load_labels(data)
    assert list_sets(labels) == [LETTERED, WHEELS]
    write_without(labels, data, LETTERED, tmp_path / "others")
    write_alone(labels, LETTERED, tmp_path / "alone")
    others = tmp_path / "others" / "photos"
    assert sorted(file.name for file in others.glob("*.json")) == ["dev-seen.json", "train.json"]
    assert numbers(others / "train.json") == {11, 12}
    assert numbers(others / "dev-seen.json") == {21}
    assert numbers(tmp_path / "alone" / "photos" / f"{LEFT_OUT}.json") == set(range(1, 8))
    annotations = json.loads((others / "train.json").read_text())["annotations"]
    assert {each["image_id"] for each in annotations} == {11, 12}
    photos = load_photos(tmp_path / "others", "train") + load_photos(tmp_path / "alone", LEFT_OUT)
    assert all(photo.path.is_file() for photo in photos)
    assert (tmp_path / "others" / "crops" / "labels.csv").is_file()


def test_a_folder_is_written_again_where_it_is_there(data: Path, tmp_path: Path) -> None:
    for _ in range(2):
        write_without(load_labels(data), data, WHEELS, tmp_path)
    assert numbers(tmp_path / "photos" / "train.json") == set(range(1, 7))


@pytest.mark.parametrize(
    "content", ["no json", "[]", '{"images": [{"id": 1}]}', '{"images": [{"file_name": 7}]}']
)
def test_other_labels_are_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "train.json").write_text(content)
    with pytest.raises(InputError, match=r"train\.json' does not hold the labels"):
        load_labels(tmp_path)
