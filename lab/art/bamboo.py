"""The bamboo suit: sticks of eight shapes on the layouts of 2..9 bamboo. The bird of 1 bamboo stands in
birds.py.
"""

from __future__ import annotations

import math

import numpy as np

from lab.art.canvas import FACE_H, FACE_W, Canvas, Colour, Point, smooth_curve
from lab.art.style import Bamboo, Stick

StickPlace = tuple[Point, Point, int]  # two ends, from 0 to 1 inside the spread, and which of the three inks


def _lay_out_row(columns: list[float], top: float, bottom: float, inks: list[int]) -> list[StickPlace]:
    return [((x, top), (x, bottom), ink) for x, ink in zip(columns, inks, strict=True)]


def _lay_out_eight(kind: int) -> list[StickPlace]:
    if kind == 2:
        columns = [0.0, 1 / 3, 2 / 3, 1.0]
        return [*_lay_out_row(columns, 0, 0.48, [0] * 4), *_lay_out_row(columns, 0.52, 1, [0] * 4)]
    if kind == 3:
        three = [0.0, 0.5, 1.0]
        return [
            *_lay_out_row(three, 0, 0.31, [0] * 3),
            *_lay_out_row([0.25, 0.75], 0.345, 0.655, [2] * 2),
            *_lay_out_row(three, 0.69, 1, [0] * 3),
        ]
    places: list[StickPlace] = []
    for top, bottom, apex_up in ((0.0, 0.45, True), (0.55, 1.0, False)):
        if kind == 1:
            apex_up = not apex_up
        foot, apex = (bottom, top) if apex_up else (top, bottom)
        inner = foot + (apex - foot) * 0.78
        places += [((0, top), (0, bottom), 0), ((1, top), (1, bottom), 0)]
        places += [((0.07, foot), (0.5, inner), 0), ((0.93, foot), (0.5, inner), 0)]
    return places


def remix_inks(places: list[StickPlace], rank: int, mixed: int) -> list[StickPlace]:
    """The same sticks with the inks of each row dealt out again (mixed is 0: as they are)."""
    if not mixed:
        return places
    deal = np.random.default_rng((mixed, rank)).integers(0, 3, 8)
    return [(a, b, int(deal[int((a[1] + b[1]) * 3.5)])) for a, b, _ in places]


def lay_out(rank: int, eight: int, mixed: int) -> list[StickPlace]:
    """The sticks of 2..9 bamboo."""
    thirds = ((0.0, 0.31), (0.345, 0.655), (0.69, 1.0))
    three = [0.0, 0.5, 1.0]
    layouts: dict[int, list[StickPlace]] = {
        2: [((0.5, 0), (0.5, 0.48), 0), ((0.5, 0.52), (0.5, 1), 0)],
        3: [((0.5, 0), (0.5, 0.48), 0), *_lay_out_row([0.15, 0.85], 0.52, 1, [0, 0])],
        4: [*_lay_out_row([0.1, 0.9], 0, 0.48, [0, 0]), *_lay_out_row([0.1, 0.9], 0.52, 1, [0, 0])],
        5: [
            *_lay_out_row([0.0, 1.0], 0, 0.48, [0, 0]),
            *_lay_out_row([0.0, 1.0], 0.52, 1, [0, 0]),
            ((0.5, 0.26), (0.5, 0.74), 2),
        ],
        6: [*_lay_out_row(three, 0, 0.48, [0, 1, 0]), *_lay_out_row(three, 0.52, 1, [0, 1, 0])],
        7: [
            ((0.5, thirds[0][0]), (0.5, thirds[0][1]), 2),
            *(p for a, b in thirds[1:] for p in _lay_out_row(three, a, b, [0, 1, 0])),
        ],
        9: [p for a, b in thirds for p in _lay_out_row(three, a, b, [0, 2, 1])],
    }
    return remix_inks(_lay_out_eight(eight) if rank == 8 else layouts[rank], rank, mixed)


def draw_bamboo(canvas: Canvas, rank: int, style: Bamboo, inks: tuple[Colour, Colour, Colour]) -> None:
    """Paint 2..9 bamboo."""
    places = lay_out(rank, style.eight, style.mixed)
    width = style.width * (0.86 if rank in (7, 9) or (rank == 8 and style.eight in (2, 3)) else 1.0)
    wide = FACE_W * style.spread[0] * (0.92 if rank != 4 else 0.8) - width
    if rank in (6, 7, 9):
        wide = max(wide, 2.35 * width)
    high = FACE_H * style.spread[1]
    for (x0, y0), (x1, y1), ink in places:
        start = (FACE_W / 2 + (x0 - 0.5) * wide, FACE_H / 2 + (y0 - 0.5) * high)
        end = (FACE_W / 2 + (x1 - 0.5) * wide, FACE_H / 2 + (y1 - 0.5) * high)
        draw_stick(canvas, start, end, width if x0 == x1 else width * 0.82, style, inks[ink])


