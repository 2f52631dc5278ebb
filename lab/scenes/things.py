"""Things that are not tiles: paper, keyboards, cups, cards, dice, dominoes, hands and arms; `MAKERS` lists
those that may be on a table. All are drawings of this project's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from lab.scenes.geometry import Box, Camera, Floats, project_outline, rotation_x, rotation_z, round_to_pixels
from lab.scenes.layouts import QUARTER
from lab.scenes.tileset import round_mask as rounded_mask

Rng = np.random.Generator
Colour = tuple[int, int, int]

PX_PER_MM = 3.0
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A box in its place, its BGR colour, and BGRA pictures by the name of the side they are on.

    flat: so thin that it is painted on the table and everything else lies on it. round_mm: radius of its
    edges."""

    box: Box
    colour: Colour
    sides: Mapping[str, Image] = field(default_factory=dict)
    flat: bool = False
    round_mm: float = 0.0


def choose_colour(rng: Rng, low: int = 0, high: int = 256) -> Colour:
    """A BGR colour, each channel in low..high."""
    b, g, r = (int(c) for c in rng.integers(low, high, 3))
    return b, g, r


def choose_pale_colour(rng: Rng) -> Colour:
    """White, cream or a light grey."""
    value = float(rng.uniform(170, 254))
    b, g, r = (int(np.clip(value + d, 0, 255)) for d in (rng.uniform(-45, 5), rng.uniform(-12, 3), 0))
    return b, g, r


def choose_dark_colour(rng: Rng) -> Colour:
    """An ink."""
    return choose_colour(rng, 0, 70)


def make_blank_sheet(width_mm: float, height_mm: float, colour: Colour, corner_mm: float = 0.0) -> Image:
    """A blank BGRA picture of this size with round corners."""
    width, height = max(8, round(width_mm * PX_PER_MM)), max(8, round(height_mm * PX_PER_MM))
    sheet = np.empty((height, width, 4), np.uint8)
    sheet[:, :, :3] = colour
    sheet[:, :, 3] = 255
    if corner_mm > 0:
        sheet[:, :, 3] = (rounded_mask(width, height, corner_mm * PX_PER_MM) * 255).astype(np.uint8)
    return sheet


def write_text(sheet: Image, text: str, x: float, y: float, height: float, colour: Colour, font: int) -> None:
    """Text with its left bottom at shares (x, y) of the sheet, `height` as a share of the sheet's height."""
    rows, columns = sheet.shape[:2]
    scale = max(0.2, height * rows / 22)
    at = (int(x * columns), int(y * rows))
    cv2.putText(sheet, text, at, font, scale, (*colour, 255), max(1, round(scale * 1.8)), cv2.LINE_AA)


def draw_strokes(rng: Rng, sheet: Image, x: int, y: int, size: int, colour: Colour) -> None:
    """Something like a character of print: strokes in a square, left top (x, y), `size` px."""
    width = max(1, round(size * rng.uniform(0.05, 0.13)))
    for _ in range(int(rng.integers(3, 9))):
        a = rng.uniform(0.05, 0.95, 2)
        reach = rng.uniform(0.3, 0.9)
        b = (
            a
            + [(reach, 0), (0, reach), (reach * 0.6, reach * 0.6), (-reach * 0.6, reach * 0.6)][
                rng.integers(4)
            ]
        )
        p, q = (np.array([x, y]) + np.clip(end, 0, 1) * size for end in (a, b))
        cv2.line(sheet, p.astype(int).tolist(), q.astype(int).tolist(), (*colour, 255), width, cv2.LINE_AA)


