"""Draw the product's pictures again: python -m lab.art.make writes companion/art/tiles/*.png, icon.png, and
the tiles of the served page.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.art import icon_png, tile_png
from companion.images import Image
from lab.art.faces import CODES
from lab.art.house import draw_house_tile
from lab.art.sprite import SPRITE, draw_sprite

ICON_PX = 512
PICTURES = (*CODES, "back", "?")


def draw_icon() -> Image:
    """The app's icon, (512, 512, 4) uint8 BGRA: a Red dragon and a peacock fanned on green cloth."""
    size = ICON_PX
    cloth = np.zeros((size, size, 4), np.float32)
    y = np.linspace(0, 1, size, dtype=np.float32)[:, None, None]
    cloth[:, :, :3] = np.array((92, 124, 30), np.float32) * (1 - y) + np.array((52, 74, 12), np.float32) * y
    mask = np.zeros((2 * size, 2 * size), np.uint8)
    r = 220
    cv2.rectangle(mask, (r, 0), (2 * size - r, 2 * size), 255, -1)
    cv2.rectangle(mask, (0, r), (2 * size, 2 * size - r), 255, -1)
    for corner in ((r, r), (2 * size - r, r), (r, 2 * size - r), (2 * size - r, 2 * size - r)):
        cv2.circle(mask, corner, r, 255, -1, cv2.LINE_AA)
    cloth[:, :, 3] = cv2.resize(mask, (size, size), interpolation=cv2.INTER_AREA)
    for code, middle, turn in (("1s", (176, 272), -13.0), ("7z", (332, 262), 9.0)):
        _lay(cloth, draw_house_tile(code, index=False), middle, turn, 0.88)
    picture: Image = np.clip(cloth + 0.5, 0, 255).astype(np.uint8)
    return picture


def _lay(
    ground: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    tile: Image,
    middle: tuple[int, int],
    turn: float,
    scale: float,
) -> None:
    """Lay a tile with its shadow on the ground, turned clockwise in degrees."""
    h, w = tile.shape[:2]
    matrix = cv2.getRotationMatrix2D((w / 2, h / 2), -turn, scale)
    matrix[:, 2] += (middle[0] - w / 2, middle[1] - h / 2)
    size = (ground.shape[1], ground.shape[0])
    alpha = tile[:, :, 3:].astype(np.float32) / 255
    premultiplied = np.concatenate([tile[:, :, :3] * alpha, alpha * 255], axis=2)
    laid = cv2.warpAffine(premultiplied, matrix, size, flags=cv2.INTER_AREA)
    shadow = cv2.GaussianBlur(np.roll(laid[:, :, 3], (14, 8), (0, 1)), (0, 0), 11)[:, :, None] / 255 * 0.5
    ground[:, :, :3] *= 1 - shadow
    cover = laid[:, :, 3:] / 255
    ground[:, :, :3] = ground[:, :, :3] * (1 - cover) + laid[:, :, :3]


def main() -> None:
    """Write every picture."""
    tile_png("back").parent.mkdir(exist_ok=True)
    for code in PICTURES:
        cv2.imwrite(str(tile_png(code)), draw_house_tile(code), [cv2.IMWRITE_PNG_COMPRESSION, 9])
    cv2.imwrite(str(icon_png()), draw_icon(), [cv2.IMWRITE_PNG_COMPRESSION, 9])
    SPRITE.write_text(draw_sprite(), encoding="utf-8")


if __name__ == "__main__":
    main()
