"""Tables as people have them: loose tiles show the plane through any lens, all evidence is weighed together,
and drawn tables are found that have the geometry of photographed ones."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.config import models_dir
from companion.images import Image
from companion.seeing.finding_table import (
    AGREED_P,
    HELD_LOOKS,
    FoundBy,
    FoundTable,
    LensWatch,
    StraightSearch,
    TableSearch,
    drop_repeated,
    find_table,
    measure_shift,
    see_square,
    shows_same,
)
from companion.seeing.sights import HELD
from companion.seeing.table_camera import TABLE_MM, TableCamera
from companion.seeing.table_evidence import Way, mark_same, weigh
from companion.seeing.table_plane import TILE_UNITS, Plane, find_layout, find_planes, gather_lines
from companion.seeing.table_sides import EVIDENCE, Square, outline_cloth, rate_steps, view_from_above
from companion.vision.candidates import Candidates
from companion.vision.recogniser import Recogniser
from lab.bench.lived_in_tables import RIGHT_SHARE, measure_off
from lab.film.lived_in import draw_lived_in
from lab.scenes.geometry import Camera

SIZE = (1280, 960)
HALF_MM = 400.0
SQUARE = HALF_MM * np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])


def strew(camera: Camera, count: int = 40) -> Candidates:
    """Tiles that lie loosely about the middle of a table."""
    rng = np.random.default_rng(2)
    flat = np.array([[-13.0, 17.5], [13, 17.5], [13, -17.5], [-13, -17.5]])
    quads = []
    for _ in range(count):
        angle = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        middle = rng.normal(0, 110, 2)
        quads.append(camera.project(np.column_stack([flat @ turn.T + middle, np.full(4, 20.0)])))
    ones = np.ones(count, np.float32)
    return Candidates.from_finder(np.array(quads, np.float32), 0.9 * ones, 0.0 * ones)


def align(camera: Camera) -> Candidates:
    """Tiles that point along the table's sides."""
    flat = np.array([[-13.0, 17.5], [13, 17.5], [13, -17.5], [-13, -17.5]])
    spots = [(x, y) for x in (-200.0, 0, 200) for y in (-200.0, 0, 200)]
    quads = [camera.project(np.column_stack([flat + spot, np.zeros(4)])) for spot in spots]
    ones = np.ones(len(quads), np.float32)
    return Candidates.from_finder(np.array(quads, np.float32), ones, 0.0 * ones)


@pytest.mark.parametrize("focal", [0.7, 1.2, 2.6])
@pytest.mark.parametrize("elevation", [30, 50])
def test_loose_tiles_show_the_plane_through_any_lens(focal: float, elevation: float) -> None:
    width, height = SIZE
    distance = 1600 * focal
    camera = Camera.looking_at(
        np.zeros(3), distance, np.radians(elevation), np.radians(40), 0.02, focal * width, width, height
    )
    picture = np.full((height, width, 3), 90, np.uint8)
    cv2.fillConvexPoly(picture, camera.project(SQUARE).astype(np.int32), (60, 120, 40))
    tiles = strew(camera)
    plane = find_planes(gather_lines(picture, tiles), tiles, width, height)[0]
    flat = plane.map_points(camera.project(SQUARE + np.array([0, 0, 20.0])))
    sides = np.linalg.norm(flat - np.roll(flat, 1, axis=0), axis=1)
    assert sides.max() / sides.min() < 1.06


def test_the_outline_of_the_cloth_shows_a_plane_that_is_wrong() -> None:
    """A square that looks like another quad in the plane that was assumed."""
    corners = np.array([[-330.0, -390], [420, -370], [380, 400], [-400, 350]])
    quad = (corners / 2 + [640, 480]).astype(np.float32)
    picture = np.full((960, 1280, 3), (90, 120, 170), np.uint8)
    cv2.fillConvexPoly(picture, quad.astype(np.int32), (60, 120, 40))
    to_plane = np.array([[2.0, 0, -1280], [0, 2, -960], [0, 0, 1]])
    spots = np.array([[x, y] for x in (-150.0, 0, 150) for y in (-150.0, 0, 150)]) / 2 + [640, 480]
    tile = np.array([[-6, -8], [6, -8], [6, 8], [-6, 8]])
    quads = (spots[:, None] + tile).astype(np.float32)
    for each in quads:
        cv2.fillConvexPoly(picture, each.astype(np.int32), (240, 240, 240))
    tiles = Candidates.from_finder(quads, np.ones(9, np.float32), np.zeros(9, np.float32))
    found = outline_cloth(view_from_above(picture, to_plane, np.zeros(2)), tiles, to_plane)
    assert found is not None
    assert measure_off(found, corners) < 0.02


