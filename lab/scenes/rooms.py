"""Pictures without any tile of what was taken for tiles: book spines on shelves, wall sockets, displays and
labels of devices, rims of trays and tables, keyboards, metal edges, dark slots."""

from __future__ import annotations

import cv2
import numpy as np

from companion.images import Image
from lab.scenes.club import VIEWS, Ground, make_random_setting, make_room_light
from lab.scenes.draw import Scene, draw_scene
from lab.scenes.furniture import (
    choose_muted_colour,
    draw_dim_room,
    draw_display,
    draw_furniture,
    draw_label,
    draw_socket,
    draw_stick_tray,
)
from lab.scenes.geometry import Camera, paint_quad, round_to_pixels, shrink_texture
from lab.scenes.surfaces import draw_plain_top, make_surface
from lab.scenes.things import (
    LETTERS,
    Rng,
    choose_colour,
    choose_dark_colour,
    choose_pale_colour,
    draw_random_arms,
    draw_strokes,
    keyboard,
    make_blank_sheet,
)
from lab.scenes.tileset import TileBodies

NO_TILES = TileBodies(np.array([26.0, 35.0, 20.0]), {}, (255, 255, 255), (255, 255, 255))


def draw_spine(rng: Rng, wide: int, high: int) -> Image:
    """The back of a book, upright: a ground, bands, a title along or across it, a publisher's sign."""
    ground = choose_pale_colour(rng) if rng.random() < 0.55 else choose_colour(rng)
    ink = choose_dark_colour(rng) if sum(ground) > 380 else choose_pale_colour(rng)
    if rng.random() < 0.3:
        ink = choose_colour(rng)
    flat = np.empty((wide, high, 4), np.uint8)  # drawn lying, then turned
    flat[:] = (*ground, 255)
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        x = int(rng.uniform(0, 0.9) * high)
        flat[:, x : x + int(rng.uniform(0.01, 0.2) * high), :3] = choose_colour(rng)
    x = int(rng.uniform(0.04, 0.2) * high)
    chinese = rng.random() < 0.45
    while x < high * 0.8:
        size = int(wide * rng.uniform(0.25, 0.7))
        for _ in range(int(rng.integers(2, 12))):
            if x + size > high * 0.92:
                break
            top = (wide - size) // 2
            if chinese:
                draw_strokes(rng, flat, x, top, size, ink)
                x += int(size * 1.15)
            else:
                sign = str(rng.choice(list(LETTERS)))
                font, thick = int(rng.integers(0, 4)), max(1, size // 9)
                cv2.putText(flat, sign, (x, top + size), font, size / 24, (*ink, 255), thick, cv2.LINE_AA)
                x += int(size * 0.9)
        x += int(high * rng.uniform(0.03, 0.25))
    middle = (int(high * 0.95), wide // 2)
    if rng.random() < 0.6:
        cv2.circle(flat, middle, max(2, wide // 5), (*choose_colour(rng), 255), -1, cv2.LINE_AA)
    if chinese:
        flat = np.ascontiguousarray(np.rot90(flat, 3))
        return np.asarray(flat, np.uint8)
    return np.asarray(np.ascontiguousarray(np.rot90(flat, 3 if rng.random() < 0.85 else 1)), np.uint8)


def draw_bookshelf(rng: Rng, height: int, width: int) -> Image:
    """Shelves with books side by side, some leaning, some lying in a stack."""
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = choose_muted_colour(rng, 10, 70)
    board = choose_muted_colour(rng, 40, 220)
    book = float(np.exp(rng.uniform(np.log(26), np.log(200))))  # width of a common book px
    tall = book * float(rng.uniform(6, 10))
    y = float(rng.uniform(0.3, 1.1)) * tall
    while y < height + tall:
        x = float(rng.uniform(-2, 1)) * book
        while x < width:
            wide, high = book * float(np.exp(rng.normal(0, 0.35))), tall * float(rng.uniform(0.7, 0.98))
            sheet = draw_spine(rng, max(8, round(wide)), max(30, round(high)))
            lean = float(rng.normal(0, 0.1)) * high if rng.random() < 0.12 else 0.0
            quad = np.array([[x + lean, y - high], [x + wide + lean, y - high], [x + wide, y], [x, y]])
            paint_quad(picture, sheet, quad, float(rng.uniform(0.75, 1.05)))
            top, foot = round_to_pixels(quad[[1, 2]]).tolist()
            cv2.line(picture, top, foot, (20, 20, 20), 1, cv2.LINE_AA)
            x += wide + max(0.0, lean) + (float(rng.uniform(0, 2)) * book if rng.random() < 0.08 else 0.0)
        edge = int(y), int(y + tall * 0.06)
        cv2.rectangle(picture, (0, edge[0]), (width, edge[1]), board, -1)
        cv2.rectangle(picture, (0, edge[1]), (width, edge[1] + int(tall * 0.05)), (12, 12, 12), -1)
        y += tall * 1.15
    return _tilt(rng, picture)


def draw_panel_wall(rng: Rng, height: int, width: int) -> Image:
    """A wall or the front of a device with sockets, switches, labels, displays, trays and metal edges."""
    picture = draw_plain_top(rng, height, width)
    if rng.random() < 0.5:
        picture[:] = (picture * 0.3 + np.array(choose_muted_colour(rng, 60, 250)) * 0.7).astype(np.uint8)
    for _ in range(int(rng.integers(1, 6))):
        _draw_metal(rng, picture)
    makes = (draw_socket, draw_socket, draw_label, draw_label, draw_display, draw_stick_tray, _draw_slots)
    for _ in range(int(rng.integers(1, 8))):
        sheet = makes[int(rng.integers(len(makes)))](rng)
        wide = float(np.exp(rng.uniform(np.log(60), np.log(0.6 * width))))
        high = wide * sheet.shape[0] / sheet.shape[1]
        at, turn = rng.uniform([0, 0], [width, height]), float(rng.normal(0, 0.12))
        c, s = np.cos(turn), np.sin(turn)
        corners = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
        quad = corners @ np.array([[c, s], [-s, c]]) + at
        shade = np.zeros_like(picture)
        cv2.fillConvexPoly(shade, round_to_pixels(quad + wide * 0.015), (60, 60, 60), cv2.LINE_AA)
        picture = np.asarray(cv2.subtract(picture, shade), np.uint8)
        paint_quad(picture, shrink_texture(sheet, quad), quad, float(rng.uniform(0.8, 1.05)))
    return _tilt(rng, picture)


def _draw_slots(rng: Rng) -> Image:
    """Dark slots or holes in rows, as of a ventilator or a loudspeaker."""
    sheet = make_blank_sheet(
        70.0, 50.0, choose_pale_colour(rng) if rng.random() < 0.5 else choose_dark_colour(rng), 3.0
    )
    rows, columns = sheet.shape[:2]
    dark = (*choose_colour(rng, 0, 40), 255)
    across, down = int(rng.integers(2, 9)), int(rng.integers(1, 6))
    for i in range(across):
        for j in range(down):
            x, y = int((i + 0.2) * columns / across), int((j + 0.2) * rows / down)
            cv2.rectangle(
                sheet, (x, y), (x + int(0.6 * columns / across), y + int(0.6 * rows / down)), dark, -1
            )
    return sheet


def _draw_metal(rng: Rng, picture: Image) -> None:
    """A bar of metal across the picture: bands from dark to bright along it."""
    height, width = picture.shape[:2]
    start, end = rng.uniform([0, 0], [width, height]), rng.uniform([0, 0], [width, height])
    wide = float(np.exp(rng.uniform(np.log(4), np.log(60))))
    along = (end - start) / max(1.0, float(np.linalg.norm(end - start)))
    aside = np.array([-along[1], along[0]])
    bands = int(rng.integers(3, 7))
    for k in range(bands):
        grey = float(rng.uniform(40, 250))
        offset = aside * (k / bands - 0.5) * wide
        ends = round_to_pixels(
            np.stack([start - along * width + offset, end + along * width + offset])
        ).tolist()
        cv2.line(picture, ends[0], ends[1], (grey, grey, grey), max(1, round(wide / bands) + 1), cv2.LINE_AA)


def _tilt(rng: Rng, picture: Image) -> Image:
    """A flat picture seen a little from aside."""
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    inward = rng.uniform(0, 0.12, (4, 2)) * [width, height]
    source = corners + inward * [[1, 1], [-1, 1], [-1, -1], [1, -1]]
    lens = cv2.getPerspectiveTransform(source.astype(np.float32), corners)
    return np.asarray(cv2.warpPerspective(picture, lens, (width, height)), np.uint8)


def draw_empty_table(rng: Rng, height: int, width: int, ground: Ground = make_surface) -> Image:
    """A mahjong table with nothing on it but sticks, telephones and arms: rims, trays, displays."""
    half = float(rng.uniform(330, 460))
    setting = make_random_setting(
        rng, half, float(rng.choice([0.0, 70.0], p=[0.25, 0.75])), width, height, ground
    )
    camera = VIEWS["seated" if rng.random() < 0.7 else "propped"](rng, half, width, height)
    if rng.random() < 0.5:  # the rim from near
        target = np.array([rng.uniform(-0.7, 0.7) * half, -half - 20.0, 0.0])
        focal = 1.1 * max(width, height)
        camera = Camera.looking_at(
            target, float(rng.uniform(250, 700)), float(rng.uniform(0.4, 1.2)), float(rng.normal(0, 0.4)),
            float(rng.normal(0, 0.1)), focal, width, height,
        )  # fmt: skip
    top = draw_furniture(setting.table, camera, setting.cloth, setting.room)
    arms = draw_random_arms(rng, camera, half, int(rng.integers(0, 3)), height, width)
    return draw_scene(top, camera, [], NO_TILES, setting.light, setting.things, arms).image


def draw_keyboards(rng: Rng, height: int, width: int, ground: Ground = make_surface) -> Image:
    """Keyboards, calculators and remote controls from near."""
    focal = 1.2 * max(width, height)
    camera = Camera.looking_at(
        np.zeros(3), float(rng.uniform(120, 420)), float(rng.uniform(0.5, 1.5)), float(rng.normal(0, 0.5)),
        float(rng.normal(0, 0.2)), focal, width, height,
    )  # fmt: skip
    return draw_scene(
        ground(rng, height, width), camera, [], NO_TILES, make_room_light(rng), [keyboard(rng)]
    ).image


def draw_tileless(rng: Rng, *, width: int = 1280, height: int = 960, ground: Ground = make_surface) -> Scene:
    """A picture without tiles, of any of these kinds."""
    kind = int(rng.choice(5, p=[0.3, 0.2, 0.3, 0.12, 0.08]))
    if kind == 0:
        return Scene(draw_bookshelf(rng, height, width), ())
    if kind == 1:
        return Scene(draw_panel_wall(rng, height, width), ())
    if kind == 2:
        return Scene(draw_empty_table(rng, height, width, ground), ())
    if kind == 3:
        return Scene(draw_keyboards(rng, height, width, ground), ())
    return Scene(draw_dim_room(rng, height, width), ())
