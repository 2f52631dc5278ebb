"""The bird of the house set's 1 bamboo: a peacock on a branch, drawn by hand in face units."""

from __future__ import annotations

from lab.art.canvas import Canvas, Colour, Point, ellipse_points, polar, smooth_curve

TAIL_ROOT = (41.0, 54.0)
FEATHERS = ((18.0, 29.0), (40.0, 36.0), (62.0, 38.0), (84.0, 35.0))  # angle and length


def draw_house_bird(canvas: Canvas, green: Colour, blue: Colour, red: Colour) -> None:
    """Paint the peacock."""
    for angle, length in FEATHERS:
        _feather(canvas, angle, length, green, red)
    canvas.line(smooth_curve([(6, 87), (20, 84), (40, 86), (52, 83)], 8), 3.4, green)
    for spot, angle in (((12.0, 85.5), 215.0), ((14.0, 86.0), 130.0)):
        canvas.polygon(ellipse_points(polar(spot, 5, angle), (5.5, 2.2), angle, 20), green)
    for hip, foot in (((30.0, 66.0), (27.0, 84.0)), ((36.0, 67.0), (35.0, 84.5))):
        canvas.line([hip, foot], 2.4, red)
    body = smooth_curve(
        [(22, 20), (31, 25), (36, 37), (47, 49), (47, 60), (39, 69), (28, 67), (20, 56), (19, 42), (17, 28)],
        8,
        closed=True,
    )
    canvas.polygon(body, blue)
    _wing(canvas, red)
    for y in (34.0, 41.0, 48.0):
        canvas.line(smooth_curve([(21.5, y), (24.5, y + 2.4), (28, y)], 5), 1.6, None)
    _head(canvas, blue, red)


def _feather(canvas: Canvas, angle: float, length: float, green: Colour, red: Colour) -> None:
    tip = polar(TAIL_ROOT, length, angle)
    canvas.line([TAIL_ROOT, tip], 2.6, green)
    eye = polar(TAIL_ROOT, length - 2, angle)
    canvas.polygon(ellipse_points(eye, (9, 6.2), angle, 28), green)
    canvas.polygon(ellipse_points(eye, (6.4, 4.0), angle, 24), None)
    canvas.disc(polar(eye, 1.0, angle), 3.0, red)
    for share in (0.45, 0.62):
        spot = polar(TAIL_ROOT, length * share, angle)
        for side in (-1, 1):
            canvas.line([spot, polar(spot, 5, angle + side * 42)], 1.5, green)


def _wing(canvas: Canvas, red: Colour) -> None:
    wing: list[Point] = [(31, 41), (42, 47), (52, 59), (57, 70), (46, 66), (34, 60), (28, 50)]
    outline = smooth_curve(wing, 8, closed=True)
    canvas.shape(outline, red, None, 0)
    canvas.line(outline, 1.6, None, closed=True)
    for start, end in (((33, 47), (49, 63)), ((38, 47), (52.5, 64)), ((31, 53), (44, 62.5))):
        canvas.line([start, end], 1.5, None)


def _head(canvas: Canvas, blue: Colour, red: Colour) -> None:
    centre = (22.0, 19.0)
    canvas.polygon([(15.5, 15.5), (6.5, 21.5), (16.5, 23.5)], red)
    canvas.disc(centre, 8.2, blue)
    canvas.disc((20.0, 18.0), 3.0, None)
    canvas.disc((19.6, 18.0), 1.5, blue)
    for angle in (-105.0, -82.0, -58.0):
        tip = polar(centre, 15.5, angle)
        canvas.line([polar(centre, 8, angle), tip], 1.5, blue)
        canvas.disc(tip, 2.0, red)
