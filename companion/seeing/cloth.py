"""The colour of a table's cloth, which changes evenly across it; and where the cloth proves that a tile lies
flat.

From behind its player a standing face may look like a flat one (`outlines.py`). But beyond it the tile's top
would be seen, in the colour of its face, and would hide what is behind. So cloth there, or another flat tile,
proves that it does not stand (`Tops`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.images import Image
from companion.seeing.arrays import Floats, Mask
from companion.seeing.outlines import LEANS_DEGREES, Outlines, TileSize, mark_like_standing
from companion.seeing.table_camera import TABLE_MM, TableCamera
from companion.vision.candidates import Quads

CLOTH_PEAK_LEVELS, CLOTH_FIRST_LEVELS, CLOTH_MIN_LEVELS, FITS, TO_SPREAD = 9, 16.0, 5.0, 6, 1.48
"""Levels that count as equal in the search for the commonest; how much bare cloth may differ from that at
first, and at least after each fit; the number of fits; and the ratio of its spread to its median error."""
SAMPLES_A_SIDE = 64
"""Places along each side of the table."""
CLOTH_WITHIN_SHARE = 0.95
"""Share of the table in which cloth is searched: beyond it is the edge."""


@dataclass(frozen=True, slots=True, eq=False)
class Cloth:
    """The colour of the bare cloth. shape: (6, 3) of an even change, blue, green and red; noise: (3,) levels
    by which bare cloth differs from it."""

    shape: Floats
    noise: Floats

    def find_colours(self, places_mm: Floats) -> Floats:
        """The cloth's colours at these places (n, 2): (n, 3), blue, green and red, 0 to 255."""
        return list_terms(2 * places_mm / TABLE_MM) @ self.shape


def find_cloth(image: Image, camera: TableCamera) -> Cloth:
    """The cloth in a picture (H, W, 3) of this camera."""
    steps = np.linspace(-CLOTH_WITHIN_SHARE, CLOTH_WITHIN_SHARE, SAMPLES_A_SIDE)
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
    """The terms (…, 6) of an even change across the table, at places (…, 2), -1 to 1 from edge to edge."""
    x, y = at[..., 0], at[..., 1]
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


def fit_levels(levels: Floats, terms: Floats) -> tuple[Floats, float]:
    """The even change (6,), with these terms (n, 6), of most of the table's levels (n,); and how much bare
    cloth differs from it."""
    counts = np.convolve(
        np.bincount(levels.astype(np.int64), minlength=256), np.ones(CLOTH_PEAK_LEVELS), "same"
    )
    cloth, within = np.full(len(levels), float(counts.argmax())), CLOTH_FIRST_LEVELS
    for _ in range(FITS):
        bare = np.abs(levels - cloth) <= within
        known = terms[bare]
        shape = np.linalg.lstsq(known.T @ known, known.T @ levels[bare])[0]
        cloth = terms @ shape
        noise = max(1.0, TO_SPREAD * float(np.median(np.abs(levels - cloth)[bare])))
        within = max(CLOTH_MIN_LEVELS, 3 * noise)
    return np.asarray(shape, np.float64), noise


TOP_ALONG = np.linspace(0.1, 0.9, 9)
"""Shares of the face's upper edge at which it is sampled."""
TOP_BEYOND_DEPTHS = np.linspace(0.2, 0.45, 4)
"""How far beyond the edge, in depths of a tile: nearer, the edge itself is seen, which is never exact, and
farther, a tile may have the colour of its back."""
CLOTH_SHADES, TOP_SHADES = np.linspace(0.55, 1.15, 7), np.linspace(0.4, 3.0, 14)
"""Brightness of cloth in shadow; and of a top against its face, which gets less light from above."""
AS_CLOTH, NOISE_TIMES, UNLIKE_FACE = 14.0, 3.0, 2.0
"""Levels by which cloth may differ from its colour, and multiple of its noise; and how many times farther it
must be from the face's colour."""
FACE_PERCENTILE = 75
"""Percentile of a face's levels that its body has: paint is mostly darker."""
NO_TOP_MIN_SHARE = 0.9
"""Share of the sampled places that must be something other than a top."""


