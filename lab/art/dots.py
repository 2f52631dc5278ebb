"""The dots suit: pips of eight shapes on the layouts that all sets share, and the large ornament of 1
dots.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lab.art.canvas import FACE_H, FACE_W, Canvas, Colour, Point, ellipse_points, polar, smooth_curve
from lab.art.style import Dots, Pip

Place = tuple[float, float, int]  # x and y from 0 to 1 inside the spread, and which of the three inks


def lay_out(rank: int, style: Dots) -> list[Place]:
    """Where the pips of 2..9 dots stand and which ink they wear (0, 1, or 2 for the accent)."""
    top, low, end = (0.0, 0.5, 1.0) if style.even_rows else (0.0, 0.57, 1.0)
    slope = style.slope
    layouts: dict[int, list[Place]] = {
        2: [(0.5, 0.1, 0), (0.5, 0.9, 1)],
        3: [(0.02, 0, 1), (0.5, 0.5, 2), (0.98, 1, 0)],
        4: [(0, 0.06, 1), (1, 0.06, 0), (0, 0.94, 0), (1, 0.94, 1)],
        5: [(0, 0, 1), (1, 0, 0), (0.5, 0.5, 2), (0, 1, 0), (1, 1, 1)],
        6: [(0.12, top, 0), (0.88, top, 0), *((x, y, 2) for y in (low, end) for x in (0.12, 0.88))],
        7: [
            (0, 0, 0),
            (0.5, slope, 0),
            (1, 2 * slope, 0),
            *((x, y, 2) for y in (0.63, 1) for x in (0.14, 0.86)),
        ],
        8: [(x, y / 3, 1) for y in range(4) for x in (0.15, 0.85)],
        9: [(x / 2, y / 2, (0, 2, 1)[y]) for y in range(3) for x in range(3)],
    }
    return remix_inks(layouts[rank], rank, style.mixed)


def remix_inks(places: list[Place], rank: int, mixed: int) -> list[Place]:
    """The same places with the inks of each row dealt out again (mixed is 0: as they are)."""
    if not mixed:
        return places
    deal = np.random.default_rng((mixed, rank)).integers(0, 3, 8)
    return [(x, y, int(deal[int(y * 7)])) for x, y, _ in places]


# the largest radius, as a share of the spread's width and height, that keeps the pips of a rank apart
ROOM = {
    2: (0.26, 0.215),
    3: (0.20, 0.16),
    4: (0.22, 0.19),
    5: (0.19, 0.15),
    6: (0.21, 0.15),
    7: (0.165, 0.118),
    8: (0.2, 0.118),
    9: (0.163, 0.16),
}


def draw_dots(canvas: Canvas, rank: int, style: Dots, inks: tuple[Colour, Colour, Colour]) -> None:
    """Paint 1..9 dots."""
    if rank == 1:
        draw_one(canvas, style, inks)
        return
    radius = style.radius * min(
        FACE_W * style.spread[0] * ROOM[rank][0], FACE_H * style.spread[1] * ROOM[rank][1]
    )
    wide, high = FACE_W * style.spread[0] - 2 * radius, FACE_H * style.spread[1] - 2 * radius
    if rank in (2, 4):
        high *= 0.94
    if rank == 3:
        touching = min(1.0, 2.2 * radius / np.hypot(0.48 * wide, 0.5 * high))
        apart = touching + (1 - touching) * style.slant
        wide, high = wide * apart, high * apart
    for x, y, ink in lay_out(rank, style):
        centre = (FACE_W / 2 + (x - 0.5) * wide, FACE_H / 2 + (y - 0.5) * high)
        PIPS[style.pip](canvas, centre, radius, style, inks[ink])


def _rings(canvas: Canvas, centre: Point, radius: float, style: Dots, ink: Colour) -> None:
    width = radius * style.line
    for ring in range(style.rings):
        outer = radius * (1 - ring / style.rings) if ring else radius
        if outer > 1.5 * width or ring == 0:
            canvas.ring(centre, outer, width, ink)
    canvas.disc(centre, radius * 0.16, ink)


def _disc(canvas: Canvas, centre: Point, radius: float, style: Dots, ink: Colour) -> None:
    canvas.disc(centre, radius, ink)
    if style.rings == 3:
        canvas.ring(centre, radius * 0.72, radius * 0.1, None)


def _eye(canvas: Canvas, centre: Point, radius: float, style: Dots, ink: Colour) -> None:
    canvas.disc(centre, radius, ink)
    canvas.ring(centre, radius * 0.78, radius * style.line * 0.7, None)
    canvas.disc(centre, radius * 0.36, None)
    if style.rings == 3:
        canvas.disc(centre, radius * 0.18, ink)


def _cross(canvas: Canvas, centre: Point, radius: float, style: Dots, ink: Colour) -> None:
    canvas.disc(centre, radius, ink)
    start = 45.0 if style.petals % 2 else 0.0
    for quarter in range(4):
        angle = start + 90 * quarter
        canvas.polygon(
            ellipse_points(polar(centre, radius * 0.48, angle), (radius * 0.34, radius * 0.17), angle, 14),
            None,
        )
    canvas.disc(centre, radius * 0.14, ink)


def _flower(canvas: Canvas, centre: Point, radius: float, style: Dots, ink: Colour) -> None:
    canvas.ring(centre, radius, radius * style.line * 0.7, ink)
    for petal in range(style.petals):
        angle = 360 * petal / style.petals
        petal_points = ellipse_points(
            polar(centre, radius * 0.5, angle), (radius * 0.24, radius * 1.1 / style.petals), angle, 12
        )
        canvas.polygon(petal_points, ink)
    canvas.disc(centre, radius * 0.2, ink)


def _spokes(canvas: Canvas, centre: Point, radius: float, style: Dots, ink: Colour) -> None:
    width = radius * style.line * 0.55
    canvas.ring(centre, radius, width * 1.4, ink)
    canvas.ring(centre, radius * 0.45, width, ink)
    for spoke in range(style.petals):
        angle = 360 * spoke / style.petals
        canvas.line([polar(centre, radius * 0.42, angle), polar(centre, radius * 0.9, angle)], width, ink)
    canvas.disc(centre, radius * 0.18, ink)


def _spiral(canvas: Canvas, centre: Point, radius: float, style: Dots, ink: Colour) -> None:
    turns = 1.0 + 0.5 * style.rings
    steps = 40
    line = radius * style.line * 0.6
    canvas.line(
        [polar(centre, (radius - line / 2) * (1 - i / steps), 360 * turns * i / steps) for i in range(steps)],
        line,
        ink,
    )
    canvas.ring(centre, radius, line, ink)


def _star(canvas: Canvas, centre: Point, radius: float, style: Dots, ink: Colour) -> None:
    canvas.disc(centre, radius, ink)
    points = 2 * style.petals
    canvas.polygon(
        [polar(centre, radius * (0.72 if i % 2 else 0.4), 360 * i / points - 90) for i in range(points)], None
    )
    canvas.disc(centre, radius * 0.22, ink)


PIPS: dict[Pip, Callable[[Canvas, Point, float, Dots, Colour], None]] = {
    Pip.RINGS: _rings,
    Pip.DISC: _disc,
    Pip.EYE: _eye,
    Pip.CROSS: _cross,
    Pip.FLOWER: _flower,
    Pip.SPOKES: _spokes,
    Pip.SPIRAL: _spiral,
    Pip.STAR: _star,
}


def draw_one(canvas: Canvas, style: Dots, inks: tuple[Colour, Colour, Colour]) -> None:
    """The large ornament of 1 dots, of six kinds from plain rings to a flower."""
    centre, radius = (FACE_W / 2, FACE_H / 2), style.big_radius
    a, b, c = inks
    line = radius * style.line * 0.4
    if style.big_kind == 0:
        for share, ink in ((1.0, a), (0.72, b), (0.42, c)):
            canvas.ring(centre, radius * share, line * 1.6, ink)
        canvas.disc(centre, radius * 0.12, c)
    elif style.big_kind == 1:
        _petals(canvas, centre, radius, style, a, line)
        canvas.ring(centre, radius * 0.55, line, a)
        canvas.ring(centre, radius * 0.42, line, c)
        PIPS[style.pip](canvas, centre, radius * 0.3, style, c)
    elif style.big_kind == 2:
        canvas.disc(centre, radius, a)
        canvas.ring(centre, radius * 0.92, line * 0.6, None)
        for petal in range(style.big_petals):
            angle = 360 * petal / style.big_petals
            size = (radius * 0.15, radius * 1.4 / style.big_petals)
            canvas.polygon(ellipse_points(polar(centre, radius * 0.66, angle), size, angle, 12), None)
        canvas.disc(centre, radius * 0.42, None)
        canvas.disc(centre, radius * 0.36, c)
        _cross(canvas, centre, radius * 0.34, style, c)
    elif style.big_kind == 3:
        canvas.ring(centre, radius, line, a)
        canvas.ring(centre, radius * 0.86, line, a)
        for spoke in range(style.big_petals):
            angle = 360 * spoke / style.big_petals
            canvas.line(
                [polar(centre, radius * 0.5, angle), polar(centre, radius * 0.82, angle)], line * 0.8, b
            )
        canvas.ring(centre, radius * 0.5, line, b)
        PIPS[style.pip](canvas, centre, radius * 0.36, style, c)
    elif style.big_kind == 4:
        canvas.ring(centre, radius, radius * 0.2, a)
        wave = [polar(centre, radius * (0.66 + 0.06 * (i % 2)), 360 * i / 40) for i in range(40)]
        canvas.line(smooth_curve(wave, 4, closed=True), line, b, closed=True)
        canvas.ring(centre, radius * 0.5, radius * 0.1, b)
        canvas.ring(centre, radius * 0.34, radius * 0.1, c)
        canvas.disc(centre, radius * 0.12, c)
    else:
        PIPS[style.pip](canvas, centre, radius, style, a)
        canvas.disc(centre, radius * 0.42, None)
        PIPS[style.pip](canvas, centre, radius * 0.36, style, c)


def _petals(canvas: Canvas, centre: Point, radius: float, style: Dots, ink: Colour, line: float) -> None:
    for petal in range(style.big_petals):
        angle = 360 * petal / style.big_petals
        size = (radius * 0.2, radius * 2.1 / style.big_petals)
        canvas.shape(ellipse_points(polar(centre, radius * 0.78, angle), size, angle, 14), None, ink, line)
