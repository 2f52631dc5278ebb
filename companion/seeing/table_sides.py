"""The four sides of a table in a known plane: seen straight from above they are an upright square around the
tiles, at which the cloth ends. `trace_corners` finds their exact lines in the picture."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.arrays import Floats
from companion.seeing.table_camera import TABLE_MM
from companion.seeing.table_plane import TILE_UNITS, Layout, measure_trust
from companion.vision.candidates import Candidates

Peaks = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Places, px of the view, of edges that have the cloth on their right, and of those that have it on their
left."""

UNITS_A_PX = 4.0
"""Units per pixel of the view from above: a pixel is about 4 mm."""
REACH = 1000.0
"""Half the side of that view, in units: a table's side and some of the room."""
TILE_MM = (21.5, 32.5)
"""Widths of tiles on a table of 800 mm."""
USUAL_TILE_MM = 27.0
"""Width of tiles as they look, a little nearer to the camera: used if both sides are never seen."""
HIDDEN_SHARE = 0.35
"""Share of a side that the picture may hold without any of it being seen."""
SQUARE_TOLERANCE = 0.22
"""By how much the plane's two axes may differ in scale: if the lens's middle is not the picture's, a tilted
plane is stretched."""
STEP_PX = 2
"""Px of the view from above, on each side of an edge, over which colours are averaged."""
STRONG = 14.0
"""Difference of colours, in steps of CIELAB, at a clear edge."""
CLOTH_SPREAD = (9.0, 22.0)
"""Least and greatest standard deviation of the cloth's colour: light falls off, and there are patterns."""
LIGHTNESS_LESS = (1.6, 1.0, 1.0)
"""Lightness changes more than colour does, by lamps and shade."""
BAND_PX = 8
"""Px of the view inside the table's edge with cloth, apart from what is on it."""
BAND_CLOTH = 0.5
"""Share of cloth in it where hands and melds are along the edge."""
STANDING_HIDES = 0.6
"""Weight of a part of a side without an end of cloth: something standing in front may hide the edge."""
BAND_WEIGHT = 0.5
BEYOND_PX = 5
"""Px of the view outside the table's edge without cloth."""
BEYOND_WEIGHT = 0.3
PEAKS = 30
"""Places of each axis at which edges are tried."""
SQUARES, SAME_UNITS = 7, 20.0
"""Number of squares that are kept in one plane, and how far apart their sides are at least."""
EVIDENCE = ("edges", "least", "beyond", "outside", "missing", "stretch")
"""The mean of the sides' edges; the least; cloth beyond the edge; the share of tiles outside;
of the sides that the picture does not hold; and how much longer it is in one direction (a logarithm)."""
OUTSIDE_WEIGHT = 1.2
OUTSIDE_MAX = 0.5
"""Share of the tiles outside the table: more may be found by mistake, on a rim or a floor."""
LAYOUT_WEIGHT, LAYOUT_MAX_NATS = 0.02, 10.0
"""Weight of a nat of the layout, and the most nats that count: mistaken finds, and rows that are missed
completely, weigh more than they should."""
BESIDE_PX = 3
"""Px of the view by which a tile standing at the edge may seem to be beyond it."""


@dataclass(frozen=True, slots=True, eq=False)
class Square:
    """A table's top in units of the plane: left < right, low < high along its axes. score: 0..1, by its
    edges; sides: how much (4,) of the left, right, low and high side is seen as an edge; seen: how much (4,)
    of them the picture holds; nats: of its place by the tiles, against the best one; evidence: `EVIDENCE`."""

    left: float
    right: float
    low: float
    high: float
    score: float
    sides: Floats
    seen: Floats
    nats: float = 0.0
    evidence: Floats = field(default_factory=lambda: np.zeros(len(EVIDENCE)))

    @property
    def side(self) -> float:
        """The mean length of its sides."""
        return (self.right - self.left + self.high - self.low) / 2


@dataclass(frozen=True, slots=True, eq=False)
class PlaneView:
    """A plane seen straight from above: CIELAB colours (n, n, 3) float32, where the picture holds it (n, n),
    and the units of its first row and column."""

    lab: NDArray[np.float32]
    held: NDArray[np.bool_]
    left: float
    low: float


