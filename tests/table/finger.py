"""A person with a finger on the wall: slow, and written from the rulings alone.

It knows nothing of companion: stacks stand in lists, tiles are lifted off one by one, and everything is found
by walking along the wall and counting. Places are (side, stack from the right end, "upper" or "lower").
"""

from __future__ import annotations

from dataclasses import dataclass, replace

Tile = tuple[int, int, str]


@dataclass(frozen=True)
class Table:
    """What the rulings say of a game's wall."""

    stacks: int
    """A side."""
    dealer_stacks: int
    hand: int
    dead: int = 0
    kong_tile: str = "live"
    """From the tail of the "live" wall, the "dead" wall, or a "moving" one."""
    sea: int = 0
    always: int | None = None
    """Stacks that are counted off for the break whatever the dice."""
    tiles: bool = False
    """Whether the dice count single tiles."""


TABLES = {
    "hefei": Table(10, 12, 13, sea=4),  # HF-01, HF-05
    "hebei": Table(17, 17, 13, dead=12),  # HB-21, HB-22
    "taiwanese": Table(18, 18, 16, dead=16, kong_tile="moving"),  # TW-10
    "hong_kong": Table(18, 18, 13, dead=14, kong_tile="dead", always=7),  # HK-01, HK-03, HK-04
    "hangzhou": Table(17, 17, 13, dead=20),  # HZ-05, HZ-28
}


def table(game: str, options: dict[str, object]) -> Table:
    """The wall of a game with those house options that concern it."""
    found = TABLES[game]
    if options.get("flowers") is False:
        found = replace(found, stacks=17, dealer_stacks=17)
    if options.get("moving_dead_wall"):
        found = replace(found, kong_tile="moving")
    return replace(found, tiles=options.get("break.unit") == "tile")


class Finger:
    """The wall, with the tiles that still stand."""

    def __init__(self, table: Table, dealer: int, total: int) -> None:
        self.table = table
        side = dealer
        for _ in range(total - 1):  # the dealer is one, the next player two (C-01)
            side = self.right_of(side)
        stack, layer = 1, "upper"
        for _ in range(2 * table.always if table.always else total if table.tiles else 2 * total):
            side, stack, layer = self.after(dealer, side, stack, layer)
        self.first: Tile = (side, stack, layer)
        self.standing: list[Tile] = []
        for _ in range(2 * (3 * table.stacks + table.dealer_stacks)):
            self.standing.append((side, stack, layer))
            side, stack, layer = self.after(dealer, side, stack, layer)
        assert (side, stack, layer) == self.first
        self.dead: list[Tile] = self.standing[len(self.standing) - table.dead :]
        self.live: list[Tile] = self.standing[: len(self.standing) - table.dead]

    @staticmethod
    def right_of(seat: int) -> int:
        return {0: 1, 1: 2, 2: 3, 3: 0}[seat]

    @staticmethod
    def left_of(seat: int) -> int:
        return {1: 0, 2: 1, 3: 2, 0: 3}[seat]

    def after(self, dealer: int, side: int, stack: int, layer: str) -> Tile:
        """One tile on: the lower one, the next stack, or stack 1 of the next side, to the left (C-03)."""
        if layer == "upper":
            return side, stack, "lower"
        last = self.table.dealer_stacks if side == dealer else self.table.stacks
        if stack < last:
            return side, stack + 1, "upper"
        return self.left_of(side), 1, "upper"

    def off_the_end(self, tiles: list[Tile]) -> Tile:
        """Of the stack at the end of `tiles`, the one that a hand can lift."""
        *_, (side, stack, _) = tiles
        upper = (side, stack, "upper")
        return upper if upper in tiles else tiles[-1]

    @property
    def kong_tile(self) -> Tile | None:
        if self.table.kong_tile == "live":
            return self.off_the_end(self.live) if len(self.live) > self.table.sea else None
        if not self.dead or (self.table.kong_tile == "moving" and not self.live):
            return None
        return self.off_the_end(self.dead)

    def draw(self) -> Tile:
        return self.live.pop(0)

    def kong(self) -> Tile:
        tile = self.kong_tile
        assert tile is not None
        (self.live if tile in self.live else self.dead).remove(tile)
        if self.table.kong_tile == "moving":
            self.dead.insert(0, self.live.pop())
        return tile

    def turned(self, total: int) -> Tile:
        """The tile that the second throw of Hangzhou tells (HZ-05): lifted off one by one from the back."""
        dead = list(self.dead)
        for _ in range(total - 1):
            dead.remove(self.off_the_end(dead))
        return self.off_the_end(dead)
