"""Samples for the ranker: tables straightened by right and by wrong corners, out of drawn pictures.

Some wrong corners are ways in which the program sees the table; the others are the true ones, moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.finding_table import list_ways, start_at_lower_edge
from companion.seeing.several_tables import choose_table
from companion.seeing.table_plane import find_tiles_of_table
from companion.vision.networks import Finder
from lab.bench.lived_in_tables import Shown, measure_off
from models.training.table_patches import SQUARE, SQUARE_PX, Layers

Floats = NDArray[np.float64]
Rng = np.random.Generator

BOX = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
WAYS_SHARE = 0.55
"""Share of the samples that are ways of the program."""
NEAR, FAR = 0.05, 0.3
"""Corners that are off by less than the first are nearly right; wrong ones are most instructive up to the
second, in sides."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A drawn table. corners: the true ones (4, 2) px; ways: those (n, 4, 2) of the ways to see it, none
    where they were not listed; off: (n,) by how much they are wrong, in sides."""

    layers: Layers
    corners: Floats
    ways: Floats
    off: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """patch: as of `Layers.cut`; off: how far its corners are off, in sides; moves: (4, 2) from them to the
    true ones in the patch, in sides."""

    patch: NDArray[np.uint8]
    off: float
    moves: Floats


def view_table(finder: Finder, shown: Shown, *, lists_ways: bool) -> View | None:
    """The table in a drawn picture; None where no tile is found."""
    assert shown.corners is not None
    tiles, _ = choose_table(find_tiles_of_table(finder, shown.image))
    if not len(tiles):
        return None
    ways = list_ways(shown.image, tiles) if lists_ways else []
    corners = [start_at_lower_edge(way.corners)[0] for way in ways]
    true = start_at_lower_edge(shown.corners)[0]
    off = np.array([measure_off(each, true) for each in corners])
    return View(Layers.of(shown.image, tiles), true, np.array(corners).reshape(-1, 4, 2), off)


def draw_sample(rng: Rng, views: Sequence[View], with_ways: Sequence[View]) -> Sample:
    """A sample of one of these tables, or, by the program's own ways to see it, of one of the second ones."""
    if with_ways and rng.random() < WAYS_SHARE:
        view = with_ways[int(rng.integers(len(with_ways)))]
        corners = _choose_way(rng, view)
    else:
        view = views[int(rng.integers(len(views)))]
        corners = _move_corners(rng, view.corners)
    patch = _relight(rng, view.layers.cut(corners))
    moves = _measure_moves(corners, view.corners)
    if rng.random() < 0.5:
        patch, moves = patch[:, ::-1], moves[[1, 0, 3, 2]] * [-1, 1]
    return Sample(patch, measure_off(corners, view.corners), np.clip(moves, -1, 1))


def _choose_way(rng: Rng, view: View) -> Floats:
    near, wrong = view.off < NEAR, (view.off >= NEAR) & (view.off < FAR)
    if rng.random() < 0.35 and near.any():
        chosen = rng.choice(np.flatnonzero(near))
    elif rng.random() < 0.6 and wrong.any():
        chosen = rng.choice(np.flatnonzero(wrong))
    else:
        chosen = rng.integers(len(view.ways))
    corners = view.ways[chosen]
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    return np.asarray(corners + rng.normal(0, 0.004 * side * rng.integers(2), (4, 2)))


def _move_corners(rng: Rng, true: Floats) -> Floats:
    """Corners (4, 2) px near the true ones: with each side off by a little, some sides at other edges, the
    whole table elsewhere, or askew."""
    to_picture = cv2.getPerspectiveTransform(BOX.astype(np.float32), true.astype(np.float32))
    for _ in range(20):
        box = _move_box(rng)
        depth = to_picture[2] @ np.column_stack([box, np.ones(4)]).T
        moved = np.asarray(cv2.perspectiveTransform(box[None], to_picture)[0], np.float64)
        if (depth > 0.05).all() and cv2.isContourConvex(moved.astype(np.float32)):
            return start_at_lower_edge(moved)[0]
    return true


def _move_box(rng: Rng) -> Floats:
    kind = rng.choice(4, p=[0.35, 0.35, 0.2, 0.1])
    ends = np.array([-1.0, -1, 1, 1])
    if kind == 0:
        blur = np.exp(rng.uniform(np.log(0.004), np.log(0.12)))
        return _make_box(ends + rng.normal(0, blur, 4)) + rng.normal(0, blur / 2, (4, 2))
    if kind == 1:
        together = rng.uniform(-0.45, 0.45)
        for side in rng.choice(4, rng.integers(1, 5), replace=False):
            ends[side] *= 1 + (together if rng.random() < 0.7 else rng.uniform(-0.45, 0.45))
        return _make_box(ends)
    if kind == 2:
        return BOX * rng.uniform(0.65, 1.4) + rng.uniform(-0.3, 0.3, 2) + rng.normal(0, 0.03, (4, 2))
    c, s = np.cos(angle := rng.uniform(0, np.pi / 2)), np.sin(angle)
    turned = BOX @ np.array([[c, s], [-s, c]]) * rng.uniform(0.7, 1.2)
    return np.asarray(turned + rng.normal(0, 0.1, (4, 2)) + rng.normal(0, 0.1, 2))


def _make_box(ends: Floats) -> Floats:
    """The corners (4, 2) of a box by its left, low, right and high end."""
    left, low, right, high = ends
    return np.array([[left, low], [right, low], [right, high], [left, high]])


def _measure_moves(corners: Floats, true: Floats) -> Floats:
    to_patch = cv2.getPerspectiveTransform(corners.astype(np.float32), SQUARE.astype(np.float32))
    seen = cv2.perspectiveTransform(true[None], to_patch)[0]
    turns = [np.roll(seen, quarters, axis=0) - SQUARE for quarters in range(4)]
    return np.asarray(min(turns, key=lambda moves: float(np.abs(moves).sum())) / SQUARE_PX, np.float64)


def _relight(rng: Rng, patch: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The patch in other light and other colours, by another camera."""
    seen = patch[..., :3].astype(np.float32)
    if rng.random() < 0.25:
        seen = seen[..., rng.permutation(3)]
    if rng.random() < 0.1:
        seen = np.repeat(seen.mean(axis=2, keepdims=True), 3, axis=2)
    gain = np.exp(rng.normal(0, 0.25) + rng.normal(0, 0.1, 3))
    seen = 255 * np.clip(seen * gain / 255, 0, 1) ** np.exp(rng.normal(0, 0.2)) + rng.normal(0, 8)
    if rng.random() < 0.3:
        seen = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.4, 1.2))
    if rng.random() < 0.4:
        seen = seen + rng.normal(0, rng.uniform(1, 8), seen.shape)
    lit: Image = patch.copy()
    lit[..., :3] = np.clip(seen, 0, 255)
    lit[lit[..., 5] < 128, :3] = 0
    if rng.random() < 0.25:
        lit[..., 3:5] = np.clip(lit[..., 3:5] * rng.uniform(0.6, 1.2), 0, 255)
    return lit
