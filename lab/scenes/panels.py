"""Flat pictures of what automatic tables and rooms have: score displays, the device in a table's middle,
trays with scoring sticks, wall sockets, labels, switches. Each looks a little like a tile but is not one."""

from __future__ import annotations

import cv2
import numpy as np

from companion.images import Image
from lab.scenes.things import (
    LETTERS,
    Colour,
    Rng,
    choose_colour,
    choose_dark_colour,
    choose_pale_colour,
    draw_strokes,
    make_blank_sheet,
    print_lines,
    write_text,
)

# Segments of a digit: top, top right, bottom right, bottom, bottom left, top left, middle.
SEGMENTS = (
    "1111110", "0110000", "1101101", "1111001", "0110011",
    "1011011", "1011111", "1110000", "1111111", "1111011",
)  # fmt: skip
LAMPS: tuple[Colour, ...] = ((40, 40, 255), (40, 40, 255), (60, 255, 90), (255, 190, 60), (60, 170, 255))


def write_digits(sheet: Image, text: str, x: float, y: float, height: float, colour: Colour) -> None:
    """Lit digits of seven segments, left top at (x, y) px; a blank stands for one that is dark."""
    slant, wide = 0.12 * height, 0.5 * height
    thick = max(1, round(height * 0.11))
    for index, sign in enumerate(text):
        if not sign.isdigit():
            continue
        left = x + index * wide * 1.55
        tops = [(left + slant, y), (left + wide + slant, y)]
        middles = [(left + slant / 2, y + height / 2), (left + wide + slant / 2, y + height / 2)]
        feet = [(left, y + height), (left + wide, y + height)]
        strokes = (
            (tops[0], tops[1]), (tops[1], middles[1]), (middles[1], feet[1]), (feet[0], feet[1]),
            (middles[0], feet[0]), (tops[0], middles[0]), (middles[0], middles[1]),
        )  # fmt: skip
        for lit, (a, b) in zip(SEGMENTS[int(sign)], strokes, strict=True):
            if lit == "1":
                p, q = (np.array(a), np.array(b))
                inset = (q - p) * 0.1
                ends = np.round(np.stack([p + inset, q - inset])).astype(int).tolist()
                cv2.line(sheet, ends[0], ends[1], (*colour, 255), thick, cv2.LINE_AA)


def draw_display(rng: Rng) -> Image:
    """A dark panel with the points of four players in lit digits, and a name."""
    sheet = make_blank_sheet(
        float(rng.uniform(160, 260)), float(rng.uniform(26, 60)), choose_colour(rng, 5, 40), 9.0
    )
    rows, columns = sheet.shape[:2]
    lamp = LAMPS[int(rng.integers(len(LAMPS)))]
    digits = int(rng.integers(3, 6))
    high = rows * float(rng.uniform(0.2, 0.32))
    for u, v, size in ((0.12, 0.35, 1.0), (0.4, 0.08, 0.9), (0.42, 0.5, 1.25), (0.68, 0.35, 1.0)):
        text = "".join(rng.choice(list("0123456789"), digits))
        write_digits(sheet, text, u * columns, v * rows, high * size, lamp)
    write_text(sheet, "".join(rng.choice(list(LETTERS), 7)), 0.74, 0.95, 0.14, choose_pale_colour(rng), 0)
    glow = cv2.GaussianBlur(sheet[:, :, :3], (0, 0), max(1.0, high * 0.12))
    sheet[:, :, :3] = cv2.add(sheet[:, :, :3], (glow * 0.6).astype(np.uint8))
    return sheet


