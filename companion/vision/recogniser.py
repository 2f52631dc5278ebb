"""A picture in, a reading out: find, classify, weigh, compare, decide. The same for photos and for live
frames.

Each stage takes the `Candidates` of the one before it; nothing else in the program touches a network. In live
frames only what changed since the frame before is read again: frames are compared as small grey pictures.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError
from companion.images import Image
from companion.rules import rule_set
from companion.tiles import BACK, UNKNOWN, TileSet
from companion.vision.blanks import continue_rows, settle_blanks
from companion.vision.candidates import (
    BLURRED,
    LEGIBLE_PX,
    Candidates,
    Quads,
    are_legible,
    halve_down_to,
    long_sides,
    sharpness,
    suppress_overlaps,
)
from companion.vision.classifying import classify_tiles, join_halves
from companion.vision.deciding import (
    EVIDENCE_SIZES,
    compare_tiles,
    decide_codes,
    drop_doubtful,
    drop_non_tiles,
    weigh_evidence,
)
from companion.vision.edges import drop_edgeless
from companion.vision.finding import drop_nested, find_tiles, look_first
from companion.vision.learned import LearnedSet
from companion.vision.mirrored import SURE as SURELY_MIRRORED
from companion.vision.mirrored import flip, measure_handedness
from companion.vision.networks import Finder, Reader, Weigher, load_manifest
from companion.vision.pictures import load_photo
from companion.vision.reading import (
    CLOSER,
    CUT_SHORT,
    SHARPER,
    Reading,
    TileReading,
    enlarge,
    find_rows,
    flip_back,
)

SIDE_PX = 640  # which the longer side of a small picture keeps: a tile is then some 15 px wide
SPARSE = 8  # light and noise are measured in every eighth pixel of every eighth row
DARK = 4.0  # grey levels that are added before the light of two pictures is compared
LIGHT_MAX = 0.15  # change of the light, as a logarithm, up to which what has been read still holds
SMOOTHED_PX = 3  # side of the square over which the difference is averaged, against noise
NOISE_TIMES = 6.0  # times the noise that a change is at least
LEAST_LEVELS = 7.0  # and grey levels
SHIFT = 0.3  # and of the contrast round a pixel, which is what a shift by that many px makes
CHANGED_MAX = 0.25  # share of changed pixels, from which the camera has moved, or all else has
PARTS_MAX = 0.5  # share of the picture that the changed parts may have: reading all of it takes no longer
MARGIN_PX = 2  # of a small picture, round what has changed
COARSE = 4  # px of a small picture in which parts are cut out
KEPT = 2.0  # a score above all of a finder's

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class SmallGrey:
    """A grey picture made smaller by the factor `times`, (h, w) uint8."""

    grey: NDArray[np.uint8]
    times: int

    @staticmethod
    def of(image: Image) -> SmallGrey:
        """Of a (H, W, 3) uint8 BGR picture."""
        small, times = halve_down_to(image, SIDE_PX)
        return SmallGrey(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8), times)


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Where a frame differs from what was read before.

    kept: (n,) which of the n candidates of before are as they were; parts: left, top, right and bottom of
    those parts of the frame, px, in which tiles are to be looked for; touched: what has changed, 255 there,
    and the places of tiles that it touches, in a small picture; reference: that small picture, up to date
    there; gain: how many times as light the frame is.
    """

    kept: NDArray[np.bool_]
    parts: tuple[tuple[int, int, int, int], ...]
    touched: Mask
    reference: SmallGrey
    gain: float


def find_changes(before: SmallGrey, candidates: Candidates, now: SmallGrey) -> Changes | None:
    """What has changed since the candidates, n > 0, were found in the picture `before`; None where that is so
    much that all is to be read anew, as when the camera was moved."""
    if before.grey.shape != now.grey.shape or before.times != now.times:
        return None
    gain = _compare_light(before.grey, now.grey)
    if abs(np.log(gain)) > LIGHT_MAX:
        return None
    mask = _mark_changes(before.grey, now.grey, gain)
    if np.count_nonzero(mask) > CHANGED_MAX * mask.size:
        return None
    boxes = _box_quads(candidates.quads, now)
    kept = ~_touches(mask, boxes)
    for left, top, right, bottom in boxes[~kept].tolist():
        mask[top:bottom, left:right] = 255
    reach = int(np.median(long_sides(candidates.quads))) // now.times + MARGIN_PX
    parts = _cut_parts(mask, reach, now.times)
    if sum((right - left) * (bottom - top) for left, top, right, bottom in parts) > (
        PARTS_MAX * mask.size * now.times**2
    ):
        return None
    reference = np.where(_widen(mask, MARGIN_PX), dim(now.grey, gain), before.grey)
    return Changes(kept, parts, mask, SmallGrey(reference, now.times), gain)


