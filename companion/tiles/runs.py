"""Several tiles that a sentence names together, as those of a chow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.tiles.tile import Tile


@dataclass(frozen=True, slots=True)
class TileRun:
    """tiles: in order, at least one. text: as the command line says them."""

    tiles: tuple[Tile, ...]
    text: str

    @classmethod
    def of_chow(cls, tiles: Sequence[Tile]) -> TileRun:
        """Those of a chow, as 3-4-5s."""
        return cls(tuple(tiles), "-".join(str(tile.rank) for tile in tiles) + tiles[0].suit.value)

    def __str__(self) -> str:
        return self.text
