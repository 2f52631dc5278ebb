"""Pictures so coarse that no face can be read in them, for as long as nobody knows where the hands are.

A median over a wide place drops all that is smaller than half of it, however it contrasts, and leaves the
edges of what is larger: a table stays to be seen, and its tiles do not.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.images import Image

COARSE_PX = 160
"""Longer side of the coarse picture. Of a table that is in it as a whole a tile has some 5 px."""
MEDIAN_PX = 35
"""Side of the square over which the median is taken. The strokes of a tile up to 130 px wide, one in the
whole picture, are less than half of it, and so is a row of dots on one of 50 px."""
EDGES_PX = 640
"""Longer side of the picture in which straight edges are looked for."""
LONG = 0.1
"""Least length of an edge, as a share of that side: a table's are longer, though things break them, and no
stroke on a tile is, as long as eight tiles have room one above the other."""
INK = (170, 220, 235)


def make_coarse(image: Image) -> Image:
    """The picture (H, W, 3) uint8 BGR, coarse."""
    height, width = image.shape[:2]
    small = cv2.medianBlur(_shrink(image, COARSE_PX), MEDIAN_PX)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def make_coarse_with_edges(image: Image) -> Image:
    """The same, with the long straight edges of the picture drawn as they are: those of the table can be
    touched."""
    coarse, small = make_coarse(image), _shrink(image, EDGES_PX)
    times = image.shape[1] / small.shape[1]
    found = cv2.createLineSegmentDetector().detect(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))[0]
    ends = np.zeros((0, 2, 2)) if found is None else found.reshape(-1, 2, 2)
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    width = max(1, round(max(image.shape[:2]) / EDGES_PX))
    for one, other in np.round(ends[lengths >= LONG * EDGES_PX] * times).astype(int).tolist():
        cv2.line(coarse, one, other, INK, width, cv2.LINE_AA)
    return coarse


def _shrink(image: Image, longer_px: int) -> Image:
    height, width = image.shape[:2]
    scale = min(1.0, longer_px / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
