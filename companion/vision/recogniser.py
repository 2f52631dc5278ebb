"""A picture in, a reading out: find, classify, weigh, compare, decide. The same for photos and for live
frames.

Each stage takes the `Candidates` of the one before it; nothing else in the program touches a network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from companion.errors import InputError
from companion.images import Image
from companion.rules import rule_set
from companion.tiles import BACK, UNKNOWN, TileSet
from companion.vision.blanks import continue_rows
from companion.vision.candidates import Candidates
from companion.vision.changes import SmallGrey, choose_fresh, dim, find_changes
from companion.vision.classifying import classify_tiles
from companion.vision.comparing import compare_tiles
from companion.vision.deciding import decide_codes, drop_non_tiles
from companion.vision.finding import find_tiles
from companion.vision.geometry import long_sides, short_sides
from companion.vision.halves import join_halves
from companion.vision.learned import LearnedSet
from companion.vision.nesting import drop_nested
from companion.vision.networks import Finder, Reader, Weigher, load_manifest
from companion.vision.pictures import load_photo
from companion.vision.reading import CLOSER, SHARPER, Reading, TileReading, enlarge
from companion.vision.rows import find_rows
from companion.vision.sharpness import BLURRED, LEGIBLE_PX, are_legible, sharpness
from companion.vision.stopwatch import Stopwatch
from companion.vision.weighing import EVIDENCE_SIZES, weigh_evidence

NOT_PIXELS = "A picture is (height, width, 3) bytes, blue, green, red: not {shape} of {type}."

FIRST_SIDE_PX = 1600
"""Of a large photo, which is decoded as small as the longer side keeps this, to begin with."""
DETAILED_PX = 48.0
"""Width of a tile from which on more detail tells the reader nothing: the tile is then as high as a crop."""
FOUND_PX = 30.0
"""Width of a tile from which on the finder, which likes 40 px best, needs no larger picture."""
ANEW_AFTER = 50
"""Readings of changes only after which all of a frame is read: what was overlooked does not stay so."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What is known of a camera's frame when the next one is to be read.

    candidates: classified; reference: the small picture in which each of them was found last; rules,
    tile_set: with which it was read; partly: how many frames since one was read as a whole.
    """

    reading: Reading
    candidates: Candidates
    reference: SmallGrey
    rules: str | None
    tile_set: LearnedSet | None
    partly: int = 0

    def holds_for(self, rules: str | None, tile_set: LearnedSet | None) -> bool:
        """Whether the next frame, to be read with these, may be read by its changes."""
        same = self.rules == rules and self.tile_set is tile_set
        return same and self.partly < ANEW_AFTER and len(self.candidates) > 0


class Recogniser:
    """All networks, loaded once; `read` may be called from any thread."""

    def __init__(self, models: Path, *, threads: int = 0) -> None:
        """Loads the models of a folder, to run on n threads (0: one a core). Raises ModelError when one is
        missing or not what the manifest says."""
        manifest = load_manifest(models)
        self.finder = Finder.load(models, manifest.finder, threads)
        self.reader = Reader.load(models, manifest.reader, manifest.temperature, threads)
        self.weigher = Weigher.load(models, manifest.weigher, EVIDENCE_SIZES)

    def read_file(
        self, path: Path, *, rules: str | None = None, tile_set: LearnedSet | None = None
    ) -> Reading:
        """What is read in a picture file; quads are in px of the whole picture, also where it is shrunk to be
        read. Raises PictureError, and what `read` does.

        A large photo is first decoded as small as `load_photo` may with FIRST_SIDE_PX, and in more detail
        where the tiles found need it."""
        limits = self._check(rules, tile_set)
        watch = Stopwatch()
        photo = load_photo(path, FIRST_SIDE_PX, if_faster=True)
        watch.note("decode")
        candidates = find_tiles(self.finder, photo.pixels)
        watch.note("detect")
        narrowest = float(short_sides(candidates.quads).min()) if len(candidates) else 0.0
        if photo.shrink > photo.least_shrink and narrowest < DETAILED_PX:
            small = photo
            photo = load_photo(path, _needed_side_px(small.pixels, narrowest), if_faster=True)
            watch.note("decode")
            if narrowest < FOUND_PX:
                candidates = find_tiles(self.finder, photo.pixels)
            else:
                times = np.float32(small.shrink / photo.shrink)
                candidates = replace(candidates, quads=candidates.quads * times)
            watch.note("detect")
        candidates = self._classify(photo.pixels, candidates, tile_set)
        reading = self._decide(photo.pixels, candidates, limits, watch)
        return reading if photo.shrink == 1 else enlarge(reading, photo.width, photo.height, photo.shrink)

    def read(self, image: Image, *, rules: str | None = None, tile_set: LearnedSet | None = None) -> Reading:
        """What is read in a (H, W, 3) uint8 BGR picture; `rules` limits kinds and copies to that rule set's
        tiles, `tile_set` is a set of tiles that was learned with these models.

        Raises InputError for an unknown rule set, for an array that is not such a picture, and for a set that
        was learned with other models.
        """
        _check_pixels(image)
        limits = self._check(rules, tile_set)
        watch = Stopwatch()
        candidates = self._find_and_classify(image, tile_set, watch)
        return self._decide(image, candidates, limits, watch)

    def read_next(
        self,
        before: Seen | None,
        image: Image,
        *,
        rules: str | None = None,
        tile_set: LearnedSet | None = None,
    ) -> tuple[Reading, Seen]:
        """What is read in the next frame of a camera, and what to pass on with the one after it. Of a camera
        that stands still only what has changed since `before` is looked for and classified. Raises InputError
        as `read` does."""
        _check_pixels(image)
        limits = self._check(rules, tile_set)
        watch = Stopwatch()
        now = SmallGrey.of(image)
        changes = None
        if before and before.holds_for(rules, tile_set):
            changes = find_changes(before.reference, before.candidates, now)
        if before is None or changes is None:
            candidates = self._find_and_classify(image, tile_set, watch)
            reading = self._decide(image, candidates, limits, watch)
            return reading, Seen(reading, candidates, now, rules, tile_set)
        partly = before.partly + 1
        if not changes.parts:
            watch.note("detect")
            return replace(before.reading, ms=watch.ms), replace(before, partly=partly)
        kept = before.candidates[changes.kept]
        found = [self._find_in(image, part) for part in changes.parts]
        fresh = choose_fresh(changes, kept, Candidates.join(found))
        watch.note("detect")
        candidates = self._classify_fresh(image, kept, fresh, changes.gain, tile_set)
        reading = self._decide(image, candidates, limits, watch)
        return reading, Seen(reading, candidates, changes.reference, rules, tile_set, partly)

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
        self, image: Image, candidates: Candidates, limits: TileSet | None, watch: Stopwatch
    ) -> Reading:
        """What is read of a picture's classified candidates."""
        height, width = image.shape[:2]
        tiles, advice = self._name_tiles(candidates, width, height, limits)
        rows = find_rows(np.array([tile.quad for tile in tiles], np.float32).reshape(-1, 4, 2))
        order = [index for row in rows for index in row]
        numbered = iter(range(len(order)))
        watch.note("classify")
        return Reading(
            width, height, tuple(tiles[index] for index in order),
            tuple(tuple(next(numbered) for _ in row) for row in rows), watch.ms, advice,
        )  # fmt: skip

    def _name_tiles(
        self, candidates: Candidates, width: int, height: int, limits: TileSet | None
    ) -> tuple[list[TileReading], tuple[str, ...]]:
        """What each tile of a picture of that size, px, is, "?" where it is too small to be read, and how a
        better picture would be taken."""
        if not len(candidates):
            return [], ()
        read = drop_nested(candidates)
        weighed = continue_rows(read, weigh_evidence(read, width, height, self.weigher))
        candidates = drop_non_tiles(compare_tiles(weighed))
        decisions = decide_codes(candidates, limits)
        certainties = np.array([decision.p for decision in decisions], np.float32)
        legible = are_legible(candidates.quads, certainties).tolist()
        tiles = []
        for decision, quad, is_legible in zip(
            decisions, candidates.upright_quads.tolist(), legible, strict=True
        ):
            code = decision.code if is_legible or decision.code == BACK else UNKNOWN
            a, b, c, d = ((x, y) for x, y in quad)
            tiles.append(TileReading(code, (a, b, c, d), decision.p, decision.alternatives))
        return tiles, _advise(candidates, tiles)


def _check_pixels(image: Image) -> None:
    """Raises InputError for what is not a picture."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or not image.size:
        raise InputError(NOT_PIXELS, shape=image.shape, type=image.dtype)


def _needed_side_px(picture: Image, narrowest: float) -> float | None:
    """The longer side, px, of a larger picture in which a tile that is that wide in this one has DETAILED_PX;
    None, which is any detail there is, where it has no width."""
    return max(picture.shape) * DETAILED_PX / narrowest if narrowest else None


def _advise(candidates: Candidates, tiles: Sequence[TileReading]) -> tuple[str, ...]:
    """CLOSER where a tile is too small to be read, SHARPER where most of the other "?" are blurred."""
    unread = candidates[np.array([tile.code == UNKNOWN for tile in tiles], bool)]
    small = long_sides(unread.quads) < LEGIBLE_PX
    blurred = [sharpness(crop) < BLURRED for crop in unread.crops[~small]]
    sharper = sum(blurred) * 2 > len(blurred)
    return (CLOSER,) * bool(small.any()) + (SHARPER,) * sharper
