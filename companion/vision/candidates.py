"""The value that the stages of reading hand on: the places of one picture that may be tiles, a row each.

A stage is a function from one such value to the next. It fills its own columns and leaves the others as they
are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Quads

Floats = NDArray[np.float32]
ROWS = ("quads", "scores", "back_shares", "crops", "probabilities", "features", "turns")
"""The arrays with a row for each candidate."""
PROBABILITY_MIN = 1e-6
"""Smaller ones are raised to this before their logarithm is taken."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """n candidates. What a later stage fills is there from the start, and empty: s, k and d are 0 until then.

    quads: (n, 4, 2) float32, px, clockwise from any corner;
    scores: (n,) float32, 0..1, the finder's;
    back_shares: (n,) float32, 0..1, of what the finder says for a tile, how much says that it shows its back;
    crops: (n, s, s, 3) uint8 BGR, each quad straightened to a square;
    labels: what the columns of `probabilities` stand for: k of them, kinds of tiles, "back" and "none";
    probabilities: (n, k) float32, each row adding up to 1;
    features: (n, d) float32, what the reader saw of each one, upright, to compare them by;
    turns: (n,) intp, quarter turns clockwise from upright, 0 until classified.

    Raises ValueError where an array has another shape or dtype.
    """

    quads: Quads
    scores: Floats
    back_shares: Floats
    crops: NDArray[np.uint8]
    labels: tuple[str, ...]
    probabilities: Floats
    features: Floats
    turns: NDArray[np.intp]

    def __post_init__(self) -> None:
        n, size = len(self.quads), self.crops.shape[1] if self.crops.ndim == 4 else 0
        _check("quads", self.quads, np.float32, (n, 4, 2))
        _check("scores", self.scores, np.float32, (n,))
        _check("back_shares", self.back_shares, np.float32, (n,))
        _check("crops", self.crops, np.uint8, (n, size, size, 3))
        _check("probabilities", self.probabilities, np.float32, (n, len(self.labels)))
        _check("features", self.features, np.float32, (n, None))
        _check("turns", self.turns, np.intp, (n,))

    @staticmethod
    def from_finder(quads: Quads, scores: Floats, back_shares: Floats) -> Candidates:
        """Candidates as the finder leaves them: quads (n, 4, 2) px, scores and back_shares (n,), the rest
        empty."""
        n = len(quads)
        nothing = np.zeros((n, 0), np.float32)
        crops = np.zeros((n, 0, 0, 3), np.uint8)
        return Candidates(quads, scores, back_shares, crops, (), nothing, nothing, np.zeros(n, np.intp))

    @staticmethod
    def join(parts: Sequence[Candidates]) -> Candidates:
        """The candidates of all parts, at least one, in order; all parts come from the same stage."""
        arrays: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in parts]) for name in ROWS
        }
        return replace(parts[0], **arrays)

    def __len__(self) -> int:
        return len(self.quads)

    def __getitem__(self, rows: slice | NDArray[np.bool_] | NDArray[np.intp]) -> Candidates:
        """Those that a slice, a mask (n,) or indices choose, in that order."""
        chosen: dict[str, Any] = {name: getattr(self, name)[rows] for name in ROWS}
        return replace(self, **chosen)

    def probability_of(self, label: str) -> Floats:
        """The column (n,) of `probabilities` for a label."""
        column: Floats = self.probabilities[:, self.labels.index(label)]
        return column

    @property
    def upright_quads(self) -> Quads:
        """The quads (n, 4, 2) px, each from the glyph's top left corner."""
        corners = (np.arange(4) + self.turns[:, None]) % 4
        upright: Quads = np.take_along_axis(self.quads, corners[:, :, None], axis=1)
        return upright


def _check(name: str, array: NDArray[Any], dtype: type[np.generic], shape: tuple[int | None, ...]) -> None:
    """Raises ValueError for another dtype or shape; None: any length."""
    fits = array.ndim == len(shape) and all(
        wanted is None or wanted == has for wanted, has in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype != dtype:
        wanted = tuple("any" if length is None else length for length in shape)
        raise ValueError(
            f"{name} must be {np.dtype(dtype)} of shape {wanted}, not {array.dtype} {array.shape}"
        )
