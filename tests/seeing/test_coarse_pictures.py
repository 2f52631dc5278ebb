"""No face can be read in a coarse picture, however large its tiles are; the table's edges stay in it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.config import models_dir
from companion.images import Image
from companion.seeing.private_pictures import INK, make_coarse, make_coarse_with_edges
from companion.tiles import BACK, UNKNOWN
from companion.vision.recogniser import Recogniser
from lab.film.customs import Pose, list_corners, place_camera
from lab.scenes.hand import render_hand

SIZE = (1280, 720)
ROWS = [["1z", "2z", "1p", "2p", "8p"], ["7z", "4m", "5s", "9p", "1s"], ["1m", "3m", "6m", "2s", "8s"]]
WIDTH_TILES = 17
"""Of the drawn picture."""


@pytest.mark.slow
def test_no_face_can_be_read_however_large_the_tiles_are() -> None:
    recogniser = Recogniser(models_dir(), threads=1)
    drawn = render_hand(ROWS, width=2560, height=1440).image
    for tiles in (17, 10, 6, 3):
        width = round(drawn.shape[1] * tiles / WIDTH_TILES)
        height = width * 9 // 16
        left, top = (drawn.shape[1] - width) // 2, (drawn.shape[0] - height) // 2
        part = np.ascontiguousarray(drawn[top : top + height, left : left + width])
        image = np.asarray(cv2.resize(part, SIZE, interpolation=cv2.INTER_AREA), np.uint8)
        faces = read_faces(recogniser, image)
        assert len(faces) >= 3, "the picture itself can be read"
        for coarse in (make_coarse(image), make_coarse_with_edges(image)):
            assert coarse.shape == image.shape
            assert not faces & read_faces(recogniser, coarse), tiles


def read_faces(recogniser: Recogniser, image: Image) -> set[str]:
    return {tile.code for tile in recogniser.read(image).tiles} - {BACK, UNKNOWN}


@pytest.mark.parametrize("pose", Pose)
def test_the_tables_edges_are_drawn_where_they_are(pose: Pose) -> None:
    corners = place_camera(pose, np.random.default_rng(3), *SIZE).project(list_corners(400.0))
    image = np.full((SIZE[1], SIZE[0], 3), 70, np.uint8)
    cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), (70, 130, 60))
    inked = (np.abs(make_coarse_with_edges(image).astype(int) - INK).max(axis=2) < 40).astype(np.uint8)
    near = cv2.dilate(inked, np.ones((7, 7), np.uint8))
    for one, other in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = one + np.linspace(0.05, 0.95, 50)[:, None] * (other - one)
        x, y = np.round(along).astype(int).T
        assert near[y, x].mean() > 0.9
