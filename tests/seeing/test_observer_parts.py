"""The observer's parts, without a network: places and pixels, flat and standing outlines, stillness."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from companion.seeing.known_tiles import BARE_SHARE, REPLACED_ANYHOW_S, REPLACED_S, KnownTiles, NamedTiles
from companion.seeing.movement import PUZZLE_SCALES, STILL_S, BriefLooks, Puzzles, Stillness
from companion.seeing.outlines import (
    ROUGH_OFF,
    TileSize,
    agree_outlines,
    find_flat_outlines,
    join_pieces,
    place_quads,
    trim_outlines,
)
from companion.seeing.table_camera import TableCamera
from companion.seeing.top_view import SIDE, TopView, cut_boxes, fill_quads, to_pixels, to_places
from companion.vision.candidates import Candidates
from companion.vision.networks import Weigher
from lab.scenes.geometry import Camera

SIZE = TileSize(26.0, 35.0, True)
DIM = cast(Candidates, SimpleNamespace(probability_of=lambda label: np.array([0.05])))
"""A face of which the reader alone can say nothing."""
CORNER = TableCamera.from_corners(
    np.array([[910.0, 1020.0], [1590.0, 420.0], [985.0, 55.0], [360.0, 360.0]]), 1920, 1080
)


UPRIGHT = place_quads(np.array([[60.0, 40.0]]), np.zeros(1), np.ones(1, bool), SIZE)[0]


def outline(places_mm: np.ndarray) -> Candidates:
    px = CORNER.project(places_mm).astype(np.float32)[None]
    return Candidates.from_finder(px, np.ones(1, np.float32), np.zeros(1, np.float32))


@pytest.mark.parametrize("angle", [0.0, 0.4, 1.5, -2.0])
def test_a_lying_tile_is_found_where_it_lies(angle: float) -> None:
    quad = place_quads(np.array([[120.0, -80.0]]), np.array([angle]), np.ones(1, bool), SIZE)[0]
    laid = find_flat_outlines(outline(np.column_stack([quad, np.full(4, SIZE.depth_mm)])), CORNER, SIZE)
    assert len(laid) == 1
    assert np.abs(laid.middles[0] - [120, -80]).max() < 0.5
    assert abs(np.angle(np.exp(1j * (laid.angles[0] - angle)))) < 0.02


@pytest.mark.parametrize("x", [-240.0, -80.0, 80.0, 240.0])
@pytest.mark.parametrize("seat", range(4))
def test_the_face_of_a_standing_tile_is_none(x: float, seat: int) -> None:
    face = np.array([[x - 13, -340, 35], [x + 13, -340, 35], [x + 13, -340, 0], [x - 13, -340, 0.0]])
    turn = np.linalg.matrix_power(np.array([[0, -1], [1, 0]]), seat)
    face[:, :2] = face[:, :2] @ turn.T
    assert len(find_flat_outlines(outline(face), CORNER, SIZE)) == 0
    assert len(trim_outlines(find_flat_outlines(outline(face), CORNER, SIZE, ROUGH_OFF), CORNER, SIZE)) == 0


@pytest.mark.parametrize("elevation", [25.0, 30.0, 34.0, 37.0, 39.0])
def test_a_standing_tile_seen_straight_on_has_no_rough_outline(elevation: float) -> None:
    seen = Camera.looking_at(np.zeros(3), 1300.0, np.radians(elevation), 0.0, 0.0, 1400.0, 1920, 1080)
    corners = seen.project(400.0 * np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]))
    camera = TableCamera.from_corners(corners, 1920, 1080, 1400.0)
    for x in (-240.0, -80.0, 80.0, 240.0):
        face = np.array([[x - 13, -340, 35], [x + 13, -340, 35], [x + 13, -340, 0], [x - 13, -340, 0.0]])
        px = Candidates.from_finder(
            camera.project(face).astype(np.float32)[None], np.ones(1, np.float32), np.zeros(1, np.float32)
        )
        assert len(trim_outlines(find_flat_outlines(px, camera, SIZE, ROUGH_OFF), camera, SIZE)) == 0


def test_a_rough_outline_is_trimmed_to_the_tile() -> None:
    size = TileSize(31.0, 42.0, True)  # as of a tile seen with one of its sides
    quad = place_quads(np.array([[120.0, -80.0]]), np.array([0.4]), np.ones(1, bool), size)[0]
    rough = outline(np.column_stack([quad, np.full(4, SIZE.depth_mm)]))
    assert len(find_flat_outlines(rough, CORNER, SIZE)) == 0
    trimmed = trim_outlines(find_flat_outlines(rough, CORNER, SIZE, ROUGH_OFF), CORNER, SIZE)
    there = CORNER.lift(trimmed.candidates.quads[0], SIZE.depth_mm)
    sides = np.linalg.norm(there - np.roll(there, -1, axis=0), axis=1)
    assert np.abs(np.sort(sides) - [26, 26, 35, 35]).max() < 0.1
    assert np.abs(there.mean(axis=0) - [120, -80]).max() < 0.5


def test_several_looks_say_where_a_tile_lies_and_a_piece_of_it_says_little() -> None:
    looks = [(119.0, -80.5, SIZE), (121.0, -79.5, SIZE), (122.0, -74.0, TileSize(26.0, 27.0, True))]
    found = []
    for x, y, size in looks:
        quad = place_quads(np.array([[x, y]]), np.array([0.1]), np.ones(1, bool), size)[0]
        found.append(outline(np.column_stack([quad, np.full(4, SIZE.depth_mm)])))
    joined = replace(Candidates.join(found), scores=np.array([0.5, 0.5, 0.9], np.float32))
    agreed, finds = agree_outlines(find_flat_outlines(joined, CORNER, SIZE, ROUGH_OFF), CORNER, SIZE)
    assert len(agreed) == 1
    assert finds.tolist() == [3]
    assert np.abs(agreed.middles[0] - [120, -80]).max() < 0.8
    there = CORNER.lift(agreed.candidates.quads[0], SIZE.depth_mm)
    assert np.abs(there - agreed.quads[0]).max() < 0.1


def test_boxes_hold_what_is_marked_and_little_else() -> None:
    rng = np.random.default_rng(3)
    mask = np.zeros((SIDE, SIDE), bool)
    for x, y in rng.integers(20, SIDE - 60, (5, 2)):
        mask[y : y + 30, x : x + 18] = True
    boxes = cut_boxes(mask, 20.0)
    ys, xs = np.nonzero(mask)
    for x, y in to_places(np.column_stack([xs, ys]).astype(float)):
        assert any(box.holds(x, y) for box in boxes)
    area = sum((box.right - box.left) * (box.far - box.near) for box in boxes)
    assert area < 3 * 5 * 60 * 36


def test_pixels_and_places_are_each_others_inverse() -> None:
    places = np.array([[0.0, 0.0], [-400.0, 400.0], [123.0, -45.0]])
    assert np.allclose(to_places(to_pixels(places)), places)


def test_what_creeps_is_not_still_and_what_stops_is() -> None:
    stillness = Stillness()
    table = np.full((SIDE, SIDE), 90, np.uint8)
    still = np.zeros((SIDE, SIDE), bool)
    for step in range(20):
        frame = table.copy()
        frame[100:160, 100 + 3 * step : 160 + 3 * step] = 200
        still = stillness.watch(step * 0.1, frame)
        end = 100 + 3 * step + 60
        if step > 3:
            assert not still[130, end - 2]
            assert still[300, 300]
    for step in range(20, 23):
        still = stillness.watch(step * 0.1, frame)
    assert still.all(), STILL_S


def test_a_white_tile_that_is_not_found_in_too_much_light_is_not_gone() -> None:
    quad = place_quads(np.array([[60.0, 40.0]]), np.array([0.3]), np.ones(1, bool), SIZE)[0]
    laid = find_flat_outlines(outline(np.column_stack([quad, np.full(4, SIZE.depth_mm)])), CORNER, SIZE)
    place = laid.footprints[0]
    everywhere, moved_s = np.ones((SIDE, SIDE), bool), np.full((SIDE, SIDE), -np.inf)

    def draw(cloth: int, tile: int, pips: int) -> np.ndarray:
        table = np.full((SIDE, SIDE), cloth, np.uint8)
        face = np.full(place.inside.shape, tile, np.uint8)
        face[::3, ::3] = face[1::3, ::3] = face[::3, 1::3] = pips
        table[place.window][place.inside] = face[place.inside]
        return table

    tiles = KnownTiles(cast(Weigher, None), None, NamedTiles())  # which only names faces
    bare = draw(205, 205, 205)
    tiles.note_bare(everywhere, bare, moved_s, 0.0)
    tiles.add_outline(laid, 0, None, None, moved_s, draw(205, 238, 90), 1.0)
    plane = TopView.of(CORNER, SIZE.depth_mm)
    assert not tiles.judge_missing(set(), everywhere, everywhere, draw(207, 214, 120), 2.0, plane)
    assert not tiles.judge_missing(set(), everywhere, everywhere, draw(206, 230, 95), 30.0, plane)
    assert tiles.judge_missing(set(), everywhere, everywhere, bare, 31.0, plane)


def test_a_tile_is_gone_where_the_side_of_the_tile_behind_is_seen() -> None:
    """From a corner the side of the last tile but one of a row is seen where the last one was taken away."""
    camera_mm = CORNER.position_mm[:2]
    across = camera_mm / np.linalg.norm(camera_mm)
    angle = float(np.arctan2(across[1], across[0]) - np.pi / 2)
    behind = np.array([60.0, 40.0])
    places = np.array([behind, behind + across * SIZE.height_mm])
    quads = place_quads(places, np.array([angle, angle]), np.ones(2, bool), SIZE)
    faces_mm = np.concatenate([quads, np.full((2, 4, 1), SIZE.depth_mm)], axis=2)
    laid = [find_flat_outlines(outline(face_mm), CORNER, SIZE) for face_mm in faces_mm]
    plane, everywhere = TopView.of(CORNER, SIZE.depth_mm), np.ones((SIDE, SIDE), bool)
    moved_s = np.full((SIDE, SIDE), -np.inf)
    cloth, face, side = 205, 230, 90

    def draw(shown: np.ndarray) -> np.ndarray:
        table = np.full((SIDE, SIDE), cloth, np.uint8)
        table[plane.mark_sides(shown)] = side
        table[fill_quads(shown)] = face
        return table

    tiles = KnownTiles(cast(Weigher, None), None, NamedTiles())  # which only names faces
    tiles.note_bare(everywhere, np.full((SIDE, SIDE), cloth, np.uint8), moved_s, 0.0)
    both = draw(quads)
    kept, taken = (tiles.add_outline(each, 0, None, None, moved_s, both, 1.0) for each in laid)
    one = draw(quads[:1])
    assert taken.footprint.measure_share(one == cloth) < BARE_SHARE
    assert not tiles.judge_missing({kept.number}, everywhere, everywhere, both, 2.0, plane)
    assert tiles.judge_missing({kept.number}, everywhere, everywhere, one, 4.0, plane)
    assert [track.number for track in tiles] == [kept.number]


def read_as(code: str, p: float, face: Candidates) -> Candidates:
    """A look at the face by which it is that kind with p, and otherwise unlike the others."""
    labels = ("6m", "8m", "3m")
    rest = (1 - p) / 2
    row = [p if label == code else rest for label in labels]
    features = np.eye(3, dtype=np.float32)[[labels.index(code)]]
    return replace(face, labels=labels, probabilities=np.array([row], np.float32), features=features)


def test_what_reads_otherwise_while_nothing_has_changed_there_is_the_same_tile() -> None:
    laid = find_flat_outlines(outline(np.column_stack([UPRIGHT, np.full(4, SIZE.depth_mm)])), CORNER, SIZE)
    place, moved_s = laid.footprints[0], np.full((SIDE, SIDE), -np.inf)
    tiles = KnownTiles(cast(Weigher, None), None, NamedTiles())  # which only names faces

    def draw(seed: int) -> np.ndarray:
        table = np.full((SIDE, SIDE), 90, np.uint8)
        table[place.window] = np.random.default_rng(seed).integers(120, 240, place.inside.shape)
        return table

    shown, other = draw(1), draw(2)
    first = tiles.add_outline(laid, 0, read_as("6m", 0.99, laid.candidates), None, moved_s, shown, 1.0)
    again = read_as("8m", 0.9, laid.candidates)
    assert tiles.may_be(first, again, 0.0, shown, 2.0)
    assert tiles.add_outline(laid, 0, again, first, moved_s, shown, 2.0) is first
    assert first.face is not None
    assert first.face.labels[int(first.face.probabilities[0].argmax())] == "6m"
    sure = read_as("3m", 0.99, laid.candidates)
    assert not tiles.may_be(first, sure, 0.0, other, 3.0)
    assert tiles.may_be(first, sure, 0.0, other, 3.1 + REPLACED_S)
    assert tiles.add_outline(laid, 0, sure, first, moved_s, other, 3.0) is not first


def test_a_place_that_has_changed_is_not_doubted_for_ever() -> None:
    laid = find_flat_outlines(outline(np.column_stack([UPRIGHT, np.full(4, SIZE.depth_mm)])), CORNER, SIZE)
    tiles = KnownTiles(cast(Weigher, None), None, NamedTiles())
    moved_s = np.full((SIDE, SIDE), -np.inf)
    dark, light = np.full((SIDE, SIDE), 60, np.uint8), np.full((SIDE, SIDE), 200, np.uint8)
    known = tiles.add_outline(laid, 0, read_as("6m", 0.99, laid.candidates), None, moved_s, dark, 1.0)
    unsure = read_as("8m", 0.6, laid.candidates)
    assert not tiles.may_be(known, unsure, 0.0, light, 2.0)
    assert not tiles.may_be(known, unsure, 0.0, light, 3.0)
    assert tiles.may_be(known, unsure, 0.0, light, 2.0 + REPLACED_ANYHOW_S)


def test_backs_as_light_as_the_cloth_are_taken_in_with_those_beside_them() -> None:
    """Of four backs only those at the ends are seen to change the table's grey."""
    places = np.array([[27.0 * at, -342.0] for at in range(4)] + [[200.0, -342.0]])
    quads = place_quads(places, np.zeros(5), np.ones(5, bool), SIZE)
    raised = [outline(np.column_stack([quad, np.full(4, SIZE.depth_mm)])) for quad in quads]
    laid = find_flat_outlines(Candidates.join(raised), CORNER, SIZE)
    tiles = KnownTiles(cast(Weigher, None), None, NamedTiles())
    changed = np.array([True, False, False, True, False])
    assert tiles.mark_in_rows(laid, changed, SIZE).tolist() == [False, True, True, False, False]
    moved_s, lit = np.full((SIDE, SIDE), -np.inf), np.zeros((SIDE, SIDE), np.uint8)
    tiles.add_outline(laid, 1, None, None, moved_s, lit, 1.0)
    assert tiles.mark_in_rows(laid, changed, SIZE).tolist() == [False, False, True, False, False]
    assert not tiles.mark_in_rows(laid, np.zeros(5, bool), SIZE).any()


