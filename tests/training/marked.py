"""Pictures whose every tile tells which way is up, and whose every pixel tells where it was."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.finder_data import FACE, FinderPicture
from models.training.pictures import LabelledPicture

GREYS = (20, 90, 160, 230)
"""Of a face's quarters, clockwise from the top left: mirrored, they come in an order that no turn gives."""


def quad_at(x: float, y: float, width: float = 48, height: float = 64, angle: float = 0.0) -> np.ndarray:
    """A tile (4, 2) px with its middle at (x, y), turned clockwise by `angle` radians."""
    c, s = np.cos(angle), np.sin(angle)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
    return corners @ np.array([[c, s], [-s, c]]) + [x, y]


def marked(quads: np.ndarray, side: int = 256) -> np.ndarray:
    """A (side, side, 3) picture with a face of four grey quarters on every quad."""
    face = np.repeat(np.repeat(np.array([GREYS[:2], GREYS[:1:-1]], np.uint8), 32, axis=0), 32, axis=1)
    source = np.array([[0, 0], [64, 0], [64, 64], [0, 64]], np.float32) - 0.5
    picture = np.full((side, side), 125, np.uint8)
    for quad in quads:
        matrix = cv2.getPerspectiveTransform(source, (quad - 0.5).astype(np.float32))
        cv2.warpPerspective(face, matrix, (side, side), picture, borderMode=cv2.BORDER_TRANSPARENT)
    return np.repeat(picture[:, :, None], 3, axis=2)


def placed() -> np.ndarray:
    """A (256, 256, 3) picture in which pixel (x, y) is (x, y, 0)."""
    x, y = np.meshgrid(np.arange(256), np.arange(256))
    return np.dstack([x, y, np.zeros_like(x)]).astype(np.uint8)


def label_picture(
    picture: np.ndarray, quads: np.ndarray, codes: tuple[str, ...], kinds: tuple[int, ...] = ()
) -> LabelledPicture:
    """A picture in which every tile and back is labelled, with its outline."""
    content = cv2.imencode(".png", picture)[1].tobytes()
    count = len(quads)
    labelled = FinderPicture(
        content, quads, np.array(kinds or (FACE,) * count, int), np.ones(count, bool), True, True
    )
    return LabelledPicture(labelled, codes, True)


def quarters(crop: np.ndarray) -> list[float]:
    """How light the quarters of a square crop are, clockwise from the top left."""
    grey, half = crop.astype(float).mean(axis=2), crop.shape[0] // 2
    parts = grey[:half, :half], grey[:half, half:], grey[half:, half:], grey[half:, :half]
    return [float(part.mean()) for part in parts]
