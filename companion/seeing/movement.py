"""What moves or changes in the pictures of a camera, and which parts of the table are due to be read.

`Stillness`: since when each part has been still, and where it differs from what was read; changing light and
noise are no movement (`companion.vision.recogniser` does the same for any camera). `BriefLooks`: a tile that
was still only for a moment, between two arms, as a discard that is claimed at once: it is read in the picture
before the second arm. `Puzzles`: parts that are neither cloth nor a known tile, which nothing else would
bring back to the finder. `Steadiness`: bumps, focus and light; a bump is compensated by the one movement that
explains the picture.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.arrays import Floats, Grey, Mask
from companion.seeing.lens import PERFECT
from companion.seeing.sights import IS_COVERED, TOO_BRIGHT, TOO_DARK
from companion.seeing.table_camera import TableCamera
from companion.seeing.top_view import PX_MM, SIDE, TopView, mark_edges, to_places

STILL_S = 0.18
"""What has not moved for this time is still: three frames at ten a second, or four at fifteen."""
SPARSE = 6
"""Light, noise and sharpness are measured in every sixth pixel of every sixth row."""
DARK = 4.0
"""Grey levels added before the light of two pictures is compared."""
NOISE_TIMES = 6.0
CHANGE_MIN_LEVELS = 6.0
"""Differences below these grey levels, or this multiple of the noise, are ignored."""
RELIT_BY, LIT_S = 0.015, 1.5
"""The light has changed if most of the picture is this much lighter than before, as a logarithm; and how long
its effects last."""
LIGHT_PX, LIGHT_SAME, LIGHT_MAX = 21, 0.9, 0.3
"""Light differs little over this number of pixels; this share of the surroundings must look the same in it;
and it differs from the usual by less than this, as a logarithm."""
NOISE_GROWS = 0.1
"""Grey levels by which the noise may grow from one picture to the next."""
SHIFT_MOVING, SHIFT_READ = 0.5, 0.35
"""The same below this share of the contrast nearby: slightly out of focus, or off by half a pixel."""
WIDE_PX, WIDE_LEVELS = (7, 7), 14.0
"""A mean difference of these grey levels over half a tile is a change, whatever its contrast."""
BRIGHT, BRIGHT_SHARE = 245, 0.25
"""A pixel this bright may differ by this share: it is brighter than the camera can show."""

Times = NDArray[np.float64]
SETTLED_MIN_SHARE = 0.85
"""Share of a part of the table that must be still for it to be read: less is an arm."""
_SQUARE = np.ones((3, 3), np.uint8)


class Stillness:
    """Watches small pictures of the table, one after another."""

    def __init__(self) -> None:
        self.moved_s: Times = np.full((SIDE, SIDE), -np.inf)
        """When each pixel was last seen to move from one picture to the next."""
        self.noise = 0.0
        """The camera's noise, grey levels, as far as it is known."""
        self._measured = False
        self._lit_s = -np.inf
        self._past: deque[tuple[float, Grey]] = deque()

    def watch(self, t: float, grey: Grey) -> Mask:
        """Add the picture of a second; returns what is still."""
        still = np.ones((SIDE, SIDE), bool)
        if self._past:
            self._measure_noise(self._past[-1][1], grey)
            if abs(np.log(compare_light(self._past[0][1], grey))) > RELIT_BY:
                self._lit_s = t
            moving = mark_changes(self._past[-1][1], grey, SHIFT_MOVING, self.noise)
            self.moved_s[cv2.dilate(moving.astype(np.uint8), _SQUARE) > 0] = t
            while len(self._past) > 1 and self._past[1][0] <= t - STILL_S:
                self._past.popleft()
            # Something moves too slowly for two pictures in a row to show it.
            if len(self._past) > 1:
                still = ~mark_changes(self._past[0][1], grey, SHIFT_MOVING, self.noise)
        self._past.append((t, grey))
        return still & (t - self.moved_s >= STILL_S)

    def _measure_noise(self, before: Grey, now: Grey) -> None:
        """Learn the noise from two pictures. A bump, which makes a grainy cloth differ everywhere, is not
        noise."""
        measured = (
            float(np.median(_subtract(before, now)[1][::SPARSE, ::SPARSE])) * 1.48
        )  # for a normal distribution
        self.noise = min(measured, self.noise + NOISE_GROWS) if self._measured else measured
        self._measured = True

    def is_relit(self, t: float, within_s: float = LIT_S) -> bool:
        """Whether the light has changed recently."""
        return t - self._lit_s < within_s

    def forget(self) -> None:
        """Do not compare the next picture with earlier ones."""
        self._past.clear()

    def begin_with(self, t: float, grey: Grey) -> None:
        """Compare the next picture with this one of second t, which shows the same as the last: the camera
        has moved."""
        self._past.clear()
        self._past.append((t, grey))


