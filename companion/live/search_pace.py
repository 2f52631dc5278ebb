"""When the table is looked for: often at first, and ever more seldom while pictures show nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image

LOOK_EVERY_S, LOOK_MOST_S = 0.5, 4.0
"""So often the table is looked for, which takes longer than following it does; and so often at least."""
PATIENT_LOOKS = 12
"""After so many looks in vain the wait grows, twice as long after each."""
SMALL, OTHER_LEVELS = (32, 18), 12.0
"""Pictures are compared this small; they show something else where they differ by so many grey levels, as
where the camera is turned or a lamp is switched on: an arm changes less."""


@dataclass(slots=True)
class SearchPace:
    """Of one camera."""

    _looked_s: float | None = None
    _in_vain: int = 0
    _shown: NDArray[np.uint8] | None = None

    def is_due(self, image: Image, t: float) -> bool:
        """Whether to look now, at second t, in this picture (H, W, 3)."""
        waited_s = np.inf if self._looked_s is None or t < self._looked_s else t - self._looked_s
        if waited_s < LOOK_EVERY_S:
            return False
        shown = np.asarray(cv2.resize(image, SMALL, interpolation=cv2.INTER_AREA), np.uint8)
        if self._shown is None or float(cv2.absdiff(shown, self._shown).mean()) >= OTHER_LEVELS:
            self._shown, self._in_vain = shown, 0
        if waited_s < LOOK_EVERY_S * 2 ** max(0, self._in_vain - PATIENT_LOOKS) and waited_s < LOOK_MOST_S:
            return False
        self._looked_s = t
        self._in_vain += 1
        return True

    def begin(self) -> None:
        """Another search begins."""
        self._in_vain = 0
