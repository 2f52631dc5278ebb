"""What tiles lie on: cloth, wood, mats and plain tops, drawn from noise."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.scenes.geometry import pixels
from companion.scenes.tileset import Picture

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


def cloth(rng: np.random.Generator, height: int, width: int) -> Picture:
    """A felt or woven cloth, most often green."""
    hue = rng.choice([rng.normal(65, 12), rng.uniform(0, 180)], p=[0.6, 0.4])
    return cloth_of(rng, height, width, _colour(rng, hue, rng.uniform(20, 220), rng.uniform(25, 190)))


def cloth_of(rng: np.random.Generator, height: int, width: int, colour: Floats) -> Picture:
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


def wood(rng: np.random.Generator, height: int, width: int) -> Picture:
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


def plain(rng: np.random.Generator, height: int, width: int) -> Picture:
    """A painted or plastic top, white to black."""
    base = _colour(
        rng, rng.uniform(0, 180), rng.uniform(0, 50), rng.choice([rng.uniform(10, 70), rng.uniform(120, 250)])
    )
    cloudy = (
        _noise(rng, height, width, (200, 200)) * rng.uniform(1, 8)
        + _noise(rng, height, width, (1.5, 1.5)) * 1.5
    )
    return np.clip(base + cloudy[:, :, None], 0, 255).astype(np.uint8)


SURFACES = (cloth, cloth, wood, plain)


def surface(rng: np.random.Generator, height: int, width: int) -> Picture:
    """A random table top, shape (height, width, 3) uint8 BGR."""
    made: Picture = SURFACES[rng.integers(len(SURFACES))](rng, height, width)
    return made


def marble(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Polished stone with veins. Kept for tests: no training picture shows it."""
    base = _colour(rng, rng.uniform(0, 180), rng.uniform(0, 40), rng.choice([60, 200, 230]))
    clouds = _noise(rng, height, width, (90, 60)) + 0.5 * _noise(rng, height, width, (30, 24))
    veins = np.exp(-((clouds / 0.06) ** 2)) * rng.uniform(-70, 70)
    stone: Picture = np.clip(base + (clouds * 8 + veins)[:, :, None], 0, 255).astype(np.uint8)
    return stone


def matting(rng: np.random.Generator, height: int, width: int) -> Picture:
    """A woven mat of straw with a cloth border. Kept for tests: no training picture shows it."""
    base = _colour(rng, rng.uniform(18, 34), rng.uniform(60, 130), rng.uniform(130, 210))
    period = rng.uniform(5, 14)
    y, x = np.mgrid[0:height, 0:width]
    weave = np.sin(y * 2 * np.pi / period) * 12 + np.sin(x * 2 * np.pi / (period * 4)) * 5
    woven = base + (weave + _noise(rng, height, width, (40, 2)) * 8)[:, :, None]
    edge = int(rng.uniform(0, 0.12) * width)
    woven[:, :edge] = _colour(rng, rng.uniform(0, 180), 120, 70)
    mat: Picture = np.clip(woven, 0, 255).astype(np.uint8)
    return mat


def quilt(rng: np.random.Generator, height: int, width: int) -> Picture:
    """A checked or flowered table cloth. Kept for tests: no training picture shows it."""
    first, second = (
        _colour(rng, rng.uniform(0, 180), rng.uniform(20, 160), rng.uniform(90, 240)) for _ in "ab"
    )
    period = rng.uniform(24, 130)
    y, x = np.mgrid[0:height, 0:width]
    share = (((x // period) % 2) + ((y // period) % 2)) / 2.0
    cloth_picture = first * (1 - share[:, :, None]) + second * share[:, :, None]
    cloth_picture += _noise(rng, height, width, (2, 2))[:, :, None] * 4
    checked: Picture = np.clip(cloth_picture, 0, 255).astype(np.uint8)
    return checked


UNSEEN_SURFACES = (marble, matting, quilt)


def unseen_surface(rng: np.random.Generator, height: int, width: int) -> Picture:
    """A table top that no training picture shows, shape (height, width, 3) uint8 BGR."""
    made: Picture = UNSEEN_SURFACES[rng.integers(len(UNSEEN_SURFACES))](rng, height, width)
    return made


def mark(rng: np.random.Generator, picture: Picture) -> Picture:
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
            cv2.fillConvexPoly(marked, pixels(corners), colour, cv2.LINE_AA)
            for line in range(int(rng.integers(0, 12))):
                at = corners[0] + (corners[3] - corners[0]) * (line + 1) / 14
                end = at + (corners[1] - corners[0]) * rng.uniform(0.3, 0.9)
                cv2.line(marked, pixels(at).tolist(), pixels(end).tolist(), (40, 40, 40), 1, cv2.LINE_AA)
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
            cv2.polylines(marked, [pixels(corners)], True, colour, max(2, int(size / 10)), cv2.LINE_AA)
    return marked
