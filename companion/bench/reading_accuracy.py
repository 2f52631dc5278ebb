"""How well labelled photos are read: found, named right, both; by group; with 95% Wilson intervals.

Also how high probabilities are against how often they are right, how well outlines fit, how long each stage
takes.
"""

from __future__ import annotations

import resource
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from companion.bench.labelled_photos import Photo, load_photos
from companion.errors import InputError
from companion.tiles import BACK, UNKNOWN, Tile
from companion.vision.deciding import CERTAIN
from companion.vision.finding import find_tiles
from companion.vision.geometry import Quads, overlap
from companion.vision.learned import LearnedSet
from companion.vision.pictures import load_picture
from companion.vision.reading import Reading, TileReading
from companion.vision.recogniser import Recogniser
from companion.vision.teaching import Lesson, learn

MATCH_IOU = 0.5  # of a found tile's upright box with a labelled one, from which on they are the same tile
IN_PLACE_IOU = 0.25  # the same where labels are upright boxes round slanted tiles
CERTAINTIES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
Z = 1.96  # standard deviations on either side that hold 95%
BINS = 15  # of the expected calibration error
CONFUSIONS = 20

NOT_ENOUGH = (
    "'{split}' has {photos} photos in which every tile is labelled: at most {most} can be learned from."
)


def wilson_interval(right: int, of: int) -> tuple[float, float]:
    """95% interval of a share (Wilson 1927)."""
    if of == 0:
        return 0.0, 1.0
    p = right / of
    middle = (p + Z * Z / (2 * of)) / (1 + Z * Z / of)
    half = Z * np.sqrt(p * (1 - p) / of + Z * Z / (4 * of * of)) / (1 + Z * Z / of)
    return float(max(0.0, middle - half)), float(min(1.0, middle + half))


def _bound(quads: Quads) -> Quads:
    """The upright boxes (n, 4, 2) round quads (n, 4, 2)."""
    low, high = quads.min(axis=1), quads.max(axis=1)
    corners = [low, np.stack([high[:, 0], low[:, 1]], 1), high, np.stack([low[:, 0], high[:, 1]], 1)]
    return np.stack(corners, axis=1).astype(np.float32)


def match_labels(reading: Reading, boxes: Quads, least: float = MATCH_IOU) -> list[int | None]:
    """For every labelled box (n, 4, 2) the index of the found tile that is the same, the best overlaps
    first: their upright boxes overlap by `least`, and each holds the other's middle."""
    quads = np.array([tile.quad for tile in reading.tiles], np.float32).reshape(-1, 4, 2)
    found = _bound(quads) if len(quads) else quads
    pairs = sorted(
        ((overlap(box, quad), b, f) for b, box in enumerate(boxes) for f, quad in enumerate(found)),
        reverse=True,
    )
    result: list[int | None] = [None] * len(boxes)
    taken: set[int] = set()
    for iou, b, f in pairs:
        if iou >= least and result[b] is None and f not in taken and _hold_middles(boxes[b], found[f]):
            result[b] = f
            taken.add(f)
    return result


def _hold_middles(one: Quads, other: Quads) -> bool:
    """Whether of two upright boxes each holds the other's middle."""
    apart = np.abs(one.mean(axis=0) - other.mean(axis=0))
    return bool(np.all(apart <= np.minimum(np.ptp(one, axis=0), np.ptp(other, axis=0)) / 2))


