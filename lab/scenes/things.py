"""A thing that is not a tile, and the paper, ink and print that all of them are made of.

`games` and `desk` draw the things; `clutter` chooses among them. All are drawings of this project's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.images import Image
from lab.scenes.geometry import Box, rotation_z
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
