"""Tables that are drawn to be read in a measurement, the same ones every time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.images import Image
from companion.table.wall import Layer, Place
from companion.tiles import KINDS, SET_136
from lab.scenes.club import Empty, Setting, draw_empty, draw_table
from lab.scenes.contents import SEATS, Contents, SeatTiles, WallTile
from lab.scenes.draw import Light, Scene
from lab.scenes.furniture import make_random_furniture
from lab.scenes.geometry import Camera
from lab.scenes.hand import FELT, SIZE_MM, make_house_set, render_hand
from lab.scenes.seating import Habits, Hands, lay_out
from lab.scenes.surfaces import make_cloth
from lab.scenes.tabletop import Tabletop

ROW = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + [f"{rank}z" for rank in range(1, 8)]
FACES, BACKS = 110, 100
"""More than a box has: no table in play shows as much."""
STACKS = BACKS // SEATS
HAND = 13
EDGE_MM = 45.0
NOISE_LEVELS = 3.0
SEED = 3


def draw_hands(tiles: int, width: int, height: int) -> Image:
    """A drawn table with n tiles, in rows of ten."""
    codes = (ROW * 2)[:tiles]
    rows = [codes[at : at + 10] for at in range(0, tiles, 10)]
    return render_hand(rows, seed=SEED, width=width, height=height).image


def add_noise(picture: Image, seed: int) -> Image:
    """The picture with the noise of a camera's sensor, of NOISE_LEVELS in every other pixel."""
    height, width = picture.shape[:2]
    rng = np.random.default_rng(seed)
    coarse = rng.standard_normal((height // 2, width // 2, 3), np.float32) * np.float32(NOISE_LEVELS)
    coarse = coarse.round().astype(np.int16)  # which takes half the memory
    return np.asarray(cv2.add(picture, cv2.resize(coarse, (width, height)), dtype=cv2.CV_8U), np.uint8)


@dataclass(frozen=True, eq=False)
class WholeTable:
    """A table with FACES tiles face up and BACKS face down, seen from nearly straight above by a camera that
    stands still and takes pictures of width × height px."""

    width: int
    height: int

    @cached_property
    def layout(self) -> Tabletop:
        """How it lies at first: open hands and discards, walls of two layers round them."""
        codes = [kind.code for kind in KINDS for _ in range(SET_136.copies[kind.index])]
        order = iter(np.random.default_rng(SEED).permutation(codes).tolist())
        each = [FACES // SEATS + (seat < FACES % SEATS) for seat in range(SEATS)]
        shown = [[next(order) for _ in range(count)] for count in each]
        one, two, three, four = (
            SeatTiles(tuple(codes[:HAND]), discards=tuple(codes[HAND:]), shown=True) for codes in shown
        )
        wall = tuple(
            WallTile(Place(side, stack, layer), "5z")
            for side in range(SEATS)
            for stack in range(1, STACKS + 1)
            for layer in (Layer.LOWER, Layer.UPPER)
        )
        contents = Contents((one, two, three, four), wall, (STACKS,) * 4)
        return lay_out(contents, SIZE_MM, Habits(hands=(Hands.OPEN,) * 4), SEED)

    @cached_property
    def _half_mm(self) -> float:
        return max(max(abs(tile.x_mm), abs(tile.y_mm)) for tile in self.layout.tiles) + EDGE_MM

    @cached_property
    def camera(self) -> Camera:
        focal = 1.2 * self.width
        distance = focal * 2 * self._half_mm / self.height
        return Camera.looking_at(
            np.zeros(3), distance, 1.5, 0.02, 0.01, focal, self.width, self.height
        )  # fmt: skip

    @cached_property
    def _setting(self) -> Setting:
        rng = np.random.default_rng(SEED)
        cloth = make_cloth(rng, self.height, self.width, np.array(FELT, np.float32))
        light = Light((-0.36, 0.48, 0.8), ambient=0.62, shadow=0.5, softness_px=self.width / 250)
        return Setting(make_random_furniture(rng, self._half_mm, device_mm=0.0), light, cloth, cloth)

    @cached_property
    def _empty(self) -> Empty:
        return draw_empty(self._setting, self.camera)

    def draw(self, layout: Tabletop) -> Scene:
        """The table as it is seen with its tiles lying like this."""
        bodies = make_house_set([tile.code for tile in KINDS])
        return draw_table(layout, self._setting, self.camera, bodies, empty=self._empty)
