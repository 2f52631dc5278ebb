"""Flower and season tiles: a plant put together at random, and in the upper corners a number, a character, a
word or two of these.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lab.art.canvas import FACE_W, Canvas, Colour, Point, ellipse_points, polar, smooth_curve
from lab.art.characters import NUMERALS, fit_size
from lab.art.glyphs import Writing, make_glyph
from lab.art.style import UNDER_LETTERING, Flowers, Inks, Lettering

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Brush:
    """What a plant is painted with."""

    leaf: Colour
    bloom: Colour
    third: Colour
    line: float
    filled: bool


def draw_plant(canvas: Canvas, kind: int, seed: int, brush: Brush, potted: bool) -> None:
    """Paint plant 1..4 (plum, orchid, chrysanthemum, bamboo) or season 5..8 below the corners' lettering."""
    rng = np.random.default_rng(seed)
    root = (float(rng.uniform(30, 45)), 93.0)
    if potted:
        root = (37.5, 78.0)
        _pot(canvas, rng, brush)
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.5, 0.2, 0.2, 0.1]))):
        _sprig(canvas, rng, (root[0] + _u(rng, -14, 14), root[1] - _u(rng, 0, 14)), brush)
    PLANTS[kind](canvas, rng, brush, root)


def _u(rng: Rng, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def _stem(canvas: Canvas, rng: Rng, root: Point, tip: Point, width: float, ink: Colour) -> list[Point]:
    bend = _u(rng, -9, 9)
    middle = ((root[0] + tip[0]) / 2 + bend, (root[1] + tip[1]) / 2 + bend * 0.4)
    points = smooth_curve([root, middle, tip], 8)
    canvas.line(points, width, ink)
    return points


def _leaf(
    canvas: Canvas, start: Point, length: float, angle: float, wide: float, brush: Brush, ink: Colour
) -> None:
    points = ellipse_points(polar(start, length / 2, angle), (length / 2, wide / 2), angle, 16)
    if brush.filled:
        canvas.polygon(points, ink)
    else:
        canvas.shape(points, None, ink, brush.line * 0.8)
        canvas.line([start, polar(start, length * 0.8, angle)], brush.line * 0.5, ink)


def _blade(
    canvas: Canvas, rng: Rng, root: Point, reach: float, angle: float, ink: Colour, width: float
) -> None:
    side = 1 if math.cos(math.radians(angle)) > 0 else -1
    middle = polar(root, reach * 0.6, angle)
    end = polar(root, reach, angle + side * _u(rng, 5, 40))
    points = smooth_curve([root, middle, end], 8)
    count = len(points)
    for i in range(count - 1):
        canvas.line(points[i : i + 2], max(0.6, width * (1 - (i / count) ** 2)), ink)


def _blossom(
    canvas: Canvas, rng: Rng, centre: Point, radius: float, petals: int, brush: Brush, ink: Colour
) -> None:
    start = _u(rng, 0, 360)
    pointed = petals > 7
    for petal in range(petals):
        angle = start + 360 * petal / petals
        half = min(radius * 0.45, radius * math.sin(math.pi / petals) * 0.75)
        points = ellipse_points(polar(centre, radius * 0.58, angle), (radius * 0.42, half), angle, 12)
        if brush.filled and not pointed:
            canvas.polygon(points, ink)
        else:
            canvas.shape(points, ink if brush.filled else None, ink, brush.line * 0.75)
    canvas.disc(centre, radius * 0.26, None if brush.filled else ink)
    canvas.ring(centre, radius * 0.26, brush.line * 0.7, brush.third if rng.random() < 0.3 else ink)


def _rose(canvas: Canvas, rng: Rng, centre: Point, radius: float, brush: Brush, ink: Colour) -> None:
    outline = [polar(centre, radius * (1.0 if i % 2 else 0.82), 36 * i) for i in range(10)]
    canvas.shape(smooth_curve(outline, 4, closed=True), ink if brush.filled else None, ink, brush.line)
    turns = [polar(centre, radius * 0.75 * (1 - i / 22), 50 * i) for i in range(18)]
    canvas.line(smooth_curve(turns, 3), brush.line * 0.8, None if brush.filled else ink)


def _lotus(canvas: Canvas, rng: Rng, centre: Point, radius: float, brush: Brush, ink: Colour) -> None:
    for angle in (-155, -25, -125, -55, -90):
        points = ellipse_points(
            polar(centre, radius * 0.62, angle), (radius * 0.62, radius * 0.28), angle, 16
        )
        canvas.shape(points, ink if brush.filled and angle % 2 else None, ink, brush.line * 0.9)
    canvas.line([polar(centre, radius * 0.4, 180), polar(centre, radius * 0.4, 0)], brush.line, ink)


def _plum(canvas: Canvas, rng: Rng, brush: Brush, root: Point) -> None:
    wood = brush.leaf if rng.random() < 0.6 else brush.third
    tip = (_u(rng, 22, 55), _u(rng, 30, 42))
    trunk = _stem(canvas, rng, root, tip, brush.line * 1.8, wood)
    for _ in range(int(rng.integers(2, 5))):
        start = trunk[int(rng.integers(2, len(trunk) - 2))]
        end = (float(np.clip(start[0] + _u(rng, -26, 26), 10, 65)), max(32.0, start[1] - _u(rng, 6, 24)))
        _stem(canvas, rng, start, end, brush.line, wood)
        for _ in range(2):
            spot = (
                start[0] + (end[0] - start[0]) * _u(rng, 0.3, 1),
                start[1] + (end[1] - start[1]) * _u(rng, 0.3, 1),
            )
            canvas.disc(spot, _u(rng, 1.4, 2.6), brush.bloom)
    for _ in range(int(rng.integers(1, 5))):
        spot = trunk[int(rng.integers(1, len(trunk)))]
        centre = (spot[0] + _u(rng, -12, 12), min(84.0, spot[1] + _u(rng, -4, 8)))
        _blossom(canvas, rng, centre, _u(rng, 5.5, 12), 5, brush, brush.bloom)


def _orchid(canvas: Canvas, rng: Rng, brush: Brush, root: Point) -> None:
    for k in range(int(rng.integers(4, 9))):
        angle = -90 + _u(rng, 15, 62) * (1 if k % 2 else -1)
        _blade(canvas, rng, root, _u(rng, 28, 56), angle, brush.leaf, brush.line * 2.4)
    for _ in range(int(rng.integers(1, 4))):
        tip = (_u(rng, 22, 54), _u(rng, 36, 58))
        _stem(canvas, rng, root, tip, brush.line * 0.8, brush.leaf)
        for angle in (-150, -90, -30, 40, 140):
            _leaf(canvas, tip, _u(rng, 6, 11), angle + _u(rng, -12, 12), 3.6, brush, brush.bloom)


def _chrysanthemum(canvas: Canvas, rng: Rng, brush: Brush, root: Point) -> None:
    for _ in range(int(rng.integers(1, 4))):
        tip = (_u(rng, 22, 54), _u(rng, 42, 66))
        stem = _stem(canvas, rng, root, tip, brush.line, brush.leaf)
        for side in (1, -1, 1):
            start = stem[int(rng.integers(2, len(stem) - 3))]
            _leaf(
                canvas, start, _u(rng, 9, 17), -90 + side * _u(rng, 40, 95), _u(rng, 5, 9), brush, brush.leaf
            )
        radius = _u(rng, 9, 15)
        _blossom(canvas, rng, tip, radius, int(rng.integers(9, 17)), brush, brush.bloom)
        if rng.random() < 0.6:
            _blossom(canvas, rng, tip, radius * 0.6, int(rng.integers(7, 11)), brush, brush.bloom)


def _bamboo(canvas: Canvas, rng: Rng, brush: Brush, root: Point) -> None:
    count = int(rng.integers(1, 4))
    for stalk in range(count):
        x = root[0] + (stalk - (count - 1) / 2) * _u(rng, 10, 18)
        lean, top = _u(rng, -14, 14), _u(rng, 28, 46)
        joints = int(rng.integers(3, 6))
        width = _u(rng, 1.6, 5.0)
        ink = brush.leaf if rng.random() < 0.8 else brush.third
        for k in range(joints):
            a, b = (k + 0.05) / joints, (k + 0.95) / joints
            low, node = (x + lean * a, 94 - (94 - top) * a), (x + lean * b, 94 - (94 - top) * b)
            canvas.line([low, node], width, ink)
            if width > 3 and not brush.filled:
                canvas.line([low, node], width - 2, None)
            if rng.random() < 0.6:
                side = 1 if rng.random() < 0.5 else -1
                for turn in (15, 45, 75)[: int(rng.integers(1, 4))]:
                    _leaf(
                        canvas, node, _u(rng, 10, 19), 90 - side * turn, _u(rng, 2.4, 4.5), brush, brush.leaf
                    )
    if rng.random() < 0.35:
        _blossom(canvas, rng, (root[0] + _u(rng, -15, 15), 86), 5.5, 5, brush, brush.bloom)


def _spring(canvas: Canvas, rng: Rng, brush: Brush, root: Point) -> None:
    tip = (_u(rng, 24, 52), _u(rng, 46, 64))
    stem = _stem(canvas, rng, root, tip, brush.line * 1.2, brush.leaf)
    for side in (1, -1, 1, -1)[: int(rng.integers(2, 5))]:
        start = stem[int(rng.integers(1, len(stem) - 3))]
        _leaf(
            canvas, start, _u(rng, 12, 20), -90 + side * _u(rng, 35, 100), _u(rng, 6, 10), brush, brush.leaf
        )
    _rose(canvas, rng, tip, _u(rng, 10, 16), brush, brush.bloom)
    if rng.random() < 0.5:
        _rose(
            canvas,
            rng,
            (tip[0] + _u(rng, -20, 20), tip[1] + _u(rng, 8, 20)),
            _u(rng, 5, 8),
            brush,
            brush.bloom,
        )


def _summer(canvas: Canvas, rng: Rng, brush: Brush, root: Point) -> None:
    for side in (-1, 1):
        pad = (root[0] + side * _u(rng, 12, 22), _u(rng, 70, 84))
        _stem(canvas, rng, root, pad, brush.line, brush.leaf)
        points = ellipse_points(pad, (_u(rng, 8, 13), _u(rng, 4, 6)), _u(rng, -20, 20))
        canvas.shape(points, brush.leaf if brush.filled else None, brush.leaf, brush.line)
    tip = (_u(rng, 28, 47), _u(rng, 56, 68))
    _stem(canvas, rng, root, tip, brush.line, brush.leaf)
    (_lotus if rng.random() < 0.7 else _rose)(canvas, rng, tip, _u(rng, 13, 19), brush, brush.bloom)


def _autumn(canvas: Canvas, rng: Rng, brush: Brush, root: Point) -> None:
    if rng.random() < 0.7:
        _chrysanthemum(canvas, rng, brush, root)
        return
    tip = (_u(rng, 24, 50), _u(rng, 34, 44))
    stem = _stem(canvas, rng, root, tip, brush.line * 1.3, brush.leaf)
    for start in stem[3::3]:
        centre = polar(start, 9, _u(rng, 0, 360))
        for turn in range(5):
            _leaf(canvas, centre, _u(rng, 6, 10), 72 * turn + _u(rng, -8, 8), 4, brush, brush.bloom)


def _winter(canvas: Canvas, rng: Rng, brush: Brush, root: Point) -> None:
    if rng.random() < 0.55:
        _plum(canvas, rng, brush, root)
        return
    for k in range(int(rng.integers(4, 8))):
        angle = -90 + _u(rng, 8, 45) * (1 if k % 2 else -1)
        _blade(canvas, rng, root, _u(rng, 26, 46), angle, brush.leaf, brush.line * 2.6)
    for _ in range(int(rng.integers(2, 5))):
        _blossom(canvas, rng, (_u(rng, 20, 56), _u(rng, 44, 66)), _u(rng, 5, 9), 6, brush, brush.bloom)


def _sprig(canvas: Canvas, rng: Rng, start: Point, brush: Brush) -> None:
    angle = _u(rng, -165, -15)
    tip = polar(start, _u(rng, 16, 34), angle)
    twig = _stem(canvas, rng, start, tip, brush.line * 0.8, brush.leaf)
    for i in range(3, len(twig), int(rng.integers(2, 5))):
        for side in (-1, 1):
            _leaf(
                canvas,
                twig[i],
                _u(rng, 5, 9),
                angle + side * _u(rng, 35, 60),
                _u(rng, 2.4, 4),
                brush,
                brush.leaf,
            )


def _pot(canvas: Canvas, rng: Rng, brush: Brush) -> None:
    ink = brush.third if rng.random() < 0.6 else brush.bloom
    wide, foot = _u(rng, 13, 20), _u(rng, 8, 13)
    canvas.shape(
        [(37.5 - wide, 77), (37.5 + wide, 77), (37.5 + foot, 94), (37.5 - foot, 94)], None, ink, brush.line
    )
    canvas.line([(37.5 - wide, 81), (37.5 + wide, 81)], brush.line, ink)


PLANTS: dict[int, Callable[[Canvas, Rng, Brush, Point], None]] = {
    1: _plum,
    2: _orchid,
    3: _chrysanthemum,
    4: _bamboo,
    5: _spring,
    6: _summer,
    7: _autumn,
    8: _winter,
}


TRADITIONAL = "梅蘭菊竹春夏秋冬"
SIMPLIFIED = "梅兰菊竹春夏秋冬"
WORDS = ("SPR", "SUM", "AUT", "WIN")
MARGIN = 5.0
CLEARED = 1.5  # round a number or character, of whatever grows there
PLANT_ZOOM = 0.55  # plants may stray half a face beyond the edge before they are fitted in


def draw_flower(
    canvas: Canvas, rank: int, seed: int, style: Flowers, lettering: Lettering, inks: Inks
) -> None:
    """Paint flower 1..4 or season 5..8."""
    brush = Brush(inks.leaf, inks.bloom, inks.third, style.line, style.filled)
    canvas.zoom = PLANT_ZOOM
    plant = 1 + seed % len(TRADITIONAL) if style.any_plants else rank
    draw_plant(canvas, plant, seed, brush, style.potted)
    canvas.zoom = 1.0
    season = rank > 4
    numbered = style.season_number if season else style.plant_number
    top = style.plant_top if numbered or style.characters else 8.0
    canvas.fit((5.0, top, 65.0, 95.0 - top), style.fullness)
    number_left = style.season_number_left if season else style.plant_number_left
    if numbered:
        chinese = season and style.season_chinese_number
        digit = (rank - 1) % 4
        writing = lettering.writing if chinese else lettering.latin
        text = NUMERALS[digit] if chinese else str(digit + 1)
        _clear(canvas, style, style.number_size, number_left)
        _corner(
            canvas, text, writing, lettering.font, style.number_size, number_left, _number_ink(season, inks)
        )
    if season and style.season_words:
        for k, letter in enumerate(WORDS[rank - 5]):
            left = MARGIN + k * 8 if not number_left else FACE_W - MARGIN - (3 - k) * 8
            mask = make_glyph(letter, lettering.latin, lettering.font)
            width, height = fit_size(mask, 7, 11)
            canvas.stamp(mask, (left + (7 - width) / 2, MARGIN, width, height), inks.season_text)
    elif style.characters:
        text = (TRADITIONAL if style.traditional else SIMPLIFIED)[rank - 1]
        ink = inks.season_text if season else inks.plant_text
        _clear(canvas, style, style.character_size, not number_left)
        _corner(canvas, text, lettering.writing, lettering.font, style.character_size, not number_left, ink)


def _number_ink(season: bool, inks: Inks) -> Colour:
    return inks.season_number if season else inks.plant_number


def _clear(canvas: Canvas, style: Flowers, size: float, left: bool) -> None:
    """Moves a plant that grows up next to the lettering out of its corner."""
    if style.plant_top < UNDER_LETTERING:
        reach = MARGIN + size + CLEARED
        start = 0.0 if left else FACE_W - reach
        canvas.polygon([(start, 0), (start + reach, 0), (start + reach, reach), (start, reach)], None)


def _corner(
    canvas: Canvas, text: str, writing: Writing, font: int, size: float, left: bool, ink: Colour
) -> None:
    mask = make_glyph(text, writing, font, 3)
    width, height = fit_size(mask, size, size)
    x = MARGIN if left else FACE_W - MARGIN - width
    canvas.stamp(mask, (x, MARGIN, width, height), ink)
