"""Where tiles lie on the table, in mm: walls, hands, discards, melds, flowers, each a `Resting` value.

A tile's place depends on nothing that is laid later, so that what lies stays where it is. Places are worked
out before seat 0 and turned to the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.table.wall import Place
from lab.film.customs import EDGE_ROOM, HALF_MM, ROOM_MM, Customs
from lab.scenes.contents import HIDDEN, Contents, SeatTiles, WallTile
from lab.scenes.geometry import Floats
from lab.scenes.seating import (
    GAP_MM,
    TOWARDS,
    Care,
    Habits,
    River,
    find_foot,
    lay_in_row,
    lay_walls,
    lies_free,
    make_grid,
    measure_wall_distance,
)
from lab.scenes.tabletop import QUARTER, Part, Pose, Resting, turn_to_seat

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

    def lay_walls(self, order: Sequence[Place]) -> list[Resting]:
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
        pose = Pose.FACE_UP if shown else Pose.STANDING
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
            HIDDEN, float(spot[0]), float(spot[1]), angle, Pose.FACE_UP, seat=seat, part=Part.RIVER
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
            pose = Pose.FACE_DOWN if index in down else Pose.FACE_UP
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
            HIDDEN, under.x_mm - away[0] * ahead, under.y_mm - away[1] * ahead, under.angle, Pose.FACE_UP,
            int(not across), seat=seat, part=Part.MELD,
        )  # fmt: skip

    def set_out(self, seat: int, index: int) -> Resting:
        """The flower `index` of a player, in a row before the melds."""
        width, height, depth = self.size_mm
        dx, dy, angle = self._cares[seat].pick_shift(Part.FLOWERS, index)
        x = MELDS_END * HALF_MM - (index + 0.5) * (width + GAP_MM) + dx * 0.3
        y = -self.hand_line_mm + max(depth, height) / 2 + ROOM_MM + height / 2
        return self._turn(x, y + dy * 0.3, angle * 0.6, Pose.FACE_UP, seat, Part.FLOWERS)

    def _turn(self, x: float, y: float, angle: float, pose: Pose, seat: int, part: Part) -> Resting:
        return turn_to_seat([Resting(HIDDEN, x, y, angle, pose, part=part)], seat)[0]
