"""Which kind each candidate is, and which way it is turned; doubtful ones are classified several times.

An outline a little off, larger or smaller shows the same tile otherwise, and what all looks agree on is right
more often (test-time augmentation: Krizhevsky et al. 2012, section 4.1).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.images import Image
from companion.vision.candidates import PROBABILITY_MIN, Candidates, Floats
from companion.vision.directions import DirectionAnswers
from companion.vision.geometry import Quads, long_sides, straighten_quad
from companion.vision.learned import LearnedSet
from companion.vision.networks import DIRECTIONS, NO_TILE, Reader
from companion.vision.sharpness import LEGIBLE_PX

# Of the likeliest label; with a learned set such a tile is read in every direction, too.
LOOK_AGAIN_BELOW = 0.9
MOVED, SCALED = 0.03, 0.06  # of a tile's sides
# Further looks: moved along the upper side and along the left one, scaled.
LOOKS = ((-MOVED, 0, 1), (MOVED, 0, 1), (0, -MOVED, 1), (0, MOVED, 1), (0, 0, 1 - SCALED), (0, 0, 1 + SCALED))
NO_TILE_PROBABILITY = 0.5  # from which on a candidate is not worth further looks
TOGETHER = 200  # tiles, looked at again at once: all answers to them are kept meanwhile


def straighten_tiles(picture: Image, candidates: Candidates, size_px: int) -> Candidates:
    """The candidates, n > 0, with crops (n, size_px, size_px, 3) of the picture."""
    crops = [straighten_quad(picture, quad, size_px) for quad in candidates.quads]
    return replace(candidates, crops=np.stack(crops))


def classify_tiles(
    reader: Reader, picture: Image, candidates: Candidates, learned: LearnedSet | None
) -> Candidates:
    """The candidates, n > 0, of a (H, W, 3) picture with crops, labels, probabilities, features and turns.

    Where the likeliest label has less than LOOK_AGAIN_BELOW, the probabilities are the geometric mean of
    seven looks. What is too small, or rather not a tile, is looked at once. Raises InputError for a learned
    set of another number of features.
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
    """The candidates, n > 0, with labels, probabilities, features and turns, from one look at their crops.

    A crop is read in every likely direction, and the answers are averaged by how likely each is. With a
    learned set, how similar each is to the tiles of that set counts too. Raises InputError for a learned set
    of another number of features.
    """
    answers = DirectionAnswers.read_likely(reader, candidates.crops)
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
    moved = np.concatenate([_move(candidates.quads, *look) for look in LOOKS])
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
