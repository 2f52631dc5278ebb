"""How the finder's maps hold quads: nine numbers a cell, smooth under every rotation.

A tile has no first corner until its glyph is read, so a network asked for four corners in order must jump
somewhere. Its half diagonals a and b, as complex numbers, are known only up to sign and order; a² + b² and
a²b² are not, and are the coefficients of z² - (a² + b²) z + a²b², whose roots are a² and b². Regressing these
needs no order at all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

STRIDE_PX = 4  # of the maps in the finder's picture
CHANNELS = 9  # face score, back score; centre x, y; log size; (a² + b²)/s² re, im; a²b²/s⁴ re, im
SHAPE = slice(2, CHANNELS)
UNIT_PX = 32.0  # the size whose logarithm is 0


def encode(quad: NDArray[np.float64], cells_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """A quad (4, 2) px, clockwise, as seen from cell centres (n, 2) px → (n, 7), the channels after the
    scores."""
    z = quad[:, 0] + 1j * quad[:, 1]
    a, b = (z[0] - z[2]) / 2, (z[1] - z[3]) / 2
    size = np.sqrt(abs(a) * abs(b))
    u, w = (a * a + b * b) / size**2, (a * b) ** 2 / size**4
    centre = (quad.mean(axis=0) - cells_px) / size
    fixed = [np.log(size / UNIT_PX), u.real, u.imag, w.real, w.imag]
    return np.column_stack([centre, np.tile(fixed, (len(cells_px), 1))])


def decode(shapes: Floats, cells_px: Floats) -> Floats:
    """Channels after the scores (n, 7) at cell centres (n, 2) px → quads (n, 4, 2) px, clockwise,
    parallelograms."""
    size = np.exp(np.clip(shapes[:, 2], -4, 4)) * UNIT_PX
    centre = cells_px + shapes[:, :2] * size[:, None]
    u, w = shapes[:, 3] + 1j * shapes[:, 4], shapes[:, 5] + 1j * shapes[:, 6]
    root = np.sqrt(u * u - 4 * w)
    a, b = size * np.sqrt((u + root) / 2), size * np.sqrt((u - root) / 2)
    b = np.where((a.conj() * b).imag < 0, -b, b)
    corners = (centre[:, 0] + 1j * centre[:, 1])[:, None] + np.stack([a, b, -a, -b], axis=1)
    return np.stack([corners.real, corners.imag], axis=2).astype(np.float32)
