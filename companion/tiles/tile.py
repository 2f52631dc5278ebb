"""Tiles, notation, melds and tile sets. There is one Tile object per kind: take it from KINDS or Tile.parse.

The index (0..41) is the order of everything: 1m..9m 1p..9p 1s..9s 1z..7z 1f..8f.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from operator import le

from msgspec import Struct
from msgspec.structs import force_setattr

from companion.errors import NotationError, quote

NO_SUCH_TILE = "{piece} is not a tile: tiles are 1m to 9m, 1p to 9p, 1s to 9s, 1z to 7z and 1f to 8f."
UNREADABLE = "{piece} cannot be read: write ranks, then a suit letter (m, p, s, z or f), as in 234m567p55z."
NO_SUIT = "{piece} has no suit letter after it: write one of m, p, s, z, f, as in 234m."
NO_MELD_KIND = (
    "{piece} is not a meld: start with c (chow), p (pung), k (kong from a discard), a (added kong)"
    " or K (concealed kong), as in p555p."
)
NO_CHOW = "{piece} is not a chow: write three suit tiles in a row, as in c234m."
NO_PUNG = "{piece} is not a pung: write three equal tiles, as in p555p."
NO_KONG = "{piece} is not a kong: write four equal tiles, as in {kind}5555p."
NOT_IN_SET = "{piece} is not among the {total} tiles of this game: correct it."
TOO_MANY_COPIES = "{piece} appears {found} times, and this game has {copies} of it: correct one."

TEMPLATES = (
    NO_SUCH_TILE, UNREADABLE, NO_SUIT, NO_MELD_KIND, NO_CHOW, NO_PUNG, NO_KONG, NOT_IN_SET, TOO_MANY_COPIES,
)  # fmt: skip
"""Every sentence of the errors here, for translators."""

BACK = "back"
"""Reading code of a face-down tile; not a kind."""
UNKNOWN = "?"
"""Reading code of a tile that was not read with certainty; not a kind."""
KONG_TILES, SET_TILES = 4, 3


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
            raise NotationError(NO_SUCH_TILE, piece=quote(code))
        return tile

    def __str__(self) -> str:
        return self.code

    def __reduce__(self) -> tuple[Callable[[str], Tile], tuple[str]]:
        return Tile.parse, (self.code,)


_CODES = [(suit, rank) for suit, size in SUIT_SIZES.items() for rank in range(1, size + 1)]
KINDS: tuple[Tile, ...] = tuple(Tile(i, f"{rank}{suit}", suit, rank) for i, (suit, rank) in enumerate(_CODES))
"""The 42 kinds, in order of their index."""
_BY_CODE = {tile.code: tile for tile in KINDS}


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
                raise NotationError(UNREADABLE, piece=quote(piece.group()))
        elif not suit:
            raise NotationError(NO_SUIT, piece=quote(ranks))
        else:
            tiles.extend(Tile.parse(rank + suit) for rank in ranks)
    return tuple(tiles)


def format_tiles(tiles: Iterable[Tile]) -> str:
    """The tiles as text, neighbours of a suit sharing its letter; `parse_tiles` returns the same tiles."""
    groups = groupby(tiles, key=lambda tile: tile.suit)
    return "".join("".join(str(tile.rank) for tile in group) + suit for suit, group in groups)


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
                raise NotationError(NO_CHOW, piece=quote(str(self)))
        elif self.kind is MeldKind.PUNG:
            if not (equal and len(self.tiles) == 3):
                raise NotationError(NO_PUNG, piece=quote(str(self)))
        elif not (equal and len(self.tiles) == 4):
            raise NotationError(NO_KONG, piece=quote(str(self)), kind=self.kind.value)

    def __str__(self) -> str:
        return self.kind + format_tiles(self.tiles)


@lru_cache(1 << 12)
def parse_meld(text: str) -> Meld:
    """The meld written `text`, as "c234m" or "K5555p". Raises NotationError, which quotes `text`."""
    text = text.strip()
    if text[:1] not in set(MeldKind):
        raise NotationError(NO_MELD_KIND, piece=quote(text))
    return Meld(kind=MeldKind(text[0]), tiles=parse_tiles(text[1:]))


def _is_run(tiles: tuple[Tile, ...]) -> bool:
    first = tiles[0] if tiles else None
    return (
        first is not None
        and first.suit in (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO)
        and [(tile.suit, tile.rank) for tile in tiles] == [(first.suit, first.rank + i) for i in range(3)]
    )


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
                raise NotationError(NOT_IN_SET, piece=quote(KINDS[index].code), total=self.total)
            if found > copies:
                raise NotationError(
                    TOO_MANY_COPIES, piece=quote(KINDS[index].code), found=found, copies=copies
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
