"""Tile sets: which kinds a game has, and how many of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import le

from companion.errors import NotationError, quote
from companion.tiles import messages
from companion.tiles.tile import KINDS, Suit, Tile


def counts(tiles: Iterable[Tile]) -> list[int]:
    """How many of each kind are in `tiles`: a list of 42, by index."""
    found = [0] * len(KINDS)
    for tile in tiles:
        found[tile.index] += 1
    return found


@dataclass(frozen=True, slots=True)
class TileSet:
    """The tiles of a game: `copies[index]` of each of the 42 kinds, 0 for a kind that it does not have."""

    name: str
    copies: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.copies)

    @property
    def kinds(self) -> tuple[Tile, ...]:
        """The kinds that it has, in order."""
        return tuple(tile for tile in KINDS if self.copies[tile.index])

    def check(self, tiles: Iterable[Tile]) -> None:
        """Raise NotationError, quoting the tile, where `tiles` cannot all come from this set."""
        held = counts(tiles)
        if all(map(le, held, self.copies)):
            return
        for index, found in enumerate(held):
            copies = self.copies[index]
            if found and not copies:
                raise NotationError(messages.NOT_IN_SET, piece=quote(KINDS[index].code), total=self.total)
            if found > copies:
                raise NotationError(
                    messages.TOO_MANY_COPIES, piece=quote(KINDS[index].code), found=found, copies=copies
                )


SET_144 = TileSet("144", tuple(1 if tile.suit is Suit.FLOWERS else 4 for tile in KINDS))
"""Suits, honours, flowers and seasons."""
BOX = TileSet(
    "box", tuple(8 if tile.code == "5z" else n for tile, n in zip(KINDS, SET_144.copies, strict=True))
)
"""What may be in a box of tiles: all 144, and four blank ones to spare, which look like White Dragons."""
SET_136 = TileSet("136", tuple(0 if tile.suit is Suit.FLOWERS else 4 for tile in KINDS))
"""Suits and honours."""
SET_84 = TileSet(
    "84",
    tuple(4 if tile.suit not in (Suit.HONORS, Suit.FLOWERS) and 2 <= tile.rank <= 8 else 0 for tile in KINDS),
)
"""Suits, ranks 2 to 8."""