@pytest.mark.parametrize("clockwise", [True, False])
def test_the_corners_of_a_table_show_its_plane_and_the_camera(clockwise: bool) -> None:
    camera = Camera.looking_at(np.zeros(3), 1500, np.radians(40), 0.3, 0.0, 1000, *SIZE)
    corners = camera.project(SQUARE)
    plane = see_square(corners[::-1] if clockwise else corners, strew(camera), *SIZE)
    assert plane is not None
    flat = plane.map_points(corners)
    sides = np.linalg.norm(flat - np.roll(flat, 1, axis=0), axis=1)
    assert sides == pytest.approx(sides.mean())
    assert sides.mean() == pytest.approx(2 * HALF_MM / 26 * TILE_UNITS, rel=0.05)
    height, distance = plane.eye[2], np.linalg.norm(plane.eye - [*flat.mean(axis=0), 0])
    assert height / distance == pytest.approx(np.sin(np.radians(40)), abs=0.02)
    lines = gather_lines(np.zeros((*SIZE[::-1], 3), np.uint8), align(camera))
    along, across = lines.rate_corners(np.stack([corners, np.roll(corners, 1, axis=0) * [1, 1.3]]), *SIZE)
    assert along > 0.9 > across


def test_corners_that_no_lens_shows_are_no_table() -> None:
    camera = Camera.looking_at(np.zeros(3), 1500, np.radians(40), 0.3, 0.0, 1000, *SIZE)
    long = np.array([[200.0, 500], [1000, 500], [990, 450], [210, 450]])
    assert see_square(long, strew(camera), *SIZE) is None
    assert see_square(camera.project(SQUARE * 0.3), strew(camera), *SIZE) is None


def test_an_outline_that_is_nearly_one_before_is_not_searched_again() -> None:
    one = np.array([[200.0, 800], [1000, 800], [900, 300], [300, 300]])
    assert [len(drop_repeated([one, np.roll(one[::-1], 1, axis=0) + by])) for by in (3.0, 30.0)] == [1, 2]
    assert drop_repeated([]) == []


def test_a_side_at_which_the_colour_changes_here_and_there_is_no_edge() -> None:
    """A mat's right side, beyond which things of all colours are, as tiles in a row."""
    picture = np.full((960, 1280, 3), (40, 70, 110), np.uint8)
    corners = np.array([[240.0, 880], [1040, 880], [1040, 80], [240, 80]])
    cv2.fillConvexPoly(picture, corners.astype(np.int32), (60, 120, 40))
    spotted = picture.copy()
    spotted[80:880, 1041:1100] = (60, 120, 40)
    for row, shade in zip(range(80, 880, 80), (20, 250) * 5, strict=True):
        spotted[row : row + 30, 1041:1100] = shade
    clear, spots = (
        rate_steps(np.asarray(cv2.cvtColor(each, cv2.COLOR_BGR2Lab), np.uint8), corners, 800.0)
        for each in (picture, spotted)
    )
    assert clear[0] > 0.95
    assert clear[1] < 0.05
    assert spots[0] < 0.5
    assert spots[1] > 0.1
    beyond = np.add(corners, (600, 0))
    cut = rate_steps(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2Lab), np.uint8), beyond, 800.0)
    assert cut[0] == 0


def make_way(share: float, edges: float, shift_px: float = 0.0) -> tuple[Way, Candidates]:
    """A way to see a table from straight above, with edges as clear as that."""
    camera = Camera.looking_at(np.zeros(3), 1500, np.pi / 2 - 1e-3, 0.0, 0.0, 1000, *SIZE)
    tiles = strew(camera)
    table = TableCamera.from_corners(camera.project(SQUARE), *SIZE, 1000.0)
    p, times = table.projection, TILE_UNITS / 26.0
    to_table = np.linalg.inv(np.column_stack([p[:, 0], p[:, 1], p[:, 3]]))
    plane = Plane(np.diag([times, times, 1]) @ to_table, table.position_mm * times)
    half = TABLE_MM / 2 * times
    evidence = np.array([edges if name in ("edges", "least", "uncovered") else 0.0 for name in EVIDENCE])
    sides = np.full(4, edges)
    square = Square(-half, half, -half, half, edges, sides, np.ones(4), 0.0, evidence)
    corners = camera.project(SQUARE) + shift_px
    steps = np.array([edges, 0.0])
    return Way(plane, square, find_layout(tiles, plane), corners, sides, False, steps, along=share), tiles


def test_clear_edges_make_a_table_likely_and_none_make_it_unlikely() -> None:
    clear, tiles = make_way(0.4, 0.95)
    faint, _ = make_way(0.4, 0.0)
    assert weigh([clear], tiles)[1] > 0.9
    assert weigh([faint], tiles)[1] < 0.3
    assert weigh([faint, clear], tiles)[0] == 1


