"""Contact sheets of random styles, to look at: python -m lab.art.sheet --seed 1 --styles 12 --out
sheet.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from companion.images import Image
from lab.art.faces import CODES, draw_face, random_style

IVORY = np.array([222, 236, 240], np.float32)  # blue, green, red


def draw_contact_sheet(seed: int, styles: int, codes: tuple[str, ...], height_px: int) -> Image:
    """One row a style, one column a code, on ivory."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(styles):
        style = random_style(rng)
        rows.append(np.hstack([_lay_on_ivory(draw_face(code, style, height_px)) for code in codes]))
    return np.vstack(rows)


def _lay_on_ivory(face: Image) -> Image:
    alpha = face[:, :, 3:].astype(np.float32) / 255
    tile = (face[:, :, :3] * alpha + IVORY * (1 - alpha)).astype(np.uint8)
    tile[[0, -1]] = 150
    tile[:, [0, -1]] = 150
    return tile


def main() -> None:
    """Write one sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--styles", type=int, default=12)
    parser.add_argument("--codes", default=",".join(CODES), help="comma-separated")
    parser.add_argument("--height", type=int, default=96, help="px of one face")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    cv2.imwrite(
        str(args.out), draw_contact_sheet(args.seed, args.styles, tuple(args.codes.split(",")), args.height)
    )


if __name__ == "__main__":
    main()
