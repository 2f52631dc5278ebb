"""A picture in, a reading out: find, classify, weigh, compare, decide. The same for photos and for live
frames.

Each stage takes the `Candidates` of the one before it; nothing else in the program touches a network.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from companion.errors import InputError
from companion.images import Image
from companion.rules import rule_set
from companion.tiles import BACK, UNKNOWN, TileSet
from companion.vision.candidates import Candidates
from companion.vision.classifying import classify_tiles
from companion.vision.comparing import compare_tiles
from companion.vision.deciding import Decision, decide_codes, drop_non_tiles
from companion.vision.finding import find_tiles
from companion.vision.learned import LearnedSet
from companion.vision.nesting import drop_nested
from companion.vision.networks import Finder, Reader, Weigher, load_manifest
from companion.vision.pictures import load_photo
from companion.vision.reading import CLOSER, SHARPER, Reading, TileReading, enlarge
from companion.vision.rows import find_rows
from companion.vision.sharpness import BLURRED, LEGIBLE_PX, heights, sharpness
from companion.vision.weighing import EVIDENCE_SIZES, weigh_evidence

NOT_PIXELS = "A picture is (height, width, 3) bytes, blue, green, red: not {shape} of {type}."


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
        read. Raises PictureError, and what `read` does."""
        began = time.perf_counter()
        photo = load_photo(path)
        decode = (time.perf_counter() - began) * 1e3
        reading = self.read(photo.pixels, rules=rules, tile_set=tile_set)
        if photo.shrink > 1:
            reading = enlarge(reading, photo.width, photo.height, photo.shrink)
        return replace(reading, ms={**reading.ms, "decode": decode, "total": reading.ms["total"] + decode})

    def read(self, image: Image, *, rules: str | None = None, tile_set: LearnedSet | None = None) -> Reading:
        """What is read in a (H, W, 3) uint8 BGR picture; `rules` limits kinds and copies to that rule set's
        tiles, `tile_set` is a set of tiles that was learned with these models.

        Raises InputError for an unknown rule set, for an array that is not such a picture, and for a set that
        was learned with other models.
        """
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or not image.size:
            raise InputError(NOT_PIXELS, shape=image.shape, type=image.dtype)
        if tile_set:
            tile_set.check_reader(self.reader.id)
        limits = rule_set(rules).tile_set if rules else None
        began = time.perf_counter()
        candidates = find_tiles(self.finder, image)
        found = time.perf_counter()
        tiles, advice = self._name_tiles(image, candidates, tile_set, limits)
        rows = find_rows(np.array([tile.quad for tile in tiles], np.float32).reshape(-1, 4, 2))
        order = [index for row in rows for index in row]
        numbered = iter(range(len(order)))
        done = time.perf_counter()
        ms = {"decode": 0.0, "detect": (found - began) * 1e3, "classify": (done - found) * 1e3}
        return Reading(
            image.shape[1], image.shape[0], tuple(tiles[index] for index in order),
            tuple(tuple(next(numbered) for _ in row) for row in rows), {**ms, "total": (done - began) * 1e3},
            advice,
        )  # fmt: skip

    def _name_tiles(
        self, image: Image, candidates: Candidates, learned: LearnedSet | None, limits: TileSet | None
    ) -> tuple[list[TileReading], tuple[str, ...]]:
        """What each tile is, "?" where it is too small to be read, and how a better picture would be
        taken."""
        if not len(candidates):
            return [], ()
        candidates = drop_nested(classify_tiles(self.reader, image, candidates, learned))
        candidates = weigh_evidence(candidates, image.shape[1], image.shape[0], self.weigher)
        candidates = drop_non_tiles(compare_tiles(candidates))
        decisions = decide_codes(candidates, limits)
        small = (heights(candidates.quads) < LEGIBLE_PX).tolist()
        tiles = []
        for decision, quad, is_small in zip(decisions, candidates.upright_quads.tolist(), small, strict=True):
            code = UNKNOWN if is_small and decision.code != BACK else decision.code
            a, b, c, d = ((x, y) for x, y in quad)
            tiles.append(TileReading(code, (a, b, c, d), decision.p, decision.alternatives))
        return tiles, _advise(candidates, decisions, small)


def _advise(candidates: Candidates, decisions: Sequence[Decision], small: Sequence[bool]) -> tuple[str, ...]:
    """CLOSER where a tile is too small to be read, SHARPER where most of the other "?" are blurred."""
    closer = any(is_small and each.code != BACK for each, is_small in zip(decisions, small, strict=True))
    blurred = [
        sharpness(crop) < BLURRED
        for crop, each, is_small in zip(candidates.crops, decisions, small, strict=True)
        if each.code == UNKNOWN and not is_small
    ]
    sharper = sum(blurred) * 2 > len(blurred)
    return (CLOSER,) * closer + (SHARPER,) * sharper
