"""How well tables are found in single pictures: drawn ones as people have them, and photographs whose corners
were labelled by hand.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError
from companion.foreign import decode_as
from companion.images import Image
from companion.seeing.finding_table import AGREED_P, SURE_FROM, find_table
from companion.vision import Recogniser
from lab.film.lived_in import draw_lived_in

Floats = NDArray[np.float64]
Json = dict[str, Any]

RIGHT_SHARE = 0.04
"""The mean error of the corners, in mean sides of the table in the picture, below which a table is right."""
LABELS = "corners.json"
NO_LABELS = "There is no {file} with the corners of the tables in the photos."


class Label(msgspec.Struct, frozen=True):
    """A photo of `LABELS`. corners: of the playing surface, px; None where they cannot be said."""

    file: str
    corners: tuple[tuple[float, float], ...] | None
    usable: bool


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A picture, its name and kind, and the true corners (4, 2) px of its table, if they are known."""

    name: str
    kind: str
    image: Image
    corners: Floats | None


def bench_lived_in(models: Path, *, tables: int, seed: int) -> Json:
    """The figures of n drawn tables, by their kind."""
    return _measure(models, draw_shown(tables, seed), each=False) | {"seed": seed}


def bench_labelled(models: Path, folder: Path) -> Json:
    """The figures of the photographs in a folder, and of each of them. Raises InputError."""
    return _measure(models, _load(folder), each=True)


def draw_shown(tables: int, seed: int) -> Iterator[Shown]:
    """Drawn tables, the same for the same seed."""
    for number in range(tables):
        drawn = draw_lived_in(np.random.default_rng((seed, number)))
        yield Shown(str(number), drawn.kind, drawn.image, drawn.corners)


def _load(folder: Path) -> Iterator[Shown]:
    path = folder / LABELS
    if not path.is_file():
        raise InputError(NO_LABELS, file=path)
    for label in decode_as(path.read_bytes(), list[Label]):
        image = cv2.imread(str(folder / label.file))
        kind = "usable" if label.usable else "not usable"
        corners = None if label.corners is None else np.array(label.corners)
        yield Shown(label.file, kind, np.asarray(image, np.uint8), corners)


def _measure(models: Path, shown: Iterator[Shown], *, each: bool) -> Json:
    recogniser = Recogniser(models)
    rows = [_measure_one(picture, recogniser) for picture in shown]
    kinds = [*dict.fromkeys(row["kind"] for row in rows)]
    figures = [_sum_up(kind, [row for row in rows if row["kind"] == kind]) for kind in kinds]
    total = _sum_up("all", rows)
    return {"figures": [*figures, total]} | ({"pictures": rows} if each else {})


def _measure_one(shown: Shown, recogniser: Recogniser) -> Json:
    began = time.process_time()
    found = find_table(shown.image, recogniser)
    spent = time.process_time() - began
    row = {"name": shown.name, "kind": shown.kind, "cpu_s": round(spent, 2)}
    if found is None:
        return row | {"p": 0.0, "by": "", "off": None}
    off = None if shown.corners is None else round(measure_off(found.camera.corners, shown.corners), 4)
    return row | {"p": round(found.p, 3), "by": found.by.value, "off": off}


def measure_off(found: Floats, true: Floats) -> float:
    """The mean distance of the corners (4, 2) px from the true ones, in mean sides of the true table,
    whichever corner comes first."""
    side = float(np.linalg.norm(true - np.roll(true, 1, axis=0), axis=1).mean())
    turns = [np.roll(found, quarters, axis=0) for quarters in range(4)]
    return min(float(np.linalg.norm(turned - true, axis=1).mean()) for turned in turns) / side


def _sum_up(kind: str, rows: list[Json]) -> Json:
    """Right: taken, with corners that are right; best_right: right, believed or not; sure: p of 0.9 or more;
    p_off: the sum of p less the number that are right."""
    known = [row for row in rows if row["off"] is not None or not row["by"]]
    right = [row for row in known if row["off"] is not None and row["off"] < RIGHT_SHARE]
    taken = [row for row in rows if row["p"] >= AGREED_P]
    sure = [row for row in rows if row["p"] >= SURE_FROM]
    return {
        "kind": kind,
        "pictures": len(rows),
        "right": sum(row in taken for row in right),
        "wrong": sum(row not in right for row in taken),
        "sure": len(sure),
        "sure_wrong": sum(row not in right for row in sure),
        "best_right": len(right),
        "p_off": round(sum(row["p"] for row in known) - len(right), 1),
        "cpu_s": round(float(np.mean([row["cpu_s"] for row in rows])), 2),
        "cpu_most_s": max(row["cpu_s"] for row in rows),
    }
