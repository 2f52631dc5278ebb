"""Fourth tiles that are laid upon a pung: seen from above they cover one of its tiles, and seem to lie a
little farther from the camera than that one did, as they lie higher."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from companion.tracking.outlines import Floats, Outlines, TileSize
from companion.tracking.table_camera import TableCamera
from companion.tracking.tile_tracks import TileTrack

LEAST_MM = 3.0
"""By less than this a raised tile cannot be told from one that lies there."""
AGREE = 0.5
"""How far a tile may be from where one would be seen that lies upon another, as a share of the way there."""
BESIDE = 2.4
"""In widths: the other tiles of a pung are no farther off."""


def find_stacked(
    known: Mapping[int, TileTrack], outlines: Outlines, tiles: Iterable[TileTrack], camera: TableCamera,
    size: TileSize,
) -> set[int]:  # fmt: skip
    """The rows of the outlines that are of tiles which lie upon known ones. known: for each row the tile that
    was known at its place; tiles: all that are known."""
    rows = {track.number: row for row, track in known.items()}
    lying = list(tiles)
    stacked = set()
    for row, track in known.items():
        pung = [other for other in lying if other is not track and _are_of_one_pung(track, other, size)]
        if len(pung) < 2:
            continue
        moved = outlines.middles[row] - track.middle_mm
        pushed = [
            outlines.middles[rows[each.number]] - each.middle_mm for each in pung if each.number in rows
        ]
        if pushed:  # a camera that was bumped a little seems to move all three
            moved = moved - min(pushed, key=lambda push: float(np.linalg.norm(push)))
        raised = find_raised_mm(track.middle_mm, camera, size.depth_mm)
        away = float(np.linalg.norm(raised))
        if away >= LEAST_MM and np.linalg.norm(moved - raised) < AGREE * away:
            stacked.add(row)
    return stacked


def find_raised_mm(middle_mm: Floats, camera: TableCamera, depth_mm: float) -> Floats:
    """How far (2,) a tile that lies upon the one at that place seems to be from it, where it is taken for one
    that lies on the table."""
    x, y, height = camera.position_mm
    return np.asarray((middle_mm - [x, y]) * depth_mm / (height - 2 * depth_mm), np.float64)


def _are_of_one_pung(track: TileTrack, other: TileTrack, size: TileSize) -> bool:
    apart = float(np.linalg.norm(track.middle_mm - other.middle_mm))
    return track.face is not None and other.top == track.top and apart < BESIDE * size.width_mm
