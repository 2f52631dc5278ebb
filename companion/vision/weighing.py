"""Whether a candidate is a tile, and shows its face: what both networks say of it, and whether it is like its
neighbours.

The tiles of one set have faces of one colour and, near one another, one size. That separates a blank White
dragon from a gap in the cloth and from a back, and dice and letter tiles from tiles. Colours are compared by
their ratios, as a dim or coloured light changes all of them by the same factors (von Kries).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.tiles import BACK
from companion.vision.candidates import PROBABILITY_MIN, Candidates, Floats
from companion.vision.geometry import Quads
from companion.vision.networks import NO_TILE, Trust

# A clear face, to compare others with: the finder's score at least, these probabilities at most.
CLEAR_FACE_SCORE, CLEAR_FACE_NO_TILE, CLEAR_FACE_BACK = 0.6, 0.1, 0.3
AMID = 2  # clear faces beside a candidate, from which on it stands amid tiles
NEAREST = 6  # of them are compared with
COLOUR_APART, SIZE_APART = 0.15, 0.35  # of two tiles of one set: logs of the ground and of the side
BRIGHTER = 0.6  # how much a difference in brightness counts, against one in tint
DARK = 6.0  # grey levels that a dark ground's noise may have
# Of a crop: the rim that is left out, the step between the pixels that are looked at, the brightest share of
# these.
EDGE_PX, GRAIN_PX, GROUND_SHARE = 8, 4, 0.4


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What speaks for each of n candidates to be a tile, (n, 5) in the order of `Trust.tile`, and for each to
    show its face if it is one, (n, 3) in the order of `Trust.face`.

    tile: log odds of the reader, of the finder, 1, whether it stands amid clear faces (0, 1), and how like
    these it is (0..1). face: log odds of the reader, and the last two again.
    """

    tile: Floats
    face: Floats


def gather_evidence(candidates: Candidates) -> Evidence:
    """The evidence on classified candidates."""
    none, back = candidates.probability_of(NO_TILE), candidates.probability_of(BACK)
    clear = (candidates.scores >= CLEAR_FACE_SCORE) & (none < CLEAR_FACE_NO_TILE) & (back < CLEAR_FACE_BACK)
    amid, alike = _compare_with_neighbours(clear, candidates.quads, _ground_colours(candidates.crops))
    finder = _log_odds(candidates.scores)
    tile = np.stack([_log_odds(1 - none), finder, np.ones_like(none), amid, alike], axis=1)
    shows_face = _log_odds(1 - back / (1 - none).clip(PROBABILITY_MIN))
    return Evidence(tile, np.column_stack([shows_face, amid, alike]))


def weigh_evidence(candidates: Candidates, trust: Trust) -> Candidates:
    """The candidates with probabilities in which all evidence counts on whether each is a tile and shows its
    face; how likely each kind is among the faces stays as the reader has it."""
    evidence = gather_evidence(candidates)
    tile = _from_log_odds(evidence.tile @ np.array(trust.tile, np.float32))
    face = _from_log_odds(evidence.face @ np.array(trust.face, np.float32))
    none, back = (candidates.labels.index(label) for label in (NO_TILE, BACK))
    probabilities = candidates.probabilities.copy()
    probabilities[:, [none, back]] = 0
    probabilities *= (tile * face / probabilities.sum(axis=1).clip(PROBABILITY_MIN))[:, None]
    probabilities[:, back] = tile * (1 - face)
    probabilities[:, none] = 1 - tile
    return replace(candidates, probabilities=probabilities)


def _compare_with_neighbours(
    clear: NDArray[np.bool_], quads: Quads, grounds: Floats
) -> tuple[Floats, Floats]:
    """For each of n candidates, whether at least AMID clear faces are beside it, and how like the nearest of
    these it is."""
    n, faces = len(clear), np.flatnonzero(clear)
    amid = (len(faces) - clear >= AMID).astype(np.float32)
    if not amid.any():
        return amid, np.zeros(n, np.float32)
    one, other = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    side = np.sqrt(np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2).clip(1)
    middle = quads.mean(axis=1)
    apart = np.linalg.norm(middle[:, None] - middle[faces], axis=2)
    apart[faces, np.arange(len(faces))] = np.inf
    nearest = np.argsort(apart, axis=1)[:, : min(NEAREST, len(faces) - 1)]
    colours = np.linalg.norm(grounds[faces][nearest] - grounds[:, None], axis=2)
    colour = np.sort(colours, axis=1)[:, min(1, colours.shape[1] - 1)]
    size = np.log(side / np.median(side[faces][nearest], axis=1))
    alike = np.exp(-((colour / COLOUR_APART) ** 2) - (size / SIZE_APART) ** 2)
    return amid, (amid * alike).astype(np.float32)


def _ground_colours(crops: NDArray[np.uint8]) -> Floats:
    """The colour of each face where there is no paint, (n, 3) logs of BGR, less all but BRIGHTER of their
    mean."""
    sparse = crops[:, EDGE_PX:-EDGE_PX:GRAIN_PX, EDGE_PX:-EDGE_PX:GRAIN_PX].reshape(len(crops), -1, 3)
    lightness = sparse.sum(axis=2, dtype=np.int32)
    darker = int(lightness.shape[1] * (1 - GROUND_SHARE))
    brightest = np.argpartition(lightness, darker, axis=1)[:, darker:]
    ground = np.log(np.take_along_axis(sparse, brightest[:, :, None], axis=1).mean(axis=1) + DARK)
    result: Floats = (ground - (1 - BRIGHTER) * ground.mean(axis=1, keepdims=True)).astype(np.float32)
    return result


def _log_odds(probability: Floats) -> Floats:
    inside = probability.clip(PROBABILITY_MIN, 1 - PROBABILITY_MIN)
    result: Floats = np.log(inside / (1 - inside)).astype(np.float32)
    return result


def _from_log_odds(log_odds: Floats) -> Floats:
    result: Floats = (1 / (1 + np.exp(-log_odds))).astype(np.float32)
    return result
