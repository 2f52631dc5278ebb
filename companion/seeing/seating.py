"""Who sits where, for a camera that looks along the table's diagonal: two edges are then about equally low in
its picture, and the dealer's first discard says which of them is the lower one.
"""

from __future__ import annotations

from dataclasses import replace
from math import atan2, cos, pi, sin

import numpy as np
from numpy.typing import NDArray

from companion.seeing.quarters import OUTSIDE_MM, USUAL_WALL_MM, see_from, turn_off
from companion.seeing.sights import BLANK, USUAL_TILE_MM, Box, SeenTile, Sight
from companion.seeing.tracks import SETTLED_S
from companion.tiles import BACK, UNKNOWN

BEYOND_MM = 45.0
"""From the middle of a wall on towards the player lie melds, and tops of standing tiles, which look blank."""
NEARER_MM, LEFT_MM, FACING_RADIANS = 40.0, 80.0, 0.5
"""How much nearer to one player a first discard must lie, how much farther to a player's left, where rows
begin, or how much more it must face one, to say as much."""


def find_quarter_turn(sight: Sight, dealer: int) -> int | None:
    """By how many quarter turns counterclockwise the sight must be turned, 0 or 1, so that the first discard
    of a hand is the dealer's; 0 where melds lie there already, None while no discard does. Discards lie
    inside the walls, also where they are thrown; in a wall lies an indicator."""
    faces = [tile for tile in sight.tiles if _is_plain(tile) and sight.t - tile.still_since_s >= SETTLED_S]
    scale = sight.tile_mm / USUAL_TILE_MM
    wall_mm = sight.wall_mm or USUAL_WALL_MM * scale
    beyond = [tile for tile in faces if _measure_away(tile) > wall_mm + BEYOND_MM * scale]
    if any(tile.readings[0][0] != BLANK for tile in beyond):
        return 0
    discards = [tile for tile in faces if _measure_away(tile) < wall_mm - OUTSIDE_MM * scale]
    if not discards:
        return None
    first = min(discards, key=lambda tile: tile.still_since_s)
    return int(_fit(first, dealer) < _fit(first, (dealer - 1) % 4))


def _measure_away(tile: SeenTile) -> float:
    """How far it lies from the middle of the table, mm, towards the player before whom it lies."""
    return max(abs(tile.x_mm), abs(tile.y_mm))


def _fit(tile: SeenTile, seat: int) -> float:
    """How well the tile suits the first discard of a player."""
    u, v = see_from(seat, tile.x_mm, tile.y_mm)
    off = turn_off(seat, tile.angle)
    facing = 0.0 if tile.readings[0][0] == BLANK else min(off, pi - off)  # most faces look alike upside down
    return v / NEARER_MM - u / LEFT_MM - facing / FACING_RADIANS


def turn_places(quarters: int) -> NDArray[np.float64]:
    """The movement (3, 3) of all places by so many quarter turns counterclockwise round the middle."""
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    return np.asarray(np.linalg.matrix_power(turn, quarters), np.float64)


def turn_sight(sight: Sight, quarters: int) -> Sight:
    """The sight with all its places turned by so many quarter turns counterclockwise round the middle."""
    turn = turn_places(quarters)[:2, :2]
    places = np.array([[tile.x_mm, tile.y_mm] for tile in sight.tiles]).reshape(-1, 2) @ turn.T
    angles = [tile.angle + quarters * pi / 2 for tile in sight.tiles]
    tiles = tuple(
        replace(tile, x_mm=x, y_mm=y, angle=atan2(sin(angle), cos(angle)))
        for tile, (x, y), angle in zip(sight.tiles, places.tolist(), angles, strict=True)
    )
    covered = []
    for box in sight.covered:
        corners = np.array([[box.left, box.near], [box.right, box.far]]) @ turn.T
        covered.append(Box(*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist()))
    return replace(sight, tiles=tiles, covered=tuple(covered))


def _is_plain(tile: SeenTile) -> bool:
    """Whether it shows a face that is no flower's."""
    code = tile.readings[0][0] if tile.readings else UNKNOWN
    return code not in (BACK, UNKNOWN) and not code.endswith("f")
