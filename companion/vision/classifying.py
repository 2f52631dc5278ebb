"""Which kind each candidate is, and which way it is turned; doubtful ones are classified several times. Two
candidates that are the halves of one tile are joined.

An outline that is slightly off, larger or smaller shows the same tile differently, and what all of them agree
on is right more often (test-time augmentation: Krizhevsky et al. 2012, section 4.1).
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.vision.candidates import (
    LEGIBLE_PX,
    PROBABILITY_MIN,
    Candidates,
    Floats,
    Quads,
    long_sides,
    straighten_quad,
)
from companion.vision.finding import TILE_NO_TILE
from companion.vision.learned import LearnedSet
from companion.vision.networks import DIRECTIONS, NO_TILE, DirectionAnswers, Reader

# Of the likeliest label; with a learned set such a tile is read in every direction, too.
LOOK_AGAIN_BELOW = 0.9
MOVED, SCALED = 0.03, 0.06  # of a tile's sides
# Further looks: moved along the upper side and along the left one, scaled.
LOOKS = ((-MOVED, 0, 1), (MOVED, 0, 1), (0, -MOVED, 1), (0, MOVED, 1), (0, 0, 1 - SCALED), (0, 0, 1 + SCALED))
NO_TILE_PROBABILITY = 0.5  # , from which a candidate is not worth further looks
TOGETHER = 200  # tiles that are read again in one run: all answers are in memory meanwhile


def straighten_tiles(picture: Image, candidates: Candidates, size_px: int) -> Candidates:
    """The candidates, n > 0, with crops (n, size_px, size_px, 3) of the picture."""
    crops = [straighten_quad(picture, quad, size_px) for quad in candidates.quads]
    return replace(candidates, crops=np.stack(crops))


def classify_tiles(
    reader: Reader, picture: Image, candidates: Candidates, learned: LearnedSet | None
) -> Candidates:
    """The candidates, n > 0, of a (H, W, 3) picture with crops, labels, probabilities, features and turns.

    Where the likeliest label has less than LOOK_AGAIN_BELOW, the probabilities are the geometric mean of
    seven readings. A crop that is too small, or probably not a tile, is read once. Raises InputError for a
    learned set of another number of features.
    """
    first = classify_once(reader, straighten_tiles(picture, candidates, reader.size_px), learned)
    doubtful = np.flatnonzero(
        (first.probability_of(NO_TILE) < NO_TILE_PROBABILITY)
        & (first.probabilities.max(axis=1) < LOOK_AGAIN_BELOW)
        & (long_sides(first.quads) >= LEGIBLE_PX)
    )
    if not len(doubtful):
        return first
    probabilities = first.probabilities.copy()
    for some in np.split(doubtful, range(TOGETHER, len(doubtful), TOGETHER)):
        probabilities[some] = _look_again(reader, picture, first[some], learned)
    return replace(first, probabilities=probabilities)


def classify_once(reader: Reader, candidates: Candidates, learned: LearnedSet | None) -> Candidates:
    """The candidates, n > 0, with labels, probabilities, features and turns, from one reading of their crops.

    A crop is read in every likely direction, and the answers are averaged by how likely each is. With a
    learned set, how similar each is to the tiles of that set counts too. Raises InputError for a learned set
    of another number of features.
    """
    answers = DirectionAnswers.read_likely(reader, candidates.crops, candidates.scores)
    if learned is None:
        joint = answers.joint()
    else:
        doubtful = _normalise(answers.joint()).max(axis=(1, 2)) < LOOK_AGAIN_BELOW
        answers.read_more(reader, candidates.crops, np.repeat(doubtful[:, None], DIRECTIONS, axis=1))
        joint = learned.weigh_similarity(answers, reader.labels)
    probabilities = _normalise(joint)
    turns = probabilities.sum(axis=2).argmax(axis=1)
    return replace(
        candidates,
        labels=reader.labels,
        probabilities=probabilities.sum(axis=1),
        features=answers.features[np.arange(len(candidates)), turns],
        turns=turns,
    )


def _look_again(reader: Reader, picture: Image, candidates: Candidates, learned: LearnedSet | None) -> Floats:
    """Probabilities (n, k) of the candidates on which their first look and all of LOOKS agree."""
    moved = np.concatenate([_move(candidates.upright_quads, *look) for look in LOOKS])
    scores, backs = (np.tile(each, len(LOOKS)) for each in (candidates.scores, candidates.back_shares))
    again = Candidates.from_finder(moved, scores, backs)
    again = classify_once(reader, straighten_tiles(picture, again, reader.size_px), learned)
    looks = np.concatenate([candidates.probabilities, again.probabilities])
    looks = looks.reshape(len(LOOKS) + 1, len(candidates), -1)
    agreed = np.exp(np.log(looks.clip(PROBABILITY_MIN)).mean(axis=0))
    result: Floats = agreed / agreed.sum(axis=1, keepdims=True)
    return result


def _move(quads: Quads, along: float, down: float, scale: float) -> Quads:
    """Quads (n, 4, 2), each moved by shares of its sides and scaled about its middle."""
    middle = quads.mean(axis=1, keepdims=True)
    upper, left = quads[:, 1:2] - quads[:, :1], quads[:, 3:] - quads[:, :1]
    result: Quads = (middle + (quads - middle) * scale + upper * along + left * down).astype(np.float32)
    return result


def _normalise(joint: Floats) -> Floats:
    """Log values (n, 4, k) → probabilities that add up to 1 over directions and labels."""
    raised = np.exp(joint - joint.max(axis=(1, 2), keepdims=True))
    result: Floats = raised / raised.sum(axis=(1, 2), keepdims=True)
    return result


NEIGHBOURS = 6  # nearest tiles, which tell how large a tile is at this place
NEIGHBOURS_MIN = 4
LARGER = 0.75  # quantile of their areas that is a tile's, since some of them may be halves
HALF_AREA, WHOLE_AREA = (0.3, 0.8), (0.75, 1.25)
"""Of a tile's: what a half may have, and two halves together."""
PIPS_HALF_AREA, PIPS_WHOLE_AREA = (0.25, 0.95), (0.6, 1.5)
"""The same where the whole and its halves are of one suit in PIPS, as a 6p is a 4p above a 2p."""
PIPS = "ps"
FILLED_MIN = 0.85  # of the outline round both halves, what these cover
SHARED_MAX = 0.35  # of the smaller half, what the other may cover
SURE, SURE_OF_PIPS = 0.7, 0.9
"""Probability of its kind, from which the whole tile replaces its halves."""
ROW_MIN = 6
"""Candidates of one size at even distances in a line, from which they are a row of tiles, not of halves."""
ONE_SIZE, EVENLY = (0.75, 1.33), 0.3
"""Ratio of the areas of two that follow each other in such a line; how far off one may be, in steps."""


