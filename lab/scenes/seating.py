"""Where people put their tiles: walls, rivers or a loose pile, melds, flowers and hands before four seats.

`lay_out` makes a `Tabletop` of `Contents`; how neat people are and which customs they keep is a `Habits`
value. All distances are worked out from the size of the tiles, so a table is as large as its tiles need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np

from companion.table.wall import Layer
from lab.scenes.contents import HIDDEN, SEATS, Contents, MeldTiles, SeatTiles
from lab.scenes.geometry import Floats
from lab.scenes.tabletop import QUARTER, Part, Pose, Resting, Tabletop, turn_to_seat

GAP_MM = 0.3  # between tiles that are pushed together
RIVER_ROW = 6
WHOLE = 1000  # index of what is random about a whole part and not about one of its tiles
TOWARDS = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))  # where each seat is


class River(Enum):
    """How discards lie."""

    ROWS = "rows"
    """Rows of six before each seat, round the middle of the table."""
    PILE = "pile"
    """Loose in the middle, each where it fell."""


class Hands(Enum):
    """How concealed hands are kept."""

    STANDING = "standing"
    LEANING = "leaning"
    FACE_DOWN = "face down"
    OPEN = "open"
    """Lying face up, as beginners and teaching games have them."""


@dataclass(frozen=True, slots=True)
class Habits:
    """Customs and care. untidy: 0 as a machine sets them, 1 as tired people do; hands: of seats 0 to 3.

    device_mm: half the side of what stands in the middle of the table; 0: nothing does.
    """

    river: River = River.ROWS
    hands: tuple[Hands, Hands, Hands, Hands] = (Hands.STANDING,) * 4
    untidy: float = 0.3
    device_mm: float = 0.0
    melds_at_right: bool = True


def measure_half_table(contents: Contents, size_mm: Floats) -> float:
    """Half the side of the playing surface that these tiles need."""
    height, depth = size_mm[1:]
    return float(measure_wall_distance(contents.stacks, size_mm) + 3.4 * height + depth + 30.0)


def measure_wall_distance(stacks: Sequence[int], size_mm: Floats) -> float:
    """How far the middle lines of walls of this many stacks a side are from the middle of the table, mm."""
    width, height, _ = size_mm
    return float((max(stacks) * (width + GAP_MM) + height) / 2 + 6.0)


def lay_out(contents: Contents, size_mm: Floats, habits: Habits, seed: int) -> Tabletop:
    """The contents of a table as people leave them. Every tile of `contents` lies somewhere, once.

    With the same seed a tile that stays in a game lies in the same place at every moment of it."""
    tiles = lay_walls(contents, size_mm, habits, seed)
    if habits.river is River.PILE:
        tiles += _lay_pile(contents, size_mm, habits, seed)
    for number, seat in enumerate(contents.seats):
        care = Care(seed, number, habits.untidy)
        own = _lay_hand(care, contents, seat, size_mm, habits, habits.hands[number])
        if habits.river is River.ROWS:
            own += _lay_river(care, contents, seat.discards, size_mm, habits)
        tiles += turn_to_seat(own, number)
    width, height, depth = (float(value) for value in size_mm)
    return Tabletop((width, height, depth), tuple(tiles))


@dataclass(frozen=True, slots=True)
class Care:
    """How exactly one player puts a tile down; the same for the same tile at every moment."""

    seed: int
    seat: int
    untidy: float

    def make_rng(self, part: Part, index: int) -> np.random.Generator:
        """The source of everything random about the tile `index` of this part."""
        return np.random.default_rng((self.seed, self.seat, list(Part).index(part), index))

    def pick_shift(self, part: Part, index: int) -> tuple[float, float, float]:
        """A shift along x and y in mm and a turn in radians."""
        dx, dy, angle = self.make_rng(part, index).normal(0, 1, 3) * self.untidy * [0.35, 1.0, 0.02]
        return float(dx), float(dy), float(angle)


def lay_walls(contents: Contents, size_mm: Floats, habits: Habits, seed: int) -> list[Resting]:
    """Both layers of all four walls, in touching rows."""
    width = float(size_mm[0]) + GAP_MM
    away = measure_wall_distance(contents.stacks, size_mm)
    cares = [Care(seed, side, habits.untidy) for side in range(SEATS)]
    shifts = [care.make_rng(Part.WALL, WHOLE).normal(0, 1, 2) * habits.untidy for care in cares]
    standing = {
        (tile.place.side, tile.place.stack) for tile in contents.wall if tile.place.layer is Layer.LOWER
    }
    tiles = []
    for tile in contents.wall:
        side, stack, upper = tile.place.side, tile.place.stack, tile.place.layer is Layer.UPPER
        slide, slant = float(shifts[side][0]) * 4.0, float(shifts[side][1]) * 0.015
        along = ((contents.stacks[side] + 1) / 2 - stack) * width + slide
        dx, dy, angle = cares[side].pick_shift(Part.WALL, 2 * stack + upper)
        resting = Resting(
            tile.code,
            along + dx * 0.4,
            -away + along * float(np.tan(slant)) + dy * 0.6,
            slant + angle * 0.4,
            Pose.FACE_UP if tile.turned else Pose.FACE_DOWN,
            int(upper and (side, stack) in standing),
            part=Part.WALL,
        )
        tiles += turn_to_seat([resting], side)
    return tiles


def _lay_river(
    care: Care, contents: Contents, discards: Sequence[str], size_mm: Floats, habits: Habits
) -> list[Resting]:
    """Rows of six from left to right, the first nearest the middle; the last row takes what is over."""
    width, height = float(size_mm[0]) + GAP_MM, float(size_mm[1]) + GAP_MM
    start = max(habits.device_mm + 4.0, 3.1 * width)
    rows = 3 if start + 3 * height < measure_wall_distance(contents.stacks, size_mm) - height / 2 else 2
    return [lay_in_row(care, code, index, start, rows, size_mm) for index, code in enumerate(discards)]


def lay_in_row(care: Care, code: str, index: int, start_mm: float, rows: int, size_mm: Floats) -> Resting:
    """The discard `index` of seat 0 in rows of six, which begin `start_mm` from the middle of the table."""
    width, height = float(size_mm[0]) + GAP_MM, float(size_mm[1]) + GAP_MM
    row = min(index // RIVER_ROW, rows - 1)
    column = index - row * RIVER_ROW
    dx, dy, angle = care.pick_shift(Part.RIVER, index)
    x = (column - 2.5) * (width + abs(dx)) + dx
    y = -start_mm - (row + 0.5) * height + dy
    return Resting(code, x, y, angle * 1.5, Pose.FACE_UP, part=Part.RIVER)


def _lay_pile(contents: Contents, size_mm: Floats, habits: Habits, seed: int) -> list[Resting]:
    """All discards loose in the middle, each nearer its own seat, none in another."""
    width, height = float(size_mm[0]), float(size_mm[1])
    reach = measure_wall_distance(contents.stacks, size_mm) - 1.2 * height
    free = habits.device_mm + height / 2 if habits.device_mm else 0.0
    taken: list[tuple[Floats, Floats]] = []
    tiles = []
    for index in range(max(len(seat.discards) for seat in contents.seats)):
        for seat, own in enumerate(contents.seats):  # places of all seats, so that a later discard moves none
            chance = Care(seed, seat, habits.untidy).make_rng(Part.RIVER, index)
            angle = seat * QUARTER + float(chance.normal(0, 0.2 + 1.2 * habits.untidy))
            grown = min(reach, free + height * (0.9 + 1.05 * float(np.sqrt(index + 1))))
            tries = chance.uniform(-grown, grown, (60, 2)) * 0.8 + grown * 0.2 * np.array(TOWARDS[seat])
            tries = np.concatenate(
                [tries[np.abs(tries).max(axis=1) >= free], chance.permutation(make_grid(reach, free, width))]
            )
            feet = find_foot(size_mm, angle)
            spot = next((spot for spot in tries if lies_free(spot, feet, taken)), tries[-1])
            taken.append((spot, feet + spot))
            if index < len(own.discards):
                x, y = float(spot[0]), float(spot[1])
                tiles.append(
                    Resting(own.discards[index], x, y, angle, Pose.FACE_UP, 0, 0.0, seat, Part.RIVER)
                )
    return tiles


def find_foot(size_mm: Floats, angle: float) -> Floats:
    """The corners (4, 2) mm of a lying tile about its middle, and a little room round it."""
    half = size_mm[:2] / 2 + GAP_MM
    c, s = np.cos(angle), np.sin(angle)
    corners: Floats = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ np.array([[c, s], [-s, c]])
    return corners


def lies_free(spot: Floats, feet: Floats, taken: Sequence[tuple[Floats, Floats]]) -> bool:
    """Whether a tile with these corners about its middle lies in no other at this spot.

    taken: the middle (2,) and the corners (4, 2) mm of each other tile.
    """
    reach = 2 * float(np.hypot(*feet[0]))
    corners = (feet + spot).astype(np.float32)
    return not any(
        np.hypot(spot[0] - middle[0], spot[1] - middle[1]) < reach
        and cv2.intersectConvexConvex(corners, other.astype(np.float32))[0] > 1.0
        for middle, other in taken
    )


def make_grid(reach: float, free: float, step: float) -> Floats:
    """Spots all over the middle of the table, for when no place was found by chance."""
    steps = np.arange(-reach, reach, step)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    spots: Floats = grid[np.abs(grid).max(axis=1) >= free]
    return spots


def _lay_hand(
    care: Care,
    contents: Contents,
    seat: SeatTiles,
    size_mm: Floats,
    habits: Habits,
    kept: Hands,
) -> list[Resting]:
    """A hand in a row with the drawn tile apart, melds at its right end, flowers before it."""
    width, height, depth = (float(value) for value in size_mm)
    line = -measure_wall_distance(contents.stacks, size_mm) - 1.9 * height
    melds, meld_mm = _lay_melds(care, seat.melds, size_mm)
    hand_mm = len(seat.hand) * (width + GAP_MM)
    start = -(hand_mm + meld_mm) / 2 - (width if seat.melds else 0.0)
    tiles = []
    pose = Pose.FACE_UP if seat.shown or kept is Hands.OPEN else Pose.STANDING
    pose = Pose.FACE_DOWN if kept is Hands.FACE_DOWN and pose is Pose.STANDING else pose
    if HIDDEN in seat.hand and pose is Pose.FACE_UP and not seat.shown:
        pose = Pose.STANDING
    whole = care.make_rng(Part.HAND, WHOLE)
    lean = float(whole.uniform(0.1, 0.6)) if kept is Hands.LEANING else 0.0
    stagger = 0.12 * depth if whole.random() < 0.25 else 0.0
    for index, code in enumerate(seat.hand):
        dx, dy, angle = care.pick_shift(Part.HAND, index)
        apart = 0.6 * width if seat.drawn and index == len(seat.hand) - 1 else 0.0
        x = start + (index + 0.5) * (width + GAP_MM) + apart + dx * 0.3
        y = line + dy * 0.7 + stagger * float(care.make_rng(Part.HAND, index).normal())
        tiles.append(Resting(code, x, y, angle * 0.6, pose, 0, lean, part=Part.HAND))
    shift = start + hand_mm + width if habits.melds_at_right else start - meld_mm - width
    tiles += [replace(meld, x_mm=meld.x_mm + shift, y_mm=meld.y_mm + line) for meld in melds]
    flower_line, flower_start = line - 1.25 * height, start
    for index, code in enumerate(seat.flowers):
        dx, dy, angle = care.pick_shift(Part.FLOWERS, index)
        x = flower_start + (index + 0.5) * (width + GAP_MM) + dx * 0.4
        tiles.append(Resting(code, x, flower_line + dy, angle, Pose.FACE_UP, part=Part.FLOWERS))
    return tiles


def _lay_melds(care: Care, melds: Sequence[MeldTiles], size_mm: Floats) -> tuple[list[Resting], float]:
    """Melds side by side from x = 0 on, at y = 0, and how wide they are together in mm."""
    width, height, _ = (float(value) for value in size_mm)
    tiles = []
    x = 0.0
    for number, meld in enumerate(melds):
        chance = care.make_rng(Part.MELD, WHOLE + number)
        for index, code in enumerate(meld.codes):
            dx, dy, angle = care.pick_shift(Part.MELD, 4 * number + index)
            pose = Pose.FACE_DOWN if index in meld.face_down else Pose.FACE_UP
            if index == meld.sideways:
                turn = QUARTER * float(chance.choice([1.0, 3.0]))
                at = (x + height / 2, -(height - width) / 2)
                x += height + GAP_MM
            else:
                turn, at = 0.0, (x + width / 2, 0.0)
                x += width + GAP_MM
            tiles.append(
                Resting(code, at[0] + dx * 0.3, at[1] + dy * 0.5, turn + angle * 0.6, pose, part=Part.MELD)
            )
        x += float(chance.uniform(0.0, 0.5)) * width
    return tiles, x
