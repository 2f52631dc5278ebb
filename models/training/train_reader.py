"""Trains the reader: kinds of upright crops, directions of turned ones; photos join once their directions are
settled."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader

from companion.vision.geometry import straightened
from companion.vision.networks import DIRECTIONS, READER_PX
from models.training.labels import ANY_TURN, HALF_TURN, LABELS
from models.training.nets import Reader
from models.training.reader_data import Patch, ReaderSamples, with_direction

_HALF = torch.tensor([code in HALF_TURN for code in LABELS])
_ANY = torch.tensor([code in ANY_TURN for code in LABELS])


def reader_loss(kinds: Tensor, directions: Tensor, labels: Tensor, turns: Tensor) -> tuple[Tensor, Tensor]:
    """Cross entropies of kind and direction, each over the crops for which it means something."""
    half, free = _HALF[labels], _ANY[labels]
    legible = (turns == 0) | free | (half & (turns == 2))
    kind = functional.cross_entropy(kinds, labels, reduction="none", label_smoothing=0.02)
    log_p = functional.log_softmax(directions, 1)
    exact = log_p.gather(1, turns[:, None])[:, 0]
    opposite = log_p.gather(1, ((turns + 2) % DIRECTIONS)[:, None])[:, 0]
    told = torch.where(half, torch.logaddexp(exact, opposite), exact)
    directed = (~free).float()
    return (kind * legible).sum() / legible.sum(), -(told * directed).sum() / directed.sum()


@torch.no_grad()
def settled(net: Reader, items: Sequence[Patch]) -> list[Patch]:
    """Photographed tiles with the direction in which their known kind is read best."""
    labels = torch.tensor([item.label for item in items])
    scores = torch.stack(
        [
            torch.cat(
                [
                    functional.log_softmax(
                        net(
                            torch.from_numpy(
                                np.stack(
                                    [
                                        straightened(i.picture, np.roll(i.quad, -k, axis=0), READER_PX)
                                        for i in part
                                    ]
                                )
                            )
                        )[0].float(),
                        1,
                    )
                    for part in (items[at : at + 256] for at in range(0, len(items), 256))
                ]
            ).gather(1, labels[:, None])[:, 0]
            for k in range(DIRECTIONS)
        ]
    )
    return with_direction(items, scores.argmax(0).numpy())


def train_reader(
    sources: Sequence[tuple[float, Sequence[Patch]]],
    photographed: tuple[float, Sequence[Patch]],
    out: Path,
    *,
    steps: int,
    batch: int = 128,
    seed: int = 1,
    start: Path | None = None,
    rate: float = 2e-3,
    workers: int = 1,
) -> Reader:
    """Trains for `steps` batches; `photographed` (share, patches of unknown direction) join after two
    fifths."""
    torch.manual_seed(seed)
    net = Reader(len(LABELS)).to(memory_format=torch.channels_last)
    if start:
        net.load_state_dict(torch.load(start, weights_only=True))
    averaged = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, rate, total_steps=steps, pct_start=0.08, final_div_factor=50
    )
    first = 0 if start else steps * 2 // 5
    began, sums, done = time.monotonic(), np.zeros(3), 0
    for leg, count in enumerate((first, steps - first)):
        if leg:
            averaged.module.eval()
            sources = [*sources, (photographed[0], settled(averaged.module, photographed[1]))]
        for crops, labels, turns in DataLoader(
            ReaderSamples(sources, batch, count, seed + leg), None, num_workers=workers, prefetch_factor=4
        ):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                kinds, directions = net(crops)
            kind, direction = reader_loss(kinds.float(), directions.float(), labels, turns)
            optimiser.zero_grad(set_to_none=True)
            (kind + 0.5 * direction).backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            averaged.update_parameters(net)
            done += 1
            upright = turns == 0
            sums += [
                kind.item(),
                direction.item(),
                (kinds.argmax(1) == labels)[upright].float().mean().item(),
            ]
            if done % 100 == 0:
                speed = done * batch / (time.monotonic() - began)
                print(
                    f"reader {done}/{steps} kind {sums[0] / 100:.3f} direction {sums[1] / 100:.3f}"
                    f" right {sums[2] / 100:.4f} {speed:.0f} crops/s",
                    flush=True,
                )
                sums[:] = 0
            if done % 500 == 0 or done == steps:
                torch.save(averaged.module.state_dict(), out)
    averaged.module.eval()
    return averaged.module
