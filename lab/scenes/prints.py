"""Print and handwriting on and around a table that is no tile: wind discs and plates, centres with numbers or
signs, names on rails, score sheets, calendars, notes. With tiles or without any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from companion.images import Image
from lab.art.glyphs import Writing, make_glyph
from lab.scenes import layouts
from lab.scenes.closeups import draw_close_view, make_code_source
from lab.scenes.club import Ground, lies_apart, make_room_light
from lab.scenes.draw import Scene, draw_scene
from lab.scenes.geometry import Camera
from lab.scenes.surfaces import draw_felt, make_surface
from lab.scenes.things import (
    Colour,
    Rng,
    Thing,
    card,
    choose_colour,
    choose_dark_colour,
    choose_pale_colour,
    make_blank_sheet,
    make_flat_thing,
    move_thing,
    print_lines,
    set_down,
)
from lab.scenes.tileset import TileBodies

WINDS = "東南西北"
SIGNS = "東南西北一二三四五六七八九中發春夏秋冬梅蘭菊竹萬"
LETTERS = "ABCDEFGHJKLMNPRSTW"
Print = Callable[[Rng], list[Thing]]


def write_sign(
    rng: Rng, sheet: Image, text: str, middle: tuple[float, float], high: float, ink: Colour
) -> None:
    """One or more characters side by side on a BGRA sheet, about a middle, `high` px high."""
    writing = (Writing.KAI, Writing.SONG, Writing.SANS, Writing.LATIN)[int(rng.integers(4))]
    choice = int(rng.integers(8))
    x = middle[0] - (len(text) - 1) * high * 0.55
    for character in text:
        glyph = make_glyph(character, writing, choice)
        share = high / glyph.shape[0]
        wide = max(1, min(round(high * 1.2), round(glyph.shape[1] * share)))
        mask = cv2.resize(glyph, (wide, max(1, round(high))), interpolation=cv2.INTER_AREA)
        left, top = round(x - wide / 2), round(middle[1] - high / 2)
        x += high * 1.1
        target = sheet[max(0, top) : top + mask.shape[0], max(0, left) : left + wide, :3]
        shown = mask[max(0, -top) :, max(0, -left) :][: target.shape[0], : target.shape[1], None] / 255.0
        target[:] = (target * (1 - shown) + np.array(ink) * shown).astype(np.uint8)


def _choose_inks(rng: Rng) -> tuple[Colour, Colour]:
    """A ground and an ink on it: dark on pale, pale on dark, or any on a colour."""
    if rng.random() < 0.6:
        return choose_pale_colour(rng), choose_dark_colour(rng) if rng.random() < 0.6 else choose_colour(
            rng, 0, 190
        )
    return choose_colour(rng, 0, 150), choose_pale_colour(rng)


def make_wind_plates(rng: Rng) -> list[Thing]:
    """One to four discs or plates that show the round's wind or a seat's, of a tile's size or larger."""
    ground, ink = _choose_inks(rng)
    size = float(rng.uniform(22, 60))
    round_ = rng.random() < 0.6
    made = []
    for at in range(int(rng.integers(1, 5))):
        sheet = make_blank_sheet(size, size * (1.0 if round_ else float(rng.uniform(0.9, 1.4))), ground)
        rows, columns = sheet.shape[:2]
        if round_:
            sheet[:, :, 3] = 0
            cv2.circle(sheet, (columns // 2, rows // 2), min(rows, columns) // 2 - 1, (*ground, 255), -1)
            if rng.random() < 0.6:
                cv2.circle(
                    sheet, (columns // 2, rows // 2), round(columns * 0.43), (*ink, 255), 2, cv2.LINE_AA
                )
        elif rng.random() < 0.5:
            cv2.rectangle(sheet, (4, 4), (columns - 5, rows - 5), (*ink, 255), 2)
        text = WINDS[int(rng.integers(4))] if rng.random() < 0.7 else "ESWN"[int(rng.integers(4))]
        write_sign(rng, sheet, text, (columns / 2, rows / 2), rows * float(rng.uniform(0.4, 0.62)), ink)
        thing = make_flat_thing(sheet, size, size * rows / columns)
        made.append(
            move_thing(thing, at * size * float(rng.uniform(1.1, 3)), float(rng.normal(0, size)), 0.0)
        )
    return made


def make_centre(rng: Rng) -> list[Thing]:
    """A table's printed centre: rings, a sign, numbers or winds at its four sides."""
    size = float(rng.uniform(90, 260))
    ground, ink = _choose_inks(rng)
    sheet = make_blank_sheet(size, size, ground, float(rng.choice([0.0, size * 0.12])))
    rows = sheet.shape[0]
    middle = (rows / 2, rows / 2)
    for _ in range(int(rng.integers(0, 4))):
        cv2.circle(
            sheet, (rows // 2, rows // 2), int(rows * rng.uniform(0.15, 0.48)), (*ink, 255), 2, cv2.LINE_AA
        )
    if rng.random() < 0.7:
        count = int(rng.integers(1, 3))
        text = "".join(rng.choice(list(SIGNS if rng.random() < 0.6 else LETTERS), count))
        write_sign(rng, sheet, text, middle, rows * float(rng.uniform(0.14, 0.35)), ink)
    marks = WINDS if rng.random() < 0.6 else [str(number) for number in rng.integers(0, 10, 4)]
    for at, mark in enumerate(marks):
        write_sign(rng, sheet, mark, (rows / 2, rows * 0.88), rows * float(rng.uniform(0.08, 0.16)), ink)
        sheet = np.asarray(cv2.rotate(sheet, cv2.ROTATE_90_COUNTERCLOCKWISE), np.uint8)
        if rng.random() < 0.15 and at:
            break
    return [make_flat_thing(sheet, size, size)]


def make_rail(rng: Rng) -> list[Thing]:
    """A strip of a table's rim with a maker's name, numbers or ornaments on it, some in frames."""
    length, wide = float(rng.uniform(160, 420)), float(rng.uniform(24, 60))
    ground = choose_colour(rng, 0, 110) if rng.random() < 0.6 else choose_pale_colour(rng)
    ink = choose_pale_colour(rng) if sum(ground) < 330 else choose_dark_colour(rng)
    sheet = make_blank_sheet(length, wide, ground)
    rows, columns = sheet.shape[:2]
    x = rows * float(rng.uniform(0.5, 1.5))
    while x < columns - rows:
        kind = int(rng.integers(4))
        if kind == 0:
            text = "".join(rng.choice(list(LETTERS), int(rng.integers(2, 9))))
        elif kind == 1:
            text = "".join(rng.choice(list(SIGNS), int(rng.integers(1, 4))))
        else:
            text = str(int(rng.integers(1, 137)))
        high = rows * float(rng.uniform(0.3, 0.65))
        x += high * 0.55 * len(text)
        if rng.random() < 0.35:
            half = int(high * 0.62 * len(text)), int(high * 0.72)
            low = int(x) - half[0], rows // 2 - half[1]
            far = int(x) + half[0], rows // 2 + half[1]
            if rng.random() < 0.5:
                cv2.rectangle(sheet, low, far, (*choose_pale_colour(rng), 255), -1)
                write_sign(rng, sheet, text, (x, rows / 2), high, choose_dark_colour(rng))
            else:
                cv2.rectangle(sheet, low, far, (*ink, 255), 2)
                write_sign(rng, sheet, text, (x, rows / 2), high, ink)
        else:
            write_sign(rng, sheet, text, (x, rows / 2), high, ink)
        x += high * (0.55 * len(text) + float(rng.uniform(0.5, 3)))
    return [make_flat_thing(sheet, length, wide)]


def make_score_sheet(rng: Rng) -> list[Thing]:
    """A ruled sheet with names and handwritten numbers, or a calendar with a number in each field."""
    width = float(rng.uniform(90, 230))
    height = width * float(rng.uniform(0.6, 1.5))
    paper = choose_pale_colour(rng)
    sheet = make_blank_sheet(width, height, paper)
    rows, columns = sheet.shape[:2]
    is_calendar = rng.random() < 0.5
    across = 7 if is_calendar else int(rng.integers(4, 7))
    down = 6 if is_calendar else int(rng.integers(5, 14))
    rule, ink = choose_colour(rng, 60, 200), choose_dark_colour(rng)
    top = int(rows * 0.14)
    step = (rows - top) / down, columns / across
    if rng.random() < 0.85:
        for line in range(down + 1):
            y = int(top + line * step[0])
            cv2.line(sheet, (0, y), (columns, y), (*rule, 255), 1 + int(rng.random() < 0.3))
        for line in range(across + 1):
            x = int(line * step[1])
            cv2.line(sheet, (x, top), (x, rows), (*rule, 255), 1 + int(rng.random() < 0.3))
    write_sign(rng, sheet, "".join(rng.choice(list(SIGNS), 3)), (columns / 2, top / 2), top * 0.7, ink)
    number = 0
    for line in range(down):
        for column in range(across):
            middle = ((column + 0.5) * step[1], top + (line + 0.5) * step[0])
            high = min(step) * float(rng.uniform(0.45, 0.7))
            if is_calendar:
                number += 1
                red = (40, 40, 200) if column in (0, 6) else ink
                if number <= 31:
                    write_sign(rng, sheet, str(number), middle, high, red)
            elif rng.random() < 0.7:
                text = str(int(rng.integers(-64, 300)))
                put = (int(middle[0] - step[1] * 0.4), int(middle[1] + high * 0.4))
                cv2.putText(
                    sheet, text, put, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, high / 30, (*ink, 255), 2, cv2.LINE_AA
                )
    return [make_flat_thing(sheet, width, height)]


def make_handwriting(rng: Rng) -> list[Thing]:
    """A note in a hand: characters of running strokes, words or numbers, on paper of any size."""
    width = float(rng.uniform(45, 160))
    height = width * float(rng.uniform(0.5, 1.4))
    sheet = make_blank_sheet(width, height, choose_pale_colour(rng))
    rows, columns = sheet.shape[:2]
    ink = choose_colour(rng, 0, 130)
    high = rows * float(rng.uniform(0.1, 0.4))
    thick = max(1, round(high * 0.06))
    for y in np.arange(high * 0.8, rows - high * 0.3, high * 1.5):
        x = high * 0.5
        while x < columns - high:
            stroke = np.cumsum(rng.normal(0, high * 0.22, (int(rng.integers(5, 14)), 2)), axis=0)
            stroke = np.clip(stroke - stroke.mean(axis=0), -high / 2, high / 2)
            stroke += np.array([x + high / 2, y])
            cv2.polylines(sheet, [stroke.astype(np.int32)], False, (*ink, 255), thick, cv2.LINE_AA)
            x += high * float(rng.uniform(0.8, 1.6))
    return [make_flat_thing(sheet, width, height)]


def make_labels(rng: Rng) -> list[Thing]:
    """Small printed labels, stickers and vouchers in a row, of a tile's proportions or not."""
    wide, high = float(rng.uniform(18, 50)), float(rng.uniform(18, 60))
    made = []
    for at in range(int(rng.integers(1, 8))):
        ground, ink = _choose_inks(rng)
        sheet = make_blank_sheet(wide, high, ground, float(rng.choice([0.0, 3.0])))
        rows, columns = sheet.shape[:2]
        if rng.random() < 0.5:
            write_sign(rng, sheet, str(int(rng.integers(1, 100))), (columns / 2, rows / 2), rows * 0.5, ink)
        else:
            print_lines(
                rng, sheet, (3, 3, columns - 3, rows - 3), max(6, rows // int(rng.integers(2, 7))), ink
            )
        made.append(
            move_thing(make_flat_thing(sheet, wide, high), at * wide * 1.15, 0.0, float(rng.normal(0, 0.03)))
        )
    return made


def make_cards(rng: Rng) -> list[Thing]:
    """Playing cards, fanned or side by side."""
    step = float(rng.uniform(12, 70))
    count = int(rng.integers(1, 10))
    return [
        move_thing(card(rng), at * step, float(rng.normal(0, 2)), float(rng.normal(0, 0.1)))
        for at in range(count)
    ]


PRINTS: Mapping[str, Print] = {
    "wind-plates": make_wind_plates,
    "centres": make_centre,
    "rails": make_rail,
    "score-sheets": make_score_sheet,
    "handwriting": make_handwriting,
    "labels": make_labels,
    "cards": make_cards,
}


def draw_prints(
    rng: Rng, bodies: TileBodies, *, width: int = 1280, height: int = 960, ground: Ground = make_surface,
    kind: str | None = None, tiles: bool = True,
) -> Scene:  # fmt: skip
    """Prints of one kind of `PRINTS`, by default of several, round a few rows of tiles, or with no tile at
    all."""
    kinds = [kind] * 2 if kind else list(rng.choice(list(PRINTS), int(rng.integers(2, 5))))
    placed = _lay_rows(rng, bodies) if tiles else []
    reach = 180.0
    things: list[Thing] = []
    for name in kinds:
        x, y = (float(value) for value in rng.uniform(-reach, reach, 2))
        group = set_down(PRINTS[name](rng), x, y, float(rng.uniform(0, 2 * np.pi)))
        things += [thing for thing in group if lies_apart(thing, placed)]
    tile_px = float(np.exp(rng.uniform(np.log(22), np.log(80))))
    elevation = float(rng.uniform(0.5, 1.55))
    if placed:
        return draw_close_view(rng, placed, bodies, tile_px, elevation, width, height, ground, things=things)
    focal = float(rng.uniform(0.8, 1.6)) * max(width, height)
    camera = Camera.looking_at(
        np.zeros(3), focal * 25.0 / tile_px, elevation, float(rng.uniform(0, 6.3)), float(rng.normal(0, 0.1)),
        focal, width, height,
    )  # fmt: skip
    top = draw_felt(rng, height, width) if rng.random() < 0.5 else ground(rng, height, width)
    return draw_scene(top, camera, [], bodies, make_room_light(rng), things)


def _lay_rows(rng: Rng, bodies: TileBodies) -> layouts.Layout:
    codes = make_code_source(rng, bodies)
    placed: layouts.Layout = []
    for line in range(int(rng.integers(1, 4))):
        row = layouts.row(rng, bodies.size_mm, codes, int(rng.integers(3, 14)))
        placed += layouts.move_layout(row, float(rng.normal(0, 30)), -line * bodies.size_mm[1] * 1.4, 0.0)
    return placed
