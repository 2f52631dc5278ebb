"""Frames of the second renderer, with plain tables that our own films do not show."""

from __future__ import annotations

import random

import numpy as np
import pytest

from companion.coach.play.simulation import play
from companion.config import models_dir
from companion.seeing.finding_table import AGREED_P, SURE_FROM, FoundBy, find_table
from companion.seeing.observer import Observer
from companion.seeing.sights import Sight
from companion.table.events import GameStarted
from companion.vision.recogniser import Recogniser
from lab.bench import plain_films
from lab.bench.followed_films import decode_truth
from lab.bench.found_tables import measure_walls_mm
from lab.bench.plain_films import PlainFilming, prepare_plain
from lab.film.customs import Pose
from tests.lab.scenes.film_hands import play_hand

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(models_dir(), threads=1)


@pytest.mark.sampled
@pytest.mark.parametrize(("pose", "seed"), [(Pose.ABOVE, 501), (Pose.CORNER, 504), (Pose.ABOVE, 505)])
def test_the_table_does_not_end_at_the_hands_or_walls(
    pose: Pose, seed: int, recogniser: Recogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hands stand at the table's edge and hide it; walls and hands look like edges themselves."""
    monkeypatch.setattr(plain_films, "EDGES", ("cloth ends",))
    film = prepare_plain(play_hand("taiwanese", 6), pose, seed)
    found = find_table(PlainFilming(film, seed).draw(1.0), recogniser)
    assert found is not None
    places = found.camera.lift(np.array(film.truth[0]["camera"]["corners"]))
    square = 400.0 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    assert np.linalg.norm(places - square, axis=1).max() < 30


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("pose", "seed", "rules", "edge"),
    [
        (Pose.CORNER, 109, "hong_kong", "none"),
        (Pose.ABOVE, 121, "hebei", "none"),
        (Pose.ABOVE, 120, "hefei", "round"),
    ],
)
def test_a_table_without_corners_is_found_by_what_lies_on_it(
    pose: Pose, seed: int, rules: str, edge: str, recogniser: Recogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_films, "EDGES", (edge,))
    played = next(play(GameStarted(rules=rules), 1, random.Random(f"{rules} {seed}")))
    film = prepare_plain(played, pose, seed)
    found = find_table(PlainFilming(film, seed).draw(1.0), recogniser)
    assert found is not None
    assert found.by is FoundBy.LAYOUT
    assert found.p < SURE_FROM
    assert measure_walls_mm(found.camera, film.looks.camera) < 30


def test_a_table_without_corners_is_found_from_the_side(recogniser: Recogniser) -> None:
    """With doubt: with so much of it hidden its middle is some 4 cm off."""
    played = next(play(GameStarted(rules="hong_kong"), 1, random.Random("hong_kong 600113")))
    film = prepare_plain(played, Pose.SIDE, 600113, edge="none")
    found = find_table(PlainFilming(film, 600113).draw(1.0), recogniser)
    assert found is not None
    assert AGREED_P <= found.p < SURE_FROM
    assert measure_walls_mm(found.camera, film.looks.camera) < 60


@pytest.mark.sampled
@pytest.mark.parametrize(("seed", "rules"), [(600118, "hong_kong"), (600106, "hebei")])
def test_a_round_table_from_the_side_is_not_believed_where_it_is_not(
    seed: int, rules: str, recogniser: Recogniser
) -> None:
    """What shows of its edge is taken for the sides of a square: a person is asked."""
    played = next(play(GameStarted(rules=rules), 1, random.Random(f"{rules} {seed}")))
    film = prepare_plain(played, Pose.SIDE, seed, edge="round")
    found = find_table(PlainFilming(film, seed).draw(1.0), recogniser)
    assert found is not None
    assert found.p < AGREED_P or measure_walls_mm(found.camera, film.looks.camera) < 60


def test_a_table_of_which_too_little_is_seen_from_the_side_is_not_believed(recogniser: Recogniser) -> None:
    """Its middle would be 18 cm off: a person is asked."""
    played = next(play(GameStarted(rules="hebei"), 1, random.Random("hebei 600106")))
    film = prepare_plain(played, Pose.SIDE, 600106, edge="none")
    found = find_table(PlainFilming(film, 600106).draw(1.0), recogniser)
    assert found is not None
    assert found.p < AGREED_P


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [704, 711, 716])
def test_the_grain_of_the_floor_is_not_taken_for_the_way_in_which_tiles_lie(
    seed: int, recogniser: Recogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_films, "EDGES", ("none",))
    monkeypatch.setattr(plain_films, "CLOTHS", ("drawn",))
    played = next(play(GameStarted(rules="hangzhou"), 1, random.Random(f"hangzhou {seed}")))
    film = prepare_plain(played, Pose.CORNER, seed)
    found = find_table(PlainFilming(film, seed).draw(1.0), recogniser)
    assert found is not None
    assert measure_walls_mm(found.camera, film.looks.camera) < 50


def test_small_faces_are_read_as_well_as_they_can_be(
    recogniser: Recogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tiles of 16 to 20 px, in a picture of 1280 x 720 from a corner."""
    monkeypatch.setattr(plain_films, "SIZES", ((1280, 720),))
    seed = 301
    film = prepare_plain(play_hand("hong_kong", 6), Pose.CORNER, seed)
    truth = decode_truth(film.truth)
    scene = [scene for scene in truth.scenes if scene["until"] - scene["t"] > 0.2][-3]
    frame = PlainFilming(film, seed).draw(scene["t"] + 0.1)
    camera = truth.find_camera(scene["t"])
    observer = Observer(recogniser, camera, rules="hong_kong")
    sight: Sight | None = None
    for step in range(12):
        sight = observer.look(frame, step * 0.1) or sight
    assert sight is not None
    lying = [tile for tile in scene["table"] if tile["zone"] in ("river", "meld") and tile["visible"] > 0.9]
    right = 0
    for tile in lying:
        middle = camera.lift(np.array(tile["quad"]), truth.header["tile_mm"][2]).mean(axis=0)
        near = [seen for seen in sight.tiles if np.hypot(*(middle - [seen.x_mm, seen.y_mm])) < 12]
        right += any(seen.readings[0][0] == tile["code"] for seen in near)
    assert len(lying) == 44
    assert right >= 36
    small = [seen.readings for seen in sight.tiles if seen.readings[-1][0] == "?"]
    assert len(small) > 20
    assert all(readings[0][1] <= 0.9 for readings in small)
