"""A picture in, a reading out: find, straighten, classify, decide. The same for photos and for live frames.

Every later improvement of one stage fits between these calls; nothing else in the program touches a network.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.rules import rule_set
from companion.tiles import BACK, KINDS, UNKNOWN, TileSet
from companion.vision.geometry import Quads, distinct, short_sides, straightened
from companion.vision.networks import DIRECTIONS, Finder, Reader, load_manifest
from companion.vision.pictures import Picture, load_picture
from companion.vision.reading import Reading, TileReading
from companion.vision.rows import reading_order

FIRST_LOOK_PX = 640  # longer side of the picture in which tiles are looked for first
BLIND_LOOK_PX = 1280  # of the next look where the first found nothing
COMFORTABLE_PX = 40.0  # tile width at which the finder is at its best: the second look makes them so
ENOUGH = (0.6, 1.6)  # ratio of the two looks' scales within which no second one is needed
LARGEST_SCALE = 1.5
FIRST_LOOK_TRUST = 0.5  # a find of the second look on the same tile is better placed
PART_PX = 960  # side of the overlapping parts of a closer look, in its own scale
OVERLAP_PX = 160
CERTAIN = 0.6  # a tile whose likeliest kind has less is "?"
NO_TILE = "none"
NO_TILE_SHARE = 0.5  # belief from which on a find is dropped
DIRECTION_SHARE = 0.03  # directions with less belief are not read
ALTERNATIVES = 4


class Recogniser:
    """Both networks, loaded once; `read` may be called from any thread."""

    def __init__(self, models: Path, *, threads: int = 0) -> None:
        """Loads the models of a folder. Raises ModelError when one is missing or not what the manifest
        says."""
        manifest = load_manifest(models)
        self._finder = Finder.load(models, manifest.finder, threads)
        self._reader = Reader.load(models, manifest.reader, manifest.temperature, threads)

    def read_file(self, path: Path, *, rules: str | None = None) -> Reading:
        """Reads a picture file. Raises PictureError."""
        began = time.perf_counter()
        picture = load_picture(path)
        decode = (time.perf_counter() - began) * 1e3
        reading = self.read(picture, rules=rules)
        return replace(reading, ms={**reading.ms, "decode": decode, "total": reading.ms["total"] + decode})

    def read(self, image: Picture, *, rules: str | None = None) -> Reading:
        """Reads a (H, W, 3) uint8 BGR picture; `rules` limits kinds and copies to that rule set's tiles.

        Raises InputError for an unknown rule set.
        """
        tile_set = rule_set(rules).tile_set if rules else None
        began = time.perf_counter()
        quads = self._find(image)
        found = time.perf_counter()
        tiles = _limited(self._classify(image, quads, tile_set), tile_set)
        rows = reading_order(np.array([tile.quad for tile in tiles], np.float32).reshape(-1, 4, 2))
        order = [index for row in rows for index in row]
        numbered = iter(range(len(order)))
        done = time.perf_counter()
        ms = {"decode": 0.0, "detect": (found - began) * 1e3, "classify": (done - found) * 1e3}
        return Reading(
            image.shape[1], image.shape[0], tuple(tiles[index] for index in order),
            tuple(tuple(next(numbered) for _ in row) for row in rows), {**ms, "total": (done - began) * 1e3},
        )  # fmt: skip

    def _find(self, image: Picture) -> Quads:
        """Looks once, and again at the scale that suits the tiles seen; what either look found counts."""
        longer = max(image.shape[:2])
        first = min(1.0, FIRST_LOOK_PX / longer)
        quads, scores = self._finder.find(image, first)
        if len(quads):
            again = min(LARGEST_SCALE, COMFORTABLE_PX / float(np.median(short_sides(quads))))
        else:
            again = min(1.0, BLIND_LOOK_PX / longer)
        if ENOUGH[0] < again / first < ENOUGH[1]:
            return quads
        finds = [(quads, scores * FIRST_LOOK_TRUST)]
        for x, y, part in _parts(image, PART_PX / again, OVERLAP_PX / again):
            part_quads, part_scores = self._finder.find(part, again)
            finds.append(
                (part_quads + np.array([x, y], np.float32), part_scores * _wholeness(part_quads, part))
            )
        quads = np.concatenate([found for found, _ in finds])
        return quads[distinct(quads, np.concatenate([found for _, found in finds]))]

    def _classify(self, image: Picture, quads: Quads, tile_set: TileSet | None) -> list[TileReading]:
        if not len(quads):
            return []
        size = self._reader.size_px
        crops = np.stack([straightened(image, quad, size) for quad in quads])
        upright, directions = self._reader.probabilities(crops)
        likely = directions > DIRECTION_SHARE
        believed = np.zeros_like(upright)
        for turns in range(DIRECTIONS):
            chosen = np.flatnonzero(likely[:, turns])
            if turns and len(chosen):
                kinds, _ = self._reader.probabilities(np.stack([np.rot90(crops[i], turns) for i in chosen]))
            else:
                kinds = upright[chosen]
            believed[chosen] += kinds * directions[chosen, turns, None]
        believed /= believed.sum(axis=1, keepdims=True)
        tiles = [
            _decided(np.roll(quad, -int(direction.argmax()), axis=0), share, self._reader.labels, tile_set)
            for quad, direction, share in zip(quads, directions, believed, strict=True)
        ]
        return [tile for tile in tiles if tile is not None]


def _parts(image: Picture, side: float, overlap: float) -> list[tuple[int, int, Picture]]:
    """Overlapping parts of a picture with their top left corners, px."""
    height, width = image.shape[:2]

    def starts(length: int) -> list[int]:
        count = max(1, int(np.ceil((length - overlap) / (side - overlap))))
        return [round(k * max(0.0, length - side) / max(1, count - 1)) for k in range(count)]

    return [
        (x, y, image[y : y + int(side), x : x + int(side)]) for y in starts(height) for x in starts(width)
    ]  # fmt: skip


def _wholeness(quads: Quads, part: Picture) -> NDArray[np.float32]:
    """1 for a quad well inside the part, less for one at its edge, which a neighbouring part sees whole."""
    height, width = part.shape[:2]
    margin = np.minimum(quads, np.array([width, height], np.float32) - quads).min(axis=(1, 2))
    return np.where(margin > 3, 1.0, 0.6).astype(np.float32)


def _decided(
    quad: NDArray[np.float32], share: NDArray[np.float32], labels: tuple[str, ...], tile_set: TileSet | None
) -> TileReading | None:
    """One tile from the belief in each label; None when it is rather no tile at all."""
    belief = {label: float(p) for label, p in zip(labels, share, strict=True)}
    if belief.pop(NO_TILE) > NO_TILE_SHARE:
        return None
    if tile_set is not None:
        belief = {
            code: p for code, p in belief.items() if code == BACK or tile_set.copies[_INDEX[code]] > 0
        }  # fmt: skip
    ranked = sorted(belief.items(), key=lambda item: -item[1])[:ALTERNATIVES]
    code, p = ranked[0]
    corners = tuple((float(x), float(y)) for x, y in quad)
    return TileReading(code if p >= CERTAIN else UNKNOWN, corners, p, tuple(ranked))  # type: ignore[arg-type]


_INDEX = {tile.code: tile.index for tile in KINDS}


def _limited(tiles: list[TileReading], tile_set: TileSet | None) -> list[TileReading]:
    """No more copies of a kind than the set has: of too many, the least sure become "?"."""
    if tile_set is None:
        return tiles
    left = Counter({kind.code: tile_set.copies[kind.index] for kind in KINDS})
    left[BACK] = left[UNKNOWN] = len(tiles)
    result = list(tiles)
    for index in sorted(range(len(tiles)), key=lambda i: -tiles[i].p):
        if left[tiles[index].code] > 0:
            left[tiles[index].code] -= 1
        else:
            result[index] = replace(tiles[index], code=UNKNOWN)
    return result
