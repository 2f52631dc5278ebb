"""The walls: when tiles go from them (`WallWatch`), and how many are left (`WallCount`).

Backs look alike, and the lower tile of a stack looks like the upper one. So the watch recognises nothing: it
compares the picture along the walls with the last one, and a change for good, one tile wide, next to where
the last tile went, is a tile that went. Light, arms and bumps change more than that.

The count fits outlines of stacks to what differs from the cloth: how far a wall reaches, and how high it is
at its ends, is visible although its backs run into one another. A camera that looks down steeply sees only
the first of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from math import hypot
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.seeing.arrays import Floats, Grey, Mask
from companion.seeing.cloth import fit_levels, list_terms
from companion.seeing.known_tiles import TileTrack
from companion.seeing.movement import DARK, Times
from companion.seeing.outlines import TileSize
from companion.seeing.seats import WALL_REACH_MM, is_near_wall
from companion.seeing.sights import BLANK, USUAL_TILE_MM, WALL_WITHIN_MM, see_from
from companion.seeing.table_camera import TableCamera
from companion.seeing.top_view import PX_MM, SIDE, fill_quads, to_pixels, to_places
from companion.tiles import BACK

WATCHED_MM = 26.0
"""How far to either side of a wall's middle line it is watched: half a tile's height is 17 mm, and from a
corner two layers are 20 mm apart in the picture."""
GONE_MIN_LEVELS, GONE_NOISE_TIMES = 5.0, 5.0
"""Grey levels by which a place differs after a tile was taken, root of the mean square over the wall's width,
and multiple of the noise: with plain backs only the edges of an upper tile differ from those of the one under
it."""
GONE_WIDTHS, GAP_MM, MARGIN_MM = (0.3, 2.2), 8.0, 12.0
"""Width of a change made by one tile, with its shadow, in tiles; gaps in it; and what must be in sight on
both sides of it."""
SEEN_SHARE = 0.8
"""Share of a place across the wall that must be in sight."""
RESTLESS_SHARE = 0.15
"""If more than this share of the walls differs, the light has changed, or the camera was moved."""
GONE_S, NEW_LOOK_S = 0.25, 3.0
"""How long a place must look different before a tile has gone from it; and after which time something else
counts as the new look of the place."""
FADE_SHARE = 0.1
"""Rate at which the remembered look of an unchanged place follows the picture."""
NEXT_WITHIN_TILES = 2.6
"""Maximum distance, in tiles, between two consecutive draws from the wall, also around corners."""
AT_ONCE_S = 0.5
"""Tiles that go within this time are one, seen twice: its shadow goes with it."""
LINE_MIN_BACKS, LINE_BLUR_MM = 10, 14.0
"""This number of backs about as far from the middle are walls: from a corner those of two sides seem
nearer."""
SIDE_MIN_BACKS, ASKEW_MM = 3, 45.0
"""This number of backs show where one side's wall is, no farther than this from the others' distance."""
ENDS = 2
"""Tiles are taken at two places of the walls: the draws, and the replacements for kongs and flowers."""

Floats32 = NDArray[np.float32]
Kind = TypeVar("Kind", bound=np.generic)


@dataclass(slots=True)
class WallWatch:
    """Watches the walls of one table. Walls that are being built for the next hand change too much at once to
    be taken for draws."""

    _lines_mm: tuple[float, float, float, float] | None = None
    _seen: Floats32 | None = None
    _known: Mask | None = None
    _since: Times | None = None
    _ends: list[tuple[float, float]] = field(default_factory=list)
    _maybe: list[tuple[float, float, float]] = field(default_factory=list)
    _went_s: float = -np.inf

    @property
    def knows_place(self) -> bool:
        """Whether the place of the walls is known."""
        return self._lines_mm is not None

    @property
    def lines_mm(self) -> tuple[float, float, float, float] | None:
        """How far the wall of each side is from the middle of the table; None before that is known."""
        return self._lines_mm

    def find(self, backs_mm: NDArray[np.float64], tile_mm: float) -> None:
        """Learn where the walls stand from the middles (n, 2) of backs."""
        if not len(backs_mm):
            return
        line = _find_line(np.abs(backs_mm).max(axis=1), tile_mm / USUAL_TILE_MM)
        if line is not None:
            near = [_find_side_line(backs_mm, side, line) for side in range(4)]
            self._lines_mm = near[0], near[1], near[2], near[3]

    def watch(self, lit: Grey, hidden: Mask, tile_mm: float, t: float) -> tuple[float, ...]:
        """When tiles went, at the latest, that are found gone now. lit: the table in unchanging light;
        hidden: what is not still, or not read yet."""
        if self._lines_mm is None:
            return ()
        soft = cv2.GaussianBlur(lit, (3, 3), 0).astype(np.float32)
        now, free = self._cut(soft), ~self._cut(cv2.dilate(hidden.astype(np.uint8), np.ones((7, 7))) > 0)
        if self._seen is None or self._known is None or self._since is None:
            self._seen, self._known = now.copy(), free
            self._since = np.full((4, now.shape[2]), np.inf)
            return ()
        fresh = free & ~self._known
        self._seen[fresh] = now[fresh]
        self._known |= free
        return self._compare(now, free, tile_mm, t)

    def _compare(self, now: Floats32, free: Mask, tile_mm: float, t: float) -> tuple[float, ...]:
        assert self._seen is not None
        assert self._since is not None
        shown = free.mean(axis=1) >= SEEN_SHARE
        if not shown.any():
            return ()
        now = now * np.float32(np.median((self._seen[free] + DARK) / (now[free] + DARK)))
        squares = np.where(free, (now - self._seen) ** 2, 0).sum(axis=1) / np.maximum(1, free.sum(axis=1))
        off = np.sqrt(squares)
        other = shown & (off > max(GONE_MIN_LEVELS, GONE_NOISE_TIMES * float(np.median(off[shown]))))
        if other.sum() > RESTLESS_SHARE * shown.sum():
            self._seen[free] = now[free]
            self._since[:] = np.inf
            return ()
        self._since = np.where(other, np.minimum(self._since, t), np.where(shown, np.inf, self._since))
        went: list[float] = []
        for side in range(4):
            for first, last in _find_runs(other[side], round(GAP_MM / PX_MM)):
                part = slice(max(0, first - 2), last + 2)
                is_tile = self._is_tile(side, first, last, shown, tile_mm, t)
                since = self._since[side, first:last]
                since_s = float(since[np.isfinite(since)].min())
                if is_tile or t - since_s >= NEW_LOOK_S:
                    self._seen[side][:, part] = now[side][:, part]
                    self._since[side, part] = np.inf
                if is_tile:
                    went += self._accept(self._find_place(side, first, last), since_s, tile_mm)
        same = (shown & ~other)[:, None] & free
        self._seen[same] += FADE_SHARE * (now - self._seen)[same]
        news = []
        for at_s in sorted(went):
            if at_s - self._went_s >= AT_ONCE_S:
                self._went_s = at_s
                news.append(at_s)
        return tuple(news)

    def _is_tile(self, side: int, first: int, last: int, shown: Mask, tile_mm: float, t: float) -> bool:
        """Whether the difference there may be a tile that went."""
        assert self._since is not None
        margin = round(MARGIN_MM / PX_MM)
        if not shown[side, max(0, first - margin) : last + margin].all():
            return False
        since = self._since[side, first:last]
        settled = t - since[np.isfinite(since)].max() >= GONE_S
        return bool(settled and GONE_WIDTHS[0] <= (last - first) * PX_MM / tile_mm <= GONE_WIDTHS[1])

    def _accept(self, place: tuple[float, float], at_s: float, tile_mm: float) -> list[float]:
        """When tiles went, given one that may have gone from there: none unless a tile went next to it
        before."""
        for end in self._ends:
            if _is_near(end, place, tile_mm):
                self._ends.remove(end)
                self._ends.insert(0, place)
                return [at_s]
        beside = [each for each in self._maybe if _is_near(each[:2], place, tile_mm)]
        self._maybe = [each for each in self._maybe if each not in beside]
        if beside:
            self._ends = [place, *self._ends][:ENDS]
            return [beside[-1][2], at_s]
        self._maybe = [*self._maybe[-ENDS:], (*place, at_s)]
        return []

    def _find_place(self, side: int, first: int, last: int) -> tuple[float, float]:
        """The middle of a change, mm."""
        assert self._lines_mm is not None
        u, v = ((first + last - 1) / 2 + 0.5) * PX_MM - WALL_REACH_MM, self._lines_mm[side]
        return [(u, -v), (v, u), (-u, v), (-v, -u)][side]

    def _cut(self, picture: NDArray[Kind]) -> NDArray[Kind]:
        """The parts (4, H, W) of a picture (SIDE, SIDE) along the walls, each with its player at the
        bottom."""
        assert self._lines_mm is not None
        middle, wide, high = SIDE // 2, round(WALL_REACH_MM / PX_MM), round(WATCHED_MM / PX_MM)
        parts = []
        for side, line in enumerate(self._lines_mm):
            row = middle + round(line / PX_MM)
            turned = np.rot90(picture, -side)
            parts.append(turned[row - high : row + high, middle - wide : middle + wide])
        return np.stack(parts)


def _find_line(away_mm: NDArray[np.float64], scale: float) -> float | None:
    """How far the walls are from the middle, by the larger coordinate of each back."""
    within = (away_mm > WALL_WITHIN_MM[0] * scale) & (away_mm < WALL_WITHIN_MM[1] * scale)
    sure = np.sort(away_mm[within])
    counts = np.searchsorted(sure, sure + 2 * LINE_BLUR_MM, "right") - np.arange(len(sure))
    if not len(sure) or counts.max() < LINE_MIN_BACKS:
        return None
    first = int(counts.argmax())
    return float(np.median(sure[first : first + counts[first]]))


def _find_side_line(backs_mm: NDArray[np.float64], side: int, line_mm: float) -> float:
    """How far the wall of that side is from the middle; the others' distance if it is not seen. From a corner
    the walls of two sides seem farther off than the other two, and people do not build all at the same
    distance."""
    out = backs_mm @ np.array([(0, -1), (1, 0), (0, 1), (-1, 0)][side], np.float64)
    own = np.sort(out[(out >= np.abs(backs_mm).max(axis=1)) & (np.abs(out - line_mm) < ASKEW_MM)])
    counts = np.searchsorted(own, own + LINE_BLUR_MM, "right") - np.arange(len(own))
    if not len(own) or counts.max() < SIDE_MIN_BACKS:
        return line_mm
    first = int(counts.argmax())
    return float(np.median(own[first : first + counts[first]]))


def _is_near(one: Sequence[float], other: Sequence[float], tile_mm: float) -> bool:
    return hypot(one[0] - other[0], one[1] - other[1]) < NEXT_WITHIN_TILES * tile_mm


def _find_runs(marked: Mask, gap: int) -> Iterable[tuple[int, int]]:
    """First and last + 1 of the runs of marked places, with gaps of up to `gap`."""
    runs: list[tuple[int, int]] = []
    for at in np.flatnonzero(marked).tolist():
        if runs and at - runs[-1][1] <= gap:
            runs[-1] = runs[-1][0], at + 1
        else:
            runs.append((at, at + 1))
    return runs


STACKS_MAX = 20
ABOUT_WIDE = 0.45
"""In widths of a tile: how far the width of a piece of wall may be from the right one."""
COARSE_MM, FINE_MM = (-24.0, -16.0, -8.0, 0.0, 8.0, 16.0, 24.0), (-4.0, 0.0, 4.0)
"""Offsets of a wall from its assumed distance that are tried."""
FITS_MIN_SHARE, FITS_AS_WELL_BY = 0.8, 0.03
"""Share of both outlines that must agree, and by how much less they may for other possible numbers."""
SEEN_MM = 5.0
"""An upper and a lower tile must be this far apart in the picture for the lower one to be distinguished."""
MARGIN_PX = 6


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of wall. stacks: its width in tiles; least, most: the number of tiles it holds; line_mm: how
    far its middle line is from the middle of the table."""

    stacks: int
    least: int
    most: int
    line_mm: float