def choose_fresh(changes: Changes, kept: Candidates, found: Candidates) -> Candidates:
    """Those candidates found in the changed parts that are not among those kept, each once."""
    boxes = _box_quads(found.quads, changes.reference)
    found = found[_touches(changes.touched, boxes)]
    near = kept.quads[_touches(_widen(changes.touched, MARGIN_PX), _box_quads(kept.quads, changes.reference))]
    scores = np.concatenate([np.full(len(near), KEPT, np.float32), found.scores])
    chosen = suppress_overlaps(np.concatenate([near, found.quads]), scores) - len(near)
    return found[np.sort(chosen[chosen >= 0])]


def dim(pixels: NDArray[np.uint8], gain: float) -> NDArray[np.uint8]:
    """Pixels of any shape, as dark as in light reduced by this factor."""
    table = (np.arange(256) / gain).round().clip(0, 255).astype(np.uint8)
    return np.asarray(table[pixels], np.uint8)


def _compare_light(before: Mask, now: Mask) -> float:
    """How many times as light most of the picture is now."""
    one, other = (grey[::SPARSE, ::SPARSE].astype(np.float32) + DARK for grey in (before, now))
    return float(np.median(other / one))


def _mark_changes(before: Mask, now: Mask, gain: float) -> Mask:
    """255 where a small picture has changed but for its light."""
    lit = cv2.convertScaleAbs(before, alpha=gain)
    difference = cv2.subtract(now, lit, dtype=cv2.CV_16S)
    difference = cv2.convertScaleAbs(cv2.blur(difference, (SMOOTHED_PX, SMOOTHED_PX)), alpha=1)
    noise = float(np.median(difference[::SPARSE, ::SPARSE])) * 1.48  # of a normal distribution
    square = np.ones((SMOOTHED_PX, SMOOTHED_PX), np.uint8)
    contrast = cv2.subtract(cv2.dilate(lit, square), cv2.erode(lit, square))
    allowed = cv2.convertScaleAbs(contrast, alpha=SHIFT, beta=max(LEAST_LEVELS, NOISE_TIMES * noise))
    return np.asarray(cv2.compare(difference, allowed, cv2.CMP_GT), np.uint8)


def _box_quads(quads: Quads, small: SmallGrey) -> NDArray[np.intp]:
    """Left, top, right and bottom (n, 4) of quads (n, 4, 2) px, in px of the small picture."""
    height, width = small.grey.shape
    limits = np.array([width, height])
    first = np.floor(quads.min(axis=1) / small.times).astype(np.intp).clip(0, limits - 1)
    last = np.ceil(quads.max(axis=1) / small.times).astype(np.intp).clip(1, limits)
    return np.concatenate([first, np.maximum(last, first + 1)], axis=1)


def _touches(mask: Mask, boxes: NDArray[np.intp]) -> NDArray[np.bool_]:
    """(n,) whether anything is marked in each box (n, 4)."""
    counts = np.asarray(cv2.integral(mask))
    left, top, right, bottom = boxes.T
    inside = counts[bottom, right] - counts[top, right] - counts[bottom, left] + counts[top, left]
    return np.asarray(inside > 0, np.bool_)


def _widen(mask: Mask, reach: int) -> Mask:
    side = 2 * reach + 1
    return np.asarray(cv2.dilate(mask, np.ones((side, side), np.uint8)), np.uint8)


