"""Since when each part of the table has been still, and where it differs from what was read there.

Light that grows, fades or flickers is no movement; nor is the camera's noise. A picture out of focus is not
compared. See `companion.vision.changes` for the same on pictures of any camera.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.tracking.plane import SIDE, Grey, Mask

SPARSE = 4
"""Light and noise are measured in every fourth pixel of every fourth row."""
DARK = 4.0
"""Grey levels that are added before the light of two pictures is compared."""
NOISE_TIMES = 6.0
LEAST_LEVELS = 6.0
"""What differs by less than these grey levels, or so many times the noise, is the same."""
SHIFT_MOVING, SHIFT_READ = 0.5, 0.35
"""And by less than this share of the contrast round it: a little out of focus, or off by half a pixel."""
BRIGHT, BRIGHT_SHARE = 245, 0.25
"""A pixel that was as bright as that may differ by such a share: it was brighter than the camera can say."""
BACK_S = 0.25
"""A frame is compared with the last one, and with one so much earlier: arms can be slow."""
GROWN_PX = 2
"""What moves is a little larger than what is seen to move."""

Times = NDArray[np.float64]
_SQUARE = np.ones((3, 3), np.uint8)


class Stillness:
    """Watches small pictures of the table, one after another."""

    def __init__(self) -> None:
        self.moved_s: Times = np.full((SIDE, SIDE), -np.inf)
        """When each pixel last moved."""
        self._past: deque[tuple[float, Grey]] = deque()

    def watch(self, t: float, grey: Grey, seen: Mask) -> float:
        """Take in the picture of a second; returns the share of what is seen that moves."""
        moving = np.zeros((SIDE, SIDE), bool)
        for then in self._choose_past(t):
            moving |= mark_changes(then, grey, SHIFT_MOVING)
        moving &= seen
        share = float(np.count_nonzero(moving)) / max(1, int(np.count_nonzero(seen)))
        side = 2 * GROWN_PX + 1
        grown = cv2.dilate(moving.astype(np.uint8), np.ones((side, side), np.uint8))
        self.moved_s[grown > 0] = t
        self._past.append((t, grey))
        return share

    def forget(self) -> None:
        """Compare with nothing that came before: the picture has jumped."""
        self._past.clear()

    def _choose_past(self, t: float) -> list[Grey]:
        """The last picture, and the one BACK_S before; those older are dropped."""
        while len(self._past) > 1 and self._past[1][0] <= t - BACK_S:
            self._past.popleft()
        return [grey for _, grey in {0: self._past[0], 1: self._past[-1]}.values()] if self._past else []


def mark_changes(before: Grey, now: Grey, shift: float) -> Mask:
    """What differs between two pictures but for light, noise and a share `shift` of the contrast."""
    gain = compare_light(before, now)
    lit = cv2.convertScaleAbs(before, alpha=gain)
    difference = cv2.subtract(now, lit, dtype=cv2.CV_16S)
    difference = cv2.convertScaleAbs(cv2.blur(difference, (3, 3)), alpha=1)
    noise = float(np.median(difference[::SPARSE, ::SPARSE])) * 1.48  # of a normal distribution
    contrast = cv2.subtract(cv2.dilate(lit, _SQUARE), cv2.erode(lit, _SQUARE))
    allowed = cv2.convertScaleAbs(contrast, alpha=shift, beta=max(LEAST_LEVELS, NOISE_TIMES * noise))
    changed = difference > allowed
    bright = (before >= BRIGHT) | (now >= BRIGHT)
    changed &= ~(bright & (difference < BRIGHT_SHARE * lit))
    return np.asarray(changed, bool)


def compare_light(before: Grey, now: Grey) -> float:
    """How many times as light most of the picture is now."""
    one, other = (grey[::SPARSE, ::SPARSE].astype(np.float32) + DARK for grey in (before, now))
    return float(np.median(other / one))


def measure_sharpness(grey: Grey) -> float:
    """How steep its edges are, the light left out."""
    edges = cv2.Laplacian(cv2.GaussianBlur(grey, (3, 3), 0), cv2.CV_16S)
    return float(np.percentile(np.abs(edges[::2, ::2]), 99)) / max(1.0, float(np.median(grey)))
