"""All tiles of a picture decided together: is a candidate a tile (weighing), which tiles look alike
(comparing), which finds the others contradict, and which kind is each, within the copies that the game has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.tiles import BACK, BOX, KINDS, SET_144, UNKNOWN, TileSet
from companion.vision.candidates import PROBABILITY_MIN, Candidates, Floats
from companion.vision.finding import TILE_NO_TILE
from companion.vision.networks import NO_TILE, Weigher

# A tile whose likeliest kind has less is "?". On drawn tables in training designs 0.6, 0.7 and 0.8 cost the
# same when a wrong name counts as four tiles to check; 0.9 costs more.
CERTAIN = 0.7
NO_TILE_MAX = 0.35  # candidates with more are dropped: what is hardly a tile is no work for a person
# Beforehand, that a tile is none that the game has left: of another set, or a fifth copy.
STRANGE = 0.02
PLAUSIBLE = 0.05  # of the kinds of a strange tile, those that it may be
ALTERNATIVES = 4
NEGLIGIBLE = 1e-3  # probability of more copies than there are, up to which a kind is not contended for
ROUNDS, SETTLED = 60, 1e-5  # of the messages between tiles and kinds
COPIES = {kind.code: SET_144.copies[kind.index] for kind in KINDS}
Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class KindDecision:
    """What a tile is, with the fields of `TileReading`."""

    code: str
    p: float
    alternatives: tuple[tuple[str, float], ...]


def drop_non_tiles(candidates: Candidates) -> Candidates:
    """Those that are tiles: "none" has at most NO_TILE_MAX."""
    return candidates[candidates.probability_of(NO_TILE) <= NO_TILE_MAX]


SHARED_MOST = 0.5
"""Share of the smaller of two outlines that the other may cover: two tiles never shared more on drawn tables
for choosing and training photos."""
INSIDE, OF_OTHER_SIZE = 0.8, 0.8
"""Share of a find in a larger one from which it may be a part of the face there, as a 2p is of a 4p, and the
most that its area then has of the other's."""
OTHERS = 4
"""Tiles nearby, at least, whose sizes tell which of two finds is a tile."""
ALONE = 1.8
"""Sides of a tile; a nearest neighbour farther away is no evidence for it."""
ALONE_NO_TILE_MAX = 0.03
"""A find that is alone is dropped with more: on drawn tables for choosing and training photos 12 of 15 that
were no tiles, and 7 of 149 tiles."""
SHOWN_SHARE = 0.1
"""Side of a tile of the picture's longer side, from which a camera was held at it: it may be alone."""


def drop_doubtful(tiles: Candidates, longer_px: float) -> Candidates:
    """The tiles of a picture, whose longer side is given, without parts of a tile, those on a surer one, and
    doubted ones that are alone, as print on a table is."""
    if not len(tiles):
        return tiles
    tiles = tiles[~_find_parts(tiles)]
    tiles = tiles[_find_surer(tiles)]
    shapes = measure_shapes(tiles)
    apart = np.linalg.norm(shapes.middles[:, None] - shapes.middles, axis=2)
    apart /= np.maximum(shapes.sides[:, None], shapes.sides)
    np.fill_diagonal(apart, np.inf)
    alone = (apart.min(axis=1) > ALONE) & (shapes.sides < SHOWN_SHARE * longer_px)
    doubted = tiles.probability_of(NO_TILE) > ALONE_NO_TILE_MAX
    return tiles[~(alone & doubted)]


def _find_parts(tiles: Candidates) -> NDArray[np.bool_]:
    """Which tiles (n,) are in a larger one that is hardly doubted and whose size is rather that of the tiles
    nearby; where these are few, that holds no other."""
    quads, middles = tiles.quads, tiles.quads.mean(axis=1)
    areas = np.array([max(1.0, cv2.contourArea(quad)) for quad in quads])
    apart = np.linalg.norm(middles[:, None] - middles, axis=2)
    is_part = np.zeros(len(tiles), np.bool_)
    for outer in np.flatnonzero(tiles.probability_of(NO_TILE) < TILE_NO_TILE):
        smaller = np.flatnonzero((areas <= OF_OTHER_SIZE * areas[outer]) & (apart[outer] ** 2 < areas[outer]))
        inner = [
            at
            for at in smaller
            if cv2.intersectConvexConvex(quads[outer], quads[at])[0] >= INSIDE * areas[at]
        ]
        others = np.setdiff1d(np.argsort(apart[outer], kind="stable")[: NEIGHBOURS + 1], [outer, *inner])
        if len(others) < OTHERS:
            is_part[inner] |= len(inner) == 1
        else:
            off = np.abs(np.log(areas / np.median(areas[others])))
            is_part[inner] |= off[outer] < off[inner]
    return is_part