@pytest.mark.parametrize(("count", "is_wall"), [(4, False), (5, True), (9, True)])
def test_more_white_dragons_in_a_row_than_there_are_stand_in_the_wall(count: int, is_wall: bool) -> None:
    """Some sets have plain white backs, which the reader takes for nothing or for White dragons."""
    everywhere, moved_s = np.zeros((SIDE, SIDE), np.uint8), np.full((SIDE, SIDE), -np.inf)
    tiles = KnownTiles(cast(Weigher, None), None, NamedTiles())  # which only names faces
    for at in range(count):
        quad = place_quads(np.array([[27.0 * at - 110, -230.0]]), np.zeros(1), np.ones(1, bool), SIZE)[0]
        laid = find_flat_outlines(outline(np.column_stack([quad, np.full(4, SIZE.depth_mm)])), CORNER, SIZE)
        track = tiles.add_outline(laid, 0, None, None, moved_s, everywhere, 1.0)
        track.face, track.readings = DIM, (("5z", 0.6), ("back", 0.4))
    tiles.mark_wall(SIZE)
    assert [track.in_wall for track in tiles] == [is_wall] * count
    wall_mm = tiles.find_wall(SIZE)
    assert wall_mm == (None if count < 9 else pytest.approx(230.0, abs=1.0))


