"""Where people put their tiles: walls, rivers or a loose pile, melds, flowers and hands before four seats.

`lay_out` makes a `Tabletop` of `Contents`; how neat people are and which customs they keep is a `Habits`
value. All distances are worked out from the size of the tiles, so a table is as large as its tiles need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from companion.scenes.contents import HIDDEN, Contents, MeldTiles, SeatTiles
from companion.scenes.geometry import Floats
from companion.scenes.tabletop import QUARTER, Part, Pose, Resting, Tabletop, turned
from companion.table.places import Layer

GAP_MM = 0.3  # between tiles that are pushed together
RIVER_ROW = 6


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


def half_table_mm(contents: Contents, size_mm: Floats) -> float:
    """Half the side of the playing surface that these tiles need."""
    height, depth = size_mm[1:]
    return float(_wall_mm(contents, size_mm) + 3.4 * height + depth + 30.0)


def _wall_mm(contents: Contents, size_mm: Floats) -> float:
    """How far the walls' middle lines are from the middle of the table."""
    width, height, _ = size_mm
    return float((max(contents.stacks) * (width + GAP_MM) + height) / 2 + 6.0)


def lay_out(rng: np.random.Generator, contents: Contents, size_mm: Floats, habits: Habits) -> Tabletop:
    """The contents of a table as people leave them. Every tile of `contents` lies somewhere, once."""
    tiles = _walls(rng, contents, size_mm, habits)
    if habits.river is River.PILE:
        tiles += _pile(rng, contents, size_mm, habits)
    for number, seat in enumerate(contents.seats):
        own = _hand(rng, contents, seat, size_mm, habits, habits.hands[number])
        if habits.river is River.ROWS:
            own += _river(rng, contents, seat.discards, size_mm, habits)
        tiles += turned(own, number)
    width, height, depth = (float(value) for value in size_mm)
    return Tabletop((width, height, depth), tuple(tiles))


def _jitter(rng: np.random.Generator, habits: Habits) -> tuple[float, float, float]:
    """A shift along x and y in mm and a turn in radians, as a hand leaves them."""
    dx, dy, angle = rng.normal(0, 1, 3) * habits.untidy * [0.35, 1.0, 0.02]
    return float(dx), float(dy), float(angle)


def _walls(rng: np.random.Generator, contents: Contents, size_mm: Floats, habits: Habits) -> list[Resting]:
    """Both layers of all four walls, in touching rows."""
    width = float(size_mm[0]) + GAP_MM
    away = _wall_mm(contents, size_mm)
    slant = rng.normal(0, 0.02 * habits.untidy, 4) * (rng.random(4) < 0.7)
    slide = rng.normal(0, 4.0 * habits.untidy, 4)
    under: dict[tuple[int, int], Resting] = {}
    tiles = []
    lower_first = sorted(contents.wall, key=lambda tile: tile.place.layer is Layer.UPPER)
    for tile in lower_first:
        side, stack = tile.place.side, tile.place.stack
        along = ((contents.stacks[side] + 1) / 2 - stack) * width + slide[side]
        dx, dy, angle = _jitter(rng, habits)
        pose = Pose.FACE_UP if tile.turned else Pose.FACE_DOWN
        lower = under.get((side, stack))
        layer = 1 if lower is not None and tile.place.layer is Layer.UPPER else 0
        resting = Resting(
            tile.code, along + dx * 0.4, -away + along * float(np.tan(slant[side])) + dy * 0.6,
            float(slant[side]) + angle * 0.4, pose, layer, 0.0, side, Part.WALL,
        )  # fmt: skip
        (placed,) = turned([resting], side)
        if layer == 0:
            under[side, stack] = placed
        tiles.append(placed)
    return tiles