def mark_changes(before: Grey, now: Grey, shift: float, noise: float) -> Mask:
    """Where two pictures differ, ignoring light, noise and a share `shift` of the contrast."""
    lit, difference = _subtract(before, now)
    contrast = cv2.morphologyEx(lit, cv2.MORPH_GRADIENT, _SQUARE)
    allowed = cv2.convertScaleAbs(contrast, alpha=shift, beta=max(CHANGE_MIN_LEVELS, NOISE_TIMES * noise))
    bright = cv2.convertScaleAbs(cv2.max(lit, now), alpha=BRIGHT_SHARE)
    bright[cv2.max(before, now) < BRIGHT] = 0
    changed = cv2.compare(difference, cv2.max(allowed, bright), cv2.CMP_GT)
    # A dotted tile on bare cloth differs little for its contrast, but over a wide place.
    wide = cv2.absdiff(cv2.blur(now, WIDE_PX), cv2.blur(lit, WIDE_PX))
    least = np.maximum(cv2.blur(bright, WIDE_PX), np.uint8(min(255.0, WIDE_LEVELS + noise)))
    return np.asarray((changed > 0) | (cv2.compare(wide, least, cv2.CMP_GT) > 0), bool)


def find_relit(before: Grey, now: Grey, noise: float) -> Mask:
    """Where only the light has changed, and not everywhere alike: as with another lamp."""
    one, other = (cv2.blur(grey.astype(np.float32), (LIGHT_PX, LIGHT_PX)) + DARK for grey in (before, now))
    ratio = cv2.divide(other, one)
    lit = np.clip((before + DARK) * ratio - DARK, 0, 255).astype(np.uint8)
    difference = cv2.absdiff(now, lit)
    contrast = cv2.morphologyEx(lit, cv2.MORPH_GRADIENT, _SQUARE)
    allowed = cv2.convertScaleAbs(
        contrast, alpha=SHIFT_READ, beta=max(CHANGE_MIN_LEVELS, NOISE_TIMES * noise)
    )
    same = cv2.blur((difference <= allowed).astype(np.float32), (5, 5)) > LIGHT_SAME
    return np.asarray(same & (np.abs(np.log(ratio / compare_light(before, now))) < LIGHT_MAX), bool)


def _subtract(before: Grey, now: Grey) -> tuple[Grey, Grey]:
    """The picture before in the light of now, and the difference of now from it, without the finest grain."""
    lit = cv2.convertScaleAbs(before, alpha=compare_light(before, now))
    difference = cv2.blur(cv2.subtract(now, lit, dtype=cv2.CV_16S), (3, 3))
    return np.asarray(lit, np.uint8), np.asarray(cv2.convertScaleAbs(difference), np.uint8)


def compare_light(before: Grey, now: Grey) -> float:
    """The ratio of the light now to before, in most of the picture."""
    one, other = (grey[::SPARSE, ::SPARSE].astype(np.float32) + DARK for grey in (before, now))
    return float(np.median(other / one))


