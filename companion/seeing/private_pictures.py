"""Pictures in which no player's hand can be read: painted over once the table is found, coarse before that.

Hands stand along the edges, and some are held beyond them. So everything is painted over but the middle of
the table, where nothing that stands at the edges can be seen, and the tiles that surely lie flat. In a coarse
picture a median over a wide square drops everything smaller than half of it, however it contrasts, and keeps
the edges of larger things: the table stays visible, its tiles do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from companion.seeing.arrays import Floats
from companion.seeing.outlines import TileSize, find_strip_mm, mark_mistakable, mark_strips, place_quads
from companion.seeing.sights import SeenTile
from companion.seeing.table_camera import TABLE_MM, TableCamera
from companion.tiles import UNKNOWN

BEYOND_MM = 60.0
"""How far beyond the table's edge hands stand, on its rim."""
STANDING = 1.2
"""How high standing tiles reach, in heights of a tile: some lean, some are held up a little."""
STEPS = 16
"""Places along an edge: between two of them a lens bends it by less than a pixel."""
PAINT = 96
"""The grey level."""
SURE_FROM = 0.95
"""A name with this probability is surely a tile. Sides of walls and tops of standing tiles that are taken for
flat tiles are not read as a face, or as backs with 0.7 to 0.9."""
FACE_PX = (9, 12)
"""Width and height of the remembered picture of an open tile: enough to notice that something else is
there."""
SAME_LEVELS = 14.0
"""Mean difference in grey levels up to which it looks the same: noise and compression come to 5; another
face, or a row of standing tiles, to 25 and more."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenTiles:
    """The tiles that surely lie flat where hands may stand, and stay visible while they look as they did when
    they were read. By track number: corners (4, 2) mm of the face, and its picture."""

    looks: Mapping[int, tuple[Floats, Image]] = field(default_factory=dict)

    def renew(
        self, image: Image, camera: TableCamera, size: TileSize, lying: Sequence[SeenTile]
    ) -> OpenTiles:
        """Those of the flat tiles just seen in this picture (H, W, 3) of the camera that are surely tiles."""
        lying = [
            tile for tile in lying if tile.readings[0][0] != UNKNOWN and tile.readings[0][1] >= SURE_FROM
        ]
        middles = np.array([[tile.x_mm, tile.y_mm] for tile in lying]).reshape(-1, 2)
        angles = np.array([tile.angle for tile in lying])
        chosen = mark_strips(middles, size.width_mm) & ~mark_mistakable(middles, camera, size.sides_mm)
        quads = place_quads(middles, angles, np.ones(len(lying), bool), size)
        looks = {}
        for row in np.flatnonzero(chosen).tolist():
            number, quad = lying[row].track, quads[row]
            look = _cut_face(image, camera, size, quad)
            before = self.looks.get(number)
            if before is not None and not _is_same(before[1], look):
                look = before[1]
            looks[number] = quad, look
        return OpenTiles(looks)

    def list_quads(self, image: Image, camera: TableCamera, size: TileSize) -> list[Floats]:
        """The corners (4, 2) mm of those that look the same in this picture."""
        return [
            quad for quad, look in self.looks.values() if _is_same(look, _cut_face(image, camera, size, quad))
        ]


NONE_OPEN = OpenTiles()


def hide_hands(image: Image, camera: TableCamera, size: TileSize, open_tiles: OpenTiles = NONE_OPEN) -> Image:
    """A copy of a picture (H, W, 3) of this camera in which everything is painted over but the middle of the
    table, and the faces of tiles beyond it that surely lie flat."""
    painted = np.full_like(image, PAINT)
    cv2.copyTo(image, _mark_shown(image, camera, size, open_tiles), painted)
    return painted


def blur_people(
    image: Image, camera: TableCamera, size: TileSize, open_tiles: OpenTiles = NONE_OPEN
) -> Image:
    """The same, coarse where `hide_hands` paints: faces are blurred there, and no tile can be read."""
    blurred = make_coarse(image)
    cv2.copyTo(image, _mark_shown(image, camera, size, open_tiles), blurred)
    return blurred


def _mark_shown(
    image: Image, camera: TableCamera, size: TileSize, open_tiles: OpenTiles
) -> NDArray[np.uint8]:
    """1 where no hand can be, (H, W), and 0 elsewhere."""
    shown = np.zeros(image.shape[:2], np.uint8)
    strip_mm = find_strip_mm(size.width_mm)
    square = strip_mm * np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    middle = camera.project(_follow_edges(square))
    hulls = [camera.project(strip) for strip in _list_strips(strip_mm, STANDING * size.height_mm)]
    if all(np.isfinite(px).all() for px in (middle, *hulls)):
        cv2.fillPoly(shown, [_round(middle)], 1)
        for hull in hulls:
            cv2.fillConvexPoly(shown, cv2.convexHull(_round(hull)), 0)
        for quad in open_tiles.list_quads(image, camera, size):
            px = camera.project(np.column_stack([quad, np.full(4, size.depth_mm)]))
            cv2.fillConvexPoly(shown, np.floor(px).astype(np.int32), 1)
    return shown


def _list_strips(strip_mm: float, high_mm: float) -> list[Floats]:
    """Places (n, 3) mm around the space in which hands stand, along each of the table's edges."""
    outer = TABLE_MM / 2 + BEYOND_MM
    strip = np.array([[-outer, -outer], [outer, -outer], [outer, -strip_mm], [-outer, -strip_mm]])
    turns = [np.array([[c, -s], [s, c]]) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    return [
        np.concatenate([
            _follow_edges(np.column_stack([strip @ turn.T, np.full(4, high)])) for high in (0.0, high_mm)
        ])
        for turn in turns
    ]  # fmt: skip


def _follow_edges(corners: Floats) -> Floats:
    """Places (4 * STEPS, 3) all along the edges of a quad (4, 3), which a lens may bend."""
    shares = np.arange(STEPS)[None, :, None] / STEPS
    ends = np.roll(corners, -1, axis=0)
    return np.asarray((corners[:, None] + (ends - corners)[:, None] * shares).reshape(-1, 3), np.float64)


def _cut_face(image: Image, camera: TableCamera, size: TileSize, quad: Floats) -> Image:
    """The face of a tile with these corners (4, 2) mm, of FACE_PX."""
    width, height = FACE_PX
    px = camera.project(np.column_stack([quad, np.full(4, size.depth_mm)]))
    if not np.isfinite(px).all():
        return np.zeros((height, width, 3), np.uint8)
    # first twice the size, so that each pixel is a mean of several
    corners = 2 * np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    flat = cv2.getPerspectiveTransform((px - 0.5).astype(np.float32), corners)
    fine = cv2.warpPerspective(image, flat, (2 * width, 2 * height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _is_same(before: Image, now: Image) -> bool:
    """Whether both are the same apart from the light."""
    one, other = before.astype(np.float32), now.astype(np.float32)
    lit = one * (float(other.mean()) + 1) / (float(one.mean()) + 1)
    return float(np.abs(other - lit).mean()) <= SAME_LEVELS


def _round(px: Floats) -> NDArray[np.int32]:
    return np.round(px).astype(np.int32)


COARSE_PX = 160
"""Longer side of the coarse picture. If the whole table is in it a tile has some 5 px."""
MEDIAN_PX = 35
"""Side of the square over which the median is taken. The strokes of a tile up to 130 px wide, one in the
whole picture, are less than half of it, and so is a row of dots on one of 50 px."""
EDGES_PX = 640
"""Longer side of the picture in which straight edges are searched."""
LONG = 0.1
"""Least length of an edge, as a share of that side. A table's edges are longer, even if interrupted; no
stroke on a tile is as long as eight tiles in a column."""
INK = (170, 220, 235)


def make_coarse(image: Image) -> Image:
    """The picture (H, W, 3) uint8 BGR, coarse."""
    height, width = image.shape[:2]
    small = cv2.medianBlur(_shrink(image, COARSE_PX), MEDIAN_PX)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def make_coarse_with_edges(image: Image) -> Image:
    """The same, with the long straight edges of the picture added, so that those of the table can be
    touched."""
    coarse, small = make_coarse(image), _shrink(image, EDGES_PX)
    times = image.shape[1] / small.shape[1]
    found = cv2.createLineSegmentDetector().detect(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))[0]
    ends = np.zeros((0, 2, 2)) if found is None else found.reshape(-1, 2, 2)
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    width = max(1, round(max(image.shape[:2]) / EDGES_PX))
    for one, other in np.round(ends[lengths >= LONG * EDGES_PX] * times).astype(int).tolist():
        cv2.line(coarse, one, other, INK, width, cv2.LINE_AA)
    return coarse


def _shrink(image: Image, longer_px: int) -> Image:
    height, width = image.shape[:2]
    scale = min(1.0, longer_px / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
