"""More birds for 1 bamboo: peacocks from the front, trailing phoenixes, waders, perched, spread and soaring
birds, and birds out of a font's pictures.

`birds.draw_bird` chooses among these and its own; all are drawn on the whole face and then fitted to it."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from lab.art.canvas import FACE_H, FACE_W, Canvas, Colour, Point, ellipse_points, polar, smooth_curve
from lab.art.glyphs import Writing, fonts, make_glyph

Inks = tuple[Colour, Colour, Colour]
Rng = np.random.Generator

HIEROGLYPHS = tuple(
    chr(point)
    for point in range(0x1313F, 0x1317B)
    if point not in (0x13140, 0x1314B, 0x13152, 0x13154, 0x13156)
)
EMOJI = tuple("🐓🐔🐤🐦🕊🦃🦅🦆🦉")


def _draw_eye(
    canvas: Canvas, at: Point, size: float, inks: Inks, line: float, angle: float, kind: int
) -> None:
    """The eye of a tail feather: rings, a drop, or a heart of dots."""
    if kind == 0:
        canvas.disc(at, size, inks[0])
        canvas.disc(at, size * 0.6, None)
        canvas.disc(at, size * 0.4, inks[1])
    elif kind == 1:
        canvas.shape(ellipse_points(at, (size * 1.3, size * 0.8), angle, 16), inks[1], inks[0], line * 0.7)
        canvas.disc(at, size * 0.35, None)
    elif kind == 2:
        canvas.ring(at, size, line * 0.8, inks[0])
        canvas.disc(at, size * 0.45, inks[2])
    else:
        for turn in (-120, 0, 120):
            canvas.disc(polar(at, size * 0.6, angle + turn), size * 0.45, inks[1])


def _draw_small_head(
    canvas: Canvas, rng: Rng, at: Point, size: float, inks: Inks, line: float, ahead: float
) -> None:
    """A head of radius `size` that looks along `ahead` degrees, with beak, eye and sometimes a crest."""
    spread = float(rng.uniform(18, 34))
    tip = polar(at, size * float(rng.uniform(1.6, 2.6)), ahead + float(rng.uniform(0, 20)))
    canvas.polygon(
        [polar(at, size * 0.9, ahead - spread), tip, polar(at, size * 0.9, ahead + spread)], inks[2]
    )
    canvas.disc(at, size, inks[0])
    if rng.random() < 0.7:
        canvas.disc(polar(at, size * 0.25, ahead), size * 0.35, None)
    for k in range(int(rng.integers(0, 5))):
        angle = -90 - (ahead - 90) * 0.1 + (k - 2) * 16
        end = polar(at, size * float(rng.uniform(1.6, 2.6)), angle)
        canvas.line([at, end], line * 0.7, inks[1])
        if rng.random() < 0.6:
            canvas.disc(end, line, inks[1])


def draw_fan(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """A peacock from the front: rings of eyed feathers about a small body."""
    root = (FACE_W / 2, float(rng.uniform(60, 80)))
    half = float(rng.uniform(75, 130))
    kind, rings = int(rng.integers(4)), int(rng.integers(2, 5))
    reach = float(rng.uniform(38, 55))
    webbed = rng.random() < 0.5
    if rng.random() < 0.35:
        rim = [polar(root, reach * 1.1, -90 - half + 2 * half * k / 30) for k in range(31)]
        canvas.shape([root, *rim], None if rng.random() < 0.6 else inks[1], inks[0], line)
    for ring in range(rings, 0, -1):
        far = reach * ring / rings
        count = max(3, int(far * math.radians(2 * half) / float(rng.uniform(6, 11))))
        size = reach / rings * 0.28
        for k in range(count + 1):
            angle = -90 - half + 2 * half * k / count + (half / count if ring % 2 else 0)
            at = polar(root, far, angle)
            if webbed:
                canvas.line([root, at], line * 0.5, inks[1])
            _draw_eye(canvas, at, size, inks, line, angle, kind)
    tall = float(rng.uniform(16, 26))
    body = ellipse_points((root[0], root[1] - tall * 0.1), (tall * 0.45, tall * 0.75), 0, 24)
    canvas.shape(body, inks[0] if rng.random() < 0.7 else None, inks[0], line)
    neck = (root[0] + float(rng.uniform(-3, 3)), root[1] - tall)
    canvas.line(smooth_curve([root, (root[0] - 2, root[1] - tall * 0.5), neck], 6), line * 3, inks[0])
    _draw_small_head(canvas, rng, neck, tall * 0.22, inks, line, float(rng.choice([0, 90, 180])))
    for dx in (-4, 4):
        canvas.line(
            [(root[0] + dx, root[1] + tall * 0.5), (root[0] + dx * 1.5, root[1] + tall)], line, inks[2]
        )


def draw_trailing(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """A phoenix or peacock whose long train sweeps down or up across the face."""
    side = 1 if rng.random() < 0.5 else -1
    up = 1 if rng.random() < 0.75 else -1
    body = (FACE_W / 2 - side * float(rng.uniform(2, 14)), FACE_H / 2 - up * float(rng.uniform(8, 22)))
    kind, feathers = int(rng.integers(5)), int(rng.integers(3, 9))
    for k in range(feathers):
        share = (k + 0.5) / feathers - 0.5
        bow = float(rng.uniform(4, 18)) * side
        end = (body[0] + side * (18 + 40 * share), body[1] + up * float(rng.uniform(36, 58)))
        path = smooth_curve([body, (body[0] + bow, (body[1] + end[1]) / 2), end], 8)
        canvas.line(path, line * float(rng.uniform(0.8, 2.0)), inks[k % 2])
        if kind < 4:
            _draw_eye(canvas, end, float(rng.uniform(3, 5)), inks, line, 90, kind)
            for spot in path[3:-1:2]:
                if rng.random() < 0.6:
                    _draw_eye(canvas, spot, 2.2, inks, line, 90, kind)
        else:
            for spot in path[2::2]:
                for barb in (35, 145):
                    canvas.line([spot, polar(spot, 6, barb * up)], line * 0.7, inks[1])
    length = float(rng.uniform(13, 20))
    turn = float(rng.uniform(30, 75)) * -side * up + (180 if side > 0 else 0)
    canvas.shape(ellipse_points(body, (length, length * 0.5), turn, 24), inks[0], inks[0], line)
    if rng.random() < 0.6:
        for k in range(3):
            at = polar(body, length * (0.5 - 0.35 * k), turn)
            canvas.line(
                [polar(at, length * 0.4, turn + 90), at, polar(at, length * 0.4, turn - 90)], line * 0.6, None
            )
    head = polar(body, length * float(rng.uniform(1.3, 1.9)), turn)
    canvas.line(smooth_curve([body, polar(body, length, turn + 12), head], 6), line * 2.6, inks[0])
    _draw_small_head(canvas, rng, head, length * 0.27, inks, line, 180 if side > 0 else 0)
    for k in range(int(rng.integers(0, 5))):
        angle = turn + 90 * side + 16 * k
        wing = ellipse_points(polar(body, length * 0.8, angle), (length * 0.8, length * 0.2), angle, 14)
        canvas.shape(wing, inks[k % 3] if rng.random() < 0.5 else None, inks[2], line * 0.8)


def draw_wader(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """A crane, heron or stork on long legs."""
    side = 1 if rng.random() < 0.5 else -1
    body = (FACE_W / 2, float(rng.uniform(44, 56)))
    length, girth = float(rng.uniform(14, 20)), float(rng.uniform(7, 11))
    tilt = float(rng.uniform(-30, 5)) * side
    filled = rng.random() < 0.5
    canvas.shape(ellipse_points(body, (length, girth), tilt, 24), inks[0] if filled else None, inks[0], line)
    chest, tail = (
        polar(body, length * 0.9, tilt if side > 0 else 180 + tilt),
        polar(body, length, 180 + tilt if side > 0 else tilt),
    )
    head = (chest[0] + side * float(rng.uniform(-8, 10)), float(rng.uniform(10, 22)))
    middle = (chest[0] + side * float(rng.uniform(4, 12)), (chest[1] + head[1]) / 2)
    neck = smooth_curve([body, chest, middle, head], 8)
    canvas.line(neck, line * float(rng.uniform(1.4, 3.4)), inks[0])
    _draw_small_head(canvas, rng, head, float(rng.uniform(3.4, 5)), inks, line, 0 if side > 0 else 180)
    for k in range(int(rng.integers(2, 6))):
        end = (tail[0] - side * float(rng.uniform(4, 14)), tail[1] + 2.0 + 4 * k)
        canvas.line([tail, end], line * 1.3, inks[1])
    for k in range(int(rng.integers(2, 5))):
        start = polar(body, girth * 0.6, -90 + 20 * k)
        canvas.line([start, (tail[0], tail[1] + 2 * k)], line * 0.7, inks[1] if not filled else None)
    for dx in (-3.0, 4.0):
        knee = (body[0] + dx, body[1] + girth + float(rng.uniform(10, 18)))
        foot = (knee[0] + dx * float(rng.uniform(-0.5, 1.0)), float(rng.uniform(86, 95)))
        canvas.line([(body[0] + dx, body[1] + girth * 0.8), knee, foot], line * 0.9, inks[2])
        canvas.line([(foot[0] - 4, foot[1]), (foot[0] + 4, foot[1])], line * 0.8, inks[2])


def draw_scaled(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """A stout bird on a bamboo stalk, its breast a pattern of scales."""
    side = 1 if rng.random() < 0.5 else -1
    middle = (FACE_W / 2, float(rng.uniform(42, 52)))
    length, girth = float(rng.uniform(18, 24)), float(rng.uniform(11, 16))
    turn = float(rng.uniform(35, 65))
    long = turn if side > 0 else 180 - turn
    canvas.shape(ellipse_points(middle, (length, girth), long, 28), None, inks[0], line)
    for row in range(-3, 4):
        for column in range(-2, 3):
            at = polar(polar(middle, row * 5.0, long), column * 5.0 + (row % 2) * 2.5, long + 90)
            if math.hypot(row * 5.0 / length, column * 5.0 / girth) < 0.85:
                canvas.line([polar(at, 2.2, long + 60), at, polar(at, 2.2, long - 60)], line * 0.7, inks[1])
    wing = ellipse_points(polar(middle, 3, long + 90), (length * 0.8, girth * 0.5), long + 8, 20)
    canvas.shape(wing, inks[2] if rng.random() < 0.6 else None, inks[2], line)
    head = polar(middle, length * 1.05, long + 180)
    _draw_small_head(canvas, rng, head, girth * 0.55, inks, line, 180 if side > 0 else 0)
    for k in range(int(rng.integers(2, 5))):
        end = polar(middle, length * float(rng.uniform(1.7, 2.2)), long + (k - 1.5) * 9)
        canvas.line([polar(middle, length * 0.9, long), end], line * 1.5, inks[k % 3])
    y = middle[1] + girth + 6
    for start in range(4, 70, 16):
        canvas.line([(start, y), (start + 14, y - 1)], line * 2.4, inks[1])
    for _ in range(int(rng.integers(0, 5))):
        at = (float(rng.uniform(8, 66)), y)
        angle = float(rng.uniform(20, 160)) * (1 if rng.random() < 0.6 else -1)
        canvas.polygon(ellipse_points(polar(at, 7, angle), (7, 2), angle, 12), inks[1])


def draw_spread(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """A bird from the front or from above with both wings out."""
    body = (FACE_W / 2, float(rng.uniform(42, 56)))
    tall = float(rng.uniform(16, 24))
    lift, feathers = float(rng.uniform(-50, 20)), int(rng.integers(4, 9))
    for side in (-1, 1):
        for k in range(feathers):
            angle = lift + k * float(rng.uniform(10, 14))
            long = float(rng.uniform(24, 34)) * (1 - 0.06 * k)
            angle = angle if side > 0 else 180 - angle
            feather = ellipse_points(polar(body, long * 0.6, angle), (long * 0.5, 3.4), angle, 14)
            canvas.shape(feather, inks[1] if k % 2 else None, inks[1], line * 0.8)
    for k in range(int(rng.integers(3, 7))):
        end = polar(body, tall * float(rng.uniform(1.7, 2.3)), 60 + 10 * k)
        canvas.line([body, end], line * 1.6, inks[k % 3])
    canvas.shape(
        ellipse_points(body, (tall * 0.45, tall), 0, 24),
        inks[0] if rng.random() < 0.6 else None,
        inks[0],
        line,
    )
    _draw_small_head(
        canvas, rng, (body[0], body[1] - tall), tall * 0.32, inks, line, float(rng.choice([0, 90, 180]))
    )


def draw_soaring(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """A bird on the wing, whose wing and tail are a few long curved plumes."""
    side = 1 if rng.random() < 0.5 else -1
    body = (FACE_W / 2, FACE_H / 2)
    length, ahead = float(rng.uniform(10, 18)), float(rng.uniform(-75, 15))
    filled = rng.random() < 0.7

    def turn(angle: float) -> float:
        return angle if side > 0 else 180 - angle

    fans = (
        (ahead + 180, (2, 6), (28, 52), length * 0.7),
        (ahead - float(rng.uniform(70, 130)), (2, 5), (20, 38), length * 0.3),
        (ahead + float(rng.uniform(70, 130)), (0, 4), (16, 32), length * 0.3),
    )
    for middle, counts, reaches, root in fans:
        count, apart = int(rng.integers(*counts)), float(rng.uniform(12, 26))
        for k in range(count):
            angle = middle + (k - (count - 1) / 2) * apart
            start, ink = polar(body, root, turn(middle)), inks[int(rng.integers(3))]
            _draw_plume(
                canvas,
                (start, float(rng.uniform(*reaches)), turn(angle)),
                float(rng.uniform(-55, 55)) * side,
                float(rng.uniform(2.5, 6.0)),
                (ink if filled else None, ink, line * 0.6),
            )
    canvas.shape(
        ellipse_points(body, (length, length * float(rng.uniform(0.4, 0.6))), turn(ahead), 24),
        inks[0] if filled else None,
        inks[0],
        line,
    )
    _draw_small_head(
        canvas, rng, polar(body, length * 1.2, turn(ahead)), length * 0.36, inks, line, turn(ahead + 20)
    )


def _draw_plume(
    canvas: Canvas,
    ray: tuple[Point, float, float],
    curl: float,
    width: float,
    paint: tuple[Colour | None, Colour, float],
) -> None:
    """A feather. ray: where it begins, its length and angle; curl: degrees by which it bends; width: where it
    is broadest; paint: fill, edge and the edge's width."""
    start, reach, angle = ray
    middle = polar(start, reach * 0.55, angle)
    path = smooth_curve([start, middle, polar(middle, reach * 0.5, angle + curl)], 8)
    rims: tuple[list[Point], list[Point]] = ([], [])
    for k, at in enumerate(path):
        half = width * math.sin(math.pi * min(1.0, 0.15 + k / len(path))) / 2
        for rim, across in zip(rims, (90, -90), strict=True):
            rim.append(polar(at, half, angle + curl * k / len(path) + across))
    canvas.shape([*rims[0], *rims[1][::-1]], *paint)


