"""Tiles that lie side by side in one row before a player."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from companion.seeing.quarters import Quarters, see_from
from companion.seeing.tracks import Track

JOINED_MM = 50.0
"""Middles of tiles side by side are no farther apart, one of them lying across."""
OVERLAP_MM = 20.0
"""Middles of tiles of a row are no nearer: one was found twice, or has gone."""
ROW_BLUR_MM = 24.0
EDGE_MARGIN_MM = 40.0
PAST_CORNER_MM = 160.0
"""So far beyond the corner between two players' edges a row goes: on a large table hands stand near the
walls."""


Placed = tuple[float, float, Track]


def find_rows(quarters: Quarters, seat: int, tracks: Sequence[Track]) -> list[tuple[Track, ...]]:
    """The tiles at that player's edge, row by row from the player's left to right.

    Of two in one place it is the one that was seen last: what was drawn stands there for a moment, turn after
    turn.
    """
    placed = []
    for track in tracks:
        u, v = see_from(seat, track.x_mm, track.y_mm)
        if v > quarters.edge_mm - EDGE_MARGIN_MM and abs(u) < v + PAST_CORNER_MM:
            placed.append((u, v, track))
    placed.sort(key=lambda each: each[0])
    rows: list[list[Placed]] = []
    for each in placed:
        row = next(
            (row for row in rows if hypot(each[0] - row[-1][0], each[1] - row[-1][1]) < JOINED_MM
             and abs(each[1] - row[-1][1]) < ROW_BLUR_MM),
            None,
        )  # fmt: skip
        if row is None:
            rows.append([each])
        elif _is_same_place(each, row[-1]):
            row[-1] = max(row[-1], each, key=lambda one: one[2].since_s)
        else:
            row.append(each)
    return [tuple(track for _, _, track in row) for row in rows]


def _is_same_place(one: Placed, other: Placed) -> bool:
    """Whether one of them does not lie there: it is the other, or it had gone when that came."""
    tracks = one[2], other[2]
    together = max(track.since_s for track in tracks) < min(track.seen_s for track in tracks)
    are_two = together and tracks[0].face.top != tracks[1].face.top
    return not are_two and hypot(one[0] - other[0], one[1] - other[1]) < OVERLAP_MM
