"""What came of the tiles of labelled photos, counted: found, named right, both; faces, backs, and pictures
without tiles; with 95% Wilson intervals."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.tiles import BACK, UNKNOWN
from companion.vision.candidates import overlap
from companion.vision.deciding import CERTAIN
from companion.vision.reading import Reading, TileReading
from lab.bench.labelled_photos import Photo
from lab.bench.matching import IN_PLACE_IOU, find_ignored, match_labels

CERTAINTIES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
Z = 1.96  # standard deviations on either side that hold 95%
BINS = 15  # of the expected calibration error

Json = dict[str, Any]


def wilson_interval(right: int, of: int) -> tuple[float, float]:
    """95% interval of a share (Wilson 1927)."""
    if of == 0:
        return 0.0, 1.0
    p = right / of
    middle = (p + Z * Z / (2 * of)) / (1 + Z * Z / of)
    half = Z * np.sqrt(p * (1 - p) / of + Z * Z / (4 * of * of)) / (1 + Z * Z / of)
    return float(max(0.0, middle - half)), float(min(1.0, middle + half))


def make_share(right: int, of: int) -> Json:
    """A share with both counts and its interval; "value" is None of nothing."""
    low, high = wilson_interval(right, of)
    return {"value": right / of if of else None, "low": low, "high": high, "right": right, "of": of}


@dataclass(slots=True)
class Tally:
    """What came of the tiles of some photos.

    count: of all tiles; faces, backs: of these alone; answers: of every tile that was found where one is
    labelled, or where it is known that there is none, the probability of its likeliest kind, whether that is
    right, and whether it was named (else "?").

    A find is judged where it is a labelled tile, or where every face, or every back, is labelled; not where
    it lies in an ignored region.
    """

    count: Counter[str] = field(default_factory=Counter)
    faces: Counter[str] = field(default_factory=Counter)
    backs: Counter[str] = field(default_factory=Counter)
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    answers: list[tuple[float, bool, bool]] = field(default_factory=list)
    ious: list[float] = field(default_factory=list)

    def add(self, reading: Reading, photo: Photo) -> None:
        """Counts what was read in a photo."""
        same = match_labels(reading, photo.boxes)
        self._add_labels(reading, photo, same)
        self._add_judged(reading, photo, same)
        self.count["photos"] += 1
        if not photo.names and not photo.ignore and (photo.complete or photo.covered):
            self.count["without_tiles"] += 1
            self.count["nothing_found"] += not reading.tiles

    def _add_labels(self, reading: Reading, photo: Photo, same: list[int | None]) -> None:
        placed = match_labels(reading, photo.boxes, IN_PLACE_IOU)
        for wanted, index, loose, outline in zip(photo.names, same, placed, photo.outlines, strict=True):
            of_kind = self.backs if wanted == BACK else self.faces
            for count in (self.count, of_kind):
                count["tiles"] += 1
                count["in_place"] += loose is not None and reading.tiles[loose].code == wanted
            if index is None:
                continue
            tile = reading.tiles[index]
            for count in (self.count, of_kind):
                count["found"] += 1
                count["right"] += tile.code == wanted
                count["unsure"] += tile.code == UNKNOWN
                count["silent"] += tile.code not in (wanted, UNKNOWN)
            self._note_answer(tile, wanted)
            if tile.code != wanted:
                self.confusions[wanted, tile.code] += 1
            if outline is not None:
                self.ious.append(overlap(np.array(tile.quad, np.float32), outline))

    def _add_judged(self, reading: Reading, photo: Photo, same: list[int | None]) -> None:
        faces_known, backs_known = photo.complete or photo.covered, photo.backs_complete or photo.covered
        names = {index: name for name, index in zip(photo.names, same, strict=True) if index is not None}
        ignored = find_ignored(reading, photo)
        false_finds = 0
        for index, tile in enumerate(reading.tiles):
            wanted = names.get(index)
            if wanted is None and ignored[index]:
                continue
            if not (backs_known if (wanted or tile.code) == BACK else faces_known):
                continue
            called = {BACK: self.backs, UNKNOWN: Counter[str]()}.get(tile.code, self.faces)
            for count in (self.count, called):
                count["judged"] += 1
                count["judged_right"] += tile.code == wanted
            if wanted is None:
                false_finds += 1
                self._note_answer(tile, None)
                self.count["invented"] += tile.code != UNKNOWN
        if photo.complete:
            missed = [
                name
                for name, index in zip(photo.names, same, strict=True)
                if (name != BACK or photo.backs_complete)
                and (index is None or reading.tiles[index].code != name)
            ]
            self.count["complete"] += 1
            self.count["exact"] += not missed and not false_finds

    def _note_answer(self, tile: TileReading, wanted: str | None) -> None:
        code, p = tile.alternatives[0]
        self.answers.append((p, code == wanted, tile.code != UNKNOWN))

    def figures(self) -> Json:
        """How many photos, and each share of what was counted: of all tiles, of faces and of backs."""
        return {
            "photos": self.count["photos"],
            **_share_tiles(self.count),
            "exact_photos": make_share(self.count["exact"], self.count["complete"]),
            "invented": make_share(self.count["invented"], self.count["judged"]),
            "faces": _share_tiles(self.faces),
            "backs": _share_tiles(self.backs),
            "nothing_found": make_share(self.count["nothing_found"], self.count["without_tiles"]),
        }

    def curve(self) -> list[Json]:
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
                    "silent_errors": make_share(wrong, len(self.answers)),
                    "handed_to_person": make_share(handed, len(self.answers)),
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

    def outlines(self) -> Json:
        """How well quads fit the labelled outlines, where a photo has them: intersection over union."""
        if not self.ious:
            return {"tiles": 0}
        low, middle = np.percentile(self.ious, (5, 50))
        return {
            "tiles": len(self.ious),
            "iou_median": round(float(middle), 3),
            "iou_5_percent": round(float(low), 3),
        }


def _share_tiles(count: Counter[str]) -> Json:
    shares = {
        "end_to_end": ("right", "tiles"),
        "right_in_place": ("in_place", "tiles"),
        "found": ("found", "tiles"),
        "named_right_of_found": ("right", "found"),
        "precision": ("judged_right", "judged"),
        "silent_errors": ("silent", "tiles"),
        "handed_to_person": ("unsure", "tiles"),
    }
    return {name: make_share(count[right], count[of]) for name, (right, of) in shares.items()}
