"""Walls as an automatic table builds them, and as people draw from them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_bridge.events import Side
from firmware_bridge.limits import SIDES

HEFEI_TILES = 84
Sides = tuple[Side, Side, Side, Side]


def make_sides(tiles: int, dealer: int = 0) -> Sides:
    """Four sides of two layers for `tiles` (84…144, even). Stacks left over go to the dealer's side and the
    one across first; of Hefei's 84 tiles the dealer has all of them: 12, 10, 10, 10.
    """
    stacks, extra = divmod(tiles // 2, 4)
    more = (2, 0, 0, 0) if tiles == HEFEI_TILES else tuple(int(extra > order) for order in (0, 2, 1, 3))
    first, second, third, fourth = (Side(stacks + more[(side - dealer) % 4], 2) for side in range(4))
    return first, second, third, fourth


def drawing_order(sides: Sequence[Side], side: int, stack: int) -> Iterator[tuple[int, int, int]]:
    """Every place (side, stack, layer) in the order in which people draw from that stack on: the upper tile
    of a stack before the lower, each side from its right end to its left one, the sides clockwise.
    """
    for ahead in range(SIDES + 1):  # the side of the break comes twice: its left part and its right one
        at = (side - ahead) % SIDES
        first = stack if ahead == 0 else 0
        end = stack if ahead == SIDES else sides[at].stacks
        for each in range(first, end):
            for layer in reversed(range(sides[at].layers)):
                yield at, each, layer


def find_break_stack(sides: Sequence[Side], dealer: int, total: int) -> tuple[int, int]:
    """Side and stack of the first tile to draw where the dealer's dice show `total`, in the usual way: it
    counts the sides counterclockwise from the dealer's, and on that side as many stacks from the right stay.
    """
    side = (dealer + total - 1) % SIDES
    around = dict.fromkeys((at, stack) for at, stack, _ in drawing_order(sides, side, 0))
    return tuple(around)[total % len(around)]
