"""Tiles before the player behind whom the camera stands: flat ones are told from standing ones."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.config import models_dir
from companion.images import Image
from companion.seeing.cloth import Tops
from companion.seeing.outlines import Outlines, TileSize, fit_outlines, mark_lying
from companion.seeing.table_camera import TableCamera
from companion.seeing.tile_reading import WHOLE_TABLE, TileReader
from companion.vision.candidates import Candidates
from companion.vision.recogniser import Recogniser
from lab.film.customs import list_corners
from lab.scenes.geometry import Camera

SIZE = TileSize(26.0, 34.6, True)
PICTURE = (1920, 1080)
CLOTH, IVORY, BACK, INK = (90, 110, 30), (225, 235, 240), (40, 40, 190), (30, 30, 30)
Colour = tuple[int, int, int]


def stand_camera(elevation: float) -> TableCamera:
    film = Camera.looking_at(
        np.zeros(3), 1300.0, np.radians(elevation), 0.0, 0.0, 1400.0, *PICTURE
    )  # fmt: skip
    return TableCamera.from_corners(film.project(list_corners(400.0)), *PICTURE, 1400.0)


def lay_cloth(camera: TableCamera) -> Image:
    image = np.full((PICTURE[1], PICTURE[0], 3), 20, np.uint8)
    cv2.fillConvexPoly(image, camera.corners.round().astype(np.int32), CLOTH)
    return image


def paint(image: Image, camera: TableCamera, side_mm: np.ndarray, colour: Colour) -> np.ndarray:
    """Paints a side (4, 3) of a tile, and gives its corners in the picture."""
    px = camera.project(side_mm)
    cv2.fillConvexPoly(image, px.round().astype(np.int32), colour, cv2.LINE_AA)
    return px


def paint_face(image: Image, camera: TableCamera, face_mm: np.ndarray, body: Colour) -> np.ndarray:
    px = paint(image, camera, face_mm, body)
    middle = face_mm.mean(axis=0)
    paint(image, camera, middle + 0.3 * (face_mm - middle), INK)
    return px


def lay_tile(image: Image, camera: TableCamera, x: float, y: float, body: Colour = IVORY) -> np.ndarray:
    """A tile that lies with its middle there, its front side being seen too; the corners of its face."""
    width, height, depth = SIZE.sides_mm
    left, right, near, far = x - width / 2, x + width / 2, y - height / 2, y + height / 2
    front = [[left, near, depth], [right, near, depth], [right, near, 0], [left, near, 0]]
    paint(image, camera, np.array(front), BACK)
    face = [[left, far, depth], [right, far, depth], [right, near, depth], [left, near, depth]]
    return paint_face(image, camera, np.array(face), body)


def stand_tile(
    image: Image, camera: TableCamera, x: float, y: float, body: Colour = IVORY, back: Colour = BACK,
    lit: Colour | None = None,
) -> np.ndarray:  # fmt: skip
    """A tile that stands there with its face towards the camera, half of its body being of another colour.
    lit: of its top, where that is lighter than the face."""
    width, height, depth = SIZE.sides_mm
    left, right = x - width / 2, x + width / 2
    for share, colour in ((1.0, back), (0.5, lit or body)):
        far = y + share * depth
        top = [[left, far, height], [right, far, height], [right, y, height], [left, y, height]]
        paint(image, camera, np.array(top), colour)
    face = [[left, y, height], [right, y, height], [right, y, 0], [left, y, 0]]
    return paint_face(image, camera, np.array(face), body)


def find(camera: TableCamera, faces: list[np.ndarray]) -> Outlines:
    """The outlines of these faces that may lie, or stand."""
    px = np.array(faces, np.float32).reshape(-1, 4, 2)
    found = Candidates.from_finder(px, np.ones(len(px), np.float32), np.zeros(len(px), np.float32))
    outlines = fit_outlines(found, camera, SIZE)
    return outlines.choose(~mark_lying(outlines, camera, SIZE))


def mark(image: Image, camera: TableCamera, doubtful: Outlines, *lying: np.ndarray) -> list[bool]:
    known = np.array(lying, np.float32).reshape(-1, 4, 2)
    absent = Tops.of(image, doubtful, camera, SIZE).mark_absent(known)
    return [bool(each) for each in absent]


@pytest.mark.parametrize("elevation", [33.0, 36.0, 40.0])
def test_a_tile_lies_where_the_cloth_is_seen_beyond_it(elevation: float) -> None:
    camera = stand_camera(elevation)
    image = lay_cloth(camera)
    faces = [lay_tile(image, camera, x, -340.0) for x in (-240.0, -90.0, 60.0, 86.0, 112.0)]
    assert mark(image, camera, find(camera, faces)) == [True] * 5


def test_tiles_lie_one_before_another_where_that_one_surely_lies() -> None:
    camera = stand_camera(36.0)
    image = lay_cloth(camera)
    farthest, middle, nearest = [lay_tile(image, camera, 200.0, y) for y in (-305.0, -340.0, -375.0)]
    doubtful = find(camera, [middle, nearest])
    assert mark(image, camera, doubtful) == [False, False]
    assert mark(image, camera, doubtful, farthest) == [True, False]
    assert mark(image, camera, doubtful, farthest, middle) == [True, True]


@pytest.mark.parametrize(
    ("body", "back"),
    [(IVORY, BACK), (IVORY, CLOTH), (CLOTH, CLOTH), (INK, BACK)],
    ids=["ivory", "with backs as green as the cloth", "as green as the cloth", "dark"],
)
@pytest.mark.parametrize("elevation", [35.0, 37.0, 39.0])
def test_a_tile_that_stands_never_passes_for_one_that_lies(
    elevation: float, body: Colour, back: Colour
) -> None:
    camera = stand_camera(elevation)
    image = lay_cloth(camera)
    faces = [stand_tile(image, camera, x, -345.0, body, back) for x in (-240.0, -90.0, 60.0, 86.0, 112.0)]
    doubtful = find(camera, faces)
    assert len(doubtful), "some of them look like lying tiles"
    assert not any(mark(image, camera, doubtful))


def test_a_top_that_is_taken_for_a_tile_makes_no_face_one_that_lies() -> None:
    camera = stand_camera(37.0)
    image = lay_cloth(camera)
    face = stand_tile(image, camera, 0.0, -345.0, IVORY, IVORY)
    height = SIZE.height_mm
    x, near, far = height / 2, -345.0, SIZE.depth_mm - 345.0
    top = camera.project(
        np.array([[-x, far, height], [x, far, height], [x, near, height], [-x, near, height]])
    )
    doubtful = find(camera, [face, top])
    assert mark(image, camera, doubtful) == [False, True]
    reading = TileReader(Recogniser(models_dir(), threads=1), None)
    laid = reading.find_lying(image, Candidates.join([doubtful.candidates] * 2), [WHOLE_TABLE], camera, SIZE)
    apart = np.linalg.norm(laid.middles - doubtful.middles[0], axis=1)
    assert apart.min(initial=np.inf) > SIZE.width_mm / 2


def test_white_cloth_and_white_tiles_tell_nothing() -> None:
    camera = stand_camera(37.0)
    image = lay_cloth(camera)
    white, shaded = (250, 250, 250), (150, 150, 150)
    image[(image == CLOTH).all(axis=2)] = white
    face = stand_tile(image, camera, 0.0, -345.0, shaded, BACK, white)
    assert mark(image, camera, find(camera, [face])) == [False]


def test_a_green_tile_on_green_cloth_is_not_known_to_lie() -> None:
    camera = stand_camera(36.0)
    image = lay_cloth(camera)
    face = lay_tile(image, camera, 0.0, -340.0, CLOTH)
    assert mark(image, camera, find(camera, [face])) == [False]
