"""A tile named by a person teaches others that look like it and could not be read."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from companion.config import models_dir
from companion.images import Image
from companion.seeing.sights import SeenTile, Sight
from companion.vision.recogniser import Recogniser
from lab.art.faces import draw_face, random_style
from lab.film.customs import Pose
from tests.seeing.test_observer import Scene, Watched, film_scene, list_lying

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def above() -> Scene:
    return film_scene(Pose.ABOVE)


def paint_between(frame: Image, faces: list[dict[str, Any]], codes: tuple[str, str]) -> Image:
    """The frame with faces that are half of one kind and half of the other."""
    style = random_style(np.random.default_rng(0))
    drawn = [draw_face(code, style, 160).astype(float) for code in codes]
    inked = [face[..., :3] * (share := face[..., 3:] / 255) + 230 * (1 - share) for face in drawn]
    between = np.asarray(sum(inked) / 2, np.uint8)
    height, width = between.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    painted = frame.copy()
    for face in faces:
        to_quad = cv2.getPerspectiveTransform(corners, np.array(face["quad"], np.float32))
        cv2.warpPerspective(between, to_quad, frame.shape[1::-1], painted, borderMode=cv2.BORDER_TRANSPARENT)
    return painted


@pytest.mark.parametrize("code", ["9p", "9s"])
def test_of_two_tiles_that_nobody_could_tell_one_is_named_and_the_other_is_known_by_it(
    code: str, above: Scene
) -> None:
    faces = [face for face in list_lying(above.after) if face["zone"] == "river"][:2]
    frame = paint_between(above.frame_after, faces, ("9p", "9s"))
    places = [above.camera.lift(np.array(face["quad"]), 20.0).mean(axis=0) for face in faces]
    watched = Watched(Recogniser(models_dir(), threads=1), above.camera)

    def read(sight: Sight) -> list[SeenTile]:
        near = [[t for t in sight.tiles if np.hypot(t.x_mm - x, t.y_mm - y) < 12] for x, y in places]
        return [tile for (tile,) in near]

    one, other = read(watched.show(frame))
    assert max(p for tile in (one, other) for _, p in tile.readings) < 0.9
    watched.observer.teach(one.track, code)
    named, alike = read(watched.show(frame))
    assert named.readings == ((code, 1.0),)
    assert alike.track == other.track
    assert alike.readings[0][0] == code
    assert alike.readings[0][1] > 0.95
    watched.observer.teach(999, code)  # a tile that is gone teaches nothing
    assert read(watched.show(frame))[1].readings[0] == (code, pytest.approx(alike.readings[0][1], abs=0.001))
