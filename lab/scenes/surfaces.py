"""What tiles lie on: cloth, wood, mats and plain tops, drawn from noise."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from lab.scenes.geometry import round_to_pixels

Floats = NDArray[np.float32]


def _noise(rng: np.random.Generator, height: int, width: int, grain_px: tuple[float, float]) -> Floats:
    """Smooth noise of unit spread, shape (height, width); `grain_px` is its size along x and y."""
    rows = max(2, int(height / grain_px[1]) + 2)
    columns = max(2, int(width / grain_px[0]) + 2)
    coarse = rng.standard_normal((rows, columns)).astype(np.float32)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32, copy=False)


def _colour(rng: np.random.Generator, hue: float, saturation: float, value: float) -> Floats:
    pixel = np.array([[[hue % 180, np.clip(saturation, 0, 255), np.clip(value, 0, 255)]]]).astype(np.uint8)
    colour: Floats = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    return colour


def draw_cloth(rng: np.random.Generator, height: int, width: int) -> Image:
    """A felt or woven cloth, most often green."""
    hue = rng.choice([rng.normal(65, 12), rng.uniform(0, 180)], p=[0.6, 0.4])
    return make_cloth(rng, height, width, _colour(rng, hue, rng.uniform(20, 220), rng.uniform(25, 190)))


def make_cloth(rng: np.random.Generator, height: int, width: int, colour: Floats) -> Image:
    """A cloth of this BGR colour."""
    pattern = (
        _noise(rng, height, width, (2, 2)) * rng.uniform(1, 7) + _noise(rng, height, width, (80, 80)) * 4
    )
    if rng.random() < 0.5:
        period = rng.uniform(3, 12)
        y, x = np.mgrid[0:height, 0:width]
        pattern = pattern + np.sin(x * 2 * np.pi / period) * np.sin(y * 2 * np.pi / period) * rng.uniform(
            2, 10
        )
    return np.clip(colour + pattern[:, :, None], 0, 255).astype(np.uint8)


def draw_felt(rng: np.random.Generator, height: int, width: int) -> Image:
    """The cloth of a mahjong table, most often green, blue or grey: quick to draw."""
    hue = rng.choice([rng.normal(65, 10), rng.normal(95, 8), rng.uniform(0, 180)], p=[0.5, 0.25, 0.25])
    colour = _colour(rng, hue, rng.choice([rng.uniform(0, 60), rng.uniform(60, 200)]), rng.uniform(45, 200))
    rows, columns = height // 2 + 1, width // 2 + 1
    grain = rng.standard_normal((rows, columns), np.float32) * np.float32(rng.uniform(1, 9))
    grain += _noise(rng, rows, columns, (60, 60)) * np.float32(rng.uniform(1, 5))
    level = cv2.resize(grain + 128, (width, height), interpolation=cv2.INTER_LINEAR)
    level = np.clip(level, 0, 255, out=level).astype(np.uint8)
    return np.asarray(cv2.merge([cv2.LUT(level, _shift_levels(float(c))) for c in colour]), np.uint8)


def _shift_levels(value: float) -> Image:
    """For each level of a grain about 128, the level of a channel that is `value` without it."""
    levels: Image = np.clip(np.arange(256) - 128 + value, 0, 255).astype(np.uint8)
    return levels


def draw_wood(rng: np.random.Generator, height: int, width: int) -> Image:
    """Planks with a grain."""
    base = _colour(rng, rng.normal(14, 5), rng.uniform(30, 170), rng.uniform(60, 225))
    long, short = rng.uniform(120, 500), rng.uniform(1.5, 7)
    grain = _noise(rng, height, width, (long, short)) * rng.uniform(4, 16)
    grain += _noise(rng, height, width, (long * 1.5, short * 8)) * rng.uniform(3, 14)
    planks = base + grain[:, :, None]
    if rng.random() < 0.4:
        for y in np.arange(rng.uniform(0, 150), height, rng.uniform(90, 260)):
            planks[int(y) : int(y) + 2] *= 0.6
    return np.clip(planks, 0, 255).astype(np.uint8)


def draw_plain_top(rng: np.random.Generator, height: int, width: int) -> Image:
    """A painted or plastic top, white to black."""
    base = _colour(
        rng, rng.uniform(0, 180), rng.uniform(0, 50), rng.choice([rng.uniform(10, 70), rng.uniform(120, 250)])
    )
    cloudy = (
        _noise(rng, height, width, (200, 200)) * rng.uniform(1, 8)
        + _noise(rng, height, width, (1.5, 1.5)) * 1.5
    )
    return np.clip(base + cloudy[:, :, None], 0, 255).astype(np.uint8)


def _lay_at_slant(rng: np.random.Generator, print_: Image, height: int, width: int) -> Image:
    """A printed cloth laid on the table any way round and seen at a slant."""
    rows, columns = print_.shape[:2]
    corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    angle, grown = rng.uniform(0, 2 * np.pi), rng.uniform(1.5, 2.4)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    spread = (corners / [columns, rows] - 0.5) * grown @ turn.T
    spread = spread * (1 + spread[:, 1:] * rng.uniform(-0.25, 0.25)) + 0.5
    lens = cv2.getPerspectiveTransform(corners, (spread * [width, height]).astype(np.float32))
    laid = cv2.warpPerspective(
        print_, lens, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT_101
    )
    return np.asarray(laid, np.uint8)


def draw_checked_cloth(rng: np.random.Generator, height: int, width: int) -> Image:
    """A checked, striped or tartan cloth, or floor tiles with their joints."""
    size = max(height, width)
    colours = [_colour(rng, rng.uniform(0, 180), rng.uniform(0, 200), rng.uniform(30, 250)) for _ in "abc"]
    steps = [np.exp(rng.uniform(np.log(8), np.log(140))) for _ in "xy"]
    if rng.random() < 0.5:
        steps[1] = steps[0] * rng.choice([1.0, 1.35])
    x, y = np.arange(size) / steps[0], np.arange(size) / steps[1]
    kind = rng.integers(4)
    if kind == 0:
        share = ((x[None, :].astype(int) + y[:, None].astype(int)) % 2).astype(np.float32)
    elif kind == 1:
        share = ((x.astype(int) % 2)[None, :] + (y.astype(int) % 2)[:, None]) / np.float32(2)
    elif kind == 2:
        share = np.repeat((x.astype(int) % 2)[None, :], size, axis=0).astype(np.float32)
    else:
        joint = rng.uniform(0.02, 0.12)
        share = (((x % 1) < joint)[None, :] | ((y % 1) < joint)[:, None]).astype(np.float32)
    picture = colours[0] * (1 - share[:, :, None]) + colours[1] * share[:, :, None]
    if rng.random() < 0.4:  # a thin line in every check
        line = (np.abs(x % 1 - 0.5) < 0.04)[None, :] | (np.abs(y % 1 - 0.5) < 0.04)[:, None]
        picture[line] = colours[2]
    picture += _noise(rng, size, size, (2, 2))[:, :, None] * rng.uniform(0, 6)
    return _lay_at_slant(rng, np.clip(picture, 0, 255).astype(np.uint8), height, width)


def draw_printed_cloth(rng: np.random.Generator, height: int, width: int) -> Image:
    """A cloth, wallpaper or mat printed all over with flowers, rings, leaves, signs or frames."""
    size = max(height, width)
    ground = _colour(rng, rng.uniform(0, 180), rng.uniform(0, 160), rng.uniform(40, 250))
    picture = np.ascontiguousarray(np.broadcast_to(ground, (size, size, 3)).astype(np.uint8))
    step = float(np.exp(rng.uniform(np.log(18), np.log(150))))
    inks = [tuple(int(c) for c in rng.integers(0, 256, 3)) for _ in range(3)]
    kind, reach = int(rng.integers(5)), step * rng.uniform(0.2, 0.48)
    for row, y in enumerate(np.arange(step / 2, size, step)):
        for x in np.arange(step / 2 + (row % 2) * step / 2, size, step):
            middle = (int(x), int(y))
            if kind == 0:
                for petal in range(5):
                    at = (
                        int(x + reach * 0.6 * np.cos(petal * 1.257)),
                        int(y + reach * 0.6 * np.sin(petal * 1.257)),
                    )
                    cv2.circle(picture, at, max(1, int(reach * 0.4)), inks[0], -1, cv2.LINE_AA)
                cv2.circle(picture, middle, max(1, int(reach * 0.3)), inks[1], -1, cv2.LINE_AA)
            elif kind == 1:
                cv2.circle(picture, middle, max(2, int(reach)), inks[0], max(1, int(reach / 5)), cv2.LINE_AA)
                cv2.circle(picture, middle, max(1, int(reach / 3)), inks[1], -1, cv2.LINE_AA)
            elif kind == 2:
                axes = (max(1, int(reach)), max(1, int(reach / 3)))
                cv2.ellipse(picture, middle, axes, (row * 60) % 180, 0, 360, inks[row % 3], -1, cv2.LINE_AA)
            elif kind == 3:
                half = np.array([reach * 0.7, reach])
                low, high = (np.array(middle) + half * sign for sign in (-1, 1))
                thick = int(rng.choice([-1, max(1, int(reach / 8))]))
                cv2.rectangle(
                    picture, round_to_pixels(low).tolist(), round_to_pixels(high).tolist(), inks[0], thick
                )
            else:
                sign = str(rng.choice(list("AXOKRS258+*#%&")))
                cv2.putText(picture, sign, middle, 0, reach / 14, inks[row % 3], max(1, int(reach / 10)))
    return _lay_at_slant(rng, picture, height, width)


SURFACES = (
    draw_cloth,
    draw_cloth,
    draw_cloth,
    draw_wood,
    draw_wood,
    draw_plain_top,
    draw_plain_top,
    draw_checked_cloth,
    draw_printed_cloth,
)


def make_surface(rng: np.random.Generator, height: int, width: int) -> Image:
    """A random table top, shape (height, width, 3) uint8 BGR."""
    made: Image = SURFACES[rng.integers(len(SURFACES))](rng, height, width)
    return made


def draw_marble(rng: np.random.Generator, height: int, width: int) -> Image:
    """Polished stone with veins. Kept for tests: no training picture shows it."""
    base = _colour(rng, rng.uniform(0, 180), rng.uniform(0, 40), rng.choice([60, 200, 230]))
    clouds = _noise(rng, height, width, (90, 60)) + 0.5 * _noise(rng, height, width, (30, 24))
    veins = np.exp(-((clouds / 0.06) ** 2)) * rng.uniform(-70, 70)
    stone: Image = np.clip(base + (clouds * 8 + veins)[:, :, None], 0, 255).astype(np.uint8)
    return stone


def draw_matting(rng: np.random.Generator, height: int, width: int) -> Image:
    """A woven mat of straw with a cloth border. Kept for tests: no training picture shows it."""
    base = _colour(rng, rng.uniform(18, 34), rng.uniform(60, 130), rng.uniform(130, 210))
    period = rng.uniform(5, 14)
    y, x = np.mgrid[0:height, 0:width]
    weave = np.sin(y * 2 * np.pi / period) * 12 + np.sin(x * 2 * np.pi / (period * 4)) * 5
    woven = base + (weave + _noise(rng, height, width, (40, 2)) * 8)[:, :, None]
    edge = int(rng.uniform(0, 0.12) * width)
    woven[:, :edge] = _colour(rng, rng.uniform(0, 180), 120, 70)
    mat: Image = np.clip(woven, 0, 255).astype(np.uint8)
    return mat


def draw_terrazzo(rng: np.random.Generator, height: int, width: int) -> Image:
    """Polished chips of stone in a plain ground. Kept for tests: no training picture shows it."""
    ground = _colour(rng, rng.uniform(0, 180), rng.uniform(0, 60), rng.choice([70, 150, 225]))
    picture = np.ascontiguousarray(np.broadcast_to(ground, (height, width, 3)).astype(np.uint8))
    for _ in range(int(rng.integers(150, 900))):
        middle = rng.uniform([0, 0], [width, height])
        reach = np.exp(rng.uniform(np.log(1.5), np.log(13)))
        corners = middle + rng.normal(0, reach, (int(rng.integers(3, 7)), 2))
        chip = cv2.convexHull(corners.astype(np.float32))[:, 0]
        shade = _colour(rng, rng.uniform(0, 180), rng.uniform(0, 110), rng.uniform(30, 250))
        cv2.fillConvexPoly(picture, round_to_pixels(chip), shade.tolist(), cv2.LINE_AA)
    return picture


UNSEEN_SURFACES = (draw_marble, draw_matting, draw_terrazzo)


def make_unseen_surface(rng: np.random.Generator, height: int, width: int) -> Image:
    """A table top that no training picture shows, shape (height, width, 3) uint8 BGR."""
    made: Image = UNSEEN_SURFACES[rng.integers(len(UNSEEN_SURFACES))](rng, height, width)
    return made


def mark(rng: np.random.Generator, picture: Image) -> Image:
    """Things printed or lying flat on the table that are no tiles: cards, paper with text, discs, lines, a
    tray's edge."""
    marked = picture.copy()
    height, width = picture.shape[:2]
    for _ in range(int(rng.integers(0, 6))):
        colour = tuple(int(c) for c in rng.integers(0, 256, 3))
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        size = float(np.exp(rng.uniform(np.log(12), np.log(200))))
        kind = rng.integers(6)
        if kind == 0:
            corners = cv2.boxPoints(((x, y), (size, size * rng.uniform(0.5, 2)), rng.uniform(0, 180)))
            cv2.fillConvexPoly(marked, round_to_pixels(corners), colour, cv2.LINE_AA)
            for line in range(int(rng.integers(0, 12))):
                at = corners[0] + (corners[3] - corners[0]) * (line + 1) / 14
                end = at + (corners[1] - corners[0]) * rng.uniform(0.3, 0.9)
                cv2.line(
                    marked,
                    round_to_pixels(at).tolist(),
                    round_to_pixels(end).tolist(),
                    (40, 40, 40),
                    1,
                    cv2.LINE_AA,
                )
        elif kind == 1:
            cv2.circle(marked, (x, y), int(size / 2), colour, -1, cv2.LINE_AA)
            cv2.circle(
                marked, (x, y), int(size / 3), tuple(int(c) for c in rng.integers(0, 256, 3)), 2, cv2.LINE_AA
            )
        elif kind == 2:
            text = "".join(rng.choice(list("ABCDEFGHJKLMNPRSTUVWXYZ0123456789"), int(rng.integers(1, 9))))
            cv2.putText(
                marked,
                text,
                (x, y),
                int(rng.integers(0, 8)),
                size / 40,
                colour,
                max(1, int(size / 25)),
                cv2.LINE_AA,
            )
        elif kind == 3:
            end = (int(x + rng.normal(0, 300)), int(y + rng.normal(0, 300)))
            cv2.line(marked, (x, y), end, colour, max(1, int(size / 8)), cv2.LINE_AA)
        elif kind == 4:
            axes = (int(size * rng.uniform(0.3, 1)), int(size * rng.uniform(0.3, 1)))
            cv2.ellipse(
                marked,
                (x, y),
                axes,
                rng.uniform(0, 180),
                0,
                360,
                colour,
                int(rng.choice([-1, 2, 5])),
                cv2.LINE_AA,
            )
        else:
            corners = cv2.boxPoints(((x, y), (size * 3, size * 3 * rng.uniform(0.4, 1)), rng.normal(0, 10)))
            cv2.polylines(
                marked, [round_to_pixels(corners)], True, colour, max(2, int(size / 10)), cv2.LINE_AA
            )
    return marked