def view_from_above(image: Image, to_plane: Floats, middle: Floats) -> PlaneView:
    """The plane around a place, units, seen straight from above."""
    left, low = middle - REACH
    count = round(2 * REACH / UNITS_A_PX)
    to_view = np.array(
        [[1 / UNITS_A_PX, 0, -left / UNITS_A_PX], [0, 1 / UNITS_A_PX, -low / UNITS_A_PX], [0, 0, 1]]
    )
    there = to_view @ to_plane
    back = np.linalg.inv(there)
    y, x = np.mgrid[0:count, 0:count].astype(np.float64) + 0.0
    depth = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    sign = np.sign(back[2] @ (to_view @ [*middle, 1.0]))
    with np.errstate(divide="ignore", invalid="ignore"):
        px = (back[0, 0] * x + back[0, 1] * y + back[0, 2]) / depth
        py = (back[1, 0] * x + back[1, 1] * y + back[1, 2]) / depth
    height, width = image.shape[:2]
    held = (depth * sign > 0) & (px >= 1) & (py >= 1) & (px <= width - 2) & (py <= height - 2)
    px, py = np.where(held, px, -1.0), np.where(held, py, -1.0)
    seen = cv2.remap(image, px.astype(np.float32), py.astype(np.float32), cv2.INTER_AREA)
    smooth = cv2.GaussianBlur(seen, (0, 0), 1.0).astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2Lab), np.float32)
    return PlaneView(lab, held, float(left), float(low))


def find_squares(view: PlaneView, tiles: Candidates, to_plane: Floats, layout: Layout) -> list[Square]:
    """Squares that may be the table around these tiles with this layout, likeliest first: the edges of its
    cloth, of its rail and of a larger table under it."""
    flat = cv2.perspectiveTransform(tiles.quads.astype(np.float64), to_plane)
    spots = (flat - [view.left, view.low]) / UNITS_A_PX
    cloth = rate_cloth(view, spots)
    across, along = _measure_edges(view, cloth), _measure_edges(_transpose(view), cloth.T)
    found = _list_squares(view, across, along, cloth, spots, measure_trust(tiles))
    if found is None:
        return []
    boxes, scores, evidence, sides, seen = found
    nats = layout.rate(boxes)
    chosen: list[int] = []
    for index in np.argsort(-(scores + weigh_layout(nats))):
        if all(np.abs(boxes[index] - boxes[other]).max() > SAME_UNITS for other in chosen):
            chosen.append(int(index))
            if len(chosen) == SQUARES:
                break
    return [
        Square(
            left,
            right,
            low,
            high,
            float(scores[index]),
            sides[index],
            seen[index],
            float(nats[index]),
            evidence[index],
        )
        for index in chosen
        for left, right, low, high in [boxes[index].tolist()]
    ]


CLOTH_FROM, CLOSED_PX, OPENED_PX = 0.4, 9, 7
"""Places this much like cloth are cloth; gaps between tiles are closed, and arms of its colour cut off, up to
these widths, px of the view."""
COARSE_PX = 2.0
"""How exactly the outline of the cloth is followed."""


