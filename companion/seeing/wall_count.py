"""Counts the tiles that stand in the walls, wherever all of them are in sight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np

from companion.seeing.cloth import fit_levels, list_terms
from companion.seeing.outlines import TileSize
from companion.seeing.plane import PX_MM, SIDE, Grey, Mask, fill_quads, to_pixels, to_places
from companion.seeing.quarters import see_from
from companion.seeing.sights import BLANK
from companion.seeing.table_camera import TableCamera
from companion.seeing.tile_tracks import TileTrack
from companion.seeing.wall_shapes import Floats, Piece, WallView
from companion.seeing.walls import lies_in_wall
from companion.tiles import BACK

LOOK_S = 0.25
"""So often the walls are counted; two looks in a row must agree."""
EACH_PX, CLOTH_WITHIN = 6, 0.82
"""The cloth is found by every so manieth pixel each way, and by this share of the picture's sides: beyond it
is the table's edge."""
OF_CONTRAST, NOISE_TIMES = 0.4, 3.0
"""By how much a wall differs from the cloth, as a share of what backs do, and at least times what bare cloth
does: shadows differ less."""
MAYBE_BACK = 0.15
NEAR_LINE_MM = 30.0
OTHER_TILES_PX = 11
"""By so much other tiles are grown: their sides are seen too."""
LEAST_TILE = 0.35
"""In tiles, as seen from above: what is smaller is no part of a wall."""
SAME_TILE = 0.12
"""In tiles: what has changed less looks the same."""
HIDDEN_PX = 12


@dataclass(slots=True)
class _Known:
    """A piece of wall that was fitted: where it was seen, and what it is."""

    seen: Mask
    side: int
    piece: Piece


@dataclass(slots=True)
class WallCount:
    """Of one table. left: how many tiles stand in the walls, at least and at most; None while that cannot be
    told."""

    left: tuple[int, int] | None = None
    _before: tuple[int, int] | None = None
    _looked_s: float = -np.inf
    _known: list[_Known] = field(default_factory=list)
    _lines_mm: dict[int, float] = field(default_factory=dict)
    _contrast: float | None = None

    def look(
        self, lit: Grey, hidden: Mask, tiles: Iterable[TileTrack], lines_mm: Sequence[float] | None,
        size: TileSize, camera: TableCamera, t: float,
    ) -> None:  # fmt: skip
        """Count them in the table's small picture of second t. hidden: what moves, or is not read yet;
        lines_mm: about how far each side's wall is from the middle, were its backs as low as discards."""
        if lines_mm is None or t - self._looked_s < LOOK_S:
            return
        self._looked_s = t
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
        backs = [track for track in maybe if lies_in_wall(track.middle_mm, lines_mm, NEAR_LINE_MM)]
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
        """What may be of a wall: what differs from the cloth as backs do, or is lighter, as sides are."""
        contrast = self._contrast or 0.0
        least = max(NOISE_TIMES * noise, OF_CONTRAST * abs(contrast))
        if contrast > 0:
            return np.asarray(levels >= least, bool)
        return np.asarray((levels >= NOISE_TIMES * noise) | (levels <= -least), bool)

    def _find_same(self, seen: Mask, size: TileSize) -> _Known | None:
        """The piece that looked so when it was fitted."""
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
    """How many backs of tiles in walls are known. lines_mm: about how far each side's wall is from the
    middle, None where that is not known: rows of backs elsewhere are standing hands."""
    places = [track.middle_mm for track in tiles if track.in_wall]
    return sum(lines_mm is None or lies_in_wall(place, lines_mm, NEAR_LINE_MM) for place in places)


def _cut_pieces(walls: Mask, where: Mask, size: TileSize) -> Iterable[Mask]:
    """The pieces of wall that lie where backs do, or walls were."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(walls.astype(np.uint8))
    least = LEAST_TILE * size.width_mm * size.height_mm / PX_MM**2
    here = np.unique(labels[where])
    return [labels == label for label in here.tolist() if label and stats[label, cv2.CC_STAT_AREA] >= least]


def _find_cloth(lit: Grey) -> tuple[Floats, float]:
    """(SIDE, SIDE) the levels of the cloth, under what lies on it too; how much bare cloth is off them."""
    terms, table = _list_terms()
    shape, noise = fit_levels(lit[::EACH_PX, ::EACH_PX].astype(np.float64)[table], terms[table])
    small = (terms @ shape).reshape(len(table), -1)
    return np.asarray(cv2.resize(small, (SIDE, SIDE)), np.float64), noise


@cache
def _list_terms() -> tuple[Floats, Mask]:
    """What an even change across the table is made of, (n, n, 6), at each EACH_PX-th pixel; which of them
    show the table without its edge."""
    at = np.linspace(-1, 1, len(range(0, SIDE, EACH_PX)))
    places = np.stack(np.meshgrid(at, at), axis=-1)
    return list_terms(places), np.abs(places).max(axis=-1) < CLOTH_WITHIN


def _lower(line_mm: float, side: int, size: TileSize, camera: TableCamera) -> float:
    """How far a wall is from the middle whose upper tiles seem to lie there, as high as discards."""
    x, y, z = (float(each) for each in camera.position_mm)
    eye_mm = see_from(side, x, y)[1]
    return eye_mm + (line_mm - eye_mm) * (z - 2 * size.depth_mm) / (z - size.depth_mm)


def _may_be_back(track: TileTrack) -> bool:
    return track.in_wall or track.back_share > MAYBE_BACK or track.top in (BACK, BLANK)


def _quads(tracks: Iterable[TileTrack]) -> Floats:
    return np.array([track.quad_mm for track in tracks]).reshape(-1, 4, 2)


def _grow(mask: Mask, px: int) -> Mask:
    return cv2.dilate(mask.astype(np.uint8), np.ones((px, px), np.uint8)) > 0
