"""The three networks: one finds tiles as oriented quads, one reads a straightened crop, one weighs what both
say of all that may be tiles of a picture.

The first two take 8-bit BGR pictures, height × width × 3, and normalise inside, so that nobody has to know
how.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from companion.vision.deciding import EVIDENCE_SIZES
from companion.vision.networks import CHANNELS, DIRECTIONS


class ConvUnit(nn.Sequential):
    """Convolution, batch norm, ReLU."""

    def __init__(self, inputs: int, outputs: int, size: int = 3, stride: int = 1) -> None:
        super().__init__(
            nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(True),
        )


class Residual(nn.Module):
    """Two 3×3 convolutions round a shortcut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = ConvUnit(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


def _stage(inputs: int, outputs: int, blocks: int) -> nn.Sequential:
    return nn.Sequential(ConvUnit(inputs, outputs, stride=2), *(Residual(outputs) for _ in range(blocks)))


def _normalise(picture: Tensor) -> Tensor:
    return picture.permute(0, 3, 1, 2).float() / 127.5 - 1.0


class Finder(nn.Module):
    """(n, H, W, 3) uint8, H and W multiples of 32 → (n, 9, H/4, W/4): `companion.vision.networks` says what
    they mean."""

    def __init__(self, widths: tuple[int, int, int, int] = (24, 48, 96, 128), head: int = 32) -> None:
        super().__init__()
        a, b, c, d = widths
        self.stem = ConvUnit(3, 16, stride=2)
        self.quarter = _stage(16, a, 1)
        self.eighth = _stage(a, b, 2)
        self.sixteenth = _stage(b, c, 3)
        self.thirtysecond = _stage(c, d, 2)
        self.lateral_c = nn.Conv2d(c, c, 1)
        self.lateral_b = nn.Conv2d(b, b, 1)
        self.lateral_a = nn.Conv2d(a, head, 1)
        self.down_d = nn.Conv2d(d, c, 1)
        self.down_c = nn.Conv2d(c, b, 1)
        self.down_b = nn.Conv2d(b, head, 1)
        self.merge_c, self.merge_b, self.merge_a = ConvUnit(c, c), ConvUnit(b, b), ConvUnit(head, head)
        self.out = nn.Conv2d(head, CHANNELS, 1)
        nn.init.constant_(self.out.bias[:2], -4.0)

    def logits(self, picture: Tensor) -> Tensor:
        """As `forward`, the scores before the sigmoid."""
        a = self.quarter(self.stem(_normalise(picture)))
        b = self.eighth(a)
        c = self.sixteenth(b)
        d = self.thirtysecond(c)
        c = self.merge_c(self.lateral_c(c) + _double(self.down_d(d)))
        b = self.merge_b(self.lateral_b(b) + _double(self.down_c(c)))
        a = self.merge_a(self.lateral_a(a) + _double(self.down_b(b)))
        return self.out(a)

    def forward(self, picture: Tensor) -> Tensor:
        out = self.logits(picture)
        return torch.cat([torch.sigmoid(out[:, :2]), out[:, 2:]], 1)


def _double(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


class Reader(nn.Module):
    """(n, 64, 64, 3) uint8 crops, the quad warped to the whole square → kinds (n, labels) and directions (n,
    4), logits.

    The kind is to be trusted for a crop that stands upright; direction k says that the crop was turned k
    quarter turns clockwise from upright."""

    def __init__(self, labels: int, widths: tuple[int, int, int, int] = (16, 48, 96, 160)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.trunk = nn.Sequential(_stage(3, a, 1), _stage(a, b, 2), _stage(b, c, 2))
        self.kind = nn.Sequential(
            _stage(c, d, 1),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(d, labels),
        )
        self.direction = nn.Sequential(
            ConvUnit(c, 64, stride=2), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(256, DIRECTIONS)
        )

    def forward(self, crop: Tensor) -> tuple[Tensor, Tensor]:
        shared = self.trunk(_normalise(crop))
        return self.kind(shared), self.direction(shared)


class Weigher(nn.Module):
    """The arrays of `companion.vision.deciding.Evidence` for n candidates → (n, 2), log odds of being a tile
    and of showing a face if it is one. Neighbours tell each other what they know, twice (message passing:
    Battaglia et al. 2018)."""

    def __init__(self, width: int = 24, rounds: int = 2) -> None:
        super().__init__()
        own, _, relations = EVIDENCE_SIZES
        self.known = nn.Sequential(nn.Linear(own, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.tell = nn.ModuleList(
            nn.Sequential(nn.Linear(2 * width + relations, width), nn.ReLU()) for _ in range(rounds)
        )
        self.hear = nn.ModuleList(
            nn.Sequential(nn.Linear(3 * width, width), nn.ReLU()) for _ in range(rounds)
        )
        self.out = nn.Linear(width, 2)

    def forward(self, own: Tensor, neighbours: Tensor, present: Tensor, relations: Tensor) -> Tensor:
        known = self.known(own)
        for tell, hear in zip(self.tell, self.hear, strict=True):
            of_neighbours = known[neighbours]
            of_itself = known[:, None].expand_as(of_neighbours)
            told = tell(torch.cat([of_itself, of_neighbours, relations], 2)) * present[:, :, None]
            known = hear(torch.cat([known, told.mean(1), told.amax(1)], 1))
        return self.out(known)


class MeanWeigher(nn.Module):
    """The mean of the log odds of several weighers: what one of them is sure of by chance counts less."""

    def __init__(self, weighers: Sequence[Weigher]) -> None:
        super().__init__()
        self.weighers = nn.ModuleList(weighers)

    def forward(self, own: Tensor, neighbours: Tensor, present: Tensor, relations: Tensor) -> Tensor:
        odds = [weigher(own, neighbours, present, relations) for weigher in self.weighers]
        return torch.stack(odds).mean(0)