def outline_cloth(view: PlaneView, tiles: Candidates, to_plane: Floats) -> Floats | None:
    """The corners (4, 2), units, of the smallest quad found around the cloth that is between the tiles, in
    order round it; None if there is none. It need not be a square: if it is the table, it shows the plane."""
    flat = cv2.perspectiveTransform(tiles.quads.astype(np.float64), to_plane)
    spots = (flat - [view.left, view.low]) / UNITS_A_PX
    mask = (rate_cloth(view, spots) > CLOTH_FROM).astype(np.uint8) * view.held
    for spot in spots[np.abs(spots).max(axis=(1, 2)) < len(mask)]:
        cv2.fillConvexPoly(mask, spot.astype(np.int32), 1)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((CLOSED_PX, CLOSED_PX), np.uint8))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((OPENED_PX, OPENED_PX), np.uint8))
    _, labels = cv2.connectedComponents(opened)
    at = np.clip(spots.mean(axis=1).astype(int), 0, len(mask) - 1)
    under = labels[at[:, 1], at[:, 0]]
    counts = np.bincount(under[under > 0], minlength=2)
    if not counts.any():
        return None
    outlines, _ = cv2.findContours(
        (labels == counts.argmax()).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    hull = cv2.convexHull(max(outlines, key=len))
    quad = _reduce_to_quad(cv2.approxPolyDP(hull, COARSE_PX, True)[:, 0].astype(np.float64))
    return None if quad is None else quad * UNITS_A_PX + [view.left, view.low]


def _reduce_to_quad(polygon: Floats) -> Floats | None:
    """The quad (4, 2) that a convex polygon (n, 2) becomes if one side after the other is left out, each time
    the one that adds the least area, and its neighbours go on until they meet; None if they never do."""
    while len(polygon) > 4:
        before, start, end, after = (np.roll(polygon, shift, axis=0) for shift in (1, 0, -1, -2))
        one, other = start - before, after - end
        turn = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
        gap = end - start
        with np.errstate(divide="ignore", invalid="ignore"):
            along = (gap[:, 0] * other[:, 1] - gap[:, 1] * other[:, 0]) / turn
            added = np.abs(gap[:, 0] * one[:, 1] - gap[:, 1] * one[:, 0]) * along
        added = np.where((along > 0) & np.isfinite(added), added, np.inf)
        least = int(added.argmin())
        if not np.isfinite(added[least]):
            return None
        met = start[least] + along[least] * one[least]
        polygon = np.roll(polygon, -least, axis=0)
        polygon = np.concatenate([met[None], polygon[2:]])
    return polygon if len(polygon) == 4 else None


def weigh_layout(nats: Floats) -> Floats:
    """What is added to the scores (n,) of tables that the tiles make less likely by these nats, at most 0."""
    return LAYOUT_WEIGHT * np.maximum(nats, -LAYOUT_MAX_NATS)


def rate_cloth(view: PlaneView, spots: Floats) -> NDArray[np.float32]:
    """How much like the table's cloth each place (n, n) of the view looks, 0..1: like most of what is between
    the tiles (m, 4, 2) px of the view."""
    count = len(view.lab)
    between, covered = np.zeros((count, count), np.uint8), np.zeros((count, count), np.uint8)
    middles = spots.mean(axis=1)
    inner = middles[_find_inner(middles)]
    cv2.fillConvexPoly(between, cv2.convexHull(inner.astype(np.float32)).astype(np.int32), 1)
    for spot in spots:
        cv2.fillConvexPoly(covered, np.clip(spot, -9e3, 9e3).astype(np.int32), 1)
    covered = np.asarray(cv2.dilate(covered, np.ones((7, 7), np.uint8)), np.uint8)
    free = view.lab[(between > 0) & (covered == 0) & view.held]
    if len(free) < 50:
        free = view.lab[(between > 0) & view.held]
    if not len(free):
        return np.ones((count, count), np.float32)
    usual = _find_mode(free)
    weights = np.array(LIGHTNESS_LESS, np.float32)
    off = np.linalg.norm((free - usual) / weights, axis=1)
    spread = float(np.clip(2.0 * np.median(off), *CLOTH_SPREAD))
    off = np.linalg.norm((view.lab - usual) / weights, axis=2)
    return np.asarray(np.exp(-0.5 * (off / spread) ** 2), np.float32)


def _find_inner(middles: Floats) -> NDArray[np.bool_]:
    """Which tiles (m, 2) are not far from the others."""
    off = np.linalg.norm(middles - np.median(middles, axis=0), axis=1)
    return np.asarray(off <= 2.2 * np.median(off) + 1)


def _find_mode(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """The commonest of colours (n, 3)."""
    usual = np.median(colours, axis=0)
    for reach in (40.0, 25.0, 15.0, 15.0):
        near = np.linalg.norm(colours - usual, axis=1) < reach
        if near.sum() < 20:
            break
        usual = np.median(colours[near], axis=0)
    return np.asarray(usual, np.float32)


def _transpose(view: PlaneView) -> PlaneView:
    return PlaneView(np.ascontiguousarray(view.lab.transpose(1, 0, 2)), view.held.T, view.low, view.left)


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """Upright edges of a view: how clearly the cloth ends at each place (n, n), with the cloth on its right
    (`rising`) or on its left (`falling`), how much cloth is seen on that side (`_bare`), and where the
    picture holds it, each summed downwards with a row of zeros before (n + 1, n)."""

    rising: Floats
    falling: Floats
    rising_bare: Floats
    falling_bare: Floats
    held: Floats


def _measure_edges(view: PlaneView, cloth: NDArray[np.float32]) -> _Edges:
    lab, held = view.lab, view.held
    mean = cv2.blur(lab, (STEP_PX, 1))
    shift = STEP_PX // 2 + 1
    left, right = np.roll(mean, shift, axis=1), np.roll(mean, -shift, axis=1)
    strength = np.clip(np.linalg.norm(right - left, axis=2) / STRONG, 0, 1)
    summit = strength >= cv2.dilate(strength, np.ones((1, 3), np.uint8)) - 1e-4
    inner = (
        cv2.erode(held.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    )  # without its rim, which is not an edge
    strength = np.where(summit & inner, strength, 0).astype(np.float32)
    inside = cv2.blur(cloth, (5, 1))
    on_right, on_left = np.roll(inside, -4, axis=1), np.roll(inside, 4, axis=1)
    parts = []
    for cloth_there, beyond in ((on_right, on_left), (on_left, on_right)):
        plain = strength * cloth_there * (0.35 + 0.65 * (1 - beyond))
        spread = cv2.dilate(plain.astype(np.float32), np.ones((1, 3), np.uint8))
        parts.append(_add_up(np.asarray(spread, np.float32)))
    bare = [_add_up(np.asarray(side * held, np.float32)) for side in (on_right, on_left)]
    return _Edges(parts[0], parts[1], bare[0], bare[1], _add_up(held.astype(np.float32)))


def _add_up(values: NDArray[np.float32]) -> Floats:
    return np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0, dtype=np.float64)])


