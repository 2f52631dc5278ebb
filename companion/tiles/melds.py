"""Melds: sets that lie beside the hand, written with their kind in front, as "p555p"."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import force_setattr

from companion.errors import NotationError, quote
from companion.tiles import messages
from companion.tiles.notation import format_tiles, parse_tiles
from companion.tiles.tile import Suit, Tile


class MeldKind(StrEnum):
    """How a meld came about; the value is its letter in notation."""

    CHOW = "c"
    PUNG = "p"
    KONG_DISCARD = "k"
    KONG_ADDED = "a"
    KONG_CONCEALED = "K"

    @property
    def is_kong(self) -> bool:
        return self not in (MeldKind.CHOW, MeldKind.PUNG)


class Meld(Struct, frozen=True, order=True):
    """A meld and its three or four tiles, sorted. Ordered by tiles, then kind. Raises NotationError."""

    tiles: tuple[Tile, ...]
    kind: MeldKind

    def __post_init__(self) -> None:
        force_setattr(self, "tiles", tuple(sorted(self.tiles)))
        equal = len(set(self.tiles)) == 1 and self.tiles[0].suit is not Suit.FLOWERS
        if self.kind is MeldKind.CHOW:
            if not _is_run(self.tiles):
                raise NotationError(messages.NO_CHOW, piece=quote(str(self)))
        elif self.kind is MeldKind.PUNG:
            if not (equal and len(self.tiles) == 3):
                raise NotationError(messages.NO_PUNG, piece=quote(str(self)))
        elif not (equal and len(self.tiles) == 4):
            raise NotationError(messages.NO_KONG, piece=quote(str(self)), kind=self.kind.value)

    def __str__(self) -> str:
        return self.kind + format_tiles(self.tiles)


@lru_cache(1 << 12)
def parse_meld(text: str) -> Meld:
    """The meld written `text`, as "c234m" or "K5555p". Raises NotationError, which quotes `text`."""
    text = text.strip()
    if text[:1] not in set(MeldKind):
        raise NotationError(messages.NO_MELD_KIND, piece=quote(text))
    return Meld(kind=MeldKind(text[0]), tiles=parse_tiles(text[1:]))


def _is_run(tiles: tuple[Tile, ...]) -> bool:
    first = tiles[0] if tiles else None
    return (
        first is not None
        and first.suit in (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO)
        and [(tile.suit, tile.rank) for tile in tiles] == [(first.suit, first.rank + i) for i in range(3)]
    )
