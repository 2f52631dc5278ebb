"""Tiles along the outlines that the finder gives them, for the reader to learn from: these err otherwise
than by chance, the more so where tiles are small or blurred."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.vision import networks
from companion.vision.candidates import Quads, overlap
from companion.vision.finding import find_tiles
from companion.vision.networks import NO_TILE
from models.training.export import FINDER, describe_model, export_finder
from models.training.finder_data import UNSURE
from models.training.image_files import decode_image
from models.training.in_parts import JOBS, work_in_parts
from models.training.mining import is_astray
from models.training.nets import Finder
from models.training.pictures import LabelledPicture
from models.training.reader_data import Patch, cut_patch

FOUND_IOU = 0.5  # with a tile, from which a find is that tile
FINDS = 40  # of a picture


def cut_found_by(net: Finder, pictures: Sequence[LabelledPicture], seed: int) -> list[Patch]:
    """What `cut_found` cuts out with a trained finder; the same seed takes the same finds."""
    with tempfile.TemporaryDirectory() as folder:
        export_finder(net, Path(folder))
        parts = [(Path(folder), pictures[k::JOBS], seed * JOBS + k) for k in range(JOBS)]
        return [patch for part in work_in_parts(_cut_part, parts) for patch in part]


def _cut_part(folder: Path, pictures: Sequence[LabelledPicture], seed: int) -> list[Patch]:
    cv2.setNumThreads(1)
    finder = networks.Finder.load(folder, describe_model(folder / FINDER), 1)
    return cut_found(finder, pictures, np.random.default_rng(seed))


def cut_found(
    finder: networks.Finder, pictures: Sequence[LabelledPicture], rng: np.random.Generator
) -> list[Patch]:
    """Patches of up to FINDS finds a picture, of upright pictures in which every tile and back is known: of
    tiles, along the finder's outlines but from the glyph's top left, and of what is no tile."""
    result = []
    for item in pictures:
        picture = decode_image(item.for_finder.jpeg)
        finds = find_tiles(finder, picture).quads
        finds = finds[((finds > -2) & (finds < np.array(picture.shape[1::-1]) + 2)).all(axis=(1, 2))]
        for quad in finds[rng.permutation(len(finds))[:FINDS]]:
            code, first = _compare_with_labels(quad, item)
            if code:
                result.append(cut_patch(picture, np.roll(quad, -first, axis=0), code, True))
    return result


def _compare_with_labels(quad: Quads, item: LabelledPicture) -> tuple[str, int]:
    """The code of what was found, "" for what is neither a tile nor none, and which corner is the glyph's top
    left."""
    known = item.for_finder
    sure = np.flatnonzero(known.kinds != UNSURE)
    tiles = known.quads[sure].astype(np.float32)
    shared = [overlap(tile, quad) for tile in tiles]
    if not shared or max(shared) < FOUND_IOU:
        return (NO_TILE if is_astray(quad, known) else ""), 0
    best = int(np.argmax(shared))
    apart = [np.linalg.norm(np.roll(quad, -k, axis=0) - tiles[best], axis=1).sum() for k in range(4)]
    return item.codes[sure[best]], int(np.argmin(apart))
