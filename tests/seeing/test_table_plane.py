"""The middle of a table by its tiles, without any picture."""

from __future__ import annotations

import numpy as np
import pytest

from companion.seeing.finding_table import contradict
from companion.seeing.table_camera import TableCamera
from companion.seeing.table_plane import TILE_UNITS, Plane, find_layout
from companion.vision.candidates import Candidates
from lab.film.customs import Pose, place_camera
from lab.scenes.geometry import Camera

SIZE = (1920, 1080)
TILE = np.array([26.0, 34.6, 20.0])
WALL_MM, HAND_MM, RIVER_MM = 245.0, 345.0, 100.0
CORNERS = 400.0 * np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])


def lay(u_mm: float, v_mm: float, seat: int, high_mm: float) -> np.ndarray:
    """The upper side (4, 3) of a tile before a seat: u to the right, v from the middle."""
    half = TILE[:2] / 2
    flat = np.array([[u_mm, -v_mm]]) + half * np.array([[-1.0, 1], [1, 1], [1, -1], [-1, -1]])
    angle = seat * np.pi / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.column_stack([flat @ turn.T, np.full(4, high_mm)])


def list_tiles(moment: str) -> tuple[list[np.ndarray], list[float]]:
    """Tiles and how much each shows its back: walls of which two are left at the beginning, or discards in
    the middle of a hand; two melds."""
    tiles, backs = [], []
    walls = {0: range(17), 3: range(17), 1: range(6)} if moment == "beginning" else {1: range(4)}
    for seat, stacks in walls.items():
        for stack in stacks:
            tiles.append(lay((8 - stack) * 26.4, WALL_MM, seat, 40.0))
            backs.append(1.0)
    if moment == "later":
        for seat in range(4):
            for number in range(8):
                row, at = divmod(number, 6)
                tiles.append(lay((at - 2.5) * 26.4, RIVER_MM + 35 * row, seat, 20.0))
                backs.append(0.0)
    for seat in (0, 2):
        for number in range(3):
            tiles.append(lay(280.0 + 26.4 * number, HAND_MM, seat, 20.0))
            backs.append(0.0)
    return tiles, backs


def see(camera: Camera, moment: str) -> Candidates:
    tiles, backs = list_tiles(moment)
    quads = camera.project(np.concatenate(tiles)).reshape(-1, 4, 2).astype(np.float32)
    return Candidates.from_finder(quads, np.full(len(quads), 0.9, np.float32), np.array(backs, np.float32))


def find_plane(camera: TableCamera, turned: float, shift: float) -> Plane:
    """The plane of tiles' faces, as it is found: its axes turned by quarters, and its middle anywhere."""
    angle = turned * np.pi / 2
    times = TILE_UNITS / (TILE[0] * camera.position_mm[2] / (camera.position_mm[2] - TILE[2]))
    moved = np.array(
        [[np.cos(angle), -np.sin(angle), shift], [np.sin(angle), np.cos(angle), -shift], [0, 0, 1]]
    )
    p = camera.projection
    to_table = np.linalg.inv(np.column_stack([p[:, 0], p[:, 1], p[:, 3]]))
    to_plane = moved @ np.diag([times, times, 1.0]) @ to_table
    eye = moved @ [*(camera.position_mm[:2] * times), 1.0]
    return Plane(to_plane, np.array([*eye[:2], camera.position_mm[2] * times]))


def make_table(camera: Camera) -> TableCamera:
    return TableCamera.from_corners(camera.project(CORNERS), *SIZE, camera.focal_px)


@pytest.mark.parametrize("moment", ["beginning", "later"])
@pytest.mark.parametrize("pose", [Pose.ABOVE, Pose.CORNER])
@pytest.mark.parametrize("turned", [0, 1])
def test_walls_and_discards_show_the_middle(pose: Pose, moment: str, turned: int) -> None:
    camera = place_camera(pose, np.random.default_rng(7), *SIZE)
    plane = find_plane(make_table(camera), turned, 40.0)
    place = find_layout(see(camera, moment), plane).place
    box = place.box
    middle = np.array([box[:2].mean(), box[2:].mean(), 1.0])
    px = np.linalg.inv(plane.to_plane) @ middle
    off = make_table(camera).lift(px[:2] / px[2])[0]
    assert np.hypot(*off) < 20
    assert place.spread < 30
    half = (box[1] - box[0]) / 2 / TILE_UNITS * TILE[0]
    assert 360 < half < 450


@pytest.mark.parametrize("moment", ["beginning", "later"])
@pytest.mark.parametrize(
    ("off_mm", "says"), [((0, 0), False), ((0, 20), False), ((110, 0), True), ((60, -90), True)]
)
def test_what_lies_there_contradicts_a_table_that_is_elsewhere(
    moment: str, off_mm: tuple[float, float], says: bool
) -> None:
    camera = place_camera(Pose.CORNER, np.random.default_rng(7), *SIZE)
    tiles = see(camera, moment)
    found = TableCamera.from_corners(
        camera.project(CORNERS + np.array([*off_mm, 0.0])), *SIZE, camera.focal_px
    )
    assert contradict(tiles, found) is says


def test_from_the_side_nothing_is_contradicted() -> None:
    camera = place_camera(Pose.SIDE, np.random.default_rng(7), *SIZE)
    found = TableCamera.from_corners(
        camera.project(CORNERS + np.array([110.0, 0, 0])), *SIZE, camera.focal_px
    )
    assert not contradict(see(camera, "beginning"), found)
