"""A lens that bends straight lines, as wide ones of webcams do, before a film's camera.

Its model is OpenCV's polynomial, not that of what follows films: a correction is not measured by its own
inverse.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from lab.scenes.geometry import Floats

FARTHEST = 3.0
"""Tangent of the widest angle from the axis that any lens here sees."""


@dataclass(frozen=True, eq=False)
class WideLens:
    """k1: OpenCV's first radial coefficient, below 0 where straight lines bulge outwards; focal_px, width,
    height: of the pictures, about whose middle they are bent."""

    k1: float
    focal_px: float
    width: int
    height: int

    def bend(self, px: Floats) -> Floats:
        """Where it shows what a perfect lens shows at px (..., 2)."""
        off = (px - self._middle) / self.focal_px
        squared = (off * off).sum(axis=-1, keepdims=True)
        return np.asarray(off * (1 + self.k1 * squared) * self.focal_px + self._middle, np.float64)

    def bend_picture(self, image: Image) -> Image:
        """A picture (H, W, 3) as this lens shows it; what was not drawn beyond its edges is mirrored."""
        if self.k1 == 0:
            return image
        x, y = self._maps
        seen = cv2.remap(image, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
        return np.asarray(seen, np.uint8)

    @cached_property
    def _middle(self) -> Floats:
        return np.array([self.width, self.height]) / 2

    @cached_property
    def _maps(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Where each pixel of a bent picture is in a perfect lens's."""
        flat = np.linspace(0, FARTHEST, 3001)
        bent = flat * (1 + self.k1 * flat**2)
        turns = np.flatnonzero(np.diff(bent) <= 0)  # from there on the polynomial is no lens's
        count = int(turns[0]) + 1 if len(turns) else len(flat)
        y, x = np.mgrid[0 : self.height, 0 : self.width] + 0.5
        off = (np.stack([x, y], axis=-1) - self._middle) / self.focal_px
        far = np.maximum(np.linalg.norm(off, axis=-1, keepdims=True), 1e-9)
        px = off / far * np.interp(far, bent[:count], flat[:count]) * self.focal_px + self._middle - 0.5
        return px[..., 0].astype(np.float32), px[..., 1].astype(np.float32)
