"""Where tiles lie in plain films (`plain_films.py`): other habits than those of lab.film.

The film's world is that of a table of 800 mm: only the tiles are larger or smaller.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from companion.table.wall import Layer, Place
from lab.film.customs import HALF_MM, Customs
from lab.film.places import Places
from lab.scenes.contents import HIDDEN
from lab.scenes.geometry import Floats
from lab.scenes.seating import River, find_foot, lies_free
from lab.scenes.tabletop import QUARTER, Part, Pose, Resting, turn_to_seat
from lab.scenes.things import Rng

TABLES_MM = (700.0, 950.0)
TILES_MM = (24.0, 30.0)
AWAY = Resting(HIDDEN, -4000.0, -4000.0, 0.0, Pose.FACE_DOWN, part=Part.HAND)
"""Where tiles are that no camera sees."""
AWAY_MM = -1000.0
"""Of x: tiles farther off are away."""
KONGS_DOWN = (frozenset({0, 3}), frozenset({1, 2}))
TRIES = 300
ROWS = 3
TOUCHING = 0.93
"""Share of their sides up to which tiles count as apart: those of a row touch."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How tiles lie on one table.

    wall_mm, hand_mm: how far walls and hands are from the middle; hands: how they stand: `outward`, `blocks`
    or `absent`; row: discards in a row, 0 where they lie scattered; melds: where: `right`, `left` or
    `front`; careless: mm by which tiles lie beside their places; turned, way: from which stack the wall is
    drawn, and which way round.
    """

    size_mm: tuple[float, float, float]
    has_walls: bool
    wall_mm: float
    hands: str
    hand_mm: float
    row: int
    melds: str
    careless: float
    turned: int
    way: int


def is_away(resting: Resting) -> bool:
    """Whether a tile is where no camera sees it."""
    return resting.x_mm < AWAY_MM


def choose_manner(rng: Rng, stacks: Sequence[int]) -> Manner:
    """A manner in which walls of so many stacks a side have room."""
    has_walls = bool(rng.choice([True, True, True, True, False]))
    melds = str(rng.choice(["right", "right", "left", "front"]))
    width = float(rng.uniform(*TILES_MM) * 2 * HALF_MM / rng.uniform(*TABLES_MM))
    high, deep = float(rng.uniform(1.28, 1.4)), float(rng.uniform(0.62, 0.8))
    row = int(rng.choice([6, 6, 10, 0]))
    wall = _reckon_wall(stacks, row, high)
    rows = 2.2 if melds == "front" else 1.1  # of tiles' heights outside of the wall
    least = wall + high * (rows + 0.6)
    width = min(width, HALF_MM / (least + 0.75 * high))
    most = max(least, HALF_MM / width - 0.75 * high)
    hand = float(rng.choice([rng.uniform(least, most), most]))
    return Manner(
        (width, width * high, width * deep),
        has_walls,
        wall * width,
        str(rng.choice(["outward", "outward", "outward", "blocks", "absent"])),
        hand * width,
        row,
        melds,
        float(rng.uniform(0.3, 2.5)),
        int(rng.integers(sum(stacks))),
        int(rng.choice([-1, 1])),
    )


def _reckon_wall(stacks: Sequence[int], row: int, high: float) -> float:
    """How far walls are from the middle so that neither they nor three rows of discards touch, in widths of a
    tile that is so many times as high as wide."""
    discards = row / 2 + 0.5 + (ROWS if row else 0) * high
    return max(max(stacks) / 2, discards) + high / 2 + 0.15


def make_customs(rng: Rng, manner: Manner, *, flowers: bool, public_kongs: bool) -> Customs:
    """The customs that the course of a hand asks for."""
    down = KONGS_DOWN[int(rng.integers(2))] if public_kongs else frozenset(range(4))
    sideways = bool(rng.random() < 0.5) and not flowers
    return Customs(River.ROWS if manner.row else River.PILE, sideways, down, 0.0)


@dataclass(frozen=True)
class PlainPlaces(Places):
    """The places of one table in this manner."""

    manner: Manner

    @cached_property
    def _pitch(self) -> float:
        return self.size_mm[0] + 0.4

    @property
    def hand_line_mm(self) -> float:
        return self.manner.hand_mm

    def lay_walls(self, order: Sequence[Place]) -> list[Resting]:
        """The wall, taken down from another place and perhaps the other way round."""
        if not self.manner.has_walls:
            return [AWAY] * len(order)
        sites = [(side, stack) for side in (0, 3, 2, 1) for stack in range(self.stacks[side])]
        names = list(dict.fromkeys((place.side, place.stack) for place in order))
        site_of = {
            name: sites[(self.manner.way * index + self.manner.turned) % len(sites)]
            for index, name in enumerate(names)
        }
        laid = []
        for place in order:
            side, stack = site_of[place.side, place.stack]
            layer = int(place.layer is Layer.UPPER)
            x = (self.stacks[side] / 2 - stack - 0.5) * self._pitch
            rng = np.random.default_rng((self.seed, side, stack))
            y = -self.manner.wall_mm + float(rng.normal(0, 0.4 * self.manner.careless))
            laid.append(self._lay(x, y, 0.0, Pose.FACE_DOWN, side, Part.WALL, layer))
        return laid

    def stand(self, seat: int, index: int, *, apart: bool = False, shown: bool = False) -> Resting:
        if self.manner.hands == "absent" and not shown:
            return replace(AWAY, seat=seat)
        x = (index - self.hand / 2) * self._pitch + (9.0 if apart else 0.0)
        if self.manner.melds == "left":
            x += 0.2 * HALF_MM
        if shown:
            return self._lay(x, -self.hand_line_mm, 0.0, Pose.FACE_UP, seat, Part.HAND)
        return self._lay(x, -self.hand_line_mm, 0.0, Pose.STANDING, seat, Part.HAND)

    def discard(self, seat: int, index: int, lying: Iterable[Resting]) -> Resting:
        rng = np.random.default_rng((self.seed, seat, index, 1))
        taken = []
        for other in lying:
            middle = np.array([other.x_mm, other.y_mm])
            taken.append((middle, TOUCHING * find_foot(self.size, other.angle) + middle))
        reach = self.manner.wall_mm - self.size_mm[1]
        if self.manner.row:
            line, at = divmod(index, self.manner.row)
            x = (at - self.manner.row / 2 + 0.5) * self._pitch
            y = -((self.manner.row / 2 + 0.4) * self._pitch + (line + 0.5) * (self.size_mm[1] + 0.6))
            dx, dy, turn = rng.normal(0, [0.5, 0.5, 0.01]) * self.manner.careless
            resting = self._lay(x + dx, y + dy, turn, Pose.FACE_UP, seat, Part.RIVER)
            if -y < reach and self._is_free(resting, taken):
                return resting
        for spread in np.linspace(0.4, 1.0, TRIES):
            x, y = rng.normal(0, spread * 0.6 * reach), rng.normal(-0.45, spread * 0.5) * reach
            turn = float(rng.normal(0, 0.5)) if not self.manner.row else 0.0
            resting = self._lay(x, y, turn, Pose.FACE_UP, seat, Part.RIVER)
            if max(abs(x), abs(y)) < reach and self._is_free(resting, taken):
                break
        return resting

    def lay_meld(
        self, seat: int, number: int, before_mm: float, count: int, across: int | None, down: frozenset[int]
    ) -> tuple[list[Resting], float]:
        width, height = self._pitch, self.size_mm[1] + 0.4
        gap = 0.3 * width if number else 0.0
        wide = width * count + (height - width) * (across is not None)
        end = 0.93 * HALF_MM - before_mm - gap
        x = end - wide if self.manner.melds != "left" else -end
        ahead = height + 2 if self.manner.melds == "front" else 0.0
        rng = np.random.default_rng((self.seed, seat, number, 2))
        tiles = []
        for index in range(count):
            lies_across = index == across
            step = height if lies_across else width
            y = -self.hand_line_mm + ahead - (self.size_mm[1] - self.size_mm[0]) / 2 * lies_across
            dx, dy, turn = rng.normal(0, [0.1, 0.3, 0.008]) * self.manner.careless
            pose = Pose.FACE_DOWN if index in down else Pose.FACE_UP
            turn += QUARTER * lies_across
            tiles.append(self._lay(x + step / 2 + dx, y + dy, turn, pose, seat, Part.MELD))
            x += step
        return tiles, before_mm + gap + wide

    def set_out(self, seat: int, index: int) -> Resting:
        x = (self.hand / 2 - index) * self._pitch * (-1 if self.manner.melds == "left" else 1)
        y = -self.hand_line_mm + self.size_mm[1] * 0.95
        return self._lay(x, y, 0.0, Pose.FACE_UP, seat, Part.FLOWERS)

    def _is_free(self, resting: Resting, taken: Sequence[tuple[Floats, Floats]]) -> bool:
        spot = np.array([resting.x_mm, resting.y_mm])
        return lies_free(spot, TOUCHING * find_foot(self.size, resting.angle), taken)

    def _lay(
        self, x: float, y: float, angle: float, pose: Pose, seat: int, part: Part, layer: int = 0
    ) -> Resting:
        return turn_to_seat([Resting(HIDDEN, x, y, angle, pose, layer, part=part)], seat)[0]
