"""Fourth tiles that are laid upon a pung: seen from above they cover one of its tiles, and seem to lie a
little farther from the camera than that one did, as they lie higher."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from companion.seeing.outlines import Floats, Outlines, TileSize
from companion.seeing.table_camera import TableCamera
from companion.seeing.tile_tracks import TileTrack

PUNG = 3
LEAST_MM = 3.0
"""By less than this a raised tile cannot be told from one that lies there."""
AGREE = 0.5
"""How far a tile may be from where one would be seen that lies upon another, as a share of the way there;
and it must be nearer to that than to where the tile lay that was known there."""
BESIDE = 2.4
"""In widths: the other tiles of a pung are no farther off."""


def find_stacked(
    outlines: Outlines, known: Mapping[int, TileTrack], tiles: Iterable[TileTrack], camera: TableCamera,
    size: TileSize,
) -> dict[int, TileTrack]:  # fmt: skip
    """The outlines, by row, of tiles that lie upon known ones, each with the one under it. known: for each
    row the tile that was known at its place; tiles: all that are known."""
    if not len(outlines):
        return {}
    pushed = [outlines.middles[row] - track.middle_mm for row, track in known.items()]
    push = np.median(pushed, axis=0) if len(pushed) >= PUNG else np.zeros(2)  # of a camera that was bumped
    lying = [track for track in tiles if track.face is not None]
    stacked = {}
    for under in lying:
        pung = [other for other in lying if other is not under and _are_of_one_pung(under, other, size)]
        raised = _find_raised_mm(under.middle_mm, camera, size.depth_mm)
        away = float(np.linalg.norm(raised))
        if len(pung) < PUNG - 1 or away < LEAST_MM:
            continue
        off = np.linalg.norm(outlines.middles - (under.middle_mm + push + raised), axis=1)
        row = int(off.argmin())
        if off[row] < min(AGREE * away, _measure_push(outlines, row, known.get(row))):
            stacked[row] = under
    return stacked


def _measure_push(outlines: Outlines, row: int, track: TileTrack | None) -> float:
    """How far from where it lay the tile would be that was known at that outline's place."""
    return np.inf if track is None else float(np.linalg.norm(outlines.middles[row] - track.middle_mm))


def _find_raised_mm(middle_mm: Floats, camera: TableCamera, depth_mm: float) -> Floats:
    """How far (2,) a tile that lies upon the one at that place seems to be from it, where it is taken for one
    that lies on the table."""
    x, y, height = camera.position_mm
    return np.asarray((middle_mm - [x, y]) * depth_mm / (height - 2 * depth_mm), np.float64)


def _are_of_one_pung(track: TileTrack, other: TileTrack, size: TileSize) -> bool:
    apart = float(np.linalg.norm(track.middle_mm - other.middle_mm))
    return other.top == track.top and apart < BESIDE * size.width_mm
