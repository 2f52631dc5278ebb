"""What is neither bare cloth nor a known tile: it is looked at a few times more, each time otherwise.

The finder may miss a tile in one look; as nothing changes there any more, nothing else would bring it back.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.seeing.plane import PX_MM, SIDE, Mask

SCALES = (0.6, 1.4, 0.8)
"""How large tiles are shown to the finder in these looks."""
SOON_S, EVERY_S = 0.1, 0.3
"""After something changed there, and between two looks."""
LEAST_PX = 55
"""Of the small picture: a quarter of a tile."""
NARROW_PX = 5
"""What is narrower is the edge of something known."""
MIDDLE_MM = 230.0
"""No farther from the middle of the table discards lie. They go first: what arms and sleeves leave at the
edges changes all the time, and would have every look."""


class Puzzles:
    """The places to be looked at again, in the table's small picture."""

    def __init__(self) -> None:
        self._left = np.zeros((SIDE, SIDE), np.uint8)
        self._due_s = np.inf

    def note(self, read: Mask, strange: Mask, t: float) -> None:
        """What was read at that second, and what of it is strange."""
        self._left[read] = 0
        narrow = np.ones((NARROW_PX, NARROW_PX), np.uint8)
        wide = cv2.morphologyEx((strange & read).astype(np.uint8), cv2.MORPH_OPEN, narrow)
        self._left[wide > 0] = len(SCALES)
        self._due_s = min(self._due_s, t + SOON_S) if self._left.any() else np.inf

    def settle(self, known: Mask) -> None:
        """These places are no puzzle any more."""
        self._left[known] = 0

    def choose(self, still: Mask, t: float) -> tuple[Mask, float] | None:
        """The place to be looked at now, and how large its tiles are to be shown; None: none for now."""
        if t < self._due_s:
            return None
        self._due_s = t + EVERY_S
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
                if stats[label, cv2.CC_STAT_AREA] < LEAST_PX:
                    self._left[place] = 0
                elif still[place].all():
                    if abs(middles[label] - SIDE / 2).max() * PX_MM <= MIDDLE_MM:
                        return self._look_at(place, left)
                    others.append((place, left))
        return self._look_at(*others[0]) if others else None

    def _look_at(self, place: Mask, left: int) -> tuple[Mask, float]:
        self._left[place] -= 1
        return place, SCALES[len(SCALES) - left]
