"""How often hands win, and what far ones are worth, by who goes on best: aims may change on the way."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FAR = 4
"""Of hands that lack so many tiles or more, differences in what they are said to be worth did not come true
in 570 decisions that were played out: there they count for little,"""
TRUE_OF_FAR = 0.4
"""as this share, but for how wide they are."""
NEAR = 2
"""Hands that lack so many tiles are looked at tile by tile."""
LEAST = 1e-9
AS_GOOD = 0.9
"""Aims that gain so much of the most are taken to gain as much."""
Floats = NDArray[np.float64]


def go_on(
    wins: Floats, gains: Floats, others: Floats, other_gains: Floats, lacking: NDArray[np.int64]
) -> Floats:
    """How often hands win (n,), by how often they do for their aim alone, and what they gain by that.

    others, other_gains: the same of any hand. Who plays for a dear hand takes another where that comes:
    always where both gain as much, the seldomer the less the other gains. A hand that is one tile from ready
    may be led back a step later, too, so that it wins as often at least as one that is led back now; looked
    at tile by tile it waits for what it waits for now, which says too little of a narrow one.
    """
    turns = np.minimum(1.0, other_gains / np.maximum(LEAST, gains))
    found: Floats = wins + turns * np.maximum(0.0, others - wins)
    nearest = lacking == lacking.min()
    if lacking.min() == NEAR and not nearest.all():
        found[nearest] = np.maximum(found[nearest], found[~nearest].max())
    return found


def find_lead(aims: list[tuple[Floats, Floats]]) -> Floats:
    """How often hands win (n,) for the aim by which far ones are told apart: the narrowest of those that gain
    about the most. aims: of each what hands gain, and how often they win."""
    most = max(float(gains.max()) for gains, _ in aims)
    led = [wins for gains, wins in aims if gains.max() >= AS_GOOD * most]
    return min(led, key=lambda wins: float(wins.max()))


def distrust_far(values: Floats, gains: Floats, wins: Floats) -> Floats:
    """What far hands are worth (n,), nearer to the one that wins most often but for how often they do."""
    most = int(wins.argmax())
    seldomer = float(gains[most]) * (1 - wins / max(LEAST, float(wins[most])))
    found: Floats = values[most] + TRUE_OF_FAR * (values - values[most]) - (1 - TRUE_OF_FAR) * seldomer
    return found