def join_halves(
    reader: Reader, picture: Image, candidates: Candidates, learned: LearnedSet | None
) -> Candidates:
    """The classified candidates of a (H, W, 3) picture, with one in place of any two that are small for their
    neighbours and together make a tile that the reader knows."""
    pairs, outlines, areas = find_halves(candidates)
    if not len(pairs):
        return candidates
    scores = candidates.scores[pairs].mean(axis=1)
    shares = candidates.back_shares[pairs].mean(axis=1)
    wholes = classify_tiles(reader, picture, Candidates.from_finder(outlines, scores, shares), learned)
    sure = wholes.probabilities.max(axis=1)
    are_tiles = wholes.probability_of(NO_TILE) < TILE_NO_TILE
    taken: set[int] = set()
    joined: list[int] = []
    for at in np.argsort(-sure, kind="stable").tolist():
        halves = candidates[pairs[at]]
        suits = {kind[-1] for kind in (*_find_likeliest(wholes[at : at + 1]), *_find_likeliest(halves))}
        is_of_pips = len(suits) == 1 and suits <= {*PIPS}
        if not is_of_pips and (halves.probabilities.max(axis=1) >= SURE_OF_PIPS).any():
            continue
        limits = (PIPS_HALF_AREA, PIPS_WHOLE_AREA) if is_of_pips else (HALF_AREA, WHOLE_AREA)
        fits = _are_within(areas[at, :2], limits[0]) and _are_within(areas[at, 2:], limits[1])
        is_sure = are_tiles[at] and sure[at] >= (SURE_OF_PIPS if is_of_pips else SURE)
        if fits and is_sure and taken.isdisjoint(pairs[at].tolist()):
            taken.update(pairs[at].tolist())
            joined.append(at)
    kept = np.setdiff1d(np.arange(len(candidates)), sorted(taken))
    return Candidates.join([candidates[kept], wholes[np.array(joined)]]) if joined else candidates


