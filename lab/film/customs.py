"""The habits of one table: tiles, cloth, how discards and melds are placed, how careful people are; where
each tile is placed, in mm; and where the camera stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import cv2
import numpy as np

from companion.images import Image
from companion.table.wall import WallPlace
from lab.art.faces import CODES, draw_face, random_style
from lab.scenes.geometry import Camera, Floats, rotation_x, rotation_y, rotation_z
from lab.scenes.hand import make_house_set
from lab.scenes.layouts import (
    GAP_MM,
    HIDDEN,
    QUARTER,
    TOWARDS,
    Care,
    Contents,
    Habits,
    Part,
    Resting,
    River,
    SeatTiles,
    TilePose,
    WallTile,
    find_foot,
    lay_in_row,
    lay_walls,
    lies_free,
    make_grid,
    measure_wall_distance,
    turn_to_seat,
)
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


class Pose(StrEnum):
    """Where the camera stands."""

    ABOVE = "above"
    CORNER = "corner"
    SIDE = "side"


@dataclass(frozen=True, slots=True)
class _Stand:
    """elevation, turn: degrees above the table and round it; focal: of the lens, in widths of the picture."""

    elevation: float
    turn: float
    focal: float


STANDS: Mapping[Pose, _Stand] = {
    Pose.ABOVE: _Stand(89.9, 0.0, 0.76),
    Pose.CORNER: _Stand(45.0, 45.0, 0.76),
    Pose.SIDE: _Stand(30.0, 0.0, 0.66),
}
SPREAD_DEGREES = 1.5  # by which people set a camera up otherwise
SEEN_MM = 20.0  # of the table's rim that the picture holds on all sides
TILTED_SHARE = 0.97  # of the picture's width that the table may take
STEP = 1.02


def place_camera(pose: Pose, rng: Rng, width: int, height: int) -> Camera:
    """A camera in that pose, as near as it sees the whole table; seat 0 is at the lower edge."""
    stand = STANDS[pose]
    spread = rng.normal(0, SPREAD_DEGREES, 3)
    elevation = min(stand.elevation + float(spread[0]), 89.9)
    turn, roll = np.radians(stand.turn + float(spread[1]) * 2), np.radians(float(spread[2]) * 0.5)
    focal = stand.focal * max(width, height)
    distance = HALF_MM
    while True:
        camera = Camera.looking_at(
            np.zeros(3),
            distance,
            float(np.radians(elevation)),
            float(turn),
            float(roll),
            focal,
            width,
            height,
        )
        corners = camera.project(list_corners(HALF_MM + SEEN_MM))
        if np.all(np.isfinite(corners)):
            span = np.ptp(corners, axis=0)
            if np.all(span <= np.array([width, height]) * TILTED_SHARE):
                middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
                return replace(camera, centre_px=camera.centre_px + np.array([width, height]) / 2 - middle)
        distance *= STEP


def list_corners(half_mm: float) -> Floats:
    """The corners (4, 3) mm of a square on the table: seat 0's left one, then counterclockwise."""
    corners: Floats = half_mm * np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    return corners


def widen(camera: Camera, margin_px: int) -> Camera:
    """The camera with this margin round its picture."""
    return replace(camera, centre_px=camera.centre_px + margin_px)


def turn_camera(camera: Camera, yaw: float, pitch: float, roll: float) -> Camera:
    """The camera turned where it stands, radians."""
    turn = rotation_z(roll) @ rotation_x(pitch) @ rotation_y(yaw)
    return replace(camera, rotation=turn @ camera.rotation)


def make_matrix(camera: Camera) -> Floats:
    """The camera's matrix (3, 3)."""
    x, y = camera.centre_px
    return np.array([[camera.focal_px, 0, x], [0, camera.focal_px, y], [0, 0, 1.0]])


def map_pictures(before: Camera, after: Camera) -> Floats:
    """The homography (3, 3) from the picture of a camera to that of the same camera turned."""
    homography: Floats = (
        make_matrix(after) @ after.rotation @ before.rotation.T @ np.linalg.inv(make_matrix(before))
    )
    return homography


DICE_MM = 42.0  # half the side of the square in the middle that stays free for dice
RIVER_START = 3.1  # from the middle to the first row of discards, in widths of a tile
MELDS_END = 0.92  # where melds end at a player's right, as a share of half the table
APART = 0.6  # of a tile's width, between the hand and the drawn tile
TRIES = 80


