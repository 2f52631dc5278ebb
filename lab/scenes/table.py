"""A random table to learn and test from: tiles in several groups, other things, a lamp, a camera; or a table
without tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from companion.images import Image
from companion.tiles import KINDS, Tile, TileSet
from lab.scenes import layouts
from lab.scenes.draw import Light, Scene, draw_scene
from lab.scenes.geometry import Camera, Floats
from lab.scenes.surfaces import make_surface, mark
from lab.scenes.things import SMALL, Thing, choose_maker, hand, lay_in_rows, set_down
from lab.scenes.tileset import TileBodies

MAX_TILES = 110
HAND_SHARE = 0.12  # of tables over which a hand reaches
WHITE_SHARE = 0.05  # of tiles that are White dragons, besides their turn: a blank one is hardest to find


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
    ground: Callable[[np.random.Generator, int, int], Image] = make_surface,
    tile_px: tuple[float, float] = (13.0, 150.0),
    makes: Sequence[layouts.Make] = layouts.LAYOUTS,
    box: TileSet | None = None,
) -> Scene:
    """A table with tiles lying, standing, stacked and face down, seen from somewhere.

    tile_px: the least and the greatest width of a tile in the middle; `ground` makes the (height, width, 3)
    BGR picture that the tiles are set on; makes: the layouts to choose from; box: what tiles there are to lay
    out, or None: of each kind any number, to learn all alike.
    """
    wide_px = float(np.exp(rng.uniform(np.log(tile_px[0]), np.log(tile_px[1]))))
    elevation = rng.choice([rng.uniform(0.3, 0.8), rng.uniform(0.8, 1.55)])
    focal = float(rng.uniform(0.8, 2.5) * max(width, height))
    distance = focal * bodies.size_mm[0] / wide_px
    reach = 0.55 * max(width, height) / wide_px * bodies.size_mm[0]
    target = np.array([0.0, 0.0, bodies.size_mm[2] / 2])
    camera = Camera.looking_at(
        target, distance, elevation, 0.0, float(rng.normal(0, 0.12)), focal, width, height
    )
    room = min(MAX_TILES, max(2.0, (2 * reach / bodies.size_mm[0]) ** 2 * 0.35))
    groups: list[layouts.Layout] = []
    total = 0
    while total < room and len(groups) < 9:
        count = int(min(rng.integers(1, 40), room))
        make = makes[int(rng.integers(len(makes)))]
        if make is layouts.row:
            count = min(count, int(rng.integers(1, 18)))
        groups.append(make(rng, bodies.size_mm, _draw_codes(rng, bodies, box), count))
        total += count
        if rng.random() < 0.25:
            break
    placed = layouts.arrange(rng, groups, reach)
    if box is not None:
        placed = _limit_to_box(box, rng, placed)
    return draw_scene(
        mark(rng, ground(rng, height, width)),
        camera,
        placed,
        bodies,
        random_light(rng),
        _make_clutter(rng, placed, reach, int(rng.choice([0, 2, 6], p=[0.3, 0.5, 0.2]))),
        _make_hands(rng, width, height) if rng.random() < HAND_SHARE else (),
    )


def tileless_scene(
    rng: np.random.Generator,
    bodies: TileBodies,
    *,
    width: int = 640,
    height: int = 640,
    ground: Callable[[np.random.Generator, int, int], Image] = make_surface,
) -> Scene:
    """A table on which there are other things only: `Scene.tiles` is empty. `bodies` draws nothing."""
    size_px = float(np.exp(rng.uniform(np.log(16), np.log(130))))  # of what a tile's width would be
    focal = float(rng.uniform(0.8, 2.5) * max(width, height))
    camera = Camera.looking_at(
        np.zeros(3), focal * 25.0 / size_px, float(rng.uniform(0.35, 1.56)), 0.0, float(rng.normal(0, 0.2)),
        focal, width, height,
    )  # fmt: skip
    reach = 0.55 * max(width, height) / size_px * 25.0
    lying = _make_clutter(rng, [], reach, int(rng.integers(1, 14)))
    top = ground(rng, height, width)
    return draw_scene(
        mark(rng, top), camera, [], bodies, random_light(rng), lying,
        _make_hands(rng, width, height) if rng.random() < HAND_SHARE else (),
    )  # fmt: skip


def _draw_codes(rng: np.random.Generator, bodies: TileBodies, box: TileSet | None) -> Callable[[], str]:
    if box is not None:
        held = [tile.code for tile in KINDS for _ in range(box.copies[tile.index])]
        return lambda: held[rng.integers(len(held))]
    codes = [tile.code for tile in KINDS if tile.code in bodies.faces]
    white = WHITE_SHARE if "5z" in codes else 0.0
    return lambda: "5z" if rng.random() < white else codes[rng.integers(len(codes))]


def _limit_to_box(box: TileSet, rng: np.random.Generator, placed: layouts.Layout) -> layouts.Layout:
    """The same table with no more of a kind than the box has: the others are what else is left in it."""
    left = np.array(box.copies)
    result = []
    for tile in placed[: box.total]:
        index = Tile.parse(tile.code).index
        if not left[index]:
            index = int(rng.choice(len(KINDS), p=left / left.sum()))
        left[index] -= 1
        result.append(replace(tile, code=KINDS[index].code))
    return result


def _make_clutter(rng: np.random.Generator, placed: layouts.Layout, reach: float, groups: int) -> list[Thing]:
    """Up to `groups` groups of things, none standing in a tile or another thing; flat ones may lie below."""
    taken = [(p.box.centre_mm[:2], float(np.hypot(*p.box.half_mm[:2]))) for p in placed]
    result: list[Thing] = []
    for _ in range(groups):
        make = choose_maker(rng)
        count = int(rng.choice(np.array([1, rng.integers(2, 7), rng.integers(7, 30)]), p=[0.5, 0.35, 0.15]))
        group = lay_in_rows(rng, make, count) if make in SMALL else [make(rng)]
        x, y = rng.uniform(-1, 1, 2) * reach * 0.9
        for thing in set_down(group, x, y, rng.uniform(0, 2 * np.pi)):
            middle, radius = thing.box.centre_mm[:2], float(np.hypot(*thing.box.half_mm[:2]))
            near = any(np.hypot(*(middle - other)) < 0.8 * (radius + far) for other, far in taken)
            if thing.flat or not near:
                result.append(thing)
        taken += [
            (t.box.centre_mm[:2], 0.7 * float(np.hypot(*t.box.half_mm[:2]))) for t in result if not t.flat
        ]
    return result


def _make_hands(rng: np.random.Generator, width: int, height: int) -> list[tuple[Image, Floats]]:
    """One or two hands that reach into the picture, with their quads px."""
    result = []
    for _ in range(int(rng.integers(1, 3))):
        long = float(rng.uniform(0.3, 0.9)) * max(width, height)
        wide = long * 200 / 320
        angle = float(rng.uniform(0, 2 * np.pi))
        c, s = np.cos(angle), np.sin(angle)
        corners = np.array([[-wide, -long], [wide, -long], [wide, long], [-wide, long]]) / 2
        away = np.array([-s, c]) * 0.55 * max(width, height) * rng.uniform(0.6, 1.2)
        quad = corners @ np.array([[c, s], [-s, c]]) + away + [width / 2, height / 2]
        result.append((hand(rng), quad))
    return result
