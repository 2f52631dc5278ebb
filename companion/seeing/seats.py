"""The table as its players see it: places seen from each seat, which edge is whose, and the same tiles found
again after the camera was moved.

A camera that looks along the table's diagonal sees two edges about equally low; the dealer's first discard
shows which of them is the lower one. After a move the tiles are where they were, whatever the camera's new
place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import atan2, cos, hypot, pi, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.seeing.arrays import Floats
from companion.seeing.sights import (
    BLANK,
    OUTSIDE_MM,
    SETTLED_S,
    USUAL_TILE_MM,
    USUAL_WALL_MM,
    WALL_BLUR_MM,
    Box,
    SeenTile,
    Sight,
    see_from,
    turn_from_upright,
)
from companion.seeing.table_camera import TableCamera
from companion.tiles import BACK, UNKNOWN

NEAR_WALL_MIN_BACKS = 8
"""This number of backs in walls, about as far from the middle, show how far the walls are."""
WALL_REACH_MM = 310.0
"""How far a wall may reach to either side of its middle."""

BEYOND_MM = 45.0
"""Melds, and tops of standing tiles (which look blank), are this far outside the middle of a wall."""
NEARER_MM, LEFT_MM, FACING_RADIANS = 40.0, 80.0, 0.5
"""A first discard counts the same for being this much nearer to a player, farther to the player's left (where
rows begin), or turned more towards the player."""


def find_quarter_turn(sight: Sight, dealer: int) -> int | None:
    """The number of quarter turns counterclockwise, 0 or 1, by which the sight must be turned so that the
    first discard of a hand is the dealer's; 0 if there are melds already, None without a discard. Discards
    are inside the walls, even if thrown; an indicator is in a wall."""
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
    """Its distance from the middle of the table, mm, towards the nearest player."""
    return max(abs(tile.x_mm), abs(tile.y_mm))


def _fit(tile: SeenTile, seat: int) -> float:
    """How well the tile suits the first discard of a player."""
    u, v = see_from(seat, tile.x_mm, tile.y_mm)
    off = turn_from_upright(seat, tile.angle)
    facing = 0.0 if tile.readings[0][0] == BLANK else min(off, pi - off)  # most faces look alike upside down
    return v / NEARER_MM - u / LEFT_MM - facing / FACING_RADIANS


def turn_places(quarters: int) -> NDArray[np.float64]:
    """The movement (3, 3) of all places by this number of quarter turns counterclockwise about the middle."""
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    return np.asarray(np.linalg.matrix_power(turn, quarters), np.float64)


def turn_sight(sight: Sight, quarters: int) -> Sight:
    """The sight with all places turned by this number of quarter turns counterclockwise about the middle."""
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
    """Whether it shows a face, and not a flower."""
    code = tile.readings[0][0] if tile.readings else UNKNOWN
    return code not in (BACK, UNKNOWN) and not code.endswith("f")


REGAINED_NEAR_MM = 20.0
"""How far a tile may seem from where it was: tiles are some 26 mm wide."""
REGAINED_OFF_MM = 100.0
"""How far a table may be found from its place: rims and cloths have edges of their own."""
REGAINED_BETTER_BY_TILES = 0.25
"""How many more tiles the best turn must match than the second best."""
FIT_MIN_TILES = 4
"""With fewer tiles only the shift is measured."""
POINTER_MM = 10.0
"""Distance from a tile's middle to a point that shows its direction."""
REGAINED_WAIT_S = 5.0
"""How long a person who moved the camera may hide a tile that was there."""


