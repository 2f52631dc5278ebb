"""Tile faces: `draw_face` paints any of the 42 kinds in a style, as paint on nothing, never mirrored;
placement, wobble, wear and shaded edges as the last step.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.images import Image
from lab.art.bamboo import draw_bamboo, draw_stick
from lab.art.birds import draw_bird
from lab.art.canvas import FACE_H, FACE_W, Canvas
from lab.art.characters import draw_character, draw_honour, draw_index, index_text, make_room_for_index
from lab.art.dots import draw_dots
from lab.art.dragons import PICTURE_PAINTS, draw_dragon, draw_white
from lab.art.flowers import draw_flower
from lab.art.style import FaceStyle, Finish, japanese_style, random_style, vary_style

NOISE_PX = 256


@lru_cache(maxsize=64)
def _noise(number: int, cells: int) -> npt.NDArray[np.float32]:
    """Smooth noise from 0 to 1, (256, 256); `cells` says how fine it is."""
    coarse = np.random.default_rng((number, cells)).random((cells, cells), np.float32)
    return cv2.resize(coarse, (NOISE_PX, NOISE_PX), interpolation=cv2.INTER_CUBIC).astype(np.float32)


def _field(number: int, cells: int, shape: tuple[int, int]) -> npt.NDArray[np.float32]:
    return cv2.resize(_noise(number % 16, cells), shape[::-1], interpolation=cv2.INTER_LINEAR).astype(
        np.float32
    )


def place(
    pixels: Image, finish: Finish, seed: int, scale: float, shrink: float = 1.0, lower: float = 0.0
) -> Image:
    """Scale, shift, turn and wobble a premultiplied face about its middle; scale is px per face unit;
    shrink and lower (face units) make room for an index.
    """
    h, w = pixels.shape[:2]
    turn = math.radians(finish.turn)
    size = finish.size * shrink
    sx, sy = size * finish.aspect, size / finish.aspect
    forward = np.array(
        [[sx * math.cos(turn), -sy * math.sin(turn)], [sx * math.sin(turn), sy * math.cos(turn)]]
    )
    back = np.linalg.inv(forward)
    middle = np.array([w / 2, h / 2])
    origin = middle - back @ (middle + (np.array(finish.shift) + np.array((0.0, lower))) * scale)
    if finish.wobble <= 0:
        matrix = np.hstack([back, origin[:, None]])
        return cv2.warpAffine(pixels, matrix, (w, h), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP).astype(
            np.uint8
        )
    x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    cells = 5 + seed % 4
    bend = finish.wobble * scale * 2
    from_x = (
        back[0, 0] * x + back[0, 1] * y + origin[0] + bend * (_field(seed, cells, (h, w)) - 0.5)
    ).astype(np.float32)
    from_y = (
        back[1, 0] * x + back[1, 1] * y + origin[1] + bend * (_field(seed // 16, cells, (h, w)) - 0.5)
    ).astype(np.float32)
    return cv2.remap(pixels, from_x, from_y, cv2.INTER_LINEAR).astype(np.uint8)


def weather(face: Image, finish: Finish, seed: int) -> Image:
    """Wear, wash out, grain and edge a plain BGRA face (H, W, 4)."""
    if not (finish.wear or finish.edge or finish.grain) and finish.wash == 1.0:
        return face
    h, w = face.shape[:2]
    alpha = face[:, :, 3].astype(np.float32)
    colour = face[:, :, :3].astype(np.float32)
    if finish.edge:
        reach = 1.2 * h / FACE_H
        dx, dy = (reach * f(math.radians(finish.edge_angle)) for f in (math.cos, math.sin))
        moved = cv2.warpAffine(alpha, np.array([[1, 0, dx], [0, 1, dy]]), (w, h), flags=cv2.INTER_LINEAR)
        rim = np.clip(alpha - moved, 0, 255) / 255.0 * finish.edge
        lit = np.clip(moved - alpha, 0, 255) / 255.0
        colour *= 1 - rim[:, :, None]
        glow = lit * (1 - alpha / 255.0) * finish.edge * 90
        share = (glow / np.maximum(alpha + glow, 1.0))[:, :, None]
        colour = colour * (1 - share) + 255 * share
        alpha = np.minimum(alpha + glow, 255)
    if finish.grain:
        colour += (np.random.default_rng(seed).standard_normal((h, w, 1), np.float32)) * (255 * finish.grain)
    if finish.wear:
        rough = 0.65 * _field(seed, 24, (h, w)) + 0.35 * _field(seed // 7, 90, (h, w))
        alpha *= 1 - finish.wear * np.clip((rough - 0.45) * 3, 0, 1)
    alpha *= finish.wash
    worn: Image = np.clip(np.dstack([colour, alpha]) + 0.5, 0, 255).astype(np.uint8)
    return worn


__all__ = ["CODES", "FaceStyle", "draw_face", "japanese_style", "random_style", "vary_style"]

CODES: tuple[str, ...] = tuple(
    f"{rank}{suit}"
    for suit, count in (("m", 9), ("p", 9), ("s", 9), ("z", 7), ("f", 8))
    for rank in range(1, count + 1)
)


def draw_face(code: str, style: FaceStyle, height_px: int) -> Image:
    """The painted face of a kind, (height_px, 0.75 height_px, 4) uint8 BGRA, transparent if there is no
    paint.

    Raises ValueError for a code that is not in CODES.
    """
    if code not in CODES:
        raise ValueError(
            f"no face for {code!r}: use one of the 42 codes 1m..9m, 1p..9p, 1s..9s, 1z..7z, 1f..8f"
        )
    rank, suit = int(code[0]), code[1]
    seed = style.seed + 7919 * CODES.index(code)
    canvas = Canvas(height_px)
    _paint(canvas, suit, rank, seed, style)
    text = index_text(suit, rank, style.index)
    room = make_room_for_index(style.index) if text else (1.0, 0.0)
    canvas.pixels = place(canvas.pixels, style.finish, seed, canvas.scale, *room)
    draw_index(canvas, text, style.index)
    return weather(canvas.finish(), style.finish, seed)


def _paint(canvas: Canvas, suit: str, rank: int, seed: int, style: FaceStyle) -> None:
    inks = style.inks
    if suit == "m":
        draw_character(canvas, rank, style.lettering, inks.numeral, inks.wan)
    elif suit == "p":
        draw_dots(canvas, rank, style.dots, inks.dots)
    elif suit == "s" and rank > 1:
        draw_bamboo(canvas, rank, style.bamboo, inks.sticks)
    elif suit == "s" and style.bamboo.one_stick:
        middle = FACE_W / 2
        draw_stick(
            canvas, (middle, 14.0), (middle, 86.0), 2.2 * style.bamboo.width, style.bamboo, inks.sticks[0]
        )
    elif suit == "s":
        bamboo = style.bamboo
        draw_bird(canvas, seed, inks.bird, bamboo)
    elif suit == "f":
        draw_flower(canvas, rank, seed, style.flowers, style.lettering, inks)
    elif rank == 5:
        draw_white(
            canvas,
            style.white,
            style.white_margin,
            style.white_line,
            style.white_letter,
            style.index.font,
            inks.white_dragon,
            inks.white_inner,
            inks.white_letter,
        )
    elif rank > 5 and style.lettering.dragon_pictures:
        draw_dragon(canvas, seed, PICTURE_PAINTS[rank], style.bamboo.line)
    else:
        colour = inks.wind if rank <= 4 else inks.green_dragon if rank == 6 else inks.red_dragon
        draw_honour(canvas, rank, style.lettering, colour)
