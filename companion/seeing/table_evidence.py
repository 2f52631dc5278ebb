"""Which of the tables that may be in a picture is there: all that is known of each is weighed together.

Each way to see a table is a plane with a camera, a square in it, and its sides as traced in the picture. The
evidence of a way is a row of numbers, its weight the exponential of their weighted sum (a conditional logit,
McFadden 1974), against that of no table among them. Ways that agree on the corners are one table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.seeing.arrays import Floats
from companion.seeing.table_camera import TABLE_MM, measure_focal
from companion.seeing.table_plane import (
    FOCALS,
    SIZED_TILES,
    Layout,
    Plane,
    measure_flatness,
    measure_trust,
)
from companion.seeing.table_sides import EVIDENCE, STEPS, Square
from companion.vision.candidates import Candidates

NATS_MAX = 10.0
"""The most nats of the layout that count: loose tiles are anywhere."""
REACH_PERCENTILE = 93
"""Tiles up to this percentile are on the table: hands and melds near its edge."""
USUAL_REACH, REACH_MAX, FAR_MAX = 0.85, 1.2, 0.4
"""How far from the middle the outer tiles are usually, as a share of the way to the edge; the most that
counts, and the most by which it may be unusual."""
LENSES = (FOCALS[0] / 3, FOCALS[-1] * 3)
"""Focal lengths, in longer sides of the picture, beyond which no lens shows a table so:
corners show them only roughly."""
EDGES_SHARE = 0.1
"""If ways by edges have this share of a table's weight, its corners are theirs."""
BARE_P = 0.85
"""The most that a table by its tiles alone is believed: its size can only be guessed."""
SAME_TABLE = 0.04
"""Ways whose corners differ by no more, in sides, are one table."""
NAMES = (
    "bare", "lines", "flat", *EVIDENCE, "nats", "third", "reach", "far", "inner", "layout", "blur", *STEPS,
)  # fmt: skip
"""bare: has no edges; lines: that run along its sides, flat: tiles, if the corners are a square's, against
the best of the picture; those of the square; nats: of the layout; third: how much of the third best side was
traced; reach, far: how near to its edge the outer tiles are, and how far that is from usual; inner: whether a
smaller square in the same plane holds the tiles, with edges as clear; layout: how well the tiles are those of
a table in this plane, against the best of the picture; blur: of one without edges, how far off its middle may
be; those of the steps at its sides."""
BLUR_MM, BLUR_MAX = 28.0, 3.0
"""By how much a middle may be off that is as likely right as wrong; how many times that counts at most."""
WEIGHTS = np.array([
    1.74, 15.24, 17.01, 7.89, 4.34, -6.11, -9.29, -12.82, -9.20, 2.54, 2.09, 1.40,
    -6.13, -0.81, 2.06, -1.91, 4.42, -3.43,
])  # fmt: skip
NONE = 0.87
"""The weighted sum of no table."""


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """One way to see a table in a picture. corners: (4, 2) px, in order round it; traced: how much (4,) of
    each side was seen there; bare: by its tiles alone; steps: `STEPS` of its sides; along: the
    share of the picture's straight lines that run along its sides."""

    plane: Plane
    square: Square
    layout: Layout
    corners: Floats
    traced: Floats
    bare: bool
    steps: Floats = field(default_factory=lambda: np.zeros(len(STEPS)))
    along: float = 0.0


def describe(ways: Sequence[Way], tiles: Candidates) -> Floats:
    """The evidence (n, len(NAMES)) of these ways, at least one."""
    most_lines = max(way.along for way in ways)
    flat = rate_corners([way.corners for way in ways], tiles)
    most_flat = float(flat.max())
    most_nats = max(way.layout.best for way in ways)
    trust = measure_trust(tiles)
    rows = []
    for way, flat_share in zip(ways, flat.tolist(), strict=True):
        square, plane = way.square, way.plane
        inner = any(
            other.plane is plane and _holds(square, other.square) and other.square.score > square.score - 0.15
            for other in ways
        )
        reach = _measure_reach(way, tiles, trust)
        blur = way.layout.place.spread * TABLE_MM / square.side / BLUR_MM if way.bare else 0.0
        rows.append([
            float(way.bare), way.along - most_lines, flat_share - most_flat, *square.evidence,
            max(square.nats / NATS_MAX, -1.0), float(np.sort(way.traced)[1]), min(reach, REACH_MAX),
            min(abs(reach - USUAL_REACH), FAR_MAX), float(inner),
            max(way.layout.trust * (way.layout.best - most_nats) / NATS_MAX, -1.0), min(blur, BLUR_MAX),
            *way.steps,
        ])  # fmt: skip
    return np.array(rows)


