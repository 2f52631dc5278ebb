"""A physical tile set: size, body colours and the pictures on its faces.

Faces are given as pictures by whoever builds the set, so the same renderer shows the house set, procedural
styles and photographed faces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from lab.scenes.geometry import Floats

TEXTURE_PX = (144, 192)  # width, height of a face texture before it is warped


@lru_cache(maxsize=256)
def round_mask(width: int, height: int, radius: float, inset: int = 0) -> NDArray[np.float32]:
    """Coverage (height, width) in 0..1 of a rectangle with round corners; not to be written to."""
    scale = 4
    mask = np.zeros((height * scale, width * scale), np.uint8)
    r = max(1, int(radius * scale))
    i = inset * scale
    x1, y1 = width * scale - 1 - i, height * scale - 1 - i
    cv2.rectangle(mask, (i + r, i), (x1 - r, y1), 255, -1)
    cv2.rectangle(mask, (i, i + r), (x1, y1 - r), 255, -1)
    for x in (i + r, x1 - r):
        for y in (i + r, y1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    smooth: NDArray[np.float32] = cv2.resize(
        mask, (width, height), interpolation=cv2.INTER_AREA
    ) / np.float32(255)
    smooth.flags.writeable = False
    return smooth


def _make_pyramid(texture: Image) -> tuple[Image, ...]:
    levels = [texture]
    while levels[-1].shape[0] > 16:
        height, width = levels[-1].shape[:2]
        half = cv2.resize(levels[-1], (max(8, width // 2), height // 2), interpolation=cv2.INTER_AREA)
        levels.append(half.astype(np.uint8, copy=False))
    return tuple(levels)


@dataclass(frozen=True, eq=False)
class TileBodies:
    """A set of tiles.

    size_mm: (3,) width, height, depth; faces: code → BGRA picture of any size, its background
    transparent or not;
    front, rear: BGR colours of the face layer and of the back layer; split: share of the depth that is
    `front`; corner: corner radius in tile widths; bevel: darkening of the face's rim, 0..1; gloss: polish in
    the light of a room, 0..1; texture_px: width, height of a face before it is seen."""

    size_mm: Floats
    faces: Mapping[str, Image]
    front: tuple[int, int, int]
    rear: tuple[int, int, int]
    split: float = 0.6
    corner: float = 0.09
    bevel: float = 0.15
    back_pattern: Image | None = None
    gloss: float = 0.0
    texture_px: tuple[int, int] = TEXTURE_PX

    @cached_property
    def _sides(self) -> dict[tuple[bool, bool], tuple[Image, ...]]:
        return {}

    def side_texture(self, long: bool, height_px: float, rimmed: bool = True) -> Image:
        """BGRA texture of a narrow side, back layer above and face layer below: of the long sides or of the
        short ones. rimmed: with dark rims and round corners of its own, as light without shades needs."""
        if (long, rimmed) not in self._sides:
            edge = self.texture_px[1] if long else self.texture_px[0]
            depth = max(16, round(edge * self.size_mm[2] / self.size_mm[1 if long else 0]))
            self._sides[long, rimmed] = _make_pyramid(self._make_banded(edge, depth, rimmed))
        levels = self._sides[long, rimmed]
        fitting = [level for level in levels if level.shape[0] >= height_px * 0.9]
        return fitting[-1] if fitting else levels[0]

    def _make_banded(self, edge: int, depth: int, rimmed: bool) -> Image:
        canvas: NDArray[np.float32] = np.full((depth, edge, 3), self.front, np.float32)
        seam = round(depth * (1 - self.split))
        canvas[:seam] = self.rear
        canvas[max(0, seam - 1) : seam + 1] *= 0.85
        if not rimmed:
            return np.dstack([canvas, np.full((depth, edge), 255)]).astype(np.uint8)
        radius = self.corner * self.texture_px[0] * 0.7
        inner = cv2.GaussianBlur(round_mask(edge, depth, radius, inset=2), (0, 0), edge * 0.018)
        canvas *= (0.98 - 0.8 * self.bevel * (1 - inner))[:, :, None]
        return np.dstack([np.clip(canvas, 0, 255), round_mask(edge, depth, radius) * 255]).astype(np.uint8)

    @cached_property
    def _cache(self) -> dict[str, tuple[Image, ...]]:
        return {}

    def texture(self, code: str, height_px: float) -> Image:
        """BGRA texture of a face, or of the "back", from the pyramid level that suits `height_px`."""
        if code not in self._cache:
            self._cache[code] = _make_pyramid(self._compose(code))
        levels = self._cache[code]
        fitting = [level for level in levels if level.shape[0] >= height_px * 0.9]
        return fitting[-1] if fitting else levels[0]

    def _compose(self, code: str) -> Image:
        width, height = self.texture_px
        colour = self.rear if code == "back" else self.front
        canvas: NDArray[np.float32] = np.full((height, width, 3), colour, np.float32)
        picture = self.back_pattern if code == "back" else self.faces[code]
        if picture is not None:
            drawn = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
            cover = drawn[:, :, 3:] / 255
            canvas = (canvas * (1 - cover) + drawn[:, :, :3] * cover).astype(np.float32)
        radius = self.corner * width
        inner = cv2.GaussianBlur(round_mask(width, height, radius, inset=3), (0, 0), width * 0.02)
        canvas *= (1 - self.bevel * (1 - inner))[:, :, None]
        alpha = round_mask(width, height, radius) * 255
        return np.dstack([np.clip(canvas, 0, 255), alpha]).astype(np.uint8)