def _list_squares(
    view: PlaneView, across: _Edges, along: _Edges, cloth: NDArray[np.float32], spots: Floats, trust: Floats
) -> tuple[Floats, Floats, Floats, Floats, Floats] | None:
    """All squares that may be the table, by its edges: left, right, low and high (n, 4), units, scores (n,),
    their `EVIDENCE`, and how much (n, 4) of the sides is an edge, and is seen. across: edges that run along
    the second axis; along: those of the turned view."""
    middle = np.median(spots.mean(axis=1), axis=0)
    smallest, largest = (TABLE_MM / mm * TILE_UNITS / UNITS_A_PX for mm in TILE_MM[::-1])
    xs = _list_peaks(across, float(middle[1]), smallest)
    ys = _list_peaks(along, float(middle[0]), smallest)
    boxes = _list_boxes(xs, ys, across.held, along.held, (smallest, largest))
    if not len(boxes):
        return None
    stretch = _measure_stretch(boxes)
    left, right, low, high = boxes.T.astype(int)
    found = _measure_sides(boxes, across.rising, across.falling, along.rising, along.falling)
    bare = _measure_sides(
        boxes, across.rising_bare, across.falling_bare, along.rising_bare, along.falling_bare
    )
    held = _measure_held(boxes, across.held, along.held)
    spans = _measure_spans(boxes)
    shown = bare + (1 - STANDING_HIDES) * np.maximum(held - bare, 0)
    sides = np.clip(found / np.maximum(shown, 0.2 * spans), 0, 1)
    seen = held / spans
    # a side outside the picture counts neither for nor against
    weight = np.clip(seen, 0.05, 1)
    edges = (sides * weight).sum(axis=1) / weight.sum(axis=1)
    x, y = spots.mean(axis=1).T[:, None]
    beside = np.maximum(left[:, None] - x, x - right[:, None])
    beside = np.maximum(beside, np.maximum(low[:, None] - y, y - high[:, None]))
    outside = np.minimum((beside > BESIDE_PX) @ trust / trust.sum(), OUTSIDE_MAX)
    missing = (1 - seen).mean(axis=1)
    there, cloth = view.held.astype(np.float32), cloth * view.held
    band = _measure_band(cloth, boxes, 2, BAND_PX) / np.maximum(_measure_band(there, boxes, 2, BAND_PX), 1.0)
    beyond = _measure_band(cloth, boxes, -2 - BEYOND_PX, BEYOND_PX) / np.maximum(
        _measure_band(there, boxes, -2 - BEYOND_PX, BEYOND_PX), 1.0
    )
    uncovered = np.minimum(band / BAND_CLOTH, 1)
    least = np.min(sides + (1 - weight), axis=1)
    scores = edges + 0.25 * least + BAND_WEIGHT * (uncovered - 1)
    scores -= OUTSIDE_WEIGHT * outside + 0.35 * missing + 0.4 * stretch + BEYOND_WEIGHT * beyond
    starts = np.array([view.left, view.left, view.low, view.low])
    evidence = np.column_stack([edges, least, beyond, outside, missing, stretch])
    return boxes * UNITS_A_PX + starts, scores, evidence, sides, seen


