"""The vocabulary of tiles: kinds, notation, melds, tile sets, counts. Depends on nothing but the errors."""

from companion.tiles.melds import Meld, MeldKind, parse_meld
from companion.tiles.notation import format_tiles, parse_tiles
from companion.tiles.sets import BOX, SET_84, SET_136, SET_144, TileSet, counts
from companion.tiles.tile import BACK, KINDS, UNKNOWN, Suit, Tile

__all__ = [
    "BACK", "BOX", "KINDS", "SET_84", "SET_136", "SET_144", "UNKNOWN", "Meld", "MeldKind", "Suit", "Tile",
    "TileSet", "counts", "format_tiles", "parse_meld", "parse_tiles",
]  # fmt: skip
