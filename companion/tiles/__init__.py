"""The vocabulary of tiles: kinds, notation, melds, tile sets, counts. Depends on nothing but the errors."""

from companion.tiles.tile import (
    BACK,
    BOX,
    KINDS,
    KONG_TILES,
    SET_84,
    SET_136,
    SET_144,
    SET_TILES,
    UNKNOWN,
    Meld,
    MeldKind,
    Suit,
    Tile,
    TileSet,
    counts,
    format_tiles,
    parse_meld,
    parse_tiles,
)

__all__ = [
    "BACK", "BOX", "KINDS", "KONG_TILES", "SET_84", "SET_136", "SET_144", "SET_TILES", "UNKNOWN", "Meld",
    "MeldKind", "Suit", "Tile", "TileSet", "counts", "format_tiles", "parse_meld", "parse_tiles",
]  # fmt: skip
