"""Films of hands: the truth is what the frames show, seeds repeat, and files are whole or absent."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.errors import InputError
from companion.images import Image
from companion.table.events import Drawn
from lab.film import writing
from lab.film.customs import Pose
from lab.film.filming import Bump, Disturbances
from lab.film.writing import Film, Shooting, count_frames, prepare_film, write_film
from lab.scenes.tileset import TileBodies
from tests.lab.scenes.film_hands import play_hand

pytestmark = pytest.mark.slow

SEED = 6
SMALL = Shooting(size=(480, 270), pace=12.0, seed=SEED)
FACE_PX = (24, 32)


@pytest.fixture(autouse=True)
def house_set(bodies: TileBodies, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program's own tiles, which are quick to draw, on every table."""
    from lab.film.customs import CODES, make_house_set

    monkeypatch.setattr(writing, "choose_bodies", lambda rng, stacks: make_house_set(CODES))


def prepare(rules: str, shooting: Shooting) -> Film:
    played = play_hand(rules, shooting.seed)
    return prepare_film(played.start, played.steps, shooting)


def list_tables(film: Film) -> list[dict[str, Any]]:
    return [line for line in film.truth if "table" in line]


def straighten(image: Image, quad: list[list[float]]) -> Image:
    width, height = FACE_PX
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    lens = cv2.getPerspectiveTransform(np.array(quad, np.float32), corners)
    return np.asarray(cv2.warpPerspective(image, lens, FACE_PX), np.uint8)


def name_face(face: Image, bodies: TileBodies) -> str:
    """The kind whose picture is most like it."""

    def flatten(image: Image) -> np.ndarray:
        inner = image[3:-3, 3:-3, :3].astype(float)
        return (inner - inner.mean()).ravel() / max(1.0, inner.std())

    def draw(code: str) -> Image:
        texture = bodies.texture(code, FACE_PX[1] * 2)
        return np.asarray(cv2.resize(texture, FACE_PX, interpolation=cv2.INTER_AREA), np.uint8)

    wanted = flatten(face)
    return max(bodies.faces, key=lambda code: float(wanted @ flatten(draw(code))))


@pytest.mark.sampled
@pytest.mark.parametrize(("pose", "k1"), [*((pose, 0.0) for pose in Pose), (Pose.ABOVE, -0.3)])
def test_quads_hold_the_faces_that_the_truth_names(pose: Pose, k1: float) -> None:
    film = prepare("hangzhou", Shooting(pose, calm=True, seed=SEED, k1=k1))
    tables = list_tables(film)
    table = tables[len(tables) * 2 // 3]
    frame = film.filming.draw((table["t"] + table["until"]) / 2)
    named = wrong = 0
    for tile in table["table"]:
        area = cv2.contourArea(np.array(tile["quad"], np.float32))
        if tile["visible"] < 0.97 or area < 350:
            continue
        named += 1
        wrong += name_face(straighten(frame, tile["quad"]), film.scenery.bodies) != tile["code"]
    assert named > 15
    assert wrong <= named // 8, (wrong, named)  # names of small faces are guessed here without a network
    assert any(tile["standing"] for tile in table["table"]) == (pose is not Pose.ABOVE)


def test_the_truth_follows_a_camera_that_was_bumped(monkeypatch: pytest.MonkeyPatch) -> None:
    bump = Bump(10.0, yaw=0.01, pitch=-0.006, roll=0.004, shake_px=9.0)
    monkeypatch.setattr(writing, "choose_disturbances", lambda *_: Disturbances((bump,), moving=True))
    film = prepare("hefei", Shooting(seed=SEED))
    tables = list_tables(film)
    (bumped,) = [line for line in film.truth[1:] if "camera" in line]
    assert all(not line["t"] < bump.t + 0.1 < line["until"] for line in tables)
    table = tables[-1]
    frame = film.filming.draw((table["t"] + table["until"]) / 2)
    corners = [np.array(line["camera"]["corners"]) for line in (film.truth[0], bumped)]
    assert np.abs(corners[0] - corners[1]).max() > 5
    seen = [tile for tile in table["table"] if tile["visible"] > 0.97]
    right = sum(
        name_face(straighten(frame, tile["quad"]), film.scenery.bodies) == tile["code"] for tile in seen
    )
    assert right > 0.8 * len(seen) > 12


def test_a_film_says_what_it_is_and_when_everything_happens(tmp_path: Path) -> None:
    film = prepare("hefei", SMALL)
    video, truth = write_film(film, tmp_path, "hand-1")
    assert sorted(tmp_path.iterdir()) == [truth, video]
    header, *lines = [json.loads(line) for line in truth.read_text().splitlines()]
    assert (header["format"], header["version"], header["rules"]) == ("mahjong-companion-film", 1, "hefei")
    assert (header["width"], header["height"], header["pose"], header["calm"]) == (480, 270, "above", False)
    assert len(header["camera"]["corners"]) == 4
    played = play_hand("hefei", SEED)
    events = [line for line in lines if "event" in line]
    assert len(events) == len(played.steps)
    assert [line["number"] for line in events] == list(range(2, len(events) + 2))
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)
    left = [line["left"] for line in events if line["event"]["event"] == "drawn"]
    assert left == sorted(left, reverse=True)
    assert len(left) == sum(isinstance(step.event, Drawn) for step in played.steps)
    reader = cv2.VideoCapture(str(video))
    assert reader.get(cv2.CAP_PROP_FPS) == header["frames_a_second"] == 10
    frames = 0
    while (read := reader.read())[0]:
        frames += 1
        assert read[1].shape == (270, 480, 3)
    assert frames == header["frames"] == count_frames(film)


@pytest.mark.long
def test_a_seed_repeats_a_film_and_another_changes_it() -> None:
    once, again, other = (prepare("hefei", replace(SMALL, seed=seed)) for seed in (SEED, SEED, SEED + 1))
    assert once.truth == again.truth != other.truth
    for t in (0.5, 1.0, 1.1, 3.0, 5.0):
        frames = [film.filming.draw(t) for film in (once, again, other)]
        assert np.array_equal(frames[0], frames[1])
        assert not np.array_equal(frames[0], frames[2])


@pytest.mark.long
def test_what_is_drawn_anew_in_parts_is_what_is_drawn_at_once() -> None:
    """Only regions that changed are drawn again; the picture must not depend on what was shown before."""
    step, jump = (prepare("hebei", Shooting(Pose.CORNER, (960, 540), 6.0, True, SEED)).filming for _ in "ab")
    for t in np.arange(0.0, 8.0, 0.2):
        stepped = step.draw(float(t))
    off = cv2.absdiff(stepped, jump.draw(float(t)))
    assert np.mean(off > 6) < 0.0005


def test_an_interrupted_film_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    film = prepare("hefei", SMALL)
    draw, drawn = film.filming.draw, []

    def stop(t: float) -> Image:
        drawn.append(t)
        if len(drawn) > 3:
            raise KeyboardInterrupt
        return draw(t)

    monkeypatch.setattr(film.filming, "draw", stop)
    with pytest.raises(KeyboardInterrupt):
        write_film(film, tmp_path, "hand-1")
    assert list(tmp_path.iterdir()) == []


def test_a_film_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "hand-1.jsonl").write_text("mine")
    with pytest.raises(InputError, match=r"hand-1\.jsonl' exists already"):
        write_film(prepare("hefei", SMALL), tmp_path, "hand-1")
    assert [file.name for file in tmp_path.iterdir()] == ["hand-1.jsonl"]


def test_a_folder_that_is_gone_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_film(prepare("hefei", SMALL), tmp_path / "gone", "hand-1")
