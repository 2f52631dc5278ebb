"""How much lower tiles appear than they would from straight above, as a camera sees them that looks along the
table: a picture that is stretched by as much shows them with the proportions of faces."""

from __future__ import annotations

import numpy as np

from companion.vision.candidates import Floats
from companion.vision.geometry import Quads

FACE_PROPORTION = 1.35  # of a face's height to its width
STRETCHES = np.geomspace(1.0, 4.0, 13)  # that are tried


def choose_stretch(quads: Quads) -> float:
    """By how much a picture should be stretched upwards for most of its tiles (n, 4, 2) px to have the
    proportions and right angles of a face; 1 where there are none."""
    if not len(quads):
        return 1.0
    misfits = [float(np.median(measure_misfits(quads, stretch))) for stretch in STRETCHES]
    return float(STRETCHES[int(np.argmin(misfits))])


def measure_misfits(quads: Quads, stretch: float) -> Floats:
    """How unlike a face from above each of the quads (n, 4, 2) px is in a picture stretched upwards: log of
    the ratio of their proportions, and cosine of the angle between their sides. (n,), 0 for a face."""
    seen = quads * np.array([1, stretch], np.float32)
    across = (seen[:, 1] + seen[:, 2] - seen[:, 0] - seen[:, 3]) / 2
    along = (seen[:, 2] + seen[:, 3] - seen[:, 0] - seen[:, 1]) / 2
    wide, high = (np.linalg.norm(side, axis=1).clip(1e-3) for side in (across, along))
    askew = np.abs((across * along).sum(axis=1)) / (wide * high)
    misfits: Floats = np.abs(np.abs(np.log(high / wide)) - np.log(FACE_PROPORTION)) + askew
    return misfits