def _list_boxes(
    xs: Peaks, ys: Peaks, held_across: Floats, held_along: Floats, spans: tuple[float, float]
) -> Floats:
    """The squares (k, 4) px that may be the table: left, right, low, high. On each axis both sides are
    visible edges, or one is, and the picture does not hold the place of the other."""
    count = len(held_across) - 1
    pairs_x, pairs_y = _pair(xs, *spans), _pair(ys, *spans)
    both = _cross(pairs_x, pairs_y)
    parts = [both[_measure_stretch(both) < SQUARE_TOLERANCE]]
    usual = np.array([[0.0, TABLE_MM / USUAL_TILE_MM * TILE_UNITS / UNITS_A_PX]])
    for known, peaks, x_known in ((pairs_x, ys, True), (pairs_y, xs, False), (usual, ys, True)):
        for peak, way in ((peaks[0], 1), (peaks[1], -1)):
            starts = peak.astype(np.float64)[:, None]
            ends = _cross(known, starts)
            spread = (ends[:, 1] - ends[:, 0])[:, None] * way
            other = np.sort(np.concatenate([ends[:, 2:], ends[:, 2:] + spread], axis=1), axis=1)
            if known is usual:
                for more, more_way in ((xs[0], 1), (xs[1], -1)):
                    begins = _cross(more.astype(np.float64)[:, None], other)
                    wide = begins[:, :1] + more_way * usual[0, 1]
                    parts.append(np.column_stack([np.sort(np.hstack([begins[:, :1], wide])), begins[:, 1:]]))
            elif x_known:
                parts.append(np.column_stack([ends[:, :2], other]))
            else:
                parts.append(np.column_stack([other, ends[:, :2]]))
    hidden = np.concatenate(parts[1:])
    hidden = np.round(hidden[((hidden >= 0) & (hidden <= count - 1)).all(axis=1)])
    seen = _measure_held(hidden, held_across, held_along) / _measure_spans(hidden)
    sides = np.concatenate(
        [np.isin(hidden[:, :2], np.concatenate(xs)), np.isin(hidden[:, 2:], np.concatenate(ys))], axis=1
    )
    return np.concatenate([parts[0], hidden[(sides | (seen < HIDDEN_SHARE)).all(axis=1)]])


def _cross(one: Floats, other: Floats) -> Floats:
    """Every row of one next to every row of the other."""
    first, second = np.meshgrid(np.arange(len(one)), np.arange(len(other)), indexing="ij")
    return np.concatenate([one[first.ravel()], other[second.ravel()]], axis=1)


def _measure_stretch(boxes: Floats) -> Floats:
    """The logarithm (k,) of how much longer boxes are in one direction than in the other."""
    if not len(boxes):
        return np.zeros(0)
    return np.asarray(np.abs(np.log((boxes[:, 1] - boxes[:, 0]) / (boxes[:, 3] - boxes[:, 2]))))


def _measure_spans(boxes: Floats) -> Floats:
    """How long the sides (k, 4) of boxes are: left, right, low, high."""
    wide, high = boxes[:, 1] - boxes[:, 0], boxes[:, 3] - boxes[:, 2]
    return np.stack([high, high, wide, wide], axis=1)


def _measure_held(boxes: Floats, across: Floats, along: Floats) -> Floats:
    """How much of the sides (k, 4) of boxes the picture holds, px: left, right, low, high."""
    return _measure_sides(boxes, across, across, along, along)