def draw_stick(canvas: Canvas, start: Point, end: Point, width: float, style: Bamboo, ink: Colour) -> None:
    """One stick between two points, shortened to the style's length."""
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    half_x, half_y = ((end[0] - start[0]) / 2 * style.length, (end[1] - start[1]) / 2 * style.length)
    half = math.hypot(half_x, half_y)
    along = (half_x / half, half_y / half)
    w = width / 2

    def at(u: float, v: float) -> Point:
        """u along from -1 to 1, v across in units of the half width."""
        x = middle[0] + along[0] * u * half - along[1] * v * w
        return x, middle[1] + along[1] * u * half + along[0] * v * w

    def outline(profile: list[tuple[float, float]], smooth: bool = True) -> list[Point]:
        right = [at(u, v) for u, v in profile]
        left = [at(u, -v) for u, v in reversed(profile)]
        return smooth_curve(right + left, 4, closed=True) if smooth else right + left

    def core(u0: float, u1: float, v: float) -> None:
        if style.core > 0:
            canvas.line([at(u0, 0), at(u1, 0)], max(0.5, 2 * w * v * style.core), None)

    def rounded(u0: float, u1: float, v: float) -> list[Point]:
        cap = min(0.45 * (u1 - u0), w * v / half)
        return outline(
            [
                (u0, 0.35 * v),
                (u0 + 0.4 * cap, 0.85 * v),
                (u0 + cap, v),
                (u1 - cap, v),
                (u1 - 0.4 * cap, 0.85 * v),
                (u1, 0.35 * v),
            ]
        )

    if style.stick is Stick.CAPSULE:
        canvas.polygon(rounded(-1, 1, 1), ink)
        core(-0.72, 0.72, 0.8)
    elif style.stick is Stick.BONE:
        canvas.polygon(
            outline(
                [
                    (-1, 0.65),
                    (-0.86, 1),
                    (-0.62, 0.72),
                    (-0.15, 0.68),
                    (0, 0.95),
                    (0.15, 0.68),
                    (0.62, 0.72),
                    (0.86, 1),
                    (1, 0.65),
                ]
            ),
            ink,
        )
        core(-0.8, 0.8, 0.62)
    elif style.stick is Stick.LOBES:
        for u0, u1 in ((-1, -0.34), (-0.34, 0.34), (0.34, 1)):
            canvas.polygon(rounded(u0, u1, 1), ink)
        core(-0.8, 0.8, 0.7)
    elif style.stick is Stick.CHAIN:
        count = 3 if half > 1.2 * width else 2
        for link in range(count):
            centre = at(-1 + (2 * link + 1) / count, 0)
            radius = min(w, 1.1 * half / count)
            canvas.ring(centre, radius, max(style.line, radius * 0.5), ink)
    elif style.stick is Stick.SEGMENTS:
        canvas.shape(
            outline(
                [(-1, 0.75), (-0.9, 0.95), (-0.06, 0.8), (0, 1), (0.06, 0.8), (0.9, 0.95), (1, 0.75)], False
            ),
            ink if style.core == 0 else None,
            ink,
            style.line,
        )
        for u in (-0.9, 0.0, 0.9):
            canvas.line([at(u, -0.9), at(u, 0.9)], style.line, ink)
        if style.core > 0.3:
            canvas.line([at(-0.7, 0), at(-0.2, 0)], style.line * 0.7, ink)
            canvas.line([at(0.2, 0), at(0.7, 0)], style.line * 0.7, ink)
    elif style.stick is Stick.HOURGLASS:
        canvas.polygon(outline([(-1, 1), (0, 0.4), (1, 1)], False), ink)
        core(-0.8, 0.8, 0.4)
    elif style.stick is Stick.FLARED:
        canvas.polygon(
            outline(
                [
                    (-1, 1),
                    (-0.84, 1),
                    (-0.8, 0.62),
                    (-0.1, 0.55),
                    (-0.06, 0.95),
                    (0.06, 0.95),
                    (0.1, 0.55),
                    (0.8, 0.62),
                    (0.84, 1),
                    (1, 1),
                ],
                False,
            ),
            ink,
        )
        core(-0.72, -0.16, 0.6)
        core(0.16, 0.72, 0.6)
    else:
        canvas.polygon(outline([(-1, 0.8), (1, 0.8)], False), ink)
        core(-0.9, 0.9, 0.7)
        canvas.line([at(0, -0.8), at(0, 0.8)], style.line, None if style.core == 0 else ink)
