"""Dice as mahjong tables have them: small, white with red ones and fours, or of one colour with white pips.

All dice of a throw look alike. `film.throws` has them roll.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.images import Image
from lab.scenes.geometry import Box, Floats, rotation_z
from lab.scenes.things import Colour, Rng, Thing, choose_pale_colour

FACES = ("face", "back", "top", "bottom", "left", "right")
"""Sides of a box, each beside the one opposite to it, on which a die shows what is missing to 7."""
TEXTURE_PX = 72
FINE = 4
"""Bits of a pixel, by which pips are drawn more exactly."""
GAP_MM = 1.5
"""Between two dice at least."""
TRIES = 200

COORDINATES: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where pips are, in steps from the middle of a side."""
RED = (30, 20, 200)


@dataclass(frozen=True, slots=True)
class DieLook:
    """How the dice of a set look. edge_mm: of the cube; red: which numbers are red; step, pip, one: from the
    middle to a pip's, a pip's radius and that of a single one, as shares of the edge; round: radius of the
    edges, as a share; clear: how much light goes through, 0..1; glare: of a lamp on the top, 0..1."""

    edge_mm: float
    ground: Colour
    ink: Colour
    red: tuple[int, ...]
    step: float
    pip: float
    one: float
    round: float
    clear: float = 0.0
    glare: float = 0.0


def choose_look(rng: Rng) -> DieLook:
    """A set of dice: white or ivory, red, black, green or blue, some of them clear."""
    edge, pip = float(rng.uniform(10, 20)), float(rng.uniform(0.085, 0.115))
    shape = (float(rng.uniform(0.23, 0.27)), pip)
    rest = (float(rng.uniform(0.06, 0.18)), float(rng.choice([0.0, rng.uniform(0.1, 0.5)])))
    if rng.random() < 0.65:
        red = ((1, 4), (1, 4), (1,), ())[int(rng.integers(4))]
        one = pip * float(rng.choice([1.0, rng.uniform(1.4, 2.0)]))
        ink = (0, 0, 160) if rng.random() < 0.1 else (int(rng.integers(15, 60)),) * 3
        return DieLook(edge, choose_pale_colour(rng), ink, red, *shape, one, rest[0], 0.0, rest[1])
    hue = ((20, 15, 190), (25, 25, 28), (60, 110, 20), (150, 60, 20), (35, 25, 150))[int(rng.integers(5))]
    b, g, r = (int(np.clip(part + rng.integers(-15, 16), 0, 255)) for part in hue)
    clear = float(rng.choice([0.0, rng.uniform(0.3, 0.9)]))
    white = (int(rng.integers(200, 250)),) * 3
    return DieLook(edge, (b, g, r), white, (), *shape, pip, rest[0], clear, rest[1])


def make_die(rng: Rng, look: DieLook, shown: int) -> Thing:
    """A die that lies with this number up."""
    pairs = [(shown, 7 - shown), *((n, 7 - n) for n in (1, 2, 3) if n not in (shown, 7 - shown))]
    numbers = [
        n for at, pair in enumerate(pairs) for n in (pair if not at or rng.random() < 0.5 else pair[::-1])
    ]
    sides = {name: _draw_side(rng, look, n) for name, n in zip(FACES, numbers, strict=True)}
    sides["face"] = _shine(rng, sides["face"], look.glare)
    box = Box.resting(np.full(3, look.edge_mm), rotation_z(0.0), 0.0, 0.0)
    return Thing(box, look.ground, sides, round_mm=look.round * look.edge_mm)


def _draw_side(rng: Rng, look: DieLook, number: int) -> Image:
    """A side (TEXTURE_PX, TEXTURE_PX, 4) BGRA, turned at random."""
    side = TEXTURE_PX
    sheet = np.full((side, side, 4), 255, np.uint8)
    sheet[..., :3] = look.ground
    if look.clear:
        y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j] - rng.uniform(-0.5, 0.5, (2, 1, 1))
        light = 1 + look.clear * (0.9 * np.exp(-2 * (x * x + y * y)) - 0.25)
        sheet[..., :3] = np.clip(sheet[..., :3] * light[..., None] + 25 * look.clear, 0, 255).astype(np.uint8)
    ink = RED if number in look.red else look.ink
    radius = (look.one if number == 1 else look.pip) * side
    unit = 1 << FINE
    for u, v in COORDINATES[number]:
        middle = [round((0.5 + look.step * each) * side * unit - unit / 2) for each in (u, v)]
        cv2.circle(sheet, middle, round(radius * unit), (*ink, 255), -1, cv2.LINE_AA, FINE)
        deep = [each + round(0.3 * radius * unit) for each in middle]
        lit = [int(min(255, part + 25)) for part in ink]
        cv2.circle(sheet, deep, round(0.5 * radius * unit), (*lit, 255), -1, cv2.LINE_AA, FINE)
    return np.ascontiguousarray(np.rot90(sheet, int(rng.integers(4))))


def _shine(rng: Rng, sheet: Image, glare: float) -> Image:
    """The side with a lamp's light on it."""
    if not glare:
        return sheet
    y, x = np.mgrid[-1 : 1 : sheet.shape[0] * 1j, -1 : 1 : sheet.shape[1] * 1j]
    u, v = rng.uniform(-0.9, 0.9, 2)
    spot = glare * np.exp(-3 * ((x - u) ** 2 + (y - v) ** 2))[..., None]
    shone = sheet.copy()
    shone[..., :3] = (sheet[..., :3] * (1 - spot) + 255 * spot).astype(np.uint8)
    return shone


def scatter_dice(rng: Rng, look: DieLook, count: int, reach_mm: float) -> list[tuple[float, float, float]]:
    """Where so many dice come to lie no farther than that from the table's middle: x, y mm and the angle.
    Raises ValueError where there is no room for them."""
    for _ in range(TRIES):
        places = _scatter(rng, look, count, reach_mm)
        if len(places) == count:
            return [(float(x), float(y), float(rng.uniform(0, 2 * np.pi))) for x, y in places]
    raise ValueError(f"no room for {count} dice of {look.edge_mm:g} mm within {reach_mm:g} mm")


def _scatter(rng: Rng, look: DieLook, count: int, reach_mm: float) -> list[Floats]:
    """So many places, or fewer, where the first ones leave no room for the others."""
    apart = look.edge_mm * 2**0.5 + GAP_MM
    places: list[Floats] = []
    for _ in range(TRIES):
        if len(places) == count:
            break
        place = rng.uniform(-reach_mm, reach_mm, 2)
        if np.hypot(*place) <= reach_mm and all(np.hypot(*(place - other)) > apart for other in places):
            places.append(place)
    return places


def lay_dice(
    rng: Rng, look: DieLook, shown: Sequence[int], places: Sequence[tuple[float, float, float]]
) -> list[Thing]:
    """The dice that show these numbers at these places."""
    dice = []
    for number, (x, y, angle) in zip(shown, places, strict=True):
        die = make_die(rng, look, number)
        centre = np.array([x, y, look.edge_mm / 2])
        dice.append(
            Thing(
                Box(die.box.half_mm, rotation_z(angle), centre), die.colour, die.sides, round_mm=die.round_mm
            )
        )
    return dice