@pytest.mark.parametrize(("away_mm", "is_wall"), [(-218.0, True), (-342.0, False)])
def test_backs_beside_a_gap_in_a_wall_stand_in_it(away_mm: float, is_wall: bool) -> None:
    """Four backs are a concealed kong elsewhere: a wall goes on beyond one that was not found."""
    everywhere, moved_s = np.zeros((SIDE, SIDE), np.uint8), np.full((SIDE, SIDE), -np.inf)
    tiles = KnownTiles(cast(Weigher, None), None, NamedTiles())
    for at in (*range(6), 8, 9, 10, 11):
        place = np.array([[27.0 * at - 150, -218.0 if at < 6 else away_mm]])
        quad = place_quads(place, np.zeros(1), np.ones(1, bool), SIZE)[0]
        laid = find_flat_outlines(outline(np.column_stack([quad, np.full(4, SIZE.depth_mm)])), CORNER, SIZE)
        track = tiles.add_outline(laid, 0, None, None, moved_s, everywhere, 1.0)
        track.readings = (("back", 0.9),)
    tiles.mark_wall(SIZE)
    assert [track.in_wall for track in tiles] == [True] * 6 + [False] * 4
    tiles.mark_wall(SIZE, (218.0, 187.0, 187.0, 187.0))
    assert [track.in_wall for track in tiles] == [True] * 6 + [is_wall] * 4


