"""Tiles that go from the walls of a table seen from straight above, drawn as plain rectangles."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.seeing.outlines import TileSize, place_quads
from companion.seeing.top_view import SIDE, to_pixels
from companion.seeing.walls import NEW_LOOK_S, WallWatch

SIZE = TileSize(26.0, 34.0, True)
WALL_MM, STACKS, LOOK_S = 250.0, 17, 0.15
NOTHING = np.zeros((SIDE, SIDE), bool)
Stack = tuple[int, int]
"""A side and a place in it, from its player's right on, as walls are taken."""


def find_middle(side: int, stack: int) -> np.ndarray:
    u, v = (STACKS / 2 - 0.5 - stack) * SIZE.width_mm, WALL_MM
    return np.array([(u, -v), (v, u), (-u, v), (-v, -u)][side])


class Table:
    """Walls of two layers, and what watches them."""

    def __init__(self, seed: int = 1) -> None:
        self.left = {(side, stack): 2 for side in range(4) for stack in range(STACKS)}
        self.rng = np.random.default_rng(seed)
        self.watch = WallWatch()
        self.watch.find(np.array([find_middle(*stack) for stack in self.left]), SIZE.width_mm)
        self.t = 0.0
        self.look(4)

    def draw(self) -> np.ndarray:
        picture = np.full((SIDE, SIDE), 100.0)
        for stack, layers in self.left.items():
            if layers:
                middle = find_middle(*stack) * (1 + 0.013 * layers)  # what is higher seems farther out
                upright = np.ones(1, bool)
                quad = place_quads(middle[None], np.array([stack[0] * np.pi / 2]), upright, SIZE)[0]
                cv2.fillConvexPoly(picture, (to_pixels(quad) * 16).round().astype(np.int32), 150, 16, 4)
        return picture

    def look(
        self, times: int = 3, light: float = 1.0, over: np.ndarray = NOTHING, hidden: bool = True
    ) -> int:
        """How many tiles are said to have gone. over: what an arm covers; hidden: whether that is known."""
        found = 0
        for _ in range(times):
            picture = np.where(over, 60.0, self.draw()) * light + self.rng.normal(0, 1.5, (SIDE, SIDE))
            lit = picture.clip(0, 255).astype(np.uint8)
            found += len(self.watch.watch(lit, over if hidden else NOTHING, SIZE.width_mm, self.t))
            self.t += LOOK_S
        return found

    def take(self, stack: Stack) -> int:
        self.left[stack] -= 1
        return self.look(4)


def cover(x_mm: float, y_mm: float, half_mm: float) -> np.ndarray:
    place = to_pixels(np.array([x_mm, y_mm]))
    rows, columns = np.mgrid[:SIDE, :SIDE]
    covered: np.ndarray = np.maximum(abs(columns - place[0]), abs(rows - place[1])) < half_mm / 2
    return covered


def test_every_tile_that_goes_is_noticed_upper_and_lower_and_round_a_corner() -> None:
    table = Table()
    stacks = [(1, 15), (1, 16), (0, 0), (0, 1), (0, 2)]
    found = [table.take(stack) for stack in stacks for _ in range(2)]
    assert sum(found) == 10
    assert found[2:] == [1] * 8  # the first waits for the second, beside it


def test_tiles_that_go_from_the_other_end_are_noticed_too() -> None:
    table = Table()
    for stack in [(1, 4), (1, 4), (1, 5), (1, 5)]:
        table.take(stack)
    assert [table.take(stack) for stack in [(1, 6), (3, 9), (3, 9), (1, 6), (3, 8)]] == [1, 0, 2, 1, 1]


@pytest.mark.parametrize("light", [0.7, 1.3])
def test_light_is_no_tile_that_went(light: float) -> None:
    table = Table()
    table.take((1, 4))
    assert table.take((1, 4)) == 2
    assert table.look(10, light) == 0
    assert table.take((1, 5)) == 1


@pytest.mark.parametrize("hidden", [True, False])
def test_an_arm_over_the_wall_is_no_tile_that_went(hidden: bool) -> None:
    table = Table()
    table.take((1, 4))
    assert table.take((1, 4)) == 2
    arm = cover(WALL_MM, find_middle(1, 5)[1], 70.0)
    assert table.look(round(NEW_LOOK_S / LOOK_S) - 2, 1.0, arm, hidden) == 0
    assert table.look() == 0
    table.left[1, 5] -= 1
    assert table.look(5, 1.0, arm, hidden) == 0
    assert table.look(5) == 1


def test_without_walls_nothing_is_said() -> None:
    watch = WallWatch()
    watch.find(np.array([[10.0, 20.0], [300.0, -40.0]]), SIZE.width_mm)
    assert not watch.knows_place
    assert watch.watch(np.zeros((SIDE, SIDE), np.uint8), NOTHING, SIZE.width_mm, 1.0) == ()


def test_walls_stand_askew_of_one_another() -> None:
    """As the sails of a pinwheel do: each begins beside the end of the next one."""
    watch = WallWatch()
    away = (187.0, 218.0, 187.0, 195.0)
    watch.find(
        np.array(
            [
                [(u, -v), (v, u), (-u, v), (-v, -u)][side]
                for side, v in enumerate(away)
                for u in np.arange(-162.0, 200.0, 21.0)
            ]
        ),
        20.5,
    )
    assert watch.lines_mm == pytest.approx(away, abs=2.0)


def test_a_side_without_a_wall_is_taken_to_be_as_the_others() -> None:
    watch = WallWatch()
    watch.find(np.array([(u, -187.0) for u in np.arange(-162.0, 200.0, 21.0)]), 20.5)
    assert watch.lines_mm == pytest.approx((187.0,) * 4)