def _cut_parts(mask: Mask, reach: int, times: int) -> tuple[tuple[int, int, int, int], ...]:
    """Boxes, px of the whole picture, round all that is marked and as far as `reach` from it."""
    height, width = mask.shape
    size = -(-width // COARSE), -(-height // COARSE)
    coarse = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    wide = _widen(np.asarray(coarse, np.uint8), -(-reach // COARSE))
    _, _, stats, _ = cv2.connectedComponentsWithStats(wide)
    times *= COARSE
    return tuple(
        (left * times, top * times, (left + width) * times, (top + height) * times)
        for left, top, width, height, _ in stats[1:].tolist()
    )


class Stopwatch:
    """Runs from when it is made; time goes to whichever stage is noted at its end."""

    def __init__(self) -> None:
        self._began = self._at = time.perf_counter()
        self._ms = {"decode": 0.0, "detect": 0.0, "classify": 0.0}

    def note(self, stage: str) -> None:
        """The time since the last note was that of this stage."""
        now = time.perf_counter()
        self._ms[stage] += (now - self._at) * 1e3
        self._at = now

    @property
    def ms(self) -> Mapping[str, float]:
        """Milliseconds of each stage, and in "total" up to the last note."""
        return {**self._ms, "total": (self._at - self._began) * 1e3}


NOT_PIXELS = "A picture is (height, width, 3) bytes, blue, green, red: not {shape} of {type}."

FIRST_SIDE_PX = 1600
"""Of a large photo, which is decoded as small as the longer side keeps this, to begin with."""
DETAILED_PX = 48.0
"""Width of a tile, from which more detail tells the reader nothing: the tile is then as high as a crop."""
ANEW_AFTER = 50
"""Readings of changes only after which all of a frame is read: what was overlooked does not stay so."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenFrame:
    """What is known of a camera's frame when the next one is to be read.

    candidates: classified; reference: the small picture in which each of them was found last; rules,
    tile_set: with which it was read; partly: how many frames since one was read as a whole; is_mirrored:
    whether the camera's frames are flipped to be read, then all of this is of flipped ones.
    """

    reading: Reading
    candidates: Candidates
    reference: SmallGrey
    rules: str | None
    tile_set: LearnedSet | None
    partly: int = 0
    is_mirrored: bool = False

    def holds_for(self, rules: str | None, tile_set: LearnedSet | None) -> bool:
        """Whether the next frame, to be read with these, may be read by its changes."""
        same = self.rules == rules and self.tile_set is tile_set
        return same and self.partly < ANEW_AFTER and len(self.candidates) > 0


class Recogniser:
    """All networks, loaded once; `read` may be called from any thread."""

    def __init__(self, models: Path, *, threads: int = 0, floats: bool = False) -> None:
        """Loads the models of a folder, to run on n threads (0: one a core), in floats or in 8 bits as they
        are stored. Raises ModelError when one is missing or not what the manifest says."""
        manifest = load_manifest(models)
        self.finder = Finder.load(models, manifest.finder, threads, floats)
        self.reader = Reader.load(models, manifest.reader, manifest.temperature, threads, floats)
        self.weigher = Weigher.load(models, manifest.weigher, EVIDENCE_SIZES)

    def read_file(
        self,
        path: Path,
        *,
        rules: str | None = None,
        tile_set: LearnedSet | None = None,
        may_be_cut: bool = False,
    ) -> Reading:
        """What is read in a picture file; quads are in px of the whole picture, also where it is shrunk to be
        read. may_be_cut: whether a file that was cut short is read as far as it goes, with the warning
        CUT_SHORT. Raises PictureError, and what `read` does.

        A large photo is first decoded as small as `load_photo` may with FIRST_SIDE_PX, and in more detail
        where the tiles found need it."""
        limits = self._check(rules, tile_set)
        watch = Stopwatch()
        photo = load_photo(path, FIRST_SIDE_PX, if_faster=True, may_be_cut=may_be_cut)
        watch.note("decode")
        first = look_first(self.finder, photo.pixels)
        watch.note("detect")
        narrowest = first.narrowest_px
        if photo.shrink > photo.least_shrink and narrowest is not None and narrowest < DETAILED_PX:
            small = photo
            side_px = max(small.pixels.shape) * DETAILED_PX / narrowest
            photo = load_photo(path, side_px, if_faster=True, may_be_cut=may_be_cut)
            watch.note("decode")
            first = first.enlarge(small.shrink / photo.shrink)
        candidates = find_tiles(self.finder, photo.pixels, first)
        watch.note("detect")
        candidates = self._classify(photo.pixels, candidates, tile_set)
        if self._is_mirrored(candidates, tile_set):
            reading = self._read_flipped(photo.pixels, limits, tile_set, watch)
        else:
            reading = self._decide(photo.pixels, candidates, limits, watch, tile_set)
        if photo.is_cut:
            reading = replace(reading, warnings=(CUT_SHORT, *reading.warnings))
        return reading if photo.shrink == 1 else enlarge(reading, photo.width, photo.height, photo.shrink)

    def read(self, image: Image, *, rules: str | None = None, tile_set: LearnedSet | None = None) -> Reading:
        """What is read in a (H, W, 3) uint8 BGR picture; `rules` limits kinds and copies to that rule set's
        tiles, `tile_set` is a set of tiles that was learned with these models. A picture that is surely
        mirrored is flipped to be read, and the reading has the warning MIRRORED.

        Raises InputError for an unknown rule set, for an array that is not such a picture, and for a set that
        was learned with other models.
        """
        _check_pixels(image)
        limits = self._check(rules, tile_set)
        watch = Stopwatch()
        candidates = self._find_and_classify(image, tile_set, watch)
        if self._is_mirrored(candidates, tile_set):
            return self._read_flipped(image, limits, tile_set, watch)
        return self._decide(image, candidates, limits, watch, tile_set)

    def read_next(
        self,
        before: SeenFrame | None,
        image: Image,
        *,
        rules: str | None = None,
        tile_set: LearnedSet | None = None,
    ) -> tuple[Reading, SeenFrame]:
        """What is read in the next frame of a camera, and what to pass on with the one after it. Of a camera
        that stands still only what has changed since `before` is looked for and classified. Raises InputError
        as `read` does."""
        _check_pixels(image)
        is_mirrored = before is not None and before.is_mirrored
        if is_mirrored:
            image = flip(image)
        reading, seen = self._read_next(before, image, rules, tile_set)
        if not seen.partly and self._is_mirrored(seen.candidates, tile_set):
            is_mirrored = not is_mirrored
            reading, seen = self._read_next(None, flip(image), rules, tile_set)
        return (flip_back(reading) if is_mirrored else reading), replace(seen, is_mirrored=is_mirrored)

    def _read_next(
        self, before: SeenFrame | None, image: Image, rules: str | None, tile_set: LearnedSet | None
    ) -> tuple[Reading, SeenFrame]:
        limits = self._check(rules, tile_set)
        watch = Stopwatch()
        now = SmallGrey.of(image)
        changes = None
        if before and before.holds_for(rules, tile_set):
            changes = find_changes(before.reference, before.candidates, now)
        if before is None or changes is None:
            candidates = self._find_and_classify(image, tile_set, watch)
            reading = self._decide(image, candidates, limits, watch, tile_set)
            return reading, SeenFrame(reading, candidates, now, rules, tile_set)
        partly = before.partly + 1
        if not changes.parts:
            watch.note("detect")
            return replace(before.reading, ms=watch.ms), replace(before, partly=partly)
        kept = before.candidates[changes.kept]
        found = [self._find_in(image, part) for part in changes.parts]
        fresh = choose_fresh(changes, kept, Candidates.join(found))
        watch.note("detect")
        candidates = self._classify_fresh(image, kept, fresh, changes.gain, tile_set)
        reading = self._decide(image, candidates, limits, watch, tile_set)
        return reading, SeenFrame(reading, candidates, changes.reference, rules, tile_set, partly)

    def _is_mirrored(self, candidates: Candidates, learned: LearnedSet | None) -> bool:
        """Whether the picture of these classified candidates is surely mirrored."""
        return measure_handedness(self.reader, candidates, learned) <= -SURELY_MIRRORED

    def _read_flipped(
        self, image: Image, limits: TileSet | None, learned: LearnedSet | None, watch: Stopwatch
    ) -> Reading:
        """What is read of a mirrored picture."""
        flipped = flip(image)
        candidates = self._find_and_classify(flipped, learned, watch)
        return flip_back(self._decide(flipped, candidates, limits, watch, learned))

    def _find_and_classify(self, image: Image, learned: LearnedSet | None, watch: Stopwatch) -> Candidates:
        """All candidates of a picture, classified."""
        candidates = find_tiles(self.finder, image)
        watch.note("detect")
        return self._classify(image, candidates, learned)

    def _find_in(self, image: Image, part: tuple[int, int, int, int]) -> Candidates:
        """The candidates in one part of a picture: its left, top, right and bottom, px."""
        left, top, right, bottom = part
        found = find_tiles(self.finder, image[top:bottom, left:right])
        return replace(found, quads=found.quads + np.array([left, top], np.float32))

    def _classify(self, image: Image, candidates: Candidates, learned: LearnedSet | None) -> Candidates:
        if not len(candidates):
            return candidates
        classified = classify_tiles(self.reader, image, candidates, learned)
        return join_halves(self.reader, image, classified, learned)

    def _classify_fresh(
        self, image: Image, kept: Candidates, fresh: Candidates, gain: float, learned: LearnedSet | None
    ) -> Candidates:
        """The kept candidates and the fresh ones, classified, with crops in the light of those kept. With a
        learned set all are classified anew, as together they say how much it counts."""
        if learned:
            both = [
                Candidates.from_finder(part.quads, part.scores, part.back_shares) for part in (kept, fresh)
            ]
            return self._classify(image, Candidates.join(both), learned)
        if not len(fresh):
            return kept
        fresh = self._classify(image, fresh, None)
        fresh = replace(fresh, crops=dim(fresh.crops, gain))
        return Candidates.join([kept, fresh]) if len(kept) else fresh

    def _check(self, rules: str | None, learned: LearnedSet | None) -> TileSet | None:
        """The tiles of a rule set. Raises InputError as `read` does."""
        if learned:
            learned.check_reader(self.reader.id)
        return rule_set(rules).tile_set if rules else None

    def _decide(
        self,
        image: Image,
        candidates: Candidates,
        limits: TileSet | None,
        watch: Stopwatch,
        learned: LearnedSet | None,
    ) -> Reading:
        """What is read of a picture's classified candidates."""
        height, width = image.shape[:2]
        tiles, advice = self._name_tiles(image, candidates, limits, taught=learned is not None)
        rows = find_rows(np.array([tile.quad for tile in tiles], np.float32).reshape(-1, 4, 2))
        order = [index for row in rows for index in row]
        numbered = iter(range(len(order)))
        watch.note("classify")
        return Reading(
            width, height, tuple(tiles[index] for index in order),
            tuple(tuple(next(numbered) for _ in row) for row in rows), watch.ms, advice,
        )  # fmt: skip

    def _name_tiles(
        self, image: Image, candidates: Candidates, limits: TileSet | None, *, taught: bool
    ) -> tuple[list[TileReading], tuple[str, ...]]:
        """What each tile of a picture is, "?" where it is too small to be read, and how a better picture
        would be taken. taught: whether its set was learned."""
        if not len(candidates):
            return [], ()
        height, width = image.shape[:2]
        read = drop_nested(candidates)
        weighed = continue_rows(read, weigh_evidence(read, width, height, self.weigher))
        tiles = settle_blanks(drop_non_tiles(compare_tiles(weighed)), taught=taught)
        candidates = drop_doubtful(drop_edgeless(image, tiles), max(width, height))
        decisions = decide_codes(candidates, limits)
        likeliest = [decision.alternatives[0][0] for decision in decisions]
        certainties = np.array([decision.p for decision in decisions], np.float32)
        legible = are_legible(candidates.quads, likeliest, certainties, taught=taught).tolist()
        readings = []
        for decision, quad, is_legible in zip(
            decisions, candidates.upright_quads.tolist(), legible, strict=True
        ):
            code = decision.code if is_legible or decision.code == BACK else UNKNOWN
            a, b, c, d = ((x, y) for x, y in quad)
            readings.append(TileReading(code, (a, b, c, d), decision.p, decision.alternatives))
        return readings, _advise(candidates, readings)


def _check_pixels(image: Image) -> None:
    """Raises InputError for what is not a picture."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or not image.size:
        raise InputError(NOT_PIXELS, shape=image.shape, type=image.dtype)


def _advise(candidates: Candidates, tiles: Sequence[TileReading]) -> tuple[str, ...]:
    """CLOSER where a tile is too small to be read, SHARPER where most of the other "?" are blurred."""
    unread = candidates[np.array([tile.code == UNKNOWN for tile in tiles], bool)]
    small = long_sides(unread.quads) < LEGIBLE_PX
    blurred = [sharpness(crop) < BLURRED for crop in unread.crops[~small]]
    sharper = sum(blurred) * 2 > len(blurred)
    return (CLOSER,) * bool(small.any()) + (SHARPER,) * sharper
