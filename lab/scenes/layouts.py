"""Where tiles stand and lie on a table: rows, racks, grids, piles, walls, melds.

Every layout is a list of `Placed` round the origin; `arrange` sets several of them on one table without
overlap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from lab.scenes.geometry import Box, Floats, rotation_x, rotation_y, rotation_z, round_to_pixels

QUARTER = np.pi / 2


@dataclass(frozen=True, slots=True, eq=False)
class PlacedTile:
    """A tile in its place: the code of its face and its box."""

    code: str
    box: Box


Codes = Callable[[], str]
Layout = list[PlacedTile]


def place_lying(
    size_mm: Floats, code: str, x: float, y: float, angle: float = 0.0, base: float = 0.0
) -> PlacedTile:
    """A tile on its back, face up, turned by `angle` radians."""
    return PlacedTile(code, Box.resting(size_mm, rotation_z(angle), x, y, base))


def place_face_down(
    size_mm: Floats, code: str, x: float, y: float, angle: float = 0.0, base: float = 0.0
) -> PlacedTile:
    """A tile on its face."""
    return PlacedTile(code, Box.resting(size_mm, rotation_z(angle) @ rotation_y(np.pi), x, y, base))


def place_standing(
    size_mm: Floats, code: str, x: float, y: float, lean: float = 0.0, angle: float = 0.0
) -> PlacedTile:
    """A tile on its lower edge, face towards -y; `lean` radians back from upright, `angle` about the
    vertical."""
    return PlacedTile(code, Box.resting(size_mm, rotation_z(angle) @ rotation_x(QUARTER - lean), x, y))


def row(rng: np.random.Generator, size_mm: Floats, codes: Codes, count: int) -> Layout:
    """A hand: tiles side by side, lying, leaning or standing; sometimes with gaps, jitter and a tile
    apart."""
    width, height, _ = size_mm
    gap = rng.choice([0.0, 0.0, rng.uniform(0, 0.15), rng.uniform(0.15, 0.8)]) * width
    jitter = rng.choice([0.0, 0.3, 1.0]) * np.array([0.04 * width, 0.06 * height, 0.05])
    lean = rng.choice([-1.0, 0.0, rng.uniform(0.0, 0.9)])
    placed: Layout = []
    x = 0.0
    for index in range(count):
        if index == count - 1 and rng.random() < 0.25:
            x += rng.uniform(0.2, 1.0) * width
        dx, dy, angle = rng.uniform(-1, 1, 3) * jitter
        if lean < 0:
            turned = QUARTER * rng.choice([0, 0, 0, 0, 0, 2]) + angle
            placed.append(place_lying(size_mm, codes(), x + dx, dy, turned))
        else:
            placed.append(place_standing(size_mm, codes(), x + dx, dy * 0.5, lean, angle * 0.5))
        x += width + gap + 2 * abs(dx)
    return placed


def grid(rng: np.random.Generator, size_mm: Floats, codes: Codes, count: int) -> Layout:
    """Tiles face up in rows and columns, touching or nearly, each any way up or all one way."""
    width, height, _ = size_mm
    columns = int(rng.integers(2, 10))
    gap = rng.choice([0.0, rng.uniform(0, 0.1), rng.uniform(0.1, 1.5)]) * width
    mixed = rng.random() < 0.3
    jitter = rng.choice([0.0, 0.03])
    placed: Layout = []
    for index in range(count):
        line, column = divmod(index, columns)
        turned = QUARTER * 2 * rng.integers(0, 2) if mixed else 0.0
        dx, dy, angle = rng.uniform(-jitter, jitter, 3)
        placed.append(
            place_lying(
                size_mm,
                codes(),
                column * (width + gap) + dx * width,
                -line * (height + gap) + dy * height,
                turned + angle,
            )
        )
    return placed


def pile(rng: np.random.Generator, size_mm: Floats, codes: Codes, count: int) -> Layout:
    """Discards thrown on the table at every angle, some face down, some standing on an edge."""
    spread = np.sqrt(count) * size_mm[1] * rng.uniform(0.75, 1.6)
    share_down = rng.choice([0.0, 0.1, 0.5])
    placed: Layout = []
    for _ in range(count * 3):
        x, y = rng.uniform(-spread / 2, spread / 2, 2)
        angle = rng.uniform(0, 2 * np.pi)
        put = place_face_down if rng.random() < share_down else place_lying
        candidate = put(size_mm, codes(), x, y, angle)
        if not any(_are_too_near(candidate, other, size_mm) for other in placed):
            placed.append(candidate)
        if len(placed) == count:
            break
    return placed


def _are_too_near(one: PlacedTile, other: PlacedTile, size_mm: Floats) -> bool:
    if np.hypot(*(one.box.centre_mm - other.box.centre_mm)[:2]) > 1.05 * np.hypot(*size_mm[:2]):
        return False
    area, _ = cv2.intersectConvexConvex(
        one.box.footprint().astype(np.float32), other.box.footprint().astype(np.float32)
    )
    return bool(area > 0.01 * size_mm[0] * size_mm[1])


def wall(rng: np.random.Generator, size_mm: Floats, codes: Codes, count: int) -> Layout:
    """A wall of stacks, one or two high, face down, the top layer partly drawn; or a row that stands with its
    back to the viewer."""
    width, _, depth = size_mm
    placed: Layout = []
    two_high = rng.random() < 0.7
    if rng.random() < 0.15:
        return [place_standing(size_mm, codes(), k * width * 1.01, 0.0, 0.0, np.pi) for k in range(count)]
    step = width * (1.0 + abs(rng.normal(0, 0.02)))
    for stack in range(max(1, count // (2 if two_high else 1))):
        x = stack * step
        placed.append(place_face_down(size_mm, codes(), x, 0.0, rng.uniform(-0.01, 0.01)))
        if two_high and rng.random() < 0.9:
            placed.append(
                place_face_down(size_mm, codes(), x, rng.uniform(-0.5, 0.5), rng.uniform(-0.02, 0.02), depth)
            )
    return placed


def melds(rng: np.random.Generator, size_mm: Floats, codes: Codes, count: int) -> Layout:
    """Claimed sets: three or four tiles, one of them sideways; concealed kongs with their outer tiles face
    down."""
    width, height, _ = size_mm
    placed: Layout = []
    x = 0.0
    while len(placed) < count:
        code = codes()
        number = int(rng.integers(3, 5))
        kinds = [code] * number if rng.random() < 0.6 else [codes() for _ in range(number)]
        sideways = int(rng.integers(0, number)) if rng.random() < 0.6 else -1
        hidden = {0, 3} if number == 4 and rng.random() < 0.5 else set()
        for index, kind in enumerate(kinds):
            if index in hidden:
                placed.append(place_face_down(size_mm, kind, x + width / 2, 0.0))
                x += width
            elif index == sideways:
                placed.append(
                    place_lying(
                        size_mm, kind, x + height / 2, -(height - width) / 2, QUARTER * rng.choice([1, 3])
                    )
                )
                x += height
            else:
                placed.append(place_lying(size_mm, kind, x + width / 2, 0.0))
                x += width
        x += rng.uniform(0.0, 1.0) * width
    return placed


def hand_and_wall(rng: np.random.Generator, size_mm: Floats, codes: Codes, count: int) -> Layout:
    """What a player sees: a standing or leaning hand, melds before it, the own wall two high beyond."""
    width, height, depth = size_mm
    lean = rng.choice([0.0, rng.uniform(0.0, 0.9)])
    placed = [
        place_standing(size_mm, codes(), (k + 0.03 * rng.normal()) * width * 1.02, 0.0, lean)
        for k in range(min(count, 14))
    ]
    across = rng.uniform(0.0, 4.0) * width
    for stack in range(int(rng.integers(3, 15))):
        for layer in range(2):
            x = across + (stack + layer * 0.04) * width * 1.01
            placed.append(
                place_face_down(size_mm, codes(), x, 2.6 * height, rng.normal(0, 0.01), layer * depth)
            )
    if rng.random() < 0.5:
        for k in range(int(rng.integers(1, 9))):
            placed.append(place_lying(size_mm, codes(), k * width * 1.01 - 2 * width, 1.2 * height))
    return placed


Make = Callable[[np.random.Generator, Floats, Codes, int], Layout]
LAYOUTS: tuple[Make, ...] = (row, row, row, grid, grid, pile, pile, wall, melds, hand_and_wall, hand_and_wall)


def move_layout(layout: Layout, x: float, y: float, angle: float) -> Layout:
    """The layout centred on its own middle, turned by `angle` and moved to (x, y) mm."""
    middle = np.mean([placed.box.centre_mm[:2] for placed in layout], axis=0)
    turn = rotation_z(angle)
    result: Layout = []
    for placed in layout:
        centre = turn @ (placed.box.centre_mm - [*middle, 0.0]) + [x, y, 0.0]
        result.append(
            replace(placed, box=replace(placed.box, rotation=turn @ placed.box.rotation, centre_mm=centre))
        )
    return result


def arrange(rng: np.random.Generator, groups: Sequence[Layout], reach_mm: float) -> Layout:
    """Sets the groups down within `reach_mm` of the origin; one that finds no free place is left out."""
    cells = 400
    scale = cells / (2.6 * reach_mm)
    taken = np.zeros((cells, cells), np.uint8)
    result: Layout = []
    for index, group in enumerate(groups):
        for _ in range(8):
            x, y = rng.uniform(-0.8, 0.8, 2) * reach_mm * (0.3 if index == 0 else 1.0)
            angle = rng.choice(
                [rng.normal(0, 0.1), rng.choice([0, 1, 2, 3]) * QUARTER, rng.uniform(0, 2 * np.pi)],
                p=[0.5, 0.25, 0.25],
            )
            candidate = move_layout(group, x, y, angle)
            mask = np.zeros_like(taken)
            for placed in candidate:
                cv2.fillConvexPoly(mask, round_to_pixels(placed.box.footprint() * scale + cells / 2), 1)
            if not np.any(mask & taken):
                taken |= mask
                result += candidate
                break
    return result