def measure_sharpness(grey: Grey) -> float:
    """How steep its edges are, independent of the light."""
    edges = np.abs(cv2.Laplacian(grey, cv2.CV_16S, ksize=1))
    return float(np.percentile(edges[::3, ::3], 99)) / max(1.0, float(np.median(grey[::SPARSE, ::SPARSE])))


def choose_settled(unread: Mask, still: Mask) -> Mask:
    """The parts of the unread mask that are still as a whole: no part of a moving arm is read."""
    count, labels = cv2.connectedComponents(unread.astype(np.uint8))
    sizes = np.bincount(labels.ravel(), minlength=count)
    resting = np.bincount(labels[still], minlength=count)
    settled = resting >= SETTLED_MIN_SHARE * sizes
    settled[0] = False
    return np.asarray(settled[labels] & still, bool)


def drop_specks(mask: Mask) -> Mask:
    """The mask without anything narrower than three pixels."""
    return cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0


BRIEF_QUIET_S = 0.09
"""What has not moved for this time may be a tile on the table, and is not being carried."""
BRIEF_AREA_PX = 110, 700
"""Px of the small picture: half a tile, and a tile with its sides and shadow, seen at a slant."""
BRIEF_WITHIN_MM = 230.0
"""Discards are no farther from the middle of the table."""
BRIEF_COVERED_SHARE = 0.2
"""Share of such a place that must move again."""


@dataclass(slots=True)
class BriefLooks:
    """The last picture of the table. quiet: what had not moved in it for a moment."""

    image: Image | None = None
    grey: Grey | None = None
    quiet: Mask | None = None

    def forget(self) -> None:
        """The camera has moved."""
        self.image = self.grey = self.quiet = None

    def remember(self, image: Image, grey: Grey, moved_s: Times, t: float) -> None:
        """Keep the picture of a second; moved_s (SIDE, SIDE): when each pixel last moved."""
        self.image, self.grey, self.quiet = image, grey, t - moved_s >= BRIEF_QUIET_S

    def find(self, unread: Mask, moving: Mask) -> Mask | None:
        """The places that were quiet in the last picture, were not read in it, and move now; None if there
        are none. unread: of the last picture; moving: now."""
        if self.quiet is None or not (unread & moving).any():
            return None
        count, labels, stats, middles = cv2.connectedComponentsWithStats(
            (unread & self.quiet).astype(np.uint8)
        )
        found = np.zeros((SIDE, SIDE), bool)
        for label in range(1, count):
            near = np.abs(middles[label] - SIDE / 2).max() * PX_MM <= BRIEF_WITHIN_MM
            if near and BRIEF_AREA_PX[0] <= stats[label, cv2.CC_STAT_AREA] <= BRIEF_AREA_PX[1]:
                place = labels == label
                if moving[place].mean() >= BRIEF_COVERED_SHARE:
                    found |= place
        return found if found.any() else None


PUZZLE_SCALES = (0.6, 1.4, 0.8)
"""Sizes in which tiles are shown to the finder in these looks."""
PUZZLE_SOON_S, PUZZLE_EVERY_S = 0.1, 0.3
"""Seconds after a change there, and between two looks."""
PUZZLE_MIN_PX = 55
"""Px of the small picture: a quarter of a tile."""
PUZZLE_NARROW_PX = 5
"""Anything narrower is the edge of something known."""
PUZZLES_WITHIN_MM = 230.0
"""Discards are no farther from the middle of the table, and go first: arms and sleeves change the edges all
the time, and would take every look."""


