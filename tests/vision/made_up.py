"""Candidates made up for tests of single stages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.candidates import Candidates

QUAD = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)


def classified(
    labels: Sequence[str],
    probabilities: np.ndarray,
    *,
    scores: np.ndarray | None = None,
    back_shares: np.ndarray | None = None,
    quads: np.ndarray | None = None,
    crops: np.ndarray | None = None,
    features: np.ndarray | None = None,
) -> Candidates:
    """Candidates (n) with probabilities (n, labels); what is not given is alike for all of them."""
    n = len(probabilities)
    return Candidates(
        quads=np.tile(QUAD, (n, 1, 1)) if quads is None else quads,
        scores=np.full(n, 0.9, np.float32) if scores is None else scores,
        back_shares=np.zeros(n, np.float32) if back_shares is None else back_shares,
        crops=np.zeros((n, 64, 64, 3), np.uint8) if crops is None else crops,
        labels=tuple(labels),
        probabilities=probabilities.astype(np.float32),
        features=np.ones((n, 4), np.float32) if features is None else features,
        turns=np.zeros(n, np.intp),
    )