def test_ways_that_agree_are_one_table_and_others_take_from_it() -> None:
    way, tiles = make_way(0.4, 0.6)
    near, _ = make_way(0.4, 0.6, 4.0)
    far, _ = make_way(0.4, 0.6, 90.0)
    alone, agreed, against = (weigh(ways, tiles)[1] for ways in ([way], [way, near], [way, far]))
    assert against < alone < agreed
    turned = np.roll(near.corners[::-1], 1, axis=0)
    assert mark_same([way.corners, turned, far.corners]).tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]


def test_noise_shows_the_same_and_a_moved_tile_does_not() -> None:
    rng = np.random.default_rng(3)
    picture = cv2.resize(rng.integers(0, 255, (9, 16, 3), np.uint8), (1280, 720))
    noisy = cv2.add(picture, rng.integers(0, 5, picture.shape, np.uint8))
    assert shows_same(picture, np.asarray(noisy, np.uint8))
    moved = picture.copy()
    moved[300:340, 600:630] = 255 - moved[300:340, 600:630]
    assert not shows_same(picture, moved)


def test_a_view_that_moves_is_told_from_an_arm_that_does() -> None:
    rng = np.random.default_rng(4)
    wide = cv2.resize(rng.integers(0, 255, (30, 50, 3), np.uint8), (1400, 800))
    before, after = wide[40:760, 60:1340], wide[40:760, 100:1380]
    assert 0.02 < measure_shift(np.ascontiguousarray(before), np.ascontiguousarray(after)) < 0.045
    arm = np.ascontiguousarray(before)
    cv2.line(arm, (0, 700), (500, 300), (120, 150, 200), 90)
    assert measure_shift(np.ascontiguousarray(before), arm) < 0.01


class Sure(TableSearch):
    """Finds a table in every picture."""

    def __init__(self) -> None:
        table = TableCamera.from_corners(np.array([[300.0, 700], [900, 700], [800, 200], [400, 200]]), *SIZE)
        self._found = FoundTable(table, 0.95, FoundBy.TILES_AND_EDGES, 4, 40, False)

    has_several = False
    best = None

    def search(self, image: Image) -> FoundTable | None:
        return self._found


def test_a_table_is_not_taken_from_a_camera_in_a_hand() -> None:
    rng = np.random.default_rng(5)
    wide = cv2.resize(rng.integers(0, 255, (30, 50, 3), np.uint8), (1800, 1100))
    views = [np.ascontiguousarray(wide[40 : 40 + SIZE[1], x : x + SIZE[0]]) for x in range(0, 500, 60)]
    search = StraightSearch(Sure, LensWatch())
    found = [search.search(view) is not None for view in views]
    assert found == [number < HELD_LOOKS for number in range(len(views))]
    assert search.guess.why == HELD
    assert [search.search(np.asarray(views[-1] + shade)) is not None for shade in (0, 40)] == [False, True]


PHOTOGRAPHED = {
    "zoomed": ((1320, 742), ((-75, 409), (655, 826), (1445, 375), (690, 78)), 0),
    "side": ((1600, 900), ((-104, 621), (1706, 607), (1210, 71), (371, 81)), 0),
    "small": ((452, 340), ((35, 142), (212, 282), (437, 147), (240, 68)), 2),
    "far": ((1476, 1108), ((337, 428), (732, 682), (1135, 430), (732, 310)), 0),
    "near": ((1440, 1080), ((-89, 992), (1803, 1031), (1369, 19), (380, 62)), 0),
}
"""Sizes of photographs, the corners of the tables in them, px, and which table is drawn there."""


@pytest.mark.slow
@pytest.mark.parametrize("name", PHOTOGRAPHED)
def test_tables_with_the_geometry_of_photographed_ones_are_found(name: str) -> None:
    (width, height), corners, number = PHOTOGRAPHED[name]
    seen = TableCamera.from_corners(np.array(corners, np.float64), width, height)
    drawn = draw_lived_in(np.random.default_rng((77, number)), kind="automatic", seen=seen)
    found = find_table(drawn.image, Recogniser(models_dir(), threads=1))
    assert found is not None
    assert found.p >= AGREED_P
    assert measure_off(found.camera.corners, drawn.corners) < RIGHT_SHARE


@pytest.mark.slow
def test_a_table_is_found_as_well_in_the_dark() -> None:
    drawn = draw_lived_in(np.random.default_rng((77, 0)), kind="automatic")
    recogniser = Recogniser(models_dir(), threads=1)
    light, dark = (
        find_table(np.asarray(cv2.convertScaleAbs(drawn.image, alpha=share), np.uint8), recogniser)
        for share in (1.0, 0.3)
    )
    assert light is not None
    assert dark is not None
    assert measure_off(dark.camera.corners, light.camera.corners) < RIGHT_SHARE