class Puzzles:
    """The places that are due for another look, in the table's small picture."""

    def __init__(self) -> None:
        self._left = np.zeros((SIDE, SIDE), np.uint8)
        self._due_s = np.inf

    def note(self, read: Mask, strange: Mask, t: float) -> None:
        """What was read at that second, and what of it is neither cloth nor a known tile."""
        self._left[read] = 0
        narrow = np.ones((PUZZLE_NARROW_PX, PUZZLE_NARROW_PX), np.uint8)
        wide = cv2.morphologyEx((strange & read).astype(np.uint8), cv2.MORPH_OPEN, narrow)
        self._left[wide > 0] = len(PUZZLE_SCALES)
        self._due_s = min(self._due_s, t + PUZZLE_SOON_S) if self._left.any() else np.inf

    def settle(self, known: Mask) -> None:
        """These places are explained."""
        self._left[known] = 0

    def choose(self, still: Mask, t: float) -> tuple[Mask, float] | None:
        """The place to look at now, and the size in which its tiles are shown; None for none now."""
        if t < self._due_s:
            return None
        self._due_s = t + PUZZLE_EVERY_S
        most = int(self._left.max())
        if not most:
            self._due_s = np.inf
        others: list[tuple[Mask, int]] = []
        for left in range(most, 0, -1):
            count, labels, stats, middles = cv2.connectedComponentsWithStats(
                (self._left == left).astype(np.uint8)
            )
            for label in range(1, count):
                place = labels == label
                if stats[label, cv2.CC_STAT_AREA] < PUZZLE_MIN_PX:
                    self._left[place] = 0
                elif still[place].all():
                    if abs(middles[label] - SIDE / 2).max() * PX_MM <= PUZZLES_WITHIN_MM:
                        return self._choose_place(place, left)
                    others.append((place, left))
        return self._choose_place(*others[0]) if others else None

    def _choose_place(self, place: Mask, left: int) -> tuple[Mask, float]:
        self._left[place] -= 1
        return place, PUZZLE_SCALES[len(PUZZLE_SCALES) - left]


Points = NDArray[np.float32]
POINTS, POINTS_MIN = 240, 24
APART_PX = 8
QUALITY = 0.02
WINDOW_PX = (21, 21)
LEVELS = 3
RETURN_PX = 0.5
"""A point that is followed there and back must come back this near to its start; one that is gone does
not."""
INLIER_PX = 1.0
AGREEING_MIN = 0.5
"""Share of the points that must move alike; with fewer, something else is in the picture."""
BUMP_MIN_MM = 0.5
"""A smaller movement of the picture is not a movement of the camera."""
BUMP_MAX_MM = 120.0


def find_movement(before: Grey, now: Grey, seen: Mask) -> Floats | None:
    """The movement (3, 3) in px from one small picture of the table to another; None if none is found."""
    corners = cv2.goodFeaturesToTrack(before, POINTS, QUALITY, APART_PX, mask=seen.astype(np.uint8))
    if corners is None or len(corners) < POINTS_MIN:
        return None
    points = np.asarray(corners, np.float32).reshape(-1, 1, 2)
    found, there = _follow_points(before, now, points)
    back, again = _follow_points(now, before, found)
    kept = there & again & (np.linalg.norm(back - points, axis=2).ravel() < RETURN_PX)
    if kept.sum() < POINTS_MIN:
        return None
    movement, agreeing = cv2.findHomography(points[kept], found[kept], cv2.RANSAC, INLIER_PX)
    if movement is None or agreeing.sum() < AGREEING_MIN * kept.sum():
        return None
    return np.asarray(movement, np.float64)


def _follow_points(before: Grey, now: Grey, points: Points) -> tuple[Points, Mask]:
    """Where points (n, 1, 2) px of one picture are in another, and which of them (n,) were found."""
    found, status, _ = cv2.calcOpticalFlowPyrLK(
        before, now, points, np.empty_like(points), winSize=WINDOW_PX, maxLevel=LEVELS
    )
    return np.asarray(found, np.float32), np.asarray(status.ravel() == 1, bool)


def measure_movement_mm(movement: Floats) -> float:
    """The largest movement in the table's picture, mm."""
    edge = SIDE * 0.1
    corners = np.array([[edge, edge], [SIDE - edge, edge], [SIDE - edge, SIDE - edge], [edge, SIDE - edge]])
    moved = cv2.perspectiveTransform(corners[None], movement)[0]
    return float(np.linalg.norm(moved - corners, axis=1).max()) * PX_MM


