"""Pictures of tables as clubs and telephones make them, for training and for tests: one kind for each cause
of misreading, in the proportions and with the traits of telephones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from companion.images import Image
from companion.scenes.bodies import club_bodies
from companion.scenes.closeups import (
    Close,
    giant_tiles,
    peacocks,
    rows_of_backs,
    tipped_tiles,
    tray_of_tiles,
    white_dragons,
)
from companion.scenes.club import whole_table
from companion.scenes.draw import Scene
from companion.scenes.lens import cut_scene, random_frame, shrunk_scene, taken
from companion.scenes.rooms import tileless
from companion.scenes.surfaces import surface
from companion.scenes.tileset import TEXTURE_PX
from models.training.designs import Designs, distance

Ground = Callable[[np.random.Generator, int, int], Image]
DRAWS: Mapping[str, Close] = {
    "whole-tables": whole_table,
    "backs": rows_of_backs,
    "white-dragons": white_dragons,
    "peacocks": peacocks,
    "trays": tray_of_tiles,
    "tipped": tipped_tiles,
    "giants": giant_tiles,
}
# How often each kind is drawn to learn from.
SHARES = {
    "whole-tables": 0.38, "backs": 0.16, "white-dragons": 0.14,
    "peacocks": 0.05, "trays": 0.05, "tipped": 0.10, "giants": 0.12,
}  # fmt: skip
TAKEN = 0.7  # how much a telephone does to a picture; training adds its own blur and light
CUT_SHARE = 0.15  # of pictures that are a part of what was taken, in the same proportions
SMALLER_SHARE = 0.25  # of pictures that are sent on smaller than they were taken
BLANK_SHARE = 0.6  # of pictures of White dragons in which these are blank whatever the design
SAME_BGR = 30.0  # distance of face and back up to which nobody tells them apart


@dataclass(frozen=True, slots=True, eq=False)
class Club:
    """A picture, and whether its set is of one colour: nobody knows a back of it from a blank face."""

    scene: Scene
    one_colour: bool


def club_picture(
    rng: np.random.Generator,
    designs: Designs,
    *,
    kind: str | None = None,
    ground: Ground = surface,
    strength: float = TAKEN,
    larger: float = 1.0,
) -> Club:
    """A picture of one of the kinds of `DRAWS`, by default any by their shares; larger: how many times the
    px of `FRAMES` its sides have."""
    kind = kind or str(rng.choice(list(SHARES), p=list(SHARES.values())))
    if kind == "giants":
        bodies = club_bodies(rng, designs.large_faces(rng), texture_px=(480, 640))
    else:
        px = (96, 128) if kind == "whole-tables" else TEXTURE_PX  # no tile of a whole table is larger
        faces = designs.faces(rng)
        if kind == "white-dragons" and rng.random() < BLANK_SHARE:
            faces = faces | {"5z": np.zeros((4, 3, 4), np.uint8)}
        bodies = club_bodies(rng, faces, texture_px=px)
    width, height = (round(side * larger) for side in random_frame(rng))
    scene = DRAWS[kind](rng, bodies, width=width, height=height, ground=ground)
    if rng.random() < CUT_SHARE:
        share = float(rng.uniform(0.45, 0.9))
        wide, high = round(width * share), round(height * share)
        left, top = int(rng.integers(0, width - wide + 1)), int(rng.integers(0, height - high + 1))
        scene = cut_scene(scene, left, top, wide, high)
    scene = taken(rng, scene, strength)
    if rng.random() < SMALLER_SHARE:
        scene = shrunk_scene(scene, float(rng.uniform(0.55, 0.95)))
    return Club(scene, distance(bodies.front, bodies.rear) < SAME_BGR)


def bare_picture(rng: np.random.Generator, *, ground: Ground = surface, strength: float = TAKEN) -> Scene:
    """A picture without tiles: shelves, panels, tables with nothing on them, keyboards, rooms."""
    width, height = random_frame(rng)
    return taken(rng, tileless(rng, width=width, height=height, ground=ground), strength)
