"""Fits the temperature that makes the reader's probabilities true (Guo et al. 2017)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch.nn import functional

from companion.vision.networks import Reader
from models.training.reader_data import Patch, augment_crop


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
