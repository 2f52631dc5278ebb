"""Whether tiles are large and sharp enough in a picture to be read."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.vision.geometry import Quads, long_sides

# Steepest edges below this: one in five tiles of the labelled photos, when blurred like this, is read as
# another.
BLURRED = 0.11
SMOOTHED_PX = 1.0  # so that noise is no edge
RIM_PX = 6  # of a 64 px crop, which shows the edge of the tile
LEAST_PX = 12.0  # height of a tile, below which none is named
# Heights below which a name needs that certainty. Of 1,105 finds 12 to 20 px high with 0.98, on photos and
# drawn tables shrunk for it, 3 were wrong, of 184 with 0.90 to 0.98 13; of 34 on drawn whole tables with 0.70
# to 0.75 15, as such tiles have less detail than the reader looks at.
LEGIBLE_PX, SUREST = 20.0, 0.98
CLEAR_PX, SURER = 60.0, 0.75
FAINT = 25.0  # grey levels between dark and light: a face with less is blank


def are_legible(quads: Quads, certainties: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether each of the faces (n, 4, 2) px is large enough to be called what it is most likely, with these
    probabilities (n,)."""
    high = long_sides(quads)
    needed = np.select([high < LEAST_PX, high < LEGIBLE_PX, high < CLEAR_PX], [np.inf, SUREST, SURER])
    legible: NDArray[np.bool_] = certainties >= needed
    return legible


def sharpness(crop: Image) -> float:
    """How steep the steepest edges of a straightened tile (64, 64, 3) are, 0..1: the share of its contrast by
    which it changes from one px to the next; 1 for a blank face, which has no edges."""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    dark, light = np.percentile(grey, (2, 98))
    if light - dark < FAINT:
        return 1.0
    smooth = cv2.GaussianBlur(grey, (0, 0), SMOOTHED_PX)
    slope = np.hypot(np.diff(smooth, axis=1)[1:], np.diff(smooth, axis=0)[:, 1:])
    return float(np.percentile(slope, 97) / (light - dark))
