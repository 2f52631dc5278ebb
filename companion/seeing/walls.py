"""Sees tiles go from the walls: what changes for good, one tile wide, beside where the last one went.

Backs are alike, and the lower tile of a stack looks like the upper one. So nothing is recognised here: only
the picture along the walls is compared with what was seen there last, and light, arms and bumps, which change
more than one tile's place, are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.seeing.plane import PX_MM, SIDE, Grey, Mask
from companion.seeing.quarters import WALL_WITHIN_MM, see_from
from companion.seeing.sights import USUAL_TILE_MM
from companion.seeing.stillness import DARK, Times

REACH_MM, HALF_MM = 310.0, 26.0
"""So far from the middle of a side its wall ends at most; and so far from the wall's middle line it is
watched: a tile is half as high as 17 mm, and from a corner two layers lie 20 mm apart in the picture."""
LEAST_LEVELS, NOISE_TIMES = 5.0, 5.0
"""Grey levels by which a place differs, root of the mean square over the wall's width, where a tile was
taken: of plain backs only the edges of an upper one differ from those of the one under it."""
WIDTHS, GAP_MM, MARGIN_MM = (0.3, 2.2), 8.0, 12.0
"""How wide a change is that one tile makes, with its shadow, in tiles; gaps in it; and what must be in sight
on both sides of it."""
SEEN_SHARE = 0.8
"""Of a place across the wall that must be in sight."""
RESTLESS = 0.15
"""Where more than this share of the walls differs, the light has changed, or the camera was moved."""
SETTLED_S, STAYS_S = 0.25, 3.0
"""For so long a place must look otherwise before a tile went from it; what is no tile is taken as it is
after so long."""
FADES = 0.1
"""Share by which what is remembered of a place that looks the same comes nearer to what is seen."""
BESIDE = 2.6
"""In tiles: the next tile goes no farther than this from where one went, round a corner too."""
AT_ONCE_S = 0.5
"""Tiles that go within so long are one, seen twice: its shadow goes with it."""
LINE_LEAST, LINE_BLUR_MM = 10, 14.0
"""So many backs about as far from the middle are walls: from a corner those of two sides seem nearer."""
SIDE_LEAST, ASKEW_MM = 3, 45.0
"""So many backs show where one side's wall is, which is no farther than this from where the others are."""
ENDS = 2
"""Walls are taken from two places: where tiles are drawn, and where those for kongs and flowers are."""

Floats = NDArray[np.float32]
Kind = TypeVar("Kind", bound=np.generic)


@dataclass(slots=True)
class WallWatch:
    """Watches the walls of one table. Walls that are built for the next hand change too much at once to be
    taken for tiles that went."""

    _lines_mm: tuple[float, float, float, float] | None = None
    _seen: Floats | None = None
    _known: Mask | None = None
    _since: Times | None = None
    _ends: list[tuple[float, float]] = field(default_factory=list)
    _maybe: list[tuple[float, float, float]] = field(default_factory=list)
    _went_s: float = -np.inf

    @property
    def knows_place(self) -> bool:
        """Whether it is known where the walls stand."""
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
        """When the tiles went, at the latest, that are found gone at this look. lit: the table in unchanging
        light; hidden: what does not lie still, or is not read yet."""
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

    def _compare(self, now: Floats, free: Mask, tile_mm: float, t: float) -> tuple[float, ...]:
        assert self._seen is not None
        assert self._since is not None
        shown = free.mean(axis=1) >= SEEN_SHARE
        if not shown.any():
            return ()
        now = now * np.float32(np.median((self._seen[free] + DARK) / (now[free] + DARK)))
        squares = np.where(free, (now - self._seen) ** 2, 0).sum(axis=1) / np.maximum(1, free.sum(axis=1))
        off = np.sqrt(squares)
        other = shown & (off > max(LEAST_LEVELS, NOISE_TIMES * float(np.median(off[shown]))))
        if other.sum() > RESTLESS * shown.sum():
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
                if is_tile or t - since_s >= STAYS_S:
                    self._seen[side][:, part] = now[side][:, part]
                    self._since[side, part] = np.inf
                if is_tile:
                    went += self._accept(self._find_place(side, first, last), since_s, tile_mm)
        same = (shown & ~other)[:, None] & free
        self._seen[same] += FADES * (now - self._seen)[same]
        news = []
        for at_s in sorted(went):
            if at_s - self._went_s >= AT_ONCE_S:
                self._went_s = at_s
                news.append(at_s)
        return tuple(news)

    def _is_tile(self, side: int, first: int, last: int, shown: Mask, tile_mm: float, t: float) -> bool:
        """Whether what differs there may be a tile that went."""
        assert self._since is not None
        margin = round(MARGIN_MM / PX_MM)
        if not shown[side, max(0, first - margin) : last + margin].all():
            return False
        since = self._since[side, first:last]
        settled = t - since[np.isfinite(since)].max() >= SETTLED_S
        return bool(settled and WIDTHS[0] <= (last - first) * PX_MM / tile_mm <= WIDTHS[1])

    def _accept(self, place: tuple[float, float], at_s: float, tile_mm: float) -> list[float]:
        """When tiles went, by one that may have gone from there: none where nothing went beside it before."""
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
        u, v = ((first + last - 1) / 2 + 0.5) * PX_MM - REACH_MM, self._lines_mm[side]
        return [(u, -v), (v, u), (-u, v), (-v, -u)][side]

    def _cut(self, picture: NDArray[Kind]) -> NDArray[Kind]:
        """The parts (4, H, W) of a picture (SIDE, SIDE) along the walls, each with its player below."""
        assert self._lines_mm is not None
        middle, wide, high = SIDE // 2, round(REACH_MM / PX_MM), round(HALF_MM / PX_MM)
        parts = []
        for side, line in enumerate(self._lines_mm):
            row = middle + round(line / PX_MM)
            turned = np.rot90(picture, -side)
            parts.append(turned[row - high : row + high, middle - wide : middle + wide])
        return np.stack(parts)