def bench(data: Path, split: str, models: Path, teach: int = 0) -> dict[str, Any]:
    """The figures of reading every photo of `data/photos/SPLIT.json` (COCO), compared with its labels.

    "end_to_end": share of labelled tiles found and named right; "right_in_place": the same where an outline
    need only overlap its label by a quarter, as a right one does a box round a slanted tile; precision is
    taken over photos in which every visible tile is labelled. With `teach`, that many photos teach their set
    of tiles first, with their labels, and the rest is read with it: `choose_teaching_photos`. "memory_mb":
    `_measure_memory`.

    Raises InputError for a split that is missing, has no labels or teaches no set, PictureError for a photo,
    ModelError for missing models.
    """
    photos = load_photos(data, split)
    recogniser = Recogniser(models)
    memory = _measure_memory(recogniser, photos)
    chosen = choose_teaching_photos(photos, teach, split)
    learned = learn_from_photos(recogniser, chosen) if chosen else None
    total = Tally()
    groups: dict[str, Tally] = defaultdict(Tally)
    times: dict[str, list[float]] = defaultdict(list)
    rest = [photo for photo in photos if photo not in chosen]
    for photo in rest:
        reading = recogniser.read_file(photo.path, tile_set=learned)
        for tally in (total, groups[photo.group]):
            tally.add(reading, photo)
        for stage, ms in reading.ms.items():
            times[stage].append(ms)
    taught = {"photos": [photo.path.name for photo in chosen], "kinds": len(learned.kinds) if learned else 0}
    return {
        "split": split,
        "photos": len(rest),
        "taught": taught if chosen else None,
        **total.figures(),
        "certainty": total.curve(),
        "calibration_error": total.calibration_error(),
        "outlines": total.outlines(),
        "groups": {group: tally.figures() for group, tally in sorted(groups.items())},
        "confusions": [[*pair, count] for pair, count in total.confusions.most_common(CONFUSIONS)],
        "ms_median": {stage: round(statistics.median(values), 1) for stage, values in times.items()},
        "memory_mb": memory,
        "peak_memory_mb": _read_peak_memory(),
    }


def _measure_memory(recogniser: Recogniser, photos: Sequence[Photo]) -> dict[str, int]:
    """The most memory, MB, that was held until the models are loaded, and until the end of each stage of
    reading the largest photo."""
    held = {"load": _read_peak_memory()}
    present = [photo.path for photo in photos if photo.path.is_file()]
    if present:
        picture = load_picture(max(present, key=lambda path: path.stat().st_size))
        held["decode"] = _read_peak_memory()
        find_tiles(recogniser.finder, picture)
        held["detect"] = _read_peak_memory()
        recogniser.read(picture)
        held["classify"] = _read_peak_memory()
    return held


def _read_peak_memory() -> int:
    """The most memory that this process has held, MB (10^6 bytes)."""
    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6)


def choose_teaching_photos(photos: Sequence[Photo], teach: int, split: str) -> list[Photo]:
    """The `teach` fully labelled photos that show most kinds not shown yet, then most tiles. Raises
    InputError where there are fewer."""
    complete = [photo for photo in photos if photo.complete and photo.names]
    if teach > len(complete):
        raise InputError(NOT_ENOUGH, split=split, photos=len(complete), most=len(complete))
    chosen: list[Photo] = []
    shown: set[str] = set()
    for _ in range(teach):
        left = [photo for photo in complete if photo not in chosen]
        best = max(left, key=lambda photo: (len({*photo.names} - shown), len(photo.names), photo.path.name))
        chosen.append(best)
        shown |= {*best.names}
    return chosen


def learn_from_photos(recogniser: Recogniser, photos: Sequence[Photo]) -> LearnedSet:
    """The set learned from labelled photos, as if a person confirmed the tiles that are found. Raises
    PictureError, and InputError for photos that teach no set."""
    lessons = []
    for photo in photos:
        picture = load_picture(photo.path)
        reading = recogniser.read(picture)
        kinds: list[Tile | None] = [None] * len(reading.tiles)
        for name, index in zip(photo.names, match_labels(reading, photo.boxes), strict=True):
            if index is not None and name != BACK:
                kinds[index] = Tile.parse(name)
        lessons.append(Lesson(picture, reading, tuple(kinds)))
    return learn(recogniser.reader, "bench", lessons)


