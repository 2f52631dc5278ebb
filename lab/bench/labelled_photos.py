"""Labelled photos: COCO files that also give a group, whether every tile is labelled, outlines where they
were drawn, and regions that nobody judges; and pictures without tiles.

A collection has two parts, photos/ and photos-2/; what is in a file is relative to the file's folder.
"""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import InputError, quote
from companion.files import read_whole
from companion.foreign import reading
from companion.tiles import BACK, KINDS
from companion.vision.candidates import Quads

NO_SPLIT = "No '{file}' in '{folder}': give the folder of the labelled pictures and the name of a split."
NOT_LABELS = (
    "'{file}' does not hold labels as COCO writes them ({why}): it needs images with file_name, group and "
    "complete, categories with a name, and annotations with image_id, category_id and bbox."
)
NOT_A_LIST = "'{file}' does not list pictures ({why}): it needs the columns file and kind."
NO_CODE = (
    "'{file}' calls a tile {name}: the names are 1m to 9m, 1p to 9p, 1s to 9s, 1z to 7z, 1f to 8f, back."
)
CODES = frozenset({*(kind.code for kind in KINDS), BACK})
FOLDERS = ("photos", "photos-2")
NEGATIVES = {"negatives-2": ("photos-2/others.csv", "negatives/")}
"""Splits of pictures without tiles: the list that names them, and how their files begin in it."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A labelled photo with n labels.

    complete: every visible face has a label; names: (n) codes; boxes: (n, 4, 2) px, upright; outlines: (n) of
    (k, 2) px, convex, None for a tile that has only its box; backs_complete: every flat back has a label;
    covered: every tile has a label or lies in an ignored region, so that a find elsewhere is wrong; ignore:
    polygons (k, 2) px, where a find that is no labelled tile is neither right nor wrong.
    """

    path: Path
    group: str
    complete: bool
    names: tuple[str, ...]
    boxes: Quads
    outlines: tuple[Quads | None, ...]
    backs_complete: bool = False
    covered: bool = False
    ignore: tuple[Quads, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class LabelledSplit:
    """The photos of a split; seed: what its pictures were drawn with, None for photographed ones."""

    photos: list[Photo]
    seed: int | None = None


def load_split(data: Path, split: str) -> LabelledSplit:
    """The split of `data/photos/SPLIT.json`, or of `data/photos-2/SPLIT.json`, or the pictures without tiles
    of that name. Raises InputError where it is missing or its file does not hold labels."""
    if split in NEGATIVES:
        name, beginning = NEGATIVES[split]
        return _read(data / name, NOT_A_LIST, lambda file: _load_negatives(file, beginning))
    files = [data / folder / f"{split}.json" for folder in FOLDERS]
    return _read(next((file for file in files if file.is_file()), files[0]), NOT_LABELS, _load_labels)


def load_photos(data: Path, split: str) -> list[Photo]:
    """The photos of a split. Raises InputError as `load_split` does."""
    return load_split(data, split).photos


def _read(file: Path, complaint: str, load: Callable[[Path], LabelledSplit]) -> LabelledSplit:
    if not file.is_file():
        raise InputError(NO_SPLIT, file=file.name, folder=file.parent)
    with reading(lambda why: InputError(complaint, file=file, why=why)):
        return load(file)


def _load_negatives(file: Path, beginning: str) -> LabelledSplit:
    lines = csv.DictReader(read_whole(file).decode("utf-8").splitlines(), strict=True)
    named = [(line["file"], line["kind"]) for line in lines]
    if any(None in each for each in named):
        raise ValueError
    nothing = np.zeros((0, 4, 2), np.float32)
    return LabelledSplit(
        [
            Photo(file.parent / name, kind, True, (), nothing, (), backs_complete=True, covered=True)
            for name, kind in named
            if name.startswith(beginning)
        ]
    )


def _load_labels(file: Path) -> LabelledSplit:
    document = json.loads(read_whole(file))
    names = {category["id"]: str(category["name"]) for category in document["categories"]}
    labels: dict[int, list[tuple[str, list[list[float]], Quads | None]]] = defaultdict(list)
    for each in document["annotations"]:
        name = names[each["category_id"]]
        if name not in CODES:
            raise InputError(NO_CODE, file=file, name=quote(name))
        labels[each["image_id"]].append((name, _parse_box(each), _parse_outline(each)))
    seed = document.get("info", {}).get("seed")
    photos = [_make_photo(file.parent, image, labels[image["id"]]) for image in document["images"]]
    return LabelledSplit(photos, None if seed is None else int(seed))


def _make_photo(
    folder: Path, image: Mapping[str, Any], labels: list[tuple[str, list[list[float]], Quads | None]]
) -> Photo:
    names = tuple(name for name, _, _ in labels)
    complete = bool(image["complete"])
    return Photo(
        path=folder / image["file_name"],
        group=str(image["group"]),
        complete=complete,
        names=names,
        boxes=np.array([box for _, box, _ in labels], np.float32).reshape(-1, 4, 2),
        outlines=tuple(outline for _, _, outline in labels),
        # Without the field, a photo that labels no back says nothing of those that it shows.
        backs_complete=bool(image.get("backs_complete", complete and BACK in names)),
        covered=bool(image.get("covered", False)),
        ignore=tuple(_parse_region(region) for region in image.get("ignore", ())),
    )


def _parse_region(numbers: list[float]) -> Quads:
    points = np.array(numbers, np.float32).reshape(-1, 2)
    if len(points) < 3 or not np.isfinite(points).all():
        raise ValueError
    return points


def _parse_box(annotation: dict[str, Any]) -> list[list[float]]:
    x, y, w, h = map(float, annotation["bbox"])
    if not np.isfinite((x, y, w, h)).all():
        raise ValueError
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]


def _parse_outline(annotation: dict[str, Any]) -> Quads | None:
    drawn = annotation.get("segmentation")
    if not drawn:
        return None
    points = np.array(drawn[0], np.float32).reshape(-1, 2)
    return np.asarray(cv2.convexHull(points)[:, 0], np.float32)
