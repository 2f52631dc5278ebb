"""Arms and hands that reach over a table, shaded round: what hides tiles for a moment."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.images import Image
from lab.scenes.geometry import Camera, Floats, rotation_z, round_to_pixels
from lab.scenes.paint import project_outline
from lab.scenes.tabletop import QUARTER
from lab.scenes.things import Colour, Rng, choose_colour, choose_dark_colour

SKIN = np.array([[120, 158, 214], [98, 134, 196], [150, 180, 226], [62, 92, 142], [40, 62, 104]], np.float32)
UP_MM = 45.0  # height of an arm over the table


def draw_arm(
    rng: Rng,
    reach: Floats,
    elbow: Floats,
    scale: float,
    height: int,
    width: int,
    sleeve: Colour | None = None,
) -> Image:
    """An arm from `elbow` (2,) px, which may lie outside, to a hand at `reach` (2,) px, BGRA (H, W, 4).

    scale: px per mm there; sleeve: its BGR colour, by default any."""
    along = reach - elbow
    along = along / max(1e-6, float(np.linalg.norm(along)))
    aside = np.array([-along[1], along[0]]) * (1 if rng.random() < 0.5 else -1)
    skin: NDArray[np.uint8] = np.zeros((height, width), np.uint8)
    wrist = reach - along * 95 * scale
    palm = reach - along * 55 * scale
    _draw_stroke(skin, [elbow, wrist, palm], 52 * scale)
    _draw_stroke(skin, [palm - aside * 14 * scale, palm + aside * 14 * scale], 56 * scale)
    spread = float(rng.uniform(0.5, 1.3))
    for finger in range(4):
        root = palm + aside * (finger - 1.5) * 17 * scale + along * 18 * scale
        lean = (finger - 1.5) * 0.14 * spread + float(rng.normal(0, 0.06))
        bend = lean + float(rng.normal(0, 0.25))
        first = along * np.cos(lean) + aside * np.sin(lean)
        second = along * np.cos(bend) + aside * np.sin(bend)
        long = float(rng.uniform(0.5, 1.0)) * (36 if finger in (1, 2) else 29) * scale
        _draw_stroke(skin, [root, root + first * long, root + first * long + second * long * 0.8], 16 * scale)
    thumb = palm - aside * 26 * scale
    _draw_stroke(
        skin, [thumb, thumb + (along * 0.8 - aside * float(rng.uniform(0, 0.8))) * 42 * scale], 18 * scale
    )
    covered = np.zeros_like(skin)
    _draw_stroke(covered, [elbow, wrist - along * float(rng.uniform(10, 140)) * scale], 84 * scale)
    tone = SKIN[int(rng.integers(len(SKIN)))] * float(rng.uniform(0.85, 1.1)) + rng.normal(0, 6, 3)
    chosen = choose_dark_colour(rng) if rng.random() < 0.5 else choose_colour(rng)
    cloth = np.array(chosen if sleeve is None else sleeve, np.float32)
    light = _shade_round(np.maximum(skin, covered), 26 * scale, rng)
    picture = np.empty((height, width, 4), np.uint8)
    colour = np.where(covered[:, :, None] > 127, cloth, tone.astype(np.float32))
    picture[:, :, :3] = np.clip(colour * light[:, :, None], 0, 255)
    picture[:, :, 3] = cv2.max(skin, covered)
    return picture


def _draw_stroke(mask: NDArray[np.uint8], points: Sequence[Floats], wide: float) -> None:
    cv2.polylines(
        mask, [round_to_pixels(np.array(points) * 16)], False, 255, max(1, round(wide)), cv2.LINE_AA, 4
    )


def _shade_round(mask: NDArray[np.uint8], reach: float, rng: Rng) -> NDArray[np.float32]:
    """Brightness of a mask as if it were round: dark at its rims, most on the side away from the lamp."""
    inside = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
    depth = np.clip(inside / max(1.0, reach), 0, 1).astype(np.float32)
    swell = np.sqrt(1 - (1 - depth) ** 2)
    swell = cv2.GaussianBlur(swell, (0, 0), max(0.8, reach / 9))
    across, down = cv2.Sobel(swell, cv2.CV_32F, 1, 0), cv2.Sobel(swell, cv2.CV_32F, 0, 1)
    angle = float(rng.uniform(0, 2 * np.pi))
    slope = (across * np.float32(np.cos(angle)) + down * np.float32(np.sin(angle))) * np.float32(reach / 9)
    light: NDArray[np.float32] = np.float32(0.72) + np.float32(0.3) * swell - np.clip(slope, -0.3, 0.3)
    return light


def draw_random_arms(
    rng: Rng, camera: Camera, half_mm: float, count: int, height: int, width: int
) -> list[tuple[Image, Floats]]:
    """Arms of people at the sides reaching in, each a BGRA picture and its quad px."""
    result = []
    for _ in range(count):
        seat = rotation_z(float(rng.integers(4)) * QUARTER)
        x = float(rng.uniform(-0.6, 0.6)) * half_mm
        inward = float(rng.choice([rng.uniform(0.75, 1.1), rng.uniform(0.1, 0.8)])) * half_mm
        hand = seat @ np.array([x + rng.normal(0, 80), -inward, UP_MM])
        elbow = seat @ np.array([x * 0.8, -half_mm - 1500.0, UP_MM + 60])
        line = project_outline(camera, np.stack([hand, elbow, elbow + np.array([0, 0, 1.0])]))
        seen = camera.project(hand[None])[0]
        if not len(line) or not np.all(np.isfinite(seen)):
            continue
        scale = camera.focal_px / float(np.linalg.norm(camera.position_mm - hand))
        far = line[int(np.argmax(np.linalg.norm(line - seen, axis=1)))]
        low = np.clip(np.minimum(seen, far) - 110 * scale, 0, [width, height]).astype(int)
        high = np.clip(np.maximum(seen, far) + 110 * scale, 0, [width, height]).astype(int)
        if np.any(high - low < 4):
            continue
        arm = draw_arm(rng, seen - low, far - low, scale, int(high[1] - low[1]), int(high[0] - low[0]))
        x0, y0, x1, y1 = (float(edge) for edge in (*low, *high))
        result.append((arm, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])))
    return result