@dataclass(frozen=True, slots=True)
class _Build:
    """full: stacks of two, with a single tile before and after them, as the player of that side sees them."""

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
        """Where each part begins and ends, and its height, mm."""
        for stacks, layers in ((self.before, 1), (self.full, 2), (self.after, 1)):
            if stacks:
                last_mm = first_mm + stacks * size.width_mm
                yield first_mm, last_mm, layers * size.depth_mm
                first_mm = last_mm


@dataclass(frozen=True, slots=True)
class WallView:
    """Tiles of a size on one side of the table, seen from eye_mm (x, y, z), in the table's small picture."""

    side: int
    size: TileSize
    eye_mm: Floats

    def fit_piece(self, piece: Mask, ignored: Mask, line_mm: float) -> Piece | None:
        """How many tiles this piece of wall holds; None if it does not look like one.

        piece: (SIDE, SIDE) what is not cloth; ignored: what hides it, or belongs to other tiles; line_mm:
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
        builds = [build for share, build, _ in fits if share >= best - FITS_AS_WELL_BY]
        if best < FITS_MIN_SHARE:
            return None
        tiles = [build.tiles for build in builds]
        stacks = max(fits, key=lambda each: each[0])[1].stacks
        if self._sees_layers(line_mm):
            return Piece(stacks, min(tiles), max(tiles), found_mm)
        return Piece(stacks, 2 * min(build.stacks for build in builds) - 2, 2 * stacks, found_mm)

    def _fit(
        self, outline: _Outline, ends: tuple[float, float], line_mm: float
    ) -> list[tuple[float, _Build, float]]:
        """How well each build of about the right width fits, and its offset, mm."""
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
            yield from (_Build(before=False, full=full, after=False) for full in range(1, STACKS_MAX))
            return
        for before, after, full in product((False, True), (False, True), range(STACKS_MAX)):
            if full or before:
                yield _Build(before, full, after)

    def _place(self, build: _Build, ends: tuple[float, float], line_mm: float) -> Iterator[float]:
        """Its beginning so that it is between these ends, mm; none if it is much wider or narrower."""
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
        """(boxes, 8, 2) where the corners of its boxes are seen, in the plane of flat faces, mm."""
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
        """Whether the upper tiles are seen at other places than the lower ones would be."""
        x, y = _turn_back(self.side, np.zeros(1), np.array([line_mm]))
        away = np.hypot(x[0] - self.eye_mm[0], y[0] - self.eye_mm[1])
        return bool(away * self.size.depth_mm / (self.eye_mm[2] - 2 * self.size.depth_mm) >= SEEN_MM)

    def _turn(self, places_mm: Floats) -> Floats:
        """Places (n, 2) as the player of that side sees them: (u, v)."""
        x, y = places_mm[:, 0], places_mm[:, 1]
        return np.stack([(x, -y), (y, x), (-x, y), (-y, -x)][self.side], axis=1)


@dataclass(frozen=True, slots=True)
class _Outline:
    """A part of the small picture. corner_px: its upper left corner in the whole."""

    piece: Mask
    counted: Mask
    corner_px: Floats


def _turn_back(side: int, u: Floats, v: Floats) -> tuple[Floats, Floats]:
    return [(u, -v), (v, u), (-u, v), (-v, -u)][side]


COUNT_EVERY_S = 0.25
"""How often the walls are counted; two counts in a row must agree."""
EACH_PX, CLOTH_WITHIN = 6, 0.82
"""The step, px, at which the cloth is sampled; and the share of the picture's sides within which, since the
table's edge is beyond it."""
OF_CONTRAST, CLOTH_NOISE_TIMES = 0.4, 3.0
"""How much a wall differs from the cloth, as a share of what backs do, and as a multiple of the bare cloth's
noise: shadows differ less."""
MAYBE_BACK = 0.15
NEAR_LINE_MM = 30.0
OTHER_TILES_PX = 11
"""By how much other tiles are grown: their sides are seen too."""
PIECE_MIN_TILES = 0.35
"""In tiles, as seen from above: anything smaller is not a part of a wall."""
SAME_TILE = 0.12
"""In tiles: a smaller change is ignored."""
HIDDEN_PX = 12


