"""Where tiles stand in the wall: side, stack and layer, the way round, the break from the dice.

Each player has a side of the wall; seats are numbered counterclockwise, so that seat 1 sits to the right of
seat 0. The stacks of a side are numbered from its right end, as the player who sits behind it sees it.
From above:

                    seat 2
                 1 → → → → 17
              17              1         The arrows are the way in which the dice count stacks and in
               ↑              ↓         which tiles are drawn: from right to left before each player,
      seat 3   ↑              ↓  seat 1 then on to the right end of the next side, clockwise (C-02, C-03).
               ↑              ↓         So sides follow as 0, 3, 2, 1, against the order of the players.
               1              17
                17 ← ← ← ← 1            Of each stack the upper tile goes first, then the lower one.
                    seat 0

A break after stack 5 of seat 0 leaves a gap there: stack 6 is the head of the wall and drawn from first,
stack 5 its tail, and before that comes stack 4. Replacements are taken from a tail, and here too the upper
tile goes first: nobody can take the lower one from under it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from companion.errors import EventError, quote
from companion.rules.play import LAYERS, SIDES, WallRule
from companion.table import messages

DIE_FACES = 6


class Layer(StrEnum):
    """Which tile of a stack."""

    UPPER = "upper"
    LOWER = "lower"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tile of the wall stands: the seat whose `side` it is, its `stack` from the right end, 1 on."""

    side: int
    stack: int
    layer: Layer


@dataclass(frozen=True, slots=True)
class Spot:
    """A place as somebody at the table sees it, for a screen.

    direction: where the side is, counted counterclockwise from the viewer: 0 before the viewer, 1 to the
        right, 2 across, 3 to the left
    stack_from_left: the stack counted from the left end of the side, from 1
    x, y: the middle of the stack from above; the middle of the table is 0, 0, the viewer's side of the wall
        runs from 1, -1 to -1, -1, the one to the right from 1, 1 to 1, -1
    """

    place: Place
    direction: int
    stack_from_left: int
    x: float
    y: float


@cache
def places_clockwise(stacks: tuple[int, int, int, int], first: Place) -> tuple[Place, ...]:
    """Every place of a wall with these `stacks` a side, in the order of drawing from `first` on.

    EventError where there is no such place.
    """
    places = [
        Place(side, stack, layer)
        for side in (0, 3, 2, 1)
        for stack in range(1, stacks[side] + 1)
        for layer in Layer
    ]
    if first not in places:
        if first.side not in range(SIDES):
            raise EventError(messages.NO_SUCH_SIDE, side=quote(first.side))
        raise EventError(
            messages.NO_SUCH_PLACE, side=first.side, stack=quote(first.stack), stacks=stacks[first.side]
        )
    start = places.index(first)
    return (*places[start:], *places[:start])


def find_break(rule: WallRule, dealer: int, dice: tuple[int, ...]) -> Place:
    """The first tile to draw, where the dealer's dice show that: C-01 and C-02.

    Every side counts, also that of a seat that sits out. Raises EventError for a throw that the game does
    not have. Where single tiles are counted (break.unit) and the count ends on an upper tile, its stack is
    split: the lower tile is the first to draw, and the upper one, which the count has lifted off, is the
    last of the wall.
    """
    total = sum_dice(dice, rule.dice)
    stacks = rule.stacks(dealer)
    owner = (dealer + total - 1) % SIDES
    counted = total if rule.break_unit == "tile" else LAYERS * total
    if rule.break_after is not None:
        counted = rule.break_after
    around = places_clockwise(stacks, Place(owner, 1, Layer.UPPER))
    return around[counted % len(around)]


def sum_dice(dice: tuple[int, ...], numbers: tuple[int, ...]) -> int:
    """What the dice show; EventError unless there is one of these `numbers` of them."""
    if len(dice) not in numbers or not all(1 <= die <= DIE_FACES for die in dice):
        raise EventError(messages.NO_SUCH_THROW, dice=quote(dice), numbers=" or ".join(map(str, numbers)))
    return sum(dice)


def locate(place: Place, stacks: tuple[int, int, int, int], viewer: int = 0) -> Spot:
    """A place of a wall with these `stacks` a side, as the player on the seat `viewer` sees it."""
    direction = (place.side - viewer) % SIDES
    length = stacks[place.side]
    along = (length + 1 - 2 * place.stack) / length
    x, y = ((along, -1.0), (1.0, along), (-along, 1.0), (-1.0, -along))[direction]
    return Spot(place, direction, length + 1 - place.stack, x, y)
