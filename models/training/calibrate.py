"""What makes the networks' confidence true: the reader's temperature (Guo et al. 2017), and how much each
piece of evidence counts about whether there is a tile at all (logistic regression, Platt 1999)."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import torch
from torch.nn import functional

from companion.vision.classifying import classify_tiles
from companion.vision.finding import find_tiles
from companion.vision.geometry import overlap
from companion.vision.networks import Reader, Trust
from companion.vision.recogniser import Recogniser
from companion.vision.weighing import gather_evidence
from models.training.augment import in_other_light
from models.training.finder_data import FACE, UNSURE
from models.training.mining import astray
from models.training.pictures import Told
from models.training.reader_data import Patch, seen_crop

FOUND_IOU = 0.5  # with a tile, from which on a find is that tile


def temperature_of(reader: Reader, held_out: Sequence[Patch], seed: int) -> float:
    """The temperature under which upright held-out crops are least surprising to a reader whose own is 1."""
    rng = np.random.default_rng(seed)
    logits = torch.cat(
        [
            torch.from_numpy(
                reader.classify(np.stack([seen_crop(rng, item, 0) for item in held_out[at : at + 256]])).kinds
            )
            for at in range(0, len(held_out), 256)
        ]
    )
    labels = torch.tensor([item.label for item in held_out])
    grid = np.exp(np.linspace(np.log(0.3), np.log(3.0), 70))
    losses = [functional.cross_entropy(logits / t, labels).item() for t in grid]
    return round(float(grid[int(np.argmin(losses))]), 3)


def trust_of(recogniser: Recogniser, held_out: Sequence[Told], seed: int) -> Trust:
    """The trust under which the finds in held-out pictures, of which every tile is known, are least
    surprising; faces and backs are seen in another light as well. Finds between a tile and none are left
    out."""
    rng = np.random.default_rng(seed)
    tile, is_tile, face, is_face = [], [], [], []
    for item in held_out:
        decoded = np.asarray(cv2.imdecode(np.frombuffer(item.labelled.jpeg, np.uint8), 1), np.uint8)
        for picture in (decoded, in_other_light(rng, decoded)):
            candidates = find_tiles(recogniser.finder, picture)
            if not len(candidates):
                continue
            evidence = gather_evidence(classify_tiles(recogniser.reader, picture, candidates, None))
            sure = np.flatnonzero(item.labelled.kinds != UNSURE)
            for at, quad in enumerate(candidates.quads):
                over = [overlap(item.labelled.quads[k].astype(np.float32), quad) for k in sure]
                found = max(over, default=0.0) >= FOUND_IOU
                if picture is decoded and (found or astray(quad, item.labelled)):
                    tile.append(evidence.tile[at])
                    is_tile.append(found)
                if found:
                    face.append(evidence.face[at])
                    is_face.append(item.labelled.kinds[sure[int(np.argmax(over))]] == FACE)
    weights = [*_fitted(tile, is_tile, Trust().tile), *_fitted(face, is_face, Trust().face)]
    return Trust(*(round(weight, 3) for weight in weights))


def _fitted(told: Sequence[np.ndarray], truth: Sequence[bool], start: Sequence[float]) -> list[float]:
    """The weights of a logistic regression of truth (n) on evidence (n, k); of none, those to start from."""
    if not truth:
        return list(start)
    given, wanted = torch.tensor(np.array(told, float)), torch.tensor(np.array(truth, float))
    weights = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=200)

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        value = functional.binary_cross_entropy_with_logits(given @ weights, wanted)
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    return [float(weight) for weight in weights.detach()]
