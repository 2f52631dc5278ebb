"""Trains the finder on random views of photos, rendered tables and pictures without tiles."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader

from models.training.finder_data import FinderSamples, Labelled
from models.training.nets import Finder

VIEW_PX = 384
AVERAGE = 0.997  # share that the running mean of the weights keeps at every step


def heat_loss(logits: Tensor, heat: Tensor, punish: Tensor) -> Tensor:
    """Penalty-reduced focal loss of CornerNet (Law & Deng 2018, eq. 1), per tile."""
    positive = (heat > 0.999).float()
    score = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    gain = positive * (1 - score) ** 2 * torch.log(score)
    lost = (1 - positive) * (1 - heat) ** 4 * score**2 * torch.log(1 - score) * punish
    return -(gain * punish + lost).sum() / positive.sum().clamp(min=8)


def shape_loss(got: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    """Mean over tiles of the summed distances of `companion.vision.quadmap`'s seven numbers, all relative to
    size."""
    apart = functional.smooth_l1_loss(got, wanted, reduction="none", beta=0.02).sum(1)
    return (apart * weight).sum() / weight.sum().clamp(min=1)


def train_finder(
    pictures: Sequence[Labelled],
    weights: np.ndarray,
    out: Path,
    *,
    steps: int,
    batch: int = 24,
    seed: int = 1,
    start: Path | None = None,
    rate: float = 2e-3,
    workers: int = 1,
) -> Finder:
    """Trains for `steps` batches and keeps the weights at `out`, every few minutes and at the end."""
    torch.manual_seed(seed)
    net = Finder().to(memory_format=torch.channels_last)
    if start:
        net.load_state_dict(torch.load(start, weights_only=True))
    averaged = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(AVERAGE), use_buffers=True
    )
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, rate, total_steps=steps, pct_start=0.08, final_div_factor=50
    )
    samples = FinderSamples(pictures, weights, VIEW_PX, steps * batch, seed)
    loader = DataLoader(samples, batch, num_workers=workers, prefetch_factor=4)
    began, sums = time.monotonic(), np.zeros(2)
    for step, (seen, heat, shapes, weight, punish) in enumerate(loader):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out_map = net.logits(seen)
        out_map = out_map.float()
        found = heat_loss(out_map[:, :2], heat, punish)
        shape = shape_loss(out_map[:, 2:], shapes, weight)
        optimiser.zero_grad(set_to_none=True)
        (found + shape).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        averaged.update_parameters(net)
        sums += [found.item(), shape.item()]
        if (step + 1) % 50 == 0:
            rate_now = (step + 1) * batch / (time.monotonic() - began)
            print(
                f"finder {step + 1}/{steps} heat {sums[0] / 50:.3f} shapes {sums[1] / 50:.4f}"
                f" {rate_now:.0f} pictures/s",
                flush=True,
            )
            sums[:] = 0
        if (step + 1) % 500 == 0 or step + 1 == steps:
            torch.save(averaged.module.state_dict(), out)
    return averaged.module
