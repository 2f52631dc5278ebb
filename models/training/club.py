"""Pictures of tables as clubs and telephones make them, for training and for tests: one kind for each cause
of misreading, in the proportions and with the traits of telephones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from companion.images import Image
from lab.film.customs import make_club_bodies
from lab.scenes.closeups import (
    Close,
    draw_giant_tiles,
    draw_peacocks,
    draw_rows_of_backs,
    draw_tipped_tiles,
    draw_tray_of_tiles,
    draw_white_dragons,
)
from lab.scenes.club import draw_whole_table
from lab.scenes.draw import Scene, choose_frame, cut_scene, shrink_scene, take_scene
from lab.scenes.prints import draw_prints
from lab.scenes.rooms import draw_tileless
from lab.scenes.surfaces import make_surface
from lab.scenes.tileset import TEXTURE_PX
from models.training.designs import Designs, measure_difference

Ground = Callable[[np.random.Generator, int, int], Image]
DRAWS: Mapping[str, Close] = {
    "whole-tables": draw_whole_table,
    "backs": draw_rows_of_backs,
    "white-dragons": draw_white_dragons,
    "peacocks": draw_peacocks,
    "trays": draw_tray_of_tiles,
    "tipped": draw_tipped_tiles,
    "giants": draw_giant_tiles,
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
class ClubPicture:
    """A picture, and whether its set is of one colour: nobody can tell its backs from blank faces."""

    scene: Scene
    one_colour: bool


def draw_club_picture(
    rng: np.random.Generator,
    designs: Designs,
    *,
    kind: str | None = None,
    ground: Ground = make_surface,
    strength: float = TAKEN,
    larger: float = 1.0,
) -> ClubPicture:
    """A picture of one of the kinds of `DRAWS`, by default any by their shares; larger: how many times the
    px of `FRAMES` its sides have."""
    kind = kind or str(rng.choice(list(SHARES), p=list(SHARES.values())))
    if kind == "giants":
        bodies = make_club_bodies(rng, designs.choose_large_faces(rng), texture_px=(480, 640))
    else:
        px = (96, 128) if kind == "whole-tables" else TEXTURE_PX  # no tile of a whole table is larger
        faces = designs.choose_faces(rng)
        if kind == "white-dragons" and rng.random() < BLANK_SHARE:
            faces = faces | {"5z": np.zeros((4, 3, 4), np.uint8)}
        bodies = make_club_bodies(rng, faces, texture_px=px)
    width, height = (round(side * larger) for side in choose_frame(rng))
    scene = DRAWS[kind](rng, bodies, width=width, height=height, ground=ground)
    if rng.random() < CUT_SHARE:
        share = float(rng.uniform(0.45, 0.9))
        wide, high = round(width * share), round(height * share)
        left, top = int(rng.integers(0, width - wide + 1)), int(rng.integers(0, height - high + 1))
        scene = cut_scene(scene, left, top, wide, high)
    scene = take_scene(rng, scene, strength)
    if rng.random() < SMALLER_SHARE:
        scene = shrink_scene(scene, float(rng.uniform(0.55, 0.95)))
    return ClubPicture(scene, measure_difference(bodies.front, bodies.rear) < SAME_BGR)


def draw_printed_picture(
    rng: np.random.Generator,
    designs: Designs,
    *,
    tiles: bool,
    kind: str | None = None,
    ground: Ground = make_surface,
    strength: float = TAKEN,
) -> ClubPicture:
    """A picture of print and handwriting, of one kind of `PRINTS` or by default of several, with rows of
    tiles or without any."""
    bodies = make_club_bodies(rng, designs.choose_faces(rng))
    width, height = choose_frame(rng)
    scene = draw_prints(rng, bodies, width=width, height=height, ground=ground, kind=kind, tiles=tiles)
    scene = take_scene(rng, scene, strength)
    return ClubPicture(scene, measure_difference(bodies.front, bodies.rear) < SAME_BGR)


def draw_bare_picture(
    rng: np.random.Generator, *, ground: Ground = make_surface, strength: float = TAKEN
) -> Scene:
    """A picture without tiles: shelves, panels, tables with nothing on them, keyboards, rooms."""
    width, height = choose_frame(rng)
    return take_scene(rng, draw_tileless(rng, width=width, height=height, ground=ground), strength)