def test_a_puzzle_is_looked_at_a_few_times_and_then_left() -> None:
    puzzles = Puzzles()
    place = np.zeros((SIDE, SIDE), bool)
    place[50:70, 50:66] = True
    still = np.ones((SIDE, SIDE), bool)
    puzzles.note(still, place, 0.0)
    looks = [puzzles.choose(still, t / 10) for t in range(100)]
    assert [look[1] for look in looks if look] == list(PUZZLE_SCALES)
    puzzles.note(still, place, 20.0)
    puzzles.settle(place)
    assert not any(puzzles.choose(still, t) for t in range(20, 30))


def lay_place(side: int, at: int) -> np.ndarray:
    place = np.zeros((SIDE, SIDE), bool)
    place[at : at + side, at : at + side] = True
    return place


@pytest.mark.parametrize(
    ("place", "moved_s", "moves", "is_found"),
    [
        (lay_place(16, 200), 0.8, True, True),
        (lay_place(16, 200), 0.95, True, False),  # it was carried
        (lay_place(16, 200), 0.8, False, False),  # it can be read as it lies
        (lay_place(60, 200), 0.8, True, False),  # an arm that rests
        (lay_place(16, 10), 0.8, True, False),  # a hand, at the edge
    ],
)
def test_what_lay_there_for_a_moment_is_found_once_it_is_hidden_again(
    place: np.ndarray, moved_s: float, moves: bool, is_found: bool
) -> None:
    brief = BriefLooks()
    grey, image = np.zeros((SIDE, SIDE), np.uint8), np.zeros((4, 4, 3), np.uint8)
    assert brief.find(place, place) is None
    brief.remember(image, grey, np.full((SIDE, SIDE), moved_s), 1.0)
    found = brief.find(place, place if moves else ~place)
    assert (found is not None) == is_found
    assert found is None or (found == place).all()
    brief.forget()
    assert brief.find(place, place) is None