def turn_camera(plane: TopView, movement: Floats) -> TableCamera:
    """The camera of a view after this movement of its small picture, px."""
    corners = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float64)
    moved = cv2.perspectiveTransform(corners[None], movement)[0]
    before, after = (_project(plane, px) for px in (corners, np.asarray(moved, np.float64)))
    picture = cv2.getPerspectiveTransform(before.astype(np.float32), after.astype(np.float32))
    return plane.camera.turn(np.asarray(picture, np.float64))


def _project(plane: TopView, px: Floats) -> Floats:
    """Where a perfect lens would show px (n, 2) of the view's small picture."""
    places = to_places(px)
    return replace(plane.camera, lens=PERFECT).project(
        np.column_stack([places, np.full(len(places), plane.height_mm)])
    )


TEXTURED_LEVELS = 30
"""Difference of neighbouring pixels, grey levels, that shows more than plain cloth: such places move when the
camera does."""
JUMP_SHARE, CALM_SHARE = 0.4, 0.15
"""Share of such places that move when the camera does; and the share below which it is still again."""
CALM_S = 0.18
ALIGN_EVERY_S = 2.0
"""How often a camera that seems still is compared with its place."""
CHANGED_MUCH, ALIGN_SOON_S = 0.02, 0.25
"""If this share of the picture has changed and is still, it is compared after the second time."""
PLACED_MAX_S = 3.0
"""After a jump nothing is read until it is known where the camera is, but no longer than this: arms may hide
what shows it."""
FITS_BETTER_SHARE = 0.95
"""A camera has moved only if the table as it was read, moved likewise, differs by less than this share of its
difference before: shadows move when lamps are switched, and corners with them."""
SHAKES_MAX_S = 2.0
BLURRED_SHARE, BLURRED_MAX_S = 0.75, 3.0
"""Below this share of the usual sharpness a picture is out of focus; after this time that sharpness counts as
usual."""
EDGE_BAND_MM = 30.0
"""Little moves within this distance inside and outside the table's edges, so that they show where the camera
is."""
MOVED_SHARE, LOST_S = 0.6, 1.5
"""The camera has been moved if this share of the edges has changed; it is reported after this time. On drawn
films arms and heads change 0.4 of it at most, a lens out of focus less, a turned camera 0.8 and more."""
EDGES_MIN_PX = 500
"""Least number of pixels at the edges that must show something; otherwise the whole picture counts."""
DARK_LEVEL, BRIGHT_LEVEL, BRIGHT_MAX_SHARE, PLAIN_LEVELS = 10, 250, 0.6, 3.0


