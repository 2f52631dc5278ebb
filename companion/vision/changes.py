"""What has changed from one frame of a camera that stands still to the next, and which tiles that concerns.

Frames are compared as small grey pictures. The noise of the camera, light that slowly grows or fades, and a
shift by a fraction of a pixel are no changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.vision.candidates import Candidates
from companion.vision.geometry import Quads, long_sides, suppress_overlaps
from companion.vision.shrinking import halve_down_to

SIDE_PX = 640  # which the longer side of a small picture keeps: a tile is then some 15 px wide
SPARSE = 8  # light and noise are measured in every eighth pixel of every eighth row
DARK = 4.0  # grey levels that are added before the light of two pictures is compared
LIGHT_MAX = 0.15  # change of the light, as a logarithm, up to which what has been read still holds
SMOOTHED_PX = 3  # side of the square over which the difference is averaged, against noise
NOISE_TIMES = 6.0  # times the noise that a change is at least
LEAST_LEVELS = 7.0  # and grey levels
SHIFT = 0.3  # and of the contrast round a pixel, which is what a shift by that many px makes
CHANGED_MAX = 0.25  # share of changed pixels from which on the camera has moved, or all else has
PARTS_MAX = 0.5  # share of the picture that the changed parts may have: reading all of it takes no longer
MARGIN_PX = 2  # of a small picture, round what has changed
COARSE = 4  # px of a small picture in which parts are cut out
KEPT = 2.0  # a score above all of a finder's

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class SmallGrey:
    """A picture made small and grey, (h, w) uint8, by so many `times`."""

    grey: NDArray[np.uint8]
    times: int

    @staticmethod
    def of(image: Image) -> SmallGrey:
        """Of a (H, W, 3) uint8 BGR picture."""
        small, times = halve_down_to(image, SIDE_PX)
        return SmallGrey(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8), times)


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Where a frame differs from what was read before.

    kept: (n,) which of the n candidates of before are as they were; parts: left, top, right and bottom of
    those parts of the frame, px, in which tiles are to be looked for; touched: what has changed, 255 there,
    and the places of tiles that it touches, in a small picture; reference: that small picture, up to date
    there; gain: how many times as light the frame is.
    """

    kept: NDArray[np.bool_]
    parts: tuple[tuple[int, int, int, int], ...]
    touched: Mask
    reference: SmallGrey
    gain: float


def find_changes(before: SmallGrey, candidates: Candidates, now: SmallGrey) -> Changes | None:
    """What has changed since the candidates, n > 0, were found in the picture `before`; None where that is so
    much that all is to be read anew, as when the camera was moved."""
    if before.grey.shape != now.grey.shape or before.times != now.times:
        return None
    gain = _compare_light(before.grey, now.grey)
    if abs(np.log(gain)) > LIGHT_MAX:
        return None
    mask = _mark_changes(before.grey, now.grey, gain)
    if np.count_nonzero(mask) > CHANGED_MAX * mask.size:
        return None
    boxes = _box_quads(candidates.quads, now)
    kept = ~_touches(mask, boxes)
    for left, top, right, bottom in boxes[~kept].tolist():
        mask[top:bottom, left:right] = 255
    reach = int(np.median(long_sides(candidates.quads))) // now.times + MARGIN_PX
    parts = _cut_parts(mask, reach, now.times)
    if sum((right - left) * (bottom - top) for left, top, right, bottom in parts) > (
        PARTS_MAX * mask.size * now.times**2
    ):
        return None
    reference = np.where(_widen(mask, MARGIN_PX), dim(now.grey, gain), before.grey)
    return Changes(kept, parts, mask, SmallGrey(reference, now.times), gain)


def choose_fresh(changes: Changes, kept: Candidates, found: Candidates) -> Candidates:
    """Those candidates found in the changed parts that are not among those kept, each once."""
    boxes = _box_quads(found.quads, changes.reference)
    found = found[_touches(changes.touched, boxes)]
    near = kept.quads[_touches(_widen(changes.touched, MARGIN_PX), _box_quads(kept.quads, changes.reference))]
    scores = np.concatenate([np.full(len(near), KEPT, np.float32), found.scores])
    chosen = suppress_overlaps(np.concatenate([near, found.quads]), scores) - len(near)
    return found[np.sort(chosen[chosen >= 0])]


def dim(pixels: NDArray[np.uint8], gain: float) -> NDArray[np.uint8]:
    """Pixels of any shape, made as dark as they would be in so many times less light."""
    table = (np.arange(256) / gain).round().clip(0, 255).astype(np.uint8)
    return np.asarray(table[pixels], np.uint8)


def _compare_light(before: Mask, now: Mask) -> float:
    """How many times as light most of the picture is now."""
    one, other = (grey[::SPARSE, ::SPARSE].astype(np.float32) + DARK for grey in (before, now))
    return float(np.median(other / one))


def _mark_changes(before: Mask, now: Mask, gain: float) -> Mask:
    """255 where a small picture has changed but for its light."""
    lit = cv2.convertScaleAbs(before, alpha=gain)
    difference = cv2.subtract(now, lit, dtype=cv2.CV_16S)
    difference = cv2.convertScaleAbs(cv2.blur(difference, (SMOOTHED_PX, SMOOTHED_PX)), alpha=1)
    noise = float(np.median(difference[::SPARSE, ::SPARSE])) * 1.48  # of a normal distribution
    square = np.ones((SMOOTHED_PX, SMOOTHED_PX), np.uint8)
    contrast = cv2.subtract(cv2.dilate(lit, square), cv2.erode(lit, square))
    allowed = cv2.convertScaleAbs(contrast, alpha=SHIFT, beta=max(LEAST_LEVELS, NOISE_TIMES * noise))
    return np.asarray(cv2.compare(difference, allowed, cv2.CMP_GT), np.uint8)


def _box_quads(quads: Quads, small: SmallGrey) -> NDArray[np.intp]:
    """Left, top, right and bottom (n, 4) of quads (n, 4, 2) px, in px of the small picture."""
    height, width = small.grey.shape
    limits = np.array([width, height])
    first = np.floor(quads.min(axis=1) / small.times).astype(np.intp).clip(0, limits - 1)
    last = np.ceil(quads.max(axis=1) / small.times).astype(np.intp).clip(1, limits)
    return np.concatenate([first, np.maximum(last, first + 1)], axis=1)


def _touches(mask: Mask, boxes: NDArray[np.intp]) -> NDArray[np.bool_]:
    """(n,) whether anything is marked in each box (n, 4)."""
    counts = np.asarray(cv2.integral(mask))
    left, top, right, bottom = boxes.T
    inside = counts[bottom, right] - counts[top, right] - counts[bottom, left] + counts[top, left]
    return np.asarray(inside > 0, np.bool_)


def _widen(mask: Mask, reach: int) -> Mask:
    side = 2 * reach + 1
    return np.asarray(cv2.dilate(mask, np.ones((side, side), np.uint8)), np.uint8)


def _cut_parts(mask: Mask, reach: int, times: int) -> tuple[tuple[int, int, int, int], ...]:
    """Boxes, px of the whole picture, round all that is marked and as far as `reach` from it."""
    height, width = mask.shape
    size = -(-width // COARSE), -(-height // COARSE)
    coarse = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    wide = _widen(np.asarray(coarse, np.uint8), -(-reach // COARSE))
    _, _, stats, _ = cv2.connectedComponentsWithStats(wide)
    times *= COARSE
    return tuple(
        (left * times, top * times, (left + width) * times, (top + height) * times)
        for left, top, width, height, _ in stats[1:].tolist()
    )
