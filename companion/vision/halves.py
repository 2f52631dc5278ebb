"""Two candidates on the halves of one tile: a 4p, 4s or 6p seen small looks like two smaller tiles side by
side, each of which the reader knows well."""

from __future__ import annotations

import cv2
import numpy as np

from companion.images import Image
from companion.vision.candidates import Candidates
from companion.vision.classifying import classify_tiles
from companion.vision.geometry import Quads
from companion.vision.learned import LearnedSet
from companion.vision.nesting import TILE_NO_TILE
from companion.vision.networks import NO_TILE, Reader

NEIGHBOURS = 6  # nearest tiles, whose median area is that of a tile at this place
NEIGHBOURS_MIN = 4
HALF_AREA = 0.3, 0.8  # of a tile's: what a half may have
WHOLE_AREA = 0.75, 1.25  # of a tile's: what two halves together may have
FILLED_MIN = 0.85  # of the outline round both halves, what these cover
SURE = 0.7  # probability of its kind, from which on the whole tile replaces its halves


def join_halves(
    reader: Reader, picture: Image, candidates: Candidates, learned: LearnedSet | None
) -> Candidates:
    """The classified candidates of a (H, W, 3) picture, with one in place of any two that are small for their
    neighbours and together make a tile that the reader knows."""
    pairs, outlines = find_halves(candidates)
    if not pairs:
        return candidates
    halves = np.array(pairs)
    scores = candidates.scores[halves].mean(axis=1)
    shares = candidates.back_shares[halves].mean(axis=1)
    wholes = classify_tiles(reader, picture, Candidates.from_finder(outlines, scores, shares), learned)
    sure = (wholes.probability_of(NO_TILE) < TILE_NO_TILE) & (wholes.probabilities.max(axis=1) >= SURE)
    if not sure.any():
        return candidates
    kept = np.setdiff1d(np.arange(len(candidates)), halves[sure])
    return Candidates.join([candidates[kept], wholes[sure]])


def find_halves(candidates: Candidates) -> tuple[list[tuple[int, int]], Quads]:
    """Pairs of classified candidates that may be the halves of a tile, each candidate in one at most, and the
    outlines (n, 4, 2) px of these tiles."""
    clear = np.flatnonzero(candidates.probability_of(NO_TILE) < TILE_NO_TILE)
    if len(clear) < NEIGHBOURS_MIN + 2:
        return [], np.zeros((0, 4, 2), np.float32)
    quads = candidates.quads[clear]
    middles = quads.mean(axis=1)
    areas = np.array([cv2.contourArea(quad) for quad in quads])
    apart = np.linalg.norm(middles[:, None] - middles, axis=2)
    nearest = np.argsort(apart, axis=1, kind="stable")[:, 1:]
    usual_areas = np.median(areas[nearest[:, 1 : NEIGHBOURS + 1]], axis=1)
    pairs: list[tuple[int, int]] = []
    outlines: list[Quads] = []
    paired: set[int] = set()
    for one, (other, usual) in enumerate(zip(nearest[:, 0].tolist(), usual_areas.tolist(), strict=True)):
        if one in paired or other in paired:
            continue
        low, high = (share * usual for share in HALF_AREA)
        if not all(low <= areas[half] <= high for half in (one, other)):
            continue
        outline = _join(quads[one], quads[other])
        area, covered = cv2.contourArea(outline), _covered(quads[one], quads[other])
        low, high = (share * usual for share in WHOLE_AREA)
        if low <= area <= high and covered >= FILLED_MIN * area:
            pairs.append((int(clear[one]), int(clear[other])))
            outlines.append(outline)
            paired |= {one, other}
    return pairs, np.array(outlines, np.float32).reshape(-1, 4, 2)


def _join(one: Quads, other: Quads) -> Quads:
    """The outline (4, 2) of both, clockwise as they are."""
    box = cv2.boxPoints(cv2.minAreaRect(np.concatenate([one, other])))
    return np.ascontiguousarray(box if cv2.contourArea(box, True) > 0 else box[::-1], np.float32)


def _covered(one: Quads, other: Quads) -> float:
    """What both cover together, px²."""
    common, _ = cv2.intersectConvexConvex(one, other)
    return float(cv2.contourArea(one) + cv2.contourArea(other) - common)
