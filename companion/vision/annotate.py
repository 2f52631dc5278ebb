"""Draws a reading over its picture."""

from __future__ import annotations

import cv2
import numpy as np

from companion.images import Image
from companion.tiles import BACK
from companion.vision.reading import Reading

READ, UNSURE, FACE_DOWN = (80, 200, 60), (30, 140, 255), (200, 160, 60)  # BGR


def annotate(image: Image, reading: Reading) -> Image:
    """A copy of the (H, W, 3) BGR picture with every tile outlined and its code beside its upper edge, always
    inside the picture, which may be smaller than the one that was read."""
    drawn = image.copy()
    scale_down = image.shape[1] / reading.width
    for tile in reading.tiles:
        quad = np.array(tile.quad) * scale_down
        size = float(np.linalg.norm(quad[0] - quad[1]))
        thick = max(1, round(size / 28))
        colour = UNSURE if tile.is_unsure else FACE_DOWN if tile.code == BACK else READ
        cv2.polylines(drawn, [np.round(quad).astype(np.int32)], True, colour, thick, cv2.LINE_AA)
        scale = max(0.35, size / 75)
        (width, height), _ = cv2.getTextSize(tile.code, cv2.FONT_HERSHEY_DUPLEX, scale, thick)
        x, y = (int(v) for v in quad.min(axis=0))
        y = max(y, height + 4)
        cv2.rectangle(drawn, (x, y - height - 4), (x + width + 4, y), colour, -1)
        cv2.putText(
            drawn,
            tile.code,
            (x + 2, y - 2),
            cv2.FONT_HERSHEY_DUPLEX,
            scale,
            (0, 0, 0),
            max(1, thick // 2),
            cv2.LINE_AA,
        )
    return drawn
