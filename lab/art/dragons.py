"""The pictured dragons of American sets, which stand for the Green and the Red dragon and differ by colour
alone.
"""

from __future__ import annotations

import math

import numpy as np

from lab.art.canvas import Canvas, Colour, Point, polar, smooth_curve

# these two keep their colours in every scheme, since nothing else tells them apart
PICTURE_PAINTS: dict[int, Colour] = {6: (58, 104, 24), 7: (44, 36, 176)}


def draw_dragon(canvas: Canvas, seed: int, ink: Colour, line: float) -> None:
    """Paint a winding dragon; the same seed gives the same one."""
    rng = np.random.default_rng(seed)
    side = 1 if rng.random() < 0.5 else -1
    turns = int(rng.integers(2, 4))
    swing = float(rng.uniform(11, 18))
    spine = [
        (37.5 + side * swing * math.cos(math.pi * k / 2), 18.0 + 74.0 * k / (2 * turns))
        for k in range(2 * turns + 1)
    ]
    body = smooth_curve(spine, 10)
    outlined = rng.random() < 0.6
    girth = float(rng.uniform(3.6, 6.0))
    for spot, angle in _limbs(rng, body):
        _leg(canvas, rng, spot, angle, ink, line)
    _tube(canvas, body, girth, ink)
    if outlined:
        _tube(canvas, body, girth - line, None)
    for i in range(2, len(body) - 2, 2):
        (x0, y0), (x1, y1) = body[i], body[i + 1]
        across = math.degrees(math.atan2(y1 - y0, x1 - x0)) + 90
        radius = girth * (1 - 0.75 * i / len(body))
        canvas.line(
            [polar(body[i], radius * 0.7, across), polar(body[i], -radius * 0.7, across)],
            line * 0.6,
            ink if outlined else None,
        )
        canvas.line(
            [polar(body[i], radius, across), polar(body[i], radius + 3, across - 25)], line * 0.9, ink
        )
    _head(canvas, rng, body[0], girth * 1.5, side, ink, line)
    canvas.fit((4.0, 3.0, 67.0, 94.0), float(rng.uniform(0.85, 1.0)))


def _tube(canvas: Canvas, body: list[Point], girth: float, ink: Colour | None) -> None:
    for i, spot in enumerate(body):
        canvas.disc(spot, max(0.4, girth * (1 - 0.75 * i / len(body))), ink)
    for i in range(len(body) - 1):
        canvas.line(body[i : i + 2], max(0.6, 2 * girth * (1 - 0.75 * i / len(body))), ink)


def _limbs(rng: np.random.Generator, body: list[Point]) -> list[tuple[Point, float]]:
    places = [int(len(body) * share) for share in (0.2, 0.4, 0.6, 0.78)]
    return [(body[i], float(rng.choice([0.0, 180.0]) + rng.uniform(-40, 40))) for i in places]


def _leg(
    canvas: Canvas, rng: np.random.Generator, spot: Point, angle: float, ink: Colour, line: float
) -> None:
    knee = polar(spot, 9, angle)
    foot = polar(knee, 6, angle + float(rng.uniform(-60, 60)))
    canvas.line([spot, knee, foot], line * 1.8, ink)
    for turn in (-35, 0, 35):
        canvas.line([foot, polar(foot, 4.5, angle + turn)], line * 0.8, ink)


def _head(
    canvas: Canvas, rng: np.random.Generator, spot: Point, size: float, side: int, ink: Colour, line: float
) -> None:
    ahead = 0.0 if side < 0 else 180.0
    jaw = float(rng.uniform(12, 30))
    canvas.disc(spot, size, ink)
    for turn in (-jaw, jaw):
        canvas.line([spot, polar(spot, size * 1.9, ahead + turn)], size * 0.7, ink)
    canvas.disc(polar(spot, size * 0.35, -70), size * 0.28, None)
    for k in range(3):
        start = polar(spot, size * 0.8, ahead + 180 + 35 * (k - 1))
        canvas.line(
            smooth_curve(
                [start, polar(start, size * 0.9, ahead + 180 + 30 * (k - 1)), polar(start, size * 1.6, -90)],
                5,
            ),
            line,
            ink,
        )
    for turn in (-50, 50):
        end = polar(spot, size * 2.6, ahead + turn)
        canvas.line(
            smooth_curve([polar(spot, size * 1.6, ahead), polar(spot, size * 2.2, ahead + turn / 2), end], 5),
            line * 0.6,
            ink,
        )