@dataclass(frozen=True)
class Places:
    """The places of one table. size_mm: of its tiles; stacks: of each side of the wall at the beginning;
    hand: how many tiles a player holds; seed: of how exactly each tile is laid."""

    size_mm: tuple[float, float, float]
    stacks: tuple[int, int, int, int]
    hand: int
    customs: Customs
    seed: int

    @cached_property
    def size(self) -> Floats:
        return np.array(self.size_mm)

    @cached_property
    def _cares(self) -> tuple[Care, ...]:
        return tuple(Care(self.seed, seat, self.customs.untidy) for seat in range(4))

    @property
    def hand_line_mm(self) -> float:
        """How far the middles of hands are from the middle of the table."""
        return HALF_MM - EDGE_ROOM * self.size_mm[1]

    def lay_walls(self, order: Sequence[WallPlace]) -> list[Resting]:
        """The whole wall, a tile for each of these places."""
        nothing = SeatTiles(())
        walls = Contents((nothing,) * 4, tuple(WallTile(place, HIDDEN) for place in order), self.stacks)
        return lay_walls(walls, self.size, Habits(untidy=self.customs.untidy), self.seed)

    def stand(self, seat: int, index: int, *, apart: bool = False, shown: bool = False) -> Resting:
        """The tile `index` of a hand from the left; apart: drawn, and not yet put to the others; shown: the
        hand lies open."""
        width = self.size_mm[0] + GAP_MM
        dx, dy, angle = self._cares[seat].pick_shift(Part.HAND, index)
        x = (index - self.hand / 2) * width + APART * width * apart + dx * 0.3
        pose = TilePose.FACE_UP if shown else TilePose.STANDING
        return self._turn(x, dy * 0.5 - self.hand_line_mm, angle * 0.5, pose, seat, Part.HAND)

    def discard(self, seat: int, index: int, lying: Iterable[Resting]) -> Resting:
        """Where the discard `index` of a player is put among those that lie there."""
        if self.customs.river is River.PILE:
            return self._find_spot(seat, index, lying)
        height = self.size_mm[1] + GAP_MM
        start = RIVER_START * (self.size_mm[0] + GAP_MM)
        room = measure_wall_distance(self.stacks, self.size) - height / 2 - start
        rows = max(1, int(room / height))
        resting = lay_in_row(self._cares[seat], HIDDEN, index, start, rows, self.size)
        return turn_to_seat([resting], seat)[0]

    def _find_spot(self, seat: int, index: int, lying: Iterable[Resting]) -> Resting:
        """A free spot in the middle, rather near its player."""
        chance = self._cares[seat].make_rng(Part.RIVER, index)
        reach = measure_wall_distance(self.stacks, self.size) - 1.2 * self.size_mm[1]
        angle = seat * QUARTER + float(chance.normal(0, 0.15 + 0.9 * self.customs.untidy))
        foot = find_foot(self.size, angle)
        taken = []
        for other in lying:
            middle = np.array([other.x_mm, other.y_mm])
            taken.append((middle, find_foot(self.size, other.angle) + middle))
        near = np.array(TOWARDS[seat]) * 0.5 * reach
        tries = np.clip(near + chance.normal(0, 0.33 * reach, (TRIES, 2)), -reach, reach)
        tries = tries[np.abs(tries).max(axis=1) >= DICE_MM]
        tries = np.concatenate([tries, chance.permutation(make_grid(reach, DICE_MM, self.size_mm[0] / 2))])
        spot = next((each for each in tries if lies_free(each, foot, taken)), tries[-1])
        return Resting(
            HIDDEN, float(spot[0]), float(spot[1]), angle, TilePose.FACE_UP, seat=seat, part=Part.RIVER
        )

    def lay_meld(
        self, seat: int, number: int, before_mm: float, count: int, across: int | None, down: frozenset[int]
    ) -> tuple[list[Resting], float]:
        """The `count` tiles of a player's meld from left to right, and how wide all melds are then, mm.

        before_mm: how wide those before it are together, from the right end on; across: which tile lies
        sideways; down: which lie face down.
        """
        width, height = self.size_mm[0] + GAP_MM, self.size_mm[1] + GAP_MM
        care = self._cares[seat]
        gap = float(care.make_rng(Part.MELD, 1000 + number).uniform(0.1, 0.5)) * width if number else 0.0
        wide = width * count + (height - width) * (across is not None)
        x = MELDS_END * HALF_MM - before_mm - gap - wide
        tiles = []
        for index in range(count):
            dx, dy, turn = care.pick_shift(Part.MELD, 4 * number + index)
            lies_across = index == across
            step = height if lies_across else width
            y = -self.hand_line_mm - (self.size_mm[1] - self.size_mm[0]) / 2 * lies_across
            pose = TilePose.FACE_DOWN if index in down else TilePose.FACE_UP
            angle = QUARTER * lies_across + turn * 0.6
            tiles.append(self._turn(x + step / 2 + dx * 0.3, y + dy * 0.5, angle, pose, seat, Part.MELD))
            x += step
        return tiles, before_mm + gap + wide

    def add_to_pung(self, pung: Sequence[Resting]) -> Resting:
        """Where the fourth tile goes: before the one that lies across, else upon the middle one."""
        seat = pung[0].seat
        across = [tile for tile in pung if round((tile.angle - seat * QUARTER) / QUARTER) % 2]
        under = across[0] if across else pung[len(pung) // 2]
        ahead = (self.size_mm[0] + GAP_MM) if across else 0.0
        away = TOWARDS[seat]
        return Resting(
            HIDDEN, under.x_mm - away[0] * ahead, under.y_mm - away[1] * ahead, under.angle, TilePose.FACE_UP,
            int(not across), seat=seat, part=Part.MELD,
        )  # fmt: skip

    def set_out(self, seat: int, index: int) -> Resting:
        """The flower `index` of a player, in a row before the melds."""
        width, height, depth = self.size_mm
        dx, dy, angle = self._cares[seat].pick_shift(Part.FLOWERS, index)
        x = MELDS_END * HALF_MM - (index + 0.5) * (width + GAP_MM) + dx * 0.3
        y = -self.hand_line_mm + max(depth, height) / 2 + ROOM_MM + height / 2
        return self._turn(x, y + dy * 0.3, angle * 0.6, TilePose.FACE_UP, seat, Part.FLOWERS)

    def _turn(self, x: float, y: float, angle: float, pose: TilePose, seat: int, part: Part) -> Resting:
        return turn_to_seat([Resting(HIDDEN, x, y, angle, pose, part=part)], seat)[0]
