"""Keyboards, telephones, paper, boxes and hands: what else lies on tables or reaches over them."""

from __future__ import annotations

import cv2
import numpy as np

from companion.images import Image
from lab.scenes.geometry import Box, rotation_z
from lab.scenes.things import (
    LETTERS,
    PX_PER_MM,
    Rng,
    Thing,
    choose_colour,
    choose_dark_colour,
    choose_pale_colour,
    draw_strokes,
    make_blank_sheet,
    make_flat_thing,
    print_lines,
)


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
