"""How many tiles stand in a piece of wall, by its outline in the picture: it is that of so many stacks of
two, with a single tile at either end, or with none.

Backs look alike and run into one another; how far a wall reaches, and how high it is at its ends, does not. A
camera that looks down steeply sees only the first of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.seeing.outlines import TileSize
from companion.seeing.plane import PX_MM, Mask, to_pixels, to_places

STACKS_MOST = 20
ABOUT_WIDE = 0.45
"""In widths of a tile: by how much a piece of wall may be wider or narrower than it should be."""
COARSE_MM, FINE_MM = (-24.0, -16.0, -8.0, 0.0, 8.0, 16.0, 24.0), (-4.0, 0.0, 4.0)
"""By how much a wall may stand nearer or farther than was thought."""
FITS, AS_WELL = 0.8, 0.03
"""Share of both outlines that must agree, and by how much less they do where it may be as well."""
SEEN_MM = 5.0
"""So far apart an upper and a lower tile must seem in the picture for the lower one to be told."""
MARGIN_PX = 6

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of wall. stacks: how many tiles it is wide; least, most: how many tiles it holds; line_mm: how
    far its middle line is from the middle of the table."""

    stacks: int
    least: int
    most: int
    line_mm: float


@dataclass(frozen=True, slots=True)
class _Build:
    """full: stacks of two, with a single tile before and after them, seen by the player of that side."""

    before: bool
    full: int
    after: bool

    @property
    def stacks(self) -> int:
        return self.before + self.full + self.after

    @property
    def tiles(self) -> int:
        return self.before + 2 * self.full + self.after

    def list_boxes(self, first_mm: float, size: TileSize) -> Iterator[tuple[float, float, float]]:
        """Where each part begins and ends, and how high it is, mm."""
        for stacks, layers in ((self.before, 1), (self.full, 2), (self.after, 1)):
            if stacks:
                last_mm = first_mm + stacks * size.width_mm
                yield first_mm, last_mm, layers * size.depth_mm
                first_mm = last_mm


