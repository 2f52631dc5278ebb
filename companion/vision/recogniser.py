"""A picture in, a reading out: find, straighten, classify, decide. The same for photos and for live frames.

Every later improvement of one stage fits between these calls; nothing else in the program touches a network.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError
from companion.images import Image
from companion.rules import rule_set
from companion.tiles import BACK, UNKNOWN, TileSet
from companion.vision.deciding import decided
from companion.vision.finding import find
from companion.vision.geometry import Quads
from companion.vision.learned import LearnedSet
from companion.vision.likeness import compared
from companion.vision.looking import looked_at
from companion.vision.networks import Finder, Reader, load_manifest
from companion.vision.pictures import load_photo
from companion.vision.reading import CLOSER, SHARPER, Reading, TileReading, enlarged
from companion.vision.rows import reading_order
from companion.vision.sharpness import BLURRED, LEGIBLE_PX, heights, sharpness
from companion.vision.weighing import evidence, weighed

NOT_PIXELS = "A picture is (height, width, 3) bytes, blue, green, red: not {shape} of {type}."


class Recogniser:
    """Both networks, loaded once; `read` may be called from any thread."""

    def __init__(self, models: Path, *, threads: int = 0) -> None:
        """Loads the models of a folder, to run on so many threads (0: one a core). Raises ModelError when one
        is missing or not what the manifest says."""
        manifest = load_manifest(models)
        self.finder = Finder.load(models, manifest.finder, threads)
        self.trust = manifest.trust
        self.reader = Reader.load(models, manifest.reader, manifest.temperature, threads)

    def read_file(
        self, path: Path, *, rules: str | None = None, tile_set: LearnedSet | None = None
    ) -> Reading:
        """Reads a picture file; quads are in px of the whole picture, though it be shrunk to be read. Raises
        PictureError, and what `read` does."""
        began = time.perf_counter()
        photo = load_photo(path)
        decode = (time.perf_counter() - began) * 1e3
        reading = self.read(photo.pixels, rules=rules, tile_set=tile_set)
        if photo.shrink > 1:
            reading = enlarged(reading, photo.width, photo.height, photo.shrink)
        return replace(reading, ms={**reading.ms, "decode": decode, "total": reading.ms["total"] + decode})

    def read(self, image: Image, *, rules: str | None = None, tile_set: LearnedSet | None = None) -> Reading:
        """Reads a (H, W, 3) uint8 BGR picture; `rules` limits kinds and copies to that rule set's tiles,
        `tile_set` is a set of tiles that was learned with these models.

        Raises InputError for an unknown rule set, for what is no such picture, and for a set that was learned
        with other models.
        """
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or not image.size:
            raise InputError(NOT_PIXELS, shape=image.shape, type=image.dtype)
        if tile_set:
            tile_set.check_reader(self.reader.id)
        limits = rule_set(rules).tile_set if rules else None
        began = time.perf_counter()
        quads, scores = find(self.finder, image)
        found = time.perf_counter()
        tiles, advice = self._classify(image, quads, scores, tile_set, limits)
        rows = reading_order(np.array([tile.quad for tile in tiles], np.float32).reshape(-1, 4, 2))
        order = [index for row in rows for index in row]
        numbered = iter(range(len(order)))
        done = time.perf_counter()
        ms = {"decode": 0.0, "detect": (found - began) * 1e3, "classify": (done - found) * 1e3}
        return Reading(
            image.shape[1], image.shape[0], tuple(tiles[index] for index in order),
            tuple(tuple(next(numbered) for _ in row) for row in rows), {**ms, "total": (done - began) * 1e3},
            advice,
        )  # fmt: skip

    def _classify(
        self,
        image: Image,
        quads: Quads,
        scores: NDArray[np.float32],
        learned: LearnedSet | None,
        limits: TileSet | None,
    ) -> tuple[list[TileReading], tuple[str, ...]]:
        """What each tile is, and how a better picture would be taken: small tiles are told as "?"."""
        if not len(quads):
            return [], ()
        crops, believed = looked_at(self.reader, image, quads, learned)
        small = heights(quads) < LEGIBLE_PX
        tiles, blurred = [], []
        labels = self.reader.labels
        told = evidence(believed.shares, scores, quads, crops, labels)
        shares = compared(weighed(believed.shares, told, labels, self.trust), believed.features, labels)
        decisions = decided(shares, labels, limits)
        corners = (np.arange(4) + believed.turns[:, None]) % 4
        upright = np.take_along_axis(quads, corners[:, :, None], axis=1).tolist()
        for at, decision in enumerate(decisions):
            if decision is None:
                continue
            code = UNKNOWN if small[at] and decision.code != BACK else decision.code
            a, b, c, d = ((x, y) for x, y in upright[at])
            tiles.append(TileReading(code, (a, b, c, d), decision.p, decision.alternatives))
            if code == UNKNOWN and not small[at]:
                blurred.append(sharpness(crops[at]) < BLURRED)
        closer = any(
            small[at] and each is not None and each.code != BACK for at, each in enumerate(decisions)
        )
        sharper = sum(blurred) * 2 > len(blurred)
        return tiles, (CLOSER,) * closer + (SHARPER,) * sharper
