"""Whether a candidate is a tile, and shows its face: what both networks say of it, and of those beside it.

The tiles of one set have faces of one colour and, near one another, one size; those of a wall or a hand
touch and lie parallel. So a blank White dragon is told from a gap in the cloth and from a back, a die from a
tile, and doubtful backs of a wall support each other. How much all this counts a small network has learned,
which passes messages between neighbours (Battaglia et al. 2018): `Weigher`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.tiles import BACK
from companion.vision.candidates import PROBABILITY_MIN, Candidates, Floats
from companion.vision.networks import NO_TILE, Weigher

NEIGHBOURS = 10  # of each candidate, the nearest
EVIDENCE_SIZES = 15, NEIGHBOURS, 10  # columns of `Evidence`: own, neighbours, relations
CLEAR_SCORE = 0.5  # of the finder, from which on a candidate tells how large the picture's tiles are
TYPICAL_PX = 40.0  # side of a tile
# Of a crop: the rim that is left out, the step between the pixels that are looked at, the brightest share of
# these, and the grey levels that a dark ground's noise may have.
EDGE_PX, GRAIN_PX, GROUND_SHARE, DARK = 8, 4, 0.4, 6.0
TINT_APART, LIGHT_APART = 0.1, 0.2  # of the grounds of two tiles of one set: logs


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What speaks for and against n candidates, each number about -2..2.

    own: (n, a) float32, what is known of each alone;
    neighbours: (n, NEIGHBOURS) int64, rows of the nearest others, 0 where there are fewer;
    present: (n, NEIGHBOURS) float32, 1, or 0 where there are fewer;
    relations: (n, NEIGHBOURS, r) float32, how each neighbour lies to the candidate and how like it is.
    """

    own: Floats
    neighbours: NDArray[np.int64]
    present: Floats
    relations: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """Of quads (n, 4, 2): middles, short and long axes (n, 2) px, and the sides of squares as large (n,)."""

    middles: Floats
    short: Floats
    long: Floats
    sides: Floats


def weigh_evidence(candidates: Candidates, width: int, height: int, weigher: Weigher) -> Candidates:
    """The classified candidates, n > 0, of a picture of that size, px, with probabilities in which all
    evidence counts on whether each is a tile and shows its face; how likely each kind is among the faces
    stays as the reader has it."""
    evidence = gather_evidence(candidates, width, height)
    tile, face = weigher.weigh(evidence.own, evidence.neighbours, evidence.present, evidence.relations).T
    none, back = (candidates.labels.index(label) for label in (NO_TILE, BACK))
    probabilities = candidates.probabilities.clip(PROBABILITY_MIN)
    probabilities[:, [none, back]] = 0
    probabilities *= (tile * face / probabilities.sum(axis=1))[:, None]
    probabilities[:, back] = tile * (1 - face)
    probabilities[:, none] = 1 - tile
    return replace(candidates, probabilities=probabilities)


def gather_evidence(candidates: Candidates, width: int, height: int) -> Evidence:
    """The evidence on the classified candidates, n > 0, of a picture of that size, px."""
    shapes = measure_shapes(candidates)
    grounds, contrast = measure_grounds(candidates.crops)
    neighbours, present, distances = _find_neighbours(shapes)
    own = _describe(candidates, shapes, grounds, contrast, width, height)
    relations = _relate(candidates, shapes, grounds, neighbours, distances)
    return Evidence(own, neighbours, present, (relations * present[:, :, None]).astype(np.float32))


def _describe(
    candidates: Candidates, shapes: Shapes, grounds: Floats, contrast: Floats, width: int, height: int
) -> Floats:
    none, back = candidates.probability_of(NO_TILE), candidates.probability_of(BACK)
    kinds = [at for at, label in enumerate(candidates.labels) if label not in (NO_TILE, BACK)]
    faces = candidates.probabilities[:, kinds]
    sides, (x, y) = shapes.sides, shapes.middles.T
    clear = candidates.scores >= CLEAR_SCORE
    usual = np.median(sides[clear]) if clear.any() else np.median(sides)
    narrow = np.log(sides**2 / (shapes.long**2).sum(axis=1).clip(1))
    to_edge = np.minimum(np.minimum(x, width - x), np.minimum(y, height - y)) / sides
    own = [
        _log_odds(1 - none, 8) / 4,
        _log_odds(candidates.scores, 5) / 2,
        _log_odds(candidates.back_shares, 6) / 3,
        _log_odds(back / (1 - none).clip(PROBABILITY_MIN), 8) / 4,
        faces.max(axis=1) / faces.sum(axis=1).clip(PROBABILITY_MIN),
        np.log(sides / max(width, height)) + 2.5,
        np.log(sides / TYPICAL_PX),
        narrow + 0.3,
        contrast - 3,
        grounds.mean(axis=1) - 5,
        (grounds[:, 0] - grounds[:, 1]) * 4,
        (grounds[:, 2] - grounds[:, 1]) * 4,
        np.log(sides / usual) * 2,
        np.full(len(sides), np.log(len(sides)) / 3),
        to_edge.clip(0, 2),
    ]
    result: Floats = np.stack(own, axis=1).astype(np.float32)
    return result


