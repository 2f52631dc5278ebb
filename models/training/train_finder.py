"""Trains the finder on random views of photos, rendered tables and pictures without tiles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader

from models.training.finder_data import FinderPicture, FinderSamples
from models.training.nets import Finder
from models.training.training_run import DEVICE, HAS_BFLOAT16, LOADERS, TrainingRun

VIEW_PX = 384
AVERAGE = 0.997  # share that the running mean of the weights keeps at every step
BATCH = 24


def heat_loss(logits: Tensor, heat: Tensor, punish: Tensor) -> Tensor:
    """Penalty-reduced focal loss of CornerNet (Law & Deng 2018, eq. 1), per tile."""
    positive = (heat > 0.999).float()
    score = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    gain = positive * (1 - score) ** 2 * torch.log(score)
    lost = (1 - positive) * (1 - heat) ** 4 * score**2 * torch.log(1 - score) * punish
    return -(gain * punish + lost).sum() / positive.sum().clamp(min=8)


def shape_loss(got: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    """Mean over tiles of the summed distances of `companion.vision.networks`'s seven numbers, all relative to
    size."""
    apart = functional.smooth_l1_loss(got, wanted, reduction="none", beta=0.02).sum(1)
    return (apart * weight).sum() / weight.sum().clamp(min=1)


def train_finder(
    pictures: Sequence[FinderPicture],
    weights: np.ndarray,
    out: Path,
    *,
    steps: int,
    seed: int,
    rate: float,
    start: Path | None,
) -> Finder:
    """Trains for `steps` batches, or for those that a stopped training left; the weights lie in `out`."""
    torch.manual_seed(seed)
    course = TrainingRun(Finder(), out, steps=steps, rate=rate, decay=0.01, average=AVERAGE, start=start)
    samples = FinderSamples(pictures, weights, VIEW_PX, steps * BATCH, seed)
    left = range(course.done * BATCH, steps * BATCH)
    for batch in DataLoader(samples, BATCH, sampler=left, num_workers=LOADERS, prefetch_factor=4):
        seen, heat, shapes, weight, punish = (each.to(DEVICE) for each in batch)
        with torch.autocast(DEVICE.type, torch.bfloat16, enabled=HAS_BFLOAT16):
            out_map = course.net.logits(seen)
        out_map = out_map.float()
        found = heat_loss(out_map[:, :2], heat, punish)
        shape = shape_loss(out_map[:, 2:], shapes, weight)
        course.learn(found + shape, BATCH, {"heat": found.item(), "shapes": shape.item()})
    trained: Finder = course.mean.cpu()
    return trained
