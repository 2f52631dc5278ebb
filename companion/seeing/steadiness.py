"""Whether a camera's pictures can be used: bumps, focus, light. A bump is compensated."""

from __future__ import annotations

import cv2
import numpy as np

from companion.seeing.aligning import LEAST_MM, MOST_MM, find_movement, measure_movement_mm, turn_camera
from companion.seeing.plane import Grey, Mask, Plane, mark_edges
from companion.seeing.stillness import SPARSE, Times, compare_light, measure_sharpness
from companion.seeing.table_camera import TableCamera
from companion.sentences import msgid

TEXTURED = 30
"""Grey levels from one pixel to the next from which on a place is no plain cloth: if the camera moves, it
does."""
JUMP_SHARE, CALM_SHARE = 0.4, 0.15
"""Share of such places that move when the camera does, and below which it stands still again."""
CALM_S = 0.18
ALIGN_EVERY_S = 2.0
"""How often a camera that seems to stand is compared with how it stood."""
CHANGED_MUCH, ALIGN_SOON_S = 0.02, 0.25
"""Where this share of the picture has changed, and lies still, it is compared sooner."""
FITS_BETTER = 0.95
"""A camera has moved only where the table as it was read, moved likewise, differs by no more than this share
of what it differed by: shadows move when lamps are switched, and corners with them."""
SHAKES_MOST_S = 2.0
BLURRED, BLURRED_MOST_S = 0.75, 3.0
"""A picture is out of focus below this share of the usual sharpness; after so many seconds that is usual."""
EDGE_MM = 30.0
"""So far inside and outside the table's edges little moves: what is seen there says where the camera is."""
MOVED_SHARE, LOST_S = 0.6, 1.5
"""The camera has been moved where this share of what the edges showed is another; after so long that is said.
Arms and heads change 0.4 of it at most in drawn films, a lens out of focus less, a camera that was turned 0.8
and more."""
EDGES_LEAST = 500
"""Pixels of the edges must show something for that; where fewer do, all that is seen counts."""
DARK_LEVEL, BRIGHT_LEVEL, BRIGHT_MOST, PLAIN_LEVELS = 10, 250, 0.6, 3.0
TOO_DARK = msgid("the picture is too dark")
TOO_BRIGHT = msgid("the picture is overexposed")
IS_COVERED = msgid("the camera is covered")
MOVED_AWAY = msgid("the camera was moved: looking for the table")
OTHER_SIZE = msgid("the camera's picture has another size than before")
SHAKES = msgid("the camera shakes")


class Steadiness:
    """Watches one camera."""

    def __init__(self) -> None:
        self._jump_s = -np.inf
        self._jumping_since: float | None = None
        self._aligned_s = -np.inf
        self._sharpness = 0.0
        self._blurred_since: float | None = None
        self._moved_since: float | None = None

    @property
    def is_calm(self) -> bool:
        """Whether the table is where it was: neither does most of the picture show something else, nor is
        the camera's place, after it moved, still to be found."""
        return self._moved_since is None and bool(np.isfinite(self._aligned_s))

    def is_shaking(self, read: Grey, moved_s: Times, t: float) -> bool:
        """Whether the whole picture moves, or did just now. read: the table as it was read last; moved_s:
        when each pixel last moved."""
        textured = _find_texture(read)
        count = int(np.count_nonzero(textured))
        moving = int(np.count_nonzero(textured & (moved_s == t))) / max(1, count)
        if moving > JUMP_SHARE or (moving > CALM_SHARE and t - self._jump_s < CALM_S):
            if self._jumping_since is None:
                self._jumping_since = t
            self._jump_s = t
            self._aligned_s = -np.inf
        elif t - self._jump_s >= CALM_S:
            self._jumping_since = None
        return t - self._jump_s < CALM_S

    def shakes_long(self, t: float) -> bool:
        """Whether it has been moving for too long."""
        return self._jumping_since is not None and t - self._jumping_since > SHAKES_MOST_S

    def align(
        self, plane: Plane, read: Grey, grey: Grey, still: Mask, changed: Mask, t: float
    ) -> TableCamera | None:
        """The camera as it stands now, where it has been bumped since the table was read. changed: where the
        table is not as it was then."""
        much = np.count_nonzero(changed & still) > CHANGED_MUCH * np.count_nonzero(plane.seen)
        if t - self._aligned_s < (ALIGN_SOON_S if much else ALIGN_EVERY_S):
            return None
        self._aligned_s = t
        shown = plane.seen & still
        movement = find_movement(read, grey, shown)
        if movement is None or not LEAST_MM < measure_movement_mm(movement) < MOST_MM:
            return None
        moved = cv2.warpPerspective(read, movement, read.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        before, after = (_differ(each, grey, shown) for each in (read, moved))
        return turn_camera(plane, movement) if after < FITS_BETTER * before else None

    def is_blurred(self, grey: Grey, t: float) -> bool:
        """Whether the picture is out of focus for the moment."""
        sharpness = measure_sharpness(grey)
        if sharpness >= BLURRED * self._sharpness:
            self._sharpness += 0.2 * (sharpness - self._sharpness)
            self._blurred_since = None
            return False
        if self._blurred_since is None:
            self._blurred_since = t
        if t - self._blurred_since > BLURRED_MOST_S:
            self._sharpness = sharpness
        return True

    def has_moved(self, plane: Plane, read: Grey, changed: Mask, t: float) -> bool:
        """Whether the camera stands elsewhere than when the table was read. changed: as for `align`, which
        comes first."""
        contrast = _find_texture(read) & plane.seen
        edges = contrast & mark_edges(EDGE_MM)
        shown = edges if np.count_nonzero(edges) >= EDGES_LEAST else contrast
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
    """How far one picture is from another, grey levels, but for the light."""
    lit = cv2.convertScaleAbs(before, alpha=compare_light(np.asarray(before, np.uint8), now))
    return float(cv2.absdiff(lit, now)[shown].mean())


def _find_texture(grey: Grey) -> Mask:
    contrast = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return np.asarray(contrast > TEXTURED, bool)


def find_trouble(grey: Grey, seen: Mask) -> str:
    """Why nothing can be seen in a small picture of the table; "" where it can."""
    pixels = grey[::SPARSE, ::SPARSE][seen[::SPARSE, ::SPARSE]]
    if float(np.percentile(pixels, 90)) < DARK_LEVEL:
        return TOO_DARK
    if float(np.mean(pixels >= BRIGHT_LEVEL)) > BRIGHT_MOST:
        return TOO_BRIGHT
    if float(pixels.std()) < PLAIN_LEVELS:
        return IS_COVERED
    return ""
