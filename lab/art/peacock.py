"""Peacocks of 1 bamboo as Japanese sets engrave them: thin lines, hatched wings, a raised tail full of rings,
red legs. Four postures, each put together at random."""

from __future__ import annotations

import math

import numpy as np

from lab.art.canvas import FACE_H, FACE_W, Canvas, Colour, Point, ellipse_points, polar, smooth_curve

Inks = tuple[Colour, Colour, Colour]
Rng = np.random.Generator
MIDDLE = FACE_W / 2


def draw_peacock(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """Paint a peacock about the middle of the face; inks: of its body, its tail and its legs."""
    thin = min(line, 2.0) * float(rng.uniform(0.45, 0.8))
    (draw_crowned, draw_crowned, draw_sweeping, draw_wheel, draw_perched)[int(rng.integers(5))](
        canvas, rng, inks, thin
    )


def draw_crowned(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """Seen from the front: the tail raised above it, wings held out to both sides."""
    body, tail, legs = inks
    waist = (MIDDLE + float(rng.uniform(-2, 2)), float(rng.uniform(54, 60)))
    axes = (float(rng.uniform(15, 25)), float(rng.uniform(13, 21)))
    top = (waist[0], waist[1] - 6 - axes[1])
    full = rng.random() < 0.6
    _draw_tail(canvas, rng, top, axes, (tail, body), line, full, upright=rng.random() < 0.4)
    for side in (-1, 1):
        _draw_held_wing(canvas, rng, waist, side, body, line)
    _draw_breast(canvas, rng, waist, float(rng.uniform(6, 9)), float(rng.uniform(10, 15)), body, line)
    facing = 1 if rng.random() < 0.5 else -1
    _draw_head(canvas, rng, (waist[0] + facing * 2, waist[1] - float(rng.uniform(5, 9))), facing, inks, line)
    _draw_feet(canvas, rng, (waist[0], waist[1] + 12), legs, line)


def draw_sweeping(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """Seen from aside: the body low, a long train swept up or down behind it."""
    body, tail, legs = inks
    facing = 1 if rng.random() < 0.5 else -1
    down = rng.random() < 0.35
    breast = (MIDDLE + facing * 12, 46.0 if down else 62.0)
    lean = float(rng.uniform(35, 60)) if down else -float(rng.uniform(35, 72))
    long = float(rng.uniform(34, 46))
    turn = 180 - lean if facing > 0 else lean
    middle = polar(breast, long * 0.8, turn)
    train, full = (long * 0.72, float(rng.uniform(9, 15))), bool(rng.random() < 0.4)
    _draw_tail(canvas, rng, middle, train, (tail, body), line, full, turn=turn)
    around = ellipse_points(breast, (13.0, 8.5), turn, 24)
    canvas.shape(around, None if rng.random() < 0.6 else body, body, line)
    _draw_scales(canvas, rng, breast, (11.0, 7.0), turn, body if rng.random() < 0.6 else tail, line)
    neck = polar(breast, 9.0, turn + 180)
    crown = (neck[0] + facing * float(rng.uniform(2, 7)), neck[1] - float(rng.uniform(11, 18)))
    throat = smooth_curve([neck, (neck[0] + facing * 5, (neck[1] + crown[1]) / 2), crown], 8)
    canvas.line(throat, line * 4.5, body)
    canvas.line(throat, line * 2.0, None)
    _draw_head(canvas, rng, crown, facing, inks, line)
    _draw_feet(canvas, rng, (breast[0] - facing * 2, breast[1] + 8), legs, line)
    if rng.random() < 0.4:
        y = breast[1] + 25
        canvas.line(smooth_curve([(12, y), (30, y - 2), (48, y + 2), (64, y - 1)], 6), line * 1.6, legs)


def draw_wheel(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """The tail spread to a wheel of feathers, the bird before it."""
    body, tail, legs = inks
    root = (MIDDLE, float(rng.uniform(58, 68)))
    reach, spread = float(rng.uniform(30, 38)), float(rng.uniform(70, 120))
    count = int(rng.integers(9, 18))
    for k in range(count):
        angle = -90 + spread * (2 * k / (count - 1) - 1)
        long = reach * (1 - 0.12 * abs(2 * k / (count - 1) - 1))
        canvas.line([root, polar(root, long, angle)], line, (tail, body)[k % 2 if rng.random() < 0.5 else 0])
        for share in (1.0, 0.72, 0.48)[: int(rng.integers(2, 4))]:
            spot = polar(root, long * share, angle)
            size = 3.2 * share + 0.6
            canvas.disc(spot, size, None)
            canvas.ring(spot, size, line, tail)
            canvas.disc(spot, size * 0.4, body)
    _draw_breast(canvas, rng, (root[0], root[1] + 2), 8.0, 14.0, body, line)
    facing = 1 if rng.random() < 0.5 else -1
    _draw_head(canvas, rng, (root[0] + facing * 3, root[1] - 15), facing, inks, line)
    _draw_feet(canvas, rng, (root[0], root[1] + 15), legs, line)


def draw_perched(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """A small bird, as a sparrow, on a branch of bamboo with leaves."""
    body, tail, legs = inks
    facing = 1 if rng.random() < 0.5 else -1
    breast = (MIDDLE + facing * 2, float(rng.uniform(48, 56)))
    turn = 90 + facing * float(rng.uniform(25, 60))
    for k in range(int(rng.integers(3, 6))):
        tip = polar(breast, float(rng.uniform(26, 36)), turn + (k - 2) * 6)
        canvas.line([polar(breast, 8, turn), tip], line * 1.4, (tail, body)[k % 2])
    around = ellipse_points(breast, (15.0, 10.5), turn, 24)
    canvas.shape(around, None if rng.random() < 0.5 else tail, body, line * 1.2)
    _draw_scales(canvas, rng, polar(breast, 3, turn), (10.0, 6.5), turn, body, line)
    crown = polar(breast, 17, turn + 180 + facing * 12)
    _draw_head(canvas, rng, crown, facing, inks, line)
    _draw_feet(canvas, rng, (breast[0], breast[1] + 9), legs, line, 9.0)
    y = breast[1] + 20
    branch = smooth_curve([(8, y + 3), (28, y), (50, y + 2), (68, y - 4)], 6)
    canvas.line(branch, line * 2.4, legs if rng.random() < 0.5 else tail)
    for _ in range(int(rng.integers(2, 9))):
        spot = branch[int(rng.integers(len(branch)))]
        angle = float(rng.uniform(0, 360))
        canvas.shape(ellipse_points(polar(spot, 7, angle), (7, 1.8), angle, 14), tail, tail, line * 0.5)


def _draw_tail(
    canvas: Canvas,
    rng: Rng,
    centre: Point,
    axes: Point,
    inks: tuple[Colour, Colour],
    line: float,
    full: bool,
    *,
    upright: bool = False,
    turn: float = 0.0,
) -> None:
    """A tail: an oval full of rings in rows, on paint or not, with a smooth or a lobed rim."""
    tail, second = inks
    if upright:
        axes = (axes[1], axes[0])
    around = ellipse_points(centre, axes, turn, 40)
    lobed = rng.random() < 0.5
    ring = float(rng.uniform(1.9, 3.4))
    if lobed:
        for spot in around[:: max(1, round(40 * ring * 2.1 / (3.14 * (axes[0] + axes[1]))))]:
            canvas.disc(spot, ring * 1.15, tail if full else None)
            canvas.ring(spot, ring * 1.15, line, tail)
    canvas.shape(around, tail if full else None, None if lobed else tail, line)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    step = ring * 2.15
    rows = int(axes[1] / step) + 1
    for row in range(-rows, rows + 1):
        v = row * step * 0.87
        for column in range(-20, 21):
            u = (column + (row % 2) / 2) * step
            if (u / (axes[0] - ring * 0.7)) ** 2 + (v / max(1.0, axes[1] - ring * 0.7)) ** 2 > 1:
                continue
            spot = (centre[0] + u * c - v * s, centre[1] + u * s + v * c)
            canvas.ring(spot, ring, line, None if full else tail)
            if rng.random() < 0.9:
                canvas.disc(spot, ring * 0.4, None if full else second)


def _draw_held_wing(canvas: Canvas, rng: Rng, waist: Point, side: int, ink: Colour, line: float) -> None:
    """A wing held out: an outline with hatching across it, or a row of quills."""
    reach, drop = float(rng.uniform(19, 27)), float(rng.uniform(-5, 8))
    root, tip = (waist[0] + side * 5, waist[1] - 3), (waist[0] + side * reach, waist[1] + drop)
    foot = (waist[0] + side * 6, waist[1] + float(rng.uniform(7, 13)))
    bend = (waist[0] + side * reach * 0.5, waist[1] - float(rng.uniform(5, 10)))
    wing = smooth_curve([root, bend, tip, foot], 6, closed=True)
    canvas.shape(wing, ink if rng.random() < 0.25 else None, ink, line)
    for k in range(1, int(rng.integers(4, 8))):
        share = k / 8
        upper = (bend[0] + (tip[0] - bend[0]) * share, bend[1] + (tip[1] - bend[1]) * share)
        lower = (root[0] + (foot[0] - root[0]) * (1 - share), root[1] + (foot[1] - root[1]) * (1 - share))
        canvas.line([lower, upper], line * 0.9, ink)
    for k in range(1, int(rng.integers(2, 6))):
        share = k / 6
        start = (root[0] + (bend[0] - root[0]) * share, root[1] + (bend[1] - root[1]) * share)
        end = (foot[0] + (tip[0] - foot[0]) * share, foot[1] + (tip[1] - foot[1]) * share)
        canvas.line([start, end], line * 0.8, ink)


def _draw_breast(
    canvas: Canvas, rng: Rng, at: Point, wide: float, high: float, ink: Colour, line: float
) -> None:
    """A body from the front: an egg, plain, hatched, or painted."""
    egg = ellipse_points((at[0], at[1] + high * 0.2), (wide, high), 0, 24)
    canvas.shape(egg, ink if rng.random() < 0.3 else None, ink, line)
    for k in range(int(rng.integers(0, 5))):
        y = at[1] - high * 0.2 + k * 3.2
        canvas.line(
            smooth_curve([(at[0] - wide * 0.6, y), (at[0], y + 2.2), (at[0] + wide * 0.6, y)], 4),
            line * 0.8,
            ink,
        )


def _draw_scales(
    canvas: Canvas, rng: Rng, at: Point, axes: Point, turn: float, ink: Colour, line: float
) -> None:
    """A folded wing: scales in rows and quills behind."""
    for row in range(int(rng.integers(2, 5))):
        for column in range(3):
            spot = polar(
                polar(at, (row - 1.5) * axes[0] * 0.4, turn), (column - 1) * axes[1] * 0.55, turn + 90
            )
            canvas.line([polar(spot, 2.6, turn + bend) for bend in (-80, -40, 0, 40, 80)], line * 0.8, ink)
    for k in range(3):
        start = polar(at, (k - 1) * axes[1] * 0.5, turn + 90)
        canvas.line([polar(start, axes[0] * 0.5, turn), polar(start, axes[0] * 1.2, turn)], line * 0.9, ink)


def _draw_head(canvas: Canvas, rng: Rng, at: Point, facing: int, inks: Inks, line: float) -> None:
    """A small head with beak, eye and a crest of pins."""
    body, tail, legs = inks
    size = float(rng.uniform(3.4, 5.2))
    ahead = 0.0 if facing > 0 else 180.0
    beak = [
        polar(at, size * 0.9, ahead - 35),
        polar(at, size * 2.1, ahead + facing * 12),
        polar(at, size * 0.9, ahead + 35),
    ]
    canvas.polygon(beak, legs if rng.random() < 0.6 else body)
    filled = rng.random() < 0.6
    canvas.disc(at, size, body if filled else None)
    canvas.ring(at, size, line, body)
    canvas.disc(polar(at, size * 0.3, ahead), size * 0.33, None if filled else body)
    for k in range(int(rng.integers(0, 5))):
        angle = -90 - facing * 25 + (k - 1.5) * 20
        tip = polar(at, size * float(rng.uniform(1.8, 2.5)), angle)
        canvas.line([polar(at, size, angle), tip], line * 0.8, body)
        canvas.disc(tip, line * 1.1, tail)


def _draw_feet(canvas: Canvas, rng: Rng, at: Point, ink: Colour, line: float, high: float = 0.0) -> None:
    """Two thin legs with toes."""
    high = high or float(rng.uniform(9, 16))
    for side in (-1, 1):
        hip = (at[0] + side * 3.5, at[1])
        foot = (hip[0] + side * float(rng.uniform(0, 3)), min(FACE_H - 4, at[1] + high))
        canvas.line([hip, foot], line * 1.3, ink)
        for toe in (-3.2, 0.0, 3.2):
            canvas.line([foot, (foot[0] + toe, foot[1] + 2.4)], line, ink)
