"""Which things lie on a table, singly and in groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lab.scenes.desk import block, keyboard, page, telephone
from lab.scenes.games import card, chip, die, domino, letter_tile
from lab.scenes.geometry import Box, rotation_z
from lab.scenes.things import Rng, Thing

Maker = Callable[[Rng], Thing]
MAKERS: tuple[tuple[Maker, float], ...] = (
    (card, 2.0), (die, 2.0), (domino, 1.5), (letter_tile, 1.5), (chip, 1.5),
    (keyboard, 0.8), (telephone, 0.6), (page, 1.4), (block, 1.6),
)  # fmt: skip

SMALL = frozenset({card, die, domino, letter_tile, chip, block})  # what lies about in numbers


def choose_maker(rng: Rng) -> Maker:
    """One of the kinds of things."""
    shares = np.array([share for _, share in MAKERS])
    return MAKERS[int(rng.choice(len(MAKERS), p=shares / shares.sum()))][0]


def move_thing(thing: Thing, x_mm: float, y_mm: float, angle: float) -> Thing:
    """The thing turned about its own middle and set down at (x, y)."""
    turn = rotation_z(angle)
    centre = np.array([x_mm, y_mm, thing.box.centre_mm[2]])
    return Thing(
        Box(thing.box.half_mm, turn @ thing.box.rotation, centre), thing.colour, thing.sides, thing.flat
    )


def lay_in_rows(rng: Rng, make: Maker, count: int) -> list[Thing]:
    """`count` things of one kind in rows side by side, touching or nearly, as they lie in games."""
    first = make(rng)
    width, height = 2 * np.max(np.abs(first.box.corners()[:, :2] - first.box.centre_mm[:2]), axis=0)
    columns = int(rng.integers(1, 9))
    gap = rng.choice([0.0, 0.05, rng.uniform(0.1, 0.6)])
    result = []
    for index in range(count):
        line, column = divmod(index, columns)
        x = column * width * (1 + gap) + rng.normal(0, 0.02 * width)
        result.append(move_thing(make(rng), x, -line * height * (1 + gap), rng.normal(0, 0.02)))
    return result


def set_down(things: Sequence[Thing], x_mm: float, y_mm: float, angle: float) -> list[Thing]:
    """A group turned by `angle` about its middle and moved to (x, y)."""
    middle = np.mean([thing.box.centre_mm[:2] for thing in things], axis=0)
    turn = rotation_z(angle)
    result = []
    for thing in things:
        centre = turn @ (thing.box.centre_mm - [*middle, 0.0]) + [x_mm, y_mm, 0.0]
        result.append(
            Thing(
                Box(thing.box.half_mm, turn @ thing.box.rotation, centre),
                thing.colour,
                thing.sides,
                thing.flat,
            )
        )
    return result
