"""The exact lines of a table's sides in the picture, near those of a `Square`."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.table_sides import Square

Floats = NDArray[np.float64]

REACH_UNITS = 16
"""How far from the square's side its exact line is looked for."""
SAMPLES = 96
ENDS = 0.04
"""Of a side, at each end, that is not looked at: corners are round, and hold other edges."""
ARM = 3
"""Units on each side of an edge over which colours are compared."""
PLAIN = 20.0
"""Difference of colours above which an edge is no plainer for it."""
KEPT_MIN = 0.2
"""Of a side that must be seen for its line to be taken from the picture."""


def trace_corners(image: Image, to_plane: Floats, square: Square) -> tuple[Floats, Floats]:
    """The table's corners (4, 2) px, going round, and how much (4,) of each side was seen: left, right, low
    and high."""
    lab = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2Lab), np.uint8)
    to_picture = np.asarray(np.linalg.inv(to_plane), np.float64)
    left, right, low, high = square.left, square.right, square.low, square.high
    sides = {
        "left": ((left, low), (left, high), (-1, 0)),
        "right": ((right, low), (right, high), (1, 0)),
        "low": ((left, low), (right, low), (0, -1)),
        "high": ((left, high), (right, high), (0, 1)),
    }
    lines, seen = {}, []
    for name, (start, end, outward) in sides.items():
        first, last, share = _trace(lab, to_picture, np.array(start), np.array(end), np.array(outward))
        lines[name] = np.cross([*first, 1.0], [*last, 1.0])
        seen.append(share)
    corners = []
    for one, other in (("left", "low"), ("low", "right"), ("right", "high"), ("high", "left")):
        point = np.cross(lines[one], lines[other])
        corners.append(point[:2] / point[2])
    flat = np.array(corners, np.float64)[None]
    return np.asarray(cv2.perspectiveTransform(flat, to_picture)[0], np.float64), np.array(seen)


def _trace(
    lab: Image, to_picture: Floats, start: Floats, end: Floats, outward: Floats
) -> tuple[Floats, Floats, float]:
    """Two places, units, on the line of the side between these places, and how much of it was seen there."""
    along = np.linspace(ENDS, 1 - ENDS, SAMPLES)
    offsets = np.arange(-REACH_UNITS - ARM, REACH_UNITS + ARM + 1.0)
    places = (start + (end - start) * along[:, None])[:, None] + outward * offsets[None, :, None]
    px = cv2.perspectiveTransform(places.reshape(1, -1, 2), to_picture).reshape(SAMPLES, len(offsets), 2)
    px = px.astype(np.float32)
    colours = cv2.remap(lab, px[..., 0], px[..., 1], cv2.INTER_LINEAR).astype(np.float64)
    height, width = lab.shape[:2]
    inside_picture = (px >= 1) & (px <= np.array([width, height]) - 2)
    held = np.asarray(inside_picture.all(axis=(1, 2)), bool)
    total = np.cumsum(np.concatenate([np.zeros((SAMPLES, 1, 3)), colours], axis=1), axis=1)
    count = 2 * REACH_UNITS + 1
    inside = (total[:, ARM : ARM + count] - total[:, :count]) / ARM
    outside = (total[:, 2 * ARM + 1 : 2 * ARM + 1 + count] - total[:, ARM + 1 : ARM + 1 + count]) / ARM
    plain = np.minimum(np.linalg.norm(outside - inside, axis=2), PLAIN) / PLAIN
    # thinned, so that of a broad edge its middle counts
    summit = plain >= cv2.dilate(plain, np.ones((1, 5))) - 1e-9
    plain = np.where(held[:, None], plain * np.where(summit, 1.0, 0.4), 0.0)
    nothing = (start, end, 0.0)
    if held.sum() < 0.15 * SAMPLES:
        return nothing
    best, share = _find_line(plain, along, held)
    if share < KEPT_MIN:
        return nothing
    exact = _settle(plain, along, best)
    first, last = (start + (end - start) * s + outward * (exact[0] + exact[1] * s) for s in (0.0, 1.0))
    return first, last, share


def _find_line(plain: Floats, along: Floats, held: NDArray[np.bool_]) -> tuple[tuple[float, float], float]:
    """Offset at the start and its rise along the side of the line that runs where edges are plainest, and
    how much of the side is such an edge."""
    rows = np.arange(len(along))
    best, most = (0.0, 0.0), -1.0
    for first in range(-REACH_UNITS, REACH_UNITS + 1):
        lasts = np.arange(-REACH_UNITS, REACH_UNITS + 1)
        offsets = first + (lasts[:, None] - first) * along[None]
        columns = np.clip(np.round(offsets).astype(int) + REACH_UNITS, 0, 2 * REACH_UNITS)
        sums = plain[rows[None], columns].sum(axis=1)
        sums = sums - 0.15 * (abs(first) + np.abs(lasts)) / REACH_UNITS * held.sum() * 0.5
        index = int(sums.argmax())
        if sums[index] > most:
            most, best = float(sums[index]), (float(first), float(lasts[index] - first))
            share = float(plain[rows, columns[index]].sum() / max(1, held.sum()))
    return best, share


def _settle(plain: Floats, along: Floats, line: tuple[float, float]) -> Floats:
    """The line through the middles of the edges near that one: offset and rise (2,)."""
    exact = np.array(line)
    offsets = np.arange(-REACH_UNITS, REACH_UNITS + 1.0)
    for reach in (3.0, 2.0, 2.0):
        off = offsets[None] - (exact[0] + exact[1] * along)[:, None]
        weights = plain * np.exp(-0.5 * (off / reach) ** 2)
        mass = weights.sum(axis=1)
        if mass.sum() <= 0:
            break
        where = (weights * offsets).sum(axis=1) / np.maximum(mass, 1e-9)
        rows = np.column_stack([np.ones_like(along), along])
        trust = weights.max(axis=1) ** 2
        exact = np.linalg.solve((rows.T * trust) @ rows + 1e-6 * np.eye(2), (rows.T * trust) @ where)
    return exact
