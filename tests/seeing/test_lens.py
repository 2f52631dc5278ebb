"""A lens that bends straight lines is measured by straight things in its pictures, and only if they are
clear."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.images import Image
from companion.seeing.finding_table import LensWatch, StraightSearch, TableSearch, change_lens
from companion.seeing.lens import BENDS, PERFECT, Lens, choose_lens, rate_lenses
from companion.seeing.movement import turn_camera
from companion.seeing.table_camera import TableCamera
from companion.seeing.top_view import TopView, to_pixels
from companion.vision import Recogniser
from lab.bench.followed_films import find_lens
from lab.bench.placing import bench_placing
from lab.film.customs import Pose
from lab.film.filming import WideLens
from tests.seeing.table_frames import SIZE, Frame, draw_frame, prepare

MODELS = Path(__file__).parents[2] / "models"
SEED = 3
K1 = -0.3


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(MODELS, threads=1)


@cache
def bend_frame(pose: Pose) -> Frame:
    """A drawn table as a lens with this K1 shows it."""
    frame = draw_frame(pose, SEED, 0.3)
    lens = WideLens(K1, prepare(pose, SEED).filming.find_camera(0.0).focal_px, *SIZE)
    return Frame(lens.bend_picture(frame.image), lens.bend(frame.corners))


@pytest.mark.parametrize("bend", [-0.3, -0.1, 0.05])
def test_a_lens_straightens_what_it_distorts(bend: float) -> None:
    lens = Lens(bend)
    px = np.random.default_rng(1).uniform([0, 0], SIZE, (50, 2))
    assert np.allclose(lens.distort(lens.straighten(px, *SIZE), *SIZE), px)
    assert np.abs(lens.straighten(px, *SIZE) - px).max() > 20


def test_a_straightened_picture_shows_lines_straight_and_its_middle_where_it_was() -> None:
    lens = Lens(-0.2)
    x, y = np.meshgrid(np.arange(SIZE[0]) + 0.5, np.arange(SIZE[1]) + 0.5)
    straight = lens.straighten(np.stack([x, y], axis=-1), *SIZE)
    line = np.abs(straight[..., 1] - 250) < 3  # level, as a perfect lens shows it
    bent = np.where(line, 255, 0).astype(np.uint8)[..., None].repeat(3, axis=2)
    shown = lens.straighten_picture(bent)
    width, height = lens.measure_straight(*SIZE)
    assert shown.shape == (height, width, 3)
    rows = shown[..., 0].astype(float).T @ (np.arange(height) + 0.5) / shown[..., 0].sum(axis=0)
    assert np.abs(rows - (250 + (height - SIZE[1]) / 2)).max() < 1


def draw_bars(straight: bool) -> Image:
    """A picture with nothing but six wide bars, straight or all bowed to one side, as no lens bows them."""
    image = np.full((720, 1280, 3), 60, np.uint8)
    for at in range(6):
        bow = 0 if straight else 20
        x = np.linspace(100, 1180, 60)
        y = 70 + 110 * at + bow * (1 - ((x - 640) / 540) ** 2)
        cv2.polylines(image, [np.column_stack([x, y]).round().astype(np.int32)], False, (200, 210, 190), 30)
    return image


@pytest.mark.parametrize("straight", [True, False])
def test_nothing_is_changed_for_straight_things_nor_for_things_bowed_to_one_side(straight: bool) -> None:
    assert choose_lens(rate_lenses(draw_bars(straight))) == PERFECT


def test_a_picture_without_edges_says_nothing() -> None:
    watch = LensWatch(Lens(-0.1))
    watch.measure(np.full((360, 640, 3), 90, np.uint8))
    assert watch.lens == Lens(-0.1)


def test_a_lens_is_taken_between_those_that_were_tried() -> None:
    rated = 500 * (BENDS + 0.1032) ** 2 * 4
    assert choose_lens(rated).bend == pytest.approx(-0.1032, abs=1e-4)
    assert choose_lens(rated, Lens(-0.1)) == Lens(-0.1), "which is hardly worse"


def test_a_bump_turns_a_camera_whatever_its_lens() -> None:
    corners = np.array([[460.0, 1020], [1440, 1030], [1400, 50], [500, 40]])
    camera = TableCamera.from_corners(corners, *SIZE, lens=Lens(-0.15))
    bump = np.array([[1, 0.01, 14], [-0.01, 1, -6], [0, 0, 1.0]])
    square = np.array([[-400.0, -400, 20], [400, -400, 20], [400, 400, 20], [-400, 400, 20]])
    after = camera.lift(camera.turn(bump).project(square), 20)
    movement = cv2.getPerspectiveTransform(
        to_pixels(square[:, :2]).astype(np.float32), to_pixels(after).astype(np.float32)
    )
    turned = turn_camera(TopView.of(camera, 20.0), movement)
    assert np.abs(turned.corners - camera.turn(bump).corners).max() < 0.1


def test_the_truth_of_films_knows_lenses_by_opencvs_k1() -> None:
    lens, near = WideLens(K1, 1459.0, *SIZE), find_lens(K1, 1459.0, SIZE[0])
    px = np.random.default_rng(1).uniform([200, 20], [1720, 1060], (200, 2))
    bent = lens.bend(px)
    assert np.abs(bent - px).max() > 60
    assert np.abs(near.straighten(bent, *SIZE) - px).max() < 6
    assert find_lens(0.0, 1459.0, SIZE[0]) == PERFECT


@pytest.mark.long
def test_tiles_are_seen_where_they_lie_through_a_lens_that_bends_lines() -> None:
    taken, measured = bench_placing(MODELS, "hefei", [Pose.ABOVE], [K1], hands=1, seed=101)
    assert taken["worst_mm"] > 6
    assert measured["worst_mm"] < 4
    assert measured["tiles"] == taken["tiles"] >= 10


@pytest.mark.slow
def test_a_table_bent_by_a_lens_is_found_where_it_is(recogniser: Recogniser) -> None:
    pose = Pose.CORNER
    frame = bend_frame(pose)
    watch = LensWatch()
    found = StraightSearch(partial(TableSearch, recogniser), watch).search(frame.image)
    assert found is not None
    assert -0.25 < watch.lens.bend < -0.1
    assert measure_places(found.camera, pose) < 5


@pytest.mark.slow
@pytest.mark.parametrize("pose", [Pose.ABOVE, Pose.CORNER])
def test_a_perfect_lens_is_left_as_it_is(pose: Pose) -> None:
    watch = LensWatch()
    watch.measure(draw_frame(pose, SEED, 0.3).image)
    assert watch.lens == PERFECT


@pytest.mark.slow
@pytest.mark.parametrize("pose", [Pose.ABOVE, Pose.CORNER])
def test_a_table_found_before_the_lens_was_known_is_traced_anew(pose: Pose) -> None:
    frame = bend_frame(pose)
    before = TableCamera.from_corners(frame.corners, *SIZE)
    assert measure_places(before, pose) > 8
    watch = LensWatch()
    watch.measure(frame.image)
    assert measure_places(change_lens(frame.image, before, watch.lens), pose) < 5


def measure_places(camera: TableCamera, pose: Pose) -> float:
    """By how many mm tops of tiles all over the table seem elsewhere, through a lens with K1."""
    film = prepare(pose, SEED).filming.find_camera(0.0)
    steps = np.linspace(-370, 370, 9)
    x, y = np.meshgrid(steps, steps)
    places = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, 20.0)])
    seen = WideLens(K1, film.focal_px, *SIZE).bend(film.project(places))
    return float(np.linalg.norm(camera.lift(seen, 20.0) - places[:, :2], axis=1).max())
