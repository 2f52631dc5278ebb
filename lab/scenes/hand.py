"""A chosen hand of the house set on a green cloth, for the demo, the tests and the first look at the program;
and a recording of it for the live preview.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.art import tile_png
from companion.errors import InputError
from companion.images import Image
from companion.tiles import BACK
from lab.scenes import layouts
from lab.scenes.draw import Light, Scene, draw_scene
from lab.scenes.geometry import Camera
from lab.scenes.surfaces import make_cloth
from lab.scenes.tileset import TileBodies

SIZE_MM = np.array([26.0, 35.0, 20.0])  # a common Chinese set
IVORY, JADE = (226, 240, 247), (74, 118, 42)  # BGR
FELT = (62, 96, 34)  # BGR
ROW_STEP_MM = 62.0
VIEW_WIDTH_TILES = 17.0


def make_house_set(codes: Sequence[str]) -> TileBodies:
    """The house set's tiles, those faces that `codes` needs."""
    faces = {code: _read_face(code) for code in {*codes} - {BACK}}
    return TileBodies(SIZE_MM, faces, IVORY, JADE, corner=0.06)


def _read_face(code: str) -> Image:
    encoded = np.frombuffer(tile_png(code).read_bytes(), np.uint8)
    return np.asarray(cv2.imdecode(encoded, cv2.IMREAD_UNCHANGED), np.uint8)


def render_hand(
    rows: Sequence[Sequence[str]],
    *,
    seed: int = 0,
    width: int = 1280,
    height: int = 720,
    elevation: float = 1.05,
) -> Scene:
    """Rows of tile codes ("back" lies face down), nearest row last, seen from a seat at the table.

    elevation: of the camera above the table, radians. The picture has shape (height, width, 3), uint8 BGR.
    """
    rng = np.random.default_rng(seed)
    placed: layouts.Layout = []
    for line, codes in enumerate(rows):
        y = (len(rows) - 1 - 2 * line) * ROW_STEP_MM / 2
        for column, code in enumerate(codes):
            x = (column - (len(codes) - 1) / 2) * SIZE_MM[0] * 1.02
            put = layouts.place_face_down if code == BACK else layouts.place_lying
            dx, dy, angle = rng.normal(0, 1, 3) * [0.3, 0.5, 0.012]
            placed.append(put(SIZE_MM, _face(code, rows), x + dx, y + dy, angle))
    focal = 1.4 * width
    distance = focal * VIEW_WIDTH_TILES * SIZE_MM[0] / width
    camera = Camera.looking_at(
        np.array([0.0, 0.0, SIZE_MM[2] / 2]), distance, elevation, 0.04, 0.01, focal, width, height
    )  # fmt: skip
    light = Light((-0.36, 0.48, 0.8), ambient=0.62, shadow=0.5, softness_px=width / 250)
    ground: Image = make_cloth(rng, height, width, np.array(FELT, np.float32))
    return draw_scene(ground, camera, placed, make_house_set([code for row in rows for code in row]), light)


def _face(code: str, rows: Sequence[Sequence[str]]) -> str:
    """What lies on the hidden side of a tile that is face down: never seen, so any face of the set does."""
    return code if code != BACK else next((c for row in rows for c in row if c != BACK), "5z")


HAND = ("1m", "2m", "3m", "5m", "5m", "4p", "5p", "6p", "2s", "3s", "7s", "8s", "9s")
DISCARDS = (("1z", "9p", "3z", "1s", "8m", "2p"), ("7z", "4z", "9m", "6s", "1p", "5z"))
WALL = (BACK,) * 13
WIDTH, HEIGHT = 960, 540
FRAMES, FRAMES_A_SECOND = 120, 15
ROAM = 0.06  # of the table drawn, that the camera wanders to either side


def record(path: Path) -> None:
    """Writes a clip of eight seconds, MJPEG in AVI; it ends where it began, so that it can go round.

    Raises InputError when the file cannot be written.
    """
    table = render_hand([WALL, *DISCARDS, HAND], seed=5, width=WIDTH * 2, height=HEIGHT * 2).image
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FRAMES_A_SECOND, (WIDTH, HEIGHT))
    if not video.isOpened():
        raise InputError("The recording '{file}' cannot be written: check its folder.", file=path)
    try:
        for at in range(FRAMES):
            seen = _make_lens(at / FRAMES)
            video.write(cv2.warpAffine(table, seen, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT))
    finally:
        video.release()


def _make_lens(share: float) -> np.ndarray:
    """The affine map (2, 3) from the table's picture to the camera's at a share of the clip."""
    turn = 2 * np.pi * share
    middle = np.array([WIDTH, HEIGHT]) * (1 + ROAM * np.array([np.sin(turn), 0.6 * np.sin(2 * turn)]))
    matrix = cv2.getRotationMatrix2D(tuple(middle), 2.5 * np.sin(turn), 0.54 + 0.03 * np.cos(turn))
    return np.column_stack([matrix[:, :2], matrix[:, 2] + np.array([WIDTH, HEIGHT]) / 2 - middle])
