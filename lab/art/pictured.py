"""Birds out of pictures that lie on the machine: each in its own colours, in a set's three inks, as a
drawing in lines, or as a silhouette."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.images import Image
from lab.art.canvas import FACE_H, Canvas, Colour

BIRDS_FOLDER = Path.home() / ".local" / "share" / "tile-birds"  # filled by models.training.birds
SOLID = 128  # alpha from which on there is paint
PAINT_MIN_PX = 100  # of a picture, below which nobody can tell a bird
PALE = 175  # mean grey of a picture's paint, above which its own colours are lost on a tile
PLACE_WEIGHT = 0.6  # of where a pixel lies, against its colour, when a picture is parted
BLANK_SHARE = 0.25  # of parts that stay blank when a picture is painted in three inks


@lru_cache(maxsize=1)
def load_bird_pictures() -> tuple[Image, ...]:
    """The pictures, (h, w, 4) uint8 BGRA, cut to their paint; none where the folder is empty.

    Files that are no pictures of 8 bits with paint on a transparent ground are passed over."""
    pictures = (cv2.imread(str(path), cv2.IMREAD_UNCHANGED) for path in sorted(BIRDS_FOLDER.glob("*.png")))
    return tuple(_cut(np.asarray(picture, np.uint8)) for picture in pictures if _has_paint(picture))


def _has_paint(picture: cv2.typing.MatLike | None) -> bool:
    if picture is None or picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 4:
        return False
    solid = picture[:, :, 3] >= SOLID
    return bool(PAINT_MIN_PX <= np.count_nonzero(solid) < solid.size)


def _cut(picture: Image) -> Image:
    x, y, w, h = cv2.boundingRect((picture[:, :, 3] >= SOLID).astype(np.uint8))
    return picture[y : y + h, x : x + w]


def draw_pictured(
    canvas: Canvas, rng: np.random.Generator, inks: tuple[Colour, Colour, Colour], line: float
) -> None:
    """Paint one of the pictures of birds, stretched and turned a little, within the middle of the face."""
    pictures = load_bird_pictures()
    picture = pictures[rng.integers(len(pictures))]
    kind = rng.choice(4, p=[0.25, 0.35, 0.25, 0.15])
    if kind or picture[picture[:, :, 3] >= SOLID][:, :3].mean() > PALE:
        parts = _split_into_parts(picture, int(rng.integers(2, 6)))
        wide = max(1, round(line * picture.shape[0] / FACE_H))
        picture = (_draw_silhouette, _draw_in_inks, _draw_in_lines, _draw_silhouette)[kind](
            rng, parts, inks, wide
        )
    _paint(canvas, picture, float(rng.normal(0, 14)), math.exp(rng.uniform(-0.3, 0.2)))


def _split_into_parts(picture: Image, count: int) -> npt.NDArray[np.int32]:
    """Which of `count` parts of like colour and place every pixel belongs to, from 1; 0 is no paint."""
    solid = picture[:, :, 3] >= SOLID
    lab = cv2.cvtColor(picture[:, :, :3], cv2.COLOR_BGR2LAB)[solid].astype(np.float32) / 255
    place = np.argwhere(solid).astype(np.float32) / max(picture.shape[:2]) * PLACE_WEIGHT
    rule = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 8, 0.02)
    start = (np.arange(len(lab)) * count // len(lab)).astype(np.int32)[:, None]
    nearest = cv2.kmeans(np.hstack([lab, place]), count, start, rule, 1, cv2.KMEANS_USE_INITIAL_LABELS)[1]
    parts = np.zeros(solid.shape, np.int32)
    parts[solid] = nearest[:, 0] + 1
    return parts


def _fill_parts(parts: npt.NDArray[np.int32], colours: list[Colour | None]) -> Image:
    table = np.array([(0, 0, 0, 0) if colour is None else (*colour, 255) for colour in colours], np.uint8)
    return table[parts]


def _find_edges(parts: npt.NDArray[np.int32], wide: int) -> npt.NDArray[np.bool_]:
    """Where one part meets another or none, `wide` px wide."""
    padded = np.pad(parts, 1).astype(np.float32)
    edges = cv2.morphologyEx(padded, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8))[1:-1, 1:-1] > 0
    nib = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    return cv2.dilate(edges.astype(np.uint8), nib).astype(bool)


def _draw_in_inks(
    rng: np.random.Generator, parts: npt.NDArray[np.int32], inks: tuple[Colour, Colour, Colour], wide: int
) -> Image:
    colours: list[Colour | None] = [None]
    for _ in range(int(parts.max())):
        colours.append(None if rng.random() < BLANK_SHARE else inks[int(rng.integers(3))])
    result = _fill_parts(parts, colours)
    if None in colours[1:] or rng.random() < 0.5:
        result[_find_edges(parts, wide)] = (*inks[0], 255)
    return result


def _draw_in_lines(
    rng: np.random.Generator, parts: npt.NDArray[np.int32], inks: tuple[Colour, Colour, Colour], wide: int
) -> Image:
    colours: list[Colour | None] = [inks[int(rng.integers(3))] for _ in range(int(parts.max()) + 1)]
    result = _fill_parts(parts, colours)
    result[~_find_edges(parts, wide)] = 0
    return result


def _draw_silhouette(
    rng: np.random.Generator, parts: npt.NDArray[np.int32], inks: tuple[Colour, Colour, Colour], wide: int
) -> Image:
    result = _fill_parts(np.minimum(parts, 1), [None, inks[int(rng.integers(3))]])
    result[_find_edges(parts, wide) & (parts > 0)] = 0
    return result


def _paint(canvas: Canvas, picture: Image, turn: float, stretch: float) -> None:
    """Lays a picture on the canvas, `turn` degrees clockwise, `stretch` times as wide as it is."""
    h, w = picture.shape[:2]
    room_h, room_w = canvas.pixels.shape[:2]
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    linear = np.array([[c, -s], [s, c]]) @ np.diag([stretch, 1.0])
    reach = np.abs(linear) @ np.array([w, h])
    linear *= 0.96 * min(room_w / reach[0], room_h / reach[1])
    shift = np.array([room_w / 2, room_h / 2]) - linear @ np.array([w / 2, h / 2])
    alpha = picture[:, :, 3:].astype(np.float32) / 255
    premultiplied = np.concatenate([picture[:, :, :3] * alpha, alpha * 255], axis=2).astype(np.uint8)
    laid = cv2.warpAffine(premultiplied, np.hstack([linear, shift[:, None]]), (room_w, room_h))
    canvas.pixels = np.asarray(laid, np.uint8)