def _measure_sides(boxes: Floats, first: Floats, second: Floats, third: Floats, fourth: Floats) -> Floats:
    """The sums of these (n + 1, n) along the sides (k, 4) of boxes: left, right, low, high."""
    left, right, low, high = boxes.T.astype(int)
    return np.stack([
        first[high, left] - first[low, left], second[high, right] - second[low, right],
        third[right, low] - third[left, low], fourth[right, high] - fourth[left, high],
    ], axis=1)  # fmt: skip


def _measure_band(values: NDArray[np.float32], boxes: Floats, first: int, wide: int) -> Floats:
    """The sums (k,) of an image (n, n) over bands along the sides of boxes (k, 4) px: left, right, low, high;
    first: how far inside they begin."""
    total = cv2.integral(values)
    count = len(values)

    def add(inward: int) -> Floats:
        left, right, low, high = boxes.T.astype(int)
        left, low = np.clip(left + inward, 0, count), np.clip(low + inward, 0, count)
        right, high = np.clip(right - inward, 0, count), np.clip(high - inward, 0, count)
        sums = total[high, right] - total[high, left] - total[low, right] + total[low, left]
        return np.asarray(sums, np.float64)

    return add(first) - add(first + wide)


def _list_peaks(edges: _Edges, middle: float, span: float) -> Peaks:
    """The places along the view with the clearest edges, cloth on their right, and on their left, within half
    a span of the middle."""
    count = edges.rising.shape[1]
    low, high = (int(np.clip(middle + side * span / 2, 0, count)) for side in (-1, 1))
    found = []
    for part in (edges.rising, edges.falling):
        total = (part[high] - part[low]).astype(np.float32)
        near = cv2.dilate(total[None], np.ones((1, 3), np.uint8))[0]
        summits = np.flatnonzero((total >= near) & (total > 0.03 * (high - low)))
        best = summits[np.argsort(-total[summits])][:PEAKS]
        found.append(best)
    return found[0], found[1]


def _pair(peaks: Peaks, smallest: float, largest: float) -> Floats:
    """All pairs (n, 2) of a left and a right side with a distance that a table may have."""
    left, right = (part.ravel() for part in np.meshgrid(*peaks, indexing="ij"))
    spans = right - left
    margin = 1 + SQUARE_TOLERANCE / 2
    fits = (spans >= smallest / margin) & (spans <= largest * margin)
    return np.stack([left[fits], right[fits]], axis=1).astype(np.float64)


REACH_UNITS = 16
"""Distance from the square's side within which its exact line is searched."""
SAMPLES = 96
ENDS = 0.04
"""Share at each end of a side that is skipped: corners are round, and hold other edges."""
ARM = 3
"""Units on each side of an edge over which colours are compared."""
PLAIN = 20.0
"""Difference of colours beyond which an edge is no clearer."""
KEPT_MIN = 0.2
"""Share of a side that must be seen for its line to be taken from the picture."""


STEPS = ("weakest", "unlike")
"""How much of the weakest side is an edge at which the colour changes everywhere alike; how unlike the
colours outside the four sides are."""
STEP_PLACES, STEP_ENDS = 64, 0.04
"""Number of places along a side, and the share of it at each end that is skipped."""
BESIDE_UNITS, BEYOND_UNITS = (1.5, 3.0, 4.5), (6.0, 10.0, 14.0)
"""Distances from a side at which colours are compared, and at which the colour outside is measured."""
STEP_HELD_MIN = 0.15
"""Share of a side that the picture must hold."""
STEP_MIN, STEP_SHARE = 4.0, 0.5
"""A place has the side's edge if its colour changes as the side's does, by this many steps of CIELAB and by
this share of what is usual along the side,"""
USUAL_STEP_MIN = 3.0
"""which must be more than this, in steps of CIELAB."""
UNLIKE_MAX = 40.0
"""Difference of colours, in steps of CIELAB, beyond which they are no less alike."""


