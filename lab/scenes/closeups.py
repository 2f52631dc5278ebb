"""Parts of tables as telephones see them from near: a few giant tiles, walls and heaps of backs, blank White
dragons, tiles on their edges and sides, tiles that others or the picture's frame cover."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from lab.scenes import layouts
from lab.scenes.club import Ground, lies_apart, make_room_light, make_table_things
from lab.scenes.draw import Scene, draw_scene
from lab.scenes.geometry import Box, Camera, rotation_x, rotation_z
from lab.scenes.layouts import Layout, PlacedTile
from lab.scenes.surfaces import draw_felt, make_surface
from lab.scenes.things import Colour, Rng, Thing, choose_colour, choose_dark_colour, draw_random_arms
from lab.scenes.tileset import TileBodies

QUARTER = np.pi / 2
Codes = Callable[[], str]


class Close(Protocol):
    """Draws a picture of a part of a table; the same state of rng gives the same picture."""

    def __call__(
        self,
        rng: Rng,
        bodies: TileBodies,
        *,
        width: int = 1280,
        height: int = 960,
        ground: Ground = make_surface,
    ) -> Scene: ...


def draw_close_view(
    rng: Rng,
    placed: Layout,
    bodies: TileBodies,
    tile_px: float,
    elevation: float,
    width: int,
    height: int,
    ground: Ground,
    *,
    aside: float = 0.3,
    arms: int = 0,
    things: Sequence[Thing] | None = None,
) -> Scene:
    """A layout from near. tile_px: width of a tile in the middle; elevation: radians over the table; aside:
    spread of the direction in which the camera looks, radians; things: what else is there, by default dice
    and the like."""
    focal = float(rng.uniform(0.8, 1.6)) * max(width, height)
    middle = np.mean([tile.box.centre_mm for tile in placed], axis=0)
    reach = 0.1 * min(width, height) / tile_px * bodies.size_mm[0]
    target = middle + np.array([*rng.normal(0, reach, 2), 0.0])
    distance = focal * float(bodies.size_mm[0]) / tile_px
    camera = Camera.looking_at(
        target,
        distance,
        elevation,
        float(rng.normal(0, aside)),
        float(rng.normal(0, 0.08)),
        focal,
        width,
        height,
    )
    top = draw_felt(rng, height, width) if rng.random() < 0.5 else ground(rng, height, width)
    if things is None:
        things = [thing for thing in make_table_things(rng, 400.0) if lies_apart(thing, placed)]
    half = 0.5 * max(width, height) / tile_px * float(bodies.size_mm[0])
    return draw_scene(
        top,
        camera,
        placed,
        bodies,
        make_room_light(rng),
        things,
        draw_random_arms(rng, camera, half, arms, height, width),
    )


def make_code_source(rng: Rng, bodies: TileBodies, white: float = 0.05) -> Codes:
    """Draws codes of the faces there are; white: the share of White dragons besides their turn."""
    codes = sorted(code for code in bodies.faces if code != "back")
    return lambda: "5z" if "5z" in codes and rng.random() < white else codes[int(rng.integers(len(codes)))]


def draw_giant_tiles(
    rng: Rng, bodies: TileBodies, *, width: int = 1280, height: int = 960, ground: Ground = make_surface
) -> Scene:
    """A few tiles that fill the picture, each a quarter to nearly all of its shorter side wide."""
    count = int(rng.integers(1, 5))
    make = (layouts.row, layouts.grid)[int(rng.random() < 0.55)]
    placed = layouts.move_layout(
        make(rng, bodies.size_mm, make_code_source(rng, bodies), count), 0, 0, float(rng.normal(0, 0.15))
    )
    largest = min(0.8, max(width, height) / min(width, height) / count)
    tile_px = float(rng.uniform(0.25, max(0.4, largest))) * min(width, height)
    return draw_close_view(
        rng, placed, bodies, tile_px, _pick_elevation(rng), width, height, ground, aside=0.15
    )


def draw_rows_of_backs(
    rng: Rng, bodies: TileBodies, *, width: int = 1280, height: int = 960, ground: Ground = make_surface
) -> Scene:
    """Walls two high in touching rows, and often a heap of tiles on their faces, from any side."""
    codes = make_code_source(rng, bodies)
    across, along, depth = (float(value) for value in bodies.size_mm)
    placed: Layout = []
    for line in range(int(rng.integers(1, 4))):
        stacks, y = int(rng.integers(2, 18)), -line * along * float(rng.uniform(1.02, 2.5))
        start = float(rng.normal(0, 2)) * across
        upper_from = int(rng.integers(0, stacks)) if rng.random() < 0.6 else 0
        upper_from = stacks if rng.random() < 0.15 else upper_from
        for stack in range(stacks):
            x = start + (stack - stacks / 2) * (across + 0.3)
            for layer in range(1 + (stack >= upper_from)):
                dy, angle = rng.normal(0, 0.5), rng.normal(0, 0.008)
                put = layouts.place_lying if layer and rng.random() < 0.03 else layouts.place_face_down
                placed.append(put(bodies.size_mm, codes(), x, y + dy, angle, layer * depth))
    if rng.random() < 0.5:
        heap = layouts.pile(rng, bodies.size_mm, codes, int(rng.integers(3, 25)))
        heap = [_flip(tile) if rng.random() < 0.6 else tile for tile in heap]
        low = min(float(tile.box.centre_mm[1]) for tile in placed)
        reach = max(abs(float(tile.box.centre_mm[1])) for tile in layouts.move_layout(heap, 0, 0, 0)) + along
        placed += layouts.move_layout(heap, float(rng.normal(0, 60)), low - along - reach, 0.0)
    placed = layouts.move_layout(placed, 0, 0, float(rng.choice([rng.normal(0, 0.2), rng.uniform(0, 6.3)])))
    tile_px = float(np.exp(rng.uniform(np.log(28), np.log(150))))
    return draw_close_view(
        rng,
        placed,
        bodies,
        tile_px,
        _pick_elevation(rng),
        width,
        height,
        ground,
        arms=int(rng.random() < 0.2),
    )


def _flip(tile: PlacedTile) -> PlacedTile:
    """The tile turned over where it lies."""
    return PlacedTile(
        tile.code, Box(tile.box.half_mm, tile.box.rotation @ rotation_x(np.pi), tile.box.centre_mm)
    )


def draw_white_dragons(
    rng: Rng, bodies: TileBodies, *, width: int = 1280, height: int = 960, ground: Ground = make_surface
) -> Scene:
    """A hand, melds or a few tiles among which there are one to five White dragons, lying, leaning or
    standing, seen from steep to very oblique."""
    return _draw_many_of(rng, bodies, "5z", width, height, ground)


def draw_peacocks(
    rng: Rng, bodies: TileBodies, *, width: int = 1280, height: int = 960, ground: Ground = make_surface
) -> Scene:
    """The same with the 1 of bamboo, which has a bird."""
    return _draw_many_of(rng, bodies, "1s", width, height, ground)


def _draw_many_of(rng: Rng, bodies: TileBodies, code: str, width: int, height: int, ground: Ground) -> Scene:
    """Tiles among which one to five are of this code."""
    count = int(rng.integers(2, 15))
    codes = make_code_source(rng, bodies)
    chosen = [codes() for _ in range(count)]
    for index in rng.permutation(count)[: int(rng.integers(1, 6))]:
        chosen[int(index)] = code
    supply = iter(chosen)
    makes = (layouts.row, layouts.row, layouts.grid, layouts.pile, layouts.hand_and_wall)
    make = makes[int(rng.integers(len(makes)))]
    placed = make(rng, bodies.size_mm, lambda: next(supply, "") or codes(), count)
    placed = layouts.move_layout(placed, 0, 0, float(rng.normal(0, 0.5)))
    elevation = float(rng.choice([rng.uniform(0.35, 0.7), rng.uniform(0.7, 1.5)]))
    tile_px = float(np.exp(rng.uniform(np.log(32), np.log(190))))
    return draw_close_view(rng, placed, bodies, tile_px, elevation, width, height, ground)


def draw_tray_of_tiles(
    rng: Rng, bodies: TileBodies, *, width: int = 1280, height: int = 960, ground: Ground = make_surface
) -> Scene:
    """Tiles packed in a box or tray with rims, one or two compartments, or a standing hand on a rack."""
    codes = make_code_source(rng, bodies)
    if rng.random() < 0.25:
        placed, things = _lay_on_rack(rng, bodies, codes)
    else:
        placed, things = _pack_in_boxes(rng, bodies, codes)
    tile_px = float(np.exp(rng.uniform(np.log(28), np.log(110))))
    steep = float(rng.choice([rng.uniform(0.5, 1.2), rng.uniform(1.2, 1.56)]))
    return draw_close_view(rng, placed, bodies, tile_px, steep, width, height, ground, things=things)


def _pack_in_boxes(rng: Rng, bodies: TileBodies, codes: Codes) -> tuple[Layout, list[Thing]]:
    across, along, _ = (float(value) for value in bodies.size_mm)
    columns, lines, boxes = (int(rng.integers(*span)) for span in ((2, 6), (2, 6), (1, 3)))
    rim, high = float(rng.uniform(4, 14)), float(rng.uniform(5, 30))
    colour = choose_dark_colour(rng) if rng.random() < 0.5 else choose_colour(rng)
    gap = float(rng.choice([0.2, rng.uniform(0.2, 2.0)]))
    wide, deep = columns * (across + gap) + 4.0, lines * (along + gap) + 4.0
    missing, hidden = float(rng.choice([0.0, 0.1, 0.4])), float(rng.choice([0.0, 0.0, 0.15, 1.0]))
    placed: Layout = []
    things = []
    for box in range(boxes):
        left = box * (wide + float(rng.uniform(1.0, 2.5)) * rim)
        for index in range(columns * lines):
            line, column = divmod(index, columns)
            x = left + 2.0 + (column + 0.5) * (across + gap)
            y = 2.0 + (line + 0.5) * (along + gap)
            if rng.random() >= missing or not placed:
                put = layouts.place_face_down if rng.random() < hidden else layouts.place_lying
                turn = np.pi * float(rng.random() < 0.1) + float(rng.normal(0, 0.01))
                placed.append(put(bodies.size_mm, codes(), x, y, turn))
        right, top = left + wide, deep + rim
        for start, stop in (
            ((left - rim, -rim), (right + rim, 0.0)), ((left - rim, deep), (right + rim, top)),
            ((left - rim, 0.0), (left, deep)), ((right, 0.0), (right + rim, deep)),
        ):  # fmt: skip
            things += _make_bar(start, stop, high, colour)
    return placed, things


def _lay_on_rack(rng: Rng, bodies: TileBodies, codes: Codes) -> tuple[Layout, list[Thing]]:
    across, _, depth = (float(value) for value in bodies.size_mm)
    count = int(rng.integers(4, 15))
    lean = float(rng.uniform(0.0, 0.5))
    placed = [
        layouts.place_standing(bodies.size_mm, codes(), k * across * 1.01, 0.0, lean) for k in range(count)
    ]
    end, back = count * across, depth * float(rng.uniform(1.2, 2.0))
    colour = choose_colour(rng) if rng.random() < 0.5 else choose_dark_colour(rng)
    bars = _make_bar((-across, -depth * 1.6), (end, -depth * 0.9), float(rng.uniform(4, 12)), colour)
    return placed, bars + _make_bar((-across, back), (end, back + 8.0), float(rng.uniform(10, 30)), colour)


def _make_bar(
    start: tuple[float, float], stop: tuple[float, float], high: float, colour: Colour
) -> list[Thing]:
    """A straight rim from corner to corner, mm, in pieces as long as tiles, so that each has its depth."""
    low, top = np.array(start), np.array(stop)
    size = top - low
    longer = int(size[1] > size[0])
    pieces = max(1, round(size[longer] / 25.0))
    things = []
    for piece in range(pieces):
        middle, part = low + size / 2, size.copy()
        part[longer] = size[longer] / pieces
        middle[longer] = low[longer] + (piece + 0.5) * part[longer]
        box = Box.resting(np.array([*part, high]), rotation_z(0.0), float(middle[0]), float(middle[1]))
        things.append(Thing(box, colour))
    return things


def draw_tipped_tiles(
    rng: Rng, bodies: TileBodies, *, width: int = 1280, height: int = 960, ground: Ground = make_surface
) -> Scene:
    """Tiles on their edges and sides, aslant, lying on others, staggered in a standing row."""
    codes = make_code_source(rng, bodies)
    size = bodies.size_mm
    across, along, depth = (float(value) for value in size)
    placed: Layout = []
    for _ in range(int(rng.integers(2, 16))):
        x, y = rng.uniform(-5, 5) * along, rng.uniform(-3, 3) * along
        turn = rotation_z(float(rng.uniform(0, 2 * np.pi)))
        pose = int(rng.integers(4))
        tilt = (
            rotation_x(QUARTER) @ rotation_z(QUARTER),
            rotation_x(QUARTER),
            rotation_x(float(rng.uniform(0.2, 0.6))),
            rotation_x(np.pi),
        )[pose]
        base = depth if pose == 2 and rng.random() < 0.5 else 0.0
        one = PlacedTile(codes(), Box.resting(size, turn @ tilt, float(x), float(y), base))
        if all(_lie_apart(one, other) for other in placed):
            placed.append(one)
            if base:
                placed.append(
                    layouts.place_lying(size, codes(), float(x), float(y), float(rng.uniform(0, 6.3)))
                )
    if rng.random() < 0.7:
        lean = float(rng.choice([0.0, rng.uniform(0, 0.5)]))
        for k in range(int(rng.integers(4, 15))):
            y = -5.2 * along + float(rng.normal(0, 0.25)) * depth
            placed.append(
                layouts.place_standing(
                    size, codes(), (k - 6) * across * 1.01, y, lean, float(rng.normal(0, 0.03))
                )
            )
    if rng.random() < 0.4:
        for k in range(int(rng.integers(3, 12))):
            placed.append(
                layouts.place_standing(size, codes(), (k - 5) * across * 1.01, 5.0 * along, 0.0, np.pi)
            )
    placed = layouts.move_layout(placed, 0, 0, float(rng.normal(0, 0.3)))
    tile_px = float(np.exp(rng.uniform(np.log(28), np.log(150))))
    return draw_close_view(
        rng,
        placed,
        bodies,
        tile_px,
        _pick_elevation(rng),
        width,
        height,
        ground,
        arms=int(rng.random() < 0.3),
    )


def draw_packed_rows(
    rng: Rng, bodies: TileBodies, *, width: int = 1280, height: int = 960, ground: Ground = make_surface
) -> Scene:
    """One to four packed rows of faces, up to four White dragons next to each other in one of them."""
    across, along, _ = (float(value) for value in bodies.size_mm)
    lines, columns = int(rng.integers(1, 5)), int(rng.integers(6, 14))
    codes = sorted(code for code in bodies.faces if code not in ("5z", "back"))
    rows = [[str(rng.choice(codes)) for _ in range(columns)] for _ in range(lines)]
    run = int(rng.integers(1, 5))
    start = int(rng.integers(0, columns - run + 1))
    rows[int(rng.integers(lines))][start : start + run] = ["5z"] * run
    gap, below = float(rng.choice([0.0, 0.2, 0.5])), float(rng.choice([0.0, 0.3, 3.0]))
    placed = [
        layouts.place_lying(
            bodies.size_mm,
            code,
            column * (across + gap) + float(rng.normal(0, 0.1)),
            -line * (along + below) + float(rng.normal(0, 0.15)),
            float(rng.normal(0, 0.006)),
        )
        for line, row in enumerate(rows)
        for column, code in enumerate(row)
    ]
    placed = layouts.move_layout(placed, 0, 0, float(rng.normal(0, 0.3)))
    tile_px = float(np.exp(rng.uniform(np.log(30), np.log(min(110, 0.9 * width / columns)))))
    return draw_close_view(rng, placed, bodies, tile_px, _pick_elevation(rng), width, height, ground)


def draw_touching_tiles(
    rng: Rng, bodies: TileBodies, *, width: int = 1280, height: int = 960, ground: Ground = make_surface
) -> Scene:
    """Groups of two to four tiles that touch: end to end, side by side and shifted, or across."""
    across, along, _ = (float(value) for value in bodies.size_mm)
    codes = make_code_source(rng, bodies)
    placed: Layout = []
    for group in range(int(rng.integers(3, 8))):
        kind, touching = int(rng.integers(3)), []
        for at in range(int(rng.integers(2, 5))):
            x, y, angle = (
                (0.0, -at * along, 0.0),
                (at * across, float(rng.uniform(-0.35, 0.35)) * along, 0.0),
                ((across + along) / 2, (at - 1.5) * across, QUARTER) if at else (0.0, 0.0, 0.0),
            )[kind]
            touching.append(layouts.place_lying(bodies.size_mm, codes(), x, y, angle))
        line, column = divmod(group, 3)
        x, y = column * along * 4.2 + float(rng.normal(0, 4)), -line * along * 4.2 + float(rng.normal(0, 4))
        touching = layouts.move_layout(touching, 0, 0, float(rng.uniform(0, 2 * np.pi)))
        placed += layouts.move_layout(touching, x, y, 0.0)
    tile_px = float(np.exp(rng.uniform(np.log(26), np.log(80))))
    return draw_close_view(rng, placed, bodies, tile_px, _pick_elevation(rng), width, height, ground)


def _lie_apart(one: PlacedTile, other: PlacedTile) -> bool:
    away = float(np.hypot(*(one.box.centre_mm - other.box.centre_mm)[:2]))
    return away > float(np.hypot(*one.box.half_mm[:2]) + np.hypot(*other.box.half_mm[:2]))


def _pick_elevation(rng: Rng) -> float:
    """How far over the table a telephone is held, radians."""
    return float(rng.choice([rng.uniform(0.4, 0.75), rng.uniform(0.75, 1.3), rng.uniform(1.2, 1.56)]))
