"""Mean films: careless people before a cheap camera, the same for the same seed, and with the right truth."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from lab.film.timeline import RESTS_S, SHOWN_MM, THROW_LIFT_MM, Slips, Timeline, follow, make_timeline
from lab.film.webcams import GOOD, Webcam
from lab.film.writing import Film, Shooting, flip_truth, prepare_film
from lab.scenes.layouts import Part
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