def rate_steps(lab: Image, corners: Floats, side: float) -> Floats:
    """The `STEPS` (2,), each 0 to 1, of a table with these corners (4, 2) px, in order round it, in a picture
    (H, W, 3) in CIELAB colours. side: of the table, units. A side outside the picture does not
    count."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    to_picture = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    beside, beyond = (np.array(units) / (side / 2) for units in (BESIDE_UNITS, BEYOND_UNITS))
    along = np.linspace(-1, 1, STEP_PLACES) * (1 - 2 * STEP_ENDS)
    there, out = np.meshgrid(along, 1 + np.concatenate([-beside, beside, beyond]), indexing="ij")
    places = np.stack([
        np.stack(each, axis=-1) for each in ((-out, there), (out, there), (there, -out), (there, out))
    ])  # fmt: skip
    px = cv2.perspectiveTransform(places.reshape(1, -1, 2), to_picture).astype(np.float32)
    px = px.reshape(4 * STEP_PLACES, -1, 2)
    seen = cv2.remap(lab, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = seen.reshape(4, STEP_PLACES, -1, 3).astype(np.float64)
    height, width = lab.shape[:2]
    inside_picture = np.asarray((px >= 1) & (px <= np.array([width, height]) - 2), np.bool_)
    count = len(beside)
    held = inside_picture.all(axis=2).reshape(4, STEP_PLACES, -1)[..., : 2 * count]
    shares, outsides = [], []
    for side_colours, side_held in zip(colours, np.asarray(held.all(axis=2), np.bool_), strict=True):
        if side_held.mean() < STEP_HELD_MIN:
            continue
        inner, outer, far = np.split(side_colours[side_held], [count, 2 * count], axis=1)
        change = outer.mean(axis=1) - inner.mean(axis=1)
        usual = np.median(change, axis=0)
        size = float(np.linalg.norm(usual))
        same = change @ usual / max(size, 1e-6)
        is_edge = (same > max(STEP_SHARE * size, STEP_MIN)) & (size > USUAL_STEP_MIN)
        shares.append(float(is_edge.mean()))
        outsides.append(np.median(far.mean(axis=1), axis=0))
    if not outsides:
        return np.zeros(len(STEPS))
    unlike = np.linalg.norm(outsides - np.median(outsides, axis=0), axis=1).mean()
    return np.array([min(shares), min(unlike / UNLIKE_MAX, 1.0)])


def trace_corners(image: Image, to_plane: Floats, square: Square) -> tuple[Floats, Floats]:
    """The table's corners (4, 2) px, in order round it, and how much (4,) of each side was seen: left, right,
    low and high."""
    return trace_sides(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2Lab), np.uint8), to_plane, square)


def trace_sides(lab: Image, to_plane: Floats, square: Square) -> tuple[Floats, Floats]:
    """As `trace_corners`, in a picture (H, W, 3) in CIELAB colours."""
    to_picture = np.asarray(np.linalg.inv(to_plane), np.float64)
    left, right, low, high = square.left, square.right, square.low, square.high
    sides = {
        "left": ((left, low), (left, high), (-1, 0)),
        "right": ((right, low), (right, high), (1, 0)),
        "low": ((left, low), (right, low), (0, -1)),
        "high": ((left, high), (right, high), (0, 1)),
    }
    lines, seen = {}, []
    for name, (start, end, outward) in sides.items():
        first, last, share = _trace(lab, to_picture, np.array(start), np.array(end), np.array(outward))
        lines[name] = np.cross([*first, 1.0], [*last, 1.0])
        seen.append(share)
    corners = []
    for one, other in (("left", "low"), ("low", "right"), ("right", "high"), ("high", "left")):
        point = np.cross(lines[one], lines[other])
        corners.append(point[:2] / point[2])
    flat = np.array(corners, np.float64)[None]
    return np.asarray(cv2.perspectiveTransform(flat, to_picture)[0], np.float64), np.array(seen)


def _trace(
    lab: Image, to_picture: Floats, start: Floats, end: Floats, outward: Floats
) -> tuple[Floats, Floats, float]:
    """Two places, units, on the line of the side between these places, and how much of it was seen there."""
    along = np.linspace(ENDS, 1 - ENDS, SAMPLES)
    offsets = np.arange(-REACH_UNITS - ARM, REACH_UNITS + ARM + 1.0)
    places = (start + (end - start) * along[:, None])[:, None] + outward * offsets[None, :, None]
    px = cv2.perspectiveTransform(places.reshape(1, -1, 2), to_picture).reshape(SAMPLES, len(offsets), 2)
    px = px.astype(np.float32)
    colours = cv2.remap(lab, px[..., 0], px[..., 1], cv2.INTER_LINEAR).astype(np.float64)
    height, width = lab.shape[:2]
    inside_picture = (px >= 1) & (px <= np.array([width, height]) - 2)
    held = np.asarray(inside_picture.all(axis=(1, 2)), bool)
    total = np.cumsum(np.concatenate([np.zeros((SAMPLES, 1, 3)), colours], axis=1), axis=1)
    count = 2 * REACH_UNITS + 1
    inside = (total[:, ARM : ARM + count] - total[:, :count]) / ARM
    outside = (total[:, 2 * ARM + 1 : 2 * ARM + 1 + count] - total[:, ARM + 1 : ARM + 1 + count]) / ARM
    plain = np.minimum(np.linalg.norm(outside - inside, axis=2), PLAIN) / PLAIN
    # thinned to the middle of a broad edge
    summit = plain >= cv2.dilate(plain, np.ones((1, 5))) - 1e-9
    plain = np.where(held[:, None], plain * np.where(summit, 1.0, 0.4), 0.0)
    nothing = (start, end, 0.0)
    if held.sum() < 0.15 * SAMPLES:
        return nothing
    best, share = _find_line(plain, held)
    if share < KEPT_MIN:
        return nothing
    exact = _settle(plain, along, best)
    first, last = (start + (end - start) * s + outward * (exact[0] + exact[1] * s) for s in (0.0, 1.0))
    return first, last, share


def _list_lines() -> tuple[NDArray[np.intp], Floats, NDArray[np.intp]]:
    """The lines that are tried along a side: their offset at its start and end (n, 2); what being off the
    side takes from each (n,), in shares of what is held; and where its SAMPLES places (n, SAMPLES) are in the
    flat array of all places near the side."""
    ends = np.arange(-REACH_UNITS, REACH_UNITS + 1)
    tried = np.stack(np.meshgrid(ends, ends, indexing="ij"), axis=-1).reshape(-1, 2)
    along = np.linspace(ENDS, 1 - ENDS, SAMPLES)
    offsets = tried[:, :1] + (tried[:, 1:] - tried[:, :1]) * along
    columns = np.round(offsets).astype(int) + REACH_UNITS
    cost = 0.075 * np.abs(tried).sum(axis=1) / REACH_UNITS
    return tried, cost, np.arange(SAMPLES) * len(ends) + columns


_TRIED_LINES, _LINE_COSTS, _LINE_PLACES = _list_lines()


def _find_line(plain: Floats, held: NDArray[np.bool_]) -> tuple[tuple[float, float], float]:
    """Offset at the start and rise along the side of the line with the clearest edges, and how much of the
    side is such an edge."""
    sums = plain.ravel().take(_LINE_PLACES).sum(axis=1)
    best = int((sums - _LINE_COSTS * held.sum()).argmax())
    first, last = _TRIED_LINES[best].tolist()
    return (float(first), float(last - first)), float(sums[best] / max(1, held.sum()))


def _settle(plain: Floats, along: Floats, line: tuple[float, float]) -> Floats:
    """The line through the middles of the edges near this one: offset and rise (2,)."""
    exact = np.array(line)
    offsets = np.arange(-REACH_UNITS, REACH_UNITS + 1.0)
    for reach in (3.0, 2.0, 2.0):
        off = offsets[None] - (exact[0] + exact[1] * along)[:, None]
        weights = plain * np.exp(-0.5 * (off / reach) ** 2)
        mass = weights.sum(axis=1)
        if mass.sum() <= 0:
            break
        where = (weights * offsets).sum(axis=1) / np.maximum(mass, 1e-9)
        rows = np.column_stack([np.ones_like(along), along])
        trust = weights.max(axis=1) ** 2
        exact = np.linalg.solve((rows.T * trust) @ rows + 1e-6 * np.eye(2), (rows.T * trust) @ where)
    return exact