def find_places(before: Sequence[SeenTile], now: Sequence[SeenTile]) -> Floats | None:
    """The similarity (3, 3) in mm that takes places of now to those before, so that the tiles are where they
    were. Seats may have changed by any quarter turn, and the table may be a little off. None if the tiles do
    not show it."""
    faces = [tile for tile in now if _code(tile) not in (BACK, UNKNOWN)]
    known = [tile for tile in before if _code(tile) not in (BACK, UNKNOWN)]
    if not faces or not known:
        return None
    same = np.array([[_code(one) == _code(other) for other in known] for one in faces])
    places, before_mm = _list_places(faces), _list_places(known)
    ways = [_fit_turn(places, before_mm, same, quarters) for quarters in range(4)]
    ways.sort(key=lambda way: way[0], reverse=True)
    if ways[0][0] - ways[1][0] < REGAINED_BETTER_BY_TILES:
        return None
    moved = ways[0][1]
    rows, columns = np.nonzero(_match_places(_apply(moved, places), before_mm, same))
    if len(rows) >= FIT_MIN_TILES:
        fitted, _ = cv2.estimateAffinePartial2D(
            places[rows], before_mm[columns], method=cv2.RANSAC, ransacReprojThreshold=REGAINED_NEAR_MM / 2
        )
        if fitted is not None:
            moved = np.vstack([fitted, [0.0, 0.0, 1.0]])
    return np.asarray(moved, np.float64)


def _fit_turn(
    places: Floats, before_mm: Floats, same: NDArray[np.bool_], quarters: int
) -> tuple[float, Floats]:
    """How many tiles are where they were after this number of quarter turns and the best small shift, which
    counts a little against it; and that movement (3, 3)."""
    turn = turn_places(quarters)
    turned = _apply(turn, places)
    best = (0.0, turn)
    for row, column in zip(*np.nonzero(same), strict=True):
        shift = before_mm[column] - turned[row]
        away = float(np.hypot(*shift))
        if away > REGAINED_OFF_MM:
            continue
        weight = float(_match_places(turned + shift, before_mm, same).sum()) - away / REGAINED_OFF_MM
        if weight > best[0]:
            moved = turn.copy()
            moved[:2, 2] = shift
            best = weight, moved
    return best


def _match_places(places: Floats, before_mm: Floats, same: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n, m) which of n tiles is which of m: each the nearest of its kind to the other."""
    apart = np.linalg.norm(places[:, None] - before_mm[None], axis=2)
    apart[~same] = np.inf
    nearest = (apart == apart.min(axis=1, keepdims=True)) & (apart == apart.min(axis=0, keepdims=True))
    return np.asarray(nearest & (apart < REGAINED_NEAR_MM), bool)


def _apply(movement: Floats, places: Floats) -> Floats:
    return np.asarray(places @ movement[:2, :2].T + movement[:2, 2], np.float64)


def _list_places(tiles: Sequence[SeenTile]) -> Floats:
    return np.array([[tile.x_mm, tile.y_mm] for tile in tiles])


def _code(tile: SeenTile) -> str:
    return tile.readings[0][0] if tile.readings else UNKNOWN


def turn_to_same_seats(camera: TableCamera, before: TableCamera) -> TableCamera:
    """The camera with the seats, as far as a quarter turn goes, where the camera before has them."""
    turned = [np.roll(camera.corners, quarters, axis=0) for quarters in range(4)]
    nearest = min(turned, key=lambda corners: float(np.linalg.norm(corners - before.corners)))
    return TableCamera.from_corners(nearest, camera.width, camera.height, lens=camera.lens)


def move_to_camera(
    tiles: Iterable[SeenTile], before: TableCamera, now: TableCamera, high_mm: float
) -> tuple[SeenTile, ...]:
    """Tiles of one camera at their places for a better camera of the same picture; high_mm: height of their
    faces."""
    carried = []
    for tile in tiles:
        tip = tile.x_mm - np.sin(tile.angle) * POINTER_MM, tile.y_mm + np.cos(tile.angle) * POINTER_MM
        seen = before.project(np.array([[tile.x_mm, tile.y_mm, high_mm], [*tip, high_mm]]))
        (x, y), ahead = now.lift(seen, high_mm)
        if np.isfinite([x, y]).all():
            angle = float(np.arctan2(x - ahead[0], ahead[1] - y))
            carried.append(replace(tile, x_mm=float(x), y_mm=float(y), angle=angle))
    return tuple(carried)


class Regained:
    """Numbers the tiles of an observer: those that were there before keep their numbers, others get the next
    after `last`. The sights' places are those of the tiles before."""

    def __init__(self, before: Iterable[SeenTile] = (), last: int = 0) -> None:
        self._before = list(before)
        self.last = self._first = max([last, *(tile.track for tile in self._before)])
        self._since_s: float | None = None
        self._same: dict[int, SeenTile] = {}

    def number(self, sight: Sight) -> Sight:
        """The sight with these numbers. The place of a tile not found again yet counts as covered for a
        while."""
        if self._since_s is None:
            self._since_s = sight.t
        if sight.t - self._since_s > REGAINED_WAIT_S:
            self._before = []
        new = [tile for tile in sight.tiles if tile.track not in self._same]
        for tile, known in _match(self._before, new):
            self._same[tile.track] = known
            self._before.remove(known)
        tiles = tuple(self._name(tile) for tile in sight.tiles)
        self.last = max(self.last, *(tile.track for tile in tiles)) if tiles else self.last
        half = sight.tile_mm / 2
        hidden = tuple(
            Box(each.x_mm - half, each.y_mm - half, each.x_mm + half, each.y_mm + half)
            for each in self._before
        )
        return replace(sight, tiles=tiles, covered=(*sight.covered, *hidden))

    def find(self, number: int) -> int:
        """The observer's number of the tile that has this one in the sights."""
        same = (own for own, known in self._same.items() if known.track == number)
        return next(same, number - self._first)

    def _name(self, tile: SeenTile) -> SeenTile:
        known = self._same.get(tile.track)
        if known is None:
            return replace(tile, track=self._first + tile.track)
        return replace(tile, track=known.track, still_since_s=known.still_since_s)


