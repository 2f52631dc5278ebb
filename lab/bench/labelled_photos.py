"""Labelled photos (COCO files with groups and outlines), matching of finds to labels, counts of the results
with 95% Wilson intervals, and the role of each split.

A collection has two parts, photos/ and photos-2/; paths in a file are relative to the file's folder. A figure
is only honest on pictures that nothing was chosen by, so a split keeps one role.
"""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError, quote
from companion.files import read_whole
from companion.foreign import reading
from companion.tiles import BACK, KINDS, UNKNOWN
from companion.vision.candidates import Quads, overlap
from companion.vision.deciding import CERTAIN
from companion.vision.reading import Reading, TileReading

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


MATCH_IOU = 0.5  # of a found tile's upright box with a labelled one, from which they are the same tile
IN_PLACE_IOU = 0.25  # the same where labels are upright boxes round slanted tiles
FAR_PX = 2**16  # beyond every picture: what lies farther out is drawn as if it lay here
IGNORED_SHARE = 0.5  # of a find, from which it is ignored: what COCO asks of a find in a crowd


def match_labels(reading: Reading, boxes: Quads, least: float = MATCH_IOU) -> list[int | None]:
    """For every labelled box (n, 4, 2) the index of the found tile that is the same, the best overlaps
    first: their upright boxes overlap by `least`, and each holds the other's middle."""
    low, high = (corners[:, None] for corners in _bound(boxes))
    found_low, found_high = _bound(_stack_quads(reading))
    size, found_size = high - low, found_high - found_low
    common = np.maximum(np.minimum(high, found_high) - np.maximum(low, found_low), 0).prod(axis=2)
    whole = size.prod(axis=2) + found_size.prod(axis=1) - common
    iou = np.divide(common, whole, out=np.zeros_like(whole), where=whole > 0)
    apart = np.abs(low + high - found_low - found_high) / 2
    hold_middles = (apart <= np.minimum(size, found_size) / 2).all(axis=2)
    pairs = np.argwhere((iou >= least) & hold_middles)
    result: list[int | None] = [None] * len(boxes)
    taken: set[int] = set()
    for label, find in pairs[np.argsort(-iou[tuple(pairs.T)], kind="stable")].tolist():
        if result[label] is None and find not in taken:
            result[label] = find
            taken.add(find)
    return result


def find_ignored(reading: Reading, photo: Photo) -> list[bool]:
    """For every found tile whether at least half of it, as far as the picture shows it, lies in the photo's
    ignored regions; where a label overlaps a region, the label wins.

    Area, not the middle: a find between two ignored tiles is ignored, and a huge one is not for a small tile
    in its middle.
    """
    if not photo.ignore:
        return [False] * len(reading.tiles)
    regions = np.zeros((reading.height, reading.width), np.uint8)
    for region in photo.ignore:
        cv2.fillPoly(regions, [_round(region)], 1)
    for box, outline in zip(photo.boxes, photo.outlines, strict=True):
        cv2.fillPoly(regions, [_round(box if outline is None else outline)], 0)
    return [_measure_share(quad, regions) >= IGNORED_SHARE for quad in _stack_quads(reading)]


def _measure_share(quad: Quads, regions: NDArray[np.uint8]) -> float:
    """The share of the pixels of a quad (4, 2) px in the picture that are 1 in `regions` (h, w)."""
    left, top = np.maximum(np.floor(quad.min(axis=0)), 0).astype(int).tolist()
    right, bottom = (np.maximum(np.ceil(quad.max(axis=0)), 0).astype(int) + 1).tolist()
    under = regions[top:bottom, left:right]
    if not under.size:
        return 0.0
    inside = np.zeros_like(under)
    cv2.fillPoly(inside, [_round(quad) - np.array([left, top], np.int32)], 1)
    return float(under[inside == 1].mean()) if inside.any() else 0.0


def _round(points: Quads) -> NDArray[np.int32]:
    return np.round(np.clip(points, -FAR_PX, FAR_PX)).astype(np.int32)


def _stack_quads(reading: Reading) -> Quads:
    return np.array([tile.quad for tile in reading.tiles], np.float32).reshape(-1, 4, 2)


def _bound(quads: Quads) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lower and the upper corners (n, 2) of the upright boxes round quads (n, 4, 2)."""
    exact = quads.astype(np.float64)
    return exact.min(axis=1), exact.max(axis=1)


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

    A find is judged where it is a labelled tile, or if every face, or every back, is labelled; not where
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


class Role(StrEnum):
    """What a split may be used for."""

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"


DEV_SEED = 1889  # what `python -m models.training.render` draws unless told otherwise
TEST_SEED = 19073  # to be read once, and seen by nobody
# Seeds of earlier draws, read or looked at: 977 of `rendered` and `tileless`, 1471 of `causes`, 7481, 8263,
# 9029, 12713, 15329, 17041, 20261, 26417 and 31907 of all.

PHOTOGRAPHED: Mapping[str, Role] = {
    "train": Role.TRAIN,
    "train-2": Role.TRAIN,
    "negatives-2": Role.TRAIN,
    "dev-seen": Role.DEV,
    "dev-unseen-set": Role.TEST,  # in spite of its name, and looked at: the model card says how often
}
DRAWN = frozenset({"rendered", "tileless", "causes", "prints", "pale-backs", "touching", "whole-tables"})


def find_role(name: str, split: LabelledSplit) -> Role | None:
    """The role of a split, None where it is nobody's: pictures of one's own, say."""
    if name in DRAWN:
        return Role.TEST if split.seed == TEST_SEED else Role.DEV
    return PHOTOGRAPHED.get(name)
