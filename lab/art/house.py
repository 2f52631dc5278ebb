"""The house set: the one style that the project shows, on ivory bodies with a jade back. Its peacock is drawn
by hand in face units.

Characters, winds and dragons carry a small index for players who do not read Chinese.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.images import Image
from lab.art.canvas import FACE_H, FACE_W, Canvas, Colour, Point, ellipse_points, polar, smooth_curve
from lab.art.faces import draw_face
from lab.art.flowers import draw_flower
from lab.art.glyphs import Writing, make_glyph
from lab.art.style import (
    Bamboo,
    Corner,
    Dots,
    FaceStyle,
    Finish,
    Flowers,
    Index,
    Inks,
    Lettering,
    Pip,
    Stick,
    WhiteDragon,
)

TAIL_ROOT = (41.0, 54.0)
FEATHERS = ((18.0, 29.0), (40.0, 36.0), (62.0, 38.0), (84.0, 35.0))  # angle and length


def draw_house_bird(canvas: Canvas, green: Colour, blue: Colour, red: Colour) -> None:
    """Paint the peacock."""
    for angle, length in FEATHERS:
        _feather(canvas, angle, length, green, red)
    canvas.line(smooth_curve([(6, 87), (20, 84), (40, 86), (52, 83)], 8), 3.4, green)
    for spot, angle in (((12.0, 85.5), 215.0), ((14.0, 86.0), 130.0)):
        canvas.polygon(ellipse_points(polar(spot, 5, angle), (5.5, 2.2), angle, 20), green)
    for hip, foot in (((30.0, 66.0), (27.0, 84.0)), ((36.0, 67.0), (35.0, 84.5))):
        canvas.line([hip, foot], 2.4, red)
    body = smooth_curve(
        [(22, 20), (31, 25), (36, 37), (47, 49), (47, 60), (39, 69), (28, 67), (20, 56), (19, 42), (17, 28)],
        8,
        closed=True,
    )
    canvas.polygon(body, blue)
    _wing(canvas, red)
    for y in (34.0, 41.0, 48.0):
        canvas.line(smooth_curve([(21.5, y), (24.5, y + 2.4), (28, y)], 5), 1.6, None)
    _head(canvas, blue, red)


def _feather(canvas: Canvas, angle: float, length: float, green: Colour, red: Colour) -> None:
    tip = polar(TAIL_ROOT, length, angle)
    canvas.line([TAIL_ROOT, tip], 2.6, green)
    eye = polar(TAIL_ROOT, length - 2, angle)
    canvas.polygon(ellipse_points(eye, (9, 6.2), angle, 28), green)
    canvas.polygon(ellipse_points(eye, (6.4, 4.0), angle, 24), None)
    canvas.disc(polar(eye, 1.0, angle), 3.0, red)
    for share in (0.45, 0.62):
        spot = polar(TAIL_ROOT, length * share, angle)
        for side in (-1, 1):
            canvas.line([spot, polar(spot, 5, angle + side * 42)], 1.5, green)


def _wing(canvas: Canvas, red: Colour) -> None:
    wing: list[Point] = [(31, 41), (42, 47), (52, 59), (57, 70), (46, 66), (34, 60), (28, 50)]
    outline = smooth_curve(wing, 8, closed=True)
    canvas.shape(outline, red, None, 0)
    canvas.line(outline, 1.6, None, closed=True)
    for start, end in (((33, 47), (49, 63)), ((38, 47), (52.5, 64)), ((31, 53), (44, 62.5))):
        canvas.line([start, end], 1.5, None)


def _head(canvas: Canvas, blue: Colour, red: Colour) -> None:
    centre = (22.0, 19.0)
    canvas.polygon([(15.5, 15.5), (6.5, 21.5), (16.5, 23.5)], red)
    canvas.disc(centre, 8.2, blue)
    canvas.disc((20.0, 18.0), 3.0, None)
    canvas.disc((19.6, 18.0), 1.5, blue)
    for angle in (-105.0, -82.0, -58.0):
        tip = polar(centre, 15.5, angle)
        canvas.line([polar(centre, 8, angle), tip], 1.5, blue)
        canvas.disc(tip, 2.0, red)


WIDTH_PX, HEIGHT_PX = 300, 400
FACE_PX = 352  # height of the painted face on the body
DETAIL = 2  # bodies are drawn this much larger and shrunk

# blue, green, red
RED, GREEN, BLUE, INK = (38, 34, 178), (64, 106, 18), (142, 66, 24), (58, 36, 26)
IVORY, IVORY_LIGHT, IVORY_DARK = (226, 241, 247), (243, 251, 254), (178, 205, 217)
JADE, JADE_DARK = (96, 128, 40), (66, 92, 24)
INDEX = (150, 140, 128)
INDEX_HEIGHT = 10.5  # face units
# the plants that came out best of the first twenty-two
PLANT_SEEDS = {"1f": 16, "2f": 3, "3f": 10, "4f": 6, "5f": 10, "6f": 17, "7f": 3, "8f": 14}
LETTERS = {"1z": "E", "2z": "S", "3z": "W", "4z": "N", "6z": "F", "7z": "C"}

HOUSE = FaceStyle(
    seed=0,
    inks=Inks(
        numeral=INK,
        wan=RED,
        wind=INK,
        red_dragon=RED,
        green_dragon=GREEN,
        white_dragon=BLUE,
        white_inner=BLUE,
        white_letter=RED,
        dots=(GREEN, BLUE, RED),
        sticks=(GREEN, BLUE, RED),
        bird=(GREEN, BLUE, RED),
        leaf=GREEN,
        bloom=RED,
        third=BLUE,
        plant_text=BLUE,
        season_text=RED,
        plant_number=BLUE,
        season_number=RED,
    ),
    lettering=Lettering(
        writing=Writing.HOUSE,
        latin=Writing.HOUSE,
        font=0,
        weight=5,
        numeral_width=45,
        numeral_height=36,
        wan_width=49,
        wan_height=47,
        gap=5,
        honour_width=58,
        honour_height=70,
        stretch=1.15,
        skew=0,
        turn=0,
        long_five=False,
        traditional_wan=True,
        traditional_winds=True,
        traditional_green=True,
        green_writing=Writing.HOUSE,
        pen=None,
        hollow=False,
        dragon_pictures=False,
    ),
    dots=Dots(
        pip=Pip.EYE,
        radius=0.97,
        spread=(0.9, 0.93),
        rings=3,
        line=0.2,
        slope=0.16,
        mixed=0,
        even_rows=False,
        petals=8,
        big_radius=34,
        big_kind=2,
        big_petals=12,
    ),
    bamboo=Bamboo(
        stick=Stick.BONE,
        width=14,
        length=0.97,
        line=2.2,
        core=0.34,
        spread=(0.86, 0.92),
        eight=0,
        mixed=0,
        one_stick=False,
    ),
    white=WhiteDragon.CUT_CORNERS,
    white_letter="",
    white_line=4.0,
    white_margin=11,
    index=Index(corner=Corner.NONE, size=11, font=0, honours=True, white="", colour=INDEX),
    flowers=Flowers(
        characters=True,
        plant_number=True,
        season_number=True,
        season_chinese_number=False,
        season_words=False,
        plant_number_left=False,
        season_number_left=True,
        traditional=True,
        number_size=16,
        character_size=24,
        line=1.8,
        filled=True,
        potted=False,
        fullness=0.96,
    ),
    finish=Finish(
        size=1.0, aspect=1.0, shift=(0, 0), turn=0, wobble=0, wear=0, wash=1, edge=0, edge_angle=0, grain=0
    ),
)


def draw_house_face(code: str) -> Image:
    """The paint of a house tile without its index, BGRA, FACE_PX high."""
    if code == "?":
        canvas = Canvas(FACE_PX)
        mask = make_glyph("?", Writing.HOUSE, 0, 6)
        width = 58 * mask.shape[1] / mask.shape[0]
        canvas.stamp(mask, ((FACE_W - width) / 2, (FACE_H - 58) / 2, width, 58), INDEX)
        return canvas.finish()
    if code == "1s":
        canvas = Canvas(FACE_PX)
        draw_house_bird(canvas, GREEN, BLUE, RED)
        canvas.fit((3.0, 2.0, 69.0, 96.0))
        return canvas.finish()
    if code[1] == "f":
        canvas = Canvas(FACE_PX)
        draw_flower(canvas, int(code[0]), PLANT_SEEDS[code], HOUSE.flowers, HOUSE.lettering, HOUSE.inks)
        return canvas.finish()
    return draw_face(code, HOUSE, FACE_PX)


def draw_house_tile(code: str, *, index: bool = True) -> Image:
    """A whole house tile, (400, 300, 4) uint8 BGRA: one of the 42 codes, "back" or "?"."""
    if code == "back":
        return _draw_body(JADE, (128, 158, 72), JADE_DARK, IVORY_DARK, woven=True).copy()
    tile = _draw_body(IVORY, IVORY_LIGHT, IVORY_DARK, JADE, woven=False).copy()
    _paint_on(tile, draw_house_face(code))
    if index and (text := index_text(code)):
        canvas = Canvas(FACE_PX)
        mask = make_glyph(text, Writing.HOUSE, 0)
        canvas.stamp(mask, (2.5, 2.5, INDEX_HEIGHT * mask.shape[1] / mask.shape[0], INDEX_HEIGHT), INDEX)
        _paint_on(tile, canvas.finish())
    return tile


def index_text(code: str) -> str:
    """The index of the kinds that are written in Chinese; the others can be counted."""
    return code[0] if code[1:] == "m" else LETTERS.get(code, "")


def _paint_on(tile: Image, face: Image) -> None:
    top, left = (HEIGHT_PX - BASE_PX - face.shape[0]) // 2 + 1, (WIDTH_PX - face.shape[1]) // 2
    area = tile[top : top + face.shape[0], left : left + face.shape[1], :3]
    weight = face[:, :, 3:].astype(np.float32) / 255
    area[:] = (area * (1 - weight) + face[:, :, :3] * weight + 0.5).astype(np.uint8)


BASE_PX = 22  # how much of the other layer shows below the upper one
RADIUS_PX = 34


def _round_mask(left: float, top: float, right: float, bottom: float, radius: float) -> Image:
    """A rounded rectangle as a mask of the tile's size, from 0 to 255."""
    mask = np.zeros((HEIGHT_PX * DETAIL, WIDTH_PX * DETAIL), np.uint8)
    x0, y0, x1, y1, r = (round(v * DETAIL) for v in (left, top, right, bottom, radius))
    cv2.rectangle(mask, (x0 + r, y0), (x1 - r, y1), 255, -1)
    cv2.rectangle(mask, (x0, y0 + r), (x1, y1 - r), 255, -1)
    for x, y in ((x0 + r, y0 + r), (x1 - r, y0 + r), (x0 + r, y1 - r), (x1 - r, y1 - r)):
        cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask


