"""Tile: the 42 kinds as immutable values. There is one object a kind; take it from KINDS or Tile.parse.

The index (0..41) is the order of everything: 1m..9m 1p..9p 1s..9s 1z..7z 1f..8f.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from companion.errors import NotationError, quote
from companion.tiles import messages

BACK = "back"
"""Reading code of a face-down tile; not a kind."""
UNKNOWN = "?"
"""Reading code of a tile that was not read with certainty; not a kind."""


class Suit(StrEnum):
    """The letter of a group of kinds; z holds winds and dragons, f flowers and seasons."""

    CHARACTERS = "m"
    DOTS = "p"
    BAMBOO = "s"
    HONORS = "z"
    FLOWERS = "f"

    @property
    def size(self) -> int:
        """Number of kinds: 9, 9, 9, 7, 8."""
        return SUIT_SIZES[self]


SUIT_SIZES = {Suit.CHARACTERS: 9, Suit.DOTS: 9, Suit.BAMBOO: 9, Suit.HONORS: 7, Suit.FLOWERS: 8}


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """One kind of tile: `index` 0..41, `code` as "5m", `suit`, `rank` 1..9. Ordered by index.

    Since there is one object a kind, tiles are equal where they are the same object.
    """

    index: int
    code: str
    suit: Suit
    rank: int

    def __lt__(self, other: Tile) -> bool:
        return self.index < other.index

    @staticmethod
    def parse(code: str) -> Tile:
        """The kind written `code`, as "5m". Raises NotationError, which quotes `code`."""
        tile = _BY_CODE.get(code)
        if tile is None:
            raise NotationError(messages.NO_SUCH_TILE, piece=quote(code))
        return tile

    def __str__(self) -> str:
        return self.code

    def __reduce__(self) -> tuple[Callable[[str], Tile], tuple[str]]:
        return Tile.parse, (self.code,)


_CODES = [(suit, rank) for suit, size in SUIT_SIZES.items() for rank in range(1, size + 1)]
KINDS: tuple[Tile, ...] = tuple(Tile(i, f"{rank}{suit}", suit, rank) for i, (suit, rank) in enumerate(_CODES))
"""The 42 kinds, in order of their index."""
_BY_CODE = {tile.code: tile for tile in KINDS}
