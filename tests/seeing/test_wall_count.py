"""Counting the tiles in walls: plain boxes before a camera at a corner of the table, or above it."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import pytest

from companion.seeing.known_tiles import TileTrack
from companion.seeing.outlines import Footprint, TileSize, place_quads
from companion.seeing.table_camera import TABLE_MM, TableCamera
from companion.seeing.top_view import SIDE, TopView
from companion.seeing.walls import COUNT_EVERY_S, WallCount, count_backs

SIZE = TileSize(26.0, 34.0, True)
WALL_MM, WIDE, HIGH = 245.0, 1600, 1200
CORNER, ABOVE = (650.0, -650.0, 700.0), (0.0, -60.0, 1300.0)
NOTHING = np.zeros((SIDE, SIDE), bool)
Stacks = dict[tuple[int, int], int]
"""How many tiles stand on a side of the table, at a place along it counted from the middle."""


def stand_camera(eye: tuple[float, float, float]) -> TableCamera:
    """A camera that looks at the middle of the table, with a wide lens."""
    ahead = -np.array(eye) / np.linalg.norm(eye)
    right = np.cross(ahead, (0, 0, 1))
    right /= np.linalg.norm(right)
    turned = np.stack([right, np.cross(ahead, right), ahead])
    half = TABLE_MM / 2
    corners = np.array([(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)])
    seen = (corners - np.array(eye)) @ turned.T
    px = seen[:, :2] / seen[:, 2:] * 1100 + np.array([WIDE, HIGH]) / 2
    return TableCamera.from_corners(px, WIDE, HIGH)


def place(side: int, u: float, v: float) -> tuple[float, float]:
    return [(u, -v), (v, u), (-u, v), (-v, -u)][side]


class CountedTable:
    """A wall, a camera, and what counts the tiles. back, cloth: grey levels."""

    def __init__(
        self, stacks: Stacks, eye: tuple[float, float, float], back: int = 150, cloth: int = 60
    ) -> None:
        self.stacks = stacks
        self.camera = stand_camera(eye)
        self.plane = TopView.of(self.camera, SIZE.depth_mm)
        self.count = WallCount()
        self.back, self.cloth, self.t = back, cloth, 0.0
        self.rng = np.random.default_rng(1)

    def draw(self) -> np.ndarray:
        """The farthest stacks first, the sides of each before its top."""
        picture = np.full((HIGH, WIDE, 3), float(self.cloth))
        eye = self.camera.position_mm[:2]
        for (side, at), tiles in sorted(
            self.stacks.items(),
            key=lambda each: -np.hypot(*(place(each[0][0], each[0][1] * 26.0, WALL_MM) - eye)),
        ):
            u, half, high = at * SIZE.width_mm, SIZE.height_mm / 2, tiles * SIZE.depth_mm
            ends = product(
                (u - SIZE.width_mm / 2, u + SIZE.width_mm / 2), (WALL_MM - half, WALL_MM + half), (0.0, high)
            )
            corners = np.array([(*place(side, a, b), z) for a, b, z in ends])
            px = (self.camera.project(corners) * 16).round().astype(np.int32)
            cv2.fillConvexPoly(picture, cv2.convexHull(px), (self.back + 40,) * 3, 16, 4)
            top = cv2.convexHull(px[corners[:, 2] == high])
            cv2.fillConvexPoly(picture, top, (self.back,) * 3, 16, 4)
        noise = self.rng.normal(0, 1.0, picture.shape)
        return np.asarray((picture + noise).clip(0, 255), np.uint8)

    def list_backs(self) -> list[TileTrack]:
        """One back of each side, where the camera sees it."""
        eye, tracks = self.camera.position_mm, []
        for side in {side for side, _ in self.stacks}:
            at = next(at for where, at in self.stacks if where == side)
            nearer = (eye[2] - SIZE.depth_mm) / (eye[2] - self.stacks[side, at] * SIZE.depth_mm)
            middle = eye[:2] + (np.array(place(side, at * SIZE.width_mm, WALL_MM)) - eye[:2]) * nearer
            quad = place_quads(middle[None], np.array([side * np.pi / 2]), np.ones(1, bool), SIZE)[0]
            footprint = Footprint.of(quad)
            patch = np.zeros(footprint.inside.shape, np.uint8)
            tracks.append(TileTrack(side, middle, 0.0, quad, footprint, patch, 0.0, back_p=1.0))
        return tracks

    def look(self, hidden: np.ndarray = NOTHING) -> tuple[int, int] | None:
        """Two looks."""
        lit = self.plane.show(self.draw())
        for _ in range(2):
            self.count.update(lit, hidden, self.list_backs(), (WALL_MM,) * 4, SIZE, self.camera, self.t)
            self.t += COUNT_EVERY_S
        return self.count.left


def build(*sides: int, stacks: int = 7) -> Stacks:
    return {(side, at): 2 for side in sides for at in range(-(stacks // 2), stacks - stacks // 2)}


@pytest.mark.slow
@pytest.mark.parametrize("side", [0, 1])
def test_from_a_corner_the_last_tiles_are_counted_exactly(side: int) -> None:
    table = CountedTable(build(side, stacks=4), CORNER)
    for left in range(8, 0, -1):
        assert table.look() == (left, left)
        last = max(at for where, at in table.stacks)
        table.stacks[side, last] -= 1
        if not table.stacks[side, last]:
            del table.stacks[side, last]
    assert table.look() == (0, 0)


def test_long_walls_on_two_sides_are_counted_about() -> None:
    table = CountedTable(build(0, 2, stacks=14), CORNER)
    least, most = table.look() or (0, 0)
    assert least <= 56 <= most
    assert most - least <= 4


def test_from_above_the_stacks_are_counted_and_single_tiles_are_not_told() -> None:
    table = CountedTable(build(1, stacks=5), ABOVE)
    assert table.look() == (8, 10)
    table.stacks[1, 2] = 1
    assert table.look() == (8, 10)
    del table.stacks[1, 2]
    assert table.look() == (6, 8)


@pytest.mark.parametrize(("back", "cloth"), [(40, 30), (30, 120)])
def test_backs_like_the_cloth_and_darker_ones_are_counted_too(back: int, cloth: int) -> None:
    assert CountedTable(build(2, stacks=3), CORNER, back, cloth).look() == (6, 6)


@pytest.mark.slow
def test_nothing_is_counted_while_something_hides_the_wall_or_it_changes() -> None:
    table = CountedTable(build(2, stacks=3), CORNER)
    assert table.look() == (6, 6)
    assert table.look(hidden=~NOTHING) is None
    assert table.look() == (6, 6)
    del table.stacks[2, 1]
    lit = table.plane.show(table.draw())
    table.count.update(lit, NOTHING, table.list_backs(), (WALL_MM,) * 4, SIZE, table.camera, table.t)
    assert table.count.left is None


def test_what_looks_like_no_wall_is_not_counted() -> None:
    assert CountedTable({(2, 0): 6, (2, 1): 6}, CORNER).look() is None


def test_backs_of_standing_hands_are_not_counted_with_those_of_walls() -> None:
    """From above both are long rows of backs."""
    wall, hand = CountedTable(build(0, 2), ABOVE).list_backs()
    wall.in_wall = hand.in_wall = True
    hand.middle_mm = hand.middle_mm * 375.0 / WALL_MM
    assert count_backs([wall, hand], None) == 2
    assert count_backs([wall, hand], (WALL_MM,) * 4) == 1