def test_a_puzzle_that_never_lies_still_keeps_no_other_from_being_looked_at() -> None:
    puzzles = Puzzles()
    places = np.zeros((2, SIDE, SIDE), bool)
    places[0, 50:70, 50:66] = places[1, 150:170, 50:66] = True
    still = ~places[1]
    puzzles.note(np.ones((SIDE, SIDE), bool), places.any(axis=0), 0.0)
    looks = [puzzles.choose(still, t / 10) for t in range(100)]
    assert [look[1] for look in looks if look] == list(PUZZLE_SCALES)


def test_what_leaves_its_traces_at_the_edges_all_the_time_keeps_no_discard_from_being_looked_at() -> None:
    puzzles = Puzzles()
    still = np.ones((SIDE, SIDE), bool)
    middle, looked = slice(SIDE // 2 - 10, SIDE // 2 + 10), 0
    place = np.zeros((SIDE, SIDE), bool)
    place[middle, middle] = True
    puzzles.note(place, place, 0.0)
    for at in range(4):
        edge = np.zeros((SIDE, SIDE), bool)
        edge[20 + 40 * at : 40 + 40 * at, 4:20] = True
        puzzles.note(edge, edge, at)
        look = puzzles.choose(still, at + 0.5)
        looked += look is not None and bool(look[0][place].all())
    assert looked == len(PUZZLE_SCALES)


def cut(quad: np.ndarray, parts: int) -> np.ndarray:
    """The parts (parts, 4, 2) that cuts across its longer sides make of a quad."""
    ends = np.linspace(0, 1, parts + 1)
    left, right = (quad[a] + (quad[b] - quad[a]) * ends[:, None] for a, b in ((0, 3), (1, 2)))
    return np.stack([left[:-1], right[:-1], right[1:], left[1:]], axis=1)


@pytest.mark.parametrize(("parts", "angle"), [(2, 0.0), (3, 0.8), (3, -0.3)])
def test_a_tile_that_was_taken_for_several_is_put_together(parts: int, angle: float) -> None:
    quad = place_quads(np.array([[60.0, 40.0]]), np.array([angle]), np.ones(1, bool), SIZE)[0]
    raised = [np.column_stack([each, np.full(4, SIZE.depth_mm)]) for each in cut(quad, parts)]
    found = Candidates.join([outline(each) for each in raised])
    assert len(find_flat_outlines(found, CORNER, SIZE)) == 0
    laid = find_flat_outlines(join_pieces(found, CORNER, SIZE), CORNER, SIZE)
    assert len(laid) == 1
    assert np.abs(laid.middles[0] - [60, 40]).max() < 2.0


@pytest.mark.parametrize("angle", [0.0, 0.8])
def test_a_side_that_is_found_beside_the_pieces_of_a_face_is_left_out(angle: float) -> None:
    middles = np.array(
        [[60.0, 40.0], [60.0, 40.0] + 1.3 * SIZE.height_mm * np.array([np.sin(angle), -np.cos(angle)])]
    )
    face, beside = place_quads(middles, np.full(2, angle), np.ones(2, bool), SIZE)
    pieces = [*cut(face, 3), cut(beside, 3)[0]]
    found = Candidates.join([outline(np.column_stack([each, np.full(4, SIZE.depth_mm)])) for each in pieces])
    laid = find_flat_outlines(join_pieces(found, CORNER, SIZE), CORNER, SIZE)
    assert len(laid) == 1
    assert np.abs(laid.middles[0] - [60, 40]).max() < 2.0


def test_whole_tiles_side_by_side_are_no_pieces_of_one() -> None:
    quads = place_quads(np.array([[0.0, 0.0], [26.5, 0.0]]), np.zeros(2), np.ones(2, bool), SIZE)
    raised = [np.column_stack([quad, np.full(4, SIZE.depth_mm)]) for quad in quads]
    assert len(join_pieces(Candidates.join([outline(each) for each in raised]), CORNER, SIZE)) == 0