def draw_from_font(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """A bird out of a font of pictures, in one ink or in two."""
    available = fonts(Writing.BIRD)
    characters = HIEROGLYPHS if len(available) < 2 or rng.random() < 0.75 else EMOJI
    weight = int(rng.integers(0, 9))
    try:
        mask = make_glyph(str(characters[int(rng.integers(len(characters)))]), Writing.BIRD, 0, weight)
    except LookupError:  # no font with pictures here
        draw_trailing(canvas, rng, inks, line)
        return
    if rng.random() < 0.4:  # filled in
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        full = np.zeros_like(mask)
        cv2.drawContours(full, outlines, -1, 255, -1)
        box = _box(full)
        canvas.stamp(full, box, inks[1])
        wide = cv2.dilate(mask, np.ones((3, 3), np.uint8)).astype(np.uint8)
        canvas.stamp(wide, box, inks[0] if inks[0] != inks[1] else (235, 240, 240))
        return
    box = _box(mask)
    if rng.random() < 0.5:
        canvas.stamp(mask, box, inks[0])
        return
    share = (
        np.linspace(0, 1, mask.shape[0])[:, None]
        if rng.random() < 0.5
        else np.linspace(0, 1, mask.shape[1])[None]
    )
    split = np.clip((share - rng.uniform(0.3, 0.7)) * 12 + 0.5, 0, 1)
    canvas.stamp((mask * (1 - split)).astype(np.uint8), box, inks[0])
    canvas.stamp((mask * split).astype(np.uint8), box, inks[1])


def _box(mask: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> tuple[float, float, float, float]:
    scale = min(62.0 / mask.shape[1], 84.0 / mask.shape[0])
    width, height = mask.shape[1] * scale, mask.shape[0] * scale
    return (FACE_W - width) / 2, (FACE_H - height) / 2, width, height


def draw_swimming(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """A swan or duck on waves: kept for tests, no training picture shows it."""
    side = 1 if rng.random() < 0.5 else -1
    x = FACE_W / 2
    hull = [
        (x - side * 26, 52),
        (x - side * 12, 66),
        (x + side * 12, 66),
        (x + side * 20, 54),
        (x, 56),
        (x - side * 14, 48),
    ]
    canvas.shape(smooth_curve(hull, 6, closed=True), inks[0] if rng.random() < 0.5 else None, inks[0], line)
    head = (x + side * float(rng.uniform(8, 16)), float(rng.uniform(20, 30)))
    neck = smooth_curve([(x + side * 17, 56), (x + side * 24, 46), (x + side * 8, 36), head], 8)
    canvas.line(neck, line * 3, inks[0])
    _draw_small_head(canvas, rng, head, 4.5, inks, line, 0 if side > 0 else 180)
    for k in range(4):
        start = (x - side * (20 - 6 * k), 50.0 + 2 * k)
        canvas.line(
            smooth_curve(
                [start, (start[0] + side * 5, start[1] + 5), (start[0] + side * 12, start[1] + 4)], 5
            ),
            line,
            inks[1],
        )
    for y in (72.0, 79.0, 86.0):
        wave = [(float(10 + 6 * k), y + (2.5 if k % 2 else -1)) for k in range(10)]
        canvas.line(smooth_curve(wave, 4), line * 0.8, inks[2])


KINDS: tuple[tuple[Callable[[Canvas, Rng, Inks, float], None], float], ...] = (
    (draw_fan, 0.18),
    (draw_trailing, 0.24),
    (draw_wader, 0.12),
    (draw_scaled, 0.12),
    (draw_spread, 0.12),
    (draw_from_font, 0.22),
)


def draw_fowl(canvas: Canvas, rng: Rng, inks: Inks, line: float) -> None:
    """One of KINDS, at random."""
    shares = np.array([share for _, share in KINDS])
    KINDS[int(rng.choice(len(KINDS), p=shares / shares.sum()))][0](canvas, rng, inks, line)