def _relate(
    candidates: Candidates, shapes: Shapes, grounds: Floats, neighbours: NDArray[np.int64], distances: Floats
) -> Floats:
    """(n, NEIGHBOURS, r): where each neighbour lies, in sides of the candidate, how it is turned, and how
    like it is in size, colour and what the reader saw."""
    apart = shapes.middles[neighbours] - shapes.middles[:, None]
    across, along = (
        np.abs((apart * axis[:, None]).sum(axis=2)) / (axis**2).sum(axis=1).clip(1)[:, None]
        for axis in (shapes.short, shapes.long)
    )
    angles = np.arctan2(shapes.long[:, 1], shapes.long[:, 0])
    turned = angles[neighbours] - angles[:, None]
    size = np.log(shapes.sides[neighbours] / shapes.sides[:, None])
    colour = grounds[neighbours] - grounds[:, None]
    light = colour.mean(axis=2)
    tint = np.linalg.norm(colour - light[:, :, None], axis=2)
    seen = candidates.features / np.linalg.norm(candidates.features, axis=1, keepdims=True).clip(
        PROBABILITY_MIN
    )
    cosines = np.take_along_axis(seen @ seen.T, neighbours, axis=1)
    relations = [
        np.log1p(across),
        np.log1p(along),
        np.log1p(distances),
        size.clip(-2, 2),
        np.cos(2 * turned),
        np.cos(4 * turned),
        np.exp(-((tint / TINT_APART) ** 2)),
        np.exp(-((light / LIGHT_APART) ** 2)),
        light.clip(-1, 1),
        (cosines - 0.6) * 3,
    ]
    result: Floats = np.stack(relations, axis=2).astype(np.float32)
    return result


def measure_shapes(candidates: Candidates) -> Shapes:
    """The shapes of the candidates."""
    quads = candidates.quads
    one, other = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    longer = (np.linalg.norm(one, axis=1) > np.linalg.norm(other, axis=1))[:, None]
    short, long = np.where(longer, other, one), np.where(longer, one, other)
    area = np.abs(short[:, 0] * long[:, 1] - short[:, 1] * long[:, 0]).clip(1)
    return Shapes(quads.mean(axis=1), short, long, np.sqrt(area))


def _find_neighbours(shapes: Shapes) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Rows of the nearest others, whether there are so many, and how far away they are in sides of the
    candidate, each (n, NEIGHBOURS)."""
    n = len(shapes.sides)
    count = min(NEIGHBOURS, n - 1)
    apart = np.linalg.norm(shapes.middles[:, None] - shapes.middles, axis=2)
    np.fill_diagonal(apart, np.inf)
    neighbours = np.zeros((n, NEIGHBOURS), np.int64)
    present, distances = np.zeros((2, n, NEIGHBOURS), np.float32)
    neighbours[:, :count] = np.argsort(apart, axis=1, kind="stable")[:, :count]
    present[:, :count] = 1
    distances[:, :count] = np.take_along_axis(apart, neighbours[:, :count], axis=1) / shapes.sides[:, None]
    return neighbours, present, distances


def measure_grounds(crops: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Of each crop the colour where there is no paint, (n, 3) logs of BGR, and the contrast, (n,) log grey
    levels."""
    sparse = crops[:, EDGE_PX:-EDGE_PX:GRAIN_PX, EDGE_PX:-EDGE_PX:GRAIN_PX].reshape(len(crops), -1, 3)
    lightness = sparse.sum(axis=2, dtype=np.int32)
    darker = int(lightness.shape[1] * (1 - GROUND_SHARE))
    brightest = np.argpartition(lightness, darker, axis=1)[:, darker:]
    grounds: Floats = np.log(np.take_along_axis(sparse, brightest[:, :, None], axis=1).mean(axis=1) + DARK)
    contrast: Floats = np.log(lightness.std(axis=1) / 3 + 2)
    return grounds, contrast


def _log_odds(probability: Floats, most: float) -> Floats:
    inside = probability.clip(PROBABILITY_MIN, 1 - PROBABILITY_MIN)
    result: Floats = np.log(inside / (1 - inside)).clip(-most, most)
    return result
