"""How a game is played at the table, as far as the games differ: what each of them declares.

The wall of a game is a WallRule: values only. What stands on the table is table/wall.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType

from companion.rules.options import Option
from companion.rules.win import Options, OptionValue
from companion.tiles import TileSet

SIDES = 4
LAYERS = 2

BREAK_UNIT = Option(
    "break.unit", "stack", ("stack", "tile"),
    "What the dice count off from the right end of the wall to the break: stacks of two, or single tiles.",
    "开牌时按骰子点数从牌墙右端数：按墩数，或按张数。", "C-02",
)  # fmt: skip
"""A house option of every game in which the dice say how far the break is from the wall's end."""


class Replacements(Enum):
    """Where the tile comes from that replaces the fourth of a kong, or a flower, and what it costs."""

    LIVE_WALL = "live_wall"
    """The tail of the live wall. A dead wall stays as it is."""
    DEAD_WALL = "dead_wall"
    """The dead wall, which gets smaller."""
    MOVING_DEAD_WALL = "moving_dead_wall"
    """The dead wall, into which the last tile of the live wall moves in its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WallRule:
    """The wall of a game. All numbers are tiles unless they are named stacks.

    tile_set: its tiles. They stand two high on four sides, as many on each, but for those of the dealer
    dealer_stacks_more: how many stacks longer the dealer's side is than the others
    dice: how many dice may be thrown for the break, the usual number first
    break_unit: what their total counts, from the right end of the side that it also chooses (C-01, C-02)
    break_after: how many tiles stand right of the break whatever the dice, which then choose the side only
    deal: how many each player takes in a round; after the last the dealer takes one more (C-04)
    dead: the dead wall, which is what stands just before the break
    replacements: where they are taken from
    sea: the last tiles of the live wall, which are drawn one by each player; none of them is a replacement
    indicator_dice: how many dice are thrown after the deal for the tile of the dead wall that is turned over;
        none where no tile is
    ruling: what says how this wall ends and where its replacements come from
    options: its own house options
    variations: which of these values are others under a setting of a house option, also of those of the
        scoring table
    """

    tile_set: TileSet
    dealer_stacks_more: int = 0
    dice: tuple[int, ...] = (2,)
    break_unit: str = "stack"
    break_after: int | None = None
    deal: tuple[int, ...] = (4, 4, 4, 1)
    dead: int = 0
    replacements: Replacements = Replacements.LIVE_WALL
    sea: int = 0
    indicator_dice: int = 0
    ruling: str
    options: tuple[Option, ...] = ()
    variations: Mapping[tuple[str, OptionValue], Mapping[str, object]] = field(
        default_factory=dict, hash=False
    )

    def under(self, options: Options) -> WallRule:
        """The wall with these house options; one that is not given stands at its default."""
        changes: dict[str, object] = {}
        for (key, setting), change in self.variations.items():
            if key in options and options[key] == setting:
                changes |= change
        return replace(self, **changes) if changes else self  # type: ignore[arg-type]

    def stacks(self, dealer: int) -> tuple[int, int, int, int]:
        """How many stacks the side of each seat has."""
        side = (self.tile_set.total // LAYERS - self.dealer_stacks_more) // SIDES
        a, b, c, d = (side + self.dealer_stacks_more * (seat == dealer) for seat in range(SIDES))
        return a, b, c, d

    def deal_order(self, seats: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Who takes how many tiles from the wall, one after the other, in the deal (C-04).

        `seats` are those that play, from the dealer on.
        """
        for tiles in self.deal:
            for seat in seats:
                yield seat, tiles
        yield seats[0], 1


COUNTED_IN_TILES: Mapping[tuple[str, OptionValue], Mapping[str, object]] = MappingProxyType(
    {(BREAK_UNIT.key, "tile"): MappingProxyType({"break_unit": "tile"})}
)
"""What the house option BREAK_UNIT changes."""
