"""Hands as text: "234m567p 55z" to tiles and back. The order of tiles is kept both ways."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from companion.errors import NotationError, quote
from companion.tiles import messages
from companion.tiles.tile import Tile

_PIECE = re.compile(r"\s+|([0-9]+)([mpszf]?)|[^\s0-9]+")


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """The tiles of `text`, in order; groups of ranks with a suit letter behind, spaces between them allowed.

    Raises NotationError quoting the first piece that is wrong. The number of copies is a tile set's business.
    """
    tiles: list[Tile] = []
    for piece in _PIECE.finditer(text):
        ranks, suit = piece.groups()
        if ranks is None:
            if not piece.group().isspace():
                raise NotationError(messages.UNREADABLE, piece=quote(piece.group()))
        elif not suit:
            raise NotationError(messages.NO_SUIT, piece=quote(ranks))
        else:
            tiles.extend(Tile.parse(rank + suit) for rank in ranks)
    return tuple(tiles)


def format_tiles(tiles: Iterable[Tile]) -> str:
    """The tiles as text, neighbours of a suit sharing its letter; `parse_tiles` gives the same tiles back."""
    groups = groupby(tiles, key=lambda tile: tile.suit)
    return "".join("".join(str(tile.rank) for tile in group) + suit for suit, group in groups)
