"""Which find is which labelled tile, and which finds nobody judges."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.candidates import Quads
from companion.vision.reading import Reading
from lab.bench.labelled_photos import Photo

MATCH_IOU = 0.5  # of a found tile's upright box with a labelled one, from which on they are the same tile
IN_PLACE_IOU = 0.25  # the same where labels are upright boxes round slanted tiles
FAR_PX = 2**16  # beyond every picture: what lies farther out is drawn as if it lay here
IGNORED_SHARE = 0.5  # of a find, from which on it is ignored: what COCO asks of a find in a crowd


def match_labels(reading: Reading, boxes: Quads, least: float = MATCH_IOU) -> list[int | None]:
    """For every labelled box (n, 4, 2) the index of the found tile that is the same, the best overlaps
    first: their upright boxes overlap by `least`, and each holds the other's middle."""
    low, high = (corners[:, None] for corners in _bound(boxes))
    found_low, found_high = _bound(_stack_quads(reading))
    size, found_size = high - low, found_high - found_low
    common = np.maximum(np.minimum(high, found_high) - np.maximum(low, found_low), 0).prod(axis=2)
    whole = size.prod(axis=2) + found_size.prod(axis=1) - common
    iou = np.divide(common, whole, out=np.zeros_like(whole), where=whole > 0)
    apart = np.abs(low + high - found_low - found_high) / 2
    hold_middles = (apart <= np.minimum(size, found_size) / 2).all(axis=2)
    pairs = np.argwhere((iou >= least) & hold_middles)
    result: list[int | None] = [None] * len(boxes)
    taken: set[int] = set()
    for label, find in pairs[np.argsort(-iou[tuple(pairs.T)], kind="stable")].tolist():
        if result[label] is None and find not in taken:
            result[label] = find
            taken.add(find)
    return result


def find_ignored(reading: Reading, photo: Photo) -> list[bool]:
    """For every found tile whether at least half of it, as far as the picture shows it, lies in the photo's
    ignored regions; where a label overlaps a region, the label wins.

    Area, not the middle: a find between two ignored tiles is ignored, and a huge one is not for a small tile
    in its middle.
    """
    if not photo.ignore:
        return [False] * len(reading.tiles)
    regions = np.zeros((reading.height, reading.width), np.uint8)
    for region in photo.ignore:
        cv2.fillPoly(regions, [_round(region)], 1)
    for box, outline in zip(photo.boxes, photo.outlines, strict=True):
        cv2.fillPoly(regions, [_round(box if outline is None else outline)], 0)
    return [_measure_share(quad, regions) >= IGNORED_SHARE for quad in _stack_quads(reading)]


def _measure_share(quad: Quads, regions: NDArray[np.uint8]) -> float:
    """The share of the pixels of a quad (4, 2) px in the picture that are 1 in `regions` (h, w)."""
    left, top = np.maximum(np.floor(quad.min(axis=0)), 0).astype(int).tolist()
    right, bottom = (np.maximum(np.ceil(quad.max(axis=0)), 0).astype(int) + 1).tolist()
    under = regions[top:bottom, left:right]
    if not under.size:
        return 0.0
    inside = np.zeros_like(under)
    cv2.fillPoly(inside, [_round(quad) - np.array([left, top], np.int32)], 1)
    return float(under[inside == 1].mean()) if inside.any() else 0.0


def _round(points: Quads) -> NDArray[np.int32]:
    return np.round(np.clip(points, -FAR_PX, FAR_PX)).astype(np.int32)


def _stack_quads(reading: Reading) -> Quads:
    return np.array([tile.quad for tile in reading.tiles], np.float32).reshape(-1, 4, 2)


def _bound(quads: Quads) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lower and the upper corners (n, 2) of the upright boxes round quads (n, 4, 2)."""
    exact = quads.astype(np.float64)
    return exact.min(axis=1), exact.max(axis=1)
