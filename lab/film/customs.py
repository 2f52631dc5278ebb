"""The habits of one table: tiles, cloth, how discards lie, how melds are laid, how careful people are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.images import Image
from lab.art.faces import CODES, draw_face, random_style
from lab.scenes.bodies import make_club_bodies
from lab.scenes.geometry import Floats
from lab.scenes.hand import make_house_set
from lab.scenes.seating import River, measure_wall_distance
from lab.scenes.things import Rng
from lab.scenes.tileset import TileBodies

HALF_MM = 400.0  # half the side of the playing surface
EDGE_ROOM = 1.65  # from the middle of a hand to the table's edge, in heights of a tile
ROOM_MM = 3.0  # between wall, flowers and hand
USUAL_WIDTH_MM = 26.0
WIDTHS_MM = (22.5, 32.0)  # of tiles of other sizes, where the table has room for them
SCATTERED = frozenset({"hebei"})  # games whose discards lie anywhere in the middle
HIDDEN_TILES = (frozenset({0, 3}), frozenset({1, 2}), frozenset({1, 2, 3}))
"""Which tiles of a concealed kong that all may see lie face down."""
HOUSE_SHARE = 0.3  # of tables with the program's own design
FACE_PX = 192


@dataclass(frozen=True, slots=True)
class Customs:
    """How people at one table lay their tiles.

    sideways: whether a claimed tile lies across its meld. kong_down: which tiles of a concealed kong lie face
    down. untidy: 0 as a machine sets them, 1 as tired people do.
    """

    river: River
    sideways: bool
    kong_down: frozenset[int]
    untidy: float


def choose_customs(rng: Rng, rules: str, *, flowers: bool, public_kongs: bool, calm: bool) -> Customs:
    """Customs for a game of these rules.

    flowers: whether the game has any, which need the room before melds; public_kongs: whether all may see
    what a concealed kong is of.
    """
    down = HIDDEN_TILES[int(rng.integers(len(HIDDEN_TILES)))] if public_kongs else frozenset(range(4))
    untidy = float(rng.choice([rng.uniform(0.1, 0.5), rng.uniform(0.5, 1.3)]))
    return Customs(
        River.PILE if rules in SCATTERED else River.ROWS,
        bool(rng.random() < 0.6) and not flowers,
        down,
        min(untidy, 0.3) if calm else untidy,
    )


def choose_bodies(rng: Rng, stacks: tuple[int, int, int, int]) -> TileBodies:
    """Tiles that leave room on the table for walls of this many stacks a side."""
    if rng.random() < HOUSE_SHARE:
        return make_house_set(CODES)
    style = random_style(rng)
    faces: dict[str, Image] = {code: draw_face(code, style, FACE_PX) for code in CODES}
    bodies = make_club_bodies(rng, faces)
    width = USUAL_WIDTH_MM if rng.random() < 0.5 else float(rng.uniform(*WIDTHS_MM))
    proportions = bodies.size_mm / bodies.size_mm[0]
    while not has_room(stacks, width * proportions):
        width -= 0.25
    return TileBodies(
        width * proportions, faces, bodies.front, bodies.rear, bodies.split, bodies.corner, bodies.bevel,
        bodies.back_pattern, bodies.gloss, bodies.texture_px,
    )  # fmt: skip


def has_room(stacks: tuple[int, int, int, int], size_mm: Floats) -> bool:
    """Whether walls, a row of flowers and a hand have room before each player."""
    _, height, depth = size_mm
    wall = measure_wall_distance(stacks, np.asarray(size_mm)) + height / 2
    return bool(wall + height + depth / 2 + 3 * ROOM_MM <= HALF_MM - EDGE_ROOM * height)
