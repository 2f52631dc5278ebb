"""The bird of 1 bamboo, put together at random: a posture, a build, a tail of one of six kinds, a wing, a
perch; peacocks as Japanese sets engrave them; waders and soaring birds; and birds from pictures on the
machine.

Each is drawn in a frame of its own, with the body along the x axis and the head on the right, and then turned
and fitted to the face.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.images import Image
from lab.art.canvas import FACE_H, FACE_W, Canvas, Colour, Point, ellipse_points, polar, smooth_curve
from lab.art.glyphs import Writing, fonts, make_glyph
from lab.art.style import Bamboo

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


BIRDS_FOLDER = Path.home() / ".local" / "share" / "tile-birds"  # filled by models.training.birds
SOLID = 128  # alpha, from which there is paint
PAINT_MIN_PX = 100  # of a picture, below which nobody can tell a bird
PALE = 175  # mean grey of a picture's paint, above which its own colours are lost on a tile
PLACE_WEIGHT = 0.6  # of where a pixel lies, against its colour, when a picture is parted
BLANK_SHARE = 0.25  # of parts that stay blank when a picture is painted in three inks


@lru_cache(maxsize=1)
def load_bird_pictures() -> tuple[Image, ...]:
    """The pictures, (h, w, 4) uint8 BGRA, cut to their paint; none where the folder is empty.

    Files that are no pictures of 8 bits with paint on a transparent ground are passed over."""
    pictures = (cv2.imread(str(path), cv2.IMREAD_UNCHANGED) for path in sorted(BIRDS_FOLDER.glob("*.png")))
    return tuple(_cut(np.asarray(picture, np.uint8)) for picture in pictures if _has_paint(picture))


def _has_paint(picture: cv2.typing.MatLike | None) -> bool:
    if picture is None or picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 4:
        return False
    solid = picture[:, :, 3] >= SOLID
    return bool(PAINT_MIN_PX <= np.count_nonzero(solid) < solid.size)


def _cut(picture: Image) -> Image:
    x, y, w, h = cv2.boundingRect((picture[:, :, 3] >= SOLID).astype(np.uint8))
    return picture[y : y + h, x : x + w]


def draw_pictured(
    canvas: Canvas, rng: np.random.Generator, inks: tuple[Colour, Colour, Colour], line: float
) -> None:
    """Paint one of the pictures of birds, stretched and turned a little, within the middle of the face."""
    pictures = load_bird_pictures()
    picture = pictures[rng.integers(len(pictures))]
    kind = rng.choice(4, p=[0.25, 0.35, 0.25, 0.15])
    if kind or picture[picture[:, :, 3] >= SOLID][:, :3].mean() > PALE:
        parts = _split_into_parts(picture, int(rng.integers(2, 6)))
        wide = max(1, round(line * picture.shape[0] / FACE_H))
        picture = (_draw_silhouette, _draw_in_inks, _draw_in_lines, _draw_silhouette)[kind](
            rng, parts, inks, wide
        )
    _paint(canvas, picture, float(rng.normal(0, 14)), math.exp(rng.uniform(-0.3, 0.2)))


def _split_into_parts(picture: Image, count: int) -> npt.NDArray[np.int32]:
    """Which of `count` parts of like colour and place every pixel belongs to, from 1; 0 is no paint."""
    solid = picture[:, :, 3] >= SOLID
    lab = cv2.cvtColor(picture[:, :, :3], cv2.COLOR_BGR2LAB)[solid].astype(np.float32) / 255
    place = np.argwhere(solid).astype(np.float32) / max(picture.shape[:2]) * PLACE_WEIGHT
    rule = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 8, 0.02)
    start = (np.arange(len(lab)) * count // len(lab)).astype(np.int32)[:, None]
    nearest = cv2.kmeans(np.hstack([lab, place]), count, start, rule, 1, cv2.KMEANS_USE_INITIAL_LABELS)[1]
    parts = np.zeros(solid.shape, np.int32)
    parts[solid] = nearest[:, 0] + 1
    return parts


def _fill_parts(parts: npt.NDArray[np.int32], colours: list[Colour | None]) -> Image:
    table = np.array([(0, 0, 0, 0) if colour is None else (*colour, 255) for colour in colours], np.uint8)
    return table[parts]


def _find_edges(parts: npt.NDArray[np.int32], wide: int) -> npt.NDArray[np.bool_]:
    """Where one part meets another or none, `wide` px wide."""
    padded = np.pad(parts, 1).astype(np.float32)
    edges = cv2.morphologyEx(padded, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8))[1:-1, 1:-1] > 0
    nib = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    return cv2.dilate(edges.astype(np.uint8), nib).astype(bool)


def _draw_in_inks(
    rng: np.random.Generator, parts: npt.NDArray[np.int32], inks: tuple[Colour, Colour, Colour], wide: int
) -> Image:
    colours: list[Colour | None] = [None]
    for _ in range(int(parts.max())):
        colours.append(None if rng.random() < BLANK_SHARE else inks[int(rng.integers(3))])
    result = _fill_parts(parts, colours)
    if None in colours[1:] or rng.random() < 0.5:
        result[_find_edges(parts, wide)] = (*inks[0], 255)
    return result


def _draw_in_lines(
    rng: np.random.Generator, parts: npt.NDArray[np.int32], inks: tuple[Colour, Colour, Colour], wide: int
) -> Image:
    colours: list[Colour | None] = [inks[int(rng.integers(3))] for _ in range(int(parts.max()) + 1)]
    result = _fill_parts(parts, colours)
    result[~_find_edges(parts, wide)] = 0
    return result


def _draw_silhouette(
    rng: np.random.Generator, parts: npt.NDArray[np.int32], inks: tuple[Colour, Colour, Colour], wide: int
) -> Image:
    result = _fill_parts(np.minimum(parts, 1), [None, inks[int(rng.integers(3))]])
    result[_find_edges(parts, wide) & (parts > 0)] = 0
    return result


def _paint(canvas: Canvas, picture: Image, turn: float, stretch: float) -> None:
    """Lays a picture on the canvas, `turn` degrees clockwise, `stretch` times as wide as it is."""
    h, w = picture.shape[:2]
    room_h, room_w = canvas.pixels.shape[:2]
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    linear = np.array([[c, -s], [s, c]]) @ np.diag([stretch, 1.0])
    reach = np.abs(linear) @ np.array([w, h])
    linear *= 0.96 * min(room_w / reach[0], room_h / reach[1])
    shift = np.array([room_w / 2, room_h / 2]) - linear @ np.array([w / 2, h / 2])
    alpha = picture[:, :, 3:].astype(np.float32) / 255
    premultiplied = np.concatenate([picture[:, :, :3] * alpha, alpha * 255], axis=2).astype(np.uint8)
    laid = cv2.warpAffine(premultiplied, np.hstack([linear, shift[:, None]]), (room_w, room_h))
    canvas.pixels = np.asarray(laid, np.uint8)


PICTURED_SHARE = 0.4  # of birds that come from pictures, where there are any
PEACOCK_SHARE = 0.4  # of the others, in sets that are not Japanese
FOWL_SHARE = 0.6  # of the others that are drawn by lab.art.birds
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
