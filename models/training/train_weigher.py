"""Trains the weigher on candidates of pictures in which every tile is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from models.training.in_parts import work_in_parts
from models.training.nets import MeanWeigher, Weigher
from models.training.weigher_data import UNKNOWN, WeigherSample

STEPS = 12000
WEIGHERS = 8  # whose mean is used: one alone is off by what its seed makes of it
RATE, DECAY = 3e-3, 1e-3
# Of the networks' log odds in `Evidence.own` (reader and finder on a tile, finder and reader on a back): how
# much surer or less sure they may be of a whole picture than of drawn ones (log scale), and how far off, of a
# picture and of each candidate (sigma). Else the weigher would trust them as far as drawn pictures deserve.
SURER, OFF = 0.2, (0.15, 0.15, 0.2, 0.15)
GROUNDS, TINTED = (
    slice(9, 12),
    0.3,
)  # columns of `Evidence.own` with a ground's colour; how far light moves them

Batch = tuple[Tensor, Tensor, Tensor, Tensor]


def train_weighers(
    groups: Sequence[tuple[int, Sequence[WeigherSample]]], seed: int, steps: int = STEPS
) -> MeanWeigher:
    """The mean of several weighers, each trained in `steps` batches with a fixed number of pictures of each
    group; the same seed gives the same one."""
    net = MeanWeigher(work_in_parts(_train_weigher, [(groups, seed + k, steps) for k in range(WEIGHERS)]))
    net.eval()
    return net


def _train_weigher(groups: Sequence[tuple[int, Sequence[WeigherSample]]], seed: int, steps: int) -> Weigher:
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # one a process
    rng = np.random.default_rng(seed)
    net = Weigher()
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps)
    for _ in range(steps):
        chosen = [
            samples[at]
            for count, samples in groups
            for at in (rng.integers(0, len(samples), count) if samples else ())
        ]
        loss = weigher_loss(net(*join_samples(chosen, rng)), chosen)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    net.eval()
    return net


def weigher_loss(odds: Tensor, samples: Sequence[WeigherSample]) -> Tensor:
    """Cross entropy of being a tile, and of showing a face, each over the candidates where it is known."""
    total = torch.zeros(())
    for column, name in enumerate(("is_tile", "shows_face")):
        truth = torch.from_numpy(np.concatenate([getattr(sample, name) for sample in samples]))
        known = truth != UNKNOWN
        if known.any():
            total = total + functional.binary_cross_entropy_with_logits(
                odds[known, column], truth[known].float()
            )
    return total


def join_samples(samples: Sequence[WeigherSample], rng: np.random.Generator) -> Batch:
    """The evidence on all candidates of some pictures as one, with noise."""
    counts = [len(sample.is_tile) for sample in samples]
    firsts = np.cumsum([0, *counts[:-1]])
    own = np.concatenate([_disturb(sample.evidence.own, rng) for sample in samples])
    neighbours = np.concatenate(
        [sample.evidence.neighbours + first for sample, first in zip(samples, firsts, strict=True)]
    )
    present = np.concatenate([sample.evidence.present for sample in samples])
    relations = np.concatenate([sample.evidence.relations for sample in samples])
    own, neighbours, present, relations = map(torch.from_numpy, (own, neighbours, present, relations))
    return own, neighbours, present, relations


def _disturb(own: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    odds = len(OFF)
    disturbed = own.copy()
    disturbed[:, :odds] *= np.exp(rng.normal(0, SURER, odds))
    disturbed[:, :odds] += rng.normal(0, OFF) + rng.normal(0, OFF, (len(own), odds))
    disturbed[:, GROUNDS] += rng.normal(0, TINTED, 3)
    return disturbed.astype(np.float32)
