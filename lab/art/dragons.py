"""The pictured dragons of American sets, which differ by colour alone; and the White dragon: nothing, frames
of many kinds, or a frame around a letter.
"""

from __future__ import annotations

import math

import numpy as np

from lab.art.canvas import FACE_H, FACE_W, Canvas, Colour, Point, polar, smooth_curve
from lab.art.glyphs import Writing, make_glyph
from lab.art.style import WhiteDragon

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


def draw_white(
    canvas: Canvas,
    kind: WhiteDragon,
    margin: float,
    line: float,
    letter: str,
    font: int,
    ink: Colour,
    inner_ink: Colour,
    letter_ink: Colour,
) -> None:
    """Paint a White dragon; margin and line are face units."""
    if kind is WhiteDragon.BLANK:
        return
    if kind is WhiteDragon.GLYPH:
        _letter(canvas, "白", font, 52, ink)
        return
    left, top, right, bottom = margin, margin, FACE_W - margin, FACE_H - margin
    inset = max(2.2 * line, 4.0)
    canvas.line(_round_box(left, top, right, bottom, line), line, ink, closed=True)
    inner = (left + inset, top + inset, right - inset, bottom - inset)
    thin = line * 0.6
    if kind is WhiteDragon.DOUBLE:
        canvas.line(_box(*inner), thin, inner_ink, closed=True)
    elif kind is WhiteDragon.CUT_CORNERS:
        _cut(canvas, inner, thin, inner_ink)
    elif kind is WhiteDragon.ORNAMENT:
        _ornament(canvas, (left, top, right, bottom), line, inner_ink)
    elif kind is WhiteDragon.TRELLIS:
        _trellis(canvas, (left, top, right, bottom), max(7.0, 2 * inset), thin, ink)
    elif kind is WhiteDragon.BLOCKS:
        _blocks(canvas, (left, top, right, bottom), max(6.0, 1.6 * inset), thin, ink)
    if letter:
        _letter(canvas, letter, font, 24, letter_ink)


Box = tuple[float, float, float, float]


def _box(left: float, top: float, right: float, bottom: float) -> list[Point]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _round_box(left: float, top: float, right: float, bottom: float, r: float) -> list[Point]:
    return [
        (left + r, top),
        (right - r, top),
        (right, top + r),
        (right, bottom - r),
        (right - r, bottom),
        (left + r, bottom),
        (left, bottom - r),
        (left, top + r),
    ]


def _cut(canvas: Canvas, box: Box, line: float, ink: Colour) -> None:
    left, top, right, bottom = box
    c = 0.16 * (right - left)
    notched = [
        (left + c, top),
        (right - c, top),
        (right - c, top + c),
        (right, top + c),
        (right, bottom - c),
        (right - c, bottom - c),
        (right - c, bottom),
        (left + c, bottom),
        (left + c, bottom - c),
        (left, bottom - c),
        (left, top + c),
        (left + c, top + c),
    ]
    bevelled = [p for i, p in enumerate(notched) if i not in (2, 5, 8, 11)]
    canvas.line(bevelled, line, ink, closed=True)
    for x, dx in ((left, 1), (right, -1)):
        for y, dy in ((top, 1), (bottom, -1)):
            canvas.line(
                [
                    (x + dx * c * 0.1, y + dy * c * 0.6),
                    (x + dx * c * 0.1, y + dy * c * 0.1),
                    (x + dx * c * 0.6, y + dy * c * 0.1),
                ],
                line,
                ink,
            )


def _ornament(canvas: Canvas, box: Box, line: float, ink: Colour) -> None:
    left, top, right, bottom = box
    size = 0.26 * (right - left)
    for x, dx in ((left, 1), (right, -1)):
        for y, dy in ((top, 1), (bottom, -1)):
            for step in (0.35, 0.62):
                canvas.line(
                    [
                        (x + dx * size * step, y),
                        (x + dx * size * step, y + dy * size * step),
                        (x, y + dy * size * step),
                    ],
                    line * 0.7,
                    ink,
                )
            canvas.disc((x + dx * size * 0.85, y + dy * size * 0.85), line * 0.9, ink)
            canvas.ring((x + dx * size * 0.5, y + dy * size * 1.35), size * 0.24, line * 0.6, ink)
            canvas.ring((x + dx * size * 1.35, y + dy * size * 0.5), size * 0.24, line * 0.6, ink)


def _trellis(canvas: Canvas, box: Box, band: float, line: float, ink: Colour) -> None:
    left, top, right, bottom = box
    canvas.line(_box(left + band, top + band, right - band, bottom - band), line, ink, closed=True)
    for count, start, end in (
        (6, (left, top), (right, top + band)),
        (6, (left, bottom - band), (right, bottom)),
        (9, (left, top), (left + band, bottom)),
        (9, (right - band, top), (right, bottom)),
    ):
        wide = end[0] - start[0] > end[1] - start[1]
        zigzag = []
        for i in range(count + 1):
            share, side = i / count, float(i % 2)
            fx, fy = (share, side) if wide else (side, share)
            zigzag.append((start[0] + (end[0] - start[0]) * fx, start[1] + (end[1] - start[1]) * fy))
        canvas.line(zigzag, line, ink)


def _blocks(canvas: Canvas, box: Box, band: float, line: float, ink: Colour) -> None:
    left, top, right, bottom = box
    canvas.line(_box(left + band, top + band, right - band, bottom - band), line, ink, closed=True)
    gap = 0.3 * band
    for y0, y1 in ((top, top + band), (bottom - band, bottom)):
        middle = (left + right) / 2
        for x0, x1 in ((left, middle), (middle, right)):
            canvas.line(_box(x0 + gap, y0 + gap, x1 - gap, y1 - gap), line, ink, closed=True)
    step = (bottom - top - 2 * band) / 3
    for x0, x1 in ((left, left + band), (right - band, right)):
        for k in range(3):
            y = top + band + k * step
            canvas.line(_box(x0 + gap, y + gap, x1 - gap, y + step - gap), line, ink, closed=True)


def _letter(canvas: Canvas, letter: str, font: int, size: float, ink: Colour) -> None:
    mask = make_glyph(letter, Writing.KAI if letter == "白" else Writing.LATIN, font)
    h, w = mask.shape
    scale = size / max(h, w)
    canvas.stamp(mask, ((FACE_W - w * scale) / 2, (FACE_H - h * scale) / 2, w * scale, h * scale), ink)
