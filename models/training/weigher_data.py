"""Samples for the weigher: what both networks say of all candidates of a picture, and which are tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.tiles import BACK
from companion.vision.candidates import Candidates, overlap
from companion.vision.classifying import classify_tiles, join_halves
from companion.vision.deciding import Evidence, gather_evidence
from companion.vision.finding import drop_nested, find_tiles
from companion.vision.networks import Finder, Reader
from models.training.augment import relight
from models.training.finder_data import FACE, UNSURE, FinderPicture
from models.training.image_files import decode_image
from models.training.mining import is_astray
from models.training.pictures import LabelledPicture

FOUND_IOU = 0.5  # with a tile, from which a candidate is that tile
MAYBE_BACK = 0.2  # by the reader, from which a candidate may be a back that a photo does not label
NO, YES, UNKNOWN = 0, 1, -1


@dataclass(frozen=True, slots=True, eq=False)
class WeigherSample:
    """The candidates of one picture. is_tile, shows_face: (n,) YES, NO or UNKNOWN."""

    evidence: Evidence
    is_tile: NDArray[np.int8]
    shows_face: NDArray[np.int8]


def gather_samples(
    finder: Finder, reader: Reader, pictures: Sequence[LabelledPicture], *, relit: int | None = None
) -> list[WeigherSample]:
    """A sample of each picture in which there are candidates; with `relit`, a seed, another one in another
    light."""
    rng = None if relit is None else np.random.default_rng(relit)
    samples = []
    for item in pictures:
        for picture in _show(item, rng):
            candidates = find_tiles(finder, picture)
            if not len(candidates):
                continue
            candidates = classify_tiles(reader, picture, candidates, None)
            candidates = drop_nested(join_halves(reader, picture, candidates, None))
            height, width = picture.shape[:2]
            evidence = gather_evidence(candidates, width, height)
            samples.append(WeigherSample(evidence, *_compare_with_labels(candidates, item.for_finder)))
    return samples


def _show(item: LabelledPicture, rng: np.random.Generator | None) -> Iterator[Image]:
    picture = decode_image(item.for_finder.jpeg)
    yield picture
    if rng is not None:
        yield relight(rng, picture)


def _compare_with_labels(
    candidates: Candidates, known: FinderPicture
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Whether each candidate is a tile and shows its face; UNKNOWN for what lies between a tile and none, and
    for what may be a tile that has no label."""
    is_tile, shows_face = np.full((2, len(candidates)), UNKNOWN, np.int8)
    sure = np.flatnonzero(known.kinds != UNSURE)
    quads = known.quads[sure].astype(np.float32)
    maybe_back = candidates.probability_of(BACK) >= MAYBE_BACK
    for at, quad in enumerate(candidates.quads):
        reach = float(np.ptp(quad, axis=0).max())
        near = np.flatnonzero(np.linalg.norm(quads.mean(axis=1) - quad.mean(axis=0), axis=1) < reach)
        shared = [overlap(quads[k], quad) for k in near]
        if max(shared, default=0.0) >= FOUND_IOU:
            is_tile[at] = YES
            shows_face[at] = known.kinds[sure[near[int(np.argmax(shared))]]] == FACE
        elif known.complete and (known.backs_known or not maybe_back[at]) and is_astray(quad, known):
            is_tile[at] = NO
    return is_tile, shows_face
