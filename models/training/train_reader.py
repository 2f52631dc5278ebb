"""Trains the reader: kinds of upright crops, directions of turned ones; photos join once their directions are
settled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader

from companion.vision.candidates import straighten_quad
from companion.vision.networks import DIRECTIONS, READER_PX
from models.training.labels import ANY_TURN, HALF_TURN, LABELS
from models.training.nets import Reader
from models.training.reader_data import Patch, ReaderSamples, set_directions
from models.training.training_run import DEVICE, HAS_BFLOAT16, LOADERS, TrainingRun

AVERAGE = 0.998  # share that the running mean of the weights keeps at every step
BATCH = 128
_HALF = torch.tensor([code in HALF_TURN for code in LABELS])
_ANY = torch.tensor([code in ANY_TURN for code in LABELS])


def reader_loss(kinds: Tensor, directions: Tensor, labels: Tensor, turns: Tensor) -> tuple[Tensor, Tensor]:
    """Cross entropies of kind and direction, each over the crops for which it means something."""
    half, free = _HALF.to(labels.device)[labels], _ANY.to(labels.device)[labels]
    legible = (turns == 0) | free | (half & (turns == 2))
    kind = functional.cross_entropy(kinds, labels, reduction="none", label_smoothing=0.02)
    log_p = functional.log_softmax(directions, 1)
    exact = log_p.gather(1, turns[:, None])[:, 0]
    opposite = log_p.gather(1, ((turns + 2) % DIRECTIONS)[:, None])[:, 0]
    directed_p = torch.where(half, torch.logaddexp(exact, opposite), exact)
    directed = (~free).float()
    return (kind * legible).sum() / legible.sum(), -(directed_p * directed).sum() / directed.sum()


@torch.no_grad()
def settle_directions(net: Reader, items: Sequence[Patch]) -> list[Patch]:
    """The patches of photographed tiles, turned so that their known kind is read best where the crop is said
    to be turned so: a reader knows a 3s that lies upside down, too, and would learn that it stands."""
    labels = torch.tensor([item.label for item in items], device=DEVICE)
    _, directions = _read(net, items, 0)
    scores = directions.T + torch.stack(
        [_read(net, items, k)[0].gather(1, labels[:, None])[:, 0] for k in range(DIRECTIONS)]
    )
    return set_directions(items, scores.argmax(0).cpu().numpy())


def _read(net: Reader, items: Sequence[Patch], turns: int) -> tuple[Tensor, Tensor]:
    """Log probabilities of kinds (n, labels) and directions (n, 4) of patches turned back by this number of
    quarters."""
    answers = []
    for at in range(0, len(items), 256):
        crops = [
            straighten_quad(item.picture, np.roll(item.quad, -turns, axis=0), READER_PX)
            for item in items[at : at + 256]
        ]
        answers.append(net(torch.from_numpy(np.stack(crops)).to(DEVICE)))
    kinds, directions = (torch.cat(each).float() for each in zip(*answers, strict=True))
    return functional.log_softmax(kinds, 1), functional.log_softmax(directions, 1)


def train_reader(
    sources: Sequence[tuple[float, Sequence[Patch]]],
    photographed: tuple[float, Sequence[Patch]],
    out: Path,
    *,
    steps: int,
    seed: int,
    rate: float,
    start: Path | None,
) -> Reader:
    """Trains for `steps` batches, or for those that a stopped training left; the weights lie in `out`.

    `photographed` (share, patches of unknown direction), if there are any, join after two fifths, or from
    the first batch when it goes on from the weights of `start`."""
    torch.manual_seed(seed)
    course = TrainingRun(
        Reader(len(LABELS)), out, steps=steps, rate=rate, decay=0.02, average=AVERAGE, start=start
    )
    alone = 0 if start else steps * 2 // 5
    for leg, end in enumerate((alone, steps)):
        if leg and photographed[1]:
            sources = [*sources, (photographed[0], settle_directions(course.mean, photographed[1]))]
        for crops, labels, turns in DataLoader(
            ReaderSamples(sources, BATCH, end, seed + leg),
            None,
            sampler=range(course.done, end),
            num_workers=LOADERS,
            prefetch_factor=4,
        ):
            crops, labels, turns = (each.to(DEVICE) for each in (crops, labels, turns))
            with torch.autocast(DEVICE.type, torch.bfloat16, enabled=HAS_BFLOAT16):
                kinds, directions = course.net(crops)
            kind, direction = reader_loss(kinds.float(), directions.float(), labels, turns)
            right = (kinds.argmax(1) == labels)[turns == 0].float().mean()
            course.learn(
                kind + 0.5 * direction,
                BATCH,
                {"kind": kind.item(), "direction": direction.item(), "right": right.item()},
            )
    trained: Reader = course.mean.cpu()
    return trained
