"""Tables straightened to small squares, as the ranker sees them.

A way to see a table is right if such a patch shows one square table, whole and nothing around it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.arrays import Floats
from companion.vision.candidates import Candidates

RANKER_PX, RANKER_CHANNELS = 96, 6
"""Sides of a patch, and what it holds of each place."""
SQUARE_PX = 68
"""Side of the table in the middle of its patch: what is around it shows whether it ends there."""
LOW, HIGH = (RANKER_PX - SQUARE_PX) / 2, (RANKER_PX + SQUARE_PX) / 2
SQUARE = np.array([[LOW, HIGH], [HIGH, HIGH], [HIGH, LOW], [LOW, LOW]])
"""The corners of the table in its patch."""
STEPS = np.arange(RANKER_PX)
LARGE_PX, HALVINGS, FINER = 480, 2, 1.2
"""Longer side of the largest picture from which patches are cut; how often it is halved; and by how much a
table is wider there than in its patch, at least."""
OUTLINE_BITS = 4
"""Outlines of tiles are drawn to parts of a pixel of this number of bits."""


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """A picture, and what was found in it, at several sizes. shown: of each size the picture (h, w, 3), and
    faces, backs and the extent of the picture (h, w, 3); scales: their shares of the whole size."""

    shown: tuple[tuple[Image, Image], ...]
    scales: tuple[float, ...]

    @classmethod
    def of(cls, image: Image, tiles: Candidates) -> Layers:
        """Those of a picture (H, W, 3) with these tiles."""
        scale = min(1.0, LARGE_PX / max(image.shape[:2]))
        size = max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale))
        small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        faces, backs = np.zeros((2, size[1], size[0]), np.uint8)
        for quad, score, back in zip(tiles.quads * scale, tiles.scores, tiles.back_shares, strict=True):
            outline = np.round(quad * 2**OUTLINE_BITS).astype(np.int32)
            level = float(np.clip(255 * score, 0, 255))
            cv2.fillConvexPoly(backs if back > 0.5 else faces, outline, level, cv2.LINE_AA, OUTLINE_BITS)
        found = np.dstack([faces, backs, np.full_like(faces, 255)])
        shown, scales = [(small, found)], [scale]
        for _ in range(HALVINGS):
            small, found = _halve(small), _halve(found)
            scales.append(scale * small.shape[1] / size[0])
            shown.append((small, found))
        return cls(tuple(shown), tuple(scales))

    def cut(self, corners: Floats) -> NDArray[np.uint8]:
        """The patch (RANKER_PX, RANKER_PX, RANKER_CHANNELS) of a table with these corners (4, 2) px, from the
        left end of its lower edge counterclockwise: blue, green, red, faces, backs, and 255 where the picture
        holds it."""
        side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
        level = max(
            (k for k, scale in enumerate(self.scales) if side * scale >= FINER * SQUARE_PX), default=0
        )
        to_picture = cv2.getPerspectiveTransform(
            SQUARE.astype(np.float32), (corners * self.scales[level]).astype(np.float32)
        )
        flags, size = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (RANKER_PX, RANKER_PX)
        seen = np.dstack([
            cv2.warpPerspective(part, to_picture, size, flags=flags) for part in self.shown[level]
        ])  # fmt: skip
        # beyond the horizon the picture comes again, upside down
        depth = to_picture[2, 0] * STEPS + (to_picture[2, 1] * STEPS + to_picture[2, 2])[:, None]
        seen[depth * depth[RANKER_PX // 2, RANKER_PX // 2] <= 0] = 0
        return np.asarray(seen, np.uint8)


def _halve(picture: Image) -> Image:
    size = max(1, picture.shape[1] // 2), max(1, picture.shape[0] // 2)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
