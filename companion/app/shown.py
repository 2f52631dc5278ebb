"""A picture as the window shows it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.images import Image

SIDE_MAX_PX = 2048
"""Longer side of the picture on the screen: every graphics chip in use takes a texture of that size."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownPicture:
    """`image` may be smaller than the `width` x `height` px that quads refer to."""

    image: Image
    width: int
    height: int


def shrink_to_show(image: Image) -> ShownPicture:
    """`image`, made smaller where no texture would take it."""
    height, width = image.shape[:2]
    return ShownPicture(shrink_to_fit(image, (SIDE_MAX_PX, SIDE_MAX_PX)), width, height)


def shrink_to_fit(image: Image, room: tuple[float, float]) -> Image:
    """`image`, made smaller where its width or height, px, is more than that of the room."""
    height, width = image.shape[:2]
    scale = min(room[0] / width, room[1] / height)
    if scale >= 1:
        return image
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
