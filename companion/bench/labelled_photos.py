"""Labelled photos: COCO files that also give a group, whether every tile is labelled, and outlines where they
were drawn."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import InputError, quote
from companion.files import read_whole
from companion.tiles import BACK, KINDS
from companion.vision.geometry import Quads

NO_SPLIT = "No '{file}' in '{folder}': give the folder of the labelled pictures and the name of a split."
NOT_LABELS = (
    "'{file}' does not hold labels as COCO writes them ({why}): it needs images with file_name, group and "
    "complete, categories with a name, and annotations with image_id, category_id and bbox."
)
NO_CODE = (
    "'{file}' calls a tile {name}: the names are 1m to 9m, 1p to 9p, 1s to 9s, 1z to 7z, 1f to 8f, back."
)
CODES = frozenset({*(kind.code for kind in KINDS), BACK})


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A labelled photo with n labels.

    complete: every visible tile has a label; names: (n) codes; boxes: (n, 4, 2) px, upright; outlines: (n) of
    (k, 2) px, convex, None for a tile that has only its box.
    """

    path: Path
    group: str
    complete: bool
    names: tuple[str, ...]
    boxes: Quads
    outlines: tuple[Quads | None, ...]


def load_photos(data: Path, split: str) -> list[Photo]:
    """The photos of `data/photos/SPLIT.json`. Raises InputError where that file is missing or does not hold
    labels."""
    file = data / "photos" / f"{split}.json"
    if not file.is_file():
        raise InputError(NO_SPLIT, file=file.name, folder=file.parent)
    try:
        document = json.loads(read_whole(file))
        names = {category["id"]: str(category["name"]) for category in document["categories"]}
        labels: dict[int, list[tuple[str, list[list[float]], Quads | None]]] = defaultdict(list)
        for each in document["annotations"]:
            name = names[each["category_id"]]
            if name not in CODES:
                raise InputError(NO_CODE, file=file, name=quote(name))
            labels[each["image_id"]].append((name, _parse_box(each), _parse_outline(each)))
        return [
            Photo(
                path=file.parent / image["file_name"],
                group=str(image["group"]),
                complete=bool(image["complete"]),
                names=tuple(name for name, _, _ in labels[image["id"]]),
                boxes=np.array([box for _, box, _ in labels[image["id"]]], np.float32).reshape(-1, 4, 2),
                outlines=tuple(outline for _, _, outline in labels[image["id"]]),
            )
            for image in document["images"]
        ]
    except InputError:
        raise
    except OSError as problem:
        raise InputError(NOT_LABELS, file=file, why=problem.strerror) from problem
    except (ValueError, LookupError, TypeError, OverflowError, RecursionError, cv2.error) as problem:
        raise InputError(NOT_LABELS, file=file, why=type(problem).__name__) from problem


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
