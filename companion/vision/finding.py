"""Where tiles are, coarse to fine: the finder network on a small picture, then only on the parts that show
tiles there, each at the scale that suits them. Giant tiles are looked for in smaller pictures.

Where most tiles are seen from the side, parts are also stretched until the tiles have a face's proportions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
SECOND_LOOK_PX = 1280  # of the next one where the first shows nothing plain, or tiles too small for it
FAR = 2.5  # times that such tiles are to be enlarged: at their size others are not seen at all
COMFORTABLE_PX = 40.0  # tile width at which the finder is at its best: closer looks make them so
ENOUGH = (0.6, 1.3)  # ratio of two looks' scales within which the second one is not needed
SMALLER_SHARE = 0.25  # of the tiles seen are smaller than those that a scale is chosen for
LARGEST_SCALE = 2.5
STRETCH_MIN = 1.3  # the stretch from which a part is read stretched as well
HIGHEST_SCALE = 4.0  # upwards, of one that is stretched
FIT_WEIGHT = 1.0  # of a face's proportions, when one of two outlines of a tile is chosen
SEVERAL = 4  # plain candidates from which they tell a stretch: letters rarely make as many
PLAIN_SCORE = 0.4  # of the candidates that the scale is taken from, where there are any
FIRST_LOOK_TRUST = 0.5  # a candidate of a closer look on the same tile is better placed
EDGE_PX = 3.0  # nearer to the edge of a part a tile may be cut
EDGE_TRUST = 0.6  # in such a one, which another part sees whole
PART_PX = 960.0  # longest side of a part, in its own scale
AROUND = 3.0  # tile widths around the candidates that a part is chosen for
OVERLAP_PX = 160  # of halves of the picture, in their scale
LOOK_MAX_PX = 5e6  # of all parts of a look; 200 tiles with as much around them take 2.5e6


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a picture, by its left, top, right and bottom, px, the scale at which it is looked at, and
    how many times as high it is made besides."""

    left: int
    top: int
    right: int
    bottom: int
    scale: float
    stretch: float = 1.0

    @property
    def seen_px(self) -> tuple[float, float]:
        """Its width and height before the finder."""
        wide, high = self.right - self.left, self.bottom - self.top
        return wide * self.scale, high * self.scale * self.stretch


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """n candidates, each once. ranks: (n,) of two finds on one tile the better ranked is better placed;
    scales: (n,) at which each was seen; cut: (n,) whether a part's edge may cut it."""

    candidates: Candidates
    ranks: Floats
    scales: Floats
    cut: NDArray[np.bool_]

    def __getitem__(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Seen:
        """Those that a mask (n,) or indices choose."""
        return Seen(self.candidates[rows], self.ranks[rows], self.scales[rows], self.cut[rows])

    @staticmethod
    def join(looks: Sequence[Seen]) -> Seen:
        """What several looks found, of two finds on one tile the better ranked."""
        candidates = Candidates.join([look.candidates for look in looks])
        ranks, scales, cut = (
            np.concatenate([getattr(look, name) for look in looks]) for name in ("ranks", "scales", "cut")
        )
        return Seen(candidates, ranks, scales, cut)[suppress_overlaps(candidates.quads, ranks)]


@dataclass(frozen=True, slots=True, eq=False)
class FirstLook:
    """What small copies of a picture show, in px of the picture: tiles that nearly fill it, and others."""

    giants: Candidates
    others: Seen

    @property
    def narrowest_px(self) -> float | None:
        """The shorter side of the smallest candidate, None where there is none."""
        sides = [short_sides(each.quads) for each in (self.giants, self.others.candidates)]
        return float(np.concatenate(sides).min()) if any(map(len, sides)) else None

    def enlarge(self, times: float) -> FirstLook:
        """The same in px of a picture that is so many times as large."""
        giants, others = self.giants, self.others.candidates
        return FirstLook(
            replace(giants, quads=giants.quads * np.float32(times)),
            replace(
                self.others,
                candidates=replace(others, quads=others.quads * np.float32(times)),
                scales=self.others.scales / np.float32(times),
            ),
        )


def find_tiles(finder: Finder, image: Image, first: FirstLook | None = None) -> Candidates:
    """What may be tiles of a (H, W, 3) picture, each once, with quads of unknown direction and scores; what
    any look found counts. A giant tile may hold further candidates, such as its pips. first: what
    `look_first` found, in px of this picture, where that is known."""
    first = first or look_first(finder, image)
    others = _look_closer(finder, image, first.others)
    if not len(first.giants):
        return others
    candidates = Candidates.join([others, first.giants])
    return candidates[suppress_overlaps(candidates.quads, candidates.scores)]


def look_first(finder: Finder, image: Image) -> FirstLook:
    """What is seen in copies of a (H, W, 3) picture of SECOND_LOOK_PX at most."""
    small, times = halve_down_to(image, FIRST_LOOK_PX)
    return FirstLook(_find_giants(finder, small, times), _find_others(finder, image, small, times))


def _find_giants(finder: Finder, small: Image, times: int) -> Candidates:
    """Those in a picture that has been made `times` smaller, in px of the whole one."""
    small, halved = halve_down_to(small, GIANTS_FROM_PX)
    longer, times = max(small.shape[:2]), times * halved
    looks = [
        finder.find(small, min(1.0, px / longer), least_px=GIANT_SHARE * longer) for px in GIANT_LOOKS_PX
    ]
    seen = Candidates.join(looks)
    return replace(seen, quads=seen.quads * np.float32(times))


def _find_others(finder: Finder, image: Image, small: Image, times: int) -> Seen:
    """Those of any other size; small: the picture made `times` smaller."""
    height, width = image.shape[:2]
    longer = max(height, width)
    first = min(1.0, FIRST_LOOK_PX / longer)
    found = finder.find(small, first * times)
    found = replace(found, quads=found.quads * np.float32(times))
    seen = _note(found, found.scores * np.float32(FIRST_LOOK_TRUST), first)
    plain = found.quads[found.scores >= PLAIN_SCORE]
    if longer <= FIRST_LOOK_PX or (len(plain) and _choose_scale(plain, 1.0) <= FAR * first):
        return seen
    whole = Part(0, 0, width, height, min(1.0, SECOND_LOOK_PX / longer))
    return Seen.join([seen, *_look_at(finder, image, _halve(whole))])


def _look_closer(finder: Finder, image: Image, seen: Seen) -> Candidates:
    """What was seen, and what is seen in parts of the picture at the scales that suit them."""
    height, width = image.shape[:2]
    parts = choose_parts(seen, width, height)
    if not parts:
        return seen.candidates
    seen = Seen.join([seen, *_look_at(finder, image, parts)])
    left = seen[_find_unsettled(seen)]
    seen = Seen.join([seen, *_look_at(finder, image, choose_parts(left, width, height))])
    plain = seen.candidates.quads[seen.candidates.scores >= PLAIN_SCORE]
    stretch = choose_stretch(plain) if len(plain) >= SEVERAL else 1.0
    if stretch < STRETCH_MIN:
        return seen.candidates
    known = replace(seen, ranks=seen.candidates.scores * _trust_fitting(seen.candidates.quads, 1.0))
    parts = choose_parts(known, width, height, stretch)
    return Seen.join([known, *_look_at(finder, image, parts)]).candidates


def _note(found: Candidates, ranks: Floats, scale: float) -> Seen:
    """What was found at a scale where no edge cuts a tile but the picture's."""
    return Seen(found, ranks, np.full(len(found), scale, np.float32), np.zeros(len(found), np.bool_))


def _look_at(finder: Finder, image: Image, parts: Sequence[Part]) -> list[Seen]:
    """What is seen in each part of a picture."""
    return [_look_at_part(finder, image, part) for part in parts]


def _look_at_part(finder: Finder, image: Image, part: Part) -> Seen:
    found = finder.find(image[part.top : part.bottom, part.left : part.right], part.scale, part.stretch)
    quads = found.quads + np.array([part.left, part.top], np.float32)
    height, width = image.shape[:2]
    inner = np.array([[part.left, part.top], [width - part.right, height - part.bottom]]) > 0
    apart = np.stack([quads - [part.left, part.top], [part.right, part.bottom] - quads], axis=1)
    cut = (np.where(inner[:, None], apart, np.inf) <= EDGE_PX).any(axis=(1, 2, 3))
    ranks = found.scores * np.where(cut, np.float32(EDGE_TRUST), np.float32(1.0))
    if part.stretch > 1:
        ranks *= _trust_fitting(quads, part.stretch)
    return replace(_note(replace(found, quads=quads), ranks, part.scale), cut=np.asarray(cut, np.bool_))


def _find_unsettled(seen: Seen) -> NDArray[np.bool_]:
    """(n,) which plain candidates are still seen too small, or are cut."""
    wanted = np.minimum(LARGEST_SCALE, COMFORTABLE_PX / short_sides(seen.candidates.quads))
    unsettled = (wanted > ENOUGH[1] * seen.scales) | seen.cut
    return np.asarray(unsettled & (seen.candidates.scores >= PLAIN_SCORE), np.bool_)


def choose_parts(seen: Seen, width: int, height: int, stretch: float = 1.0) -> list[Part]:
    """The parts of a picture of that size, px, stretched upwards by this factor, in which candidates would be
    seen better, each at the scale that suits those in it. Those with the highest scores for their size come
    first, up to LOOK_MAX_PX."""
    counted = _divide(seen, width, height, stretch, LARGEST_SCALE)
    counted.sort(key=lambda each: each[0] / np.prod(each[1].seen_px), reverse=True)
    areas = np.cumsum([np.prod(part.seen_px) for _, part in counted])
    return [part for (_, part), area in zip(counted, areas, strict=True) if area <= LOOK_MAX_PX]


def _divide(seen: Seen, width: int, height: int, stretch: float, scale: float) -> list[tuple[float, Part]]:
    """Parts, and the sum of the scores in each. They are halved until each is small enough, and shrunk to
    what is in them, so that the scale follows the tiles (a k-d tree: Bentley 1975). scale: of the whole,
    which holds where no candidate is plain."""
    if not len(seen.candidates):
        return []
    quads, scores = seen.candidates.quads, seen.candidates.scores
    plain = quads[scores >= PLAIN_SCORE]
    if len(plain):
        scale = _choose_scale(plain, stretch)
    elif scale == LARGEST_SCALE:
        scale = _choose_scale(quads[scores >= scores.max()], stretch)
    margins = AROUND * short_sides(quads)[:, None]
    left, top = np.maximum((quads.min(axis=1) - margins).min(axis=0), 0).astype(int).tolist()
    right, bottom = np.ceil((quads.max(axis=1) + margins).max(axis=0)).astype(int).tolist()
    part = Part(left, top, min(right, width), min(bottom, height), scale, stretch)
    longer = int(np.argmax(part.seen_px))
    if part.seen_px[longer] <= PART_PX or len(quads) == 1:
        ratio = scale / float(np.median(seen.scales))
        is_seen_well = stretch == 1 and ENOUGH[0] < ratio < ENOUGH[1] and not seen.cut.any()
        return [] if is_seen_well else [(float(scores.sum()), part)]
    places = quads.mean(axis=1)[:, longer]
    first = places < (places.min() + places.max()) / 2
    return [
        each for half in (seen[first], seen[~first]) for each in _divide(half, width, height, stretch, scale)
    ]


def _choose_scale(quads: Quads, stretch: float) -> float:
    """The scale that suits the smaller ones of some tiles (n, 4, 2) px, n > 0, in a picture stretched upwards
    by this factor."""
    sides = short_sides(quads * np.array([1, stretch], np.float32))
    suiting = COMFORTABLE_PX / float(np.quantile(sides, SMALLER_SHARE))
    return min(LARGEST_SCALE, HIGHEST_SCALE / stretch, suiting)


def _halve(part: Part) -> list[Part]:
    """A part, in overlapping halves until each is small enough."""
    wide, high = part.seen_px
    if max(wide, high) <= PART_PX:
        return [part]
    overlap = round(OVERLAP_PX / part.scale / 2)
    if wide >= high:
        middle = (part.left + part.right) // 2
        halves = replace(part, right=middle + overlap), replace(part, left=middle - overlap)
    else:
        middle = (part.top + part.bottom) // 2
        halves = replace(part, bottom=middle + overlap), replace(part, top=middle - overlap)
    return [each for half in halves for each in _halve(half)]


def _trust_fitting(quads: Quads, stretch: float) -> Floats:
    """(n,) how much to trust outlines found in a picture stretched by this factor."""
    trust: Floats = np.exp(-FIT_WEIGHT * measure_misfits(quads, stretch)).astype(np.float32)
    return trust


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
