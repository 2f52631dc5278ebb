"""Since when each part of the table has been still, and where it differs from what was read there.

Light that grows, fades or flickers is no movement; nor is the camera's noise. `companion.vision.recogniser`
does the same with pictures of any camera.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.seeing.plane import SIDE, Grey, Mask

STILL_S = 0.18
"""What has not moved for so long lies still: three frames of ten or four of fifteen a second."""
SPARSE = 6
"""Light, noise and sharpness are measured in every sixth pixel of every sixth row."""
DARK = 4.0
"""Grey levels that are added before the light of two pictures is compared."""
NOISE_TIMES = 6.0
LEAST_LEVELS = 6.0
"""What differs by less than these grey levels, or so many times the noise, is the same."""
LIT_ANEW, LIT_S = 0.015, 1.5
"""The light has changed where most of the picture is so much lighter than before, as a logarithm; and what
that changes is seen for so long."""
LIGHT_PX, LIGHT_SAME, LIGHT_MOST = 21, 0.9, 0.3
"""Light differs little over so many pixels; so large a share of what is near must look the same in it; and
it differs from the usual by less than this, as a logarithm."""
NOISE_GROWS = 0.1
"""Grey levels by which the noise may grow from one picture to the next."""
SHIFT_MOVING, SHIFT_READ = 0.5, 0.35
"""And by less than this share of the contrast round it: a little out of focus, or off by half a pixel."""
WIDE_PX, WIDE_LEVELS = (7, 7), 14.0
"""What differs by so much on average over half a tile has changed, whatever its contrast."""
BRIGHT, BRIGHT_SHARE = 245, 0.25
"""A pixel that is as bright as that may differ by such a share: it is brighter than the camera can say."""

Times = NDArray[np.float64]
SETTLED = 0.85
"""Share of a part of the table that must be still for it to be read: more of an arm moves."""
_SQUARE = np.ones((3, 3), np.uint8)


class Stillness:
    """Watches small pictures of the table, one after another."""

    def __init__(self) -> None:
        self.moved_s: Times = np.full((SIDE, SIDE), -np.inf)
        """When each pixel was last seen to move from one picture to the next."""
        self.noise = 0.0
        """Of the camera, grey levels, as far as it is known."""
        self._measured = False
        self._lit_s = -np.inf
        self._past: deque[tuple[float, Grey]] = deque()

    def watch(self, t: float, grey: Grey) -> Mask:
        """Take in the picture of a second; returns what lies still."""
        still = np.ones((SIDE, SIDE), bool)
        if self._past:
            self._measure_noise(self._past[-1][1], grey)
            if abs(np.log(compare_light(self._past[0][1], grey))) > LIT_ANEW:
                self._lit_s = t
            moving = mark_changes(self._past[-1][1], grey, SHIFT_MOVING, self.noise)
            self.moved_s[cv2.dilate(moving.astype(np.uint8), _SQUARE) > 0] = t
            while len(self._past) > 1 and self._past[1][0] <= t - STILL_S:
                self._past.popleft()
            # What moves so slowly that no two pictures in a row show it.
            if len(self._past) > 1:
                still = ~mark_changes(self._past[0][1], grey, SHIFT_MOVING, self.noise)
        self._past.append((t, grey))
        return still & (t - self.moved_s >= STILL_S)

    def _measure_noise(self, before: Grey, now: Grey) -> None:
        """Learn the noise from two pictures: a bump makes a grainy cloth differ everywhere, which is none."""
        measured = float(np.median(_subtract(before, now)[1][::SPARSE, ::SPARSE])) * 1.48  # if it is normal
        self.noise = min(measured, self.noise + NOISE_GROWS) if self._measured else measured
        self._measured = True

    def is_lit_anew(self, t: float, within_s: float = LIT_S) -> bool:
        """Whether the light has changed not long ago."""
        return t - self._lit_s < within_s

    def forget(self) -> None:
        """Compare the next picture with none that came before."""
        self._past.clear()

    def begin_with(self, t: float, grey: Grey) -> None:
        """Compare the next picture with this one of second t, which shows what the last one did: the camera
        has moved."""
        self._past.clear()
        self._past.append((t, grey))


def mark_changes(before: Grey, now: Grey, shift: float, noise: float) -> Mask:
    """What differs between two pictures but for light, noise and a share `shift` of the contrast."""
    lit, difference = _subtract(before, now)
    contrast = cv2.morphologyEx(lit, cv2.MORPH_GRADIENT, _SQUARE)
    allowed = cv2.convertScaleAbs(contrast, alpha=shift, beta=max(LEAST_LEVELS, NOISE_TIMES * noise))
    bright = cv2.convertScaleAbs(cv2.max(lit, now), alpha=BRIGHT_SHARE)
    bright[cv2.max(before, now) < BRIGHT] = 0
    changed = cv2.compare(difference, cv2.max(allowed, bright), cv2.CMP_GT)
    # A dotted tile where the cloth was differs little for its contrast, but it does so over a wide place.
    wide = cv2.absdiff(cv2.blur(now, WIDE_PX), cv2.blur(lit, WIDE_PX))
    least = np.maximum(cv2.blur(bright, WIDE_PX), np.uint8(min(255.0, WIDE_LEVELS + noise)))
    return np.asarray((changed > 0) | (cv2.compare(wide, least, cv2.CMP_GT) > 0), bool)


def find_lit_anew(before: Grey, now: Grey, noise: float) -> Mask:
    """Where nothing but the light has changed, and has not done so everywhere alike: as with another lamp."""
    one, other = (cv2.blur(grey.astype(np.float32), (LIGHT_PX, LIGHT_PX)) + DARK for grey in (before, now))
    ratio = cv2.divide(other, one)
    lit = np.clip((before + DARK) * ratio - DARK, 0, 255).astype(np.uint8)
    difference = cv2.absdiff(now, lit)
    contrast = cv2.morphologyEx(lit, cv2.MORPH_GRADIENT, _SQUARE)
    allowed = cv2.convertScaleAbs(contrast, alpha=SHIFT_READ, beta=max(LEAST_LEVELS, NOISE_TIMES * noise))
    same = cv2.blur((difference <= allowed).astype(np.float32), (5, 5)) > LIGHT_SAME
    return np.asarray(same & (np.abs(np.log(ratio / compare_light(before, now))) < LIGHT_MOST), bool)


def _subtract(before: Grey, now: Grey) -> tuple[Grey, Grey]:
    """The picture before in the light of now, and how far now is from it, the finest grain left out."""
    lit = cv2.convertScaleAbs(before, alpha=compare_light(before, now))
    difference = cv2.blur(cv2.subtract(now, lit, dtype=cv2.CV_16S), (3, 3))
    return np.asarray(lit, np.uint8), np.asarray(cv2.convertScaleAbs(difference), np.uint8)


def compare_light(before: Grey, now: Grey) -> float:
    """How many times as light most of the picture is now."""
    one, other = (grey[::SPARSE, ::SPARSE].astype(np.float32) + DARK for grey in (before, now))
    return float(np.median(other / one))


def measure_sharpness(grey: Grey) -> float:
    """How steep its edges are, the light left out."""
    edges = np.abs(cv2.Laplacian(grey, cv2.CV_16S, ksize=1))
    return float(np.percentile(edges[::3, ::3], 99)) / max(1.0, float(np.median(grey[::SPARSE, ::SPARSE])))


def choose_settled(unread: Mask, still: Mask) -> Mask:
    """The parts of what is unread that lie still as a whole: of an arm that moves, nothing is read."""
    count, labels = cv2.connectedComponents(unread.astype(np.uint8))
    sizes = np.bincount(labels.ravel(), minlength=count)
    resting = np.bincount(labels[still], minlength=count)
    settled = resting >= SETTLED * sizes
    settled[0] = False
    return np.asarray(settled[labels] & still, bool)


def drop_specks(mask: Mask) -> Mask:
    """What is marked, but for what is narrower than three pixels."""
    return cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