def _find_surer(tiles: Candidates) -> NDArray[np.intp]:
    """Indices (k,) of the tiles that are left when of two on one place the surer one is."""
    quads, middles = tiles.quads, tiles.quads.mean(axis=1)
    areas = [max(1.0, cv2.contourArea(quad)) for quad in quads]
    reach = np.linalg.norm(quads - middles[:, None], axis=2).max(axis=1)
    near = np.linalg.norm(middles[:, None] - middles, axis=2) < reach[:, None] + reach
    kept: list[int] = []
    for at in np.argsort(tiles.probability_of(NO_TILE), kind="stable").tolist():
        shared = (
            cv2.intersectConvexConvex(quads[at], quads[other])[0] / min(areas[at], areas[other])
            for other in kept
            if near[at, other]
        )
        if all(share <= SHARED_MOST for share in shared):
            kept.append(at)
    return np.sort(np.array(kept, np.intp))


def decide_codes(candidates: Candidates, tile_set: TileSet | None) -> list[KindDecision]:
    """What each candidate is, if it is a tile; all of one picture, as they share its copies.

    A kind is the rarer beforehand the fewer copies it has. The probabilities are those that remain when it is
    known how many copies of each kind there are (exact where one kind is contended for, by loopy belief
    propagation where several are). With a tile set no kind is named more often than it has copies, and a tile
    that is probably none of the game's is "?". Without, the copies that any box of tiles has speak against a
    sixth bird or a second plum, but what certainly looks like one is named as one.
    """
    labels = candidates.labels
    codes = [label for label in labels if label != NO_TILE]
    columns = [labels.index(code) for code in codes]
    read = candidates.probabilities.take(columns, axis=1).astype(float)
    weighted = _weight_by_copies(read, codes)
    copies = {kind.code: (tile_set or BOX).copies[kind.index] for kind in KINDS}
    n = len(candidates)
    remaining, strange = limit_copies(weighted, np.array([copies.get(code, n) for code in codes]))
    shown = remaining + strange[:, None] * weighted
    if tile_set is None:
        remaining, strange = shown, np.zeros(n)
    likeliest = np.argsort(-shown, axis=1, kind="stable")[:, :ALTERNATIVES].tolist()
    decisions = [_decide(codes, *each) for each in zip(likeliest, shown, remaining, strange, strict=True)]
    return decisions if tile_set is None else _drop_excess_copies(decisions, copies)


def _weight_by_copies(probabilities: Doubles, codes: Sequence[str]) -> Doubles:
    """The probabilities (n, k) of a reader that met all kinds equally often, made those of a game where a
    kind comes as often as it has copies; that of a back stays."""
    chances = np.array([COPIES.get(code, 0) for code in codes], float)
    faces = probabilities * chances
    scale = probabilities[:, chances > 0].sum(axis=1) / np.maximum(faces.sum(axis=1), 1e-300)
    result: Doubles = np.where(chances > 0, faces * scale[:, None], probabilities)
    return result


def _decide(
    codes: Sequence[str], order: list[int], shown: Doubles, of_game: Doubles, strange: float
) -> KindDecision:
    """order: the likeliest codes, best first; shown: the probability of each code; of_game: of these, that it
    is one of the game's; strange: that it is none of them."""
    if strange > 1 - CERTAIN:
        order = [at for at in order if shown[at] >= PLAUSIBLE or at == order[0]]
    alternatives = tuple((codes[at], float(shown[at])) for at in order)
    code, p = alternatives[0]
    return KindDecision(code if of_game[order[0]] >= CERTAIN else UNKNOWN, p, alternatives)


def _drop_excess_copies(decisions: Sequence[KindDecision], copies: dict[str, int]) -> list[KindDecision]:
    """The decisions with no more copies than there are: of too many, the least probable become "?"."""
    left = Counter(copies)
    left[BACK] = left[UNKNOWN] = len(decisions)
    result = list(decisions)
    for at in sorted(range(len(decisions)), key=lambda i: -decisions[i].p):
        left[decisions[at].code] -= 1
        if left[decisions[at].code] < 0:
            result[at] = replace(decisions[at], code=UNKNOWN)
    return result


