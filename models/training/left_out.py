"""Collections that lack one design, and collections of that design alone: folders, so that whatever learns
from one or is fitted on one cannot see what it lacks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.files import write_whole
from lab.bench.labelled_photos import FOLDERS
from models.training.table_sets import find_set

SPLITS = ("photos/train.json", "photos/dev-seen.json", "photos-2/train-2.json")
"""Splits whose photos are left out and read; none is a test split."""
LEFT_OUT = "left-out"
NOT_THE_COLLECTION = "'{file}' does not hold the labels of the collection ({why})."

Json = dict[str, Any]


def load_labels(data: Path) -> dict[str, Json]:
    """The labels of those of `SPLITS` that a collection has, every picture named by its whole path. Raises
    InputError for a file that holds others."""
    result: dict[str, Json] = {}
    for name in SPLITS:
        file = data / name
        if not file.is_file():
            continue
        try:
            labels = json.loads(file.read_text())
            for image in labels["images"]:
                image["file_name"] = str((file.parent / image["file_name"]).resolve())
                find_set(image)
            if labels["categories"] != next(iter(result.values()), labels)["categories"]:
                raise ValueError
        except (ValueError, LookupError, TypeError) as problem:
            raise InputError(NOT_THE_COLLECTION, file=file, why=type(problem).__name__) from problem
        result[name] = labels
    return result


def list_sets(labels: Mapping[str, Json]) -> list[str]:
    """The designs that the photos of some splits show, by name."""
    shown = {find_set(image) for each in labels.values() for image in each["images"]}
    return sorted(design for design in shown if design)


def write_without(labels: Mapping[str, Json], data: Path, design: str, folder: Path) -> None:
    """Makes `folder` a collection like `data`, but with no labels other than those of `SPLITS`, and of these
    none of a design, nor of photos whose design is in doubt."""
    for entry in data.iterdir():
        for inner in entry.iterdir() if entry.name in FOLDERS else (entry,):
            link = folder / inner.relative_to(data)
            if inner.suffix != ".json" and not link.exists():
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(inner.resolve())
    for name, each in labels.items():
        _write(folder / name, each, [i for i in each["images"] if find_set(i) not in (None, design)])


def write_alone(labels: Mapping[str, Json], design: str, folder: Path) -> None:
    """Makes `folder` a collection with one split, LEFT_OUT, of all photos of a design."""
    merged: Json = {
        "categories": next(iter(labels.values()))["categories"],
        "images": [image for each in labels.values() for image in each["images"]],
        "annotations": [annotation for each in labels.values() for annotation in each["annotations"]],
    }
    shown = [image for image in merged["images"] if find_set(image) == design]
    _write(folder / "photos" / f"{LEFT_OUT}.json", merged, shown)


def _write(file: Path, labels: Json, images: list[Json]) -> None:
    """Writes the labels of some of the images."""
    numbers = {image["id"] for image in images}
    annotations = [each for each in labels["annotations"] if each["image_id"] in numbers]
    content = labels | {"images": images, "annotations": annotations}
    write_whole(file, json.dumps(content).encode())