def _find_likeliest(candidates: Candidates) -> list[str]:
    return [candidates.labels[at] for at in candidates.probabilities.argmax(axis=1)]


def _are_within(numbers: Floats, limits: tuple[float, float]) -> bool:
    return bool(((limits[0] <= numbers) & (numbers <= limits[1])).all())


def find_halves(candidates: Candidates) -> tuple[NDArray[np.intp], Quads, Floats]:
    """Pairs (n, 2) of classified candidates that may be the halves of a tile, the outlines (n, 4, 2) px of
    these tiles, and the areas (n, 3) of both halves and of the tile, as shares of that of a tile there."""
    clear = np.flatnonzero(candidates.probability_of(NO_TILE) < TILE_NO_TILE)
    pairs: list[tuple[int, int]] = []
    outlines: list[Quads] = []
    shares: list[tuple[float, float, float]] = []
    if len(clear) >= NEIGHBOURS_MIN + 2:
        quads = candidates.quads[clear]
        middles = quads.mean(axis=1)
        areas = np.array([cv2.contourArea(quad) for quad in quads])
        reach = np.linalg.norm(quads - middles[:, None], axis=2).max(axis=1)
        apart = np.linalg.norm(middles[:, None] - middles, axis=2)
        nearest = np.argsort(apart, axis=1, kind="stable")[:, 1 : NEIGHBOURS + 2]
        larger = np.quantile(areas[nearest], LARGER, axis=1)
        small = areas <= PIPS_HALF_AREA[1] * larger
        for one in np.flatnonzero(small).tolist():
            for other in nearest[one].tolist():
                if other < one or not small[other] or apart[one, other] > reach[one] + reach[other]:
                    continue
                outline = _join(quads[one], quads[other])
                area, others = cv2.contourArea(outline), nearest[one][nearest[one] != other]
                covered, both = _covered(quads[one], quads[other]), float(areas[one] + areas[other])
                usual = float(np.quantile(areas[others], LARGER))
                share = (float(areas[one]) / usual, float(areas[other]) / usual, area / usual)
                if (
                    PIPS_HALF_AREA[0] <= min(share)
                    and PIPS_WHOLE_AREA[0] <= share[2] <= PIPS_WHOLE_AREA[1]
                    and covered >= FILLED_MIN * area
                    and both - covered <= SHARED_MAX * min(areas[one], areas[other])
                    and _count_in_line(middles, areas, one, other) < ROW_MIN
                ):
                    pairs.append((int(clear[one]), int(clear[other])))
                    outlines.append(outline)
                    shares.append(share)
    return (
        np.array(pairs, np.intp).reshape(-1, 2),
        np.array(outlines, np.float32).reshape(-1, 4, 2),
        np.array(shares, np.float32).reshape(-1, 3),
    )


def _count_in_line(middles: Quads, areas: NDArray[np.float64], one: int, other: int) -> int:
    """How many candidates of one size follow one another as these two do, both included."""
    count = 2
    for at, last in ((one, other), (other, one)):
        while True:
            step = middles[last] - middles[at]
            off = np.linalg.norm(middles - middles[last] - step, axis=1)
            ratios = areas / areas[last]
            follows = (
                (off < EVENLY * np.linalg.norm(step)) & (ratios >= ONE_SIZE[0]) & (ratios <= ONE_SIZE[1])
            )
            if not follows.any() or count >= ROW_MIN:
                break
            at, last = last, int(np.where(follows, off, np.inf).argmin())
            count += 1
    return count


def _join(one: Quads, other: Quads) -> Quads:
    """The outline (4, 2) of both, clockwise as they are."""
    box = cv2.boxPoints(cv2.minAreaRect(np.concatenate([one, other])))
    return np.ascontiguousarray(box if cv2.contourArea(box, True) > 0 else box[::-1], np.float32)


def _covered(one: Quads, other: Quads) -> float:
    """What both cover together, px²."""
    common, _ = cv2.intersectConvexConvex(one, other)
    return float(cv2.contourArea(one) + cv2.contourArea(other) - common)
