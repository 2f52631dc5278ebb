"""The bird of 1 bamboo, put together at random: a posture, a build, a tail of one of six kinds, a wing, a
perch.

It is drawn in a frame of its own, with the body along the x axis and the head on the right, and then
turned onto the face.
"""

from __future__ import annotations

import math

import numpy as np

from lab.art.canvas import FACE_H, FACE_W, Canvas, Colour, Point, ellipse_points, polar, smooth_curve
from lab.art.fowl import draw_fowl, draw_soaring, draw_swimming
from lab.art.peacock import draw_peacock
from lab.art.pictured import draw_pictured, load_bird_pictures
from lab.art.style import Bamboo

PICTURED_SHARE = 0.4  # of birds that come from pictures, where there are any
PEACOCK_SHARE = 0.4  # of the others, in sets that are not Japanese
FOWL_SHARE = 0.6  # of the others that are drawn by lab.art.fowl
ROOM = 0.7  # these stray beyond the face before they are fitted in
Inks = tuple[Colour, Colour, Colour]
Rng = np.random.Generator


class _Pose:
    """Turns points of the bird's own frame (about 100 long) onto the face."""

    def __init__(self, lift: float, facing: int, size: float) -> None:
        self.lift, self.facing, self.size = math.radians(lift), facing, size

    def at(self, x: float, y: float) -> Point:
        c, s = math.cos(self.lift), math.sin(self.lift)
        across = (x * c + y * s) * self.facing
        return FACE_W / 2 + across * self.size, FACE_H / 2 + (y * c - x * s) * self.size

    def all(self, points: list[Point]) -> list[Point]:
        return [self.at(x, y) for x, y in points]


def draw_bird(canvas: Canvas, seed: int, inks: Inks, style: Bamboo) -> None:
    """Paint a bird of the style that fills the face; the same seed gives the same bird."""
    rng, line = np.random.default_rng(seed), style.line
    canvas.zoom = ROOM
    if style.unseen_bird:
        draw_swimming(canvas, rng, inks, line)
    elif style.peacock:
        draw_peacock(canvas, rng, inks, line)
    elif style.soaring:
        draw_soaring(canvas, rng, inks, line)
    elif load_bird_pictures() and rng.random() < PICTURED_SHARE:
        draw_pictured(canvas, rng, inks, line)
    elif rng.random() < PEACOCK_SHARE:
        draw_peacock(canvas, rng, inks, line)
    elif rng.random() < FOWL_SHARE:
        draw_fowl(canvas, rng, inks, line)
    else:
        canvas.zoom = 1.0
        _compose(canvas, rng, inks, line)
    canvas.zoom = 1.0
    canvas.fit((2.0, 4.0, 71.0, 92.0), float(rng.uniform(0.82, 1.03)))


