"""Where tiles are: the finder network on the whole picture, on a smaller one for tiles that nearly fill it,
and on overlapping parts at the scale that suits the tiles seen there.

Where most tiles are seen from the side, the picture is also stretched until they have a face's proportions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.vision.candidates import (
    NEXT_CORNERS,
    Candidates,
    Floats,
    Quads,
    halve_down_to,
    short_sides,
    suppress_overlaps,
)
from companion.vision.networks import NO_TILE, Finder

FACE_PROPORTION = 1.35  # of a face's height to its width
STRETCHES = np.geomspace(1.0, 4.0, 13)  # that are tried


def choose_stretch(quads: Quads) -> float:
    """By how much a picture should be stretched upwards for most of its tiles (n, 4, 2) px to have the
    proportions and right angles of a face; 1 where there are none."""
    if not len(quads):
        return 1.0
    misfits = [float(np.median(measure_misfits(quads, stretch))) for stretch in STRETCHES]
    return float(STRETCHES[int(np.argmin(misfits))])


def measure_misfits(quads: Quads, stretch: float) -> Floats:
    """How unlike a face from above each of the quads (n, 4, 2) px is in a picture stretched upwards: log of
    the ratio of their proportions, and cosine of the angle between their sides. (n,), 0 for a face."""
    seen = quads * np.array([1, stretch], np.float32)
    across = (seen[:, 1] + seen[:, 2] - seen[:, 0] - seen[:, 3]) / 2
    along = (seen[:, 2] + seen[:, 3] - seen[:, 0] - seen[:, 1]) / 2
    wide, high = (np.linalg.norm(side, axis=1).clip(1e-3) for side in (across, along))
    askew = np.abs((across * along).sum(axis=1)) / (wide * high)
    misfits: Floats = np.abs(np.abs(np.log(high / wide)) - np.log(FACE_PROPORTION)) + askew
    return misfits


FIRST_LOOK_PX = 640  # longer side of the picture in which tiles are looked for first
GIANT_LOOKS_PX = (96, 160, 224)  # of those in which tiles that nearly fill the picture are looked for
GIANTS_FROM_PX = 320  # longer side, at least, of the copy that all of these looks are shrunk from
GIANT_SHARE = 0.22  # of the longer side: tiles as wide as that are often not found in the first look
BLIND_LOOK_PX = 1280  # at least, of the next look where the first found nothing plain
COMFORTABLE_PX = 40.0  # tile width at which the finder is at its best: the second look makes them so
ENOUGH = (0.6, 1.3)  # ratio of the two looks' scales within which no second one is needed
SMALLER_SHARE = 0.25  # of the tiles seen are smaller than those that a scale is chosen for
LARGEST_SCALE = 2.5
MUCH_LARGER = 1.4  # a part's scale divided by the picture's from which the part is read again
STRETCH_MIN = 1.3  # the stretch from which a picture is read stretched as well
HIGHEST_SCALE = 4.0  # upwards, of one that is stretched
FIT_WEIGHT = 1.0  # of a face's proportions, when one of two outlines of a tile is chosen
SEVERAL = 4  # clear candidates from which a part is read again: letters rarely make as many
PLAIN_SCORE = 0.4  # of the candidates that the scale is taken from, where there are any
FIRST_LOOK_TRUST = 0.5  # a candidate of the second look on the same tile is better placed
PART_PX = 960  # side of the overlapping parts of a closer look, in its own scale
OVERLAP_PX = 160


def find_tiles(finder: Finder, image: Image) -> Candidates:
    """What may be tiles of a (H, W, 3) picture, each once, with quads of unknown direction and scores; what
    any look found counts. A giant tile may hold further candidates, such as its pips."""
    small, times = halve_down_to(image, FIRST_LOOK_PX)
    giants, others = _find_giants(finder, small, times), _find_others(finder, image, small, times)
    if not len(giants):
        return others
    candidates = Candidates.join([others, giants])
    return candidates[suppress_overlaps(candidates.quads, candidates.scores)]


def _find_giants(finder: Finder, small: Image, times: int) -> Candidates:
    """Those in a picture that has been made `times` smaller, in px of the whole one."""
    small, halved = halve_down_to(small, GIANTS_FROM_PX)
    longer, times = max(small.shape[:2]), times * halved
    looks = [
        finder.find(small, min(1.0, px / longer), least_px=GIANT_SHARE * longer) for px in GIANT_LOOKS_PX
    ]
    seen = Candidates.join(looks)
    return replace(seen, quads=seen.quads * np.float32(times))


def _find_others(finder: Finder, image: Image, small: Image, times: int) -> Candidates:
    """Those of any other size; small: the picture made `times` smaller."""
    longer = max(image.shape[:2])
    first = min(1.0, FIRST_LOOK_PX / longer)
    seen = finder.find(small, first * times)
    seen = replace(seen, quads=seen.quads * np.float32(times))
    again = _choose_scale(seen)
    if not (seen.scores >= PLAIN_SCORE).any():
        again = max(again, min(1.0, BLIND_LOOK_PX / longer))
    if ENOUGH[0] < again / first < ENOUGH[1]:
        return seen
    looks = [(seen, seen.scores * np.float32(FIRST_LOOK_TRUST)), *_look_closer(finder, image, again)]
    candidates = _join_looks(looks)
    plain = candidates.quads[candidates.scores >= PLAIN_SCORE]
    stretch = choose_stretch(plain) if len(plain) >= SEVERAL else 1.0
    return candidates if stretch < STRETCH_MIN else _look_stretched(finder, image, candidates, stretch)


def _join_looks(looks: Sequence[tuple[Candidates, Floats]]) -> Candidates:
    """What several looks found, of two finds on one tile the better ranked; ranks are (n,)."""
    candidates = Candidates.join([each for each, _ in looks])
    return candidates[suppress_overlaps(candidates.quads, np.concatenate([ranks for _, ranks in looks]))]


def _choose_scale(seen: Candidates) -> float:
    """The scale that suits the smaller ones of the tiles seen, the plain ones where there are any; 0 where
    there are none."""
    if not len(seen):
        return 0.0
    plain = seen.quads[seen.scores >= min(PLAIN_SCORE, float(seen.scores.max()))]
    return min(LARGEST_SCALE, COMFORTABLE_PX / float(np.quantile(short_sides(plain), SMALLER_SHARE)))


def _look_stretched(finder: Finder, image: Image, known: Candidates, stretch: float) -> Candidates:
    """What is known, and what is seen in the picture stretched upwards around it; of two finds on one tile
    the one that is seen with a face's proportions is better placed."""
    sides = short_sides(known.quads * np.array([1, stretch], np.float32))
    scale = min(
        LARGEST_SCALE,
        HIGHEST_SCALE / stretch,
        COMFORTABLE_PX / float(np.quantile(sides[known.scores >= PLAIN_SCORE], SMALLER_SHARE)),
    )
    looks = [(known, known.scores * _trust_fitting(known.quads, 1.0))]
    middles = known.quads.mean(axis=1)
    for x, y, part in _cut_parts(image, PART_PX / scale, OVERLAP_PX / scale, stretch):
        apart = middles - np.array([x, y], np.float32)
        if not np.any(np.all((apart >= 0) & (apart < part.shape[1::-1]), axis=1)):
            continue
        seen = finder.find(part, scale, stretch)
        ranks = seen.scores * _edge_factors(seen.quads, part) * _trust_fitting(seen.quads, stretch)
        looks.append((replace(seen, quads=seen.quads + np.array([x, y], np.float32)), ranks))
    return _join_looks(looks)


