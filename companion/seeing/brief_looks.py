"""What lay still for a moment only, between two arms: it is read in the picture before the second one came.

A discard may be taken at once. It lies there for two or three pictures then, which is too short to be called
still; but once something moves there again, nothing better will come.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.images import Image
from companion.seeing.plane import PX_MM, SIDE, Grey, Mask
from companion.seeing.stillness import Times

QUIET_S = 0.09
"""What has not moved for so long may be a tile that lies there, and not one that is carried."""
AREA_PX = 110, 700
"""Of the small picture: half a tile, and a tile with its sides and shadow, seen from aside."""
MIDDLE_MM = 230.0
"""No farther from the middle of the table discards lie."""
COVERED_AGAIN = 0.2
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
        """Take in the picture of a second, in which everything moved last at those (SIDE, SIDE)."""
        self.image, self.grey, self.quiet = image, grey, t - moved_s >= QUIET_S

    def find(self, unread: Mask, moving: Mask) -> Mask | None:
        """The places that were quiet in the last picture, were not read in it, and move now; None for none.
        unread: of the last picture; moving: now."""
        if self.quiet is None or not (unread & moving).any():
            return None
        count, labels, stats, middles = cv2.connectedComponentsWithStats(
            (unread & self.quiet).astype(np.uint8)
        )
        found = np.zeros((SIDE, SIDE), bool)
        for label in range(1, count):
            near = np.abs(middles[label] - SIDE / 2).max() * PX_MM <= MIDDLE_MM
            if near and AREA_PX[0] <= stats[label, cv2.CC_STAT_AREA] <= AREA_PX[1]:
                place = labels == label
                if moving[place].mean() >= COVERED_AGAIN:
                    found |= place
        return found if found.any() else None