class Steadiness:
    """Judges whether the pictures of a camera can be used, and where the camera is after a bump."""

    def __init__(self) -> None:
        self._jump_s = -np.inf
        self._is_placed = True
        self._jumping_since: float | None = None
        self._aligned_s = -np.inf
        self._sharpness = 0.0
        self._blurred_since: float | None = None
        self._moved_since: float | None = None

    @property
    def is_calm(self) -> bool:
        """Whether the table is where it was: most of the picture is unchanged, and the camera's place after a
        move is known."""
        return self._moved_since is None and bool(np.isfinite(self._aligned_s))

    def is_shaking(self, read: Grey, moved_s: Times, t: float) -> bool:
        """Whether the whole picture moves, or did just now. read: the table as it was last read; moved_s:
        when each pixel last moved."""
        textured = _find_texture(read)
        count = int(np.count_nonzero(textured))
        moving = int(np.count_nonzero(textured & (moved_s == t))) / max(1, count)
        if moving > JUMP_SHARE or (moving > CALM_SHARE and t - self._jump_s < CALM_S):
            if self._jumping_since is None:
                self._jumping_since = t
            self._jump_s = t
            self._aligned_s = -np.inf
            self._is_placed = False
        elif t - self._jump_s >= CALM_S:
            self._jumping_since = None
        return t - self._jump_s < CALM_S

    def is_placed(self, t: float) -> bool:
        """Whether the camera's place is known since it last jumped, or has been searched for long enough."""
        return self._is_placed or t - self._jump_s > PLACED_MAX_S

    def shakes_long(self, t: float) -> bool:
        """Whether it has been shaking for too long."""
        return self._jumping_since is not None and t - self._jumping_since > SHAKES_MAX_S

    def align(
        self, plane: TopView, read: Grey, grey: Grey, still: Mask, changed: Mask, t: float
    ) -> TableCamera | None:
        """The camera at its place now, if it has been bumped since the table was read. changed: where the
        table differs from then."""
        much = np.count_nonzero(changed & still) > CHANGED_MUCH * np.count_nonzero(plane.seen)
        if t - self._aligned_s < (ALIGN_EVERY_S if self._is_placed and not much else ALIGN_SOON_S):
            return None
        self._aligned_s = t
        shown = plane.seen & still
        movement = find_movement(read, grey, shown)
        self._is_placed |= movement is not None or not much
        if movement is None or not BUMP_MIN_MM < measure_movement_mm(movement) < BUMP_MAX_MM:
            return None
        moved = cv2.warpPerspective(read, movement, read.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        before, after = (_differ(each, grey, shown) for each in (read, moved))
        return turn_camera(plane, movement) if after < FITS_BETTER_SHARE * before else None

    def is_blurred(self, grey: Grey, t: float) -> bool:
        """Whether the picture is out of focus at the moment."""
        sharpness = measure_sharpness(grey)
        if sharpness >= BLURRED_SHARE * self._sharpness:
            self._sharpness += 0.2 * (sharpness - self._sharpness)
            self._blurred_since = None
            return False
        if self._blurred_since is None:
            self._blurred_since = t
        if t - self._blurred_since > BLURRED_MAX_S:
            self._sharpness = sharpness
        return True

    def has_moved(self, plane: TopView, read: Grey, changed: Mask, t: float) -> bool:
        """Whether the camera is not where it was when the table was read. changed: as for `align`, which
        comes first."""
        contrast = _find_texture(read) & plane.seen
        edges = contrast & mark_edges(EDGE_BAND_MM)
        shown = edges if np.count_nonzero(edges) >= EDGES_MIN_PX else contrast
        moved = bool(np.count_nonzero(changed & shown) > MOVED_SHARE * np.count_nonzero(shown))
        if not moved:
            self._moved_since = None
        elif self._moved_since is None:
            self._moved_since = t
        return moved

    def is_lost(self, t: float) -> bool:
        """Whether it has been elsewhere for some time."""
        return self._moved_since is not None and t - self._moved_since > LOST_S


def _differ(before: cv2.typing.MatLike, now: Grey, shown: Mask) -> float:
    """The mean difference of two pictures, grey levels, ignoring the light."""
    lit = cv2.convertScaleAbs(before, alpha=compare_light(np.asarray(before, np.uint8), now))
    return float(cv2.absdiff(lit, now)[shown].mean())


def _find_texture(grey: Grey) -> Mask:
    contrast = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return np.asarray(contrast > TEXTURED_LEVELS, bool)


def find_trouble(grey: Grey, seen: Mask) -> str:
    """Why nothing can be seen in a small picture of the table; "" if it can."""
    pixels = grey[::SPARSE, ::SPARSE][seen[::SPARSE, ::SPARSE]]
    if float(np.percentile(pixels, 90)) < DARK_LEVEL:
        return TOO_DARK
    if float(np.mean(pixels >= BRIGHT_LEVEL)) > BRIGHT_MAX_SHARE:
        return TOO_BRIGHT
    if float(pixels.std()) < PLAIN_LEVELS:
        return IS_COVERED
    return ""