def draw_centre_device(rng: Rng) -> Image:
    """What stands in the middle of an automatic table: a dark square with a dome for dice, lamps, winds."""
    side = 150.0
    body = choose_colour(rng, 20, 90) if rng.random() < 0.75 else choose_colour(rng, 90, 220)
    sheet = make_blank_sheet(side, side, body, 10.0)
    px = sheet.shape[0]
    middle = (px // 2, px // 2)
    inner = choose_colour(rng, 5, 60)
    inset = int(px * rng.uniform(0.08, 0.16))
    cv2.rectangle(sheet, (inset, inset), (px - inset, px - inset), (*inner, 255), -1)
    for _ in range(int(rng.integers(0, 26))):
        a = rng.integers(inset, px - inset, 2)
        b = a + rng.integers(-60, 60, 2) * rng.permutation([0, 1])
        cv2.line(sheet, a.tolist(), b.tolist(), (*choose_colour(rng, 60, 200), 255), 1, cv2.LINE_AA)
    dome = int(px * rng.uniform(0.13, 0.24))
    rim = choose_colour(rng, 90, 230)
    cv2.circle(sheet, middle, dome + px // 40, (*rim, 255), -1, cv2.LINE_AA)
    cv2.circle(sheet, middle, dome, (*choose_colour(rng, 10, 120), 255), -1, cv2.LINE_AA)
    _draw_dice(rng, sheet, middle, dome)
    arc, bright = (dome * 4 // 5, dome * 4 // 5), (245, 245, 245, 255)
    cv2.ellipse(sheet, middle, arc, 200, 0, 70, bright, max(2, dome // 9), cv2.LINE_AA)
    for _ in range(4):
        sheet = np.ascontiguousarray(np.rot90(sheet))
        kind = int(rng.integers(4))
        x = px // 2
        y = int(px * 0.86)
        if kind == 0:
            points = "".join(rng.choice(list("0123456789"), 4))
            write_digits(sheet, points, x - px * 0.13, y - px * 0.05, px * 0.09, LAMPS[0])
        elif kind == 1:
            draw_strokes(rng, sheet, x - px // 16, y - px // 16, px // 8, choose_pale_colour(rng))
        elif kind == 2:
            colour = (*(int(c) for c in rng.integers(0, 256, 3)), 255)
            cv2.circle(sheet, (x, y), px // 22, colour, -1, cv2.LINE_AA)
            cv2.circle(sheet, (x - px // 5, y), px // 30, (40, 220, 250, 255), -1, cv2.LINE_AA)
        else:
            low, high = (x - px // 9, y - px // 30), (x + px // 9, y + px // 30)
            cv2.rectangle(sheet, low, high, (*choose_colour(rng, 120), 255), -1)
    return sheet


def _draw_dice(rng: Rng, sheet: Image, middle: tuple[int, int], reach: int) -> None:
    """Two or three small dice in a dome."""
    for _ in range(int(rng.integers(0, 4))):
        at = np.array(middle) + rng.uniform(-0.5, 0.5, 2) * reach
        size = reach * 0.5
        corners = cv2.boxPoints((at.tolist(), (size, size), float(rng.uniform(0, 90))))
        cv2.fillConvexPoly(sheet, corners.astype(np.int32), (235, 240, 245, 255), cv2.LINE_AA)
        for _ in range(int(rng.integers(1, 6))):
            spot = at + rng.uniform(-0.3, 0.3, 2) * size
            at_px, pip = spot.astype(int).tolist(), max(1, int(size * 0.1))
            cv2.circle(sheet, at_px, pip, (30, 30, 160, 255), -1, cv2.LINE_AA)


def draw_stick_tray(rng: Rng) -> Image:
    """Compartments of a drawer with scoring sticks in them, seen from above."""
    sheet = make_blank_sheet(
        float(rng.uniform(200, 300)), float(rng.uniform(40, 80)), choose_colour(rng, 5, 60), 4.0
    )
    rows, columns = sheet.shape[:2]
    count = int(rng.integers(2, 6))
    body = (*choose_colour(rng, 10, 240), 255)
    for k in range(count):
        x0, x1 = (int((k + edge) * columns / count) for edge in (0.04, 0.96))
        cv2.rectangle(sheet, (x0, rows // 12), (x1, rows * 11 // 12), (*choose_colour(rng, 5, 45), 255), -1)
        colour = choose_colour(rng, 60) if rng.random() < 0.6 else choose_pale_colour(rng)
        for _ in range(int(rng.integers(0, 9))):
            y = int(rng.uniform(0.25, 0.85) * rows)
            a, b = (x0 + 6, y), (x1 - 6, int(y + rng.normal(0, 0.05) * rows))
            cv2.line(sheet, a, b, (*colour, 255), max(2, rows // 14), cv2.LINE_AA)
            spot = ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)
            cv2.circle(sheet, spot, max(1, rows // 40), (30, 30, 180, 255), -1, cv2.LINE_AA)
        cv2.rectangle(sheet, (x0, rows // 12), (x1, rows * 11 // 12), body, 2)
    return sheet


def draw_socket(rng: Rng) -> Image:
    """A wall socket or a light switch, one or several in a frame."""
    plate = choose_pale_colour(rng)
    count = int(rng.choice([1, 1, 2, 3]))
    sheet = make_blank_sheet(80.0 * count, 80.0, plate, 6.0)
    side = sheet.shape[0]
    shade = tuple(int(c * 0.8) for c in plate)
    hole = choose_colour(rng, 0, 60)
    for k in range(count):
        middle = (int((k + 0.5) * sheet.shape[1] / count), side // 2)
        kind = int(rng.integers(4))
        reach = int(side * rng.uniform(0.25, 0.4))
        low, high = ((middle[0] + s * reach, middle[1] + s * reach) for s in (-1, 1))
        if kind == 0:
            cv2.circle(sheet, middle, reach, (*shade, 255), -1, cv2.LINE_AA)
            cv2.circle(sheet, middle, reach - 4, (*plate, 255), -1, cv2.LINE_AA)
            for dx in (-0.45, 0.45):
                cv2.circle(
                    sheet, (int(middle[0] + dx * reach), middle[1]), reach // 8, (*hole, 255), -1, cv2.LINE_AA
                )
        elif kind == 1:
            cv2.rectangle(sheet, low, high, (*shade, 255), 2, cv2.LINE_AA)
            for dx, dy, turn in ((-0.4, -0.1, 20), (0.4, -0.1, -20), (0.0, 0.45, 0)):
                centre = (int(middle[0] + dx * reach), int(middle[1] + dy * reach))
                cv2.ellipse(
                    sheet, centre, (reach // 12 + 1, reach // 4), turn, 0, 360, (*hole, 255), -1, cv2.LINE_AA
                )
        elif kind == 2:
            cv2.rectangle(sheet, low, high, (*shade, 255), 2, cv2.LINE_AA)
            cv2.line(sheet, (low[0], middle[1]), (high[0], middle[1]), (*shade, 255), 1, cv2.LINE_AA)
        else:
            cv2.rectangle(sheet, low, high, (*shade, 255), -1)
            for dx in (-0.35, 0.35):
                for dy in (-0.35, 0.35):
                    spot = (int(middle[0] + dx * reach), int(middle[1] + dy * reach))
                    cv2.rectangle(
                        sheet, (spot[0] - 3, spot[1] - 7), (spot[0] + 3, spot[1] + 7), (*hole, 255), -1
                    )
    return sheet


def draw_label(rng: Rng) -> Image:
    """A label of a device: a name, lines of small print, a bar code, a sign."""
    ground = choose_pale_colour(rng) if rng.random() < 0.5 else choose_dark_colour(rng)
    ink = choose_dark_colour(rng) if sum(ground) > 300 else choose_pale_colour(rng)
    sheet = make_blank_sheet(float(rng.uniform(25, 90)), float(rng.uniform(20, 60)), ground, 2.0)
    rows, columns = sheet.shape[:2]
    write_text(sheet, "".join(rng.choice(list(LETTERS), int(rng.integers(2, 7)))), 0.06, 0.3, 0.22, ink, 0)
    print_lines(rng, sheet, (4, int(rows * 0.36), columns - 4, int(rows * 0.75)), max(5, rows // 12), ink)
    if rng.random() < 0.5:
        x = columns * 0.08
        while x < columns * 0.7:
            wide = float(rng.choice([1, 2, 3]))
            cv2.rectangle(
                sheet, (int(x), int(rows * 0.78)), (int(x + wide), int(rows * 0.95)), (*ink, 255), -1
            )
            x += wide + float(rng.choice([2, 3, 4]))
    else:
        centre = (int(columns * 0.84), int(rows * 0.8))
        cv2.circle(sheet, centre, max(3, rows // 9), (*ink, 255), max(1, rows // 50), cv2.LINE_AA)
    return sheet