def limit_copies(probabilities: Doubles, most: NDArray[np.intp]) -> tuple[Doubles, Doubles]:
    """Probabilities (n, k) of n independent tiles in k kinds, of which there are at most `most` (k,) → the
    probabilities when this is known (n, k), and that a tile keeps to no limit (n,); each row and its last add
    up to what the row did before."""
    whole = probabilities.sum(axis=1)
    kinds = np.where(most > 0, probabilities, 0.0) * (1 - STRANGE)
    strange = STRANGE * whole
    of_each = kinds / np.maximum(kinds.sum(axis=1) + strange, 1e-300)[:, None]
    contended = np.flatnonzero(_excess_probabilities(of_each, most) > NEGLIGIBLE)
    room = np.ones((len(probabilities), len(contended)))
    here = kinds[:, contended]
    elsewhere = kinds.sum(axis=1) - here.sum(axis=1) + strange
    for _ in range(ROUNDS if len(contended) else 0):
        weighted = here * room
        others = elsewhere[:, None] + weighted.sum(axis=1, keepdims=True) - weighted
        share = here / (here + np.maximum(others, 1e-300))
        before, room = room, np.empty_like(room)
        for count in set(most[contended].tolist()):
            alike = most[contended] == count
            room[:, alike] = _compute_room(share[:, alike], count)
        if len(contended) > 1:
            room = (room + before) / 2
        if np.abs(room - before).max() < SETTLED:
            break
    kinds[:, contended] = here * room
    scale = whole / (kinds.sum(axis=1) + strange)
    return kinds * scale[:, None], strange * scale


