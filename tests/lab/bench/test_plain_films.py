"""The second renderer: its truth is what its frames show, and it is read like that of other films."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from lab.bench import plain_films
from lab.bench.followed_films import decode_truth, read_truth
from lab.bench.plain_films import FACE_PX, PlainFilm, PlainFilming, prepare_plain, write_plain
from lab.film.customs import Pose
from tests.lab.scenes.film_hands import play_hand

pytestmark = pytest.mark.long

RULES, SEED = "hong_kong", 6


def make_film(pose: Pose, rules: str = RULES, seed: int = 304) -> PlainFilm:
    return prepare_plain(play_hand(rules, SEED), pose, seed)


@pytest.mark.parametrize("pose", list(Pose))
def test_faces_are_where_the_truth_says(pose: Pose) -> None:
    film = make_film(pose)
    scene = [scene for scene in decode_truth(film.truth).scenes if scene["until"] - scene["t"] > 0.2][-1]
    picture = PlainFilming(film, SEED).draw(scene["t"] + 0.1)
    faces = film.looks.faces
    shown = [tile for tile in scene["table"] if tile["visible"] > 0.99 and tile["zone"] == "river"]
    assert len(shown) > 10
    right = 0
    for tile in shown:
        corners = np.array([[0, 0], [FACE_PX[0], 0], FACE_PX, [0, FACE_PX[1]]], np.float32)
        lens = cv2.getPerspectiveTransform(np.array(tile["quad"], np.float32), corners)
        seen = cv2.cvtColor(cv2.warpPerspective(picture, lens, FACE_PX), cv2.COLOR_BGR2GRAY)
        alike = {
            code: float(np.corrcoef(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).ravel(), seen.ravel())[0, 1])
            for code, face in faces.items()
            if code != "5z"
        }
        right += tile["code"] == "5z" or max(alike, key=lambda code: alike[code]) == tile["code"]
    assert right >= 0.8 * len(shown)


def test_a_film_is_written_with_its_truth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_films, "SIZES", ((480, 270),))
    film = make_film(Pose.ABOVE, "hefei")
    video, truth = write_plain(film, tmp_path, "hand")
    read = read_truth(truth)
    assert [event for _, _, event in read.events] == [step.event for step in play_hand("hefei", SEED).steps]
    assert read.header["pace"] == 2.0
    capture = cv2.VideoCapture(str(video))
    assert capture.get(cv2.CAP_PROP_FRAME_COUNT) == read.header["frames"]
    assert capture.get(cv2.CAP_PROP_FRAME_WIDTH) == read.header["width"] == 480


def test_photographed_faces_are_taken_where_there_are_any(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    cv2.imwrite(str(folder / "3p.png"), np.full((40, 30, 3), (10, 200, 90), np.uint8))
    faces = plain_films.load_faces(tmp_path, np.random.default_rng(SEED))
    assert np.all(faces["3p"] == (10, 200, 90))
    assert np.all(faces["4p"][0, 0] == (10, 200, 90))  # drawn, on tiles of the same colour
    assert not np.all(faces["4p"] == (10, 200, 90))