def _match(before: Sequence[SeenTile], now: Sequence[SeenTile]) -> list[tuple[SeenTile, SeenTile]]:
    """Pairs of a tile of now and the tile before that it may be: nearest first, each once."""
    pairs = sorted(
        (hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm), at, k)
        for at, one in enumerate(now)
        for k, other in enumerate(before)
        if abs(one.x_mm - other.x_mm) < REGAINED_NEAR_MM and _may_be_same(one, other)
    )
    matched: list[tuple[SeenTile, SeenTile]] = []
    taken: set[int] = set()
    found: set[int] = set()
    for apart, at, k in pairs:
        if apart < REGAINED_NEAR_MM and at not in found and k not in taken:
            found.add(at)
            taken.add(k)
            matched.append((now[at], before[k]))
    return matched


def _may_be_same(one: SeenTile, other: SeenTile) -> bool:
    """Whether two readings may be of one tile."""
    codes = {_code(one), _code(other)}
    return len(codes) == 1 or (UNKNOWN in codes and BACK not in codes)


def find_near_wall(away_mm: Iterable[float], tile_mm: float) -> float | None:
    """How far the middles of the walls are from the middle of the table, mm, by the distances of backs in
    walls, for tiles of that width; None unless they are nearer than usual. Hands are farther out, and from
    above may show rows of backs, too."""
    usual, blur = USUAL_WALL_MM * tile_mm / USUAL_TILE_MM, WALL_BLUR_MM * tile_mm / USUAL_TILE_MM
    away = sorted(each for each in away_mm if each < usual)
    for first, near in enumerate(away):
        within = [each for each in away[first:] if each <= near + 2 * blur]
        if len(within) >= NEAR_WALL_MIN_BACKS:
            return float(within[len(within) // 2])
    return None


def is_near_wall(place_mm: NDArray[np.float64], lines_mm: Sequence[float], within_mm: float) -> bool:
    """Whether a place (2,) is within this distance of a wall. lines_mm: how far each side's wall is from the
    middle."""
    x, y = place_mm.tolist()
    places = [see_from(side, x, y) for side in range(4)]
    return any(
        hypot(max(0.0, abs(u) - WALL_REACH_MM), v - line) < within_mm
        for (u, v), line in zip(places, lines_mm, strict=True)
    )
