"""Tiles that lie side by side in one row before a player."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from companion.tracking.quarters import Quarters, see_from
from companion.tracking.tracks import Track

JOINED_MM = 50.0
"""Middles of tiles side by side are no farther apart, one of them lying across."""
ROW_BLUR_MM = 24.0
EDGE_MARGIN_MM = 40.0


def find_rows(quarters: Quarters, seat: int, tracks: Sequence[Track]) -> list[tuple[Track, ...]]:
    """The tiles at that player's edge, row by row from the player's left to right."""
    placed = []
    for track in tracks:
        u, v = see_from(seat, track.x_mm, track.y_mm)
        if v > quarters.edge_mm - EDGE_MARGIN_MM and abs(u) < v + 60.0:
            placed.append((u, v, track))
    placed.sort(key=lambda each: each[0])
    rows: list[list[tuple[float, float, Track]]] = []
    for each in placed:
        row = next(
            (row for row in rows if hypot(each[0] - row[-1][0], each[1] - row[-1][1]) < JOINED_MM
             and abs(each[1] - row[-1][1]) < ROW_BLUR_MM),
            None,
        )  # fmt: skip
        if row is None:
            rows.append([each])
        else:
            row.append(each)
    return [tuple(track for _, _, track in row) for row in rows]
