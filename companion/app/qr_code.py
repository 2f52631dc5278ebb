"""A text as a QR code. No Kivy."""

from __future__ import annotations

import numpy as np
import segno

from companion.images import Image

MODULE_PX = 8


def draw_code(text: str) -> Image:
    """A picture of the QR code with its quiet border, (H, W, 3), each module `MODULE_PX` wide."""
    code = segno.make(text, error="m", boost_error=False, micro=False)
    modules = np.array([list(row) for row in code.matrix_iter(border=4)], dtype=bool)
    grey = np.where(modules, 0, 255).astype(np.uint8)
    grey = grey.repeat(MODULE_PX, axis=0).repeat(MODULE_PX, axis=1)
    return np.repeat(grey[:, :, None], 3, axis=2)
