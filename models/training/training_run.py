"""A network in training: what it learns from each batch, and what is saved so that a run that was stopped
goes on where it was."""

from __future__ import annotations

import io
import os
import pickle
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from companion.errors import InputError
from companion.files import write_whole

UNUSABLE = "'{path}' is damaged or of another version of the program: remove it, and it is made anew."
NO_START = "'{path}' holds no weights that this version of the program can go on from."
Net = TypeVar("Net", bound=nn.Module)
Made = TypeVar("Made")
REPORT_EVERY, SAVE_EVERY = 50, 500  # batches
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
HAS_BFLOAT16 = DEVICE.type == "cuda" or any(
    torch.cpu.get_capabilities().get(name) for name in ("avx512_bf16", "amx_bf16", "bf16")
)
"""Whether the training hardware multiplies in bfloat16; a processor without it takes six times as long with
it."""
LOADERS = max(1, (os.cpu_count() or 2) - 1)  # processes that make samples
PARTS = ("net", "_mean", "_optimiser", "_schedule")


class TrainingRun(Generic[Net]):
    """AdamW under a one-cycle rate, with a running mean of the weights (share `average` kept at every step).

    Its progress is saved next to `out`, with the suffix .part; at the end its mean weights are in `out`.
    Raises InputError if the .part cannot be continued."""

    def __init__(
        self,
        net: Net,
        out: Path,
        *,
        steps: int,
        rate: float,
        decay: float,
        average: float,
        start: Path | None,
    ) -> None:
        self.net = net.to(DEVICE, memory_format=torch.channels_last)
        if start:
            load_weights(net, start)
        self.out, self.part, self.steps, self.done = out, out.with_suffix(".part"), steps, 0
        self._mean = torch.optim.swa_utils.AveragedModel(
            net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(average), use_buffers=True
        )
        self._optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=decay)
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(
            self._optimiser, rate, total_steps=steps, pct_start=0.08, final_div_factor=50
        )
        if self.part.exists():
            self._resume()
        self._began, self._first, self._sums = time.monotonic(), self.done, np.zeros(0)

    def _resume(self) -> None:
        try:
            kept = torch.load(self.part, map_location=DEVICE, weights_only=True)
            for name in PARTS:
                getattr(self, name).load_state_dict(kept[name])
            self.done = kept["done"]
        except Exception as error:  # torch raises whatever damage makes it run into
            raise InputError(UNUSABLE, path=self.part) from error

    @property
    def mean(self) -> Net:
        """The network with the running mean of the weights, in evaluation mode."""
        net: Net = self._mean.module.eval()
        return net

    def learn(self, loss: Tensor, batch: int, figures: dict[str, float]) -> None:
        """Takes one step down the loss of `batch` samples; the means of `figures` are printed."""
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self._optimiser.step()
        self._schedule.step()
        self._mean.update_parameters(self.net)
        self.done += 1
        self._report(batch, figures)
        if self.done == self.steps:  # before the part says so: a stop in between leaves it to be done again
            _save(self.mean.state_dict(), self.out)
        if self.done % SAVE_EVERY == 0 or self.done == self.steps:
            state = {name: getattr(self, name).state_dict() for name in PARTS}
            _save(state | {"done": self.done}, self.part)

    def _report(self, batch: int, figures: dict[str, float]) -> None:
        self._sums = np.array(list(figures.values())) + (self._sums if len(self._sums) else 0)
        if self.done % REPORT_EVERY == 0:
            means = " ".join(f"{k} {v / REPORT_EVERY:.4f}" for k, v in zip(figures, self._sums, strict=True))
            speed = (self.done - self._first) * batch / (time.monotonic() - self._began)
            print(f"{self.out.stem} {self.done}/{self.steps} {means} {speed:.0f}/s", flush=True)
            self._sums = np.zeros(0)


def _save(state: object, path: Path) -> None:
    content = io.BytesIO()
    torch.save(state, content)
    write_whole(path, content.getvalue())


def load_weights(net: nn.Module, path: Path) -> None:
    """Gives the network the weights of a file. Raises InputError where they are not those of such a
    network."""
    try:
        net.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    except Exception as error:  # torch raises whatever damage makes it run into
        raise InputError(NO_START, path=path) from error


def make_once(path: Path, make: Callable[[], Made]) -> Made:
    """What `make` returns, or returned in the run that was stopped. Raises InputError for a damaged file."""
    if not path.exists():
        write_whole(path, pickle.dumps(make()))
    content = path.read_bytes()
    try:
        made: Made = pickle.loads(content)
    except Exception as error:  # pickle raises whatever damage makes it run into
        raise InputError(UNUSABLE, path=path) from error
    return made
