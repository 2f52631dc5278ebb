"""From what was read in a picture to the hand of a request: without melds and flowers, corrections made."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.errors import InputError, quoted
from companion.tiles import BACK, UNKNOWN, MeldKind, Suit, Tile, format_tiles, parse_meld, parse_tiles

if TYPE_CHECKING:
    from companion.vision import Reading, TileReading

FIX = re.compile(r"([0-9]{1,4})=(.*)", re.DOTALL)


def unsure(reading: Reading, sure: float) -> list[dict[str, Any]]:
    """The tiles read with less than `sure`, numbered from 1 in reading order, with their alternatives."""
    return [
        {
            "tile": number,
            "code": tile.code,
            "p": round(tile.p, 4),
            "alternatives": [[code, round(p, 4)] for code, p in tile.alternatives],
        }
        for number, tile in enumerate(reading.tiles, start=1)
        if tile.code == UNKNOWN or (tile.code != BACK and tile.p < sure)
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
    reading: Reading, fixes: Mapping[int, Tile | None], added: str, request: Mapping[str, Any]
) -> dict[str, Any]:
    """The fields `hand` and `flowers` of a request: the face-up tiles without melds and flowers.

    A tile that was not read with certainty counts as its likeliest kind; face-down tiles count as nothing.
    Raises InputError if a meld's tiles are not in the picture, NotationError for a meld that cannot be read.
    """
    numbered = enumerate(reading.tiles, start=1)
    found = [fixes[number] if number in fixes else likeliest(tile) for number, tile in numbered]
    tiles = [tile for tile in found if tile is not None]
    for text in request.get("melds", ()):
        _take_out(text, tiles)
    flowers = [tile for tile in tiles if tile.suit is Suit.FLOWERS]
    hand = [tile for tile in tiles if tile.suit is not Suit.FLOWERS]
    fields: dict[str, Any] = {"hand": format_tiles([*hand, *parse_tiles(added)])}
    if flowers and "flowers" not in request:
        fields["flowers"] = format_tiles(flowers)
    return fields


def likeliest(tile: TileReading) -> Tile | None:
    """The kind that a reading most likely is; None for a face-down tile."""
    if tile.code == BACK:
        return None
    codes = [tile.code, *(code for code, _ in tile.alternatives)]
    kinds = [code for code in codes if code not in (BACK, UNKNOWN)]
    return Tile.parse(kinds[0]) if kinds else None


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
