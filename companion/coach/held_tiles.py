"""Concealed tiles as counts, one byte for each of the kinds: how they are listed, and one more or less."""

from __future__ import annotations

from collections.abc import Iterable

from companion.tiles import KINDS, Tile


def list_tiles(held: Iterable[int]) -> tuple[Tile, ...]:
    """The tiles of the counts, in the order of the kinds."""
    return tuple([kind for kind, count in zip(KINDS, held, strict=False) for _ in range(count)])


def put_in(held: bytes, tile: Tile) -> bytes:
    """The counts with one of that tile more."""
    at = tile.index
    return held[:at] + bytes((held[at] + 1,)) + held[at + 1 :]


def take_out(held: bytes, tile: Tile) -> bytes:
    """The counts without one of that tile."""
    at = tile.index
    return held[:at] + bytes((held[at] - 1,)) + held[at + 1 :]