def _excess_probabilities(share: Doubles, most: NDArray[np.intp]) -> Doubles:
    """The probability (k,) of more than `most` (k,) of n tiles that are of k kinds with `share` (n, k)."""
    result = np.zeros(len(most))
    limited = np.flatnonzero(most < len(share))
    if not len(limited):
        return result
    counts = _count_each(share[:, limited], int(most[limited].max()))
    while (n := counts.shape[1]) > 1:
        pairs = _add_counts(counts[:, 0 : n - 1 : 2], counts[:, 1:n:2])
        counts = np.concatenate([pairs, counts[:, n // 2 * 2 :]], axis=1)
    upto = np.cumsum(counts[:, 0], axis=0)
    result[limited] = 1 - upto[most[limited], np.arange(len(limited))]
    return result


def _compute_room(share: Doubles, most: int) -> Doubles:
    """For each of n tiles that are of each of k kinds with probability `share` (n, k): how much less likely
    its limit holds when this tile is of it than when not: P(others < most) / P(others ≤ most)."""
    each = _count_each(share, most)
    ahead, behind = _count_before(each), _count_before(each[:, ::-1])[:, ::-1]
    upto = np.cumsum(behind, axis=0)  # (most + 1, n, k): at most j of those behind
    fits = (ahead * upto[::-1]).sum(axis=0)
    spare = (ahead[:-1] * upto[-2::-1]).sum(axis=0)
    result: Doubles = spare / np.maximum(fits, 1e-300)
    return result


def _count_each(share: Doubles, most: int) -> Doubles:
    """Probabilities (most + 1, n, k) of 0..most tiles of each kind in each one tile, which is of it with
    `share` (n, k)."""
    counts = np.zeros((most + 1, *share.shape))
    counts[0] = 1 - share
    counts[1:2] = share
    return counts


def _count_before(counts: Doubles) -> Doubles:
    """Probabilities (most + 1, n, k) of 0..most tiles of each kind before each of n tiles, by those in each
    one: in the one before it, in the 2, 4, 8, … before it (the scan of Hillis and Steele 1986)."""
    none = np.zeros_like(counts[:, :1])
    none[0] = 1.0
    counts = np.concatenate([none, counts[:, :-1]], axis=1)
    step = 1
    while step < counts.shape[1]:
        added = _add_counts(counts[:, step:], counts[:, :-step])
        counts = np.concatenate([counts[:, :step], added], axis=1)
        step *= 2
    return counts


def _add_counts(one: Doubles, other: Doubles) -> Doubles:
    """Probabilities (most + 1, n, k) of 0..most tiles of each kind in two groups together."""
    result: Doubles = one[0] * other
    for count in range(1, len(one)):
        result[count:] += one[count] * other[:-count]
    return result


NEIGHBOURS = 10  # of each candidate, the nearest
EVIDENCE_SIZES = 15, NEIGHBOURS, 10  # columns of `Evidence`: own, neighbours, relations
CLEAR_SCORE = 0.5  # of the finder, from which a candidate tells how large the picture's tiles are
TYPICAL_PX = 40.0  # side of a tile
# Of a crop: the rim that is left out, the step between the pixels that are read, the brightest share of
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
    """Rows of the nearest others, whether there are that many, and how far away they are in sides of the
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


@dataclass(frozen=True, slots=True, eq=False)
class NamedFaces:
    """codes: of m faces, at least one; features: (m, f) float32, what the reader saw of each, upright or
    turned."""

    codes: tuple[str, ...]
    features: Floats


# Cosines of what the reader saw of two tiles, less what all tiles of the picture have in common: about these
# they begin to look as one kind and as two kinds look; and within what. What these and
# the next were chosen on is in docs/archive/training-rounds.md.
ALIKE, ALIKE_WIDTH = 0.88, 0.015
UNLIKE, UNLIKE_WIDTH = 0.50, 0.03
# How many times likelier two tiles are to look so when they are of one kind than when they are of two.
ODDS_ALIKE, ODDS_UNLIKE = 8.0, 0.05
# The same of a tile and one that a person named, which is not misread; what looks otherwise may be turned,
# and says nothing. Of tiles on four drawn tables 831 in 1,000 pairs of one kind were more alike than 0.70,
# and of two kinds 0.1 in 1,000.
NAMED_ALIKE, NAMED_WIDTH, ODDS_NAMED = 0.72, 0.02, 10_000.0
KINDS_LEAST = 4.0  # expected kinds in a picture, from which it shows what its tiles have in common
FACE_LEAST = 0.1  # probability of a face, below which a candidate is not compared
CERTAIN_KIND = 0.999  # of a kind: nothing that others tell changes it


def compare_tiles(candidates: Candidates, named: NamedFaces | None = None) -> Candidates:
    """The candidates of one picture with probabilities that take into account how alike they look. Whether a
    candidate is a tile and shows its face stays as it is. named: faces of the same set, seen at any time."""
    labels = candidates.labels
    kinds = np.flatnonzero([label not in (NO_TILE, BACK) for label in labels])
    face = candidates.probabilities[:, kinds].sum(axis=1)
    rows = np.flatnonzero(face >= FACE_LEAST)
    face = face[rows, None]
    own = np.log((candidates.probabilities[np.ix_(rows, kinds)] / face).clip(PROBABILITY_MIN))
    read = _normalise(own)
    if (face * read).sum(axis=0).clip(max=1).sum() < KINDS_LEAST:
        return candidates
    features, of_kind = candidates.features[rows], face * read
    evidence = np.where(read.max(axis=1, keepdims=True) < CERTAIN_KIND, _tell(features, of_kind), 0)
    if named:
        evidence += _tell_named(features, of_kind, named, [labels[kind] for kind in kinds])
    read = np.where(evidence.any(axis=1, keepdims=True), _normalise(own + evidence), read)
    probabilities = candidates.probabilities.copy()
    probabilities[np.ix_(rows, kinds)] = face * read
    return replace(candidates, probabilities=probabilities)


def _tell(features: Floats, kinds: Floats) -> Floats:
    """Features (n, f) of tiles that are of each kind with these probabilities (n, k) → log odds (n, k) that
    each is of a kind, by what the others are. The copies of a kind are of one drawing and count as one."""
    more = _weigh_likeness(_compare(features, kinds)) - 1
    np.fill_diagonal(more, 0)
    evidence = np.stack([np.log1p(more * of_kind).sum(axis=1) for of_kind in kinds.T], axis=1)
    copies = kinds.sum(axis=0) - kinds
    result: Floats = evidence / copies.clip(min=1)
    return result


def _tell_named(features: Floats, kinds: Floats, named: NamedFaces, codes: list[str]) -> Floats:
    """As `_tell`, by what a person named of the same set: the most similar face of each kind counts."""
    cosines = _compare(features, kinds, named.features)
    result = np.zeros_like(kinds)
    for at, code in enumerate(codes):
        if code in named.codes:
            likest = cosines[:, np.array(named.codes) == code].max(axis=1)
            result[:, at] = np.log(ODDS_NAMED) * _rise((likest - NAMED_ALIKE) / NAMED_WIDTH)
    return result


def _compare(features: Floats, kinds: Floats, others: Floats | None = None) -> Floats:
    """Features (n, f) of tiles that are of each kind with these probabilities (n, k) → cosines (n, n) of what
    they do not have in common: of the features less their mean, in which every kind counts once. Or, with
    the features (m, f) of others, cosines (n, m) with these."""
    of_each = kinds.sum(axis=0)
    share = (kinds / of_each.clip(1)).sum(axis=1)
    mean = (share / share.sum()) @ features
    unit = _scale_to_unit(features - mean)
    result: Floats = unit @ (unit if others is None else _scale_to_unit(others - mean)).T
    return result


def _scale_to_unit(vectors: Floats) -> Floats:
    result: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True).clip(PROBABILITY_MIN)
    return result


def _weigh_likeness(cosines: Floats) -> Floats:
    """How many times likelier two tiles have such a cosine when they are of one kind than when of two."""
    alike = _rise((cosines - ALIKE) / ALIKE_WIDTH)
    unlike = _rise((UNLIKE - cosines) / UNLIKE_WIDTH)
    result: Floats = ODDS_ALIKE**alike * ODDS_UNLIKE**unlike
    return result


def _rise(steps: Floats) -> Floats:
    """0..1, a half at 0."""
    result: Floats = ((1 + np.tanh(steps / 2)) / 2).astype(np.float32)
    return result


def _normalise(logs: Floats) -> Floats:
    raised = np.exp(logs - logs.max(axis=1, keepdims=True))
    result: Floats = raised / raised.sum(axis=1, keepdims=True)
    return result
