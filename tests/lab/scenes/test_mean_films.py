"""Mean films: careless people before a cheap camera, the same for the same seed, and with the right truth."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cameras.film_format import read_film_format
from companion.cameras.recorded import RecordedCamera
from companion.vision.tone_mapping import HLG, WIDE
from lab.film.customs import HALF_MM
from lab.film.hlg import mark_hlg
from lab.film.timeline import RESTS_S, SHOWN_MM, THROW_LIFT_MM, Reach, Slips, Timeline, follow, make_timeline
from lab.film.webcams import GOOD, Webcam
from lab.film.writing import CODEC, Film, Shooting, flip_truth, prepare_film
from lab.scenes.club import draw_empty
from lab.scenes.layouts import TOWARDS, Part
from tests.lab.scenes.film_hands import make_places, play_hand

SMALL = Shooting(size=(480, 270), pace=12.0, seed=3, mean=True)


def direct(slips: Slips) -> Timeline:
    hand = play_hand("hefei", 1)
    places = make_places(hand, 1)
    course = follow([(step.event, step.state) for step in hand.steps], places)
    return make_timeline(course, (26.0, 35.0, 20.0), np.random.default_rng(1), slips=slips)


def prepare(shooting: Shooting) -> Film:
    hand = play_hand("hefei", 3)
    return prepare_film(hand.start, [(step.event, step.state) for step in hand.steps], shooting)


def test_discards_are_shown_before_they_are_laid() -> None:
    shown = [m for m in direct(Slips(shown=1.0)).motions if m.after.part is Part.RIVER]
    pairs = [(a, b) for a, b in pairwise(shown) if a.tile == b.tile]
    assert len(pairs) > 10
    for near, laid in pairs:
        moved = np.hypot(near.after.x_mm - laid.after.x_mm, near.after.y_mm - laid.after.y_mm)
        assert moved == pytest.approx(SHOWN_MM)
        assert laid.start_s - near.end_s > 0.4
        assert laid.lift_mm == 0


def test_discards_are_thrown() -> None:
    thrown = [m for m in direct(Slips(thrown=1.0)).motions if m.lift_mm == THROW_LIFT_MM]
    assert len(thrown) > 10
    assert all(m.after.part is Part.RIVER and m.end_s - m.start_s < 0.6 for m in thrown)


def test_hands_rest_on_what_they_have_laid_and_people_talk() -> None:
    plain, resting, talking = (direct(s) for s in (Slips(), Slips(rests=1.0), Slips(paused=1.0)))
    steps = [step for reach in resting.reaches for step in pairwise(reach.keys)]
    held = [later[0] - sooner[0] for sooner, later in steps if sooner[1:] == later[1:]]
    assert len(held) > 10
    assert np.median(held) == pytest.approx(RESTS_S, rel=0.4)
    assert talking.end_s > plain.end_s + 60


def test_walls_are_pushed_in_and_stay_whole() -> None:
    pushed = direct(Slips(pushed=1.0))
    slides = [m for m in pushed.motions if m.before.part is Part.WALL is m.after.part and m.lift_mm == 0]
    assert len({m.tile for m in slides}) > 8
    assert len(pushed.marks) == len(direct(Slips()).marks)


def test_a_cheap_camera_shows_bands_edges_and_blocks() -> None:
    grey = np.full((200, 300, 3), 120, np.uint8)
    grey[:, 150:] = 180
    banded = Webcam(band=0.3).take(grey, 0.0)
    rows = banded[:, 10].mean(axis=1)
    assert rows.min() < 0.75 * rows.max()
    assert np.count_nonzero(np.diff(np.sign(rows - rows.mean())) != 0) >= 3
    assert not np.array_equal(banded, Webcam(band=0.3, light_hz=100.4).take(grey, 0.4))
    assert Webcam(sharpening=1.0).take(grey, 0.0).max() > 190
    noisy = np.random.default_rng(0).integers(0, 255, (200, 300, 3), np.uint8)
    assert not np.array_equal(Webcam(quality=40).take(noisy, 0.0), noisy)
    assert np.array_equal(Webcam(mirrored=True).take(grey, 0.0), grey[:, ::-1])
    assert GOOD.take(grey, 1.0) is grey or np.array_equal(GOOD.take(grey, 1.0), grey)


def test_a_mean_film_is_the_same_for_the_same_seed_and_other_films_stay_as_they_were() -> None:
    one, again, plain = prepare(SMALL), prepare(SMALL), prepare(replace(SMALL, mean=False))
    assert one.truth == again.truth
    assert one.filming.webcam == again.filming.webcam != GOOD
    assert plain.filming.webcam == GOOD
    assert (one.truth[0]["mean"], plain.truth[0]["mean"]) == (True, False)
    assert one.scenery.camera.focal_px == plain.scenery.camera.focal_px
    assert np.array_equal(one.filming.draw(3.0), again.filming.draw(3.0))


def test_the_truth_of_a_mirrored_film_is_that_of_its_pictures() -> None:
    quad = [[10.0, 20.0], [40, 20], [40, 60], [10, 60]]
    corners = [[0.0, 90.0], [100, 90], [90, 5], [10, 5]]
    line = {"t": 1.0, "table": [{"code": "1m", "quad": quad}], "camera": {"corners": corners}}
    flipped = flip_truth(line, 100)
    assert flipped["table"][0]["quad"][0] == [90, 20]
    assert flipped["camera"]["corners"] == [[0, 90], [100, 90], [90, 5], [10, 5]]
    area = cv2.contourArea(np.array(flipped["camera"]["corners"], np.float32), True)
    assert np.sign(area) == np.sign(cv2.contourArea(np.array(corners, np.float32), True))


def test_players_reach_across_the_table_and_move_nothing() -> None:
    plain, across = direct(Slips()), direct(Slips(across=1.0))
    far = [reach for reach in across.reaches if measure_in(reach) > 0.5 * HALF_MM]
    assert len(far) > 10
    assert {reach.seat for reach in far} == {0, 1, 2, 3}
    assert not any(measure_in(reach) > 0.5 * HALF_MM for reach in plain.reaches)
    assert len(across.motions) == len(plain.motions)


def measure_in(reach: Reach) -> float:
    """How far past the middle of the table a hand reaches, mm."""
    return max(-float(np.array(TOWARDS[reach.seat]) @ key[1:3]) for key in reach.keys)


def test_a_mean_table_has_a_centre_and_drink_holders_in_its_rail() -> None:
    film = prepare(SMALL)
    setting, camera = film.scenery.setting, film.scenery.camera
    assert setting.table.holder is not None
    assert setting.table.device is not None
    for bare in (replace(setting.table, holder=None), replace(setting.table, device=None)):
        other = draw_empty(replace(setting, table=bare), camera).ground
        assert np.count_nonzero((other != film.scenery.empty.ground).any(axis=2)) > 300


def test_a_film_in_hlg_says_so_and_is_played_in_its_colours(tmp_path: Path) -> None:
    picture = np.full((64, 128, 3), (60, 120, 90), np.uint8)
    picture[:, 64:] = (200, 190, 185)
    video = cv2.VideoWriter(str(tmp_path / "a.mp4"), cv2.VideoWriter.fourcc(*CODEC), 10, (128, 64))
    for _ in range(5):
        video.write(Webcam(hlg=True).take(picture, 0.0))
    video.release()
    assert read_film_format(tmp_path / "a.mp4").transfer is None
    mark_hlg(tmp_path / "a.mp4")
    found = read_film_format(tmp_path / "a.mp4")
    assert (found.transfer, found.primaries) == (HLG, WIDE)
    with RecordedCamera(tmp_path / "a.mp4", loop=False, paced=False) as camera:
        last = list(camera.frames())[-1].image
    for column, tolerance in ((32, 8), (96, 25)):  # bright ones are rolled off
        assert last[32, column] == pytest.approx(picture[32, column], abs=tolerance)