def _trust_fitting(quads: Quads, stretch: float) -> Floats:
    """(n,) how much to trust outlines found in a picture stretched by this factor."""
    trust: Floats = np.exp(-FIT_WEIGHT * measure_misfits(quads, stretch)).astype(np.float32)
    return trust


def _look_closer(finder: Finder, image: Image, scale: float) -> list[tuple[Candidates, Floats]]:
    """What is seen in overlapping parts of a picture at a scale, and at a larger one in parts whose tiles
    are smaller, each with ranks (n,): of two finds on one tile the better ranked is better placed."""
    looks = []
    for x, y, part in _cut_parts(image, PART_PX / scale, OVERLAP_PX / scale):
        seen = finder.find(part, scale)
        own = _choose_scale(seen) if (seen.scores >= PLAIN_SCORE).sum() >= SEVERAL else scale
        closer = _look_closer(finder, part, own) if own > MUCH_LARGER * scale else []
        for found, ranks in [(seen, seen.scores * _edge_factors(seen.quads, part)), *closer]:
            looks.append((replace(found, quads=found.quads + np.array([x, y], np.float32)), ranks))
    return looks


def _cut_parts(
    image: Image, side: float, overlap: float, stretch: float = 1.0
) -> list[tuple[int, int, Image]]:
    """Overlapping parts of a picture with their top left corners, px: squares once they are stretched
    upwards."""
    height, width = image.shape[:2]
    high = int(side / stretch)

    def starts(length: int, side: float, overlap: float) -> list[int]:
        count = max(1, int(np.ceil((length - overlap) / (side - overlap))))
        return [round(k * max(0.0, length - side) / max(1, count - 1)) for k in range(count)]

    return [
        (x, y, image[y : y + high, x : x + int(side)])
        for y in starts(height, side / stretch, overlap / stretch)
        for x in starts(width, side, overlap)
    ]


