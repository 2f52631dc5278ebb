"""From what was read in a picture to the hand of a request: without melds and flowers, corrections made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.errors import InputError, quoted
from companion.tiles import (
    BACK,
    KINDS,
    UNKNOWN,
    MeldKind,
    Suit,
    Tile,
    TileSet,
    format_tiles,
    parse_meld,
    parse_tiles,
)

if TYPE_CHECKING:
    from companion.vision import Reading, TileReading

FIX = re.compile(r"([0-9]{1,4})=(.*)", re.DOTALL)


def unsure(reading: Reading) -> list[dict[str, Any]]:
    """The tiles that a person should look at, numbered from 1 in reading order, with their alternatives."""
    return [
        {
            "tile": number,
            "code": tile.code,
            "p": round(tile.p, 4),
            "alternatives": [[code, round(p, 4)] for code, p in tile.alternatives],
        }
        for number, tile in enumerate(reading.tiles, start=1)
        if tile.is_unsure
    ]


def parse_fixes(texts: Sequence[str], tiles: int) -> dict[int, Tile | None]:
    """Corrections as `{5: 3m}`, or None for a tile that is none. Raises InputError and NotationError."""
    fixes: dict[int, Tile | None] = {}
    for text in texts:
        match = FIX.fullmatch(text)
        if match is None or not 1 <= int(match[1]) <= tiles:
            raise InputError(
                "--fix {given} must be N=TILE with N from 1 to {tiles}, the number of a tile that was read.",
                given=quoted(text), tiles=tiles,
            )  # fmt: skip
        fixes[int(match[1])] = Tile.parse(match[2]) if match[2] else None
    return fixes


def hand_fields(
    reading: Reading,
    fixes: Mapping[int, Tile | None],
    added: str,
    request: Mapping[str, Any],
    tile_set: TileSet,
) -> dict[str, Any]:
    """The fields `hand` and `flowers` of a request: the face-up tiles without melds and flowers.

    A tile that was not read with certainty counts as the likeliest kind of which `tile_set` has a copy left;
    face-down tiles count as nothing.
    Raises InputError if a meld's tiles are not in the picture, NotationError for a meld that cannot be read.
    """
    extra = parse_tiles(added)
    numbered = dict(enumerate(reading.tiles, start=1))
    found: dict[int, Tile | None] = {
        n: Tile.parse(tile.code) for n, tile in numbered.items() if tile.code not in (BACK, UNKNOWN)
    }
    found |= fixes
    left = Counter({kind: tile_set.copies[kind.index] for kind in KINDS})
    left.subtract([*(tile for tile in found.values() if tile), *extra])
    open_ = [n for n, tile in numbered.items() if n not in found and tile.code != BACK]
    for number in sorted(open_, key=lambda n: -numbered[n].p):
        kind = found[number] = likeliest(numbered[number], left)
        if kind is not None:
            left[kind] -= 1
    tiles = [tile for _, tile in sorted(found.items()) if tile is not None]
    for text in request.get("melds", ()):
        _take_out(text, tiles)
    flowers = [tile for tile in tiles if tile.suit is Suit.FLOWERS]
    hand = [tile for tile in tiles if tile.suit is not Suit.FLOWERS]
    fields: dict[str, Any] = {"hand": format_tiles([*hand, *extra])}
    if flowers and "flowers" not in request:
        fields["flowers"] = format_tiles(flowers)
    return fields


def likeliest(tile: TileReading, left: Mapping[Tile, int]) -> Tile | None:
    """The likeliest kind with a copy left; the likeliest of all where none has, so that a person is told."""
    kinds = [Tile.parse(code) for code, _ in tile.alternatives if code not in (BACK, UNKNOWN)]
    return next((kind for kind in kinds if left[kind] > 0), kinds[0] if kinds else None)


def _take_out(text: str, tiles: list[Tile]) -> None:
    meld = parse_meld(text)
    for tile in meld.tiles:
        if tile in tiles:
            tiles.remove(tile)
        elif meld.kind is not MeldKind.KONG_CONCEALED:  # whose tiles may all lie face down
            raise InputError(
                "{meld} is not in the picture, {tile} is missing: correct what was read with --fix N={tile}.",
                meld=quoted(text), tile=tile.code,
            )  # fmt: skip