def lies_in_wall(place_mm: NDArray[np.float64], lines_mm: Sequence[float], within_mm: float) -> bool:
    """Whether a place (2,) is so near to where a wall stands. lines_mm: how far each side's wall is from the
    middle."""
    x, y = place_mm.tolist()
    places = [see_from(side, x, y) for side in range(4)]
    return any(
        hypot(max(0.0, abs(u) - REACH_MM), v - line) < within_mm
        for (u, v), line in zip(places, lines_mm, strict=True)
    )


def _find_line(away_mm: NDArray[np.float64], scale: float) -> float | None:
    """How far the walls are from the middle, by how far backs are on the axis on which they are farther."""
    within = (away_mm > WALL_WITHIN_MM[0] * scale) & (away_mm < WALL_WITHIN_MM[1] * scale)
    sure = np.sort(away_mm[within])
    counts = np.searchsorted(sure, sure + 2 * LINE_BLUR_MM, "right") - np.arange(len(sure))
    if not len(sure) or counts.max() < LINE_LEAST:
        return None
    first = int(counts.argmax())
    return float(np.median(sure[first : first + counts[first]]))


def _find_side_line(backs_mm: NDArray[np.float64], side: int, line_mm: float) -> float:
    """How far the wall of that side is from the middle; the others' where that is not seen. From a corner the
    walls of two sides seem farther off than the other two, and people do not put all equally far."""
    out = backs_mm @ np.array([(0, -1), (1, 0), (0, 1), (-1, 0)][side], np.float64)
    own = np.sort(out[(out >= np.abs(backs_mm).max(axis=1)) & (np.abs(out - line_mm) < ASKEW_MM)])
    counts = np.searchsorted(own, own + LINE_BLUR_MM, "right") - np.arange(len(own))
    if not len(own) or counts.max() < SIDE_LEAST:
        return line_mm
    first = int(counts.argmax())
    return float(np.median(own[first : first + counts[first]]))


def _is_near(one: Sequence[float], other: Sequence[float], tile_mm: float) -> bool:
    return hypot(one[0] - other[0], one[1] - other[1]) < BESIDE * tile_mm


def _find_runs(marked: Mask, gap: int) -> Iterable[tuple[int, int]]:
    """First and last + 1 of the runs of marked places, gaps of up to `gap` being part of them."""
    runs: list[tuple[int, int]] = []
    for at in np.flatnonzero(marked).tolist():
        if runs and at - runs[-1][1] <= gap:
            runs[-1] = runs[-1][0], at + 1
        else:
            runs.append((at, at + 1))
    return runs