def print_lines(rng: Rng, sheet: Image, box: tuple[int, int, int, int], size: int, colour: Colour) -> None:
    """Lines of print in a box (x0, y0, x1, y1) px of the sheet."""
    x0, y0, x1, y1 = box
    drawn, font = rng.random() < 0.5, int(rng.integers(0, 4))
    for y in range(y0, y1 - size, max(4, int(size * rng.uniform(1.3, 2.0)))):
        end = x0 + int((x1 - x0) * rng.choice([1.0, 1.0, rng.uniform(0.2, 1.0)]))
        if drawn:
            for x in range(x0, end - size, int(size * 1.15) + 1):
                draw_strokes(rng, sheet, x, y, size, colour)
        else:
            count = int((end - x0) / (size * 0.75))
            text = "".join(rng.choice(list(LETTERS.lower() + "     0123456789"), max(1, count)))
            cv2.putText(
                sheet, text, (x0, y + size), font, size / 24, (*colour, 255), max(1, size // 16), cv2.LINE_AA
            )


def make_flat_thing(sheet: Image, width: float, height: float) -> Thing:
    """A thing as thin as a card, of this size in mm, with a picture on it."""
    box = Box.resting(np.array([width, height, 0.4]), rotation_z(0.0), 0.0, 0.0)
    return Thing(box, (200, 200, 200), {"face": sheet}, flat=True)


def keyboard(rng: Rng) -> Thing:
    """A keyboard, calculator or remote control: keys in rows, or a part of it."""
    columns, lines = (int(rng.integers(8, 16)), int(rng.integers(4, 7))) if rng.random() < 0.6 else (
        int(rng.integers(3, 6)), int(rng.integers(4, 10))
    )  # fmt: skip
    pitch = float(rng.choice([rng.uniform(8, 14), rng.uniform(16, 26)]))
    body, key = (
        (choose_dark_colour(rng), choose_colour(rng, 10, 90))
        if rng.random() < 0.5
        else (choose_colour(rng), choose_pale_colour(rng))
    )
    legend = choose_pale_colour(rng) if sum(key) < 300 else choose_dark_colour(rng)
    sheet = make_blank_sheet(columns * pitch + 6, lines * pitch + 6, body, 4.0)
    gap = rng.uniform(0.05, 0.3) * pitch
    px = PX_PER_MM
    for line in range(lines):
        column = 0.0
        while column < columns - 0.5:
            wide = float(rng.choice([1, 1, 1, 1, 1, 1.5, 2])) if columns > 6 else 1.0
            wide = min(wide, columns - column)
            x0, y0 = int((3 + column * pitch + gap / 2) * px), int((3 + line * pitch + gap / 2) * px)
            w, h = int((wide * pitch - gap) * px), int((pitch - gap) * px)
            shade = tuple(int(np.clip(c * rng.uniform(0.93, 1.05), 0, 255)) for c in key)
            cv2.rectangle(sheet, (x0, y0), (x0 + w, y0 + h), (*shade, 255), -1)
            cv2.rectangle(sheet, (x0, y0), (x0 + w, y0 + h), (*body, 255), 1, cv2.LINE_AA)
            text = str(rng.choice(list(LETTERS + "0123456789+-=")))
            at = (x0 + int(w * 0.2), y0 + int(h * rng.uniform(0.5, 0.8)))
            cv2.putText(sheet, text, at, 0, h / 60, (*legend, 255), max(1, h // 26), cv2.LINE_AA)
            column += wide
    return make_flat_thing(sheet, columns * pitch + 6, lines * pitch + 6)


def telephone(rng: Rng) -> Thing:
    """A telephone or tablet: icons, messages or lines of text on its screen."""
    width = float(rng.choice([rng.uniform(62, 80), rng.uniform(110, 180)]))
    height = width * rng.uniform(1.4, 2.1)
    sheet = make_blank_sheet(width, height, choose_dark_colour(rng), 8.0)
    rows, columns = sheet.shape[:2]
    x0, y0, x1, y1 = columns // 18, rows // 14, columns - columns // 18, rows - rows // 14
    screen = choose_pale_colour(rng) if rng.random() < 0.6 else choose_colour(rng, 0, 120)
    cv2.rectangle(sheet, (x0, y0), (x1, y1), (*screen, 255), -1)
    ink = choose_dark_colour(rng) if sum(screen) > 350 else choose_pale_colour(rng)
    kind = rng.integers(3)
    if kind == 0:
        across = int(rng.integers(3, 6))
        step = (x1 - x0) // across
        for y in range(y0 + step // 4, y1 - step, int(step * rng.uniform(1.1, 1.4))):
            for k in range(across):
                if rng.random() < 0.85:
                    x = x0 + k * step + step // 6
                    side = step * 2 // 3
                    icon = choose_colour(rng, 40)
                    cv2.rectangle(sheet, (x, y), (x + side, y + side), (*icon, 255), -1)
                    if rng.random() < 0.5:
                        middle = (x + side // 2, y + side // 2)
                        cv2.circle(sheet, middle, side // 3, (*choose_colour(rng), 255), -1, cv2.LINE_AA)
                    else:
                        draw_strokes(
                            rng, sheet, x + side // 6, y + side // 6, side * 2 // 3, choose_pale_colour(rng)
                        )
    elif kind == 1:
        y = y0 + 8
        while y < y1 - 30:
            tall = int(rng.integers(14, 60))
            left = x0 + 6 if rng.random() < 0.5 else x0 + (x1 - x0) // 3
            right = left + (x1 - x0) * 3 // 5
            cv2.rectangle(sheet, (left, y), (right, min(y1, y + tall)), (*choose_pale_colour(rng), 255), -1)
            print_lines(
                rng,
                sheet,
                (left + 5, y + 3, right - 5, min(y1, y + tall)),
                int(rng.integers(7, 13)),
                choose_dark_colour(rng),
            )
            y += tall + 10
    else:
        print_lines(rng, sheet, (x0 + 5, y0 + 5, x1 - 5, y1), int(rng.integers(6, 16)), ink)
    return make_flat_thing(sheet, width, height)


def page(rng: Rng) -> Thing:
    """Paper: text, a table of numbers, a calendar, a note, a receipt, a book's cover."""
    width = float(np.exp(rng.uniform(np.log(35), np.log(220))))
    height = width * rng.uniform(0.6, 1.6)
    paper = choose_pale_colour(rng) if rng.random() < 0.75 else choose_colour(rng)
    sheet = make_blank_sheet(width, height, paper)
    rows, columns = sheet.shape[:2]
    ink = choose_dark_colour(rng) if sum(paper) > 300 else choose_pale_colour(rng)
    kind = rng.integers(4)
    if kind == 0:
        across, down = int(rng.integers(3, 12)), int(rng.integers(3, 12))
        for k in range(across + 1):
            x = round((columns - 1) * k / across)
            cv2.line(sheet, (x, 0), (x, rows), (*ink, 255), 1)
        for k in range(down + 1):
            y = round((rows - 1) * k / down)
            cv2.line(sheet, (0, y), (columns, y), (*ink, 255), 1)
        for i in range(across):
            for j in range(down):
                if rng.random() < 0.6:
                    cell = min(columns / across, rows / down)
                    at = (int((i + 0.25) * columns / across), int((j + 0.75) * rows / down))
                    cv2.putText(
                        sheet, str(rng.integers(1, 32)), at, 0, cell / 60, (*ink, 255), 1, cv2.LINE_AA
                    )
    elif kind == 1:
        for _ in range(int(rng.integers(1, 4))):
            corners = rng.uniform([0, 0], [columns, rows], (4, 2)).astype(np.int32)
            cv2.fillConvexPoly(sheet, cv2.convexHull(corners), (*choose_colour(rng), 255), cv2.LINE_AA)
        print_lines(rng, sheet, (8, rows // 3, columns - 8, rows * 2 // 3), max(8, rows // 9), ink)
    else:
        size = int(rng.integers(6, max(8, min(40, rows // 5))))
        print_lines(rng, sheet, (8, 8, columns - 8, rows - 8), size, ink)
    return make_flat_thing(sheet, width, height)


def block(rng: Rng) -> Thing:
    """A plain or banded box of a tile's size or larger: eraser, sugar, matches, a rack, a packet."""
    size = np.array([26.0, 36.0, 20.0]) * np.exp(rng.uniform(-0.8, 0.9, 3))
    if rng.random() < 0.2:
        size = np.array([rng.uniform(150, 420), rng.uniform(12, 40), rng.uniform(8, 30)])
    ground = choose_pale_colour(rng) if rng.random() < 0.6 else choose_colour(rng)
    sides: dict[str, Image] = {}
    if rng.random() < 0.6:
        for name in ("face", "back"):
            sheet = make_blank_sheet(size[0], size[1], ground)
            rows, columns = sheet.shape[:2]
            if rng.random() < 0.5:
                sheet[: int(rows * rng.uniform(0.3, 0.7)), :, :3] = choose_colour(rng)
            if rng.random() < 0.5:
                print_lines(
                    rng,
                    sheet,
                    (2, 2, columns - 2, rows - 2),
                    max(6, int(rows * rng.uniform(0.1, 0.4))),
                    choose_dark_colour(rng),
                )
            sides[name] = sheet
    return Thing(Box.resting(size, rotation_z(0.0), 0.0, 0.0), ground, sides)


def hand(rng: Rng) -> Image:
    """A hand with its forearm reaching in from the lower edge, BGRA 320 × 200."""
    tone = float(rng.uniform(0.35, 1.0))
    skin = np.array([130, 165, 215]) * tone + rng.uniform(-12, 12, 3)
    picture = np.zeros((320, 200, 4), np.uint8)
    middle = np.array([100.0, 150.0])
    light = float(rng.uniform(0.85, 1.1))

    def ink(factor: float) -> tuple[float, ...]:
        return (*(float(c) for c in np.clip(skin * factor * light, 0, 255)), 255.0)

    sleeve = (*choose_colour(rng), 255)
    wrist = (middle + np.array([rng.uniform(-10, 10), 60.0])).astype(int)
    cv2.line(picture, wrist.tolist(), (int(rng.uniform(60, 140)), 330), ink(0.95), 58, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.line(picture, (int(wrist[0]), 270), (100, 340), sleeve, 84, cv2.LINE_AA)
    cv2.ellipse(picture, middle.astype(int).tolist(), (40, 52), 0, 0, 360, ink(1.0), -1, cv2.LINE_AA)
    for k in range(5):
        angle = np.radians(-90 + (k - 2) * rng.uniform(13, 20) + rng.normal(0, 4))
        root = middle + np.array([(k - 2) * 16.0, -25.0 + abs(k - 2) * 9.0])
        bend, long = angle + rng.normal(0, 0.3), rng.uniform(24, 42) * (0.8 if k in (0, 4) else 1.0)
        joint = root + long * np.array([np.cos(angle), np.sin(angle)])
        tip = joint + long * 0.8 * np.array([np.cos(bend), np.sin(bend)])
        path = np.array([root, joint, tip]).astype(np.int32)
        cv2.polylines(picture, [path], False, ink(0.8), 21, cv2.LINE_AA)
        cv2.polylines(picture, [path], False, ink(rng.uniform(0.95, 1.06)), 17, cv2.LINE_AA)
        cv2.circle(picture, path[2].tolist(), 5, ink(1.12), -1, cv2.LINE_AA)
    shade = cv2.resize(
        rng.normal(1, 0.06, (8, 5)).astype(np.float32), (200, 320), interpolation=cv2.INTER_CUBIC
    )
    picture[:, :, :3] = np.clip(picture[:, :, :3] * shade[:, :, None], 0, 255).astype(np.uint8)
    return picture


PIPS: Mapping[int, tuple[tuple[float, float], ...]] = {
    0: (),
    1: ((0.5, 0.5),),
    2: ((0.28, 0.28), (0.72, 0.72)),
    3: ((0.26, 0.26), (0.5, 0.5), (0.74, 0.74)),
    4: ((0.28, 0.28), (0.72, 0.28), (0.28, 0.72), (0.72, 0.72)),
    5: ((0.27, 0.27), (0.73, 0.27), (0.5, 0.5), (0.27, 0.73), (0.73, 0.73)),
    6: ((0.28, 0.25), (0.28, 0.5), (0.28, 0.75), (0.72, 0.25), (0.72, 0.5), (0.72, 0.75)),
}


def _suit(sheet: Image, suit: int, x: float, y: float, size: float, colour: Colour, down: bool) -> None:
    """A pip of playing cards: heart, diamond, spade or club, `size` px high, upside down or not."""
    ink = (*colour, 255)
    sign = -1.0 if down else 1.0

    def at(u: float, v: float) -> list[int]:
        return [round(x + u * size), round(y + sign * v * size)]

    if suit == 1:
        cv2.fillConvexPoly(
            sheet, np.array([at(0, -0.5), at(0.38, 0), at(0, 0.5), at(-0.38, 0)]), ink, cv2.LINE_AA
        )
        return
    top = -1.0 if suit == 0 else 1.0  # a spade is a heart upside down with a foot
    r = max(1, round(size * 0.24))
    if suit == 3:
        for u, v in ((0.0, -0.26), (-0.25, 0.08), (0.25, 0.08)):
            cv2.circle(sheet, at(u, v), r, ink, -1, cv2.LINE_AA)
    else:
        for u in (-0.21, 0.21):
            cv2.circle(sheet, at(u, 0.16 * top), r, ink, -1, cv2.LINE_AA)
        wedge = [at(-0.42, 0.22 * top), at(0.42, 0.22 * top), at(0, -0.5 * top)]
        cv2.fillConvexPoly(sheet, np.array(wedge), ink, cv2.LINE_AA)
    if suit >= 2:
        cv2.fillConvexPoly(sheet, np.array([at(0, 0), at(0.16, 0.5), at(-0.16, 0.5)]), ink, cv2.LINE_AA)


def card(rng: Rng) -> Thing:
    """A playing card, face or back, of the usual or of a small size."""
    size = rng.choice([1.0, 1.0, rng.uniform(0.4, 0.9)])
    width, height = 63.0 * size, 88.0 * size * rng.choice([1.0, rng.uniform(0.85, 1.15)])
    sheet = make_blank_sheet(width, height, choose_pale_colour(rng), 3.5 * size)
    rows, columns = sheet.shape[:2]
    suit = int(rng.integers(4))
    ink = (30, 20, int(rng.integers(150, 230))) if suit < 2 else choose_dark_colour(rng)
    kind = rng.integers(8)
    if kind == 0:  # back
        inner = sheet[rows // 14 : -(rows // 14), columns // 12 : -(columns // 12)]
        inner[:, :, :3] = choose_colour(rng)
        step, colour = int(rng.integers(5, 16)), (*choose_colour(rng, 120), 255)
        for at in range(-rows, columns + rows, step):
            cv2.line(inner, (at, 0), (at + rows, rows), colour, 1, cv2.LINE_AA)
            cv2.line(inner, (at, 0), (at - rows, rows), colour, 1, cv2.LINE_AA)
    else:
        rank = int(rng.integers(1, 14))
        name = {1: "A", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank))
        font = int(rng.integers(0, 5))
        for _ in range(2):
            write_text(sheet, name, 0.05, 0.17, 0.13, ink, font)
            _suit(sheet, suit, columns * 0.11, rows * 0.24, rows * 0.09, ink, False)
            sheet = np.ascontiguousarray(sheet[::-1, ::-1])
        if rank > 10:
            x0, y0, x1, y1 = columns * 2 // 10, rows // 8, columns * 8 // 10, rows * 7 // 8
            cv2.rectangle(sheet, (x0, y0), (x1, y1), (*choose_dark_colour(rng), 255), 2)
            for _ in range(int(rng.integers(6, 16))):
                points = rng.uniform([x0, y0], [x1, y1], (int(rng.integers(3, 6)), 2)).astype(np.int32)
                cv2.fillConvexPoly(sheet, cv2.convexHull(points), (*choose_colour(rng), 255), cv2.LINE_AA)
        elif rank == 1:
            _suit(sheet, suit, columns / 2, rows / 2, rows * rng.uniform(0.15, 0.4), ink, False)
        else:
            pairs = rank // 2
            for k in range(pairs):
                y = rows * (0.2 + 0.6 * (k / max(1, pairs - 1) if pairs > 1 else 0.0))
                for x in (0.32, 0.68) if rank > 3 else (0.5,):
                    _suit(sheet, suit, columns * x, y, rows * 0.15, ink, y > rows / 2)
            if rank % 2 or rank <= 3:
                _suit(sheet, suit, columns / 2, rows / 2, rows * 0.15, ink, False)
    return make_flat_thing(sheet, width, height)


def _make_pipped(rng: Rng, edge_mm: float, number: int, ground: Colour, ink: Colour, corner: float) -> Image:
    sheet = make_blank_sheet(edge_mm, edge_mm, ground, corner)
    side = sheet.shape[0]
    radius = side * rng.uniform(0.07, 0.12) * (1.6 if number == 1 and rng.random() < 0.5 else 1.0)
    for u, v in PIPS[number]:
        cv2.circle(sheet, (int(u * side), int(v * side)), max(1, int(radius)), (*ink, 255), -1, cv2.LINE_AA)
    return sheet


def die(rng: Rng) -> Thing:
    """A die of 9 to 26 mm, white with red ones or in any two colours."""
    edge = float(rng.choice([rng.uniform(9, 17), rng.uniform(16, 26)]))
    ground, ink = (
        (choose_pale_colour(rng), choose_dark_colour(rng))
        if rng.random() < 0.65
        else (choose_colour(rng), choose_pale_colour(rng))
    )
    numbers = [int(number) for number in rng.permutation(np.arange(1, 7))]
    return _make_die(rng, edge, ground, ink, numbers, red=bool(rng.random() < 0.6))


def _make_die(rng: Rng, edge: float, ground: Colour, ink: Colour, numbers: Sequence[int], red: bool) -> Thing:
    """numbers: on its upper side, on its lower side, on the others; red: whether 1 and 4 are."""
    sides = {}
    for name, number in zip(("face", "back", "top", "bottom", "left", "right"), numbers, strict=True):
        colour = (30, 20, 200) if red and number in (1, 4) else ink
        sides[name] = _make_pipped(rng, edge, number, ground, colour, edge * rng.uniform(0.05, 0.3))
    box = Box.resting(np.array([edge, edge, edge]), rotation_z(0.0), 0.0, 0.0)
    return Thing(box, ground, sides)


def domino(rng: Rng) -> Thing:
    """A domino lying or standing on its edge; some have no dots on one half, or none at all."""
    width = float(rng.uniform(16, 28))
    ground, ink = (
        (choose_pale_colour(rng), choose_dark_colour(rng))
        if rng.random() < 0.6
        else (choose_colour(rng, 0, 120), choose_pale_colour(rng))
    )
    halves = [_make_pipped(rng, width, int(rng.integers(0, 7)), ground, ink, 0.0) for _ in range(2)]
    if rng.random() < 0.25:
        halves = [_make_pipped(rng, width, 0, ground, ink, 0.0)] * 2
    sheet = np.concatenate(halves)
    rows, columns = sheet.shape[:2]
    line = (columns // 8, rows // 2), (columns * 7 // 8, rows // 2)
    if rng.random() < 0.9:
        cv2.line(sheet, *line, (*ink, 255), max(1, columns // 20), cv2.LINE_AA)
    sheet[:, :, 3] = (rounded_mask(columns, rows, columns * 0.1) * 255).astype(np.uint8)
    upright = rotation_x(np.pi / 2) if rng.random() < 0.2 else rotation_z(0.0)
    box = Box.resting(np.array([width, 2 * width, width * rng.uniform(0.25, 0.5)]), upright, 0.0, 0.0)
    return Thing(box, ground, {"face": sheet})


def letter_tile(rng: Rng) -> Thing:
    """A letter of a word game, or a number of a numbers game, lying or standing in its rack."""
    edge = float(rng.uniform(16, 28))
    tall = float(rng.choice([1.08, rng.uniform(1.2, 1.5)]))
    ground = (int(rng.integers(110, 210)), int(rng.integers(170, 230)), int(rng.integers(200, 250)))
    ground = ground if rng.random() < 0.7 else choose_pale_colour(rng)
    sheet = make_blank_sheet(edge, edge * tall, ground, edge * rng.uniform(0.02, 0.15))
    ink = choose_dark_colour(rng) if rng.random() < 0.6 else choose_colour(rng)
    text = str(rng.integers(1, 14)) if rng.random() < 0.4 else str(rng.choice(list(LETTERS)))
    font = int(rng.choice([0, 1, 2, 3, 4]))
    write_text(sheet, text, 0.2 if len(text) == 1 else 0.06, 0.72, 0.52, ink, font)
    if rng.random() < 0.6:
        write_text(sheet, str(rng.integers(1, 11)), 0.7, 0.93, 0.16, ink, font)
    if rng.random() < 0.25:
        centre = (sheet.shape[1] // 2, int(sheet.shape[0] * 0.82))
        cv2.circle(sheet, centre, sheet.shape[1] // 9, (*ink, 255), 2, cv2.LINE_AA)
    upright = rotation_x(np.pi / 2 - 0.4) if rng.random() < 0.2 else rotation_z(0.0)
    box = Box.resting(np.array([edge, edge * tall, edge * rng.uniform(0.15, 0.4)]), upright, 0.0, 0.0)
    return Thing(box, ground, {"face": sheet})


def chip(rng: Rng) -> Thing:
    """A round chip, coin, bottle cap or counter."""
    size = float(rng.uniform(14, 44))
    sheet = make_blank_sheet(size, size, (0, 0, 0))
    sheet[:, :, 3] = 0
    side = sheet.shape[0]
    middle, radius = (side // 2, side // 2), side // 2 - 1
    rim, inside = choose_colour(rng), choose_colour(rng, 60)
    cv2.circle(sheet, middle, radius, (*rim, 255), -1, cv2.LINE_AA)
    spots = int(rng.integers(0, 9))
    for k in range(spots):
        start = 360 * k / spots
        cv2.ellipse(
            sheet,
            middle,
            (radius, radius),
            start,
            0,
            180 / spots,
            (*choose_pale_colour(rng), 255),
            -1,
            cv2.LINE_AA,
        )
    cv2.circle(sheet, middle, int(radius * rng.uniform(0.5, 0.85)), (*inside, 255), -1, cv2.LINE_AA)
    for share in rng.uniform(0.15, 0.8, int(rng.integers(0, 4))):
        cv2.circle(
            sheet, middle, int(radius * share), (*choose_colour(rng), 255), max(1, side // 40), cv2.LINE_AA
        )
    if rng.random() < 0.6:
        write_text(sheet, str(rng.choice([1, 2, 5, 10, 25, 50, 100])), 0.28, 0.6, 0.25, choose_colour(rng), 0)
    return make_flat_thing(sheet, size, size)


SIDES = 24


@dataclass(frozen=True, slots=True)
class Vessel:
    """Where it stands, the radii of its foot and mouth, its height, all mm; its colour, that of a band round
    it, and what is in it."""

    x_mm: float
    y_mm: float
    foot_mm: float
    mouth_mm: float
    high_mm: float
    colour: Colour
    band: Colour
    drink: Colour


def place_random_vessels(rng: Rng, half_mm: float) -> tuple[Vessel, ...]:
    """Those of up to three players, beside the corners of a table with this half side."""
    vessels = []
    for _ in range(int(rng.choice(4, p=[0.55, 0.25, 0.13, 0.07]))):
        side = rotation_z(float(rng.integers(4)) * QUARTER)
        along = float(rng.choice([-1, 1])) * rng.uniform(0.65, 1.05) * half_mm
        x, y, _ = side @ np.array([along, -half_mm * rng.uniform(0.98, 1.12), 0.0])
        mouth = float(rng.uniform(22, 45))
        foot, high = mouth * float(rng.uniform(0.7, 1.0)), float(rng.uniform(60, 190))
        colour = choose_pale_colour(rng) if rng.random() < 0.5 else choose_colour(rng)
        kinds = (colour, choose_colour(rng), choose_dark_colour(rng))
        vessels.append(Vessel(float(x), float(y), foot, mouth, high, *kinds))
    return tuple(vessels)


def draw_vessel(vessel: Vessel, camera: Camera) -> tuple[Image, Floats] | None:
    """Draw a vessel: a BGRA picture and its quad in px, or None where the camera is in or before it."""
    turns = np.arange(SIDES) * 2 * np.pi / SIDES
    ring = np.column_stack([np.cos(turns), np.sin(turns)])
    heights = (0.0, 0.35, 0.75, 1.0)
    levels = []
    for share in heights:
        radius = vessel.foot_mm + (vessel.mouth_mm - vessel.foot_mm) * share
        around = ring * radius + [vessel.x_mm, vessel.y_mm]
        levels.append(camera.project(np.column_stack([around, np.full(SIDES, share * vessel.high_mm)])))
    seen = np.stack(levels)
    if (
        not np.all(np.isfinite(seen))
        or np.ptp(seen.reshape(-1, 2), axis=0).max() > 4 * camera.centre_px.max()
    ):
        return None
    low = np.floor(seen.min(axis=(0, 1))) - 2
    wide, high = (np.ceil(seen.max(axis=(0, 1))) + 2 - low).astype(int)
    picture = np.zeros((int(high), int(wide), 4), np.uint8)
    seen = seen - low
    outward = (camera.position_mm[:2] - [vessel.x_mm, vessel.y_mm]) @ ring.T
    for index in np.argsort(outward):  # the sides turned away first
        after = (index + 1) % SIDES
        bright = 0.72 + 0.33 * float(np.cos(turns[index] - 2.2)) ** 2
        for level in range(3):
            colour = vessel.band if level == 1 else vessel.colour
            quad = seen[[level, level, level + 1, level + 1], [index, after, after, index]]
            shade = tuple(min(255.0, c * bright) for c in colour)
            cv2.fillConvexPoly(picture, round_to_pixels(quad), (*shade, 255.0), cv2.LINE_AA)
    cv2.fillConvexPoly(
        picture, round_to_pixels(seen[3]), (*(float(c) for c in vessel.colour), 255.0), cv2.LINE_AA
    )
    inner = seen[3].mean(axis=0) + (seen[3] - seen[3].mean(axis=0)) * 0.85
    cv2.fillConvexPoly(
        picture, round_to_pixels(inner), (*(float(c) for c in vessel.drink), 255.0), cv2.LINE_AA
    )
    x1, y1 = low[0] + wide, low[1] + high
    return picture, np.array([[low[0], low[1]], [x1, low[1]], [x1, y1], [low[0], y1]])


Maker = Callable[[Rng], Thing]
MAKERS: tuple[tuple[Maker, float], ...] = (
    (card, 2.0), (die, 2.0), (domino, 1.5), (letter_tile, 1.5), (chip, 1.5),
    (keyboard, 0.8), (telephone, 0.6), (page, 1.4), (block, 1.6),
)  # fmt: skip

SMALL = frozenset({card, die, domino, letter_tile, chip, block})  # what lies about in numbers


def choose_maker(rng: Rng) -> Maker:
    """One of the kinds of things."""
    shares = np.array([share for _, share in MAKERS])
    return MAKERS[int(rng.choice(len(MAKERS), p=shares / shares.sum()))][0]


def move_thing(thing: Thing, x_mm: float, y_mm: float, angle: float) -> Thing:
    """The thing turned about its own middle and set down at (x, y)."""
    turn = rotation_z(angle)
    centre = np.array([x_mm, y_mm, thing.box.centre_mm[2]])
    return Thing(
        Box(thing.box.half_mm, turn @ thing.box.rotation, centre), thing.colour, thing.sides, thing.flat
    )


def lay_in_rows(rng: Rng, make: Maker, count: int) -> list[Thing]:
    """`count` things of one kind in rows side by side, touching or nearly, as they lie in games."""
    first = make(rng)
    width, height = 2 * np.max(np.abs(first.box.corners()[:, :2] - first.box.centre_mm[:2]), axis=0)
    columns = int(rng.integers(1, 9))
    gap = rng.choice([0.0, 0.05, rng.uniform(0.1, 0.6)])
    result = []
    for index in range(count):
        line, column = divmod(index, columns)
        x = column * width * (1 + gap) + rng.normal(0, 0.02 * width)
        result.append(move_thing(make(rng), x, -line * height * (1 + gap), rng.normal(0, 0.02)))
    return result


def set_down(things: Sequence[Thing], x_mm: float, y_mm: float, angle: float) -> list[Thing]:
    """A group turned by `angle` about its middle and moved to (x, y)."""
    middle = np.mean([thing.box.centre_mm[:2] for thing in things], axis=0)
    turn = rotation_z(angle)
    result = []
    for thing in things:
        centre = turn @ (thing.box.centre_mm - [*middle, 0.0]) + [x_mm, y_mm, 0.0]
        result.append(
            Thing(
                Box(thing.box.half_mm, turn @ thing.box.rotation, centre),
                thing.colour,
                thing.sides,
                thing.flat,
            )
        )
    return result


FACES = ("face", "back", "top", "bottom", "left", "right")
"""Sides of a box, each beside the one opposite to it, on which a die shows what is missing to 7."""
TEXTURE_PX = 72
FINE = 4
"""Bits of a pixel, by which pips are drawn more exactly."""
GAP_MM = 1.5
"""Between two dice at least."""
TRIES = 200

COORDINATES: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where pips are, in steps from the middle of a side."""
RED = (30, 20, 200)


@dataclass(frozen=True, slots=True)
class DieLook:
    """How the dice of a set look. edge_mm: of the cube; red: which numbers are red; step, pip, one: from the
    middle to a pip's, a pip's radius and that of a single one, as shares of the edge; round: radius of the
    edges, as a share; clear: how much light goes through, 0..1; glare: of a lamp on the top, 0..1."""

    edge_mm: float
    ground: Colour
    ink: Colour
    red: tuple[int, ...]
    step: float
    pip: float
    one: float
    round: float
    clear: float = 0.0
    glare: float = 0.0


def choose_look(rng: Rng) -> DieLook:
    """A set of dice: white or ivory, red, black, green or blue, some of them clear."""
    edge, pip = float(rng.uniform(10, 20)), float(rng.uniform(0.085, 0.115))
    shape = (float(rng.uniform(0.23, 0.27)), pip)
    rest = (float(rng.uniform(0.06, 0.18)), float(rng.choice([0.0, rng.uniform(0.1, 0.5)])))
    if rng.random() < 0.65:
        red = ((1, 4), (1, 4), (1,), ())[int(rng.integers(4))]
        one = pip * float(rng.choice([1.0, rng.uniform(1.4, 2.0)]))
        ink = (0, 0, 160) if rng.random() < 0.1 else (int(rng.integers(15, 60)),) * 3
        return DieLook(edge, choose_pale_colour(rng), ink, red, *shape, one, rest[0], 0.0, rest[1])
    hue = ((20, 15, 190), (25, 25, 28), (60, 110, 20), (150, 60, 20), (35, 25, 150))[int(rng.integers(5))]
    b, g, r = (int(np.clip(part + rng.integers(-15, 16), 0, 255)) for part in hue)
    clear = float(rng.choice([0.0, rng.uniform(0.3, 0.9)]))
    white = (int(rng.integers(200, 250)),) * 3
    return DieLook(edge, (b, g, r), white, (), *shape, pip, rest[0], clear, rest[1])


def make_die(rng: Rng, look: DieLook, shown: int) -> Thing:
    """A die that lies with this number up."""
    pairs = [(shown, 7 - shown), *((n, 7 - n) for n in (1, 2, 3) if n not in (shown, 7 - shown))]
    numbers = [
        n for at, pair in enumerate(pairs) for n in (pair if not at or rng.random() < 0.5 else pair[::-1])
    ]
    sides = {name: _draw_side(rng, look, n) for name, n in zip(FACES, numbers, strict=True)}
    sides["face"] = _shine(rng, sides["face"], look.glare)
    box = Box.resting(np.full(3, look.edge_mm), rotation_z(0.0), 0.0, 0.0)
    return Thing(box, look.ground, sides, round_mm=look.round * look.edge_mm)


def _draw_side(rng: Rng, look: DieLook, number: int) -> Image:
    """A side (TEXTURE_PX, TEXTURE_PX, 4) BGRA, turned at random."""
    side = TEXTURE_PX
    sheet = np.full((side, side, 4), 255, np.uint8)
    sheet[..., :3] = look.ground
    if look.clear:
        y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j] - rng.uniform(-0.5, 0.5, (2, 1, 1))
        light = 1 + look.clear * (0.9 * np.exp(-2 * (x * x + y * y)) - 0.25)
        sheet[..., :3] = np.clip(sheet[..., :3] * light[..., None] + 25 * look.clear, 0, 255).astype(np.uint8)
    ink = RED if number in look.red else look.ink
    radius = (look.one if number == 1 else look.pip) * side
    unit = 1 << FINE
    for u, v in COORDINATES[number]:
        middle = [round((0.5 + look.step * each) * side * unit - unit / 2) for each in (u, v)]
        cv2.circle(sheet, middle, round(radius * unit), (*ink, 255), -1, cv2.LINE_AA, FINE)
        deep = [each + round(0.3 * radius * unit) for each in middle]
        lit = [int(min(255, part + 25)) for part in ink]
        cv2.circle(sheet, deep, round(0.5 * radius * unit), (*lit, 255), -1, cv2.LINE_AA, FINE)
    return np.ascontiguousarray(np.rot90(sheet, int(rng.integers(4))))


def _shine(rng: Rng, sheet: Image, glare: float) -> Image:
    """The side with a lamp's light on it."""
    if not glare:
        return sheet
    y, x = np.mgrid[-1 : 1 : sheet.shape[0] * 1j, -1 : 1 : sheet.shape[1] * 1j]
    u, v = rng.uniform(-0.9, 0.9, 2)
    spot = glare * np.exp(-3 * ((x - u) ** 2 + (y - v) ** 2))[..., None]
    shone = sheet.copy()
    shone[..., :3] = (sheet[..., :3] * (1 - spot) + 255 * spot).astype(np.uint8)
    return shone


def scatter_dice(rng: Rng, look: DieLook, count: int, reach_mm: float) -> list[tuple[float, float, float]]:
    """Where the dice come to rest, no farther than that from the table's middle: x, y mm and the angle.
    Raises ValueError where there is no room for them."""
    for _ in range(TRIES):
        places = _scatter(rng, look, count, reach_mm)
        if len(places) == count:
            return [(float(x), float(y), float(rng.uniform(0, 2 * np.pi))) for x, y in places]
    raise ValueError(f"no room for {count} dice of {look.edge_mm:g} mm within {reach_mm:g} mm")


def _scatter(rng: Rng, look: DieLook, count: int, reach_mm: float) -> list[Floats]:
    """The places, fewer where the first ones leave no room for the others."""
    apart = look.edge_mm * 2**0.5 + GAP_MM
    places: list[Floats] = []
    for _ in range(TRIES):
        if len(places) == count:
            break
        place = rng.uniform(-reach_mm, reach_mm, 2)
        if np.hypot(*place) <= reach_mm and all(np.hypot(*(place - other)) > apart for other in places):
            places.append(place)
    return places


def lay_dice(
    rng: Rng, look: DieLook, shown: Sequence[int], places: Sequence[tuple[float, float, float]]
) -> list[Thing]:
    """The dice that show these numbers at these places."""
    dice = []
    for number, (x, y, angle) in zip(shown, places, strict=True):
        die = make_die(rng, look, number)
        centre = np.array([x, y, look.edge_mm / 2])
        dice.append(
            Thing(
                Box(die.box.half_mm, rotation_z(angle), centre), die.colour, die.sides, round_mm=die.round_mm
            )
        )
    return dice


SKIN = np.array([[120, 158, 214], [98, 134, 196], [150, 180, 226], [62, 92, 142], [40, 62, 104]], np.float32)
UP_MM = 45.0  # height of an arm over the table


def draw_arm(
    rng: Rng,
    reach: Floats,
    elbow: Floats,
    scale: float,
    height: int,
    width: int,
    sleeve: Colour | None = None,
) -> Image:
    """An arm from `elbow` (2,) px, which may lie outside, to a hand at `reach` (2,) px, BGRA (H, W, 4).

    scale: px per mm there; sleeve: its BGR colour, by default any."""
    along = reach - elbow
    along = along / max(1e-6, float(np.linalg.norm(along)))
    aside = np.array([-along[1], along[0]]) * (1 if rng.random() < 0.5 else -1)
    skin: NDArray[np.uint8] = np.zeros((height, width), np.uint8)
    wrist = reach - along * 95 * scale
    palm = reach - along * 55 * scale
    _draw_stroke(skin, [elbow, wrist, palm], 52 * scale)
    _draw_stroke(skin, [palm - aside * 14 * scale, palm + aside * 14 * scale], 56 * scale)
    spread = float(rng.uniform(0.5, 1.3))
    for finger in range(4):
        root = palm + aside * (finger - 1.5) * 17 * scale + along * 18 * scale
        lean = (finger - 1.5) * 0.14 * spread + float(rng.normal(0, 0.06))
        bend = lean + float(rng.normal(0, 0.25))
        first = along * np.cos(lean) + aside * np.sin(lean)
        second = along * np.cos(bend) + aside * np.sin(bend)
        long = float(rng.uniform(0.5, 1.0)) * (36 if finger in (1, 2) else 29) * scale
        _draw_stroke(skin, [root, root + first * long, root + first * long + second * long * 0.8], 16 * scale)
    thumb = palm - aside * 26 * scale
    _draw_stroke(
        skin, [thumb, thumb + (along * 0.8 - aside * float(rng.uniform(0, 0.8))) * 42 * scale], 18 * scale
    )
    covered = np.zeros_like(skin)
    _draw_stroke(covered, [elbow, wrist - along * float(rng.uniform(10, 140)) * scale], 84 * scale)
    tone = SKIN[int(rng.integers(len(SKIN)))] * float(rng.uniform(0.85, 1.1)) + rng.normal(0, 6, 3)
    chosen = choose_dark_colour(rng) if rng.random() < 0.5 else choose_colour(rng)
    cloth = np.array(chosen if sleeve is None else sleeve, np.float32)
    light = _shade_round(np.maximum(skin, covered), 26 * scale, rng)
    picture = np.empty((height, width, 4), np.uint8)
    colour = np.where(covered[:, :, None] > 127, cloth, tone.astype(np.float32))
    picture[:, :, :3] = np.clip(colour * light[:, :, None], 0, 255)
    picture[:, :, 3] = cv2.max(skin, covered)
    return picture


def _draw_stroke(mask: NDArray[np.uint8], points: Sequence[Floats], wide: float) -> None:
    cv2.polylines(
        mask, [round_to_pixels(np.array(points) * 16)], False, 255, max(1, round(wide)), cv2.LINE_AA, 4
    )


def _shade_round(mask: NDArray[np.uint8], reach: float, rng: Rng) -> NDArray[np.float32]:
    """Brightness of a mask as if it were round: dark at its rims, most on the side away from the lamp."""
    inside = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
    depth = np.clip(inside / max(1.0, reach), 0, 1).astype(np.float32)
    swell = np.sqrt(1 - (1 - depth) ** 2)
    swell = cv2.GaussianBlur(swell, (0, 0), max(0.8, reach / 9))
    across, down = cv2.Sobel(swell, cv2.CV_32F, 1, 0), cv2.Sobel(swell, cv2.CV_32F, 0, 1)
    angle = float(rng.uniform(0, 2 * np.pi))
    slope = (across * np.float32(np.cos(angle)) + down * np.float32(np.sin(angle))) * np.float32(reach / 9)
    light: NDArray[np.float32] = np.float32(0.72) + np.float32(0.3) * swell - np.clip(slope, -0.3, 0.3)
    return light


def draw_random_arms(
    rng: Rng, camera: Camera, half_mm: float, count: int, height: int, width: int
) -> list[tuple[Image, Floats]]:
    """Arms of people at the sides reaching in, each a BGRA picture and its quad px."""
    result = []
    for _ in range(count):
        seat = rotation_z(float(rng.integers(4)) * QUARTER)
        x = float(rng.uniform(-0.6, 0.6)) * half_mm
        inward = float(rng.choice([rng.uniform(0.75, 1.1), rng.uniform(0.1, 0.8)])) * half_mm
        hand = seat @ np.array([x + rng.normal(0, 80), -inward, UP_MM])
        elbow = seat @ np.array([x * 0.8, -half_mm - 1500.0, UP_MM + 60])
        line = project_outline(camera, np.stack([hand, elbow, elbow + np.array([0, 0, 1.0])]))
        seen = camera.project(hand[None])[0]
        if not len(line) or not np.all(np.isfinite(seen)):
            continue
        scale = camera.focal_px / float(np.linalg.norm(camera.position_mm - hand))
        far = line[int(np.argmax(np.linalg.norm(line - seen, axis=1)))]
        low = np.clip(np.minimum(seen, far) - 110 * scale, 0, [width, height]).astype(int)
        high = np.clip(np.maximum(seen, far) + 110 * scale, 0, [width, height]).astype(int)
        if np.any(high - low < 4):
            continue
        arm = draw_arm(rng, seen - low, far - low, scale, int(high[1] - low[1]), int(high[0] - low[0]))
        x0, y0, x1, y1 = (float(edge) for edge in (*low, *high))
        result.append((arm, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])))
    return result
