"""Trains the ranker on drawn tables. docs/archive/training-rounds.md says what it reached, and why it is not
in use."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from companion.config import models_dir
from companion.vision.networks import Finder, load_manifest
from lab.bench.lived_in_tables import RIGHT_SHARE, draw_shown
from models.training.arguments import at_least
from models.training.nets import Ranker
from models.training.table_views import Sample, View, draw_sample, view_table
from models.training.training_run import TrainingRun

BATCH, RATE, DECAY = 64, 2e-3, 2e-2
AVERAGE = 0.99
RIGHT_BLUR = 0.006
"""How sharply right and wrong are separated at RIGHT_SHARE, in sides."""
OFF_RANGE, OFF_MIDDLE = (0.008, 0.4), -2.5
"""The least and the most error that is learned, in sides, and the logarithm of a usual one."""
MOVES_UP_TO, MOVES_SCALE = 0.2, 0.1
"""The way to the true corners is learned where they are no farther; what the network answers is in tenths of
a side."""
PARTS = (1.0, 0.3, 1.0)
"""Weights of being right, of the error, and of the way to the true corners."""


def collect(finder: Finder, tables: int, seed: int, *, lists_ways: bool) -> list[View]:
    """The views of drawn tables."""
    views = (view_table(finder, shown, lists_ways=lists_ways) for shown in draw_shown(tables, seed))
    return [view for view in views if view is not None]


def ranker_loss(answers: Tensor, samples: Sequence[Sample]) -> Tensor:
    """That of the answers (n, 10) to these samples."""
    off = torch.tensor([sample.off for sample in samples], dtype=torch.float32)
    moves = torch.tensor(np.stack([sample.moves.ravel() for sample in samples]), dtype=torch.float32)
    right = torch.sigmoid((RIGHT_SHARE - off) / RIGHT_BLUR)
    is_right = functional.binary_cross_entropy_with_logits(answers[:, 0], right)
    error = functional.smooth_l1_loss(answers[:, 1], torch.log(off.clamp(*OFF_RANGE)) - OFF_MIDDLE)
    near = off < MOVES_UP_TO
    way = functional.smooth_l1_loss(answers[near, 2:] * MOVES_SCALE, moves[near], beta=0.02) / MOVES_SCALE
    return PARTS[0] * is_right + PARTS[1] * error + (PARTS[2] * way if near.any() else 0.0)


def train(run: TrainingRun[Ranker], views: Sequence[View], seed: int) -> None:
    """Train the network to the end of its run, which writes its weights."""
    rng = np.random.default_rng(seed)
    with_ways = [view for view in views if len(view.ways)]
    while run.done < run.steps:
        run.net.train()
        samples = [draw_sample(rng, views, with_ways) for _ in range(BATCH)]
        patches = torch.from_numpy(np.stack([sample.patch for sample in samples]))
        loss = ranker_loss(run.net(patches), samples)
        run.learn(loss, BATCH, {"loss": float(loss.detach())})


def main() -> None:
    """Train it, and write ranker.pt."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for ranker.pt")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--ways", type=at_least(1), default=82, help="tables whose ways are learned from")
    parser.add_argument("--tables", type=at_least(1), default=376, help="further tables")
    parser.add_argument("--steps", type=at_least(1), default=1350)
    parser.add_argument("--seed", type=int, default=31)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    torch.manual_seed(given.seed)
    finder = Finder.load(models_dir(), load_manifest(models_dir()).finder, 1)
    views = collect(finder, given.ways, given.seed, lists_ways=True)
    views += collect(finder, given.tables, given.seed + 3, lists_ways=False)
    given.out.mkdir(parents=True, exist_ok=True)
    run = TrainingRun(
        Ranker(), given.out / "ranker.pt", steps=given.steps, rate=RATE, decay=DECAY, average=AVERAGE,
        start=given.start,
    )  # fmt: skip
    train(run, views, given.seed)


if __name__ == "__main__":
    main()
