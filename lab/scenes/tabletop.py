"""A table's layout as a value: where every tile lies, in mm, on which layer and in which pose.

Axes are those of `geometry`: the middle of the table is 0, 0 and seat 0 sits at its lower edge (-y), seat 1
at the right. Drawing is a function of a layout, a camera and a set of tiles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from lab.scenes.geometry import Box, Floats, rotation_x, rotation_y, rotation_z
from lab.scenes.layouts import Layout, PlacedTile

QUARTER = np.pi / 2


class Pose(Enum):
    """How a tile rests."""

    FACE_UP = "face up"
    FACE_DOWN = "face down"
    STANDING = "standing"
    """On its lower edge, its face towards -y before it is turned."""
    ON_SIDE = "on its side"
    """On its long side, its face towards -y before it is turned."""


class Part(Enum):
    """What a tile on a table belongs to."""

    WALL = "wall"
    HAND = "hand"
    RIVER = "river"
    MELD = "meld"
    FLOWERS = "flowers"


@dataclass(frozen=True, slots=True)
class Resting:
    """One tile on the table: its code, the middle of its footprint, the turn of it in radians, its layer.

    lean: of a standing tile, radians back from upright. seat, part: whose and what it belongs to.
    """

    code: str
    x_mm: float
    y_mm: float
    angle: float
    pose: Pose
    layer: int = 0
    lean: float = 0.0
    seat: int = 0
    part: Part = Part.RIVER


@dataclass(frozen=True, slots=True)
class Tabletop:
    """All tiles on a table, of one size: width, height, depth in mm."""

    size_mm: tuple[float, float, float]
    tiles: tuple[Resting, ...]

    def place_tiles(self) -> Layout:
        """The same as boxes in space, in the same order."""
        return [place_tile(tile, np.array(self.size_mm)) for tile in self.tiles]


def place_tile(tile: Resting, size_mm: Floats) -> PlacedTile:
    """A resting tile as a box; a tile on an upper layer lies on tiles that lie flat."""
    turn = rotation_z(tile.angle)
    if tile.pose is Pose.FACE_DOWN:
        turn = turn @ rotation_y(np.pi)
    elif tile.pose is Pose.STANDING:
        turn = turn @ rotation_x(QUARTER - tile.lean)
    elif tile.pose is Pose.ON_SIDE:
        turn = turn @ rotation_x(QUARTER) @ rotation_z(QUARTER)
    base = tile.layer * size_mm[2]
    return PlacedTile(tile.code, Box.resting(size_mm, turn, tile.x_mm, tile.y_mm, float(base)))


def turn_to_seat(tiles: Iterable[Resting], seat: int) -> list[Resting]:
    """Tiles laid out as seat 0 would have them, before that seat."""
    angle = seat * QUARTER
    c, s = round(np.cos(angle)), round(np.sin(angle))
    return [
        replace(
            tile,
            x_mm=c * tile.x_mm - s * tile.y_mm,
            y_mm=s * tile.x_mm + c * tile.y_mm,
            angle=tile.angle + angle,
            seat=seat,
        )
        for tile in tiles
    ]