def _edge_factors(quads: Quads, part: Image) -> Floats:
    """(n,) 1 for a quad well inside the part, less for one at its edge, which a neighbouring part sees
    whole."""
    height, width = part.shape[:2]
    margin = np.minimum(quads, np.array([width, height], np.float32) - quads).min(axis=(1, 2))
    return np.where(margin > 3, 1.0, 0.6).astype(np.float32)


WIDER = 1.7  # times as wide as what lies in it: a giant's largest pips are half as wide as the tile
TILE_NO_TILE = 0.1  # what the reader takes for no tile with less than this is clearly a tile
WIDTH_SCORE = 0.5  # of the finder, from which such a one tells how wide tiles are there
OTHERS = 4  # of them, from which they do; as many within a candidate are tiles, and it is a field of them
NEAREST = 6  # of them, that do: seen obliquely, far tiles are much narrower than near ones


def drop_nested(candidates: Candidates) -> Candidates:
    """The classified candidates without those that lie in a much wider one, where that is the tile; elsewhere
    without the wider one."""
    widths, middles = short_sides(candidates.quads), candidates.quads.mean(axis=1)
    clear = candidates.probability_of(NO_TILE) < TILE_NO_TILE
    plain = clear & (candidates.scores >= WIDTH_SCORE)
    kept: NDArray[np.bool_] = np.ones(len(candidates), np.bool_)
    for outer in np.argsort(-widths, kind="stable"):
        inner = np.flatnonzero(kept & (widths * WIDER < widths[outer]))
        if not kept[outer] or not len(inner):
            continue
        inner = inner[_contains(candidates.quads[outer], middles[inner])]
        if len(inner):
            others = np.flatnonzero(kept & plain)
            others = np.setdiff1d(others, [outer, *inner])
            apart = np.linalg.norm(middles[others] - middles[outer], axis=1)
            nearest = others[np.argsort(apart, kind="stable")[:NEAREST]]
            is_field = plain[inner].sum() >= OTHERS
            if clear[outer] and not is_field and _fits(widths[outer], widths[inner], widths[nearest]):
                kept[inner] = False
            else:
                kept[outer] = False
    return candidates if kept.all() else candidates[kept]


def _fits(outer: np.float32, inner: Floats, others: Floats) -> bool:
    """Whether a width is rather that of the other tiles nearby than those of what lies in it are; True where
    there are few others."""
    if len(others) < OTHERS:
        return True
    usual = np.median(others)
    return bool(abs(np.log(outer / usual)) <= abs(np.log(np.median(inner) / usual)))


def _contains(quad: Quads, points: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether each of n points (n, 2) lies in a convex quad (4, 2)."""
    sides = quad[NEXT_CORNERS] - quad
    to_points = points[:, None] - quad
    turns = sides[:, 0] * to_points[..., 1] - sides[:, 1] * to_points[..., 0]
    return np.asarray((turns >= 0).all(axis=1) | (turns <= 0).all(axis=1), np.bool_)
