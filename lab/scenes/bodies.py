"""What tiles are made of: pale faces on backs of every colour a shop sells, polished or matt, plain, brushed
or of bamboo."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from companion.images import Image
from lab.scenes.things import Colour, Rng
from lab.scenes.tileset import TEXTURE_PX, TileBodies

# Hue (0..180), saturation and value (0..255) of backs, each with how far it strays.
BACKS: Mapping[str, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "yellow": ((24, 205, 235), (3, 30, 18)),
    "mint": ((80, 80, 215), (8, 35, 20)),
    "blue": ((106, 190, 185), (6, 40, 45)),
    "green": ((66, 170, 120), (10, 50, 45)),
    "orange": ((13, 225, 245), (3, 25, 10)),
    "purple": ((130, 75, 205), (10, 40, 35)),
    "cream": ((22, 45, 232), (5, 20, 15)),
    "red": ((177, 200, 195), (4, 30, 30)),
    "black": ((100, 40, 45), (60, 30, 20)),
    "bamboo": ((17, 120, 200), (4, 30, 25)),
}


def mix_colour(hue: float, saturation: float, value: float) -> Colour:
    """The BGR colour of this hue 0..180, saturation and value 0..255."""
    pixel = np.array([[[hue % 180, np.clip(saturation, 0, 255), np.clip(value, 0, 255)]]]).astype(np.uint8)
    b, g, r = (int(c) for c in cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0])
    return b, g, r


def choose_back_colour(rng: Rng, name: str) -> Colour:
    """A back's colour of that name, a little different in every set."""
    middle, stray = BACKS[name]
    strayed = np.array(middle) + np.array(stray) * np.clip(rng.normal(0, 0.6, 3), -1, 1)
    return mix_colour(*(float(value) for value in strayed))


def choose_face_colour(rng: Rng) -> Colour:
    """White, ivory or cream."""
    return mix_colour(
        rng.uniform(12, 30),
        float(rng.choice([rng.uniform(0, 14), rng.uniform(10, 60)])),
        rng.uniform(222, 253),
    )


def make_club_bodies(
    rng: Rng,
    faces: Mapping[str, Image],
    *,
    back: str | None = None,
    texture_px: tuple[int, int] = TEXTURE_PX,
) -> TileBodies:
    """Tiles as clubs have them, with these faces; back: a name of `BACKS`, by default any."""
    name = back or list(BACKS)[int(rng.integers(len(BACKS)))]
    width = float(rng.uniform(23, 34))
    size = np.array([width, width * rng.uniform(1.28, 1.42), width * rng.uniform(0.62, 0.85)])
    rear = choose_back_colour(rng, name)
    pattern = None
    if name == "bamboo" or (name != "cream" and rng.random() < 0.25):
        pattern = draw_grain(rng, rear, float(rng.uniform(0.03, 0.12)) * (2.0 if name == "bamboo" else 1.0))
    return TileBodies(
        size, faces, choose_face_colour(rng), rear,
        split=float(rng.uniform(0.62, 0.86)) if name != "bamboo" else float(rng.uniform(0.35, 0.6)),
        corner=float(rng.uniform(0.04, 0.12)), bevel=float(rng.uniform(0.02, 0.22)), back_pattern=pattern,
        gloss=float(rng.choice([rng.uniform(0, 0.2), rng.uniform(0.3, 1.0)])), texture_px=texture_px,
    )  # fmt: skip


def draw_grain(rng: Rng, colour: Colour, strength: float) -> Image:
    """A back's picture: fine streaks along the tile, as brushed plastic or bamboo has them."""
    width, height = 96, 128
    fine = cv2.resize(rng.standard_normal((6, width), np.float32), (width, height))
    coarse = cv2.resize(rng.standard_normal((3, width // 4), np.float32), (width, height))
    streaks = cv2.addWeighted(fine, 1.0, coarse, 0.5, 0)
    picture = np.empty((height, width, 4), np.uint8)
    picture[:, :, :3] = np.clip(np.array(colour, np.float32) * (1 + strength * streaks[:, :, None]), 0, 255)
    picture[:, :, 3] = 255
    return picture