@lru_cache(maxsize=2)
def _draw_body(face: Colour, light: Colour, dark: Colour, base: Colour, *, woven: bool) -> Image:
    """The tile without paint: an upper layer with a soft bevel on a base of another colour."""
    h, w = HEIGHT_PX * DETAIL, WIDTH_PX * DETAIL
    whole = _round_mask(3, 3, WIDTH_PX - 4, HEIGHT_PX - 4, RADIUS_PX)
    upper = _round_mask(3, 3, WIDTH_PX - 4, HEIGHT_PX - 4 - BASE_PX, RADIUS_PX)
    inner = cv2.GaussianBlur(
        _round_mask(12, 11, WIDTH_PX - 13, HEIGHT_PX - 15 - BASE_PX, RADIUS_PX - 8), (0, 0), 5 * DETAIL
    )
    fall = np.linspace(1, 0, h, dtype=np.float32)[:, None, None]
    below = np.array(base, np.float32) * (0.62 + 0.38 * fall)
    rim = np.array(light, np.float32) * fall + np.array(dark, np.float32) * (1 - fall)
    plane = np.broadcast_to(np.array(face, np.float32), (h, w, 3))
    if woven:
        y, x = np.mgrid[0:h, 0:w] / (17.0 * DETAIL)
        plane = (
            plane
            * (0.97 + 0.03 * np.sign(np.sin(np.pi * (x + y))) * np.sign(np.sin(np.pi * (x - y))))[:, :, None]
        )
    share = inner[:, :, None].astype(np.float32) / 255
    layer = plane * share + rim * (1 - share)
    cover = upper[:, :, None].astype(np.float32) / 255
    colour = layer * cover + below * (1 - cover)
    alpha = whole.astype(np.float32)
    full = np.dstack([colour * (alpha / 255)[:, :, None], alpha])
    small: npt.NDArray[np.float32] = cv2.resize(
        full, (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_AREA
    ).astype(np.float32)
    small[:, :, :3] *= np.float32(255) / np.maximum(small[:, :, 3:], np.float32(1))
    tile: Image = np.clip(small + 0.5, 0, 255).astype(np.uint8)
    return tile