@dataclass(frozen=True, slots=True, eq=False)
class Tops:
    """The tops that tiles would show if they stood: for each tile and each way it may stand, the sampled
    places (k, 2) px, and at which of them the cloth is seen (k,)."""

    places: Sequence[Sequence[tuple[Floats, Mask]]]

    @staticmethod
    def of(image: Image, doubtful: Outlines, camera: TableCamera, size: TileSize) -> Tops:
        """The tops of these n tiles in a picture (H, W, 3) of this camera."""
        cloth = find_cloth(image, camera)
        seats = mark_like_standing(doubtful, camera, size)
        places = []
        for row, quad in enumerate(doubtful.candidates.quads.astype(np.float64)):
            seen = [
                _find_top(quad, camera, size, seat, float(np.radians(lean)))
                for seat in np.flatnonzero(seats[:, row]).tolist()
                for lean in LEANS_DEGREES
            ]
            places.append([(px, _mark_cloth(image, quad, px, camera, cloth)) for px in seen])
        return Tops(places)

    def mark_absent(self, lying: Quads) -> Mask:
        """Which of the tiles (n,) show none: in place of their tops is the cloth, or one of the surely flat
        tiles (m, 4, 2) px."""
        return np.array([
            all(np.mean(bare | _mark_inside(px, lying)) >= NO_TOP_MIN_SHARE for px, bare in places)
            for places in self.places
        ], bool)  # fmt: skip


def _find_top(quad: Floats, camera: TableCamera, size: TileSize, seat: int, lean: float) -> Floats:
    """The place, px (n, 2), of the top of this face (4, 2) px if it stood before that seat and leaned back by
    these radians."""
    away = np.array([-np.sin(seat * np.pi / 2), np.cos(seat * np.pi / 2)])
    upper = np.argsort(camera.lift(quad, size.depth_mm) @ away)[2:]
    edge = camera.lift(quad[upper], size.height_mm * np.cos(lean))
    along = edge[1] - edge[0]
    back = np.array([-along[1], along[0]]) / max(float(np.linalg.norm(along)), 1e-9)
    back *= np.sign(back @ away)
    share, depth = (each.reshape(-1, 1) for each in np.meshgrid(TOP_ALONG, TOP_BEYOND_DEPTHS * size.depth_mm))
    places = edge[0] + share * along + np.cos(lean) * depth * back
    return camera.project(np.hstack([places, size.height_mm * np.cos(lean) - np.sin(lean) * depth]))


def _mark_cloth(image: Image, quad: Floats, px: Floats, camera: TableCamera, cloth: Cloth) -> Mask:
    """At which of these px (n, 2) the cloth is seen, and surely not the colour of this face (4, 2)."""
    within = ((px > 1) & (px < [camera.width - 2, camera.height - 2])).all(axis=1)
    if not within.all():
        return np.zeros(len(px), bool)
    seen = sample(image, px)
    off = _measure_off(seen, cloth.find_colours(camera.lift(px)), CLOTH_SHADES)
    face = np.percentile(_sample_face(image, quad), FACE_PERCENTILE, axis=0)
    off_face = _measure_off(seen, face[None], TOP_SHADES)
    as_cloth = max(AS_CLOTH, NOISE_TIMES * float(np.linalg.norm(cloth.noise)))
    return np.asarray((off <= as_cloth) & (off_face > np.maximum(UNLIKE_FACE * off, as_cloth)), bool)


def _mark_inside(px: Floats, quads: Quads) -> Mask:
    """Which of these px (n, 2) are in one of the quads (m, 4, 2), all in the same order round."""
    sides = np.roll(quads, -1, axis=1) - quads
    off = px[:, None, None] - quads
    cross: Floats = sides[..., 0] * off[..., 1] - sides[..., 1] * off[..., 0]
    inside = np.all(cross >= 0, axis=2) | np.all(cross <= 0, axis=2)
    return np.asarray(np.any(inside, axis=1), bool)


def _sample_face(image: Image, quad: Floats) -> Floats:
    """The colours (n, 3) all over a face (4, 2) px."""
    across, down = (each.reshape(-1, 1) for each in np.meshgrid(TOP_ALONG, TOP_ALONG))
    top = quad[0] + across * (quad[1] - quad[0])
    low = quad[3] + across * (quad[2] - quad[3])
    return sample(image, top + down * (low - top))


def _measure_off(seen: Floats, colours: Floats, shades: Floats) -> Floats:
    """The distance (n,) of colours (n, 3) from others (n, 3) or (1, 3), in the light that fits them best."""
    lit = np.minimum(shades[:, None, None] * colours, 255.0)
    return np.asarray(np.linalg.norm(seen - lit, axis=2).min(axis=0), np.float64)
