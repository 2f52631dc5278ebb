"""What a carver's hand makes of a character: strokes are bent, and those of the numerals one to three have
lengths and widths that no font gives them."""

from __future__ import annotations

import cv2
import numpy as np

from companion.images import Image

STROKES = {"一": 1, "二": 2, "三": 3}
WIDE_PX = 160  # of the longest stroke
PLACES = 4  # along each side, that are moved by themselves
MOVED = 0.05  # of a character's sides (sigma)


def carve_by_hand(mask: Image, character: str, seed: int) -> Image:
    """The ink (h, w) uint8 of a character as one hand, `seed`, carves it: the same each time."""
    rng = np.random.default_rng((seed, ord(character)))
    if character in STROKES:
        mask = _draw_strokes(STROKES[character], np.random.default_rng(seed))
    return _crop(_bend(mask, rng))


def _draw_strokes(count: int, rng: np.random.Generator) -> Image:
    """So many strokes one above the other, the last of which is the longest."""
    lengths = [float(rng.uniform(0.45, 0.95)), float(rng.uniform(0.4, 0.9)), 1.0]
    apart = float(rng.uniform(0.26, 0.42)) * WIDE_PX
    thin = float(rng.uniform(0.035, 0.075)) * WIDE_PX
    blunt = float(rng.uniform(1.0, 1.5))
    picture = np.zeros((round(3 * apart + 8 * thin), round(1.4 * WIDE_PX)), np.uint8)
    for k, length in enumerate(lengths[3 - count :]):
        middle = 0.7 * WIDE_PX + float(rng.normal(0, 0.04)) * WIDE_PX
        half, sag = length * WIDE_PX / 2, float(rng.normal(0, 0.03)) * WIDE_PX
        y = 4 * thin + k * apart
        along = np.linspace(-1, 1, 24)
        for t in along:
            end = abs(float(t)) ** 3
            radius = thin * (1 + (blunt - 1) * end)
            centre = round(middle + half * float(t)), round(y + sag * (1 - float(t) ** 2))
            cv2.circle(picture, centre, max(1, round(radius)), 255, -1, cv2.LINE_AA)
        ends = [round(middle - half), round(y)], [round(middle + half), round(y)]
        cv2.line(picture, ends[0], ends[1], 255, max(1, round(1.6 * thin)), cv2.LINE_AA)
    return picture


def _bend(mask: Image, rng: np.random.Generator) -> Image:
    """The ink with its parts moved, neighbours alike."""
    height, width = mask.shape
    margin = round(0.15 * max(height, width))
    mask = np.pad(mask, margin)
    rows, columns = mask.shape
    moved = rng.normal(0, MOVED, (2, PLACES, PLACES)).astype(np.float32)
    dx, dy = (cv2.resize(part, (columns, rows), interpolation=cv2.INTER_CUBIC) for part in moved)
    x, y = np.meshgrid(np.arange(columns, dtype=np.float32), np.arange(rows, dtype=np.float32))
    return np.asarray(cv2.remap(mask, x + dx * width, y + dy * height, cv2.INTER_LINEAR), np.uint8)


def _crop(mask: Image) -> Image:
    rows, columns = np.flatnonzero(mask.max(axis=1) > 8), np.flatnonzero(mask.max(axis=0) > 8)
    return np.pad(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], 1)