@dataclass(frozen=True, slots=True)
class WallView:
    """Tiles of a size on one side of the table, seen from eye_mm (x, y, z), in the plane's small picture."""

    side: int
    size: TileSize
    eye_mm: Floats

    def fit_piece(self, piece: Mask, ignored: Mask, line_mm: float) -> Piece | None:
        """How many tiles this piece of wall holds; None where it looks like none.

        piece: (SIDE, SIDE) what is no cloth; ignored: what hides it, or belongs to other tiles; line_mm:
        about how far the wall's middle line is from the middle of the table.
        """
        y, x = np.nonzero(piece)
        if not len(x):
            return None
        top, left = max(0, y.min() - MARGIN_PX), max(0, x.min() - MARGIN_PX)
        part = slice(top, y.max() + MARGIN_PX), slice(left, x.max() + MARGIN_PX)
        u = self._turn(to_places(np.stack([x, y], axis=1)))[:, 0]
        ends = float(u.min()) - PX_MM / 2, float(u.max()) + PX_MM / 2
        outline = _Outline(piece[part], ~ignored[part], np.array([left, top], np.float64))
        fits = self._fit(outline, ends, line_mm)
        if not fits:
            return None
        best, found_mm = max((share, at_mm) for share, _, at_mm in fits)
        builds = [build for share, build, _ in fits if share >= best - AS_WELL]
        if best < FITS:
            return None
        tiles = [build.tiles for build in builds]
        stacks = max(fits, key=lambda each: each[0])[1].stacks
        if self._sees_layers(line_mm):
            return Piece(stacks, min(tiles), max(tiles), found_mm)
        return Piece(stacks, 2 * min(build.stacks for build in builds) - 2, 2 * stacks, found_mm)

    def _fit(
        self, outline: _Outline, ends: tuple[float, float], line_mm: float
    ) -> list[tuple[float, _Build, float]]:
        """How well each build fits that is about as wide, and how far off it stands then, mm."""
        likely = [
            (build, first) for build in self._list_builds() for first in self._place(build, ends, line_mm)
        ]
        coarse = [
            (self._compare(outline, build, first, line_mm + off), line_mm + off)
            for build, first in likely
            for off in COARSE_MM
        ]
        if not coarse:
            return []
        about_mm = max(coarse)[1]
        fits: dict[_Build, tuple[float, float]] = {}
        for (build, first), off, aside in product(likely, FINE_MM, FINE_MM):
            share = self._compare(outline, build, first + aside, about_mm + off)
            fits[build] = max(fits.get(build, (0.0, 0.0)), (share, about_mm + off))
        return [(share, build, at_mm) for build, (share, at_mm) in fits.items()]

    def _list_builds(self) -> Iterator[_Build]:
        if not self._sees_layers(0.0):
            yield from (_Build(before=False, full=full, after=False) for full in range(1, STACKS_MOST))
            return
        for before, after, full in product((False, True), (False, True), range(STACKS_MOST)):
            if full or before:
                yield _Build(before, full, after)

    def _place(self, build: _Build, ends: tuple[float, float], line_mm: float) -> Iterator[float]:
        """Where it begins so that it lies between these ends, mm; nowhere if it is much wider or narrower."""
        u = self._turn(self._project(build, 0.0, line_mm).reshape(-1, 2))[:, 0]
        if abs((u.max() - u.min()) - (ends[1] - ends[0])) <= ABOUT_WIDE * self.size.width_mm:
            yield float(ends[0] - u.min() + ends[1] - u.max()) / 2

    def _compare(self, outline: _Outline, build: _Build, first_mm: float, line_mm: float) -> float:
        """The share of both that is in both."""
        drawn = np.zeros(outline.piece.shape, np.uint8)
        for corners in to_pixels(self._project(build, first_mm, line_mm)) - outline.corner_px:
            cv2.fillConvexPoly(drawn, cv2.convexHull(corners.round().astype(np.int32)), 1)
        shown = (drawn > 0) & outline.counted
        other = outline.piece & outline.counted
        either = int(np.count_nonzero(shown | other))
        return int(np.count_nonzero(shown & other)) / max(1, either)

    def _project(self, build: _Build, first_mm: float, line_mm: float) -> Floats:
        """(boxes, 8, 2) where the corners of its boxes are seen, on the plane of lying faces, mm."""
        half, boxes = self.size.height_mm / 2, list(build.list_boxes(first_mm, self.size))
        corners = np.array(
            [
                (u, v, z)
                for begin, end, high in boxes
                for u, v, z in product((begin, end), (line_mm - half, line_mm + half), (0.0, high))
            ]
        )
        x, y = _turn_back(self.side, corners[:, 0], corners[:, 1])
        nearer = (self.eye_mm[2] - self.size.depth_mm) / (self.eye_mm[2] - corners[:, 2])
        places = np.stack([x, y], axis=1)
        seen = self.eye_mm[:2] + (places - self.eye_mm[:2]) * nearer[:, None]
        return np.asarray(seen.reshape(len(boxes), 8, 2), np.float64)

    def _sees_layers(self, line_mm: float) -> bool:
        """Whether the upper tiles seem elsewhere than the lower ones would."""
        x, y = _turn_back(self.side, np.zeros(1), np.array([line_mm]))
        away = np.hypot(x[0] - self.eye_mm[0], y[0] - self.eye_mm[1])
        return bool(away * self.size.depth_mm / (self.eye_mm[2] - 2 * self.size.depth_mm) >= SEEN_MM)

    def _turn(self, places_mm: Floats) -> Floats:
        """Places (n, 2) as the player of that side sees them: (u, v)."""
        x, y = places_mm[:, 0], places_mm[:, 1]
        return np.stack([(x, -y), (y, x), (-x, y), (-y, -x)][self.side], axis=1)


@dataclass(frozen=True, slots=True)
class _Outline:
    """A part of the small picture. corner_px: where its upper left corner is in the whole."""

    piece: Mask
    counted: Mask
    corner_px: Floats


def _turn_back(side: int, u: Floats, v: Floats) -> tuple[Floats, Floats]:
    return [(u, -v), (v, u), (-u, v), (-v, -u)][side]