@dataclass(slots=True)
class Tally:
    """What came of the tiles of some photos.

    answers: of every tile that was found where one is labelled, or in a photo that is labelled whole, the
    probability of its likeliest kind, whether that is right, and whether it was named (else "?").
    """

    count: Counter[str] = field(default_factory=Counter)
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    answers: list[tuple[float, bool, bool]] = field(default_factory=list)
    ious: list[float] = field(default_factory=list)

    def add(self, reading: Reading, photo: Photo) -> None:
        """Counts what was read in a photo."""
        same = match_labels(reading, photo.boxes)
        right = 0
        for wanted, index, outline in zip(photo.names, same, photo.outlines, strict=True):
            if index is None:
                continue
            tile = reading.tiles[index]
            right += tile.code == wanted
            self.count["unsure"] += tile.code == UNKNOWN
            self.count["silent"] += tile.code not in (wanted, UNKNOWN)
            self._note_answer(tile, wanted)
            if tile.code != wanted:
                self.confusions[wanted, tile.code] += 1
            if outline is not None:
                self.ious.append(overlap(np.array(tile.quad, np.float32), outline))
        self.count["tiles"] += len(photo.names)
        self.count["found"] += sum(index is not None for index in same)
        self.count["right"] += right
        placed = match_labels(reading, photo.boxes, IN_PLACE_IOU)
        self.count["in_place"] += sum(
            index is not None and reading.tiles[index].code == wanted
            for wanted, index in zip(photo.names, placed, strict=True)
        )
        if photo.complete:
            # A photo that labels no back says nothing of those that it shows.
            judged = [
                (at, tile)
                for at, tile in enumerate(reading.tiles)
                if tile.code != BACK or BACK in photo.names or at in same
            ]
            extra = [tile for at, tile in judged if at not in same]
            for tile in extra:
                self._note_answer(tile, None)
            self.count["complete"] += 1
            self.count["judged"] += len(judged)
            self.count["judged_right"] += right
            self.count["invented"] += sum(tile.code != UNKNOWN for tile in extra)
            self.count["exact"] += right == len(photo.names) == len(judged)

    def _note_answer(self, tile: TileReading, wanted: str | None) -> None:
        code, p = tile.alternatives[0]
        self.answers.append((p, code == wanted, tile.code != UNKNOWN))

    def figures(self) -> dict[str, Any]:
        """Each share of what was counted, with both counts and its interval."""
        return {
            "end_to_end": self._share("right", "tiles"),
            "right_in_place": self._share("in_place", "tiles"),
            "found": self._share("found", "tiles"),
            "named_right_of_found": self._share("right", "found"),
            "precision": self._share("judged_right", "judged"),
            "exact_photos": self._share("exact", "complete"),
            "silent_errors": self._share("silent", "tiles"),
            "handed_to_person": self._share("unsure", "tiles"),
            "invented": self._share("invented", "judged"),
        }

    def _share(self, right: str, of: str) -> dict[str, Any]:
        return _share(self.count[right], self.count[of])

    def curve(self) -> list[dict[str, Any]]:
        """For each probability from which a tile could be named: the share of tiles named wrong, and handed
        to the person; of all that was found, things that are not tiles included where that is known."""
        result = []
        for certainty in CERTAINTIES:
            named = [
                right for p, right, was_named in self.answers if p >= certainty and (was_named or p < CERTAIN)
            ]
            wrong, handed = named.count(False), len(self.answers) - len(named)
            result.append(
                {
                    "certain": certainty,
                    "silent_errors": _share(wrong, len(self.answers)),
                    "handed_to_person": _share(handed, len(self.answers)),
                }
            )
        return result

    def calibration_error(self) -> float | None:
        """Mean difference, over tiles, between their probability and how many such are right, in 15 bins."""
        if not self.answers:
            return None
        p = np.array([each[0] for each in self.answers])
        right = np.array([each[1] for each in self.answers], float)
        which = np.minimum((p * BINS).astype(int), BINS - 1)
        off = [abs(float((p - right)[which == at].sum())) for at in range(BINS)]
        return round(sum(off) / len(p), 5)

    def outlines(self) -> dict[str, Any]:
        """How well quads fit the labelled outlines, where a photo has them: intersection over union."""
        if not self.ious:
            return {"tiles": 0}
        low, middle = np.percentile(self.ious, (5, 50))
        return {
            "tiles": len(self.ious),
            "iou_median": round(float(middle), 3),
            "iou_5_percent": round(float(low), 3),
        }


def _share(right: int, of: int) -> dict[str, Any]:
    low, high = wilson_interval(right, of)
    return {"value": right / of if of else None, "low": low, "high": high, "right": right, "of": of}
