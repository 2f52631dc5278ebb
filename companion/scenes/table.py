"""A random table to learn and test from: tiles in several groups, clutter, a lamp, a camera."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.scenes import layouts
from companion.scenes.draw import Light, Scene, draw_scene
from companion.scenes.geometry import Box, Camera, rotation_z
from companion.scenes.surfaces import mark, surface
from companion.scenes.tileset import Picture, TileBodies
from companion.tiles import KINDS

MAX_TILES = 110


def random_light(rng: np.random.Generator) -> Light:
    """A lamp somewhere above the table."""
    direction = np.array([rng.normal(0, 0.5), rng.normal(0.2, 0.5), rng.uniform(0.5, 1.5)])
    x, y, z = direction / np.linalg.norm(direction)
    return Light(
        (float(x), float(y), float(z)),
        float(rng.uniform(0.35, 0.9)),
        float(rng.uniform(0.1, 0.75)),
        float(np.exp(rng.uniform(0, np.log(14)))),
    )


def random_scene(
    rng: np.random.Generator,
    bodies: TileBodies,
    *,
    width: int = 640,
    height: int = 640,
    ground: Callable[[np.random.Generator, int, int], Picture] = surface,
) -> Scene:
    """A table with tiles lying, standing, stacked and face down, seen from somewhere.

    Tiles are 12 to 170 px wide. `ground` makes the (height, width, 3) BGR picture that the tiles are set on.
    """
    tile_px = float(np.exp(rng.uniform(np.log(13), np.log(150))))
    elevation = rng.choice([rng.uniform(0.3, 0.8), rng.uniform(0.8, 1.55)])
    focal = float(rng.uniform(0.8, 2.5) * max(width, height))
    distance = focal * bodies.size_mm[0] / tile_px
    reach = 0.55 * max(width, height) / tile_px * bodies.size_mm[0]
    target = np.array([0.0, 0.0, bodies.size_mm[2] / 2])
    camera = Camera.looking_at(
        target, distance, elevation, 0.0, float(rng.normal(0, 0.12)), focal, width, height
    )
    room = min(MAX_TILES, max(2.0, (2 * reach / bodies.size_mm[0]) ** 2 * 0.35))
    groups: list[layouts.Layout] = []
    total = 0
    while total < room and len(groups) < 9:
        count = int(min(rng.integers(1, 40), room))
        make = layouts.LAYOUTS[rng.integers(len(layouts.LAYOUTS))]
        if make is layouts.row:
            count = min(count, int(rng.integers(1, 18)))
        groups.append(make(rng, bodies.size_mm, _draw_codes(rng, bodies), count))
        total += count
        if rng.random() < 0.25:
            break
    placed = layouts.arrange(rng, groups, reach)
    return draw_scene(
        mark(rng, ground(rng, height, width)),
        camera,
        placed,
        bodies,
        random_light(rng),
        _clutter(rng, bodies, reach),
    )


def _draw_codes(rng: np.random.Generator, bodies: TileBodies) -> Callable[[], str]:
    codes = [tile.code for tile in KINDS if tile.code in bodies.faces]
    return lambda: str(codes[rng.integers(len(codes))])


def _clutter(
    rng: np.random.Generator, bodies: TileBodies, reach: float
) -> list[tuple[Box, tuple[int, int, int]]]:
    boxes = []
    for _ in range(int(rng.integers(0, 5))):
        size = bodies.size_mm * np.exp(rng.uniform(-0.9, 1.3, 3))
        x, y = rng.uniform(-1, 1, 2) * reach * 1.1
        b, g, r = (int(c) for c in rng.integers(0, 256, 3))
        boxes.append((Box.resting(size, rotation_z(rng.uniform(0, 6.3)), x, y), (b, g, r)))
    return boxes