@dataclass(slots=True)
class _Known:
    """A piece of wall that was fitted: its picture, and the result."""

    seen: Mask
    side: int
    piece: Piece


@dataclass(slots=True)
class WallCount:
    """Counts the tiles in the walls of one table. left: the number, at least and at most; None while not all
    of them are in sight."""

    left: tuple[int, int] | None = None
    _before: tuple[int, int] | None = None
    _counted_s: float = -np.inf
    _known: list[_Known] = field(default_factory=list)
    _lines_mm: dict[int, float] = field(default_factory=dict)
    _contrast: float | None = None

    def update(
        self, lit: Grey, hidden: Mask, tiles: Iterable[TileTrack], lines_mm: Sequence[float] | None,
        size: TileSize, camera: TableCamera, t: float,
    ) -> None:  # fmt: skip
        """Count them in the table's small picture of second t. hidden: what moves, or is not read yet;
        lines_mm: about how far each side's wall is from the middle, as if its backs were as low as
        discards."""
        if lines_mm is None or t - self._counted_s < COUNT_EVERY_S:
            return
        self._counted_s = t
        now = self._count(lit, hidden, list(tiles), lines_mm, size, camera)
        self.left = now if now == self._before else None
        self._before = now

    def _count(
        self, lit: Grey, hidden: Mask, tiles: Sequence[TileTrack], lines_mm: Sequence[float],
        size: TileSize, camera: TableCamera,
    ) -> tuple[int, int] | None:  # fmt: skip
        where = np.zeros((SIDE, SIDE), bool)
        for known in self._known:
            where |= known.seen
        if np.count_nonzero(where & hidden) > HIDDEN_PX:
            return None
        maybe = (track for track in tiles if _may_be_back(track))
        backs = [track for track in maybe if is_near_wall(track.middle_mm, lines_mm, NEAR_LINE_MM)]
        others = _grow(fill_quads(_quads(each for each in tiles if not _may_be_back(each))), OTHER_TILES_PX)
        for track in backs:
            where[track.footprint.window] |= track.footprint.inside
        soft = np.asarray(cv2.GaussianBlur(lit, (3, 3), 0), np.uint8)
        cloth, noise = _find_cloth(soft)
        levels = soft - cloth
        self._measure_contrast(levels, backs, hidden)
        walls = self._mark_walls(levels, noise) & ~others
        counted: list[_Known] = []
        for seen in _cut_pieces(walls, where, size):
            if np.count_nonzero(seen & hidden) > HIDDEN_PX:
                return None
            known_piece = self._find_same(seen, size) or self._fit(seen, others, lines_mm, size, camera)
            if known_piece is None:
                return None
            counted.append(known_piece)
        if not counted and not self._lines_mm:
            return None
        self._known = counted
        return sum(each.piece.least for each in counted), sum(each.piece.most for each in counted)

    def _measure_contrast(self, levels: Floats, backs: Sequence[TileTrack], hidden: Mask) -> None:
        """How much lighter backs are than the cloth."""
        seen = [
            float(levels[y, x])
            for track in backs
            if track.missing_s is None and track.back_share > MAYBE_BACK
            for x, y in [to_pixels(track.middle_mm).round().astype(int).tolist()]
            if not hidden[y, x]
        ]
        if seen:
            self._contrast = float(np.median(seen))

    def _mark_walls(self, levels: Floats, noise: float) -> Mask:
        """What may be part of a wall: what differs from the cloth as backs do, or is lighter, as sides
        are."""
        contrast = self._contrast or 0.0
        least = max(CLOTH_NOISE_TIMES * noise, OF_CONTRAST * abs(contrast))
        if contrast > 0:
            return np.asarray(levels >= least, bool)
        return np.asarray((levels >= CLOTH_NOISE_TIMES * noise) | (levels <= -least), bool)

    def _find_same(self, seen: Mask, size: TileSize) -> _Known | None:
        """The fitted piece that looked the same."""
        most = SAME_TILE * size.width_mm * size.height_mm / PX_MM**2
        for known in self._known:
            if np.count_nonzero(known.seen ^ seen) <= most:
                return known
        return None

    def _fit(
        self, seen: Mask, others: Mask, lines_mm: Sequence[float], size: TileSize, camera: TableCamera
    ) -> _Known | None:
        y, x = np.nonzero(seen)
        middle = to_places(np.array([x.mean(), y.mean()]))
        off, side = min(
            (abs(see_from(side, *middle.tolist())[1] - line), side) for side, line in enumerate(lines_mm)
        )
        if off > 2 * NEAR_LINE_MM:
            return None
        line_mm = self._lines_mm.get(side)
        if line_mm is None:
            line_mm = _lower(lines_mm[side], side, size, camera)
        piece = WallView(side, size, camera.position_mm).fit_piece(seen, others, line_mm)
        if piece is None:
            return None
        self._lines_mm[side] = piece.line_mm
        return _Known(seen, side, piece)


