"""A whole table in play, for four, as a camera sees it: laid out at random or from a game's state, from
above, a corner, an edge or a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.images import Image
from lab.scenes.draw import Light, Scene, draw_scene
from lab.scenes.furniture import Furniture, draw_dim_room, draw_furniture, make_random_furniture
from lab.scenes.geometry import Box, Camera, Floats, paint_quad, rotation_z
from lab.scenes.layouts import (
    QUARTER,
    Contents,
    Habits,
    Hands,
    PlacedTile,
    River,
    Tabletop,
    deal_random_contents,
    lay_out,
    measure_half_table,
)
from lab.scenes.surfaces import draw_felt, draw_plain_top, make_surface
from lab.scenes.things import (
    Rng,
    Thing,
    Vessel,
    choose_colour,
    choose_pale_colour,
    die,
    draw_random_arms,
    draw_vessel,
    move_thing,
    page,
    place_random_vessels,
    telephone,
)
from lab.scenes.tileset import TileBodies

View = Callable[[Rng, float, int, int], Camera]


def look_from_above(rng: Rng, half_mm: float, width: int, height: int) -> Camera:
    """On a stand over the table, which fills the picture."""
    focal = float(rng.uniform(0.8, 1.4)) * max(width, height)
    distance = focal * 2.1 * half_mm * float(rng.uniform(0.95, 1.3)) / min(width, height)
    turn = float(rng.integers(4)) * QUARTER + float(rng.normal(0, 0.05))
    target = np.array([*rng.normal(0, 0.04 * half_mm, 2), 0.0])
    return Camera.looking_at(
        target,
        distance,
        float(rng.uniform(1.42, 1.565)),
        turn,
        float(rng.normal(0, 0.04)),
        focal,
        width,
        height,
    )


def look_from_corner(rng: Rng, half_mm: float, width: int, height: int) -> Camera:
    """On a stand at a corner, at about 45 degrees."""
    turn = (float(rng.integers(4)) + 0.5) * QUARTER + float(rng.normal(0, 0.1))
    return _look_at_whole(rng, half_mm, width, height, float(rng.uniform(0.65, 0.95)), turn)


def look_from_edge(rng: Rng, half_mm: float, width: int, height: int) -> Camera:
    """A telephone or tablet that leans on something at one side, at about 30 degrees."""
    turn = float(rng.integers(4)) * QUARTER + float(rng.normal(0, 0.12))
    return _look_at_whole(rng, half_mm, width, height, float(rng.uniform(0.42, 0.62)), turn)


def look_from_seat(rng: Rng, half_mm: float, width: int, height: int) -> Camera:
    """In the hand of a player who takes a picture of the whole table or of a part of it."""
    turn = float(rng.integers(4)) * QUARTER + float(rng.normal(0, 0.2))
    c, s = np.cos(turn), np.sin(turn)
    ahead = float(rng.uniform(-0.9, 0.1)) * half_mm  # along the player's line of sight, from the middle
    target = np.array([ahead * s + rng.normal(0, 60), ahead * c + rng.normal(0, 60), 10.0])
    focal = float(rng.uniform(0.75, 1.3)) * max(width, height)
    distance = float(rng.uniform(0.8, 2.2)) * half_mm
    return Camera.looking_at(
        target,
        distance,
        float(rng.uniform(0.45, 1.3)),
        turn,
        float(rng.normal(0, 0.06)),
        focal,
        width,
        height,
    )


VIEWS: Mapping[str, View] = {
    "above": look_from_above,
    "corner": look_from_corner,
    "propped": look_from_edge,
    "seated": look_from_seat,
}


def _look_at_whole(
    rng: Rng, half_mm: float, width: int, height: int, elevation: float, turn: float
) -> Camera:
    """A camera that sees the whole table or nearly, this far up and round it, radians."""
    focal = float(rng.uniform(0.7, 1.3)) * max(width, height)
    across = half_mm * (2.0 + 0.9 * abs(np.sin(2 * turn)))
    distance = max(focal * across * float(rng.uniform(0.85, 1.2)) / width, 1.5 * half_mm)
    target = np.array([*rng.normal(0, 0.06 * half_mm, 2), 0.0])
    return Camera.looking_at(
        target, distance, elevation, turn, float(rng.normal(0, 0.03)), focal, width, height
    )


Ground = Callable[[Rng, int, int], Image]


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """Everything about a table that stays while a hand is played: furniture, lamp, cloth, room, things."""

    table: Furniture
    light: Light
    cloth: Image
    room: Image
    things: tuple[Thing, ...] = ()
    vessels: tuple[Vessel, ...] = ()


def make_room_light(rng: Rng) -> Light:
    """The light of a room with several lamps: pale soft shadows, bright sides."""
    direction = np.array([rng.normal(0, 0.5), rng.normal(0.1, 0.5), rng.uniform(0.6, 1.6)])
    x, y, z = direction / np.linalg.norm(direction)
    return Light(
        (float(x), float(y), float(z)), float(rng.uniform(0.62, 0.95)), float(rng.uniform(0.08, 0.5)),
        float(np.exp(rng.uniform(np.log(1.5), np.log(10)))), True,
    )  # fmt: skip


def choose_habits(rng: Rng) -> Habits:
    """Customs of a table: rows or a pile, hands standing, leaning or open, tidy people or not."""
    first = (Hands.STANDING, Hands.LEANING, Hands.FACE_DOWN, Hands.OPEN)
    kept = [first[int(rng.choice(4, p=[0.7, 0.12, 0.06, 0.12]))] for _ in range(4)]
    device = float(rng.uniform(52, 85)) if rng.random() < 0.6 else 0.0
    return Habits(
        River.ROWS if rng.random() < 0.6 else River.PILE, (kept[0], kept[1], kept[2], kept[3]),
        float(rng.choice([rng.uniform(0, 0.4), rng.uniform(0.4, 1.4)])), device, bool(rng.random() < 0.7),
    )  # fmt: skip


def make_random_setting(
    rng: Rng, half_mm: float, device_mm: float, width: int, height: int, ground: Ground = make_surface
) -> Setting:
    """A table, its lamp, cloth and room. ground: makes the cloth of some tables, and the room of some."""
    top = draw_felt if rng.random() < 0.75 else draw_plain_top if rng.random() < 0.3 else ground
    room = draw_dim_room if rng.random() < 0.75 else ground
    return Setting(
        make_random_furniture(rng, half_mm, device_mm=device_mm),
        make_room_light(rng),
        top(rng, height, width),
        room(rng, height, width),
        tuple(make_table_things(rng, half_mm)),
        place_random_vessels(rng, half_mm),
    )


def make_table_things(rng: Rng, half_mm: float) -> list[Thing]:
    """Dice, scoring sticks, and now and then a telephone or a note beside the hands."""
    things: list[Thing] = []
    for _ in range(int(rng.choice([0, 2, 3]))):
        x, y = rng.uniform(-0.3, 0.3, 2) * half_mm
        things.append(move_thing(die(rng), float(x), float(y), float(rng.uniform(0, 6.3))))
    for _ in range(int(rng.choice([0, 0, 3, 8]))):
        x, y = rng.uniform(-0.95, 0.95, 2) * half_mm
        things.append(move_thing(make_stick(rng), float(x), float(y), float(rng.uniform(0, 6.3))))
    for make, share in ((telephone, 0.15), (page, 0.06)):
        if rng.random() < share:
            side = rotation_z(float(rng.integers(4)) * QUARTER)
            x, y, _ = side @ np.array([rng.uniform(-0.8, 0.8) * half_mm, -half_mm * rng.uniform(0.9, 1.1), 0])
            things.append(move_thing(make(rng), float(x), float(y), float(rng.uniform(0, 6.3))))
    return things


def lies_apart(thing: Thing, placed: Sequence[PlacedTile]) -> bool:
    """Whether a thing keeps away from all tiles."""
    reach = float(np.hypot(*thing.box.half_mm[:2]))
    return all(
        np.hypot(*(thing.box.centre_mm - tile.box.centre_mm)[:2]) > reach + np.hypot(*tile.box.half_mm[:2])
        for tile in placed
    )


def make_stick(rng: Rng) -> Thing:
    """A scoring stick with a few dots in its middle."""
    colour = choose_pale_colour(rng) if rng.random() < 0.5 else choose_colour(rng)
    size = np.array([float(rng.uniform(60, 95)), float(rng.uniform(5, 8)), 3.0])
    return Thing(Box.resting(size, rotation_z(0.0), 0.0, 0.0), colour)


@dataclass(frozen=True, slots=True, eq=False)
class Empty:
    """A setting as a camera sees it before any tile lies there: the picture (H, W, 3), and what stands before
    the tiles, BGRA pictures with their quads px."""

    ground: Image
    before: tuple[tuple[Image, Floats], ...]


def draw_empty(setting: Setting, camera: Camera) -> Empty:
    """The table without tiles; for a camera that stands still it is drawn once for all frames."""
    ground = draw_furniture(setting.table, camera, setting.cloth, setting.room)
    before = []
    near = float(np.linalg.norm(camera.position_mm))  # what is nearer than the middle stands before the tiles
    for vessel in setting.vessels:
        drawn = draw_vessel(vessel, camera)
        if drawn and np.linalg.norm(camera.position_mm - [vessel.x_mm, vessel.y_mm, 0.0]) < near:
            before.append(drawn)
        elif drawn:
            paint_quad(ground, *drawn, 1.0)
    return Empty(ground, tuple(before))


def draw_table(
    layout: Tabletop,
    setting: Setting,
    camera: Camera,
    bodies: TileBodies,
    over: Sequence[tuple[Image, Floats]] = (),
    empty: Empty | None = None,
) -> Scene:
    """A layout on its table as a camera sees it; nothing about it is random, so frames follow each other.

    The picture has the size of the setting's cloth; `bodies` are tiles of the layout's size; over: BGRA
    pictures with their quads px, as arms, that hide what is behind them; empty: what `draw_empty` gave."""
    empty = empty or draw_empty(setting, camera)
    hiding = (*empty.before, *over)
    placed = layout.place_tiles()
    return draw_scene(empty.ground, camera, placed, bodies, setting.light, setting.things, hiding)


def draw_whole_table(
    rng: Rng,
    bodies: TileBodies,
    *,
    width: int = 1280,
    height: int = 960,
    view: str | None = None,
    contents: Contents | None = None,
    ground: Ground = make_surface,
) -> Scene:
    """A whole table in play, seen from one of `VIEWS`, by default any of them; contents: what lies on it."""
    contents = contents or deal_random_contents(rng)
    habits = choose_habits(rng)
    half = measure_half_table(contents, bodies.size_mm) * float(rng.uniform(0.98, 1.12))
    layout = lay_out(contents, bodies.size_mm, habits, int(rng.integers(2**31)))
    name = view or list(VIEWS)[int(rng.integers(len(VIEWS)))]
    camera = VIEWS[name](rng, half, width, height)
    setting = make_random_setting(rng, half, habits.device_mm, width, height, ground)
    placed = layout.place_tiles()
    apart = tuple(thing for thing in setting.things if thing.flat or lies_apart(thing, placed))
    setting = replace(setting, things=apart)
    reaching = int(rng.choice(4, p=[0.55, 0.2, 0.15, 0.1]))
    arms = draw_random_arms(rng, camera, half, reaching, height, width)
    return draw_table(layout, setting, camera, bodies, arms)
