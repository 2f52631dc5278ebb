"""Blank faces, of which both networks know too little: White dragons that continue a row of faces, and what
tells them from pale backs.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.tiles import BACK, SET_144, Tile
from companion.vision.candidates import PROBABILITY_MIN, Candidates, Floats
from companion.vision.deciding import (
    NO_TILE_MAX,
    measure_grounds,
    measure_shapes,
)
from companion.vision.networks import NO_TILE

Mask = NDArray[np.bool_]

BLANK = "5z"
SCORE_LEAST, BLANK_LEAST = 0.3, 0.35
"""Of the finder, and of the reader, from which something may be a blank face."""
ROW_LEAST = 3
"""Tiles side by side that make a row."""
ALONG, ACROSS = (0.8, 1.3), 0.2
"""How far the next tile lies along the row, in widths, and at most across it, in heights: people lay tiles
side by side, not always in line."""
HEIGHTS, WIDTHS, PARALLEL = (0.85, 1.18), (0.75, 1.33), 0.99
"""How its sides are to those of its neighbour, and the least cosine between them. Outlines of blank faces are
less exact across the row, where they touch others."""
DARKER_MOST = 0.15
"""By how much its ground is darker than its neighbour's, logs: the side of the last tile is in its shade, and
looks like a blank face from aside. Blank faces were darker by 0.04 at most, sides by 0.4."""
KNOWN_LEAST = 0.5
"""Probability of its kind, from which a face shows which side is its upper one."""
OVERLAP_MOST = 0.5
"""In widths: of two candidates nearer than this one at most is a tile."""
IN_ROW_P = 0.9
"""How likely such a one is a tile. Of 30 of them in photos of a set that nothing has learned all were."""


def continue_rows(read: Candidates, weighed: Candidates) -> Candidates:
    """The weighed candidates with blank faces that continue a row of faces taken for tiles. read: the same
    ones as the reader left them."""
    none, back, blank = (read.labels.index(label) for label in (NO_TILE, BACK, BLANK))
    kinds = np.delete(np.arange(len(read.labels)), [none, back])
    is_blank = kinds[read.probabilities[:, kinds].argmax(axis=1)] == blank
    sees_blank = is_blank & (read.probabilities[:, blank] >= BLANK_LEAST) & (read.scores >= SCORE_LEAST)
    is_tile = weighed.probabilities[:, none] <= NO_TILE_MAX
    maybe = sees_blank & ~is_tile
    if not maybe.any():
        return weighed
    is_face = is_tile & (weighed.probabilities[:, back] < 0.5)
    is_known = read.probabilities[:, kinds].max(axis=1) >= KNOWN_LEAST
    beside, _, over = _find_beside_and_over(read, is_face & is_known & ~is_blank)
    grounds = measure_grounds(read.crops)[0].mean(axis=1)
    goes_on = beside & (grounds[:, None] >= grounds - DARKER_MOST)
    found = np.zeros(len(read), np.bool_)
    while True:
        next_ones = maybe & ~found & (goes_on & _find_rows(beside, is_face)).any(axis=1)
        next_ones &= ~(over & (is_tile | found)).any(axis=1)
        if not next_ones.any():
            break
        first = int(np.flatnonzero(next_ones)[read.scores[next_ones].argmax()])
        found[first] = is_face[first] = True
    probabilities = weighed.probabilities.copy()
    faces = read.probabilities[found].clip(PROBABILITY_MIN)
    faces[:, [none, back]] = 0
    probabilities[found] = IN_ROW_P * faces / faces.sum(axis=1, keepdims=True)
    probabilities[found, none] = 1 - IN_ROW_P
    return replace(weighed, probabilities=probabilities)


def _find_beside_and_over(candidates: Candidates, painted: Mask) -> tuple[Mask, Mask, Mask]:
    """Which lie side by side, as tiles of one row do, which end to end, as those of a row do too where it is
    seen from its end, and which over one another, each (n, n). painted: (n,) faces that are not blank."""
    rightward, downward = _find_axes(candidates, painted)
    middles = candidates.quads.mean(axis=1)
    wide, high = np.linalg.norm(rightward, axis=1), np.linalg.norm(downward, axis=1)
    apart = middles[:, None] - middles
    area = np.abs(_cross(rightward, downward)).clip(1)
    along = np.abs(_cross(apart, downward) / area)
    across = np.abs(_cross(rightward, apart) / area)
    ways = downward / high.clip(1)[:, None]
    alike = (
        (np.abs(ways @ ways.T) >= PARALLEL)
        & _is_within(high[:, None] / high.clip(1), HEIGHTS)
        & _is_within(wide[:, None] / wide.clip(1), WIDTHS)
    )
    over = np.linalg.norm(apart, axis=2) < OVERLAP_MOST * wide
    np.fill_diagonal(over, False)
    side_by_side = alike & _is_within(along, ALONG) & (across <= ACROSS)
    end_to_end = alike & _is_within(across, ALONG) & (along <= ACROSS)
    return side_by_side, end_to_end, over


def _find_axes(candidates: Candidates, painted: Mask) -> tuple[Floats, Floats]:
    """The sides of each tile along its row and across it, (n, 2) px each. A painted face shows its upper
    side; any other tile lies as the painted face nearest to it, if it is parallel to that: seen from a low
    place, tiles are wider than high."""
    quads = candidates.upright_quads
    rightward, downward = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    shapes = measure_shapes(candidates)
    plain = np.flatnonzero(~painted)
    rightward[plain], downward[plain] = shapes.short[plain], shapes.long[plain]
    if not painted.any():
        return rightward, downward
    faces = np.flatnonzero(painted)
    apart = np.linalg.norm(shapes.middles[plain, None] - shapes.middles[faces], axis=2)
    nearest = faces[apart.argmin(axis=1)]
    swapped = plain[_measure_cosines(rightward[plain], downward[nearest]) >= PARALLEL]
    rightward[swapped], downward[swapped] = downward[swapped], rightward[swapped]
    return rightward, downward


def _measure_cosines(one: Floats, other: Floats) -> Floats:
    """Absolute cosines (n,) of the angles between vectors (n, 2)."""
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    result: Floats = np.abs((one * other).sum(axis=1)) / lengths.clip(1)
    return result


def _cross(one: Floats, other: Floats) -> Floats:
    """The areas (...) that vectors (..., 2) span."""
    spanned: Floats = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return spanned


def _find_rows(beside: Mask, is_face: Mask) -> Mask:
    """Which faces (n,) are one of ROW_LEAST or more that stand side by side."""
    links = beside & is_face & is_face[:, None]
    links |= links.T
    steps = links.astype(np.float32)  # which multiply quickly, unlike whole numbers
    reached = np.diag(is_face)
    for _ in range(ROW_LEAST - 1):
        reached = reached | (reached.astype(np.float32) @ steps > 0)
    return np.asarray(reached.sum(axis=1) >= ROW_LEAST, np.bool_)


def _is_within(ratio: NDArray[np.floating], limits: tuple[float, float]) -> Mask:
    return (ratio >= limits[0]) & (ratio <= limits[1])


INK_MIN = 4.0
"""Grey levels per px of the steepest edges of a crop, from which something is on it: 99 in 100 faces had 7.9,
in small crops 4.2; 3 in 4 backs had less than 2.1, and half of the White dragons."""
SMOOTHED_PX = 1.0  # so that noise is no edge
RIM_PX = 8  # of a crop, which shows the edge of the tile
SAME_TINT, SAME_LIGHT = 0.05, 0.15
"""Most that the grounds of two tiles differ where both are faces or both are backs, logs. In tint 19 in 20
White dragons differed from faces nearby by at most 0.03, 3 in 4 backs drawn as pale by 0.1 or more."""
LIGHTER_MOST = 0.4
"""Most that a blank face's ground is lighter than a painted one's, logs: paint darkens what is measured."""
NEAREST = 5  # faces whose grounds tell that of the set there
FEW_BLANK = 0.1  # probability of a White dragon, up to which a back is not doubted
FRAMED_P = 0.9  # probability of a painted White dragon, from which the set has no blank one
COPIES = SET_144.copies[Tile.parse(BLANK).index]


def settle_blanks(tiles: Candidates, *, taught: bool) -> Candidates:
    """The tiles of a picture, a blank one being a White dragon only on evidence: it has the ground of faces
    nearby and continues a row of them, or is one of no more such tiles than a box has White dragons; or the
    set was taught. In a row of backs of its ground it is a back. Otherwise, and where the picture shows a
    White dragon with a frame, it is as likely the one as the other.
    """
    back, blank = tiles.labels.index(BACK), tiles.labels.index(BLANK)
    faces = [at for at, label in enumerate(tiles.labels) if label not in (NO_TILE, BACK)]
    probabilities = tiles.probabilities.copy()
    inked = np.array([measure_ink(crop) >= INK_MIN for crop in tiles.crops], np.bool_)
    is_face = probabilities[:, back] < probabilities[:, faces].sum(axis=1)
    likeliest = np.array(faces)[probabilities[:, faces].argmax(axis=1)]
    blanks = is_face & ~inked & (likeliest == blank)
    backs = ~is_face & ~inked
    if not (blanks | (backs & (probabilities[:, blank] > FEW_BLANK))).any():
        return tiles
    grounds = measure_grounds(tiles.crops)[0]
    is_known = probabilities[:, faces].max(axis=1) >= KNOWN_LEAST
    beside, end_to_end, _ = _find_beside_and_over(tiles, is_face & inked & is_known)
    is_framed = bool((inked & (probabilities[:, blank] >= FRAMED_P)).any())
    same = blanks & _have_ground_of(tiles, grounds, is_face & inked) & (not is_framed)
    continue_faces = (beside & _find_rows(beside, is_face & inked)).any(axis=1)
    in_row = _spread(same & continue_faces, same, beside)
    plain_rows = (beside | end_to_end) & _are_alike(grounds[:, None], grounds)
    in_wall = blanks & ~in_row & _spread(backs, ~inked, plain_rows)
    in_wall |= _find_rows(plain_rows, backs) & ~continue_faces
    few = int((same & ~in_row & ~in_wall).sum()) <= COPIES
    known = ~in_wall & (in_row | (same & few) | (blanks & taught))
    whole = probabilities[:, faces].sum(axis=1)
    probabilities[np.ix_(known | in_wall, faces)] = 0
    probabilities[known, blank] = whole[known]
    probabilities[in_row, blank] += probabilities[in_row, back]
    probabilities[in_row, back] = 0
    probabilities[in_wall, back] += whole[in_wall]
    unknown = blanks & ~known & ~in_wall
    half = (probabilities[unknown, blank] + probabilities[unknown, back]) / 2
    probabilities[unknown, blank] = probabilities[unknown, back] = half
    return replace(tiles, probabilities=probabilities)


def _spread(reached: Mask, others: Mask, links: Mask) -> Mask:
    """What is reached (n,), and those of the others that links (n, n) join to it."""
    while True:
        more = reached | (others & (links & reached).any(axis=1))
        if np.array_equal(more, reached):
            return reached
        reached = more


def measure_ink(crop: NDArray[np.uint8]) -> float:
    """How steep the steepest edges on a crop (64, 64, 3) are, its rim left out: grey levels per px."""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    smooth = cv2.GaussianBlur(grey, (0, 0), SMOOTHED_PX)[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]
    slope = np.hypot(np.diff(smooth, axis=1)[1:], np.diff(smooth, axis=0)[:, 1:])
    return float(np.percentile(slope, 97))


def _have_ground_of(tiles: Candidates, grounds: Floats, faces: Mask) -> Mask:
    """Which tiles (n,) have the ground of the nearest faces; none where there are fewer than ROW_LEAST."""
    near = np.flatnonzero(faces)
    same = np.zeros(len(tiles), np.bool_)
    if len(near) < ROW_LEAST:
        return same
    middles = tiles.quads.mean(axis=1)
    for at in range(len(tiles)):
        order = np.argsort(np.linalg.norm(middles[near] - middles[at], axis=1), kind="stable")
        same[at] = _are_alike(grounds[at], grounds[near[order[:NEAREST]]], LIGHTER_MOST).mean() >= 0.5
    return same


def _are_alike(one: Floats, other: Floats, lighter_most: float = SAME_LIGHT) -> Mask:
    """Whether grounds (..., 3) have the same tint and about the same light as others."""
    colour = one - other
    light = colour.mean(axis=-1)
    tint = np.linalg.norm(colour - light[..., None], axis=-1)
    return np.asarray((tint <= SAME_TINT) & (light >= -SAME_LIGHT) & (light <= lighter_most), np.bool_)
