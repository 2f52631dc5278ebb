"""What time and the engraver's machine do to a painted face: placement, wobble of the cut, wear, and a
shaded edge.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.images import Image
from lab.art.canvas import FACE_H
from lab.art.style import Finish

NOISE_PX = 256


@lru_cache(maxsize=64)
def _noise(number: int, cells: int) -> npt.NDArray[np.float32]:
    """Smooth noise from 0 to 1, (256, 256); `cells` says how fine it is."""
    coarse = np.random.default_rng((number, cells)).random((cells, cells), np.float32)
    return cv2.resize(coarse, (NOISE_PX, NOISE_PX), interpolation=cv2.INTER_CUBIC).astype(np.float32)


def _field(number: int, cells: int, shape: tuple[int, int]) -> npt.NDArray[np.float32]:
    return cv2.resize(_noise(number % 16, cells), shape[::-1], interpolation=cv2.INTER_LINEAR).astype(
        np.float32
    )


def place(
    pixels: Image, finish: Finish, seed: int, scale: float, shrink: float = 1.0, lower: float = 0.0
) -> Image:
    """Scale, shift, turn and wobble a premultiplied face about its middle; scale is px per face unit;
    shrink and lower (face units) make room for an index.
    """
    h, w = pixels.shape[:2]
    turn = math.radians(finish.turn)
    size = finish.size * shrink
    sx, sy = size * finish.aspect, size / finish.aspect
    forward = np.array(
        [[sx * math.cos(turn), -sy * math.sin(turn)], [sx * math.sin(turn), sy * math.cos(turn)]]
    )
    back = np.linalg.inv(forward)
    middle = np.array([w / 2, h / 2])
    origin = middle - back @ (middle + (np.array(finish.shift) + np.array((0.0, lower))) * scale)
    if finish.wobble <= 0:
        matrix = np.hstack([back, origin[:, None]])
        return cv2.warpAffine(pixels, matrix, (w, h), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP).astype(
            np.uint8
        )
    x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    cells = 5 + seed % 4
    bend = finish.wobble * scale * 2
    from_x = (
        back[0, 0] * x + back[0, 1] * y + origin[0] + bend * (_field(seed, cells, (h, w)) - 0.5)
    ).astype(np.float32)
    from_y = (
        back[1, 0] * x + back[1, 1] * y + origin[1] + bend * (_field(seed // 16, cells, (h, w)) - 0.5)
    ).astype(np.float32)
    return cv2.remap(pixels, from_x, from_y, cv2.INTER_LINEAR).astype(np.uint8)


def weather(face: Image, finish: Finish, seed: int) -> Image:
    """Wear, wash out, grain and edge a plain BGRA face (H, W, 4)."""
    if not (finish.wear or finish.edge or finish.grain) and finish.wash == 1.0:
        return face
    h, w = face.shape[:2]
    alpha = face[:, :, 3].astype(np.float32)
    colour = face[:, :, :3].astype(np.float32)
    if finish.edge:
        reach = 1.2 * h / FACE_H
        dx, dy = (reach * f(math.radians(finish.edge_angle)) for f in (math.cos, math.sin))
        moved = cv2.warpAffine(alpha, np.array([[1, 0, dx], [0, 1, dy]]), (w, h), flags=cv2.INTER_LINEAR)
        rim = np.clip(alpha - moved, 0, 255) / 255.0 * finish.edge
        lit = np.clip(moved - alpha, 0, 255) / 255.0
        colour *= 1 - rim[:, :, None]
        glow = lit * (1 - alpha / 255.0) * finish.edge * 90
        share = (glow / np.maximum(alpha + glow, 1.0))[:, :, None]
        colour = colour * (1 - share) + 255 * share
        alpha = np.minimum(alpha + glow, 255)
    if finish.grain:
        colour += (np.random.default_rng(seed).standard_normal((h, w, 1), np.float32)) * (255 * finish.grain)
    if finish.wear:
        rough = 0.65 * _field(seed, 24, (h, w)) + 0.35 * _field(seed // 7, 90, (h, w))
        alpha *= 1 - finish.wear * np.clip((rough - 0.45) * 3, 0, 1)
    alpha *= finish.wash
    worn: Image = np.clip(np.dstack([colour, alpha]) + 0.5, 0, 255).astype(np.uint8)
    return worn