def _river(
    rng: np.random.Generator, contents: Contents, discards: Sequence[str], size_mm: Floats, habits: Habits
) -> list[Resting]:
    """Rows of six from left to right, the first nearest the middle; the last row takes what is over."""
    width, height = float(size_mm[0]) + GAP_MM, float(size_mm[1]) + GAP_MM
    start = max(habits.device_mm + 4.0, 3.1 * width)
    rows = 3 if start + 3 * height < _wall_mm(contents, size_mm) - height / 2 else 2
    tiles = []
    for index, code in enumerate(discards):
        row = min(index // RIVER_ROW, rows - 1)
        column = index - row * RIVER_ROW
        dx, dy, angle = _jitter(rng, habits)
        x = (column - 2.5) * (width + abs(dx)) + dx
        tiles.append(
            Resting(code, x, -start - (row + 0.5) * height + dy, angle * 1.5, Pose.FACE_UP, part=Part.RIVER)
        )
    return tiles


def _pile(rng: np.random.Generator, contents: Contents, size_mm: Floats, habits: Habits) -> list[Resting]:
    """All discards loose in the middle, each nearer its own seat, none upon another."""
    width, height = float(size_mm[0]), float(size_mm[1])
    reach = _wall_mm(contents, size_mm) - 1.2 * height
    apart = float(np.hypot(width, height)) * 0.86
    count = sum(len(seat.discards) for seat in contents.seats)
    spots: list[Floats] = []
    free = habits.device_mm * 1.45 + apart / 2 if habits.device_mm else 0.0
    ring = max(free + apart, apart * 0.62 * np.sqrt(count + 4.0))
    tiles = []
    # Dealt round the table, so that no seat's discards fill the middle before the others have laid any.
    waiting = [
        (turn, seat, code)
        for seat, own in enumerate(contents.seats)
        for turn, code in enumerate(own.discards)
    ]
    for _, seat, code in sorted(waiting):
        for attempt in range(60):
            grown = min(reach, ring * (1 + attempt / 40))
            spot = rng.uniform(-grown, grown, 2)
            spot = spot * 0.8 + grown * 0.2 * np.array([(0, -1), (1, 0), (0, 1), (-1, 0)][seat])
            if free and np.abs(spot).max() < free / 1.45 + apart / 2:
                continue
            if all(np.hypot(*(spot - other)) >= apart for other in spots[-80:]):
                break
        else:
            spot = _free_spot(spots, apart, reach, free)
        spots.append(spot)
        angle = seat * QUARTER + float(rng.normal(0, 0.2 + 1.2 * habits.untidy))
        tiles.append(
            Resting(code, float(spot[0]), float(spot[1]), angle, Pose.FACE_UP, 0, 0.0, seat, Part.RIVER)
        )
    return tiles


def _free_spot(spots: Sequence[Floats], apart: float, reach: float, free: float) -> Floats:
    """The first place of a grid that is far enough from all others, or else the one that is farthest."""
    steps = np.arange(-reach, reach, apart / 3)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    if free:
        grid = grid[np.abs(grid).max(axis=1) > free / 1.45 + apart / 2]
    away = np.min(np.linalg.norm(grid[:, None] - np.array(spots)[None], axis=2), axis=1)
    chosen = np.flatnonzero(away >= apart)
    spot: Floats = grid[chosen[0] if len(chosen) else int(np.argmax(away))]
    return spot


def _hand(
    rng: np.random.Generator,
    contents: Contents,
    seat: SeatTiles,
    size_mm: Floats,
    habits: Habits,
    kept: Hands,
) -> list[Resting]:
    """A hand in a row with the drawn tile apart, melds at its right end, flowers before it."""
    width, height, depth = (float(value) for value in size_mm)
    line = -_wall_mm(contents, size_mm) - 1.9 * height
    melds, meld_mm = _melds(rng, seat.melds, size_mm, habits)
    hand_mm = len(seat.hand) * (width + GAP_MM)
    start = -(hand_mm + meld_mm) / 2 - (width if seat.melds else 0.0)
    tiles = []
    pose = Pose.FACE_UP if seat.shown or kept is Hands.OPEN else Pose.STANDING
    pose = Pose.FACE_DOWN if kept is Hands.FACE_DOWN and pose is Pose.STANDING else pose
    if HIDDEN in seat.hand and pose is Pose.FACE_UP and not seat.shown:
        pose = Pose.STANDING
    lean = float(rng.uniform(0.1, 0.6)) if kept is Hands.LEANING else 0.0
    stagger = rng.random() < 0.25
    for index, code in enumerate(seat.hand):
        dx, dy, angle = _jitter(rng, habits)
        apart = 0.6 * width if seat.drawn and index == len(seat.hand) - 1 else 0.0
        x = start + (index + 0.5) * (width + GAP_MM) + apart + dx * 0.3
        y = line + dy * 0.7 + (float(rng.normal(0, 0.12)) * depth if stagger else 0.0)
        tiles.append(Resting(code, x, y, angle * 0.6, pose, 0, lean, part=Part.HAND))
    shift = start + hand_mm + width if habits.melds_at_right else start - meld_mm - width
    tiles += [replace(meld, x_mm=meld.x_mm + shift, y_mm=meld.y_mm + line) for meld in melds]
    flower_line, flower_start = line - 1.25 * height, start
    for index, code in enumerate(seat.flowers):
        dx, dy, angle = _jitter(rng, habits)
        x = flower_start + (index + 0.5) * (width + GAP_MM) + dx * 0.4
        tiles.append(Resting(code, x, flower_line + dy, angle, Pose.FACE_UP, part=Part.FLOWERS))
    return tiles


def _melds(
    rng: np.random.Generator, melds: Sequence[MeldTiles], size_mm: Floats, habits: Habits
) -> tuple[list[Resting], float]:
    """Melds side by side from x = 0 on, at y = 0, and how wide they are together in mm."""
    width, height, _ = (float(value) for value in size_mm)
    tiles = []
    x = 0.0
    for meld in melds:
        for index, code in enumerate(meld.codes):
            dx, dy, angle = _jitter(rng, habits)
            pose = Pose.FACE_DOWN if index in meld.face_down else Pose.FACE_UP
            if index == meld.sideways:
                turn = QUARTER * float(rng.choice([1.0, 3.0]))
                at = (x + height / 2, -(height - width) / 2)
                x += height + GAP_MM
            else:
                turn, at = 0.0, (x + width / 2, 0.0)
                x += width + GAP_MM
            tiles.append(
                Resting(code, at[0] + dx * 0.3, at[1] + dy * 0.5, turn + angle * 0.6, pose, part=Part.MELD)
            )
        x += float(rng.uniform(0.0, 0.5)) * width
    return tiles, x
