"""Where a standing tile would show its top: where something else is seen there, a tile lies.

From behind its player a standing face may look just as a lying one does (`standing.py`). But beyond it the
tile's top would be seen, in the colour of its face, and would hide what lies behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.images import Image
from companion.seeing.cloth import Cloth, find_cloth, sample
from companion.seeing.outlines import Outlines, TileSize, mark_like_standing
from companion.seeing.standing import LEANS_DEGREES, Floats, Mask
from companion.seeing.table_camera import TableCamera
from companion.vision.candidates import Quads

ALONG = np.linspace(0.1, 0.9, 9)
"""Shares of the face's upper edge at which it is looked at."""
BEYOND = np.linspace(0.2, 0.45, 4)
"""How far beyond the edge, in depths of a tile: nearer the edge itself is seen, which is never found quite
right, and farther a tile may have the colour of its back."""
CLOTH_SHADES, TOP_SHADES = np.linspace(0.55, 1.15, 7), np.linspace(0.4, 3.0, 14)
"""So many times as bright as elsewhere cloth is in shadow; and a top beside its face, on which less light
falls from above."""
AS_CLOTH, NOISE_TIMES, UNLIKE_FACE = 14.0, 3.0, 2.0
"""Levels that cloth may be off its colour, and in times of its noise; and how many times farther it must be
from the face's colour."""
FACE_SHARE = 75
"""Percentile of the levels of a face that its body has: what is painted on it is darker, mostly."""
LEAST = 0.9
"""Of what is looked at, the share that must be something else than a top."""


@dataclass(frozen=True, slots=True, eq=False)
class Tops:
    """Where tiles that lie or stand would show their tops, if they stood: of each tile, for every way it may
    stand, the places (k, 2) px that are looked at, and at which of them the cloth is seen (k,)."""

    places: Sequence[Sequence[tuple[Floats, Mask]]]

    @staticmethod
    def look(image: Image, doubtful: Outlines, camera: TableCamera, size: TileSize) -> Tops:
        """Of these n tiles in a picture (H, W, 3) of this camera."""
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
        """Which of the tiles (n,) show none: where their tops would be is the cloth, or one of the tiles
        (m, 4, 2) px that surely lie."""
        return np.array([
            all(np.mean(bare | _mark_inside(px, lying)) >= LEAST for px, bare in places)
            for places in self.places
        ], bool)  # fmt: skip


def _find_top(quad: Floats, camera: TableCamera, size: TileSize, seat: int, lean: float) -> Floats:
    """Where, px (n, 2), this face (4, 2) px would have its top, if it stood before that seat and leaned back
    by so many radians."""
    away = np.array([-np.sin(seat * np.pi / 2), np.cos(seat * np.pi / 2)])
    upper = np.argsort(camera.lift(quad, size.depth_mm) @ away)[2:]
    edge = camera.lift(quad[upper], size.height_mm * np.cos(lean))
    along = edge[1] - edge[0]
    back = np.array([-along[1], along[0]]) / max(float(np.linalg.norm(along)), 1e-9)
    back *= np.sign(back @ away)
    share, depth = (each.reshape(-1, 1) for each in np.meshgrid(ALONG, BEYOND * size.depth_mm))
    places = edge[0] + share * along + np.cos(lean) * depth * back
    return camera.project(np.hstack([places, size.height_mm * np.cos(lean) - np.sin(lean) * depth]))


def _mark_cloth(image: Image, quad: Floats, px: Floats, camera: TableCamera, cloth: Cloth) -> Mask:
    """At which of these px (n, 2) the cloth is seen, and surely nothing of the colour of this face (4, 2)."""
    within = ((px > 1) & (px < [camera.width - 2, camera.height - 2])).all(axis=1)
    if not within.all():
        return np.zeros(len(px), bool)
    seen = sample(image, px)
    off = _measure_off(seen, cloth.find_colours(camera.lift(px)), CLOTH_SHADES)
    face = np.percentile(_sample_face(image, quad), FACE_SHARE, axis=0)
    off_face = _measure_off(seen, face[None], TOP_SHADES)
    as_cloth = max(AS_CLOTH, NOISE_TIMES * float(np.linalg.norm(cloth.noise)))
    return np.asarray((off <= as_cloth) & (off_face > np.maximum(UNLIKE_FACE * off, as_cloth)), bool)


def _mark_inside(px: Floats, quads: Quads) -> Mask:
    """Which of these px (n, 2) are in one of the quads (m, 4, 2), all gone round one way."""
    sides = np.roll(quads, -1, axis=1) - quads
    off = px[:, None, None] - quads
    cross: Floats = sides[..., 0] * off[..., 1] - sides[..., 1] * off[..., 0]
    inside = np.all(cross >= 0, axis=2) | np.all(cross <= 0, axis=2)
    return np.asarray(np.any(inside, axis=1), bool)


def _sample_face(image: Image, quad: Floats) -> Floats:
    """The colours (n, 3) all over a face (4, 2) px."""
    across, down = (each.reshape(-1, 1) for each in np.meshgrid(ALONG, ALONG))
    top = quad[0] + across * (quad[1] - quad[0])
    low = quad[3] + across * (quad[2] - quad[3])
    return sample(image, top + down * (low - top))


def _measure_off(seen: Floats, colours: Floats, shades: Floats) -> Floats:
    """How far (n,) colours (n, 3) are from others (n, 3) or (1, 3), in the light that suits them best."""
    lit = np.minimum(shades[:, None, None] * colours, 255.0)
    return np.asarray(np.linalg.norm(seen - lit, axis=2).min(axis=0), np.float64)
