"""Films of hands, the table found by the program: no standing face is kept, shown or read, in any pose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pytest

from companion.config import models_dir
from companion.images import Image
from companion.live.table_watch import TableWatch
from companion.live.watch_setup import watch_table
from companion.seeing.private_pictures import PAINT
from companion.seeing.sights import Sight
from companion.seeing.table_camera import TableCamera
from companion.vision.recogniser import Recogniser
from lab.film.customs import Pose
from lab.film.writing import Film, Shooting, prepare_film
from tests.lab.scenes.film_hands import play_hand

pytestmark = pytest.mark.slow

SIZE = (1280, 720)
MOMENTS, LOOKS, FRAME_S = 3, 6, 0.13
SHOWN_MAX = 0.02
"""Share of a standing face, of px at its edge, that may belong to a tile lying beside it."""


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(models_dir(), threads=1)


@dataclass(frozen=True, eq=False)
class Moment:
    """A frame at which nothing moves, with the faces that are truly seen in it."""

    image: Image
    faces: list[dict[str, Any]]

    @property
    def hands(self) -> list[dict[str, Any]]:
        return [face for face in self.faces if face["zone"] == "hand" and face["standing"]]


def list_moments(film: Film) -> list[Moment]:
    """The first of the film, and some while hands stand."""
    tables = [line for line in film.truth if "table" in line]
    chosen = np.linspace(len(tables) // 8, len(tables) - 2, MOMENTS).astype(int)
    return [
        Moment(film.filming.draw((line["t"] + line["until"]) / 2), line["table"])
        for line in (tables[0], *(tables[at] for at in chosen))
    ]


def watch_moment(watch: TableWatch, moment: Moment, begins_s: float) -> Sight | None:
    last = None
    for look in range(LOOKS):
        last = watch.look(moment.image, begins_s + look * FRAME_S) or last
    return last


def measure_shown(painted: Image, image: Image, quad: np.ndarray) -> float:
    """The share of a face that a painted picture shows as it is."""
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, quad.round().astype(np.int32), 1)
    shown = (painted == image).all(axis=2) & ~(image == PAINT).all(axis=2)
    return float(shown[inside > 0].mean()) if inside.any() else 0.0


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("pose", "rules", "seed", "calm"),
    [
        (Pose.ABOVE, "hefei", 2, True), (Pose.SIDE, "hefei", 2, True),
        (Pose.CORNER, "hong_kong", 4, False), (Pose.SIDE, "taiwanese", 4, False),
        (Pose.SIDE, "hangzhou", 6, False),
    ],
)  # fmt: skip
def test_no_standing_face_is_shown_or_read(
    pose: Pose, rules: str, seed: int, calm: bool, recogniser: Recogniser
) -> None:
    played = play_hand(rules, seed)
    film = prepare_film(played.start, played.steps, Shooting(pose, SIZE, calm=calm, seed=seed))
    kept, standing = count_hidden(film, watch_table(recogniser, rules))
    assert kept > 1
    assert standing > 20 or pose is Pose.ABOVE, "from above no face that stands is seen"


@pytest.mark.sampled
@pytest.mark.parametrize("times", [0.7, 1.1])
def test_where_a_wrong_table_is_taken_none_is_either(times: float, recogniser: Recogniser) -> None:
    played = play_hand("hefei", 2)
    film = prepare_film(played.start, played.steps, Shooting(Pose.SIDE, SIZE, calm=True, seed=2))
    corners = np.array(film.truth[0]["camera"]["corners"])
    true = TableCamera.from_corners(corners, *SIZE, film.truth[0]["camera"]["matrix"][0][0])
    half = times * 400.0
    wrong = true.project(half * np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]))
    kept, standing = count_hidden(film, watch_table(recogniser, "hefei", corners=wrong))
    assert kept > 1
    assert standing > 10, "a whole hand at least: where the table seems to move no picture is kept"


def count_hidden(film: Film, watch: TableWatch) -> tuple[int, int]:
    """How many pictures of a film are kept, and how many standing faces are in these that none of them shows
    and no sight names."""
    standing, kept = 0, 0
    for number, moment in enumerate(list_moments(film)):
        sight = watch_moment(watch, moment, number * LOOKS * FRAME_S)
        painted = watch.paint(moment.image)
        if painted is None:  # somebody is in the way, or the table is not found yet
            continue
        kept += 1
        assert watch.camera is not None
        assert sight is not None
        middle = watch.camera.project(np.array([[-9.0, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]]))
        assert measure_shown(painted, moment.image, middle) > 0.9
        places = np.array([[tile.x_mm, tile.y_mm, 20.0] for tile in watch.lying]).reshape(-1, 3)
        for face in moment.hands:
            standing += 1
            quad = np.array(face["quad"], np.float32)
            assert measure_shown(painted, moment.image, quad) <= SHOWN_MAX, face["code"]
            for x, y in watch.camera.project(places).tolist():
                assert cv2.pointPolygonTest(quad, (x, y), False) < 0, face["code"]
    return kept, standing
