"""How well labelled photos are read: found, named right, both; by group; with 95% Wilson intervals."""

from __future__ import annotations

import json
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from companion.errors import InputError
from companion.tiles import BACK, UNKNOWN
from companion.vision.geometry import Quads, overlap
from companion.vision.reading import Reading
from companion.vision.recogniser import Recogniser

MATCH_IOU = 0.5  # of a found tile's upright box with a labelled one, from which on they are the same tile

NO_SPLIT = (
    "There is no '{file}' in '{folder}': give the folder of the labelled pictures and the name of a split."
)

NOT_LABELS = (
    "'{file}' does not hold labels as COCO writes them ({why}): it needs images with file_name, group and "
    "complete, categories with a name, and annotations with image_id, category_id and bbox."
)


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A labelled photo. `complete`: every visible tile has a label; boxes: (n, 4, 2) px, one a name."""

    path: Path
    group: str
    complete: bool
    names: tuple[str, ...]
    boxes: Quads


def wilson(right: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """95% interval of a share (Wilson 1927)."""
    if of == 0:
        return 0.0, 1.0
    p = right / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * np.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return float(middle - half), float(min(1.0, middle + half))


def _boxed(quads: Quads) -> Quads:
    low, high = quads.min(axis=1), quads.max(axis=1)
    corners = [low, np.stack([high[:, 0], low[:, 1]], 1), high, np.stack([low[:, 0], high[:, 1]], 1)]
    return np.stack(corners, axis=1).astype(np.float32)


def matched(reading: Reading, boxes: Quads) -> list[int | None]:
    """For every labelled box (n, 4, 2) the index of the found tile that is the same, the best overlaps
    first."""
    quads = np.array([tile.quad for tile in reading.tiles], np.float32).reshape(-1, 4, 2)
    found = _boxed(quads) if len(quads) else quads
    pairs = sorted(
        ((overlap(box, quad), b, f) for b, box in enumerate(boxes) for f, quad in enumerate(found)),
        reverse=True,
    )
    result: list[int | None] = [None] * len(boxes)
    taken: set[int] = set()
    for iou, b, f in pairs:
        if iou >= MATCH_IOU and result[b] is None and f not in taken:
            result[b] = f
            taken.add(f)
    return result


def bench(data: Path, split: str, models: Path) -> dict[str, Any]:
    """Reads every photo of `data/photos/SPLIT.json` (COCO) and compares it with its labels.

    "end_to_end": share of labelled tiles found and named right; precision is taken over photos in which every
    visible tile is labelled. Raises InputError for a split that is not there or has no labels,
    ModelError for missing models.
    """
    file = data / "photos" / f"{split}.json"
    if not file.is_file():
        raise InputError(NO_SPLIT, file=file.name, folder=file.parent)
    photos = _labelled(file)
    recogniser = Recogniser(models)
    total: Counter[str] = Counter()
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    confusions: Counter[tuple[str, str]] = Counter()
    times: dict[str, list[float]] = defaultdict(list)
    for photo in photos:
        reading = recogniser.read_file(photo.path)
        tally = _compare(reading, photo, confusions)
        total += tally
        groups[photo.group] += tally
        for stage, ms in reading.ms.items():
            times[stage].append(ms)
    return {
        "split": split,
        "photos": len(photos),
        **_figures(total),
        "groups": {group: _figures(tally) for group, tally in sorted(groups.items())},
        "confusions": [[wanted, got, count] for (wanted, got), count in confusions.most_common(20)],
        "ms_median": {stage: round(statistics.median(values), 1) for stage, values in times.items()},
    }


def _labelled(file: Path) -> list[Photo]:
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        names = {category["id"]: str(category["name"]) for category in told["categories"]}
        labels: dict[int, list[tuple[str, list[list[float]]]]] = defaultdict(list)
        for annotation in told["annotations"]:
            x, y, w, h = map(float, annotation["bbox"])
            corners = [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]
            labels[annotation["image_id"]].append((names[annotation["category_id"]], corners))
        return [
            Photo(
                path=file.parent / image["file_name"],
                group=str(image["group"]),
                complete=bool(image["complete"]),
                names=tuple(name for name, _ in labels[image["id"]]),
                boxes=np.array([box for _, box in labels[image["id"]]], np.float32).reshape(-1, 4, 2),
            )
            for image in told["images"]
        ]
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as problem:
        raise InputError(NOT_LABELS, file=file, why=type(problem).__name__) from problem


def _compare(reading: Reading, photo: Photo, confusions: Counter[tuple[str, str]]) -> Counter[str]:
    tally: Counter[str] = Counter(tiles=len(photo.names))
    same = matched(reading, photo.boxes)
    for wanted, index in zip(photo.names, same, strict=True):
        if index is None:
            continue
        got = reading.tiles[index].code
        tally["found"] += 1
        tally["right"] += got == wanted
        tally["unsure"] += got == UNKNOWN
        tally["silent"] += got not in (wanted, UNKNOWN)
        if got != wanted:
            confusions[wanted, got] += 1
    if photo.complete:
        faces = sum(tile.code != BACK for tile in reading.tiles)
        tally["complete"] += 1
        tally["faces"] += faces
        tally["faces_right"] += tally["right"]
        tally["exact"] += tally["right"] == len(photo.names) == faces
    return tally


def _figures(tally: Counter[str]) -> dict[str, Any]:
    def share(right: str, of: str) -> dict[str, Any]:
        low, high = wilson(tally[right], tally[of])
        value = tally[right] / tally[of] if tally[of] else None
        return {"value": value, "low": low, "high": high, "right": tally[right], "of": tally[of]}

    return {
        "end_to_end": share("right", "tiles"),
        "found": share("found", "tiles"),
        "named_right_of_found": share("right", "found"),
        "precision": share("faces_right", "faces"),
        "exact_photos": share("exact", "complete"),
        "silent_errors": share("silent", "tiles"),
        "handed_to_person": share("unsure", "tiles"),
    }