def rate_corners(corners: Sequence[Floats], tiles: Candidates) -> Floats:
    """How well the tiles fit each of these tables (n,), by their corners (4, 2) px: the share of them that
    are flat and of one size if that is a square."""
    trust = measure_trust(tiles)
    surest = np.argsort(-trust)[:SIZED_TILES]
    quads = tiles.quads[surest].astype(np.float64).reshape(1, -1, 2)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    flat = []
    for each in corners:
        to_square = cv2.getPerspectiveTransform(each.astype(np.float32), square)
        flat.append(cv2.perspectiveTransform(quads, to_square).reshape(-1, 4, 2))
    return measure_flatness(np.stack(flat), trust[surest])


def has_lens(corners: Floats, width: int, height: int) -> bool:
    """Whether some lens shows a square with these corners (4, 2) px in a picture of that size."""
    half = TABLE_MM / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]], np.float32)
    seen = np.asarray(cv2.getPerspectiveTransform(square, corners.astype(np.float32)), np.float64)
    focal = measure_focal(seen, width, height)
    return focal is None or LENSES[0] < focal / max(width, height) < LENSES[1]


def _measure_reach(way: Way, tiles: Candidates, trust: Floats) -> float:
    """How far from the table's middle the outer tiles are, as a share of the way to its edge."""
    square = way.square
    flat = cv2.perspectiveTransform(tiles.quads.astype(np.float64), way.plane.to_plane).mean(axis=1)
    middle = np.array([square.left + square.right, square.low + square.high]) / 2
    off = np.abs(flat - middle).max(axis=1) / (square.side / 2)
    order = np.argsort(off)
    total = np.cumsum(trust[order])
    return float(off[order[int(np.searchsorted(total, total[-1] * REACH_PERCENTILE / 100))]])


def _holds(outer: Square, inner: Square) -> bool:
    """Whether a square is in another one, and clearly smaller."""
    slack = 0.02 * outer.side
    return (
        inner.side < 0.96 * outer.side
        and inner.left > outer.left - slack
        and inner.right < outer.right + slack
        and inner.low > outer.low - slack
        and inner.high < outer.high + slack
    )


def weigh(ways: Sequence[Way], tiles: Candidates) -> tuple[int, float, Floats]:
    """The likeliest of these ways, how likely the table that it shows is right, 0..1, and its corners (4, 2)
    px by all ways that show it, in the order of this one."""
    sums = describe(ways, tiles) @ WEIGHTS
    most = max(float(sums.max()), NONE)
    chances = np.exp(sums - most)
    chances /= chances.sum() + np.exp(NONE - most)
    same = mark_same([way.corners for way in ways])
    tables = same @ chances
    best = int(tables.argmax())
    members = np.where(same[best], chances, 0.0)
    by_edges = np.where([way.bare for way in ways], 0.0, members)
    if by_edges.sum() >= EDGES_SHARE * members.sum():
        members = by_edges
    chosen = int(members.argmax())
    p = float(tables[best]) * (BARE_P if ways[chosen].bare else 1.0)
    aligned = np.stack([_align(way.corners, ways[chosen].corners) for way in ways])
    corners = np.tensordot(members / members.sum(), aligned, axes=1)
    return chosen, p, np.asarray(corners, np.float64)


def _align(corners: Floats, other: Floats) -> Floats:
    """The corners (4, 2), from the one and in the way round in which they are nearest to others."""
    turns = [np.roll(each, quarters, axis=0) for quarters in range(4) for each in (corners, corners[::-1])]
    return min(turns, key=lambda turned: float(np.linalg.norm(turned - other)))


def choose_apart(ways: Sequence[Way], tiles: Candidates, count: int) -> list[Way]:
    """The likeliest of these ways that show different tables, that number of them at most."""
    if not ways:
        return []
    order = np.argsort(-(describe(ways, tiles) @ WEIGHTS))
    same = mark_same([way.corners for way in ways])
    chosen: list[int] = []
    for index in order.tolist():
        if not same[index, chosen].any():
            chosen.append(index)
        if len(chosen) == count:
            break
    return [ways[index] for index in chosen]


def mark_same(corners: Sequence[Floats]) -> Floats:
    """Which of these tables (n, n), by their corners (4, 2) px, are the same: 1, else 0."""
    return np.asarray(measure_apart(corners) < SAME_TABLE, np.float64)


def measure_apart(corners: Sequence[Floats]) -> Floats:
    """The mean distance (n, n) of the corners (4, 2) px of each table from those of each other, in sides of
    the first, wherever and whichever way round they begin."""
    stacked = np.stack(corners)
    sides = np.linalg.norm(stacked - np.roll(stacked, 1, axis=1), axis=2).mean(axis=1)
    turns = np.stack(
        [np.roll(stacked[:, ::step], quarters, axis=1) for quarters in range(4) for step in (1, -1)]
    )
    apart = np.linalg.norm(stacked[None, :, None] - turns[:, None], axis=4).mean(axis=3).min(axis=0)
    return np.asarray(apart / sides[:, None], np.float64)
