"""The colour of a table's cloth: that of most of the table, which changes evenly across it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.table_camera import TABLE_MM, TableCamera

Floats = NDArray[np.float64]

PEAK_LEVELS, FIRST_LEVELS, LEAST_LEVELS, FITS, TO_SPREAD = 9, 16.0, 5.0, 6, 1.48
"""Levels that are taken as one, looking for what most of it shows; by how much bare cloth may be off that,
and at least after each of so many fits; and what its middle error is times, to be its spread."""
LOOKED_AT = 64
"""Places along each side of the table."""
WITHIN = 0.95
"""Of the table, in which cloth is looked for: beyond it is the edge."""


@dataclass(frozen=True, slots=True, eq=False)
class Cloth:
    """The colour of the bare cloth. shape: (6, 3) of an even change, blue, green and red; noise: (3,) by how
    many levels bare cloth is off it."""

    shape: Floats
    noise: Floats

    def find_colours(self, places_mm: Floats) -> Floats:
        """Of the cloth at these places (n, 2): (n, 3), blue, green and red, 0 to 255."""
        return list_terms(2 * places_mm / TABLE_MM) @ self.shape


def find_cloth(image: Image, camera: TableCamera) -> Cloth:
    """The cloth in a picture (H, W, 3) of this camera."""
    steps = np.linspace(-WITHIN, WITHIN, LOOKED_AT)
    at = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    places = np.column_stack([at * TABLE_MM / 2, np.zeros(len(at))])
    px = camera.project(places)
    shown = np.isfinite(px).all(axis=1) & ((px > 1) & (px < [camera.width - 2, camera.height - 2])).all(
        axis=1
    )
    levels = sample(image, px[shown])
    terms = list_terms(at[shown])
    fits = [fit_levels(levels[:, colour], terms) for colour in range(3)]
    return Cloth(np.stack([shape for shape, _ in fits], axis=1), np.array([noise for _, noise in fits]))


def sample(image: Image, px: Floats) -> Floats:
    """The colours (n, 3) of a picture (H, W, 3) at these px (n, 2)."""
    x, y = (np.asarray(px[:, axis], np.float32)[None] for axis in range(2))
    return np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR)[0], np.float64)


def list_terms(at: Floats) -> Floats:
    """What an even change across the table is made of (…, 6), at places (…, 2), -1 to 1 from edge to edge."""
    x, y = at[..., 0], at[..., 1]
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


def fit_levels(levels: Floats, terms: Floats) -> tuple[Floats, float]:
    """How the levels (n,) that most of the table has change across it (6,), as of these terms (n, 6); and how
    much bare cloth is off that."""
    counts = np.convolve(np.bincount(levels.astype(np.int64), minlength=256), np.ones(PEAK_LEVELS), "same")
    cloth, within = np.full(len(levels), float(counts.argmax())), FIRST_LEVELS
    for _ in range(FITS):
        bare = np.abs(levels - cloth) <= within
        known = terms[bare]
        shape = np.linalg.lstsq(known.T @ known, known.T @ levels[bare])[0]
        cloth = terms @ shape
        noise = max(1.0, TO_SPREAD * float(np.median(np.abs(levels - cloth)[bare])))
        within = max(LEAST_LEVELS, 3 * noise)
    return np.asarray(shape, np.float64), noise