def count_backs(tiles: Iterable[TileTrack], lines_mm: Sequence[float] | None) -> int:
    """The number of known backs of tiles in walls. lines_mm: about how far each side's wall is from the
    middle, None if unknown: rows of backs elsewhere are standing hands."""
    places = [track.middle_mm for track in tiles if track.in_wall]
    return sum(lines_mm is None or is_near_wall(place, lines_mm, NEAR_LINE_MM) for place in places)


def _cut_pieces(walls: Mask, where: Mask, size: TileSize) -> Iterable[Mask]:
    """The pieces of wall at places of backs, or of earlier walls."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(walls.astype(np.uint8))
    least = PIECE_MIN_TILES * size.width_mm * size.height_mm / PX_MM**2
    here = np.unique(labels[where])
    return [labels == label for label in here.tolist() if label and stats[label, cv2.CC_STAT_AREA] >= least]


def _find_cloth(lit: Grey) -> tuple[Floats, float]:
    """(SIDE, SIDE) the levels of the cloth, under other things too; and how much bare cloth differs from
    them."""
    terms, table = _list_terms()
    shape, noise = fit_levels(lit[::EACH_PX, ::EACH_PX].astype(np.float64)[table], terms[table])
    small = (terms @ shape).reshape(len(table), -1)
    return np.asarray(cv2.resize(small, (SIDE, SIDE)), np.float64), noise


@cache
def _list_terms() -> tuple[Floats, Mask]:
    """The terms (n, n, 6) of an even change across the table, at each EACH_PX-th pixel; and which of them
    show the table without its edge."""
    at = np.linspace(-1, 1, len(range(0, SIDE, EACH_PX)))
    places = np.stack(np.meshgrid(at, at), axis=-1)
    return list_terms(places), np.abs(places).max(axis=-1) < CLOTH_WITHIN


def _lower(line_mm: float, side: int, size: TileSize, camera: TableCamera) -> float:
    """The distance from the middle of a wall whose upper tiles are seen there, when taken to be as high as
    discards."""
    x, y, z = (float(each) for each in camera.position_mm)
    eye_mm = see_from(side, x, y)[1]
    return eye_mm + (line_mm - eye_mm) * (z - 2 * size.depth_mm) / (z - size.depth_mm)


def _may_be_back(track: TileTrack) -> bool:
    return track.in_wall or track.back_share > MAYBE_BACK or track.top in (BACK, BLANK)


def _quads(tracks: Iterable[TileTrack]) -> Floats:
    return np.array([track.quad_mm for track in tracks]).reshape(-1, 4, 2)


def _grow(mask: Mask, px: int) -> Mask:
    return cv2.dilate(mask.astype(np.uint8), np.ones((px, px), np.uint8)) > 0
