"""Fits what makes the networks' probabilities true: the reader's temperature (Guo et al. 2017), and how much
each piece of evidence counts on whether there is a tile at all (logistic regression, Platt 1999)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch.nn import functional

from companion.vision.classifying import classify_tiles
from companion.vision.finding import find_tiles
from companion.vision.geometry import overlap
from companion.vision.networks import Reader, Trust
from companion.vision.recogniser import Recogniser
from companion.vision.weighing import gather_evidence
from models.training.augment import relight
from models.training.finder_data import FACE, UNSURE
from models.training.image_files import decode_image
from models.training.mining import is_astray
from models.training.pictures import LabelledPicture
from models.training.reader_data import Patch, augment_crop

FOUND_IOU = 0.5  # with a tile, from which on a candidate is that tile


def fit_temperature(reader: Reader, held_out: Sequence[Patch], seed: int) -> float:
    """The temperature under which upright held-out crops are least surprising to a reader whose own is 1."""
    rng = np.random.default_rng(seed)
    logits = torch.cat(
        [
            torch.from_numpy(
                reader.classify(
                    np.stack([augment_crop(rng, item, 0) for item in held_out[at : at + 256]])
                ).kinds
            )
            for at in range(0, len(held_out), 256)
        ]
    )
    labels = torch.tensor([item.label for item in held_out])
    grid = np.exp(np.linspace(np.log(0.3), np.log(3.0), 70))
    losses = [functional.cross_entropy(logits / t, labels).item() for t in grid]
    return round(float(grid[int(np.argmin(losses))]), 3)


def fit_trust(recogniser: Recogniser, held_out: Sequence[LabelledPicture], seed: int) -> Trust:
    """The trust under which the candidates in held-out pictures, in which every tile is known, are least
    surprising; faces and backs are seen in another light as well. Candidates between a tile and none are left
    out."""
    rng = np.random.default_rng(seed)
    tile, is_tile, face, is_face = [], [], [], []
    for item in held_out:
        decoded = decode_image(item.for_finder.jpeg)
        for picture in (decoded, relight(rng, decoded)):
            candidates = find_tiles(recogniser.finder, picture)
            if not len(candidates):
                continue
            evidence = gather_evidence(classify_tiles(recogniser.reader, picture, candidates, None))
            sure = np.flatnonzero(item.for_finder.kinds != UNSURE)
            for at, quad in enumerate(candidates.quads):
                over = [overlap(item.for_finder.quads[k].astype(np.float32), quad) for k in sure]
                found = max(over, default=0.0) >= FOUND_IOU
                if picture is decoded and (found or is_astray(quad, item.for_finder)):
                    tile.append(evidence.tile[at])
                    is_tile.append(found)
                if found:
                    face.append(evidence.face[at])
                    is_face.append(item.for_finder.kinds[sure[int(np.argmax(over))]] == FACE)
    weights = [*_fit_weights(tile, is_tile, Trust().tile), *_fit_weights(face, is_face, Trust().face)]
    return Trust(*(round(weight, 3) for weight in weights))


def _fit_weights(
    evidence: Sequence[np.ndarray], truth: Sequence[bool], start: Sequence[float]
) -> list[float]:
    """The weights of a logistic regression of truth (n) on evidence (n, k); where n is 0, those to start
    from."""
    if not truth:
        return list(start)
    given, wanted = torch.tensor(np.array(evidence, float)), torch.tensor(np.array(truth, float))
    weights = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=200)

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        value = functional.binary_cross_entropy_with_logits(given @ weights, wanted)
        value.backward()
        return value

    optimiser.step(loss)
    return [float(weight) for weight in weights.detach()]