def _compose(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    tail = int(rng.integers(6))
    lift = float(rng.uniform(30, 80))
    if tail == 1:
        lift = float(rng.uniform(5, 40))
    pose = _Pose(lift, 1 if rng.random() < 0.5 else -1, float(rng.uniform(0.62, 0.7)))
    body_ink, tail_ink, wing_ink = inks
    outlined = rng.random() < 0.55
    edge = line if outlined else line * 0.5
    length, girth = float(rng.uniform(19, 26)), float(rng.uniform(8, 13))
    if rng.random() < 0.6:
        _perch(canvas, rng, body_ink if rng.random() < 0.5 else tail_ink, line)
    _tail(canvas, pose, rng, tail, length, tail_ink, wing_ink, line)
    spread = rng.random() < 0.35
    if spread:
        _spread_wings(canvas, pose, rng, length, girth, (wing_ink, tail_ink), line, outlined)
    neck = float(rng.uniform(2, 14))
    body = smooth_curve(
        [
            (-length, 0),
            (-length * 0.4, -girth),
            (length * 0.6, -girth * 0.9),
            (length + neck, -girth * 0.5),
            (length + neck, girth * 0.15),
            (length * 0.5, girth),
            (-length * 0.4, girth * 0.8),
        ],
        6,
        closed=True,
    )
    canvas.shape(pose.all(body), None if outlined else body_ink, body_ink, edge)
    if not spread:
        _wing(canvas, pose, rng, length, girth, wing_ink, line, outlined)
    elif rng.random() < 0.6:
        _breast(canvas, pose, rng, (length, girth), line, wing_ink if outlined else None)
    _head(canvas, pose, rng, length + neck, girth, inks, edge, outlined)
    _legs(canvas, pose, rng, girth, wing_ink, line)


def _head(
    canvas: Canvas,
    pose: _Pose,
    rng: Rng,
    x: float,
    girth: float,
    inks: Inks,
    edge: float,
    outlined: bool,
) -> None:
    radius = girth * float(rng.uniform(0.6, 0.85))
    head_ink = inks[int(rng.integers(3))]
    centre = pose.at(x + radius * 0.4, -radius * 0.4)
    size = radius * pose.size
    bend = float(rng.uniform(-35, 60))
    beak = float(rng.uniform(0.7, 1.8)) * radius
    tip = (
        x + radius * 0.4 + (radius + beak) * math.cos(math.radians(bend)),
        -radius * 0.4 + (radius + beak) * math.sin(math.radians(bend)),
    )
    base = [
        (
            x + radius * 0.4 + radius * 0.9 * math.cos(math.radians(bend + d)),
            -radius * 0.4 + radius * 0.9 * math.sin(math.radians(bend + d)),
        )
        for d in (-32, 32)
    ]
    canvas.polygon(pose.all([base[0], tip, base[1]]), inks[int(rng.integers(3))])
    canvas.disc(centre, size, None)
    if outlined:
        canvas.ring(centre, size, edge, head_ink)
        canvas.disc(centre, size * 0.32, head_ink)
    else:
        canvas.disc(centre, size, head_ink)
        canvas.disc(centre, size * 0.42, None)
        canvas.disc(centre, size * 0.22, head_ink)
    for feather in range(int(rng.integers(0, 4))):
        angle = bend - 100 - 28 * feather
        start = (
            x + radius * 0.4 + radius * math.cos(math.radians(angle)),
            -radius * 0.4 + radius * math.sin(math.radians(angle)),
        )
        reach = radius * float(rng.uniform(0.6, 1.3))
        end = (
            start[0] + reach * math.cos(math.radians(angle - 20)),
            start[1] + reach * math.sin(math.radians(angle - 20)),
        )
        canvas.line([pose.at(*start), pose.at(*end)], edge * 1.1, inks[1])
        if rng.random() < 0.4:
            canvas.disc(pose.at(*end), edge * 1.1, inks[1])


def _tail(
    canvas: Canvas,
    pose: _Pose,
    rng: Rng,
    kind: int,
    length: float,
    ink: Colour,
    second: Colour,
    line: float,
) -> None:
    root, reach = (-length * 0.8, 0.0), float(rng.uniform(24, 42))
    if kind == 0:  # long straight feathers
        for k in range(int(rng.integers(2, 6))):
            spread = float(rng.uniform(-9, 9))
            points = smooth_curve([root, (root[0] - reach * 0.5, spread * 0.4), (root[0] - reach, spread)], 6)
            canvas.line(pose.all(points), line * float(rng.uniform(0.9, 2.2)), (ink, second)[k % 2])
    elif kind == 1:  # a peacock's train with eyes
        centre = pose.at(-length - 10, 4)
        size = float(rng.uniform(14, 21)) * pose.size
        canvas.shape(
            ellipse_points(centre, (size * 1.25, size * 0.8), float(rng.uniform(20, 70)) * pose.facing),
            None,
            ink,
            line,
        )
        for _ in range(int(rng.integers(6, 13))):
            eye = polar(centre, size * float(rng.uniform(0.1, 0.8)), float(rng.uniform(0, 360)))
            canvas.ring(eye, 2.4, 0.9, ink)
            canvas.disc(eye, 0.9, second)
    elif kind == 2:  # a filled wedge with notches
        wide = float(rng.uniform(5, 10))
        tip = root[0] - reach
        canvas.shape(
            pose.all([root, (tip, -wide * 0.5), (tip + 6, 0), (tip - 4, wide * 0.7)]), ink, ink, line * 0.6
        )
        for k in range(3):
            x = root[0] - reach * (0.25 + 0.2 * k)
            canvas.line(pose.all([(x, -2.5), (x - 4, 0), (x, 2.5)]), line * 0.7, None)
    elif kind == 3:  # a swallow's fork
        for side in (-1, 1):
            points = smooth_curve(
                [
                    root,
                    (root[0] - reach * 0.5, side * 3),
                    (root[0] - reach, side * float(rng.uniform(7, 14))),
                ],
                6,
            )
            canvas.line(pose.all(points), line * 1.8, ink)
    elif kind == 4:  # curling plumes
        for k in range(int(rng.integers(2, 5))):
            drop = (k - 1) * 8.0
            points = smooth_curve(
                [
                    root,
                    (root[0] - reach * 0.4, drop - 6),
                    (root[0] - reach * 0.9, drop),
                    (root[0] - reach, drop + 9),
                    (root[0] - reach * 0.8, drop + 9),
                ],
                6,
            )
            canvas.line(pose.all(points), line * 1.2, (ink, second)[k % 2])
    else:  # a fan of leaf-shaped feathers
        for k in range(5):
            angle = 180 + (k - 2) * float(rng.uniform(9, 14))
            middle = polar(root, reach * 0.6, angle)
            feather = ellipse_points(middle, (reach * 0.42, 3.6), angle, 16)
            canvas.shape(pose.all(feather), None if k % 2 else ink, ink, line * 0.8)


def _wing(
    canvas: Canvas,
    pose: _Pose,
    rng: Rng,
    length: float,
    girth: float,
    ink: Colour,
    line: float,
    outlined: bool,
) -> None:
    raised = rng.random() < 0.25
    shoulder = (length * 0.45, -girth * 0.2)
    reach = float(rng.uniform(0.9, 1.4)) * length
    rise = float(rng.uniform(-28, -16)) if raised else float(rng.uniform(0.1, 0.8)) * girth
    tip = (shoulder[0] - reach, rise)
    wing = smooth_curve(
        [
            shoulder,
            (shoulder[0] - reach * 0.3, min(rise, -girth * 0.6)),
            tip,
            (shoulder[0] - reach * 0.5, girth * 0.55 if not raised else rise * 0.3),
        ],
        6,
        closed=True,
    )
    canvas.shape(pose.all(wing), None if outlined or rng.random() < 0.5 else ink, ink, line)
    for k in range(int(rng.integers(2, 5))):
        share = 0.25 + 0.17 * k
        start = (shoulder[0] - reach * share * 0.6, shoulder[1] + (rise - shoulder[1]) * share * 0.4)
        end = (shoulder[0] - reach * (0.35 + share * 0.6), rise * (0.5 + 0.5 * share))
        canvas.line(pose.all([start, end]), line * 0.7, ink if outlined else None)


def _spread_wings(
    canvas: Canvas,
    pose: _Pose,
    rng: Rng,
    length: float,
    girth: float,
    inks: tuple[Colour, Colour],
    line: float,
    outlined: bool,
) -> None:
    feathers = int(rng.integers(3, 6))
    reach, sweep = float(rng.uniform(17, 27)), float(rng.uniform(12, 22))
    lean = float(rng.uniform(70, 130))
    for side in (-1, 1):
        if side == 1 and rng.random() < 0.3:
            continue
        shoulder = (length * 0.4, side * girth * 0.6)
        for k in range(feathers):
            angle = side * (lean + (k - feathers / 2) * sweep)
            long = reach * (1 - 0.1 * abs(k - 1))
            feather = ellipse_points(
                polar(shoulder, long / 2, angle), (long / 2, 2.6 + 0.1 * long), angle, 16
            )
            ink = inks[k % 2] if feathers > 3 else inks[0]
            canvas.shape(pose.all(feather), None if outlined or k % 2 else ink, ink, line * 0.9)
            if outlined:
                canvas.line(pose.all([shoulder, polar(shoulder, long * 0.8, angle)]), line * 0.6, ink)


def _breast(canvas: Canvas, pose: _Pose, rng: Rng, size: Point, line: float, ink: Colour | None) -> None:
    length, girth = size
    for k in range(int(rng.integers(2, 6))):
        x = length * (0.55 - 0.28 * k)
        scale = [(x + 2, -girth * 0.45), (x - 2, 0.0), (x + 2, girth * 0.45)]
        canvas.line(pose.all(smooth_curve(scale, 5)), line * 0.7, ink)


def _legs(canvas: Canvas, pose: _Pose, rng: Rng, girth: float, ink: Colour, line: float) -> None:
    if rng.random() < 0.25:
        return
    for x in (-4.0, 3.0):
        hip = pose.at(x, girth * 0.7)
        foot = (hip[0] + float(rng.uniform(-3, 3)), min(94.0, hip[1] + float(rng.uniform(8, 16))))
        canvas.line([hip, foot], line * 0.8, ink)
        for dx in (-3.0, 3.0):
            canvas.line([foot, (foot[0] + dx, foot[1] + 1.5)], line * 0.7, ink)


def _perch(canvas: Canvas, rng: Rng, ink: Colour, line: float) -> None:
    y = float(rng.uniform(62, 82))
    tilt = float(rng.uniform(-10, 10))
    branch = smooth_curve([(10, y + tilt), (30, y - 1), (48, y + 2), (66, y - tilt)], 6)
    canvas.line(branch, line * float(rng.uniform(0.9, 1.8)), ink)
    for _ in range(int(rng.integers(0, 5))):
        spot = branch[int(rng.integers(len(branch)))]
        angle = float(rng.uniform(0, 360))
        canvas.polygon(ellipse_points(polar(spot, 4.5, angle), (4.5, 1.7), angle, 12), ink)
