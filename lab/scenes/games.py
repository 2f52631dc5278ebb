"""Cards, dice, dominoes, letter tiles and chips: what other games leave on a table, most like tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.images import Image
from lab.scenes.geometry import Box, rotation_x, rotation_z
from lab.scenes.things import (
    LETTERS,
    Colour,
    Rng,
    Thing,
    choose_colour,
    choose_dark_colour,
    choose_pale_colour,
    make_blank_sheet,
    make_flat_thing,
    write_text,
)
from lab.scenes.tileset import round_mask as rounded_mask

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
